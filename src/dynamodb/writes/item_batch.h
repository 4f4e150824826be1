#pragma once

#include <cstddef>
#include <vector>

#include "dynamodb/writes/write_item.h"

namespace dinette::dynamodb {

/// The rows of several actions that one Store::write decides on, in the order in which they were added.
/// Tables and actions must outlive it.
class ItemBatch {
 public:
  void reserve(std::size_t actions);
  void add(const store::Table& table, ItemAction& action);

  std::size_t size() const { return members_.size(); }

  /// The targets of the actions, and then the marks of those that have replicas; to be called when all
  /// actions are there. A write may have more targets, after these.
  const std::vector<store::WriteTarget>& targets();

  WriteOrigin origin_of(const Context& context, std::size_t index) const {
    return dynamodb::origin_of(context, *members_[index].schema);
  }
  /// Does decide_item() for one of the actions.
  Answer<void> decide(std::size_t index, const store::Rows& rows, WriteOrigin origin,
                      WrittenItem& written) const;

 private:
  struct Member {
    const TableSchema* schema;
    ItemAction* action;
    AttributeNames interest;
    std::size_t mark;  ///< in marks_; meaningless without replicas
  };

  std::vector<Member> members_;
  std::vector<store::WriteTarget> targets_;
  std::vector<store::WriteTarget> marks_;  ///< until they are among the targets
};

}  // namespace dinette::dynamodb

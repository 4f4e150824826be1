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

  /// The targets of the actions. A write may have more of them, after these.
  const std::vector<store::WriteTarget>& targets() const { return targets_; }

  /// Does decide_item() for one of the actions.
  Answer<void> decide(std::size_t index, const store::Rows& rows, WriteOrigin origin,
                      WrittenItem& written) const;

 private:
  struct Member {
    const TableSchema* schema;
    ItemAction* action;
    AttributeNames interest;
  };

  std::vector<Member> members_;
  std::vector<store::WriteTarget> targets_;
};

}  // namespace dinette::dynamodb

#pragma once

#include "dynamodb/tables/table_schema.h"
#include "dynamodb/writes/item_action.h"

namespace dinette::dynamodb {

/// Leaves an item, or its absence, as it is, and fails unless a condition holds: the ConditionCheck of a
/// transaction.
class CheckAction final : public ItemAction {
 public:
  /// `key` must be right, and outlive this.
  CheckAction(const TableSchema& schema, const model::Item& key, ActionCondition condition);

  const model::Item& key_attributes() const override { return key_attributes_; }
  bool only_checks() const override { return true; }
  AttributeNames interest() const override { return attributes_of_condition(); }
  Answer<ItemImage> decide(StoredItem& old) override;

 private:
  const model::Item& key_attributes_;
};

}  // namespace dinette::dynamodb

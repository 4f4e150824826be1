#pragma once

#include "dynamodb/tables/table_schema.h"
#include "dynamodb/writes/item_action.h"

namespace dinette::dynamodb {

/// Deletes an item, or finds that there is none.
class DeleteAction final : public ItemAction {
 public:
  /// `key` must be right, and outlive this.
  DeleteAction(const TableSchema& schema, const model::Item& key, ActionCondition condition);

  const model::Item& key_attributes() const override { return key_attributes_; }
  AttributeNames interest() const override { return attributes_of_condition(); }
  Answer<ItemImage> decide(StoredItem& old) override;

 private:
  const model::Item& key_attributes_;
};

}  // namespace dinette::dynamodb

#pragma once

#include "dynamodb/tables/table_schema.h"
#include "dynamodb/writes/item_action.h"

namespace dinette::dynamodb {

/// Puts an item in place of whatever is there, or where nothing is.
class PutAction final : public ItemAction {
 public:
  enum class Stored : bool { replaced, refused };

  /// `known` is what TableSchema::key_and_indexed_attributes() names of the item; its key must be right.
  PutAction(const TableSchema& schema, kv::Value record, model::Item known, ActionCondition condition,
            Stored stored = Stored::replaced);

  const model::Item& key_attributes() const override { return known_; }
  /// Refuses an item that has a wrong index key or is too large.
  Answer<void> check(const TableSchema& schema) const override;
  AttributeNames interest() const override { return attributes_of_condition(); }
  Answer<ItemImage> decide(StoredItem& old) override;

 private:
  kv::Value record_;
  model::Item known_;
  Stored stored_;
};

}  // namespace dinette::dynamodb

#pragma once

#include <string>

#include "dynamodb/writes/item_action.h"

namespace dinette::dynamodb {

/// Makes an item what it is in another region, whatever it is here.
class ReplicateAction final : public ItemAction {
 public:
  /// `record`: of the item; null if it was deleted. `schema` must outlive this.
  ReplicateAction(const TableSchema& schema, std::string_view row_key, kv::Value record)
      : ItemAction(std::string(row_key), {}), schema_(schema), record_(std::move(record)) {}

  /// None: no client asks for them.
  const model::Item& key_attributes() const override { return no_attributes_; }
  AttributeNames interest() const override { return {}; }
  Answer<ItemImage> decide(StoredItem& old) override;

 private:
  const TableSchema& schema_;
  const kv::Value record_;
  model::Item item_;  ///< what index entries need of it
  const model::Item no_attributes_;
};

}  // namespace dinette::dynamodb

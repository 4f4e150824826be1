#pragma once

#include "dynamodb/indexes/expiry_entry.h"
#include "dynamodb/writes/item_action.h"

namespace dinette::dynamodb {

/// Deletes an item whose time to live is over, if it still is when it comes to that. Otherwise the item stays
/// (ConditionalCheckFailedException, which no client sees).
class ExpireAction final : public ItemAction {
 public:
  /// `schema` must outlive this.
  ExpireAction(const TableSchema& schema, std::string_view row_key, base::TimePoint now)
      : ItemAction(std::string(row_key), {}), schema_(schema), now_(now) {}

  /// None: no client asks for those of an item that the server deletes.
  const model::Item& key_attributes() const override { return no_attributes_; }
  AttributeNames interest() const override { return {}; }
  Answer<ItemImage> decide(StoredItem& old) override;

 private:
  const TableSchema& schema_;
  const base::TimePoint now_;
  const model::Item no_attributes_;
};

}  // namespace dinette::dynamodb

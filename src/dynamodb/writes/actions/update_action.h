#pragma once

#include "dynamodb/tables/table_schema.h"
#include "dynamodb/writes/item_action.h"
#include "dynamodb/writes/item_update.h"

namespace dinette::dynamodb {

/// Changes attributes of an item, which it makes if it is not there and the update says so.
class UpdateAction : public ItemAction {
 public:
  /// What may not be larger than an item: the updated item alone, or also what the service counts of the
  /// statement (docs/service/values.md section 6), whose error is of the whole request.
  enum class Limited : bool { item, statement };

  /// `key` must be right. All that is referred to must outlive this. `envelope` is that of errors which show
  /// only when the update runs.
  UpdateAction(const TableSchema& schema, const model::Item& key, const ItemUpdate& update,
               ActionCondition condition, Envelope envelope, Limited limited = Limited::item);

  const model::Item& key_attributes() const override { return key_attributes_; }
  AttributeNames interest() const override { return united(update_.interest(), attributes_of_condition()); }
  Answer<ItemImage> decide(StoredItem& old) override;
  void forget_decision() override { item_.reset(); }

  /// Returns the item after the last decision, as far as it was looked at; null if there is none.
  const model::Item* item() const { return item_ ? &*item_ : nullptr; }

 private:
  /// `before` is the stored item, null if there is none.
  Answer<void> check_index_keys(const model::Item* before) const;
  Answer<void> check_changed_vectors(const model::Item* before) const;

  const TableSchema& schema_;
  const model::Item& key_attributes_;
  const ItemUpdate& update_;
  const Envelope envelope_;
  const Limited limited_;
  std::optional<model::Item> item_;
};

}  // namespace dinette::dynamodb

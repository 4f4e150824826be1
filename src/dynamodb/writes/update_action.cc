#include "dynamodb/writes/update_action.h"

#include <string>
#include <utility>

#include "dynamodb/api/limits.h"
#include "dynamodb/indexes/index_entry.h"
#include "dynamodb/indexes/index_key_checks.h"
#include "dynamodb/items/item_key.h"
#include "dynamodb/model/value_checks.h"

namespace dinette::dynamodb {

UpdateAction::UpdateAction(const TableSchema& schema, const model::Item& key, const ItemUpdate& update,
                           ActionCondition condition, Envelope envelope)
    : ItemAction(encode_key(schema, key), condition),
      schema_(schema),
      key_attributes_(key),
      update_(update),
      envelope_(envelope) {}

// docs/service/expressions.md section 7, "Order", steps 12 to 14.
Answer<ItemImage> UpdateAction::decide(StoredItem& old) {
  if (!update_.within_statement_limit(old.item())) return validation(std::string(model::update_too_large));
  DINETTE_CHECK(check_condition(old));
  auto updated = update_.apply(old.item(), key_attributes_);
  if (!updated) return validation(envelope_, updated.error());
  item_ = std::move(updated).value();
  if (!item_) return ItemImage();
  DINETTE_CHECK(check_index_keys(old, old.exists() ? *old.item() : key_attributes_));
  const std::size_t size = size_after(old);
  if (size_with_local_entries(schema_, *item_, size) > model::limits::item_bytes)
    return validation(std::string(model::update_too_large));
  return ItemImage{record_after(old, size), &*item_};
}

Answer<void> UpdateAction::check_index_keys(const StoredItem& old, const model::Item& before) const {
  // A new item's key is new, too.
  const auto* changed = old.exists() ? &update_.attributes() : nullptr;
  const auto taken = [&](std::string_view attribute) { return update_.takes_from_item(attribute, before); };
  return check_updated_index_keys(schema_, *item_, changed, taken);
}

std::size_t UpdateAction::size_after(StoredItem& old) const {
  const std::size_t looked_at = model::size_in_bytes(*item_);
  return old.exists() ? looked_at + old.size() - model::size_in_bytes(*old.item()) : looked_at;
}

kv::Value UpdateAction::record_after(const StoredItem& old, std::size_t size) const {
  if (!old.exists()) return codec::make_record(*item_, size);
  return codec::replace_attributes(old.record(), update_.changed(), *item_, size);
}

}  // namespace dinette::dynamodb

#include "dynamodb/writes/actions/update_action.h"

#include <algorithm>
#include <string>
#include <utility>

#include "dynamodb/api/limits.h"
#include "dynamodb/indexes/index_entry.h"
#include "dynamodb/indexes/index_key_checks.h"
#include "dynamodb/indexes/vector_checks.h"
#include "dynamodb/items/item_key.h"
#include "dynamodb/model/value_checks.h"

namespace dinette::dynamodb {

UpdateAction::UpdateAction(const TableSchema& schema, const model::Item& key, const ItemUpdate& update,
                           ActionCondition condition, Envelope envelope, Limited limited)
    : ItemAction(encode_key(schema, key), condition),
      schema_(schema),
      key_attributes_(key),
      update_(update),
      envelope_(envelope),
      limited_(limited) {}

// docs/service/expressions.md section 7, "Order", steps 12 to 14.
Answer<ItemImage> UpdateAction::decide(StoredItem& old) {
  DINETTE_STORED(const model::Item* const before, old.item());
  if (limited_ == Limited::statement && !update_.within_statement_limit(before))
    return of_request(validation(std::string(model::update_too_large)));
  DINETTE_CHECK(check_condition(old));
  auto updated = update_.apply(before, key_attributes_);
  if (!updated) return validation(envelope_, updated.error());
  item_ = std::move(updated).value();
  if (!item_) return ItemImage();
  DINETTE_CHECK(check_index_keys(before));
  DINETTE_CHECK(check_changed_vectors(before));
  std::size_t size = model::size_in_bytes(*item_);
  if (before) size += old.size() - model::size_in_bytes(*before);
  if (size_with_local_entries(schema_, *item_, size) > model::limits::item_bytes)
    return validation(std::string(model::update_too_large));
  if (!before) return ItemImage{codec::make_record(*item_, size), &*item_};
  DINETTE_STORED(kv::Value record, codec::replace_attributes(old.record(), update_.changed(), *item_, size));
  return ItemImage{std::move(record), &*item_};
}

Answer<void> UpdateAction::check_index_keys(const model::Item* before) const {
  const auto is_of_request = [&](std::string_view attribute) {
    const auto& written = update_.attributes();
    const bool left_alone = before && std::ranges::find(written, attribute) == written.end();
    return !left_alone && !update_.takes_from_item(attribute, before ? *before : key_attributes_);
  };
  return check_updated_index_keys(schema_, *item_, is_of_request);
}

Answer<void> UpdateAction::check_changed_vectors(const model::Item* before) const {
  const auto is_changed = [&](std::string_view attribute) {
    const model::AttributeValue* const value = before ? before->find(attribute) : nullptr;
    return !value || *value != *item_->find(attribute);
  };
  return check_vectors(schema_, *item_, is_changed);
}

}  // namespace dinette::dynamodb

#include "dynamodb/writes/actions/check_action.h"

#include "dynamodb/items/item_key.h"

namespace dinette::dynamodb {

CheckAction::CheckAction(const TableSchema& schema, const model::Item& key, ActionCondition condition)
    : ItemAction(encode_key(schema, key), condition), key_attributes_(key) {}

Answer<ItemImage> CheckAction::decide(StoredItem& old) {
  DINETTE_CHECK(check_condition(old));
  return ItemImage{old.value()};
}

}  // namespace dinette::dynamodb

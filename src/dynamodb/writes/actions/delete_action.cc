#include "dynamodb/writes/actions/delete_action.h"

#include "dynamodb/items/item_key.h"

namespace dinette::dynamodb {

DeleteAction::DeleteAction(const TableSchema& schema, const model::Item& key, ActionCondition condition)
    : ItemAction(encode_key(schema, key), condition), key_attributes_(key) {}

Answer<ItemImage> DeleteAction::decide(StoredItem& old) {
  DINETTE_CHECK(check_condition(old));
  return ItemImage();
}

}  // namespace dinette::dynamodb

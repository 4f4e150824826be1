#include "dynamodb/writes/actions/replicate_action.h"

#include "dynamodb/codec/record.h"

namespace dinette::dynamodb {

Answer<ItemImage> ReplicateAction::decide(StoredItem&) {
  if (!record_) return ItemImage();
  if (schema_.indexes().empty()) return ItemImage{record_};
  DINETTE_STORED(item_, codec::read_attributes(record_.view(), schema_.indexed_attributes()));
  return ItemImage{record_, &item_};
}

}  // namespace dinette::dynamodb

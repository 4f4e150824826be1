#include "dynamodb/writes/actions/put_action.h"

#include <utility>

#include "dynamodb/api/limits.h"
#include "dynamodb/indexes/index_entry.h"
#include "dynamodb/indexes/index_key_checks.h"
#include "dynamodb/indexes/vector_checks.h"
#include "dynamodb/items/item_key.h"
#include "dynamodb/writes/write_charge.h"

namespace dinette::dynamodb {

PutAction::PutAction(const TableSchema& schema, kv::Value record, model::Item known,
                     ActionCondition condition, Stored stored)
    : ItemAction(encode_key(schema, known), condition),
      record_(std::move(record)),
      known_(std::move(known)),
      stored_(stored) {}

Answer<void> PutAction::check(const TableSchema& schema) const {
  DINETTE_CHECK(check_index_keys(schema, known_));
  DINETTE_CHECK(check_vectors(schema, known_, [](std::string_view) { return true; }));
  const std::size_t size = codec::record_size(record_.view());
  if (size_with_local_entries(schema, known_, size) > model::limits::item_bytes)
    return of_request(validation("Item size has exceeded the maximum allowed size"));
  return {};
}

Answer<ItemImage> PutAction::decide(StoredItem& old) {
  if (stored_ == Stored::refused && old.exists()) {
    return base::Failure{refused_write(
        {api::ErrorCode::duplicate_item_exception, "Duplicate primary key exists in table"}, old)};
  }
  DINETTE_CHECK(check_condition(old));
  return ItemImage{record_, &known_};
}

}  // namespace dinette::dynamodb

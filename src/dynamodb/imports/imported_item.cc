#include "dynamodb/imports/imported_item.h"

#include <utility>

#include "dinette/aws/json.h"
#include "dinette/base/per_thread.h"

#include "dynamodb/codec/decoder.h"
#include "dynamodb/codec/record.h"
#include "dynamodb/items/item_key.h"
#include "dynamodb/items/key_path_checks.h"
#include "dynamodb/request/request_checks.h"

namespace dinette::dynamodb {
namespace {

Answer<kv::Value> record_of(std::string_view attributes) {
  aws::ParserInUse in_use(base::per_thread<simdjson::dom::parser, struct ImportParser>());
  aws::JsonElement json;
  if (in_use.parse(attributes, json) != simdjson::SUCCESS) return validation("The item is not JSON");
  codec::Decoder decoder(model::Generation::current);
  codec::NewItemInput item;
  if (auto decoded = decoder.read(json, item); !decoded)
    return validation(std::move(decoded).error().message);
  DINETTE_CHECK(check_problem(Envelope::none, item.problem));
  return std::move(item.record);
}

}  // namespace

Answer<std::unique_ptr<PutAction>> put_of(const TableSchema& schema, std::string_view attributes,
                                          ActionCondition condition) {
  DINETTE_TRY(kv::Value record, record_of(attributes));
  DINETTE_STORED(model::Item known,
                 codec::read_attributes(record.view(), schema.key_and_indexed_attributes()));
  DINETTE_CHECK(check_key_of_item(schema, known));
  if (condition.condition) DINETTE_CHECK(check_key_paths(schema, condition.condition->reached_into()));
  auto put = std::make_unique<PutAction>(schema, std::move(record), std::move(known), condition);
  DINETTE_CHECK(put->check(schema));
  return put;
}

}  // namespace dinette::dynamodb

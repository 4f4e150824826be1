#include "dynamodb/api/put_item.h"

#include "dynamodb/codec/record.h"
#include "dynamodb/items/item_key.h"
#include "dynamodb/items/key_path_checks.h"
#include "dynamodb/writes/actions/put_action.h"
#include "dynamodb/writes/write_checks.h"
#include "dynamodb/writes/write_output.h"
#include "dynamodb/writes/write_to_table.h"

// Order of the steps: docs/service/items.md section 4.
namespace dinette::dynamodb::ops {
namespace {

/// Returns nothing if the table was altered meanwhile.
Answer<std::optional<api::PutItemOutput>> put(const Context& context, const OpenTable& table,
                                              const api::PutItemInput& input,
                                              const ItemCondition& condition) {
  const TableSchema& schema = table.schema();
  // Members were read before the table was known, and so was the item: its key is read back from its record.
  const kv::Value& record = input.item.record;
  DINETTE_STORED(model::Item known,
                 codec::read_attributes(record.view(), schema.key_and_indexed_attributes()));
  DINETTE_CHECK(check_key_of_item(schema, known));
  DINETTE_CHECK(check_key_paths(schema, condition.reached_into()));
  PutAction action(schema, record, std::move(known),
                   {&condition, input.return_values_on_condition_check_failure});
  DINETTE_CHECK(action.check(schema));
  return write_and_answer<api::PutItemOutput>(context, table, input, action);
}

}  // namespace

Answer<api::PutItemOutput> put_item(const Context& context, api::PutItemInput&& input) {
  DINETTE_TRY(const ItemCondition condition, put_or_delete_condition(context, input, input.item.problem));
  return write_to_table(context, input.table_name,
                        [&](const OpenTable& table) { return put(context, table, input, condition); });
}

}  // namespace dinette::dynamodb::ops

#include "dynamodb/api/delete_item.h"

#include "dynamodb/items/item_key.h"
#include "dynamodb/items/key_path_checks.h"
#include "dynamodb/writes/actions/delete_action.h"
#include "dynamodb/writes/write_checks.h"
#include "dynamodb/writes/write_output.h"
#include "dynamodb/writes/write_to_table.h"

// Order of the steps: docs/service/items.md section 4.
namespace dinette::dynamodb::ops {
namespace {

/// Returns nothing if the table was altered meanwhile.
Answer<std::optional<api::DeleteItemOutput>> remove(const Context& context, const OpenTable& table,
                                                    const api::DeleteItemInput& input,
                                                    const ItemCondition& condition) {
  const TableSchema& schema = table.schema();
  DINETTE_CHECK(check_key(schema, input.key.attributes));
  DINETTE_CHECK(check_key_paths(schema, condition.reached_into()));
  DeleteAction action(schema, input.key.attributes,
                      {&condition, input.return_values_on_condition_check_failure});
  return write_and_answer<api::DeleteItemOutput>(context, table, input, action);
}

}  // namespace

Answer<api::DeleteItemOutput> delete_item(const Context& context, api::DeleteItemInput&& input) {
  DINETTE_TRY(const ItemCondition condition, put_or_delete_condition(context, input, input.key.problem));
  return write_to_table(context, input.table_name,
                        [&](const OpenTable& table) { return remove(context, table, input, condition); });
}

}  // namespace dinette::dynamodb::ops

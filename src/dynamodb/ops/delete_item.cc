#include "dynamodb/api/operations.h"
#include "dynamodb/ops/consumed_capacity.h"
#include "dynamodb/ops/item_key.h"
#include "dynamodb/ops/key_path_checks.h"
#include "dynamodb/ops/write_checks.h"
#include "dynamodb/ops/write_one.h"
#include "dynamodb/ops/write_to_table.h"

// Order of the steps: facts, items.md section 4.
namespace dinette::dynamodb::ops {
namespace {

/// Nothing when the table was altered meanwhile.
Answer<std::optional<api::DeleteItemOutput>> remove(const Context& context, const OpenTable& table,
                                                    const api::DeleteItemInput& input,
                                                    const ItemCondition& condition) {
  const TableSchema& schema = table.schema();
  const model::Item& key = input.key.attributes;
  DINETTE_CHECK(check_key(schema, key));
  DINETTE_CHECK(check_key_paths(schema, condition.reached_into()));
  DINETTE_STORED(const std::optional<WrittenItem> written,
                 write_one(context, table, delete_of(schema, key), condition));
  if (!written) return std::optional<api::DeleteItemOutput>();
  DINETTE_CHECK(check_written(*written, input.return_values_on_condition_check_failure));

  api::DeleteItemOutput output;
  if (input.return_values == api::ReturnValue::all_old && written->old.exists())
    output.attributes = written->old.text();
  output.consumed_capacity = write_capacity(input.return_consumed_capacity, input.table_name, written->write);
  DINETTE_TRY(output.item_collection_metrics,
              item_collection_metrics(context, input.return_item_collection_metrics, table, key));
  return std::optional(std::move(output));
}

}  // namespace

Answer<api::DeleteItemOutput> delete_item(const Context& context, api::DeleteItemInput&& input) {
  DINETTE_TRY(const ItemCondition condition, check_put_or_delete(context, input, input.key.problem));
  return write_to_table(context, input.table_name,
                        [&](const OpenTable& table) { return remove(context, table, input, condition); });
}

}  // namespace dinette::dynamodb::ops

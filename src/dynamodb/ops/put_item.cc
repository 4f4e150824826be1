#include "dynamodb/api/operations.h"
#include "dynamodb/codec/record.h"
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
Answer<std::optional<api::PutItemOutput>> put(const Context& context, const OpenTable& table,
                                              const api::PutItemInput& input,
                                              const ItemCondition& condition) {
  const TableSchema& schema = table.schema();
  const kv::Value& record = input.item.record;
  model::Item known = codec::read_attributes(record.view(), schema.key_and_indexed_attributes());
  DINETTE_CHECK(check_key_of_item(schema, known));
  DINETTE_CHECK(check_key_paths(schema, condition.reached_into()));
  DINETTE_TRY(const OneWrite one, put_of(schema, record, std::move(known)));
  DINETTE_STORED(const std::optional<WrittenItem> written, write_one(context, table, one, condition));
  if (!written) return std::optional<api::PutItemOutput>();
  DINETTE_CHECK(check_written(*written, input.return_values_on_condition_check_failure));

  api::PutItemOutput output;
  if (input.return_values == api::ReturnValue::all_old && written->old.exists())
    output.attributes = written->old.text();
  output.consumed_capacity = write_capacity(input.return_consumed_capacity, input.table_name, written->write);
  DINETTE_TRY(output.item_collection_metrics,
              item_collection_metrics(context, input.return_item_collection_metrics, table, one.known));
  return std::optional(std::move(output));
}

}  // namespace

Answer<api::PutItemOutput> put_item(const Context& context, api::PutItemInput&& input) {
  DINETTE_TRY(const ItemCondition condition, check_put_or_delete(context, input, input.item.problem));
  return write_to_table(context, input.table_name,
                        [&](const OpenTable& table) { return put(context, table, input, condition); });
}

}  // namespace dinette::dynamodb::ops

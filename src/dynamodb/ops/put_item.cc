#include "dynamodb/api/limits.h"
#include "dynamodb/api/operations.h"
#include "dynamodb/ops/consumed_capacity.h"
#include "dynamodb/ops/index_key_checks.h"
#include "dynamodb/ops/item_key.h"
#include "dynamodb/ops/write_checks.h"

// Order of the steps: facts, items.md section 4.
namespace dinette::dynamodb::ops {
namespace {

/// Nothing when the table was altered meanwhile.
Answer<std::optional<api::PutItemOutput>> put(const Context& context, const OpenTable& table,
                                              const api::PutItemInput& input,
                                              const WriteCondition& condition) {
  const TableSchema& schema = table.schema();
  const model::Item& item = input.item.attributes;
  DINETTE_CHECK(check_key_of_item(schema, item));
  DINETTE_CHECK(check_index_keys(schema, item, IndexKeyWrite::put));
  const std::size_t size = model::size_in_bytes(item);
  if (size > model::limits::item_bytes) return validation("Item size has exceeded the maximum allowed size");

  const ItemImage image{codec::make_record(item, size), &item};
  StoredItem old(nullptr);
  ItemWrite write;
  bool condition_met = false;
  const auto decide = [&](const kv::Value* current) -> store::RowDecision {
    old = StoredItem(current);
    condition_met = condition.holds(old);
    if (!condition_met) return std::nullopt;
    write = plan_write(schema, old.image(schema), image);
    return std::move(write.change);
  };
  DINETTE_STORED(const store::WriteOutcome outcome,
                 context.store.write_row(*table.table, encode_key(schema, item), decide));
  if (outcome == store::WriteOutcome::table_changed) return std::optional<api::PutItemOutput>();
  if (!condition_met)
    return base::Failure{condition_failed(input.return_values_on_condition_check_failure, old)};

  api::PutItemOutput output;
  if (input.return_values == api::ReturnValue::all_old && old.exists()) output.attributes = old.text();
  output.consumed_capacity = write_capacity(input.return_consumed_capacity, input.table_name, write);
  output.item_collection_metrics =
      item_collection_metrics(input.return_item_collection_metrics, schema, item);
  return std::optional(std::move(output));
}

}  // namespace

Answer<api::PutItemOutput> put_item(const Context& context, api::PutItemInput&& input) {
  DINETTE_TRY(const WriteCondition condition, check_put_or_delete(context, input, input.item));
  return write_to_table(context, input.table_name,
                        [&](const OpenTable& table) { return put(context, table, input, condition); });
}

}  // namespace dinette::dynamodb::ops

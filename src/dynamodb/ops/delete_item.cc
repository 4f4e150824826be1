#include "dynamodb/api/operations.h"
#include "dynamodb/ops/consumed_capacity.h"
#include "dynamodb/ops/item_key.h"
#include "dynamodb/ops/write_checks.h"

// Order of the steps: facts, items.md section 4.
namespace dinette::dynamodb::ops {
namespace {

/// Nothing when the table was altered meanwhile.
Answer<std::optional<api::DeleteItemOutput>> remove(const Context& context, const OpenTable& table,
                                                    const api::DeleteItemInput& input,
                                                    const WriteCondition& condition) {
  const TableSchema& schema = table.schema();
  const model::Item& key = input.key.attributes;
  DINETTE_CHECK(check_key(schema, key));

  StoredItem old(nullptr);
  ItemWrite write;
  bool condition_met = false;
  const auto decide = [&](const kv::Value* current) -> store::RowDecision {
    old = StoredItem(current);
    condition_met = condition.holds(old);
    if (!condition_met || !old.exists()) return std::nullopt;
    write = plan_write(schema, old.image(schema), {});
    return std::move(write.change);
  };
  DINETTE_STORED(const store::WriteOutcome outcome,
                 context.store.write_row(*table.table, encode_key(schema, key), decide));
  if (outcome == store::WriteOutcome::table_changed) return std::optional<api::DeleteItemOutput>();
  if (!condition_met)
    return base::Failure{condition_failed(input.return_values_on_condition_check_failure, old)};

  api::DeleteItemOutput output;
  if (input.return_values == api::ReturnValue::all_old && old.exists()) output.attributes = old.text();
  output.consumed_capacity = write_capacity(input.return_consumed_capacity, input.table_name, write);
  output.item_collection_metrics = item_collection_metrics(input.return_item_collection_metrics, schema, key);
  return std::optional(std::move(output));
}

}  // namespace

Answer<api::DeleteItemOutput> delete_item(const Context& context, api::DeleteItemInput&& input) {
  DINETTE_TRY(const WriteCondition condition, check_put_or_delete(context, input, input.key));
  return write_to_table(context, input.table_name,
                        [&](const OpenTable& table) { return remove(context, table, input, condition); });
}

}  // namespace dinette::dynamodb::ops

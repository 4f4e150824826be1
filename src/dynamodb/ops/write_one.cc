#include "dynamodb/ops/write_one.h"

#include "dynamodb/api/limits.h"
#include "dynamodb/ops/index_key_checks.h"
#include "dynamodb/ops/item_key.h"
#include "dynamodb/ops/write_checks.h"

namespace dinette::dynamodb::ops {

Answer<OneWrite> put_of(const TableSchema& schema, kv::Value record, model::Item known) {
  DINETTE_CHECK(check_index_keys(schema, known));
  const std::size_t size = codec::record_size(record.view());
  if (size_with_local_entries(schema, known, size) > model::limits::item_bytes)
    return validation("Item size has exceeded the maximum allowed size");
  std::string key = encode_key(schema, known);
  return OneWrite{std::move(key), std::move(record), std::move(known)};
}

OneWrite delete_of(const TableSchema& schema, model::Item key) {
  std::string encoded = encode_key(schema, key);
  return {std::move(encoded), {}, std::move(key)};
}

Answer<void> check_written(const WrittenItem& written,
                           std::optional<api::ReturnValuesOnConditionCheckFailure> wanted) {
  if (!written.condition_met) return base::Failure{condition_failed(wanted, written.old)};
  if (written.collection_full) return collection_full();
  return {};
}

kv::Result<std::optional<WrittenItem>> write_one(const Context& context, const OpenTable& table,
                                                 const OneWrite& one, const ItemCondition& condition,
                                                 std::optional<kv::Deadline> deadline) {
  const TableSchema& schema = table.schema();
  const AttributeNames interest = united(condition.attributes(), schema.indexed_attributes());
  WrittenItem written;
  const auto decide = [&](const kv::Value* current) -> store::RowDecision {
    written = {
        .condition_met = false, .collection_full = false, .old = StoredItem(current, interest), .write = {}};
    written.condition_met = condition.always() || condition.holds(written.old.item());
    const bool changes = written.old.exists() || one.record;
    if (!written.condition_met || !changes) return std::nullopt;
    written.write = plan_write(schema, written.old.image(schema), one.after());
    return std::move(written.write.change);
  };
  const kv::Deadline until = deadline ? *deadline : context.store.deadline();
  DINETTE_TRY(const store::WriteOutcome outcome,
              context.store.write_row(*table.table, one.key, decide, until));
  if (outcome == store::WriteOutcome::table_changed) return std::optional<WrittenItem>();
  written.collection_full = outcome == store::WriteOutcome::partition_full;
  return std::optional(std::move(written));
}

}  // namespace dinette::dynamodb::ops

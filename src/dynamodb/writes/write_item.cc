#include "dynamodb/writes/write_item.h"

#include <algorithm>
#include <utility>

#include "dinette/observe/request_details.h"

#include "dynamodb/codec/record.h"
#include "dynamodb/items/touched_keys.h"
#include "dynamodb/request/hand_to_worker.h"
#include "dynamodb/request/item_claims.h"
#include "dynamodb/writes/expiration.h"
#include "dynamodb/writes/strong_replicas.h"
#include "dynamodb/writes/write_charge.h"
#include "dynamodb/writes/write_throughput.h"

namespace dinette::dynamodb {
namespace {

/// A change from another region that came later than it was overtaken. No client sees it.
base::Failure<ApiError> outdated() {
  return base::Failure{ApiError{api::ErrorCode::conditional_check_failed_exception, "outdated"}};
}

}  // namespace

base::Failure<ApiError> collection_full() {
  return base::Failure{
      ApiError{api::ErrorCode::item_collection_size_limit_exceeded_exception, "Collection size exceeded."}};
}

namespace {

/// Returns the work of writing `copies` copies of a record into indexes, and one into the table.
std::size_t work_of_copies(std::ptrdiff_t copies, const kv::Value& record) {
  constexpr std::size_t bytes_copied_per_unit = 16;
  return (static_cast<std::size_t>(copies) + 1) * record.view().size() / bytes_copied_per_unit;
}

}  // namespace

std::size_t work_of(const WrittenItem& written) {
  const auto copies = std::ranges::count_if(written.plan.indexes, [](const IndexPlan& index) {
    return index.after && !index.index->shares_records();
  });
  return written.old.work().units() + work_of_copies(copies, written.record);
}

AttributeNames attributes_needed(const ItemAction& action, const TableSchema& schema) {
  return united(action.interest(), schema.indexed_attributes());
}

WriteOrigin origin_of(const Context& context, const TableSchema& schema) {
  WriteOrigin origin{context.now};
  if (schema.replication()) [[unlikely]]
    origin.skew = context.world.links().skew_of(schema.replication()->region);
  return origin;
}

Answer<void> decide_item(const kv::Value* row, const kv::Value* mark, const AttributeNames& interest,
                         const TableSchema& schema, ItemAction& action, WriteOrigin origin,
                         WrittenItem& written) {
  if (row && !codec::is_record(row->view())) return storage_failure(codec::corrupt_record());
  if (origin.replicated && mark) {
    DINETTE_STORED(const ItemVersion version, read_mark(mark->view()));
    if (version >= *origin.replicated) return outdated();
  }
  written.old = StoredItem(row, interest);
  DINETTE_TRY(const ItemImage after, action.decide(written.old));
  if (action.only_checks()) {
    written.plan.before_size = written.plan.after_size = written.plan.charged_size = written.old.size();
    return {};
  }
  const auto copies =
      std::ranges::count_if(schema.indexes(), [](const auto& index) { return !index.shares_records(); });
  DINETTE_CHECK(check_loop_work(work_of_copies(copies, after.record)));
  DINETTE_STORED(const ItemImage before, written.old.image(schema));
  written.record = after.record;
  written.plan = plan_write(schema, before, after);
  const auto recorded = record_change(written.plan.change, schema, action.key(), before, after, origin);
  if (!recorded) return storage_failure(recorded.error());
  if (schema.replication()) [[unlikely]] {
    const auto noted = note_version(written.plan.change, schema, action.key(), before, after, mark, origin);
    if (!noted) return storage_failure(noted.error());
  }
  DINETTE_STORED(written.expires, update_expiry(written.plan.change, schema, action.key(), before, after));
  return {};
}

namespace {

using Decision = Answer<void>;

/// The write of an item of a table with replicas: also of its mark, or of the same item in `others`. `decide`
/// decides on the row and its mark.
template <class Decide>
kv::Result<store::Written<Decision>> write_replicated(store::Store& store, const store::Table& table,
                                                      const std::string& key, const StrongReplicas& others,
                                                      WriteOrigin origin, const WrittenItem& written,
                                                      const Decide& decide,
                                                      std::optional<kv::Deadline> deadline) {
  std::vector<store::WriteTarget> targets{store::WriteTarget::row(table, key),
                                          store::WriteTarget::mark(table, key)};
  others.add_targets(key, targets);
  const auto decide_all = [&](const store::Rows& rows, store::RowChanges changes) -> Decision {
    DINETTE_CHECK(decide(rows[0], rows[1], changes[0]));
    return others.repeat(written, key, origin, rows, changes, targets.size() - others.size());
  };
  return store.write(targets, decide_all, deadline);
}

/// `gated` is the request whose gate is asked about indexes, or null. `work` may be null.
Answer<std::optional<WrittenItem>> write_row(store::Store& store, const store::Table& table,
                                             ItemAction& action, WriteOrigin origin,
                                             std::optional<kv::Deadline> deadline, const Context* gated,
                                             model::Work* work, const StrongReplicas& others = {}) {
  const auto& schema = table.schema_as<TableSchema>();
  const AttributeNames interest = attributes_needed(action, schema);
  WrittenItem written;
  const auto decide = [&](const kv::Value* current, const kv::Value* mark,
                          store::RowChange& change) -> Decision {
    auto decided = decide_item(current, mark, interest, schema, action, origin, written);
    if (work) work->add(work_of(written));
    if (gated) [[unlikely]]
      decided = admit_write_to_indexes(*gated, table, action, written, std::move(decided));
    DINETTE_CHECK(std::move(decided));
    change = std::move(written.plan.change);
    return {};
  };
  const auto decide_alone = [&](const kv::Value* current, store::RowChange& change) -> Decision {
    return decide(current, nullptr, change);
  };
  DINETTE_STORED(auto write, schema.replication() ? write_replicated(store, table, action.key(), others,
                                                                     origin, written, decide, deadline)
                                                  : store.write(table, action.key(), decide_alone, deadline));
  switch (write.outcome) {
    case store::WriteOutcome::table_changed:
      return std::optional<WrittenItem>();
    case store::WriteOutcome::refused:
      return base::Failure{std::move(write.decision).error()};
    case store::WriteOutcome::partition_full:
      return collection_full();
    case store::WriteOutcome::applied:
      break;
  }
  return std::optional(std::move(written));
}

/// Tells the gate what a write took, whether it was refused for what is stored or not.
[[gnu::cold]] void take(const Context& context, const store::Table& table, const ItemAction& action,
                        const Answer<std::optional<WrittenItem>>& written) {
  if (!written)
    take_of_table(context, table, action.key(), Axis::write, written.error().consumed);
  else if (*written)
    take_write(context, table, action.key(), (*written)->plan, charge_of((*written)->plan).table);
}

[[gnu::cold]] void note_change(observe::RequestDetails& details, const WrittenItem& written) {
  const auto text_of = [](const kv::Value& record) {
    return record ? observe::BodyText::of(codec::record_text(record.view())) : observe::BodyText();
  };
  details.changes.push_back({text_of(written.old.value()), text_of(written.record)});
}

}  // namespace

Answer<std::optional<WrittenItem>> write_item(const Context& context, const OpenTable& table,
                                              ItemAction& action, std::optional<kv::Deadline> deadline,
                                              model::Work* work) {
  if (context.claims) DINETTE_CHECK(context.claims->write({table.table->id, action.key()}));
  const Context* const gated = context.gate ? &context : nullptr;
  if (gated) [[unlikely]] {
    DINETTE_CHECK(admit_write_to_table(context, *table.table, action.key()));
    DINETTE_CHECK(admit_write_to_partition(context, *table.table, action.key()));
  }
  DINETTE_TRY(const StrongReplicas others, StrongReplicas::open(context.world, *table.table));
  if (context.claims) DINETTE_CHECK(others.check_conflicts(*context.claims, action.key()));
  auto written = write_row(context.store, *table.table, action, origin_of(context, table.schema()), deadline,
                           gated, work, others);
  if (gated) [[unlikely]]
    take(context, *table.table, action, written);
  if (wants_keys(context) && written && *written)
    note_item(context, table, action.key_attributes(), (*written)->plan.after_size);
  if (context.details && context.details->wants_changes && written && *written)
    note_change(*context.details, **written);
  if (written && *written && (*written)->expires) expire_later(context, *table.table, *(*written)->expires);
  return written;
}

Answer<std::optional<WrittenItem>> write_item(store::Store& store, const store::Table& table,
                                              ItemAction& action, WriteOrigin origin,
                                              std::optional<kv::Deadline> deadline) {
  return write_row(store, table, action, origin, deadline, nullptr, nullptr);
}

}  // namespace dinette::dynamodb

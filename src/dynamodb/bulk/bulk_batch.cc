#include "dynamodb/bulk/bulk_batch.h"

#include <algorithm>
#include <utility>

#include "dynamodb/bulk/bulk_entry.h"
#include "dynamodb/tasks/kept_json.h"

namespace dinette::dynamodb {
namespace {

constexpr std::size_t items_per_batch = 128;
constexpr std::size_t bytes_per_batch = 1 << 20;

using IndexBytes = std::optional<codec::Entries<api::BulkOperationBytes>>;

void add_index_bytes(IndexBytes& indexes, const std::string& name, std::int64_t bytes) {
  if (!indexes) indexes.emplace();
  const auto found = std::ranges::find(*indexes, name, [](const auto& index) { return index.first; });
  if (found == indexes->end())
    indexes->emplace_back(name, api::BulkOperationBytes{bytes});
  else
    *found->second.bulk_put_bytes += bytes;
}

/// Those of vectors do not count in the total.
void add_vector_bytes(api::BulkOperationUsage& usage, const std::string& name, std::int64_t bytes) {
  auto& indexes = usage.vector_indexes;
  if (!indexes) indexes.emplace();
  const auto found = std::ranges::find(*indexes, name, [](const auto& index) { return index.first; });
  if (found == indexes->end())
    indexes->emplace_back(name, api::BulkOperationVectorBytes{bytes});
  else
    *found->second.bulk_put_vector_bytes += bytes;
}

}  // namespace

bool BulkBatch::is_full() const {
  return puts_.size() >= items_per_batch || bytes_ >= bytes_per_batch || failures_.size() >= items_per_batch;
}

void BulkBatch::add(BulkPut put) {
  put.place = after_.object_items++;
  ++*after_.description.processed_item_count;
  bytes_ += put.item.size();
  keys_.insert(put.action->key());
  puts_.push_back(std::move(put));
}

void BulkBatch::add_failure(std::string_view reason, std::string_view item) {
  failures_.push_back(error_line(entry_, after_.object_items++, reason, item));
  bytes_ += item.size();
  ++*after_.description.processed_item_count;
  ++*after_.description.failed_item_count;
}

/// Fails an item that is refused because of others in its partition.
void BulkBatch::fail(std::size_t put) {
  const BulkPut& failed = puts_[put];
  failures_.push_back(error_line(entry_, failed.place, collection_full().error().message, failed.item));
  ++*after_.description.failed_item_count;
  puts_.erase(puts_.begin() + static_cast<std::ptrdiff_t>(put));
}

kv::Result<BulkBatch::Outcome> BulkBatch::commit(store::Store& store, const store::Table& table) {
  const WriteOrigin origin{store.clock().now()};
  const std::string key = key_of(entry_);
  for (;;) {
    ItemBatch batch;
    for (const BulkPut& put : puts_) batch.add(table, *put.action);
    std::vector<store::WriteTarget> targets = batch.targets();
    targets.push_back(store::WriteTarget::entry(KeptEntry<api::BulkEntry>::space, key));
    kv::Result<bool> decided = false;
    const auto try_to = [&](const store::Rows& rows, store::RowChanges changes) {
      decided = decide(batch, origin, rows, changes);
      return decided && *decided;
    };
    DINETTE_TRY(const auto written, store.write(targets, try_to));
    switch (written.outcome) {
      case store::WriteOutcome::applied:
        return Outcome::applied;
      case store::WriteOutcome::table_changed:
        return Outcome::table_changed;
      case store::WriteOutcome::refused:
        if (!decided) return base::Failure{decided.error()};
        return Outcome::entry_changed;
      case store::WriteOutcome::partition_full:
        fail(written.target);
    }
  }
}

/// Returns false if others have written the entry.
kv::Result<bool> BulkBatch::decide(const ItemBatch& batch, WriteOrigin origin, const store::Rows& rows,
                                   store::RowChanges changes) {
  const std::size_t last = changes.size() - 1;
  if (!rows[last] || rows[last]->view() != kept_.view()) return false;
  api::BulkEntry done = after_;
  expires_.reset();
  std::vector<store::KeyWrite>& lines = changes[last].entries;
  for (const BulkReportLine& failure : failures_) keep_line(done, failure, lines);
  for (std::size_t i = 0; i < puts_.size(); ++i) {
    WrittenItem item;
    const auto decided = batch.decide(i, rows, origin, item);
    if (decided) {
      count(done, item.plan);
      if (item.expires && (!expires_ || *item.expires < *expires_)) expires_ = item.expires;
      changes[i] = std::move(item.plan.change);
      continue;
    }
    if (decided.error().code != api::ErrorCode::conditional_check_failed_exception)
      return base::Failure{kv::Error{kv::ErrorKind::corrupt, decided.error().message}};
    ++done.condition_failures;
    const auto& existing = decided.error().item;
    const auto line =
        condition_line(entry_, puts_[i].place, puts_[i].item,
                       existing ? std::optional(std::string_view(*existing->json)) : std::nullopt);
    keep_line(done, line, lines);
  }
  written_ = kv::Value(encode_kept(done));
  changes[last].row = store::RowChange::Row::put;
  changes[last].value = written_;
  return true;
}

/// Adds what a put has written to the usage (docs/service/export-import.md section 3).
void BulkBatch::count(api::BulkEntry& done, const WritePlan& plan) const {
  api::BulkOperationUsage& usage = done.description.bulk_operation_usage->front();
  const auto size = static_cast<std::int64_t>(plan.after_size);
  std::int64_t all = size;
  *usage.table->bulk_put_bytes += size;
  for (const IndexPlan& index : plan.indexes) {
    if (!index.after || index.changes_nothing()) continue;
    const auto bytes = static_cast<std::int64_t>(index.after->size);
    if (index.index->vector) {
      add_vector_bytes(usage, index.index->name, bytes);
      continue;
    }
    all += bytes;
    add_index_bytes(index.index->local ? usage.local_secondary_indexes : usage.global_secondary_indexes,
                    index.index->name, bytes);
  }
  *usage.bulk_put_bytes += all;
}

}  // namespace dinette::dynamodb

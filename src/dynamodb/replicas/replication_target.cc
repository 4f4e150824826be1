#include "dynamodb/replicas/replication_target.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "dynamodb/api/limits.h"
#include "dynamodb/replicas/members.h"
#include "dynamodb/streams/row_mark.h"
#include "dynamodb/tables/table_schema.h"
#include "dynamodb/writes/actions/replicate_action.h"
#include "dynamodb/writes/expiration.h"
#include "dynamodb/writes/item_batch.h"

namespace dinette::dynamodb {

using deliveries::Verdict;

namespace {

/// As many as a BatchWriteItem may have: one commit costs little more than one of them by itself.
constexpr std::size_t most_together = model::limits::batch_writes;

/// Returns the first records up to the second one of an item.
std::span<const deliveries::Record> of_different_items(std::span<const deliveries::Record> records) {
  std::set<std::string_view> keys;
  std::size_t count = 0;
  while (count < std::min(records.size(), most_together) && keys.insert(records[count].key).second) ++count;
  return records.first(count);
}

/// The changes of different items as one write of the server itself.
class Changes {
 public:
  /// All must outlive it.
  Changes(const store::Table& table, std::span<const ReplicatedChange> changes, base::TimePoint now)
      : changes_(changes), now_(now), items_(changes.size()) {
    for (const ReplicatedChange& change : changes) {
      const kv::Value item = change.record.empty() ? kv::Value() : kv::Value(change.record);
      batch_.add(table, actions_.emplace_back(table.schema_as<TableSchema>(), change.row_key, item));
    }
  }

  kv::Result<store::Written<Answer<void>>> write(store::Store& store) {
    const auto decide = [this](const store::Rows& rows, store::RowChanges changes) -> Answer<void> {
      outdated_ = 0;
      for (std::size_t i = 0; i < changes_.size(); ++i) DINETTE_CHECK(decide_one(i, rows, changes[i]));
      return {};
    };
    return store.write(batch_.targets(), decide);
  }

  std::int64_t applied() const { return std::ssize(items_) - outdated_; }
  std::int64_t outdated() const { return outdated_; }
  const std::vector<WrittenItem>& items() const { return items_; }

 private:
  /// Leaves the item as it is if its version is a later one.
  Answer<void> decide_one(std::size_t index, const store::Rows& rows, store::RowChange& change) {
    WriteOrigin origin{now_};
    origin.replicated = &changes_[index].version;
    WrittenItem& item = items_[index] = WrittenItem();
    auto decided = batch_.decide(index, rows, origin, item);
    if (decided) {
      change = std::move(item.plan.change);
      return {};
    }
    if (decided.error().code != api::ErrorCode::conditional_check_failed_exception) return decided;
    ++outdated_;
    return {};
  }

  const std::span<const ReplicatedChange> changes_;
  const base::TimePoint now_;
  std::deque<ReplicateAction> actions_;
  ItemBatch batch_;
  std::vector<WrittenItem> items_;
  std::int64_t outdated_ = 0;
};

}  // namespace

Verdict ReplicationTarget::deliver(const deliveries::Batch& batch, const std::stop_token& stop) {
  std::size_t done = 0;
  while (done < batch.records.size()) {
    const auto records = of_different_items(batch.records.subspan(done));
    const auto applied = stop.stop_requested() ? Answer<bool>(false) : apply(records);
    if (!applied || !*applied) {
      std::string reason = applied ? "there is no replica" : applied.error().message;
      const auto kind = done == 0 ? Verdict::Kind::unavailable : Verdict::Kind::partly;
      return {.kind = kind, .done = done, .reason = std::move(reason)};
    }
    done += records.size();
  }
  return {};
}

Answer<bool> ReplicationTarget::apply(std::span<const deliveries::Record> records) {
  std::vector<ReplicatedChange> changes;
  for (const deliveries::Record& record : records) {
    DINETTE_STORED(changes.emplace_back(), read_replicated(record.payload));
  }
  const std::shared_ptr<store::Store> store = store_of(world_, region_);
  for (;;) {
    DINETTE_STORED(const store::TablePointer table, open_replica(world_, region_, of_group_));
    if (!table || !table->schema_as<TableSchema>().replication()) return false;
    Changes write(*table, changes, world_.clock().now());
    DINETTE_STORED(auto written, write.write(*store));
    if (written.outcome == store::WriteOutcome::table_changed) continue;
    if (written.outcome == store::WriteOutcome::refused)
      return base::Failure{std::move(written.decision).error()};
    if (written.outcome == store::WriteOutcome::partition_full) return collection_full();
    applied_ += write.applied();
    outdated_ += write.outdated();
    for (const WrittenItem& item : write.items()) {
      if (item.expires)
        expire_later(*store, world_.jobs(), *table, *item.expires, upkeep_.time_to_live_delay);
    }
    return true;
  }
}

}  // namespace dinette::dynamodb

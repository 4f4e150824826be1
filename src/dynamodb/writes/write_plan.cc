#include "dynamodb/writes/write_plan.h"

#include <algorithm>
#include <utility>

namespace dinette::dynamodb {
namespace {

using store::Count;
using store::KeyWrite;

Count count_of(std::size_t size) {
  return {1, static_cast<std::int64_t>(size)};
}
Count operator-(const Count& a, const Count& b) {
  return {a.rows - b.rows, a.bytes - b.bytes};
}

KeyWrite erase(const IndexSchema& index, const IndexEntry& entry) {
  return {.area = store::Area::of_index(index.id),
          .key = entry.key,
          .value = {},
          .count = Count{} - count_of(entry.size),
          .when = index.building ? KeyWrite::When::present : KeyWrite::When::always};
}

KeyWrite put(const IndexSchema& index, const IndexEntry& entry, kv::Value record, const Count& growth) {
  return {.area = store::Area::of_index(index.id),
          .key = entry.key,
          .value = std::move(record),
          .count = growth,
          .when = KeyWrite::When::always};
}

void append_entries(std::vector<KeyWrite>& entries, const TableSchema& schema, const ItemImage& after,
                    const IndexPlan& plan) {
  const IndexSchema& index = *plan.index;
  // An index that projects everything shares the row's record, which is a new one even if it says the same.
  if (plan.changes_nothing() && !index.shares_records()) return;
  // While the index is being built the old entry may not be there: taking it out, if it is, and putting the
  // new one in counts right either way.
  const bool replaces = !plan.moves() && !index.building;
  if (plan.before && !replaces) entries.push_back(erase(index, *plan.before));
  if (!plan.after) return;
  const Count count = count_of(plan.after->size);
  entries.push_back(put(index, *plan.after, entry_record(schema, index, after, *plan.after),
                        replaces ? count - count_of(plan.before->size) : count));
}

std::int64_t growth_of(const IndexPlan& plan) {
  const auto size = [](const std::optional<IndexEntry>& entry) { return entry ? entry->size : 0; };
  return static_cast<std::int64_t>(size(plan.after)) - static_cast<std::int64_t>(size(plan.before));
}

}  // namespace

WritePlan plan_write(const TableSchema& schema, const ItemImage& before, const ItemImage& after) {
  using Row = store::RowChange::Row;
  WritePlan plan;
  plan.before_size = before.size();
  plan.after_size = after.size();
  plan.charged_size = std::max(written_size(schema, before), written_size(schema, after));
  plan.change.row = after.exists() ? Row::put : before.exists() ? Row::erase : Row::keep;
  plan.change.value = after.record;
  plan.change.count = (after.exists() ? count_of(after.size()) : Count{}) -
                      (before.exists() ? count_of(before.size()) : Count{});
  plan.change.partition_bytes = plan.change.count.bytes;
  EntryKeys keys(schema);
  for (const IndexSchema& index : schema.indexes()) {
    IndexPlan entry{&index, index_entry(schema, index, before, keys),
                    index_entry(schema, index, after, keys)};
    if (!entry.before && !entry.after) continue;
    entry.same_records = !entry.moves() && entry.before->vector == entry.after->vector &&
                         same_entry_records(schema, index, before, after);
    append_entries(plan.change.entries, schema, after, entry);
    if (index.local) plan.change.partition_bytes += growth_of(entry);
    plan.indexes.push_back(std::move(entry));
  }
  return plan;
}

}  // namespace dinette::dynamodb

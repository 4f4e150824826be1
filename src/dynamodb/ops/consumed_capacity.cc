#include "dynamodb/ops/consumed_capacity.h"

#include <algorithm>

#include "dynamodb/api/limits.h"
#include "dynamodb/codec/item_text.h"
#include "dynamodb/ops/item_key.h"

namespace dinette::dynamodb::ops {
namespace {

double units(std::size_t size, std::size_t unit) {
  return static_cast<double>(std::max<std::size_t>(1, (size + unit - 1) / unit));
}

/// Eventually consistent reads cost half.
double read_units(std::size_t size, bool consistent) {
  const double consistent_units = units(size, model::limits::read_unit_bytes);
  return consistent ? consistent_units : consistent_units / double{model::limits::eventual_reads_per_unit};
}

double page_units(const ItemPage& page, bool consistent) {
  if (page.partitions.empty()) return read_units(page.bytes, consistent);
  double sum = 0;
  for (const std::size_t bytes : page.partitions) sum += read_units(bytes, consistent);
  return sum;
}

double write_units(const std::optional<IndexEntry>& entry) {
  return entry ? units(entry->size, model::limits::write_unit_bytes) : 0;
}

/// What one index is charged for a write; 0 means that it was not touched.
double index_units(const IndexWrite& write) {
  if (write.changes_nothing()) return 0;
  const double before = write_units(write.before);
  const double after = write_units(write.after);
  return write.moves() ? before + after : std::max(before, after);
}

api::Capacity arm(double capacity_units) {
  api::Capacity capacity;
  capacity.capacity_units = capacity_units;
  return capacity;
}

/// The whole gigabytes below and above.
std::vector<double> size_range(std::int64_t bytes) {
  constexpr std::int64_t gigabyte = 1 << 30;
  const auto below = static_cast<double>(bytes / gigabyte);
  return {below, below + 1};
}

using Arms = std::optional<codec::Entries<api::Capacity>>;

void add_arm(Arms& arms, const std::string& index, double capacity_units) {
  if (!arms) arms.emplace();
  arms->emplace_back(index, arm(capacity_units));
}

void add_arms(Arms& sum, const Arms& arms) {
  if (!arms) return;
  for (const auto& [index, capacity] : *arms) {
    if (!sum) sum.emplace();
    const auto found = std::ranges::find(*sum, index, &codec::Entries<api::Capacity>::value_type::first);
    if (found == sum->end())
      sum->emplace_back(index, capacity);
    else
      *found->second.capacity_units += *capacity.capacity_units;
  }
}

std::optional<api::ConsumedCapacity> table_capacity(std::optional<api::ReturnConsumedCapacity> wanted,
                                                    std::string_view table_name, double units) {
  if (!wanted || *wanted == api::ReturnConsumedCapacity::none) return std::nullopt;
  api::ConsumedCapacity capacity;
  capacity.table_name = table_name;
  capacity.capacity_units = units;
  if (*wanted == api::ReturnConsumedCapacity::indexes) capacity.table = arm(units);
  return capacity;
}

}  // namespace

std::optional<api::ConsumedCapacity> write_capacity(std::optional<api::ReturnConsumedCapacity> wanted,
                                                    std::string_view table_name, const ItemWrite& write) {
  if (!wanted || *wanted == api::ReturnConsumedCapacity::none) return std::nullopt;
  const bool with_arms = *wanted == api::ReturnConsumedCapacity::indexes;
  const double table = units(std::max(write.before_size, write.after_size), model::limits::write_unit_bytes);
  api::ConsumedCapacity capacity;
  capacity.table_name = table_name;
  double total = table;
  for (const IndexWrite& entry : write.indexes) {
    const double cost = index_units(entry);
    total += cost;
    if (!with_arms || cost == 0) continue;
    add_arm(entry.index->local ? capacity.local_secondary_indexes : capacity.global_secondary_indexes,
            entry.index->name, cost);
  }
  capacity.capacity_units = total;
  if (with_arms) capacity.table = arm(table);
  return capacity;
}

std::optional<api::ConsumedCapacity> read_capacity(std::optional<api::ReturnConsumedCapacity> wanted,
                                                   std::string_view table_name, std::size_t size,
                                                   bool consistent) {
  return table_capacity(wanted, table_name, read_units(size, consistent));
}

std::optional<api::ConsumedCapacity> page_capacity(std::optional<api::ReturnConsumedCapacity> wanted,
                                                   std::string_view table_name, const ReadTarget& target,
                                                   const ItemPage& page, bool consistent) {
  const double walked = page_units(page, consistent);
  if (!target.index()) return table_capacity(wanted, table_name, walked);
  if (!wanted || *wanted == api::ReturnConsumedCapacity::none) return std::nullopt;
  double fetched = 0;
  for (const std::size_t size : page.fetched) fetched += read_units(size, consistent);
  api::ConsumedCapacity capacity;
  capacity.table_name = table_name;
  capacity.capacity_units = walked + fetched;
  if (*wanted != api::ReturnConsumedCapacity::indexes) return capacity;
  capacity.table = arm(fetched);
  add_arm(target.global() ? capacity.global_secondary_indexes : capacity.local_secondary_indexes,
          target.index()->name, walked);
  return capacity;
}

void add_capacity(std::optional<api::ConsumedCapacity>& sum, std::optional<api::ConsumedCapacity> one) {
  if (!one) return;
  if (!sum) {
    sum = std::move(one);
    return;
  }
  *sum->capacity_units += *one->capacity_units;
  if (one->table) *sum->table->capacity_units += *one->table->capacity_units;
  add_arms(sum->local_secondary_indexes, one->local_secondary_indexes);
  add_arms(sum->global_secondary_indexes, one->global_secondary_indexes);
}

void add_capacity(std::optional<std::vector<api::ConsumedCapacity>>& list,
                  std::optional<api::ConsumedCapacity> table) {
  if (!table) return;
  if (!list) list.emplace();
  list->push_back(*std::move(table));
}

Answer<std::optional<api::ItemCollectionMetrics>> item_collection_metrics(
    const Context& context, std::optional<api::ReturnItemCollectionMetrics> wanted, const OpenTable& table,
    const model::Item& key) {
  using Metrics = api::ItemCollectionMetrics;
  const TableSchema& schema = table.schema();
  if (wanted != api::ReturnItemCollectionMetrics::size || !schema.has_local_indexes())
    return std::optional<Metrics>();
  const model::AttributeValue& hash = *key.find(schema.hash_key().name);
  DINETTE_STORED(const std::int64_t bytes,
                 context.store.partition_bytes(*table.table, encode_partition(hash)));
  model::Item collection;
  collection.set(schema.hash_key().name, hash);
  return std::optional(Metrics{codec::to_text(collection), size_range(bytes)});
}

}  // namespace dinette::dynamodb::ops

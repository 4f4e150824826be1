#include "dynamodb/ops/consumed_capacity.h"

#include <algorithm>

#include "dynamodb/api/limits.h"
#include "dynamodb/codec/item_text.h"
#include "dynamodb/ops/index_entry.h"

namespace dinette::dynamodb::ops {
namespace {

double units(std::size_t size, std::size_t unit) {
  return static_cast<double>(std::max<std::size_t>(1, (size + unit - 1) / unit));
}

double write_units(const model::Item& entry) {
  return units(model::size_in_bytes(entry), model::limits::write_unit_bytes);
}

bool same_key(const IndexSchema& index, const model::Item& a, const model::Item& b) {
  return std::ranges::all_of(index.keys,
                             [&](const KeyAttribute& key) { return *a.find(key.name) == *b.find(key.name); });
}

/// What one index is charged for a write; 0 means that it was not touched.
double index_units(const TableSchema& schema, const IndexSchema& index, ItemImage before, ItemImage after) {
  const auto entry = [&](ItemImage image) {
    return image.item ? index_entry(schema, index, *image.item) : std::optional<model::Item>();
  };
  const auto old_entry = entry(before);
  const auto new_entry = entry(after);
  if (!old_entry && !new_entry) return 0;
  if (!old_entry) return write_units(*new_entry);
  if (!new_entry) return write_units(*old_entry);
  if (*old_entry == *new_entry) return 0;
  if (same_key(index, *old_entry, *new_entry))
    return std::max(write_units(*old_entry), write_units(*new_entry));
  return write_units(*old_entry) + write_units(*new_entry);
}

api::Capacity arm(double capacity_units) {
  api::Capacity capacity;
  capacity.capacity_units = capacity_units;
  return capacity;
}

void add_arm(std::optional<codec::Entries<api::Capacity>>& arms, const std::string& index,
             double capacity_units) {
  if (!arms) arms.emplace();
  arms->emplace_back(index, arm(capacity_units));
}

}  // namespace

std::optional<api::ConsumedCapacity> write_capacity(std::optional<api::ReturnConsumedCapacity> wanted,
                                                    const TableSchema& schema, std::string_view table_name,
                                                    ItemImage before, ItemImage after) {
  if (!wanted || *wanted == api::ReturnConsumedCapacity::none) return std::nullopt;
  const bool with_arms = *wanted == api::ReturnConsumedCapacity::indexes;
  const double table = units(std::max(before.size, after.size), model::limits::write_unit_bytes);
  api::ConsumedCapacity capacity;
  capacity.table_name = table_name;
  double total = table;
  for (const IndexSchema& index : schema.indexes()) {
    const double cost = index_units(schema, index, before, after);
    total += cost;
    if (!with_arms || cost == 0) continue;
    add_arm(index.local ? capacity.local_secondary_indexes : capacity.global_secondary_indexes, index.name,
            cost);
  }
  capacity.capacity_units = total;
  if (with_arms) capacity.table = arm(table);
  return capacity;
}

std::optional<api::ConsumedCapacity> read_capacity(std::optional<api::ReturnConsumedCapacity> wanted,
                                                   std::string_view table_name, std::size_t size,
                                                   bool consistent) {
  if (!wanted || *wanted == api::ReturnConsumedCapacity::none) return std::nullopt;
  const double read = units(size, model::limits::read_unit_bytes) /
                      (consistent ? 1.0 : double{model::limits::eventual_reads_per_unit});
  api::ConsumedCapacity capacity;
  capacity.table_name = table_name;
  capacity.capacity_units = read;
  if (*wanted == api::ReturnConsumedCapacity::indexes) capacity.table = arm(read);
  return capacity;
}

std::optional<api::ItemCollectionMetrics> item_collection_metrics(
    std::optional<api::ReturnItemCollectionMetrics> wanted, const TableSchema& schema,
    const model::Item& key) {
  if (wanted != api::ReturnItemCollectionMetrics::size || !schema.has_local_indexes()) return std::nullopt;
  model::Item collection;
  collection.set(schema.hash_key().name, *key.find(schema.hash_key().name));
  return api::ItemCollectionMetrics{codec::to_text(collection), std::vector<double>{0.0, 1.0}};
}

}  // namespace dinette::dynamodb::ops

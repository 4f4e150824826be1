#include "dynamodb/writes/write_throughput.h"

#include <optional>
#include <vector>

#include "dynamodb/indexes/index_entry.h"
#include "dynamodb/request/charge.h"
#include "dynamodb/request/gate.h"
#include "dynamodb/writes/write_charge.h"

namespace dinette::dynamodb {
namespace {

constexpr double least_write_units = 1;

Throughput writes_of(const store::Table& table, const IndexSchema* index, std::string_view key) {
  return {table, index, Axis::write, key};
}

PartitionThroughput written_partition(const store::Table& table, const IndexSchema* index,
                                      std::string_view key) {
  return {writes_of(table, index, key), store::hash_at(key)};
}

/// Asks about all indexes before all their partitions.
Answer<void> admit(const Context& context, const std::vector<PartitionThroughput>& partitions) {
  const IndexSchema* asked = nullptr;
  for (const PartitionThroughput& partition : partitions) {
    if (partition.of.index == asked) continue;
    asked = partition.of.index;
    DINETTE_CHECK(context.gate->admit_throughput(context, partition.of, least_write_units));
  }
  for (const PartitionThroughput& partition : partitions)
    DINETTE_CHECK(context.gate->admit_partition(context, partition, least_write_units));
  return {};
}

}  // namespace

Answer<void> admit_write_to_table(const Context& context, const store::Table& table, std::string_view key) {
  return context.gate->admit_throughput(context, writes_of(table, nullptr, key), least_write_units);
}

Answer<void> admit_write_to_partition(const Context& context, const store::Table& table,
                                      std::string_view key) {
  return context.gate->admit_partition(context, written_partition(table, nullptr, key), least_write_units);
}

Answer<void> admit_write_to_indexes(const Context& context, const store::Table& table,
                                    const ItemAction& action, WrittenItem& written, Answer<void> decided) {
  const auto& schema = table.schema_as<TableSchema>();
  const bool asks =
      !schema.indexes().empty() && !action.only_checks() && (decided || !decided.error().of_request);
  if (!asks) return decided;
  std::vector<PartitionThroughput> partitions;
  std::vector<std::optional<IndexEntry>> present;  // which partitions refer to
  const auto add = [&](const IndexSchema& index, const std::optional<IndexEntry>& entry) {
    if (entry && index.global()) partitions.push_back(written_partition(table, &index, entry->key));
  };
  if (decided) {
    for (const IndexPlan& plan : written.plan.indexes) {
      add(*plan.index, plan.before);
      if (plan.after && plan.moves()) add(*plan.index, plan.after);
    }
  } else {
    DINETTE_STORED(const ItemImage stays, written.old.image(schema));
    EntryKeys keys(schema);
    present.reserve(schema.indexes().size());
    for (const IndexSchema& index : schema.indexes())
      add(index, present.emplace_back(index_entry(schema, index, stays, keys)));
  }
  DINETTE_CHECK(admit(context, partitions));
  return decided;
}

void take_write(const Context& context, const store::Table& table, std::string_view key,
                const WritePlan& plan, double table_units) {
  double of_table = table_units;
  for (const IndexPlan& index : plan.indexes) {
    if (index.index->vector) continue;
    const double units = units_of(index);
    if (index.index->local) of_table += units;
    if (index.index->local || units == 0) continue;
    const auto take = [&](const IndexEntry& entry, double part) {
      context.gate->take(context, written_partition(table, index.index, entry.key), part);
    };
    const bool leaves_one_for_another = index.before && index.after && index.moves();
    const double before = leaves_one_for_another ? write_units(index.before->size) : 0;
    if (leaves_one_for_another) take(*index.before, before);
    take(index.after ? *index.after : *index.before, units - before);
  }
  take_of_table(context, table, key, Axis::write, of_table);
}

void take_of_table(const Context& context, const store::Table& table, std::string_view key, Axis axis,
                   double units) {
  context.gate->take(context, {{table, nullptr, axis, key}, store::hash_at(key)}, units);
}

}  // namespace dinette::dynamodb

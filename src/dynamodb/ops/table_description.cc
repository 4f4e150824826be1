#include "dynamodb/ops/table_description.h"

#include <chrono>
#include <cstdio>

#include "dynamodb/ops/table_throughput.h"

namespace dinette::dynamodb::ops {
namespace {

/// A table that is being created shows only what was asked for.
std::optional<api::TableWarmThroughputDescription> warm_throughput(const Shown& shown) {
  const bool settled = shown.status == api::TableStatus::active || shown.status == api::TableStatus::updating;
  const api::TableSettings& settings = shown.settings;
  if (!settled && !settings.warm_throughput) return std::nullopt;
  const api::WarmThroughput units =
      warm_units(settings.warm_throughput, settings.billing_mode, settings.provisioned_throughput);
  return api::TableWarmThroughputDescription{units.read_units_per_second, units.write_units_per_second,
                                             settled ? shown.status : api::TableStatus::updating};
}

/// The moment is not there yet while the table is being created.
std::optional<api::BillingModeSummary> billing(const Shown& shown) {
  const auto& moment = shown.settings.last_update_to_pay_per_request;
  if (!moment) return std::nullopt;
  const bool creating = shown.status == api::TableStatus::creating;
  return api::BillingModeSummary{shown.settings.billing_mode, creating ? std::nullopt : moment};
}

std::optional<api::SSEDescription> encryption(const api::TableSettings& settings) {
  if (!settings.kms_master_key_arn) return std::nullopt;
  api::SSEDescription shown;
  shown.status = api::SSEStatus::enabled;
  shown.sse_type = api::SSEType::kms;
  shown.kms_master_key_arn = settings.kms_master_key_arn;
  return shown;
}

/// Indexes that are created with their table share its status.
api::IndexStatus index_status(api::TableStatus table, const api::GlobalIndexRecord& index) {
  const bool creating = table == api::TableStatus::creating || index.building;
  return creating ? api::IndexStatus::creating : index.status;
}

api::GlobalSecondaryIndexDescription describe_global(const TableSchema& schema, const Shown& shown,
                                                     const api::GlobalIndexRecord& record) {
  const api::GlobalSecondaryIndex& index = record.definition;
  const store::Count count = shown.counts.of_index(record.id);
  const api::ProvisionedThroughput units =
      index.provisioned_throughput.value_or(api::ProvisionedThroughput{});
  api::GlobalSecondaryIndexDescription description;
  description.index_name = index.index_name;
  description.key_schema = index.key_schema;
  description.projection = index.projection;
  description.index_status = index_status(shown.status, record);
  if (record.building) description.backfilling = true;
  description.provisioned_throughput = describe_throughput(units, record.throughput_changes, shown.moment);
  description.index_size_bytes = count.bytes;
  description.item_count = count.rows;
  description.index_arn = schema.arn() + "/index/" + index.index_name;
  description.on_demand_throughput = index.on_demand_throughput;
  if (shown.status == api::TableStatus::creating && !index.warm_throughput) return description;
  const api::WarmThroughput warm = warm_units(index.warm_throughput, shown.settings.billing_mode, units);
  description.warm_throughput = api::GlobalSecondaryIndexWarmThroughputDescription{
      warm.read_units_per_second, warm.write_units_per_second,
      shown.status == api::TableStatus::creating ? api::IndexStatus::updating : api::IndexStatus::active};
  return description;
}

api::LocalSecondaryIndexDescription describe_local(const TableSchema& schema, const Shown& shown,
                                                   const api::LocalIndexRecord& record) {
  const api::LocalSecondaryIndex& index = record.definition;
  const store::Count count = shown.counts.of_index(record.id);
  api::LocalSecondaryIndexDescription description;
  description.index_name = index.index_name;
  description.key_schema = index.key_schema;
  description.projection = index.projection;
  description.index_size_bytes = count.bytes;
  description.item_count = count.rows;
  description.index_arn = schema.arn() + "/index/" + index.index_name;
  return description;
}

/// `2026-10-10T12:00:00.123`: what the service calls a stream by.
std::string stream_label(codec::Timestamp created) {
  using namespace std::chrono;
  const sys_time<milliseconds> moment{milliseconds(created.milliseconds)};
  const auto day = floor<days>(moment);
  const year_month_day date{day};
  const hh_mm_ss time{moment - day};
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%03d", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                static_cast<int>(time.seconds().count()), static_cast<int>(time.subseconds().count()));
  return text;
}

void describe_stream(const TableSchema& schema, api::TableDescription& description) {
  const auto& stream = schema.record().stream_specification;
  if (!stream || !stream->stream_enabled) return;
  description.stream_specification = stream;
  description.latest_stream_label = stream_label(schema.record().created);
  description.latest_stream_arn = schema.arn() + "/stream/" + *description.latest_stream_label;
}

void describe_indexes(const TableSchema& schema, const Shown& shown, api::TableDescription& description) {
  if (!shown.settings.global_secondary_indexes.empty()) {
    auto& list = description.global_secondary_indexes.emplace();
    for (const auto& index : shown.settings.global_secondary_indexes)
      list.push_back(describe_global(schema, shown, index));
  }
  if (!schema.record().local_secondary_indexes.empty()) {
    auto& list = description.local_secondary_indexes.emplace();
    for (const auto& index : schema.record().local_secondary_indexes)
      list.push_back(describe_local(schema, shown, index));
  }
}

}  // namespace

store::Count TableCounts::of_index(std::int64_t id) const {
  const auto found = indexes.find(static_cast<store::IndexId>(id));
  return found == indexes.end() ? store::Count{} : found->second;
}

Answer<TableCounts> count_items(const Context& context, const store::Table& table) {
  TableCounts counts;
  const auto& indexes = table.schema_as<TableSchema>().indexes();
  if (indexes.empty()) {
    DINETTE_STORED(counts.table, context.store.count(table));
    return counts;
  }
  DINETTE_STORED(const store::View view, context.store.view());
  DINETTE_STORED(counts.table, view.count(table));
  for (const IndexSchema& index : indexes) {
    DINETTE_STORED(counts.indexes[index.id], view.count(table, index.id));
  }
  return counts;
}

api::TableDescription describe_deleted(const TableSchema& schema, const Shown& shown) {
  api::TableDescription description;
  description.table_name = schema.record().table_name;
  description.table_status = shown.status;
  description.table_arn = schema.arn();
  description.table_id = schema.record().table_id;
  description.item_count = shown.counts.table.rows;
  description.table_size_bytes = shown.counts.table.bytes;
  description.provisioned_throughput = describe_throughput(shown.settings.provisioned_throughput,
                                                           shown.settings.throughput_changes, shown.moment);
  description.deletion_protection_enabled = shown.settings.deletion_protection_enabled;
  description.billing_mode_summary = billing(shown);
  return description;
}

api::TableDescription describe(const TableSchema& schema, const Shown& shown) {
  api::TableDescription description = describe_deleted(schema, shown);
  description.attribute_definitions = schema.record().attribute_definitions;
  description.key_schema = schema.record().key_schema;
  description.creation_date_time = schema.record().created;
  describe_indexes(schema, shown, description);
  describe_stream(schema, description);
  description.sse_description = encryption(shown.settings);
  if (shown.settings.table_class) {
    description.table_class_summary =
        api::TableClassSummary{shown.settings.table_class, shown.settings.table_class_updated};
  }
  description.on_demand_throughput = shown.settings.on_demand_throughput;
  description.warm_throughput = warm_throughput(shown);
  return description;
}

}  // namespace dinette::dynamodb::ops

#include "dynamodb/tables/table_description.h"

#include <algorithm>

#include "dynamodb/api/attribute_definition.h"
#include "dynamodb/api/billing_mode_summary.h"
#include "dynamodb/api/enums.h"
#include "dynamodb/api/global_index_record.h"
#include "dynamodb/api/global_secondary_index.h"
#include "dynamodb/api/global_secondary_index_description.h"
#include "dynamodb/api/global_secondary_index_warm_throughput_description.h"
#include "dynamodb/api/local_index_record.h"
#include "dynamodb/api/local_secondary_index.h"
#include "dynamodb/api/local_secondary_index_description.h"
#include "dynamodb/api/provisioned_throughput.h"
#include "dynamodb/api/restore_summary.h"
#include "dynamodb/api/sse_description.h"
#include "dynamodb/api/table_class_summary.h"
#include "dynamodb/api/table_description.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/api/table_throughput_mode_summary.h"
#include "dynamodb/api/table_warm_throughput_description.h"
#include "dynamodb/api/vector_index_description.h"
#include "dynamodb/api/vector_index_record.h"
#include "dynamodb/api/warm_throughput.h"
#include "dynamodb/tables/table_throughput.h"

namespace dinette::dynamodb {
namespace {

bool same_units(const api::WarmThroughput& a, const api::WarmThroughput& b) {
  return a.read_units_per_second == b.read_units_per_second &&
         a.write_units_per_second == b.write_units_per_second;
}

/// Describes warm throughput; a table that is being created shows only what was requested.
std::optional<api::TableWarmThroughputDescription> warm_throughput(const Shown& shown) {
  const bool settled = shown.status == api::TableStatus::active || shown.status == api::TableStatus::updating;
  const api::TableSettings& settings = shown.settings;
  if (!settled && !settings.warm_throughput) return std::nullopt;
  const api::WarmThroughput units = warm_units(settings);
  const bool rising = shown.becoming && !same_units(units, warm_units(*shown.becoming));
  const api::TableStatus status = settled && !rising ? shown.status : api::TableStatus::updating;
  return api::TableWarmThroughputDescription{units.read_units_per_second, units.write_units_per_second,
                                             status};
}

/// The moment is not there yet while the table is being created.
std::optional<api::BillingModeSummary> billing(const Shown& shown) {
  const auto& moment = shown.settings.last_update_to_pay_per_request;
  if (!moment) return std::nullopt;
  const bool creating = shown.status == api::TableStatus::creating;
  return api::BillingModeSummary{shown.settings.billing_mode, creating ? std::nullopt : moment};
}

/// Describes encryption. While it changes, type and key are the former ones, or without any, the new.
std::optional<api::SSEDescription> encryption(const Shown& shown) {
  const auto& now_key = shown.settings.kms_master_key_arn;
  const auto& key = now_key || !shown.becoming ? now_key : shown.becoming->kms_master_key_arn;
  if (!key) return std::nullopt;
  const bool changing = shown.becoming && shown.becoming->kms_master_key_arn != now_key;
  api::SSEDescription description;
  description.status = changing ? api::SSEStatus::updating : api::SSEStatus::enabled;
  description.sse_type = api::SSEType::kms;
  description.kms_master_key_arn = key;
  return description;
}

/// Indexes that are created with their table share its status.
template <class IndexRecord>
api::IndexStatus index_status(api::TableStatus table, const IndexRecord& index) {
  const bool filling = index.building && index.status != api::IndexStatus::deleting;
  const bool creating = table == api::TableStatus::creating || filling;
  return creating ? api::IndexStatus::creating : index.status;
}

/// An index of an existing table first waits for its resources, then is filled (docs/service/indexes.md
/// section 5).
template <class IndexRecord>
std::optional<bool> backfilling(const IndexRecord& index) {
  if (index.status == api::IndexStatus::creating) return false;
  const bool filling = index.building && index.status != api::IndexStatus::deleting;
  return filling ? std::optional(true) : std::nullopt;
}

/// Returns what the descriptions of indexes of every kind have.
template <class Description, class Record>
Description describe_any(const TableSchema& schema, const Shown& shown, const Record& record) {
  const store::Count count = shown.counts.of_index(record.id);
  Description description;
  description.index_name = record.definition.index_name;
  description.projection = record.definition.projection;
  description.index_size_bytes = count.bytes;
  description.item_count = count.rows;
  description.index_arn = schema.arn() + "/index/" + record.definition.index_name;
  return description;
}

api::GlobalSecondaryIndexDescription describe_global(const TableSchema& schema, const Shown& shown,
                                                     const api::GlobalIndexRecord& record) {
  const api::GlobalSecondaryIndex& index = record.definition;
  const api::ProvisionedThroughput units =
      index.provisioned_throughput.value_or(api::ProvisionedThroughput{});
  auto description = describe_any<api::GlobalSecondaryIndexDescription>(schema, shown, record);
  description.key_schema = index.key_schema;
  description.index_status = index_status(shown.status, record);
  description.backfilling = backfilling(record);
  description.provisioned_throughput = describe_throughput(units, record.throughput_changes, shown.moment);
  description.on_demand_throughput = index.on_demand_throughput;
  if (shown.status == api::TableStatus::creating && !index.warm_throughput) return description;
  const api::WarmThroughput warm = warm_units(index, shown.settings.billing_mode);
  description.warm_throughput = api::GlobalSecondaryIndexWarmThroughputDescription{
      warm.read_units_per_second, warm.write_units_per_second,
      shown.status == api::TableStatus::creating ? api::IndexStatus::updating : api::IndexStatus::active};
  return description;
}

api::LocalSecondaryIndexDescription describe_local(const TableSchema& schema, const Shown& shown,
                                                   const api::LocalIndexRecord& record) {
  auto description = describe_any<api::LocalSecondaryIndexDescription>(schema, shown, record);
  description.key_schema = record.definition.key_schema;
  return description;
}

api::VectorIndexDescription describe_vector(const TableSchema& schema, const Shown& shown,
                                            const api::VectorIndexRecord& record) {
  const api::VectorIndex& index = record.definition;
  auto description = describe_any<api::VectorIndexDescription>(schema, shown, record);
  description.search_schema = index.search_schema;
  description.vector_attribute = index.vector_attribute;
  description.dimensions = index.dimensions;
  description.distance_function = index.distance_function;
  description.index_status = index_status(shown.status, record);
  description.backfilling = backfilling(record);
  return description;
}

void describe_stream(const TableSchema& schema, api::TableDescription& description) {
  const auto& stream = schema.record().stream;
  if (!stream) return;
  if (stream->view_type) description.stream_specification = api::StreamSpecification{true, stream->view_type};
  description.latest_stream_label = stream->label;
  description.latest_stream_arn = schema.arn() + "/stream/" + stream->label;
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
  if (!shown.settings.vector_indexes.empty()) {
    auto& list = description.vector_indexes.emplace();
    for (const auto& index : shown.settings.vector_indexes)
      list.push_back(describe_vector(schema, shown, index));
  }
}

/// Describes a table that is being restored, with fewer members (docs/service/backups-pitr.md section 3).
void describe_restoring(const api::TableRecord& record, const Shown& shown,
                        api::TableDescription& description) {
  description.restore_summary = record.restore;
  description.deletion_protection_enabled.reset();
  if (!description.billing_mode_summary)
    description.billing_mode_summary = api::BillingModeSummary{shown.settings.billing_mode, std::nullopt};
  if (shown.settings.billing_mode == api::BillingMode::pay_per_request)
    description.provisioned_throughput->number_of_decreases_today.reset();
  if (!description.global_secondary_indexes) return;
  for (auto& index : *description.global_secondary_indexes) index.index_status.reset();
}

}  // namespace

std::optional<api::SSEDescription> describe_encryption(const api::TableSettings& settings) {
  return encryption({api::TableStatus::active, settings, {}});
}

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
  if (const auto& summary = description.billing_mode_summary) {
    description.table_throughput_mode_summary = api::TableThroughputModeSummary{
        summary->billing_mode, summary->last_update_to_pay_per_request_date_time};
  }
  describe_stream(schema, description);
  return description;
}

api::TableDescription describe(const TableSchema& schema, const Shown& shown) {
  api::TableDescription description = describe_deleted(schema, shown);
  description.attribute_definitions = schema.record().attribute_definitions;
  std::ranges::sort(*description.attribute_definitions, {}, &api::AttributeDefinition::attribute_name);
  description.key_schema = schema.record().key_schema;
  description.creation_date_time = schema.record().created;
  describe_indexes(schema, shown, description);
  description.sse_description = encryption(shown);
  if (shown.settings.table_class) {
    description.table_class_summary =
        api::TableClassSummary{shown.settings.table_class, shown.settings.table_class_updated};
  }
  description.on_demand_throughput = shown.settings.on_demand_throughput;
  description.warm_throughput = warm_throughput(shown);
  if (shown.status == api::TableStatus::creating && schema.record().restore)
    describe_restoring(schema.record(), shown, description);
  return description;
}

}  // namespace dinette::dynamodb

#include "dynamodb/backups/backup_description.h"

#include <optional>
#include <utility>

#include "dynamodb/api/global_secondary_index_info.h"
#include "dynamodb/api/local_secondary_index_info.h"
#include "dynamodb/api/source_table_details.h"
#include "dynamodb/api/source_table_feature_details.h"
#include "dynamodb/api/table_description.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/api/vector_index_info.h"
#include "dynamodb/api/vector_index_record.h"
#include "dynamodb/tables/backup_entry.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_description.h"
#include "dynamodb/tables/table_state.h"

namespace dinette::dynamodb {
namespace {

api::SourceTableDetails describe_source(const api::BackupEntry& backup) {
  const api::TableRecord& table = backup.table;
  api::SourceTableDetails details;
  details.table_name = table.table_name;
  details.table_id = table.table_id;
  details.table_arn = arn_of_table(table);
  details.table_size_bytes = backup.size_bytes;
  details.key_schema = table.key_schema;
  details.table_creation_date_time = table.created;
  details.provisioned_throughput = table.settings.provisioned_throughput;
  details.on_demand_throughput = table.settings.on_demand_throughput;
  details.item_count = backup.item_count;
  details.billing_mode = table.settings.billing_mode;
  return details;
}

api::GlobalSecondaryIndexInfo info_of(const api::GlobalSecondaryIndex& index) {
  return {index.index_name, index.key_schema, index.projection,
          index.provisioned_throughput.value_or(api::ProvisionedThroughput{}), index.on_demand_throughput};
}

api::LocalSecondaryIndexInfo info_of(const api::LocalSecondaryIndex& index) {
  return {index.index_name, index.key_schema, index.projection};
}

api::VectorIndexInfo info_of(const api::VectorIndex& index) {
  return {index.index_name, index.vector_attribute, index.search_schema,
          index.projection, index.dimensions,       index.distance_function};
}

template <class Info, class Records>
std::optional<std::vector<Info>> infos_of(const Records& indexes) {
  if (indexes.empty()) return std::nullopt;
  std::vector<Info> infos;
  for (const auto& index : indexes) infos.push_back(info_of(index.definition));
  return infos;
}

/// Describes each feature only if the table has it; what is left of a deleted table has none.
api::SourceTableFeatureDetails describe_features(const api::BackupEntry& backup) {
  api::SourceTableFeatureDetails features;
  if (backup.type == api::BackupType::system) return features;
  const api::TableRecord& table = backup.table;
  features.global_secondary_indexes =
      infos_of<api::GlobalSecondaryIndexInfo>(table.settings.global_secondary_indexes);
  features.local_secondary_indexes = infos_of<api::LocalSecondaryIndexInfo>(table.local_secondary_indexes);
  features.vector_indexes = infos_of<api::VectorIndexInfo>(table.settings.vector_indexes);
  if (table.stream && table.stream->view_type)
    features.stream_description = api::StreamSpecification{true, table.stream->view_type};
  if (table.time_to_live) {
    features.time_to_live_description =
        api::TimeToLiveDescription{api::TimeToLiveStatus::enabled, table.time_to_live->attribute_name};
  }
  features.sse_description = describe_encryption(table.settings);
  return features;
}

}  // namespace

base::Failure<ApiError> backup_not_found(std::string_view arn) {
  return base::Failure{
      ApiError{api::ErrorCode::backup_not_found_exception, "Backup not found: " + std::string(arn)}};
}

Answer<OpenBackup> open_backup(const Context& context, const BackupArn& arn) {
  DINETTE_STORED(const store::View view, context.store.view());
  DINETTE_STORED(auto entry, read_entry<api::BackupEntry>(view, arn.key()));
  if (!entry) return backup_not_found(arn.text);
  // Its time may be over before a job has come to that.
  if (entry->expiry && *entry->expiry <= context.now) return backup_not_found(arn.text);
  const auto id = static_cast<store::TableId>(entry->rows_id);
  DINETTE_STORED(store::TablePointer rows, context.store.catalog().open_unnamed(id));
  if (!rows) return backup_not_found(arn.text);  // deleted meanwhile
  return OpenBackup{*std::move(entry), std::move(rows)};
}

Answer<api::BackupStatus> status_of(const Context& context, const api::BackupEntry& backup) {
  if (is_during(context.now, backup.created, backup.available)) return api::BackupStatus::creating;
  const auto id = static_cast<store::TableId>(backup.rows_id);
  DINETTE_STORED(const store::TablePointer rows, context.store.catalog().open_unnamed(id));
  const bool filling = rows && rows->schema_as<TableSchema>().record().filling;
  return filling ? api::BackupStatus::creating : api::BackupStatus::available;
}

api::BackupDetails describe_details(const api::BackupEntry& backup, api::BackupStatus status,
                                    std::string arn) {
  api::BackupDetails details;
  details.backup_arn = std::move(arn);
  details.backup_name = backup.backup_name;
  details.backup_size_bytes = backup.size_bytes;
  details.backup_status = status;
  details.backup_type = backup.type;
  details.backup_creation_date_time = backup.created;
  details.backup_expiry_date_time = backup.expiry;
  return details;
}

api::BackupDescription describe(const api::BackupEntry& backup, api::BackupStatus status, std::string arn) {
  return {describe_details(backup, status, std::move(arn)), describe_source(backup),
          describe_features(backup)};
}

api::BackupSummary summarize(const api::BackupEntry& backup, api::BackupStatus status) {
  api::BackupSummary summary;
  summary.table_name = backup.table.table_name;
  summary.table_id = backup.table.table_id;
  summary.table_arn = arn_of_table(backup.table);
  summary.backup_arn = arn_of(backup);
  summary.backup_name = backup.backup_name;
  summary.backup_creation_date_time = backup.created;
  summary.backup_expiry_date_time = backup.expiry;
  summary.backup_status = status;
  summary.backup_type = backup.type;
  summary.backup_size_bytes = backup.size_bytes;
  return summary;
}

}  // namespace dinette::dynamodb

#include "tablestore/tables/descriptions.h"

#include <chrono>

namespace dinette::tablestore {
namespace {

api::PrimaryKeyType key_type_of(ValueType type) {
  if (type == ValueType::string) return api::PrimaryKeyType::string;
  return type == ValueType::binary ? api::PrimaryKeyType::binary : api::PrimaryKeyType::integer;
}

api::DefinedColumnType column_type_of(ValueType type) {
  switch (type) {
    case ValueType::real:
      return api::DefinedColumnType::double_;
    case ValueType::boolean:
      return api::DefinedColumnType::boolean;
    case ValueType::string:
      return api::DefinedColumnType::string;
    case ValueType::binary:
      return api::DefinedColumnType::blob;
    default:
      return api::DefinedColumnType::integer;
  }
}

std::int64_t seconds_of(std::int64_t microseconds) {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::microseconds(microseconds)).count();
}

}  // namespace

std::vector<api::PrimaryKeySchema> described_key(const std::vector<KeyColumnMeta>& key) {
  std::vector<api::PrimaryKeySchema> described;
  for (const KeyColumnMeta& column : key) {
    api::PrimaryKeySchema schema{.name = column.name, .type = key_type_of(column.type)};
    if (column.auto_increment) schema.option = api::PrimaryKeyOption::auto_increment;
    described.push_back(std::move(schema));
  }
  return described;
}

api::TableMeta described_meta(const TableMeta& table) {
  api::TableMeta meta;
  meta.table_name = table.name;
  meta.primary_key = described_key(table.key);
  for (const DefinedColumnMeta& column : table.defined_columns)
    meta.defined_column.push_back({.name = column.name, .type = column_type_of(column.type)});
  return meta;
}

api::TableOptions described_options(const TableOptions& options) {
  return {.time_to_live = options.time_to_live,
          .max_versions = options.max_versions,
          .deviation_cell_version_in_sec = options.max_deviation,
          .allow_update = options.allow_update,
          .update_full_row = options.update_full_row};  // which the client for Java insists on
}

api::ReservedThroughputDetails described_units(const TableMeta& table) {
  api::ReservedThroughputDetails details;
  details.capacity_unit = {.read = table.reserved.read, .write = table.reserved.write};
  details.last_increase_time = seconds_of(table.units_raised);
  if (table.units_lowered != 0) details.last_decrease_time = seconds_of(table.units_lowered);
  return details;
}

api::StreamDetails described_stream(const TableMeta& table) {
  api::StreamDetails details;
  if (!table.stream) return details;
  details.enable_stream = true;
  details.stream_id = table.stream_id();
  details.expiration_time = table.stream->expiration_hours;
  details.last_enable_time = table.stream->enabled;
  details.column_to_get = table.stream->origin_columns;
  return details;
}

api::IndexMeta described_index(const IndexMeta& index) {
  api::IndexMeta described;
  described.name = index.name;
  described.primary_key = index.key_columns;
  described.defined_column = index.attributes;
  described.index_update_mode =
      index.synchronous ? api::IndexUpdateMode::sync_index : api::IndexUpdateMode::async_index;
  described.index_type =
      index.kind == IndexKind::local ? api::IndexType::local_index : api::IndexType::global_index;
  described.index_sync_phase = index.building ? api::IndexSyncPhase::full : api::IndexSyncPhase::incr;
  return described;
}

}  // namespace dinette::tablestore

#include "tablestore/tables/table_checks.h"

#include <algorithm>
#include <string>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/request/names.h"

namespace dinette::tablestore {
namespace {

ValueType type_of(api::PrimaryKeyType type) {
  switch (type) {
    case api::PrimaryKeyType::integer:
      return ValueType::integer;
    case api::PrimaryKeyType::string:
      return ValueType::string;
    case api::PrimaryKeyType::binary:
      return ValueType::binary;
  }
  return ValueType::null;
}

ValueType type_of(api::DefinedColumnType type) {
  switch (type) {
    case api::DefinedColumnType::integer:
      return ValueType::integer;
    case api::DefinedColumnType::double_:
      return ValueType::real;
    case api::DefinedColumnType::boolean:
      return ValueType::boolean;
    case api::DefinedColumnType::string:
      return ValueType::string;
    case api::DefinedColumnType::blob:
      return ValueType::binary;
  }
  return ValueType::null;
}

template <class Columns>
bool has_column(const Columns& columns, std::string_view name) {
  return std::ranges::any_of(columns, [&](const auto& column) { return column.name == name; });
}

Answer<void> check_key_names(const std::vector<api::PrimaryKeySchema>& columns) {
  for (const auto& column : columns) DINETTE_CHECK(check_column_name(column.name));
  for (auto column = columns.begin(); column != columns.end(); ++column) {
    const auto same = [&](const api::PrimaryKeySchema& other) { return other.name == column->name; };
    if (std::any_of(columns.begin(), column, same)) return refuse::duplicate_key_column(column->name);
  }
  return {};
}

/// tablestore/tables.md section 7.
Answer<void> check_auto_increment(const std::vector<api::PrimaryKeySchema>& columns) {
  const auto is_automatic = [](const api::PrimaryKeySchema& column) { return column.option.has_value(); };
  if (is_automatic(columns.front())) return refuse::first_key_is_auto_increment();
  if (std::ranges::count_if(columns, is_automatic) > 1) return refuse::several_auto_increment_keys();
  for (const auto& column : columns) {
    if (is_automatic(column) && column.type != api::PrimaryKeyType::integer)
      return refuse::auto_increment_key_not_integer();
  }
  return {};
}

Answer<void> check_options(const TableOptions& options) {
  if (options.time_to_live == 0 || options.time_to_live < -1) return refuse::invalid_time_to_live();
  if (options.max_versions <= 0) return refuse::invalid_table_max_versions();
  if (options.max_deviation < 0 || options.max_deviation > limits::most_deviation_seconds)
    return refuse::invalid_deviation();
  return {};
}

Answer<void> check_not_too_large(const ReservedUnits& units) {
  if (units.read > limits::capacity_units) return refuse::read_capacity_too_large(limits::capacity_units);
  if (units.write > limits::capacity_units) return refuse::write_capacity_too_large(limits::capacity_units);
  return {};
}

template <class Value>
void replace(Value& value, const std::optional<Value>& given) {
  if (given) value = *given;
}

}  // namespace

Answer<std::vector<KeyColumnMeta>> key_of(const std::vector<api::PrimaryKeySchema>& columns) {
  if (columns.empty() || columns.size() > limits::primary_key_columns)
    return refuse::wrong_number_of_key_columns();
  DINETTE_CHECK(check_key_names(columns));
  DINETTE_CHECK(check_auto_increment(columns));
  std::vector<KeyColumnMeta> key;
  for (const auto& column : columns)
    key.push_back({column.name, type_of(column.type), column.option.has_value()});
  return key;
}

Answer<void> add_defined_columns(const std::vector<KeyColumnMeta>& key,
                                 const std::vector<api::DefinedColumnSchema>& columns,
                                 std::vector<DefinedColumnMeta>& defined) {
  if (defined.size() + columns.size() > limits::defined_columns) return refuse::too_many_defined_columns();
  for (const auto& column : columns) {
    DINETTE_CHECK(check_column_name(column.name));
    if (has_column(key, column.name)) return refuse::attribute_named_as_key_column(column.name);
    if (has_column(defined, column.name)) return refuse::duplicate_defined_column(column.name);
    defined.push_back({column.name, type_of(column.type)});
  }
  return {};
}

Answer<TableOptions> new_options(const std::optional<api::TableOptions>& given) {
  if (!given || !given->time_to_live) return refuse::missing_time_to_live();
  if (!given->max_versions) return refuse::missing_max_versions();
  TableOptions options;
  replace(options.update_full_row, given->update_full_row);
  api::TableOptions others = *given;
  others.update_full_row.reset();
  DINETTE_CHECK(change_options(others, options));
  return options;
}

Answer<void> change_options(const api::TableOptions& given, TableOptions& options) {
  if (given.update_full_row) return refuse::options_with_update_full_row();
  const bool any =
      given.time_to_live || given.max_versions || given.deviation_cell_version_in_sec || given.allow_update;
  if (!any) return refuse::no_table_option();
  replace(options.time_to_live, given.time_to_live);
  replace(options.max_versions, given.max_versions);
  replace(options.max_deviation, given.deviation_cell_version_in_sec);
  replace(options.allow_update, given.allow_update);
  return check_options(options);
}

Answer<ReservedUnits> new_units(const api::CapacityUnit& given) {
  if (!given.read || !given.write) return refuse::missing_capacity_units();
  if (*given.read < 0) return refuse::read_capacity_too_small(0);
  if (*given.write < 0) return refuse::write_capacity_too_small(0);
  const ReservedUnits units{*given.read, *given.write};
  DINETTE_CHECK(check_not_too_large(units));
  return units;
}

Answer<void> change_units(const api::CapacityUnit& given, std::int64_t now, TableMeta& meta) {
  constexpr std::int32_t unchanged = -1;
  const std::int32_t read = given.read.value_or(unchanged);
  const std::int32_t write = given.write.value_or(unchanged);
  if (read < 0 && write < 0) return refuse::no_capacity_unit_to_update(read, write);
  const ReservedUnits before = meta.reserved;
  if (read >= 0) meta.reserved.read = read;
  if (write >= 0) meta.reserved.write = write;
  DINETTE_CHECK(check_not_too_large(meta.reserved));
  if (meta.reserved.read > before.read || meta.reserved.write > before.write) meta.units_raised = now;
  if (meta.reserved.read < before.read || meta.reserved.write < before.write) meta.units_lowered = now;
  return {};
}

}  // namespace dinette::tablestore

#include "tablestore/sql/mappings.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "dinette/base/ascii.h"

#include "tablestore/api/refusals.h"
#include "tablestore/sql/row_values.h"

namespace dinette::tablestore::sql {
namespace {

/// Names are the same in any case, but cells are found by the one that they were written with: that of the
/// key's or the defined column, if the table knows it.
std::string name_in_table(std::string_view column, const TableMeta& table) {
  const auto is_same = [&](const auto& known) { return base::equal_ignoring_case(known.name, column); };
  const auto in_key = std::ranges::find_if(table.key, is_same);
  if (in_key != table.key.end()) return in_key->name;
  const auto defined = std::ranges::find_if(table.defined_columns, is_same);
  return defined != table.defined_columns.end() ? defined->name : std::string(column);
}

/// The key of a mapping must be that of the table, and no MEDIUMBLOB.
Answer<void> check_key(const std::vector<SqlColumn>& columns, const TableMeta& table) {
  std::size_t in_key = 0;
  for (const SqlColumn& column : columns) {
    const auto same = [&](const SqlColumn& other) {
      return base::equal_ignoring_case(other.name, column.name);
    };
    if (std::ranges::count_if(columns, same) > 1) return refuse::sql_duplicate_column(column.name);
    if (column.key_place == 0) continue;
    ++in_key;
    const bool fits =
        column.key_place <= table.key.size() && table.key[column.key_place - 1].name == column.name &&
        table.key[column.key_place - 1].type == column.type.values && column.type.shown != "mediumblob";
    if (!fits) return refuse::sql_key_does_not_fit(column.name);
  }
  if (in_key != table.key.size()) return refuse::sql_key_does_not_fit(table.key[in_key].name);
  return {};
}

Answer<OpenTable> open(const Context& context, std::string_view name) {
  if (context.details != nullptr) context.details->table(name);
  DINETTE_TABLESTORE_STORED(store::TablePointer found, context.store.catalog().open(name));
  if (!found || found->schema_as<TableSchema>().is_index())
    return refuse::sql_no_such_table(context.instance(), name);
  return OpenTable{std::move(found)};
}

/// A table that SQL does not see has its own words (tablestore/sql.md section 2).
Answer<void> check_alterable(const Context& context, std::string_view name) {
  DINETTE_TABLESTORE_STORED(const store::TablePointer found, context.store.catalog().open(name));
  if (found && found->schema_as<TableSchema>().meta().sql_columns.empty())
    return refuse::sql_alter_of_unmapped();
  return {};
}

}  // namespace

Answer<void> create(const Context& context, const CreateMapping& statement) {
  DINETTE_TRY(const OpenTable table, open(context, statement.table));
  if (!table.meta().sql_columns.empty()) {
    if (statement.if_absent) return {};
    return refuse::sql_table_exists(context.instance(), statement.table);
  }
  std::vector<SqlColumn> columns = statement.columns;
  for (SqlColumn& column : columns) column.name = name_in_table(column.name, table.meta());
  DINETTE_CHECK(check_key(columns, table.meta()));
  DINETTE_CHECK(change_table(context, table, [&](TableMeta& meta) -> Answer<void> {
    meta.sql_columns = columns;
    return {};
  }));
  return {};
}

Answer<void> drop(const Context& context, const DropMapping& statement) {
  auto table = open_mapped(context, statement.table);
  if (!table && statement.if_present && !table.error().must_wait) return {};
  DINETTE_CHECK(table);
  DINETTE_CHECK(change_table(context, *table, [&](TableMeta& meta) -> Answer<void> {
    meta.sql_columns.clear();
    return {};
  }));
  return {};
}

Answer<void> alter(const Context& context, const AlterMapping& statement) {
  DINETTE_CHECK(check_alterable(context, statement.table));
  DINETTE_TRY(const OpenTable table, open_mapped(context, statement.table));
  const auto edit = [&](TableMeta& meta) -> Answer<void> {
    const std::string& name = statement.added ? statement.added->name : statement.dropped;
    const auto column = column_of(meta, name);
    if (statement.added) {
      if (column) return refuse::sql_duplicate_column(name);
      meta.sql_columns.push_back(*statement.added);
      meta.sql_columns.back().name = name_in_table(name, meta);
      return {};
    }
    DINETTE_CHECK(column);
    if ((*column)->key_place != 0) return refuse::sql_key_does_not_fit((*column)->name);
    meta.sql_columns.erase(meta.sql_columns.begin() + (*column - meta.sql_columns.data()));
    return {};
  };
  DINETTE_CHECK(change_table(context, table, edit));
  return {};
}

Answer<OpenTable> open_mapped(const Context& context, std::string_view name) {
  DINETTE_TABLESTORE_STORED(store::TablePointer found, context.store.catalog().open(name));
  if (context.details != nullptr) context.details->table(name);
  if (!found || found->schema_as<TableSchema>().meta().sql_columns.empty())
    return refuse::sql_unknown_mapping(context.instance(), name);
  return OpenTable{std::move(found)};
}

Answer<Result> show_tables(const Context& context) {
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  DINETTE_TABLESTORE_STORED(const auto tables, context.store.catalog().list("", all));
  ResultColumn names{.name = "Tables_in_" + std::string(context.instance())};
  for (const store::TablePointer& table : tables)
    if (!table->schema_as<TableSchema>().meta().sql_columns.empty()) names.values.emplace_back(table->name);
  return Result{std::move(names)};
}

Answer<Result> describe(const Context& context, const Describe& statement) {
  DINETTE_TRY(const OpenTable table, open_mapped(context, statement.table));
  Result result;
  for (const char* const name : {"Field", "Type", "Null", "Key", "Default", "Extra"})
    result.push_back({.name = name});
  for (const SqlColumn& column : table.meta().sql_columns) {
    const bool in_key = column.key_place != 0;
    result[0].values.emplace_back(column.name);
    result[1].values.emplace_back(column.type.shown);
    result[2].values.emplace_back(std::string(column.is_nullable && !in_key ? "YES" : "NO"));
    result[3].values.emplace_back(std::string(in_key ? "PRI" : ""));
    result[4].values.emplace_back();
    result[5].values.emplace_back(std::string());
  }
  return result;
}

}  // namespace dinette::tablestore::sql

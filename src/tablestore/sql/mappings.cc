#include "tablestore/sql/mappings.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "dinette/base/ascii.h"

#include "tablestore/api/refusals.h"
#include "tablestore/search/index_schema.h"
#include "tablestore/search/search_target.h"

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

/// Names of columns are there once.
Answer<void> check_names(const std::vector<SqlColumn>& columns) {
  for (const SqlColumn& column : columns) {
    const auto same = [&](const SqlColumn& other) {
      return base::equal_ignoring_case(other.name, column.name);
    };
    if (std::ranges::count_if(columns, same) > 1) return refuse::sql_duplicate_column(column.name);
  }
  return {};
}

/// The key of a mapping must be that of the table or the index, and no MEDIUMBLOB.
Answer<void> check_key(const std::vector<SqlColumn>& columns, const std::vector<KeyColumnMeta>& key) {
  DINETTE_CHECK(check_names(columns));
  std::size_t in_key = 0;
  for (const SqlColumn& column : columns) {
    if (column.key_place == 0) continue;
    ++in_key;
    const bool fits = column.key_place <= key.size() && key[column.key_place - 1].name == column.name &&
                      key[column.key_place - 1].type == column.type.values &&
                      column.type.shown != "mediumblob";
    if (!fits) return refuse::sql_key_does_not_fit(column.name);
  }
  if (in_key != key.size()) return refuse::sql_key_does_not_fit(key[in_key].name);
  return {};
}

std::vector<SqlColumn> named_as_in(const TableMeta& table, std::vector<SqlColumn> columns) {
  for (SqlColumn& column : columns) column.name = name_in_table(column.name, table);
  return columns;
}

/// A mapping of a secondary index has columns of the index alone.
Answer<void> check_index_column(const SqlColumn& column, const IndexMeta& index) {
  if (column.key_place != 0) return {};
  const auto& known = index.attributes;
  if (std::ranges::find(known, column.name) == known.end()) return refuse::sql_unknown_column(column.name);
  return {};
}

ValueType values_of_field(const search::Field& field) {
  if (field.is_array) return ValueType::string;
  switch (field.type) {
    case api::FieldType::long_:
      return ValueType::integer;
    case api::FieldType::double_:
      return ValueType::real;
    case api::FieldType::boolean:
      return ValueType::boolean;
    default:
      return ValueType::string;
  }
}

/// A column of a mapping of a search index is one of its fields, whose name it takes. A date may be a number
/// as well, and what is a part of the key has the type of the key.
Answer<void> fit_field(SqlColumn& column, const search::IndexSchema& schema) {
  const auto& fields = schema.fields();
  const auto found = std::ranges::find_if(
      fields, [&](const search::Field& field) { return base::equal_ignoring_case(field.name, column.name); });
  if (found == fields.end()) return refuse::sql_unknown_column(column.name);
  column.name = found->name;
  const bool is_date = found->type == api::FieldType::date && column.type.values == ValueType::integer;
  if (values_of_field(*found) != column.type.values && !is_date) return refuse::sql_wrong_value(column.name);
  return {};
}

Answer<OpenTable> open(const Context& context, std::string_view name) {
  if (context.details != nullptr) context.details->table(name);
  DINETTE_TABLESTORE_STORED(store::TablePointer found, context.store.catalog().open(name));
  if (!found || found->schema_as<TableSchema>().is_index())
    return refuse::sql_no_such_table(context.instance(), name);
  return OpenTable{std::move(found)};
}

/// Returns the name of the table that a name is an index of; empty if it is none.
Answer<std::string> main_table_of(const Context& context, std::string_view name) {
  DINETTE_TABLESTORE_STORED(const store::TablePointer found, context.store.catalog().open(name));
  return found ? found->schema_as<TableSchema>().main_table() : std::string();
}

bool is_there(const SqlMapping& mapping, const TableMeta& table) {
  return mapping.searches ? table.search_index(mapping.index) != nullptr
                          : table.index(mapping.index) != nullptr;
}

/// Returns the mapping of an index that is still there, or null.
const SqlMapping* mapping_of(const TableMeta& table, std::string_view name) {
  const auto found = std::ranges::find(table.sql_mappings, name, &SqlMapping::name);
  return found != table.sql_mappings.end() && is_there(*found, table) ? &*found : nullptr;
}

/// Looks through all tables: a mapping of a search index may have any name.
Answer<std::optional<MappedTable>> find_mapping(const Context& context, std::string_view name) {
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  DINETTE_TABLESTORE_STORED(auto tables, context.store.catalog().list("", all));
  for (store::TablePointer& table : tables) {
    const TableSchema& schema = table->schema_as<TableSchema>();
    if (table->name == name && !schema.meta().sql_columns.empty())
      return std::optional(MappedTable{{std::move(table)}, nullptr});
  }
  for (store::TablePointer& table : tables) {
    if (!table) continue;
    const SqlMapping* const mapping = mapping_of(table->schema_as<TableSchema>().meta(), name);
    if (mapping != nullptr) return std::optional(MappedTable{{std::move(table)}, mapping});
  }
  return std::optional<MappedTable>();
}

/// Adds a mapping of an index to its table, in place of one of an index that is gone.
Answer<void> add_mapping(const Context& context, const OpenTable& table, const SqlMapping& mapping) {
  DINETTE_CHECK(change_table(context, table, [&](TableMeta& meta) -> Answer<void> {
    std::erase_if(meta.sql_mappings, [&](const SqlMapping& known) { return known.name == mapping.name; });
    meta.sql_mappings.push_back(mapping);
    return {};
  }));
  return {};
}

Answer<void> create_of_search_index(const Context& context, const CreateMapping& statement) {
  DINETTE_TRY(const search::SearchTarget target,
              search::open_search_index(context, statement.index_table, statement.index));
  SqlMapping mapping{statement.table, statement.index, true, statement.columns};
  for (SqlColumn& column : mapping.columns) DINETTE_CHECK(fit_field(column, target.schema));
  DINETTE_CHECK(check_names(mapping.columns));
  return add_mapping(context, OpenTable{target.rows.table}, mapping);
}

Answer<void> create_of_index(const Context& context, const CreateMapping& statement,
                             const std::string& table_name) {
  DINETTE_TRY(const OpenTable table, open(context, table_name));
  const IndexMeta* const index = table.meta().index(statement.table);
  if (index == nullptr) return refuse::sql_no_such_table(context.instance(), statement.table);
  const SqlMapping mapping{statement.table, index->name, false, named_as_in(table.meta(), statement.columns)};
  DINETTE_CHECK(check_key(mapping.columns, completed_key(table.meta(), *index)));
  for (const SqlColumn& column : mapping.columns) DINETTE_CHECK(check_index_column(column, *index));
  return add_mapping(context, table, mapping);
}

Answer<void> create_of_table(const Context& context, const CreateMapping& statement) {
  DINETTE_TRY(const OpenTable table, open(context, statement.table));
  const std::vector<SqlColumn> columns = named_as_in(table.meta(), statement.columns);
  DINETTE_CHECK(check_key(columns, table.meta().key));
  DINETTE_CHECK(change_table(context, table, [&](TableMeta& meta) -> Answer<void> {
    meta.sql_columns = columns;
    return {};
  }));
  return {};
}

Answer<void> drop_one(const Context& context, const std::string& name, bool if_present) {
  auto mapped = open_mapping(context, name);
  if (!mapped && if_present && !mapped.error().must_wait) return {};
  DINETTE_CHECK(mapped);
  const bool is_table = mapped->mapping == nullptr;
  DINETTE_CHECK(change_table(context, mapped->table, [&](TableMeta& meta) -> Answer<void> {
    if (is_table)
      meta.sql_columns.clear();
    else
      std::erase_if(meta.sql_mappings, [&](const SqlMapping& known) { return known.name == name; });
    return {};
  }));
  return {};
}

/// Adds a column to those of a mapping, or removes one.
Answer<void> change_columns(const AlterMapping& statement, std::vector<SqlColumn>& columns,
                            const std::optional<SqlColumn>& added) {
  const std::string& name = added ? added->name : statement.dropped;
  const auto found = std::ranges::find_if(
      columns, [&](const SqlColumn& column) { return base::equal_ignoring_case(column.name, name); });
  if (added) {
    if (found != columns.end()) return refuse::sql_duplicate_column(statement.added->name);
    columns.push_back(*added);
    return {};
  }
  if (found == columns.end()) return refuse::sql_unknown_column(name);
  if (found->key_place != 0) return refuse::sql_key_does_not_fit(found->name);
  columns.erase(found);
  return {};
}

/// Returns the column that is added as the mapping has it.
Answer<std::optional<SqlColumn>> added_column(const AlterMapping& statement, const MappedTable& mapped) {
  std::optional<SqlColumn> added = statement.added;
  if (!added) return added;
  const TableMeta& meta = mapped.table.meta();
  if (mapped.mapping != nullptr && mapped.mapping->searches) {
    DINETTE_TRY(const search::IndexSchema schema,
                search::IndexSchema::read(meta.search_index(mapped.mapping->index)->schema));
    DINETTE_CHECK(fit_field(*added, schema));
    return added;
  }
  added->name = name_in_table(added->name, meta);
  if (mapped.mapping != nullptr)
    DINETTE_CHECK(check_index_column(*added, *meta.index(mapped.mapping->index)));
  return added;
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
  DINETTE_TRY(const auto known, find_mapping(context, statement.table));
  if (known && statement.if_absent) return {};
  if (known) return refuse::sql_table_exists(context.instance(), statement.table);
  if (statement.searches) return create_of_search_index(context, statement);
  DINETTE_TRY(const std::string main_table, main_table_of(context, statement.table));
  return main_table.empty() ? create_of_table(context, statement)
                            : create_of_index(context, statement, main_table);
}

Answer<void> drop(const Context& context, const DropMapping& statement) {
  for (const std::string& table : statement.tables)
    DINETTE_CHECK(drop_one(context, table, statement.if_present));
  return {};
}

Answer<void> alter(const Context& context, const AlterMapping& statement) {
  auto opened = open_mapping(context, statement.table);
  if (!opened) DINETTE_CHECK(check_alterable(context, statement.table));
  DINETTE_TRY(const MappedTable mapped, std::move(opened));
  DINETTE_TRY(const auto added, added_column(statement, mapped));
  const std::string name = mapped.mapping != nullptr ? mapped.mapping->name : std::string();
  const auto edit = [&](TableMeta& meta) -> Answer<void> {
    if (name.empty()) return change_columns(statement, meta.sql_columns, added);
    const auto found = std::ranges::find(meta.sql_mappings, name, &SqlMapping::name);
    if (found == meta.sql_mappings.end()) return refuse::sql_unknown_mapping(context.instance(), name);
    return change_columns(statement, found->columns, added);
  };
  DINETTE_CHECK(change_table(context, mapped.table, edit));
  return {};
}

Answer<OpenTable> open_mapped(const Context& context, std::string_view name) {
  DINETTE_TRY(MappedTable mapped, open_mapping(context, name));
  if (mapped.mapping != nullptr) return refuse::sql_not_served();
  return std::move(mapped.table);
}

Answer<MappedTable> open_mapping(const Context& context, std::string_view name) {
  if (context.details != nullptr) context.details->table(name);
  DINETTE_TABLESTORE_STORED(store::TablePointer found, context.store.catalog().open(name));
  if (found && !found->schema_as<TableSchema>().meta().sql_columns.empty())
    return MappedTable{{std::move(found)}, nullptr};
  DINETTE_TRY(auto mapped, find_mapping(context, name));
  if (!mapped) return refuse::sql_unknown_mapping(context.instance(), name);
  return *std::move(mapped);
}

Answer<Result> show_tables(const Context& context) {
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  DINETTE_TABLESTORE_STORED(const auto tables, context.store.catalog().list("", all));
  ResultColumn names{.name = "Tables_in_" + std::string(context.instance())};
  std::set<std::string> mapped;
  for (const store::TablePointer& table : tables) {
    const TableMeta& meta = table->schema_as<TableSchema>().meta();
    if (!meta.sql_columns.empty()) mapped.insert(table->name);
    for (const SqlMapping& mapping : meta.sql_mappings)
      if (is_there(mapping, meta)) mapped.insert(mapping.name);
  }
  for (const std::string& name : mapped) names.values.emplace_back(name);
  return Result{std::move(names)};
}

Answer<Result> describe(const Context& context, const Describe& statement) {
  DINETTE_TRY(const MappedTable mapped, open_mapping(context, statement.table));
  Result result;
  for (const char* const name : {"Field", "Type", "Null", "Key", "Default", "Extra"})
    result.push_back({.name = name});
  for (const SqlColumn& column : mapped.columns()) {
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

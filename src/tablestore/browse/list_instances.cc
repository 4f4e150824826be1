#include <cstddef>
#include <utility>

#include "dinette/tablestore/browse.h"

#include "tablestore/browse/browsed.h"
#include "tablestore/tables/table_schema.h"

namespace dinette::tablestore {
namespace {

constexpr std::size_t names_per_page = 100;

ColumnType listed_type(ValueType type) {
  switch (type) {
    case ValueType::real:
      return ColumnType::real;
    case ValueType::boolean:
      return ColumnType::boolean;
    case ValueType::string:
      return ColumnType::string;
    case ValueType::binary:
      return ColumnType::binary;
    default:
      return ColumnType::integer;
  }
}

std::vector<ListedColumn> listed_key(const std::vector<KeyColumnMeta>& key) {
  std::vector<ListedColumn> columns;
  for (const KeyColumnMeta& column : key)
    columns.push_back({column.name, listed_type(column.type), column.auto_increment});
  return columns;
}

ListedTable listed(const TableSchema& schema) {
  const TableMeta& meta = schema.meta();
  ListedTable table{.name = meta.name,
                    .key = listed_key(meta.key),
                    .time_to_live = meta.options.time_to_live,
                    .max_versions = meta.options.max_versions,
                    .max_version_offset = meta.options.max_deviation,
                    .has_stream = meta.stream.has_value()};
  for (const DefinedColumnMeta& column : meta.defined_columns)
    table.defined_columns.push_back({column.name, listed_type(column.type)});
  for (std::size_t i = 0; i < meta.indexes.size(); ++i) {
    table.indexes.push_back({.name = meta.indexes[i].name,
                             .key = listed_key(schema.index_keys()[i]),
                             .attributes = meta.indexes[i].attributes,
                             .is_local = meta.indexes[i].kind == IndexKind::local});
  }
  for (const SearchIndexMeta& index : meta.search_indexes) table.search_indexes.push_back(index.name);
  return table;
}

/// Without the names of indexes, which are tables of the store too.
kv::Result<std::vector<ListedTable>> tables_of(store::Store& store) {
  std::vector<ListedTable> tables;
  std::string after;
  for (;;) {
    DINETTE_TRY(const auto page, store.catalog().list(after, names_per_page));
    for (const store::TablePointer& table : page) {
      const auto& schema = table->schema_as<TableSchema>();
      if (!schema.is_index()) tables.push_back(listed(schema));
    }
    if (page.size() < names_per_page) return tables;
    after = page.back()->name;
  }
}

}  // namespace

Browsed<std::vector<ListedInstance>> list_instances(tenancy::World& world) {
  std::vector<ListedInstance> instances;
  for (store::Store* const store : world.stores(face_id)) {
    auto tables = tables_of(*store);
    if (!tables) return browse::refusal_of(storage_failure(tables.error()).error());
    if (!tables->empty()) instances.push_back({store->name_space(), *std::move(tables)});
  }
  return instances;
}

}  // namespace dinette::tablestore

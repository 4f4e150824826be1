#include "tablestore/indexes/index_names.h"

#include "tablestore/api/refusals.h"

namespace dinette::tablestore {

Answer<void> check_names_free(const Context& context, const TableMeta& table) {
  for (const IndexMeta& index : table.indexes) {
    DINETTE_TABLESTORE_STORED(const store::TablePointer taken, context.store.catalog().open(index.name));
    if (taken) return refuse::table_exists();
  }
  return {};
}

Answer<void> create_names(const Context& context, const TableMeta& table) {
  for (const IndexMeta& index : table.indexes) {
    DINETTE_TABLESTORE_STORED(const store::TablePointer created,
                              context.store.catalog().create(index.name, encode_index_name(table.name)));
    if (!created) return refuse::table_exists();
  }
  return {};
}

Answer<void> drop_name(const Context& context, std::string_view index, std::string_view main_table) {
  DINETTE_TABLESTORE_STORED(const store::TablePointer name, context.store.catalog().open(index));
  if (!name || name->schema_as<TableSchema>().main_table() != main_table) return {};
  DINETTE_TABLESTORE_STORED([[maybe_unused]] const bool dropped, context.store.catalog().drop(*name));
  return {};
}

}  // namespace dinette::tablestore

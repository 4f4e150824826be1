#include "tablestore/indexes/index_names.h"

#include <optional>

#include "tablestore/api/refusals.h"

namespace dinette::tablestore {
namespace {

/// Makes the name of an index, unless the table has lost that index. Returns false if the name is taken.
kv::Result<bool> make_name(store::Store& store, const store::Table& table, std::string_view index) {
  const auto decide = [&](const store::Table& current,
                          store::TableId) -> std::optional<store::TableCreation> {
    const TableMeta& meta = current.schema_as<TableSchema>().meta();
    if (meta.index(index) == nullptr) return std::nullopt;
    return store::TableCreation{encode_index_name(meta.name), encode_table(meta)};
  };
  DINETTE_TRY(store::TablePointer present, store.catalog().open(index));
  if (!present) {
    DINETTE_TRY(const auto made, store.catalog().create_from(table, index, decide));
    if (made.created) return true;
    DINETTE_TRY(present, store.catalog().open(index));
  }
  return !present || present->schema_as<TableSchema>().main_table() == table.name;
}

}  // namespace

kv::Result<bool> is_left_over(store::Store& store, const store::Table& name) {
  const TableSchema& schema = name.schema_as<TableSchema>();
  if (!schema.is_index()) return false;
  DINETTE_TRY(const auto table, store.catalog().open(schema.main_table()));
  return !table || table->schema_as<TableSchema>().meta().index(name.name) == nullptr;
}

kv::Result<void> drop_left_over_name(store::Store& store, std::string_view index) {
  DINETTE_TRY(const auto name, store.catalog().open(index));
  if (!name) return {};
  DINETTE_TRY(const bool left_over, is_left_over(store, *name));
  if (left_over) DINETTE_CHECK(store.catalog().drop(*name));
  return {};
}

Answer<void> check_index_name_free(const Context& context, std::string_view index) {
  if (const auto dropped = drop_left_over_name(context.store, index); !dropped)
    return storage_failure(dropped.error());
  DINETTE_TABLESTORE_STORED(const store::TablePointer taken, context.store.catalog().open(index));
  if (taken) return refuse::table_exists();
  return {};
}

kv::Result<bool> make_names(store::Store& store, const store::Table& table) {
  for (const IndexMeta& index : table.schema_as<TableSchema>().meta().indexes) {
    DINETTE_TRY(const bool made, make_name(store, table, index.name));
    if (!made) return false;
  }
  return true;
}

}  // namespace dinette::tablestore

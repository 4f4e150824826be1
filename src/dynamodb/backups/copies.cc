#include "dynamodb/backups/copies.h"

#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/function_ref.h"

#include "dynamodb/api/table_record.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {
namespace {

kv::Result<store::TablePointer> open(store::Store& store, std::string_view name, std::int64_t number) {
  const auto id = static_cast<store::TableId>(number);
  if (!name.empty()) {
    DINETTE_TRY(store::TablePointer table, store.catalog().open(name));
    if (table && table->id == id) return table;
  }
  return store.catalog().open_unnamed(id);
}

/// Returns false if the copy is not listed.
bool remove_copy(api::TableRecord& record, std::int64_t copy) {
  return record.copies && std::erase_if(*record.copies, [&](const api::TableCopy& listed) {
                            return listed.target_id == copy;
                          }) > 0;
}

/// Takes a reader out of the record; returns false if it is not listed.
using Forget = base::FunctionRef<bool(api::TableRecord& record)>;

/// Drops a table without a name that was kept for its readers alone. Returns false for other tables.
kv::Result<bool> drop_remains(store::Store& store, const store::Table& source, Forget forget,
                              std::span<const store::EntryWrite> entries) {
  if (!source.name.empty()) return false;
  const auto decide = [&](const store::Table& current) -> std::optional<store::TableDrop> {
    api::TableRecord record = current.schema_as<TableSchema>().record();
    if (!forget(record) || record.backup || has_readers(record)) return std::nullopt;
    return store::TableDrop{.entries = {entries.begin(), entries.end()}};
  };
  return store.catalog().drop(source, decide);
}

/// Returns false, and writes nothing, if the reader is not listed.
kv::Result<bool> release(store::Store& store, const store::Table& source, Forget forget,
                         std::span<const store::EntryWrite> entries) {
  DINETTE_TRY(const bool dropped, drop_remains(store, source, forget, entries));
  if (dropped) return true;
  bool listed = false;
  const auto decide = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
    api::TableRecord record = current.schema_as<TableSchema>().record();
    listed = forget(record);
    if (!listed) return std::nullopt;
    store::TableUpdate update(encode_record(record));
    update.drops_versions = !has_readers(record) && !record.recovery;
    update.entries.assign(entries.begin(), entries.end());
    return update;
  };
  DINETTE_TRY(const store::TablePointer present, store.catalog().update(source, decide));
  if (present) return listed;
  if (source.name.empty()) return false;
  // It was deleted since it was opened, and may have lost only its name.
  DINETTE_TRY(const store::TablePointer unnamed, store.catalog().open_unnamed(source.id));
  return unnamed ? release(store, *unnamed, forget, entries) : kv::Result<bool>(false);
}

}  // namespace

kv::Result<store::TablePointer> open_copy(store::Store& store, const api::TableCopy& copy) {
  return open(store, copy.target_name, copy.target_id);
}

kv::Result<store::TablePointer> open_source(store::Store& store, const api::TableFilling& filling) {
  return open(store, filling.source_name, filling.source_id);
}

kv::Result<store::TablePointer> open_source(store::Store& store, const api::ExportEntry& entry) {
  return open(store, entry.source_name, entry.source_id);
}

kv::Result<void> release_source(store::Store& store, const store::Table& source, std::int64_t copy) {
  const auto forget = [copy](api::TableRecord& record) { return remove_copy(record, copy); };
  DINETTE_CHECK(release(store, source, forget, {}));
  return {};
}

kv::Result<bool> release_source(store::Store& store, const store::Table& source,
                                const store::EntryWrite& ended_export) {
  const auto forget = [&](api::TableRecord& record) {
    return record.exports && std::erase(*record.exports, ended_export.key) > 0;
  };
  return release(store, source, forget, std::span(&ended_export, 1));
}

kv::Result<void> settle_copies(store::Store& store, const store::Table& source) {
  const auto& record = source.schema_as<TableSchema>().record();
  if (!record.copies) return {};
  for (const api::TableCopy& copy : *record.copies) {
    DINETTE_TRY(const store::TablePointer target, open_copy(store, copy));
    const bool filling = target && target->schema_as<TableSchema>().record().filling;
    if (!filling) DINETTE_CHECK(release_source(store, source, copy.target_id));
  }
  return {};
}

}  // namespace dinette::dynamodb

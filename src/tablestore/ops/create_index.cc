#include "tablestore/api/create_index.h"

#include <optional>
#include <utility>

#include "dinette/base/waiting.h"

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/indexes/index_build.h"
#include "tablestore/indexes/index_checks.h"
#include "tablestore/indexes/index_names.h"
#include "tablestore/tables/open_table.h"

// tablestore/indexes.md section 3
namespace dinette::tablestore::ops {
namespace {

/// Adds the index to its table, and makes its name, in one commit. Returns the table as it is then.
Answer<OpenTable> add_to_table(const Context& context, const OpenTable& table,
                               const api::CreateIndexRequest& request) {
  Answer<void> added = refuse::table_exists();  // unless the name is free
  const auto decide = [&](const store::Table& current,
                          store::TableId) -> std::optional<store::TableCreation> {
    TableMeta meta = current.schema_as<TableSchema>().meta();
    added = add_index(request.index_meta, meta);
    if (!added) return std::nullopt;
    const bool fills = request.include_base_data.value_or(false);
    meta.indexes.back().building = fills;
    meta.indexes.back().partial = !fills;
    return store::TableCreation{encode_index_name(meta.name), encode_table(meta)};
  };
  DINETTE_TABLESTORE_STORED(
      auto changed, context.store.catalog().create_from(*table.table, request.index_meta.name, decide));
  DINETTE_CHECK(std::move(added));
  if (!changed.created) return refuse::table_exists();
  return OpenTable{std::move(changed.source)};
}

}  // namespace

Answer<api::CreateIndexResponse> create_index(const Context& context, api::CreateIndexRequest&& request) {
  DINETTE_TRY(const OpenTable table, open_main_table(context, request.main_table_name));
  if (!base::may_wait()) return must_wait();
  DINETTE_TABLESTORE_STORED(const auto tables, context.store.catalog().list("", limits::tables));
  TableMeta checked = table.meta();
  DINETTE_CHECK(add_index(request.index_meta, checked));
  DINETTE_CHECK(check_index_name_free(context, request.index_meta.name));
  if (tables.size() >= limits::tables)
    return refuse::too_many_tables(static_cast<std::int64_t>(limits::tables));
  DINETTE_TRY(const OpenTable changed, add_to_table(context, table, request));
  const IndexMeta* const index = changed.meta().index(request.index_meta.name);
  if (index != nullptr && index->building)
    DINETTE_CHECK(build_index(context.store, *changed.table, index->id));
  return api::CreateIndexResponse();
}

}  // namespace dinette::tablestore::ops

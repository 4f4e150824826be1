#include "tablestore/api/delete_table.h"

#include <optional>
#include <string>
#include <vector>

#include "dinette/base/waiting.h"

#include "tablestore/api/refusals.h"
#include "tablestore/indexes/index_names.h"
#include "tablestore/tables/former_streams.h"
#include "tablestore/tables/open_table.h"
#include "tablestore/tunnels/kept_tunnels.h"

// tablestore/tables.md section 4.
namespace dinette::tablestore::ops {

Answer<api::DeleteTableResponse> delete_table(const Context& context, api::DeleteTableRequest&& request) {
  DINETTE_TRY(const OpenTable table, open_main_table(context, request.table_name));
  // Several commits: a part of them alone cannot be retried.
  if (!table.meta().indexes.empty() && !base::may_wait()) return must_wait();
  bool is_searched = false;
  std::vector<std::string> indexes;
  const auto decide = [&](const store::Table& current) -> std::optional<store::TableDrop> {
    const TableMeta& last = current.schema_as<TableSchema>().meta();
    is_searched = !last.search_indexes.empty();
    if (is_searched) return std::nullopt;
    indexes.clear();
    for (const IndexMeta& index : last.indexes) indexes.push_back(index.name);
    store::TableDrop drop;
    note_former_stream(last, nullptr, drop.entries);
    drop.entries.push_back(removal_of_tunnels(current.id));
    return drop;
  };
  DINETTE_TABLESTORE_STORED(const bool dropped, context.store.catalog().drop(*table.table, decide));
  if (is_searched) return refuse::table_has_search_index(request.table_name);
  if (!dropped) return refuse::no_such_table();  // by another request since the look
  erase_former_streams_later(context.store, context.world.jobs());
  for (const std::string& index : indexes)
    if (const auto left = drop_left_over_name(context.store, index); !left)
      return storage_failure(left.error());
  return api::DeleteTableResponse();
}

}  // namespace dinette::tablestore::ops

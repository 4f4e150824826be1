#include "tablestore/api/drop_index.h"

#include <optional>
#include <utility>

#include "dinette/base/waiting.h"

#include "tablestore/api/refusals.h"
#include "tablestore/indexes/index_names.h"
#include "tablestore/request/names.h"
#include "tablestore/tables/open_table.h"

// tablestore/indexes.md section 3
namespace dinette::tablestore::ops {

Answer<api::DropIndexResponse> drop_index(const Context& context, api::DropIndexRequest&& request) {
  DINETTE_TRY(const OpenTable table, open_main_table(context, request.main_table_name));
  DINETTE_CHECK(check_table_name(request.index_name));
  if (!base::may_wait()) return must_wait();  // two commits: the second alone cannot be retried
  bool found = false;
  const auto decide = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
    TableMeta meta = current.schema_as<TableSchema>().meta();
    const IndexMeta* const index = meta.index(request.index_name);
    found = index != nullptr;
    if (!found) return std::nullopt;
    const store::IndexId id = index->id;
    std::erase_if(meta.indexes, [&](const IndexMeta& other) { return other.id == id; });
    return store::TableUpdate(encode_table(meta), {id});
  };
  DINETTE_TABLESTORE_STORED([[maybe_unused]] const auto changed,
                            context.store.catalog().update(*table.table, decide));
  if (const auto left = drop_left_over_name(context.store, request.index_name); !left)
    return storage_failure(left.error());
  if (!found) return refuse::no_such_table();
  return api::DropIndexResponse();
}

}  // namespace dinette::tablestore::ops

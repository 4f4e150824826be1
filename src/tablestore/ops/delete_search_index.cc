#include "tablestore/api/delete_search_index.h"

#include <algorithm>
#include <vector>

#include "tablestore/api/refusals.h"
#include "tablestore/search/search_target.h"

// tablestore/search-index.md section 2
namespace dinette::tablestore::ops {

Answer<api::DeleteSearchIndexResponse> delete_search_index(const Context& context,
                                                           api::DeleteSearchIndexRequest&& request) {
  DINETTE_TRY(const OpenTable table, search::open_indexed_table(context, request.table_name));
  const std::string_view name = request.index_name.value_or(std::string_view());
  const auto edit = [&](TableMeta& meta) -> Answer<void> {
    const auto same = [&](const SearchIndexMeta& index) { return index.name == name; };
    if (std::erase_if(meta.search_indexes, same) == 0) return refuse::no_such_search_index(name);
    for (SearchIndexMeta& index : meta.search_indexes)
      if (std::ranges::find(index.query_weights, name, &QueryWeight::index) != index.query_weights.end())
        index.query_weights.clear();
    return {};
  };
  DINETTE_CHECK(change_table(context, table, edit));
  return api::DeleteSearchIndexResponse();
}

}  // namespace dinette::tablestore::ops

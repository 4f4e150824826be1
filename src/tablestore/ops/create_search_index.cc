#include "tablestore/api/create_search_index.h"

#include "tablestore/search/index_changes.h"
#include "tablestore/search/search_target.h"

// tablestore/search-index.md section 2
namespace dinette::tablestore::ops {

Answer<api::CreateSearchIndexResponse> create_search_index(const Context& context,
                                                           api::CreateSearchIndexRequest&& request) {
  DINETTE_TRY(const OpenTable table, search::open_indexed_table(context, request.table_name));
  const auto edit = [&](TableMeta& meta) {
    return search::add_index({.name = std::string(request.index_name),
                              .schema = std::string(request.schema.value_or(std::string_view())),
                              .created = context.now.time_since_epoch().count(),
                              .time_to_live = request.time_to_live.value_or(-1),
                              .source = std::string(request.source_index_name.value_or(std::string_view()))},
                             meta);
  };
  DINETTE_CHECK(change_table(context, table, edit));
  return api::CreateSearchIndexResponse();
}

}  // namespace dinette::tablestore::ops

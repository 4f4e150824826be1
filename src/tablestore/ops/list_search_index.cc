#include "tablestore/api/list_search_index.h"

#include <limits>

#include "tablestore/request/names.h"
#include "tablestore/tables/table_schema.h"

// tablestore/search-index.md section 1
namespace dinette::tablestore::ops {
namespace {

void add_indexes(const store::Table& table, api::ListSearchIndexResponse& response) {
  for (const SearchIndexMeta& index : table.schema_as<TableSchema>().meta().search_indexes)
    response.indices.push_back({.table_name = table.name, .index_name = index.name});
}

}  // namespace

/// A table that is missing has none.
Answer<api::ListSearchIndexResponse> list_search_index(const Context& context,
                                                       api::ListSearchIndexRequest&& request) {
  api::ListSearchIndexResponse response;
  if (request.table_name && !request.table_name->empty()) {
    DINETTE_CHECK(check_table_name(*request.table_name));
    DINETTE_TABLESTORE_STORED(const store::TablePointer table,
                              context.store.catalog().open(*request.table_name));
    if (table) add_indexes(*table, response);
    return response;
  }
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  DINETTE_TABLESTORE_STORED(const auto tables, context.store.catalog().list("", all));
  for (const store::TablePointer& table : tables) add_indexes(*table, response);
  return response;
}

}  // namespace dinette::tablestore::ops

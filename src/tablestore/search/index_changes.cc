#include "tablestore/search/index_changes.h"

#include <utility>

#include "tablestore/api/refusals.h"
#include "tablestore/request/names.h"
#include "tablestore/search/index_schema.h"
#include "tablestore/search/index_schema_checks.h"

namespace dinette::tablestore::search {
namespace {

Answer<void> check_time_to_live(const SearchIndexMeta& index, const TableMeta& table) {
  if (index.time_to_live == -1) return {};
  if (index.time_to_live < 1) return refuse::invalid_search_index_ttl();
  if (table.options.allow_update && !table.options.expires()) return refuse::search_index_ttl_with_updates();
  return {};
}

}  // namespace

Answer<void> add_index(SearchIndexMeta index, TableMeta& table) {
  DINETTE_CHECK(check_table_name(index.name));
  DINETTE_CHECK(check_schema(index.schema, table.key));
  if (table.search_index(index.name) != nullptr) return refuse::search_index_exists(index.name);
  if (!index.source.empty() && table.search_index(index.source) == nullptr)
    return refuse::no_such_search_index(index.source);
  table.search_indexes.push_back(std::move(index));
  return check_options(table);
}

Answer<void> check_options(const TableMeta& table) {
  if (table.search_indexes.empty()) return {};
  if (table.options.max_versions != 1) return refuse::search_index_of_several_versions();
  for (const SearchIndexMeta& index : table.search_indexes) DINETTE_CHECK(check_time_to_live(index, table));
  if (!table.options.expires()) return {};
  if (table.options.allow_update) return refuse::search_index_of_expiring_table();
  for (const SearchIndexMeta& index : table.search_indexes)
    if (index.time_to_live < 0 || index.time_to_live > table.options.time_to_live)
      return refuse::search_index_outlives_table(table.options.time_to_live, index.name, index.time_to_live);
  return {};
}

}  // namespace dinette::tablestore::search

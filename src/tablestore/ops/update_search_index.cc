#include "tablestore/api/update_search_index.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tablestore/api/messages.h"
#include "tablestore/api/refusals.h"
#include "tablestore/codec/field_writer.h"
#include "tablestore/search/index_changes.h"
#include "tablestore/search/index_schema_checks.h"
#include "tablestore/search/search_target.h"

// tablestore/search-index.md section 1
namespace dinette::tablestore::ops {
namespace {

SearchIndexMeta* find(TableMeta& table, std::string_view name) {
  const auto found = std::ranges::find(table.search_indexes, name, &SearchIndexMeta::name);
  return found == table.search_indexes.end() ? nullptr : &*found;
}

/// Weights are of two indexes, and 100 together (tablestore/search-index.md section 2).
Answer<std::vector<QueryWeight>> weights_of(const std::vector<api::QueryFlowWeight>& asked,
                                            const TableMeta& table) {
  constexpr std::int64_t all = 100;
  if (asked.size() != 2) return refuse::not_two_query_flow_weights();
  std::vector<QueryWeight> weights;
  std::int64_t sum = 0;
  for (const api::QueryFlowWeight& one : asked) {
    const std::string name = one.index_name.value_or(std::string());
    const std::int32_t weight = one.weight.value_or(0);
    if (table.search_index(name) == nullptr) return refuse::no_such_search_index(name);
    if (weight < 0) return refuse::invalid_query_flow_weights();
    sum += weight;
    weights.push_back({name, weight});
  }
  if (sum != all) return refuse::invalid_query_flow_weights();
  return weights;
}

/// Two indexes exchange their names. The source of one that was made from the other is still that one, and
/// weights of queries are no longer needed.
void switch_names(SearchIndexMeta& index, SearchIndexMeta& other, TableMeta& table) {
  std::swap(index.name, other.name);
  index.query_weights.clear();
  other.query_weights.clear();
  for (SearchIndexMeta& one : table.search_indexes) {
    if (one.source == index.name)
      one.source = other.name;
    else if (one.source == other.name)
      one.source = index.name;
  }
}

Answer<void> change(const api::UpdateSearchIndexRequest& request, TableMeta& table) {
  const std::string_view name = request.index_name.value_or(std::string_view());
  SearchIndexMeta* const index = find(table, name);
  if (index == nullptr) return refuse::no_such_search_index(name);
  if (request.time_to_live) index->time_to_live = *request.time_to_live;
  if (!request.query_flow_weight.empty()) {
    DINETTE_TRY(index->query_weights, weights_of(request.query_flow_weight, table));
  }
  if (!request.added_field_schemas.empty()) {
    // A message's fields may follow those that it has.
    codec::FieldWriter schema(index->schema);
    constexpr std::uint32_t field_schemas = 1;
    for (const std::string_view field : request.added_field_schemas) schema.put(field_schemas, field);
    DINETTE_CHECK(search::check_schema(index->schema, table.key));
  }
  if (request.switch_index_name) {
    SearchIndexMeta* const other = find(table, *request.switch_index_name);
    if (other == nullptr) return refuse::no_such_search_index(*request.switch_index_name);
    switch_names(*index, *other, table);
  }
  return search::check_options(table);
}

}  // namespace

Answer<api::UpdateSearchIndexResponse> update_search_index(const Context& context,
                                                           api::UpdateSearchIndexRequest&& request) {
  DINETTE_TRY(const OpenTable table, search::open_indexed_table(context, request.table_name));
  DINETTE_CHECK(change_table(context, table, [&](TableMeta& meta) { return change(request, meta); }));
  return api::UpdateSearchIndexResponse();
}

}  // namespace dinette::tablestore::ops

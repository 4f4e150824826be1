#include "tablestore/api/update_search_index.h"

#include <algorithm>
#include <utility>

#include "tablestore/api/messages.h"
#include "tablestore/api/refusals.h"
#include "tablestore/codec/field_writer.h"
#include "tablestore/search/index_changes.h"
#include "tablestore/search/search_target.h"

// tablestore/search-index.md section 1
namespace dinette::tablestore::ops {
namespace {

SearchIndexMeta* find(TableMeta& table, std::string_view name) {
  const auto found = std::ranges::find(table.search_indexes, name, &SearchIndexMeta::name);
  return found == table.search_indexes.end() ? nullptr : &*found;
}

/// Two indexes exchange their names. The source of one that was made from the other is still that one.
void switch_names(SearchIndexMeta& index, SearchIndexMeta& other, TableMeta& table) {
  std::swap(index.name, other.name);
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
  // A message's fields may follow those that it has.
  codec::FieldWriter schema(index->schema);
  constexpr std::uint32_t field_schemas = 1;
  for (const std::string_view field : request.added_field_schemas) schema.put(field_schemas, field);
  DINETTE_CHECK(search::IndexSchema::read(index->schema));
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

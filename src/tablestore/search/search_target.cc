#include "tablestore/search/search_target.h"

#include <utility>

#include "tablestore/api/refusals.h"
#include "tablestore/request/names.h"

namespace dinette::tablestore::search {

Answer<OpenTable> open_indexed_table(const Context& context, const std::optional<std::string_view>& table) {
  const std::string_view name = table.value_or(std::string_view());
  DINETTE_CHECK(check_table_name(name));
  if (context.details != nullptr) context.details->table(name);
  DINETTE_TABLESTORE_STORED(store::TablePointer found, context.store.catalog().open(name));
  if (!found || found->schema_as<TableSchema>().is_index()) return refuse::no_such_searched_table(name);
  return OpenTable{std::move(found)};
}

Answer<SearchTarget> open_search_index(const Context& context, const std::optional<std::string_view>& table,
                                       const std::optional<std::string_view>& index) {
  DINETTE_TRY(OpenTable opened, open_indexed_table(context, table));
  const std::string_view name = index.value_or(std::string_view());
  const SearchIndexMeta* const meta = opened.meta().search_index(name);
  if (meta == nullptr) return refuse::no_such_search_index(name);
  DINETTE_TRY(IndexSchema schema, IndexSchema::read(meta->schema));
  std::vector<KeyColumnMeta> key = opened.meta().key;
  return SearchTarget{
      {std::move(opened.table), store::Area::rows(), std::move(key)}, meta, std::move(schema)};
}

}  // namespace dinette::tablestore::search

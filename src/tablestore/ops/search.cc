#include "tablestore/api/search.h"

#include "dinette/base/waiting.h"

#include "tablestore/api/refusals.h"
#include "tablestore/codec/field_reader.h"
#include "tablestore/search/search_page.h"

// tablestore/search-index.md sections 1 and 2
namespace dinette::tablestore::ops {

Answer<api::SearchResponse> search(const Context& context, api::SearchRequest&& request) {
  if (!base::may_wait()) return must_wait();
  const auto query =
      codec::decode_message<api::SearchQuery>(request.search_query.value_or(std::string_view()));
  if (!query) return refuse::unreadable_message();
  DINETTE_TRY(const auto target, search::open_search_index(context, request.table_name, request.index_name));
  return search::run(context, target, *query, request.columns_to_get);
}

}  // namespace dinette::tablestore::ops

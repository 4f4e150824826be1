#pragma once

#include "tablestore/api/search.h"
#include "tablestore/request/context.h"
#include "tablestore/search/search_target.h"

namespace dinette::tablestore::search {

/// Finds the documents of a query, and returns a page of them, and what sums them up
/// (tablestore/search-index.md).
Answer<api::SearchResponse> run(const Context& context, const SearchTarget& target,
                                const api::SearchQuery& query,
                                const std::optional<api::ColumnsToGet>& columns);

}  // namespace dinette::tablestore::search

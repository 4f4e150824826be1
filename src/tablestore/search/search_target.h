#pragma once

#include <optional>
#include <string_view>

#include "tablestore/request/context.h"
#include "tablestore/rows/read_target.h"
#include "tablestore/search/index_schema.h"
#include "tablestore/tables/open_table.h"

namespace dinette::tablestore::search {

/// A search index that was found, and its table.
struct SearchTarget {
  ReadTarget rows;
  const SearchIndexMeta* index = nullptr;  ///< of the table
  IndexSchema schema;
};

/// Opens the table of a search index. Fails in the words of search indexes (tablestore/search-index.md
/// section 2).
Answer<OpenTable> open_indexed_table(const Context& context, const std::optional<std::string_view>& table);

/// Opens a search index of a table.
Answer<SearchTarget> open_search_index(const Context& context, const std::optional<std::string_view>& table,
                                       const std::optional<std::string_view>& index);

}  // namespace dinette::tablestore::search

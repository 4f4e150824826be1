#pragma once

#include <string>
#include <string_view>

#include "tablestore/model/table_meta.h"
#include "tablestore/request/api_error.h"

/// Search indexes among what is kept of a table (tablestore/search-index.md section 2).
namespace dinette::tablestore::search {

/// Adds an index to a table, or returns why it may not be.
Answer<void> add_index(SearchIndexMeta index, TableMeta& table);

/// Fails if a table with search indexes has a time to live that they do not allow.
Answer<void> check_options(const TableMeta& table);

}  // namespace dinette::tablestore::search

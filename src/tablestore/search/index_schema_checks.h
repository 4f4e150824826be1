#pragma once

#include <string_view>
#include <vector>

#include "tablestore/model/table_meta.h"
#include "tablestore/request/api_error.h"

namespace dinette::tablestore::search {

/// Fails if no index of a table with that key may have the schema, a message IndexSchema, from now on
/// (tablestore/search-index.md section 2). Those that exist are read without it: IndexSchema::read.
Answer<void> check_schema(std::string_view message, const std::vector<KeyColumnMeta>& key);

}  // namespace dinette::tablestore::search

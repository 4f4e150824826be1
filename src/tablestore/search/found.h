#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/function_ref.h"

#include "tablestore/request/api_error.h"
#include "tablestore/search/document.h"

namespace dinette::tablestore::search {

/// A document that a query has found, for aggregations and groups.
struct Found {
  Document document;
  double score = 1;
};

/// All that was found, or a group of it.
using FoundList = std::vector<const Found*>;

/// Returns the row at a key as the reply has rows: PlainBuffer.
using ReadRow = base::FunctionRef<Answer<std::string>(std::string_view row_key)>;

}  // namespace dinette::tablestore::search

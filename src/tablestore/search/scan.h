#pragma once

#include <string_view>

#include "dinette/base/function_ref.h"

#include "tablestore/request/context.h"
#include "tablestore/search/query.h"
#include "tablestore/search/search_target.h"

namespace dinette::tablestore::search {

/// Is given each document that was found, in the order of the keys. Returns false to end the scan.
using TakeFound = base::FunctionRef<bool(Document&& document)>;

/// Reads all rows of a table after a key, or from the beginning if it is empty, and takes those that a query
/// finds.
Answer<void> scan(const Context& context, const store::View& view, const SearchTarget& target,
                  const Condition& condition, std::string_view after, TakeFound take);

/// Returns the document of a row that was found in the view.
Answer<Document> document_at(const Context& context, const store::View& view, const SearchTarget& target,
                             std::string_view row_key);

}  // namespace dinette::tablestore::search

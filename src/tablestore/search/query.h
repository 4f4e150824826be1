#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tablestore/api/messages.h"
#include "tablestore/request/api_error.h"
#include "tablestore/search/document.h"
#include "tablestore/search/index_schema.h"

namespace dinette::tablestore::search {

/// Returns true for the documents that a query finds. Independent of the request's bytes; the schema must
/// outlive it.
using Condition = std::function<bool(const Document& document)>;

/// Makes the condition of a query, which may be as deep as limits say (tablestore/search-index.md section 1).
/// Queries by vectors are refused.
Answer<Condition> read_query(const api::Query& query, const IndexSchema& schema);

class NearestVectors;

/// The documents inside others that a query has found, of one of its parts.
struct InnerCondition {
  std::string path;
  Condition condition;
  std::size_t offset = 0;
  std::size_t limit = 0;
};

/// What a search is about.
struct WholeQuery {
  Condition condition;
  /// Those of queries by vectors, which must look at all documents before the condition is asked.
  std::vector<std::shared_ptr<NearestVectors>> nearest = {};
  std::vector<InnerCondition> inner_hits = {};
  /// The words that are looked for, by the names of fields of type TEXT.
  std::map<std::string, std::set<std::string>, std::less<>> words = {};
};

/// `limit`: how many rows the search asks for. Queries by vectors find at least as many.
Answer<WholeQuery> read_whole_query(const api::Query& query, const IndexSchema& schema, std::int32_t limit);

}  // namespace dinette::tablestore::search

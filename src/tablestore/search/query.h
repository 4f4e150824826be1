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
#include "tablestore/search/relevance.h"
#include "tablestore/search/scores.h"

namespace dinette::tablestore::search {

/// Returns true for the documents that a query finds. Independent of the request's bytes; the schema must
/// outlive it.
using Condition = std::function<bool(const Document& document)>;

/// Makes the condition of a query, which may be as deep as limits say (tablestore/search-index.md section 1).
/// Queries by vectors, and functions that leave low scores out, are refused.
Answer<Condition> read_query(const api::Query& query, const IndexSchema& schema);

class NearestVectors;

/// The documents inside others that a query has found, of one of its parts.
struct InnerQuery {
  std::string path;
  Scorer score;
  std::size_t offset = 0;
  std::size_t limit = 0;
  std::vector<InnerQuery> inner_hits = {};  ///< of documents inside of these
};

/// What a search is about.
struct WholeQuery {
  Condition condition;
  Scorer score;
  /// Those of queries by vectors, which must look at all documents before the condition or the score is
  /// asked.
  std::vector<std::shared_ptr<NearestVectors>> nearest = {};
  /// What must look at all documents before the score is asked.
  Relevance relevance = {};
  bool has_functions = false;  ///< that change scores
  bool needs_scores = false;   ///< also the condition depends on what `relevance` has seen
  std::vector<InnerQuery> inner_hits = {};
  /// The words that are looked for, by the names of fields of type TEXT.
  std::map<std::string, std::set<std::string>, std::less<>> words = {};
};

/// `limit`: how many rows the search asks for. Queries by vectors find at least as many. `seed`: of random
/// scores.
Answer<WholeQuery> read_whole_query(const api::Query& query, const IndexSchema& schema, std::int32_t limit,
                                    std::uint64_t seed);

}  // namespace dinette::tablestore::search

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/kv/value.h"
#include "dinette/store/placement.h"
#include "dinette/store/scan.h"

#include "dynamodb/reads/vector_distance.h"
#include "dynamodb/request/api_error.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {

/// An attribute of an entry, and the value that it must have.
struct InlineFilter {
  std::string_view attribute;
  std::string value;  ///< the canonical text, `{"S":"value"}`: equal values have equal texts
};

/// What is looked for in an index of vectors. What is referred to must outlive it.
struct VectorQuery {
  const IndexSchema& index;
  VectorDistance distance;
  std::size_t most;                   ///< entries to find
  store::KeyRange range;              ///< of entries to look at
  std::vector<InlineFilter> filters;  ///< ascending by attribute; an entry must pass all of them
};

struct VectorHit {
  float score;
  kv::Value entry;  ///< vector_entry.h
};

/// Returns the entries with the best scores, the best one first; of equal ones those that come first in the
/// index. Exact: it looks at every entry of the range.
Answer<std::vector<VectorHit>> search(const store::View& view, const store::Table& table,
                                      const VectorQuery& query);

/// Returns the work of looking at that many entries of an index (model/work.h).
std::size_t work_of_search(const IndexSchema& index, std::int64_t entries);

}  // namespace dinette::dynamodb

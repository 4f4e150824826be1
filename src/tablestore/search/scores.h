#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "tablestore/search/document.h"

/// How well queries fit the documents that they find (tablestore/search-index.md section 5).
namespace dinette::tablestore::search {

/// Returns the score of a document; nothing for one that the query does not find. Independent of the
/// request's bytes; the schema must outlive it.
using Scorer = std::function<std::optional<double>(const Document& document)>;

/// As single precision has it, so that scores, however they are combined, stay numbers.
inline constexpr double greatest_score = std::numeric_limits<float>::max();

/// Returns a score in its bounds; 0 for what is no number.
inline double bounded_score(double score) {
  return std::isnan(score) ? 0 : std::clamp(score, -greatest_score, greatest_score);
}

}  // namespace dinette::tablestore::search

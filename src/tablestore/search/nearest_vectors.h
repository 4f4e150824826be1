#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tablestore/search/document.h"
#include "tablestore/search/query.h"

namespace dinette::tablestore::search {

/// Returns how alike two vectors of one length are, from 0 on: the more, the greater.
double score_of(api::VectorMetric metric, const Vector& a, const Vector& b);

/// The documents whose vectors are most like another one (tablestore/search-index.md section 2). Which these
/// are is known when all documents have been looked at, each once. The schema must outlive it.
class NearestVectors {
 public:
  struct Wanted {
    const Field* field = nullptr;
    Vector vector = {};
    std::size_t most = 0;   ///< documents
    double above = 0;       ///< documents with no greater score are left out
    Condition filter = {};  ///< which documents count; empty: all
  };
  explicit NearestVectors(Wanted wanted) : wanted_(std::move(wanted)) {}

  void look_at(const Document& document);
  /// Returns the score of a document that is one of them.
  std::optional<double> score_of(std::string_view row_key) const;

 private:
  Wanted wanted_;
  std::set<std::pair<double, std::string>> ordered_;  ///< by falling score, negated, and then by key
  std::map<std::string, double, std::less<>> scores_;
};

}  // namespace dinette::tablestore::search

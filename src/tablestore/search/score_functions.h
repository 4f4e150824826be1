#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "dinette/base/function_ref.h"

#include "tablestore/api/messages.h"
#include "tablestore/request/api_error.h"
#include "tablestore/search/index_schema.h"
#include "tablestore/search/query.h"

namespace dinette::tablestore::search {

/// Returns a number that a document has; nothing if it has none.
using NumberOf = std::function<std::optional<double>(const Document& document)>;

/// What changes the scores of a query (tablestore/search-index.md section 5). Independent of the request's
/// bytes; the schema must outlive it.
class ScoreFunctions {
 public:
  using ReadFilter = base::FunctionRef<Answer<Condition>(const api::Query& query)>;

  /// `seed`: of random scores, which are the same for the same one.
  static Answer<ScoreFunctions> read(const api::FunctionsScoreQuery& query, const IndexSchema& schema,
                                     std::uint64_t seed, ReadFilter read_filter);
  /// Multiplies scores by a field's value.
  static Answer<ScoreFunctions> read(const api::FieldValueFactor& factor, const IndexSchema& schema);

  /// Returns true if documents of low scores are not found.
  bool decides() const { return least_.has_value(); }
  /// Returns what becomes of the score of a document; nothing if it is not found by it.
  std::optional<double> changed(double score, const Document& document) const;

 private:
  struct Function {
    Condition filter = {};  ///< which documents it is about; empty: all
    NumberOf value = {};    ///< of those that have one; empty: 1
    double weight = 1;
  };

  static Answer<Function> read_function(const api::ScoreFunction& message, const IndexSchema& schema,
                                        std::uint64_t seed, ReadFilter read_filter);
  /// Returns what the functions are together; 1 if none is about the document.
  double factor_of(const Document& document) const;

  std::vector<Function> functions_;
  api::FunctionScoreMode mode_ = api::FunctionScoreMode::multiply;
  api::FunctionCombineMode combine_ = api::FunctionCombineMode::multiply;
  std::optional<double> least_;  ///< of scores
  std::optional<double> most_;   ///< of the functions together
};

/// Returns the weight of a query, or of a function; 1 if it is not given.
Answer<double> weight_of(const std::optional<float>& weight);

}  // namespace dinette::tablestore::search

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tablestore/api/enums.h"
#include "tablestore/search/document.h"
#include "tablestore/search/index_schema.h"
#include "tablestore/search/nearest_vectors.h"
#include "tablestore/search/query.h"
#include "tablestore/search/relevance.h"
#include "tablestore/search/score_functions.h"
#include "tablestore/search/scores.h"

/// What queries are made of (tablestore/search-index.md sections 1 and 5). The schema must outlive it.
namespace dinette::tablestore::search {

/// A query: which documents it finds, and how well it fits them.
struct Clause {
  Condition condition;
  Scorer score;
};
using Clauses = std::vector<Clause>;

/// Returns the clause of something that has both. Its copies are small.
template <class Both>
Clause clause_of(Both both) {
  const auto shared = std::make_shared<const Both>(std::move(both));
  return {[shared](const Document& document) { return shared->holds(document); },
          [shared](const Document& document) { return shared->score(document); }};
}

/// A query whose score is always the same.
struct ConstantClause {
  Condition condition;
  double weight = 1;

  bool holds(const Document& document) const { return condition(document); }
  std::optional<double> score(const Document& document) const;
};

Clause constant_clause(Condition condition, double weight = 1);

/// A query of words that scores by how relevant they are.
struct WordsClause {
  Condition condition;
  WordsScore words;
  double weight = 1;

  bool holds(const Document& document) const { return condition(document); }
  std::optional<double> score(const Document& document) const;
};

/// A query of a phrase, which scores by how relevant it is if that is asked for.
template <class AnyPhrase>
struct PhraseClause {
  const Field* field = nullptr;
  AnyPhrase phrase;
  std::optional<PhraseScore> relevance;
  double weight = 1;

  bool holds(const Document& document) const {
    return std::ranges::any_of(document.values_of(field->name),
                               [&](const FieldValue& value) { return phrase.is_in(words_of(value)); });
  }
  std::optional<double> score(const Document& document) const {
    if (!relevance) return holds(document) ? std::optional(weight) : std::nullopt;
    double frequency = 0;
    std::size_t length = 0;
    for (const FieldValue& value : document.values_of(field->name)) {
      const auto words = words_of(value);
      frequency += phrase.frequency_in(words);
      length += words.size();
    }
    if (!(frequency > 0)) return std::nullopt;
    return bounded_score(relevance->of(frequency, length) * weight);
  }

 private:
  std::vector<std::string> words_of(const FieldValue& value) const {
    return field->analyzer.words_of(std::get<std::string>(value));
  }
};

/// A bool query: the scores of what must hold and of what should are added up.
struct BoolClause {
  Clauses must = {};
  Clauses filter = {};
  Clauses must_not = {};
  Clauses should = {};
  std::int64_t least = 0;  ///< of `should`
  double weight = 1;

  bool holds(const Document& document) const;
  std::optional<double> score(const Document& document) const;

 private:
  bool passes(const Document& document) const;
};

/// A DisMax query: the best score counts, and a part of the others.
struct BestClause {
  Clauses queries = {};
  double tie_breaker = 0;
  double weight = 1;

  bool holds(const Document& document) const;
  std::optional<double> score(const Document& document) const;
};

/// A query of documents inside others.
struct InnerClause {
  const Field* field = nullptr;
  Clause query = {};
  api::ScoreMode mode = api::ScoreMode::avg;
  double weight = 1;

  bool holds(const Document& document) const;
  std::optional<double> score(const Document& document) const;
};

/// A query whose scores functions change.
struct ChangedClause {
  Clause query;
  ScoreFunctions functions;

  bool holds(const Document& document) const;
  std::optional<double> score(const Document& document) const;
};

/// A query by a vector.
struct NearestClause {
  std::shared_ptr<NearestVectors> nearest;
  double weight = 1;

  bool holds(const Document& document) const { return nearest->score_of(document.row_key).has_value(); }
  std::optional<double> score(const Document& document) const;
};

}  // namespace dinette::tablestore::search

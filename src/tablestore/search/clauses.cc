#include "tablestore/search/clauses.h"

namespace dinette::tablestore::search {
namespace {

double one_of_scores(const std::vector<double>& scores, api::ScoreMode mode) {
  double sum = 0;
  for (const double score : scores) sum += score;
  switch (mode) {
    case api::ScoreMode::none:
      return 0;
    case api::ScoreMode::avg:
      return sum / static_cast<double>(scores.size());
    case api::ScoreMode::max:
      return *std::ranges::max_element(scores);
    case api::ScoreMode::total:
      return sum;
    case api::ScoreMode::min:
      return *std::ranges::min_element(scores);
  }
  return sum;
}

}  // namespace

std::optional<double> ConstantClause::score(const Document& document) const {
  return condition(document) ? std::optional(weight) : std::nullopt;
}

Clause constant_clause(Condition condition, double weight) {
  return clause_of(ConstantClause{std::move(condition), weight});
}

std::optional<double> WordsClause::score(const Document& document) const {
  if (!condition(document)) return std::nullopt;
  return bounded_score(words.of(document) * weight);
}

bool BoolClause::holds(const Document& document) const {
  const auto one_holds = [&](const Clause& clause) { return clause.condition(document); };
  return std::ranges::all_of(must, one_holds) && passes(document) &&
         (least <= 0 || std::ranges::count_if(should, one_holds) >= least);
}

std::optional<double> BoolClause::score(const Document& document) const {
  if (!passes(document)) return std::nullopt;
  double sum = 0;
  for (const Clause& clause : must) {
    const auto part = clause.score(document);
    if (!part) return std::nullopt;
    sum += *part;
  }
  std::int64_t matched = 0;
  for (const Clause& clause : should) {
    const auto part = clause.score(document);
    sum += part.value_or(0);
    matched += part ? 1 : 0;
  }
  if (matched < least) return std::nullopt;
  return bounded_score(sum * weight);
}

bool BoolClause::passes(const Document& document) const {
  const auto one_holds = [&](const Clause& clause) { return clause.condition(document); };
  return std::ranges::all_of(filter, one_holds) && std::ranges::none_of(must_not, one_holds);
}

bool BestClause::holds(const Document& document) const {
  return std::ranges::any_of(queries, [&](const Clause& clause) { return clause.condition(document); });
}

std::optional<double> BestClause::score(const Document& document) const {
  std::optional<double> best;
  double sum = 0;
  for (const Clause& clause : queries) {
    const auto part = clause.score(document);
    if (!part) continue;
    best = best ? std::max(*best, *part) : *part;
    sum += *part;
  }
  if (!best) return std::nullopt;
  return bounded_score((*best + tie_breaker * (sum - *best)) * weight);
}

bool InnerClause::holds(const Document& document) const {
  return any_inner(document, field->name,
                   [&](const Document& inner, std::int32_t) { return query.condition(inner); });
}

std::optional<double> InnerClause::score(const Document& document) const {
  std::vector<double> scores;
  any_inner(document, field->name, [&](const Document& inner, std::int32_t) {
    if (const auto score = query.score(inner)) scores.push_back(*score);
    return false;
  });
  if (scores.empty()) return std::nullopt;
  return bounded_score(one_of_scores(scores, mode) * weight);
}

bool ChangedClause::holds(const Document& document) const {
  return functions.decides() ? score(document).has_value() : query.condition(document);
}

std::optional<double> ChangedClause::score(const Document& document) const {
  const auto before = query.score(document);
  return before ? functions.changed(*before, document) : std::nullopt;
}

std::optional<double> NearestClause::score(const Document& document) const {
  const auto score = nearest->score_of(document.row_key);
  return score ? std::optional(bounded_score(*score * weight)) : std::nullopt;
}

}  // namespace dinette::tablestore::search

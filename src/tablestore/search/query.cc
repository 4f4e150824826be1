#include "tablestore/search/query.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <unordered_set>
#include <utility>
#include <vector>

#include "dinette/base/scoped_value.h"

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/codec/field_reader.h"
#include "tablestore/plainbuffer/variant.h"
#include "tablestore/request/names.h"
#include "tablestore/search/clauses.h"
#include "tablestore/search/nearest_vectors.h"
#include "tablestore/search/phrases.h"
#include "tablestore/search/places.h"
#include "tablestore/search/score_functions.h"

namespace dinette::tablestore::search {
namespace {

using std::string;
using std::string_view;
using Words = std::vector<string>;

/// Returns what queries of single values find in a value: the words of a text, else the value.
template <class Test>
bool any_term(const Field& field, const FieldValue& value, const Test& test) {
  if (field.type != api::FieldType::text) return test(value);
  return std::ranges::any_of(field.analyzer.tokens_of(std::get<string>(value)),
                             [&](string& word) { return test(FieldValue(std::move(word))); });
}

/// Returns a condition that one of the values of a field, or one of its words, passes a test.
template <class Test>
Condition any_value(const Field& field, Test test) {
  return [&field, test = std::move(test)](const Document& document) {
    return std::ranges::any_of(document.values_of(field.name),
                               [&](const FieldValue& value) { return any_term(field, value, test); });
  };
}

/// The same of values that are texts.
template <class Test>
Condition any_text(const Field& field, Test test) {
  return any_value(field, [test = std::move(test)](const FieldValue& value) {
    const auto* const text = std::get_if<string>(&value);
    return text != nullptr && test(*text);
  });
}

/// The same of values that are places.
template <class Test>
Condition any_place(const Field& field, Test test) {
  return any_text(field, [test = std::move(test)](string_view text) {
    const auto place = read_place(text);
    return place && test(*place);
  });
}

/// The same of values that are addresses: one of them is in one of the ranges.
Condition any_address(const Field& field, std::vector<IpRange> ranges) {
  return any_value(field, [set = IpSet(std::move(ranges))](const FieldValue& value) {
    const auto* const address = std::get_if<IpAddress>(&value);
    return address != nullptr && set.has(*address);
  });
}

Condition none() {
  return [](const Document&) { return false; };
}

Answer<Place> place_of(const std::optional<string_view>& text) {
  const auto place = read_place(text.value_or(string_view()));
  if (!place) return refuse::invalid_geo_point(text.value_or(string_view()));
  return *place;
}

/// Returns how many of `count` parts must match by a text: a number, or one of percent, which is rounded
/// down; a negative one is how many need not (tablestore/search-index.md section 1).
Answer<std::int64_t> least_matches(string_view text, std::size_t count) {
  const bool is_percent = text.ends_with('%');
  const string_view digits = is_percent ? text.substr(0, text.size() - 1) : text;
  std::int32_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size())
    return refuse::invalid_least_matches(text);
  const auto all = static_cast<std::int64_t>(count);
  const std::int64_t some = is_percent ? all * number / 100 : number;
  return std::max<std::int64_t>(number < 0 ? all + some : some, 0);
}

std::size_t count_present(const Words& text, const Words& wanted) {
  const std::unordered_set<string_view> present(text.begin(), text.end());
  return static_cast<std::size_t>(
      std::ranges::count_if(wanted, [&](const string& word) { return present.contains(word); }));
}

/// Makes clauses. Counts queries and how deep they are inside each other.
class QueryReader {
 public:
  /// `whole` gets what the query has besides its clause. Null: nothing is kept, and there are no scores.
  QueryReader(const IndexSchema& schema, WholeQuery* whole, std::int32_t limit = 0, std::uint64_t seed = 0)
      : schema_(schema),
        whole_(whole),
        limit_(limit),
        seed_(seed),
        scored_(whole != nullptr),
        inner_hits_(whole != nullptr ? &whole->inner_hits : nullptr) {}

  // NOLINTNEXTLINE(misc-no-recursion): limited
  Answer<Clause> read(const api::Query& query) {
    if (!query.type) return refuse::query_not_served();
    if (depth_ == limits::query_depth || ++count_ > limits::queries) return refuse::query_too_large();
    ++depth_;
    DINETTE_TRY(Clause clause, read_body(*query.type, query.query.value_or(string_view())));
    --depth_;
    return clause;
  }

 private:
  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Clause> read_body(api::QueryType type, string_view body) {
    using api::QueryType;
    switch (type) {
      case QueryType::match_all:
        return constant_clause([](const Document&) { return true; });
      case QueryType::term:
        return read_as<api::TermQuery>(body);
      case QueryType::terms:
        return read_as<api::TermsQuery>(body);
      case QueryType::range:
        return read_as<api::RangeQuery>(body);
      case QueryType::prefix:
        return read_end(body, End::first);
      case QueryType::suffix:
        return read_end(body, End::last);
      case QueryType::wildcard:
        return read_as<api::WildcardQuery>(body);
      case QueryType::exists:
        return read_as<api::ExistsQuery>(body);
      case QueryType::bool_:
        return read_as<api::BoolQuery>(body);
      case QueryType::const_score:
        return read_as<api::ConstScoreQuery>(body);
      case QueryType::function_score:
        return read_as<api::FunctionScoreQuery>(body);
      case QueryType::functions_score:
        return read_as<api::FunctionsScoreQuery>(body);
      case QueryType::nested:
        return read_as<api::NestedQuery>(body);
      case QueryType::match:
        return read_as<api::MatchQuery>(body);
      case QueryType::match_phrase:
        return read_as<api::MatchPhraseQuery>(body);
      case QueryType::geo_bounding_box:
        return read_as<api::GeoBoundingBoxQuery>(body);
      case QueryType::geo_distance:
        return read_as<api::GeoDistanceQuery>(body);
      case QueryType::geo_polygon:
        return read_as<api::GeoPolygonQuery>(body);
      case QueryType::dis_max:
        return read_as<api::DisMaxQuery>(body);
      case QueryType::knn_vector:
        return read_as<api::KnnVectorQuery>(body);
    }
    return refuse::query_not_served();
  }

  /// Keeps words for highlighting.
  void look_for(const Field& field, const Words& words) {
    if (whole_ == nullptr || field.type != api::FieldType::text) return;
    whole_->words[field.name].insert(words.begin(), words.end());
  }

  template <class Message>
  Answer<Clause> read_as(string_view body) {
    const auto message = codec::decode_message<Message>(body);
    if (!message) return refuse::unreadable_message();
    return make(*message);
  }

  Answer<const Field*> field_of(const std::optional<string_view>& name) const {
    return schema_.find_indexed(name.value_or(string_view()));
  }

  /// Returns the addresses that a term is; nothing for what is none (tablestore/search-index.md section 2).
  static Answer<std::optional<IpRange>> addresses_of(string_view variant) {
    DINETTE_TRY(const Value value, plainbuffer::decode_variant(variant));
    return value.type() == ValueType::string ? read_ip_range(value.bytes()) : std::nullopt;
  }

  static Answer<Condition> any_address_of(const Field& field, const std::vector<string_view>& terms) {
    std::vector<IpRange> ranges;
    for (const string_view term : terms) {
      DINETTE_TRY(const auto range, addresses_of(term));
      if (range) ranges.push_back(*range);
    }
    return any_address(field, std::move(ranges));
  }

  static Answer<std::optional<FieldValue>> value_of(const Field& field, string_view variant) {
    DINETTE_TRY(const Value value, plainbuffer::decode_variant(variant));
    return field_value_of(field, value);
  }

  Answer<Clause> make(const api::TermQuery& query) {
    DINETTE_TRY(const Field* const field, field_of(query.field_name));
    DINETTE_TRY(const double weight, weight_of(query.weight));
    const string_view term = query.term.value_or(string_view());
    if (field->type == api::FieldType::ip) {
      DINETTE_TRY(Condition condition, any_address_of(*field, {term}));
      return constant_clause(std::move(condition), weight);
    }
    DINETTE_TRY(const auto wanted, value_of(*field, term));
    if (!wanted) return constant_clause(none());
    const Words words = {search::text_of(*wanted)};
    look_for(*field, words);
    const auto is_wanted = [wanted = *wanted](const FieldValue& value) {
      return compare(value, wanted) == 0;
    };
    return relevant_clause(*field, words, weight, any_value(*field, is_wanted));
  }

  /// Returns a clause that scores by how relevant words are: those of texts, and whole values of keywords.
  Clause relevant_clause(const Field& field, const Words& words, double weight, Condition condition) {
    const bool is_text = field.type == api::FieldType::text;
    if (!scored_ || (!is_text && field.type != api::FieldType::keyword))
      return constant_clause(std::move(condition), weight);
    const auto kind = is_text ? FieldWords::Kind::tokens : FieldWords::Kind::values;
    return clause_of(
        WordsClause{std::move(condition), WordsScore(whole_->relevance.of(field, kind), words), weight});
  }

  Answer<Clause> make(const api::TermsQuery& query) {
    DINETTE_TRY(const Field* const field, field_of(query.field_name));
    if (query.terms.size() > limits::query_terms) return refuse::too_many_terms(limits::query_terms);
    DINETTE_TRY(const double weight, weight_of(query.weight));
    if (field->type == api::FieldType::ip) {
      DINETTE_TRY(Condition condition, any_address_of(*field, query.terms));
      return constant_clause(std::move(condition), weight);
    }
    std::vector<FieldValue> wanted;
    Words words;
    for (const string_view term : query.terms) {
      DINETTE_TRY(const auto value, value_of(*field, term));
      if (!value || compare(*value, *value) != 0) continue;  // NaN equals nothing
      wanted.push_back(*value);
      words.push_back(search::text_of(*value));
    }
    look_for(*field, words);
    std::ranges::sort(wanted, LessValue());
    Condition condition = any_value(*field, [wanted = std::move(wanted)](const FieldValue& value) {
      return std::ranges::binary_search(wanted, value, LessValue());
    });
    // Several keywords are a filter, as Elasticsearch has it.
    if (field->type != api::FieldType::text) return constant_clause(std::move(condition), weight);
    return relevant_clause(*field, words, weight, std::move(condition));
  }

  /// Returns a bound; nothing for one that is absent or infinite. `fits` is false for a value that the field
  /// cannot have.
  static Answer<std::optional<FieldValue>> bound_of(const Field& field,
                                                    const std::optional<string_view>& variant, bool& fits) {
    if (!variant || variant->empty()) return std::optional<FieldValue>();
    DINETTE_TRY(const Value value, plainbuffer::decode_variant(*variant));
    if (value.is_infinite()) return std::optional<FieldValue>();
    auto bound = field_value_of(field, value);
    fits &= bound.has_value();
    return bound;
  }

  Answer<Clause> make(const api::RangeQuery& query) const {
    DINETTE_TRY(const Field* const field, field_of(query.field_name));
    bool fits = true;
    DINETTE_TRY(const auto from, bound_of(*field, query.range_from, fits));
    DINETTE_TRY(const auto to, bound_of(*field, query.range_to, fits));
    if (!fits) return constant_clause(none());
    const bool with_from = query.include_lower.value_or(false);
    const bool with_to = query.include_upper.value_or(false);
    return constant_clause(any_value(*field, [=](const FieldValue& value) {
      if (from) {
        const auto order = compare(value, *from);
        if (!(order > 0 || (with_from && order == 0))) return false;
      }
      if (!to) return true;
      const auto order = compare(value, *to);
      return order < 0 || (with_to && order == 0);
    }));
  }

  enum class End : bool { first, last };

  Answer<Clause> read_end(string_view body, End end) const {
    const auto query = codec::decode_message<api::PrefixQuery>(body);
    if (!query) return refuse::unreadable_message();
    DINETTE_TRY(const Field* const field, field_of(query->field_name));
    DINETTE_TRY(const double weight, weight_of(query->weight));
    const auto fits = [wanted = string(query->prefix.value_or(string_view())), end](string_view text) {
      return end == End::first ? text.starts_with(wanted) : text.ends_with(wanted);
    };
    return constant_clause(any_text(*field, fits), weight);
  }

  Answer<Clause> make(const api::WildcardQuery& query) const {
    DINETTE_TRY(const Field* const field, field_of(query.field_name));
    DINETTE_TRY(const double weight, weight_of(query.weight));
    string pattern(query.value.value_or(string_view()));
    if (characters_in(pattern) > limits::wildcard_characters)
      return refuse::wildcard_too_long(limits::wildcard_characters);
    const auto fits = [pattern = std::move(pattern)](string_view text) {
      return matches_wildcard(text, pattern);
    };
    return constant_clause(any_text(*field, fits), weight);
  }

  /// A field that the index does not have exists in no row.
  Answer<Clause> make(const api::ExistsQuery& query) const {
    if (schema_.find(query.field_name.value_or(string_view())) == nullptr) return constant_clause(none());
    DINETTE_TRY(const Field* const field, field_of(query.field_name));
    return constant_clause([field](const Document& document) { return has_value(document, *field); });
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Clauses> read_all(const std::vector<api::Query>& queries) {
    Clauses clauses;
    for (const api::Query& query : queries) {
      DINETTE_TRY(Clause clause, read(query));
      clauses.push_back(std::move(clause));
    }
    return clauses;
  }

  /// The same of queries whose scores make no difference.
  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Clauses> read_filters(const std::vector<api::Query>& queries) {
    const base::ScopedValue unscored(scored_, false);
    return read_all(queries);
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Clause> make(const api::BoolQuery& query) {
    BoolClause junction;
    DINETTE_TRY(junction.must, read_all(query.must_queries));
    DINETTE_TRY(junction.filter, read_filters(query.filter_queries));
    DINETTE_TRY(junction.must_not, read_filters(query.must_not_queries));
    DINETTE_TRY(junction.should, read_all(query.should_queries));
    DINETTE_TRY(junction.weight, weight_of(query.weight));
    const bool is_only_should = junction.must.empty() && junction.filter.empty() && !junction.should.empty();
    junction.least = query.minimum_should_match.value_or(is_only_should ? 1 : 0);
    if (query.new_minimum_should_match) {
      DINETTE_TRY(junction.least, least_matches(*query.new_minimum_should_match, junction.should.size()));
    }
    return clause_of(std::move(junction));
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Clause> make(const api::ConstScoreQuery& query) {
    const base::ScopedValue unscored(scored_, false);
    DINETTE_TRY(Clause filter, read(query.filter.value_or(api::Query())));
    return constant_clause(std::move(filter.condition));
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Clause> make(const api::FunctionScoreQuery& query) {
    DINETTE_TRY(Clause inner, read(query.query.value_or(api::Query())));
    if (!query.field_value_factor) return inner;
    DINETTE_TRY(ScoreFunctions functions, ScoreFunctions::read(*query.field_value_factor, schema_));
    return changed_clause(std::move(inner), std::move(functions));
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Clause> make(const api::FunctionsScoreQuery& query) {
    const bool decides = query.min_score.has_value();
    if (decides && whole_ == nullptr) return refuse::query_not_served();
    // Also in a filter these scores make a difference.
    const base::ScopedValue scored(scored_, scored_ || decides);
    if (decides) whole_->needs_scores = true;
    DINETTE_TRY(Clause inner, read(query.query.value_or(api::Query())));
    // NOLINTNEXTLINE(misc-no-recursion)
    const auto read_filter = [this](const api::Query& filter) -> Answer<Condition> {
      const base::ScopedValue unscored(scored_, false);
      DINETTE_TRY(Clause clause, read(filter));
      return std::move(clause.condition);
    };
    DINETTE_TRY(ScoreFunctions functions, ScoreFunctions::read(query, schema_, seed_, read_filter));
    return changed_clause(std::move(inner), std::move(functions));
  }

  Clause changed_clause(Clause query, ScoreFunctions functions) {
    if (scored_) whole_->has_functions = true;
    return clause_of(ChangedClause{std::move(query), std::move(functions)});
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Clause> make(const api::DisMaxQuery& query) {
    BestClause best;
    DINETTE_TRY(best.queries, read_all(query.queries));
    DINETTE_TRY(best.weight, weight_of(query.weight));
    best.tie_breaker = bounded_score(query.tie_breaker.value_or(0));
    return clause_of(std::move(best));
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Clause> make(const api::NestedQuery& query) {
    DINETTE_TRY(const Field* const field, field_of(query.path));
    const bool keeps_hits = query.inner_hits && inner_hits_ != nullptr;
    std::vector<InnerQuery> inside;
    DINETTE_TRY(Clause inner, read_inner(query, keeps_hits ? &inside : inner_hits_));
    DINETTE_TRY(const double weight, weight_of(query.weight));
    if (keeps_hits)
      keep(inner_query(*query.inner_hits, field->name, inner.score, std::move(inside)), *inner_hits_);
    return clause_of(
        InnerClause{field, std::move(inner), query.score_mode.value_or(api::ScoreMode::avg), weight});
  }

  /// `inner_hits` gets those of queries of documents inside of the ones that this query is about.
  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Clause> read_inner(const api::NestedQuery& query, std::vector<InnerQuery>* inner_hits) {
    const base::ScopedValue inside(inner_hits_, inner_hits);
    return read(query.query.value_or(api::Query()));
  }

  /// Clients have hits by their path, so that of several lists of one path the last one counts.
  static void keep(InnerQuery query, std::vector<InnerQuery>& inner_hits) {
    std::erase_if(inner_hits, [&](const InnerQuery& one) { return one.path == query.path; });
    inner_hits.push_back(std::move(query));
  }

  static InnerQuery inner_query(const api::InnerHits& asked, const string& path, const Scorer& score,
                                std::vector<InnerQuery> inside) {
    constexpr std::int32_t usual_limit = 3;
    const auto count = [](std::int32_t number) { return static_cast<std::size_t>(std::max(number, 0)); };
    return {.path = path,
            .score = score,
            .offset = count(asked.offset.value_or(0)),
            .limit = count(asked.limit.value_or(usual_limit)),
            .inner_hits = std::move(inside)};
  }

  /// The documents that count are not themselves found by a vector.
  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Clause> make(const api::KnnVectorQuery& query) {
    if (whole_ == nullptr) return refuse::query_not_served();
    DINETTE_TRY(const Field* const field, field_of(query.field_name));
    if (field->type != api::FieldType::vector) return refuse::not_a_vector_field(field->name);
    const std::int32_t most = query.top_k.value_or(0);
    if (most < 1 || most > limits::nearest_vectors) return refuse::invalid_top_k(limits::nearest_vectors);
    const auto dimension = std::ssize(query.float32_query_vector);
    if (dimension == 0 || (field->dimension != 0 && dimension != field->dimension))
      return refuse::mismatched_dimension(dimension, field->dimension);
    NearestVectors::Wanted wanted{.field = field,
                                  .vector = query.float32_query_vector,
                                  .most = static_cast<std::size_t>(std::max(most, limit_)),
                                  .above = static_cast<double>(query.min_score.value_or(0))};
    if (query.filter) {
      DINETTE_TRY(wanted.filter, read_query(*query.filter, schema_));
    }
    DINETTE_TRY(const double weight, weight_of(query.weight));
    const auto nearest = std::make_shared<NearestVectors>(std::move(wanted));
    whole_->nearest.push_back(nearest);
    return clause_of(NearestClause{nearest, weight});
  }

  Answer<Clause> make(const api::MatchQuery& query) {
    DINETTE_TRY(const Field* const field, field_of(query.field_name));
    const string text(query.text.value_or(string_view()));
    DINETTE_TRY(const double weight, weight_of(query.weight));
    if (field->type != api::FieldType::text) return equal_clause(*field, text, weight);
    look_for(*field, field->analyzer.words_of(text));
    const Words wanted = field->analyzer.tokens_of(text);
    DINETTE_TRY(const std::int64_t asked, asked_of(query, wanted.size()));
    const auto least = static_cast<std::size_t>(std::max<std::int64_t>(1, asked));
    const auto fits = [=, &analyzer = field->analyzer](const FieldValue& value) {
      return !wanted.empty() && count_present(analyzer.tokens_of(std::get<string>(value)), wanted) >=
                                    std::min(least, wanted.size());
    };
    return relevant_clause(*field, wanted, weight, [field, fits](const Document& document) {
      return std::ranges::any_of(document.values_of(field->name), std::cref(fits));
    });
  }

  static Answer<std::int64_t> asked_of(const api::MatchQuery& query, std::size_t words) {
    if (query.operator_ == api::QueryOperator::and_) return static_cast<std::int64_t>(words);
    if (query.new_minimum_should_match) return least_matches(*query.new_minimum_should_match, words);
    return query.minimum_should_match.value_or(1);
  }

  Answer<Clause> make(const api::MatchPhraseQuery& query) {
    DINETTE_TRY(const Field* const field, field_of(query.field_name));
    DINETTE_TRY(const double weight, weight_of(query.weight));
    const string text(query.text.value_or(string_view()));
    if (field->type != api::FieldType::text) return equal_clause(*field, text, weight);
    const Words wanted = field->analyzer.words_of(text);
    look_for(*field, wanted);
    // The fuzzy analyzer has no words that are so short.
    const bool too_short = field->analyzer.kind == Analyzer::Kind::characters &&
                           wanted.size() < field->analyzer.least_characters;
    if (too_short) return constant_clause(none());
    if (query.slop.value_or(0) > 0) {
      if (wanted.size() > limits::sloppy_phrase_words)
        return refuse::too_many_sloppy_words(limits::sloppy_phrase_words);
      return phrase_clause(*field, wanted, SloppyPhrase(wanted, *query.slop), weight);
    }
    return phrase_clause(*field, wanted, Phrase(wanted), weight);
  }

  template <class AnyPhrase>
  Clause phrase_clause(const Field& field, const Words& words, AnyPhrase phrase, double weight) {
    PhraseClause<AnyPhrase> clause{&field, std::move(phrase), std::nullopt, weight};
    if (scored_) clause.relevance.emplace(whole_->relevance.of(field, FieldWords::Kind::sequence), words);
    return clause_of(std::move(clause));
  }

  Clause equal_clause(const Field& field, const string& text, double weight) {
    if (field.type == api::FieldType::ip) {
      const auto range = read_ip_range(text);
      return constant_clause(range ? any_address(field, {*range}) : none(), weight);
    }
    const auto is_wanted = [text](const FieldValue& value) { return search::text_of(value) == text; };
    return relevant_clause(field, {text}, weight, any_value(field, is_wanted));
  }

  Answer<Clause> make(const api::GeoBoundingBoxQuery& query) const {
    DINETTE_TRY(const Field* const field, field_of(query.field_name));
    DINETTE_TRY(const Place top_left, place_of(query.top_left));
    DINETTE_TRY(const Place bottom_right, place_of(query.bottom_right));
    return constant_clause(
        any_place(*field, [=](const Place& place) { return in_box(place, top_left, bottom_right); }));
  }

  Answer<Clause> make(const api::GeoDistanceQuery& query) const {
    DINETTE_TRY(const Field* const field, field_of(query.field_name));
    DINETTE_TRY(const Place center, place_of(query.center_point));
    const auto is_near = [center, most = query.distance.value_or(0)](const Place& place) {
      return distance(place, center) <= most;
    };
    return constant_clause(any_place(*field, is_near));
  }

  Answer<Clause> make(const api::GeoPolygonQuery& query) const {
    DINETTE_TRY(const Field* const field, field_of(query.field_name));
    std::vector<Place> corners;
    for (const string_view point : query.points) {
      DINETTE_TRY(const Place corner, place_of(point));
      corners.push_back(corner);
    }
    if (corners.size() < 3) return refuse::invalid_geo_polygon();
    const auto is_inside = [corners = std::move(corners)](const Place& place) {
      return in_polygon(place, corners);
    };
    return constant_clause(any_place(*field, is_inside));
  }

  const IndexSchema& schema_;
  WholeQuery* const whole_;
  const std::int32_t limit_;
  const std::uint64_t seed_;
  bool scored_;                          ///< what is read now has scores that make a difference
  std::vector<InnerQuery>* inner_hits_;  ///< of what is read now; null: none are kept
  std::size_t depth_ = 0;
  std::size_t count_ = 0;
};

}  // namespace

Answer<Condition> read_query(const api::Query& query, const IndexSchema& schema) {
  DINETTE_TRY(Clause clause, QueryReader(schema, nullptr).read(query));
  return std::move(clause.condition);
}

Answer<WholeQuery> read_whole_query(const api::Query& query, const IndexSchema& schema, std::int32_t limit,
                                    std::uint64_t seed) {
  WholeQuery whole;
  DINETTE_TRY(Clause clause, QueryReader(schema, &whole, limit, seed).read(query));
  whole.condition = std::move(clause.condition);
  whole.score = std::move(clause.score);
  return whole;
}

}  // namespace dinette::tablestore::search

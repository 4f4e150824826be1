#include "tablestore/search/query.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/codec/field_reader.h"
#include "tablestore/plainbuffer/variant.h"
#include "tablestore/request/names.h"
#include "tablestore/search/nearest_vectors.h"
#include "tablestore/search/places.h"

namespace dinette::tablestore::search {
namespace {

using std::string;
using std::string_view;
using Conditions = std::vector<Condition>;
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

Condition none() {
  return [](const Document&) { return false; };
}

Answer<Place> place_of(const std::optional<string_view>& text) {
  const auto place = read_place(text.value_or(string_view()));
  if (!place) return refuse::invalid_geo_point(text.value_or(string_view()));
  return *place;
}

/// Words that are looked for one after the other, by the method of Knuth, Morris and Pratt: the time does not
/// depend on how often a text has the beginning of the phrase.
class Phrase {
 public:
  explicit Phrase(Words words) : words_(std::move(words)), borders_(words_.size(), 0) {
    std::size_t matched = 0;
    for (std::size_t i = 1; i < words_.size(); ++i) borders_[i] = matched = extended(matched, words_[i]);
  }

  bool is_in(const Words& text) const {
    if (words_.empty()) return false;
    std::size_t matched = 0;
    for (const string& word : text) {
      matched = extended(matched, word);
      if (matched == words_.size()) return true;
    }
    return false;
  }

 private:
  /// Returns how many words of the phrase are matched with the next one, where `matched` were before it.
  std::size_t extended(std::size_t matched, const string& next) const {
    while (matched > 0 && words_[matched] != next) matched = borders_[matched - 1];
    return words_[matched] == next ? matched + 1 : 0;
  }

  Words words_;
  std::vector<std::size_t> borders_;  ///< how long a beginning each beginning ends with, other than itself
};

/// Words that may be apart: a slop is by how many positions they may be moved in all, as Lucene counts, which
/// is how far apart the places are at which the phrase would begin by each of its words.
class SloppyPhrase {
 public:
  SloppyPhrase(const Words& words, std::int32_t slop)
      : size_(static_cast<std::int64_t>(words.size())), slop_(slop) {
    for (std::size_t i = 0; i < words.size(); ++i) places_[words[i]].push_back(static_cast<std::int64_t>(i));
  }

  bool is_in(const Words& text) const {
    if (places_.empty()) return false;
    std::unordered_map<string_view, std::vector<std::int64_t>> found;
    for (std::size_t i = 0; i < text.size(); ++i)
      if (places_.contains(text[i])) found[text[i]].push_back(static_cast<std::int64_t>(i));
    if (found.size() < places_.size()) return false;
    const auto begins_at = [&](std::int64_t begin) {
      return std::ranges::all_of(
          places_, [&](const auto& word) { return fit(word.second, found.at(word.first), begin); });
    };
    // By some of its words the phrase may begin before the text.
    for (std::int64_t begin = -size_; begin < static_cast<std::int64_t>(text.size()); ++begin)
      if (begins_at(begin)) return true;
    return false;
  }

 private:
  /// Returns true if each of the places of a word in the phrase has a position in the text of its own. The
  /// earliest one that is free is the best one, as all may be moved equally far.
  bool fit(const std::vector<std::int64_t>& places, const std::vector<std::int64_t>& positions,
           std::int64_t begin) const {
    auto next = positions.begin();
    for (const std::int64_t place : places) {
      next = std::lower_bound(next, positions.end(), begin + place);
      if (next == positions.end() || *next > begin + place + slop_) return false;
      ++next;
    }
    return true;
  }

  std::map<string, std::vector<std::int64_t>, std::less<>> places_;  ///< in the phrase, by word
  std::int64_t size_;
  std::int64_t slop_;
};

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

/// Makes conditions. Counts queries and how deep they are inside each other.
class QueryReader {
 public:
  /// `whole` gets what the query has besides its condition. Null: nothing is kept.
  QueryReader(const IndexSchema& schema, WholeQuery* whole, std::int32_t limit = 0)
      : schema_(schema), whole_(whole), limit_(limit) {}

  // NOLINTNEXTLINE(misc-no-recursion): limited
  Answer<Condition> read(const api::Query& query) {
    if (!query.type) return refuse::query_not_served();
    if (depth_ == limits::query_depth || ++count_ > limits::queries) return refuse::query_too_large();
    ++depth_;
    DINETTE_TRY(Condition condition, read_body(*query.type, query.query.value_or(string_view())));
    --depth_;
    return condition;
  }

 private:
  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Condition> read_body(api::QueryType type, string_view body) {
    using api::QueryType;
    switch (type) {
      case QueryType::match_all:
        return Condition([](const Document&) { return true; });
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
      case QueryType::functions_score:
        return read_as<api::FunctionScoreQuery>(body);
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
  Answer<Condition> read_as(string_view body) {
    const auto message = codec::decode_message<Message>(body);
    if (!message) return refuse::unreadable_message();
    return make(*message);
  }

  Answer<const Field*> field_of(const std::optional<string_view>& name) const {
    return schema_.find_indexed(name.value_or(string_view()));
  }

  static Answer<std::optional<FieldValue>> value_of(const Field& field, string_view variant) {
    DINETTE_TRY(const Value value, plainbuffer::decode_variant(variant));
    return field_value_of(field, value);
  }

  Answer<Condition> make(const api::TermQuery& query) {
    DINETTE_TRY(const Field* const field, field_of(query.field_name));
    DINETTE_TRY(const auto wanted, value_of(*field, query.term.value_or(string_view())));
    if (!wanted) return none();
    look_for(*field, {search::text_of(*wanted)});
    return any_value(*field,
                     [wanted = *wanted](const FieldValue& value) { return compare(value, wanted) == 0; });
  }

  Answer<Condition> make(const api::TermsQuery& query) {
    DINETTE_TRY(const Field* const field, field_of(query.field_name));
    if (query.terms.size() > limits::query_terms) return refuse::too_many_terms(limits::query_terms);
    std::vector<FieldValue> wanted;
    for (const string_view term : query.terms) {
      DINETTE_TRY(const auto value, value_of(*field, term));
      if (!value || compare(*value, *value) != 0) continue;  // NaN equals nothing
      wanted.push_back(*value);
      look_for(*field, {search::text_of(*value)});
    }
    std::ranges::sort(wanted, LessValue());
    return any_value(*field, [wanted = std::move(wanted)](const FieldValue& value) {
      return std::ranges::binary_search(wanted, value, LessValue());
    });
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

  Answer<Condition> make(const api::RangeQuery& query) const {
    DINETTE_TRY(const Field* const field, field_of(query.field_name));
    bool fits = true;
    DINETTE_TRY(const auto from, bound_of(*field, query.range_from, fits));
    DINETTE_TRY(const auto to, bound_of(*field, query.range_to, fits));
    if (!fits) return none();
    const bool with_from = query.include_lower.value_or(false);
    const bool with_to = query.include_upper.value_or(false);
    return any_value(*field, [=](const FieldValue& value) {
      if (from) {
        const auto order = compare(value, *from);
        if (!(order > 0 || (with_from && order == 0))) return false;
      }
      if (!to) return true;
      const auto order = compare(value, *to);
      return order < 0 || (with_to && order == 0);
    });
  }

  enum class End : bool { first, last };

  Answer<Condition> read_end(string_view body, End end) const {
    const auto query = codec::decode_message<api::PrefixQuery>(body);
    if (!query) return refuse::unreadable_message();
    DINETTE_TRY(const Field* const field, field_of(query->field_name));
    return any_text(*field, [wanted = string(query->prefix.value_or(string_view())), end](string_view text) {
      return end == End::first ? text.starts_with(wanted) : text.ends_with(wanted);
    });
  }

  Answer<Condition> make(const api::WildcardQuery& query) const {
    DINETTE_TRY(const Field* const field, field_of(query.field_name));
    string pattern(query.value.value_or(string_view()));
    if (characters_in(pattern) > limits::wildcard_characters)
      return refuse::wildcard_too_long(limits::wildcard_characters);
    return any_text(
        *field, [pattern = std::move(pattern)](string_view text) { return matches_wildcard(text, pattern); });
  }

  Answer<Condition> make(const api::ExistsQuery& query) const {
    DINETTE_TRY(const Field* const field, field_of(query.field_name));
    return Condition([field](const Document& document) {
      return !document.values_of(field->name).empty() || !document.nested_of(field->name).empty() ||
             document.vectors.contains(field->name);
    });
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Conditions> read_all(const std::vector<api::Query>& queries) {
    Conditions conditions;
    for (const api::Query& query : queries) {
      DINETTE_TRY(Condition condition, read(query));
      conditions.push_back(std::move(condition));
    }
    return conditions;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Condition> make(const api::BoolQuery& query) {
    DINETTE_TRY(Conditions must, read_all(query.must_queries));
    DINETTE_TRY(Conditions filter, read_all(query.filter_queries));
    DINETTE_TRY(Conditions must_not, read_all(query.must_not_queries));
    DINETTE_TRY(Conditions should, read_all(query.should_queries));
    must.insert(must.end(), filter.begin(), filter.end());
    const int usual = must.empty() && !should.empty() ? 1 : 0;
    std::int64_t least = query.minimum_should_match.value_or(usual);
    if (query.new_minimum_should_match) {
      DINETTE_TRY(least, least_matches(*query.new_minimum_should_match, should.size()));
    }
    return Condition([=](const Document& document) {
      const auto holds = [&](const Condition& condition) { return condition(document); };
      return std::ranges::all_of(must, holds) && std::ranges::none_of(must_not, holds) &&
             (least <= 0 || std::ranges::count_if(should, holds) >= least);
    });
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Condition> make(const api::ConstScoreQuery& query) {
    return read(query.filter.value_or(api::Query()));
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Condition> make(const api::FunctionScoreQuery& query) {
    return read(query.query.value_or(api::Query()));
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Condition> make(const api::DisMaxQuery& query) {
    DINETTE_TRY(Conditions queries, read_all(query.queries));
    return Condition([=](const Document& document) {
      return std::ranges::any_of(queries, [&](const Condition& condition) { return condition(document); });
    });
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Condition> make(const api::NestedQuery& query) {
    DINETTE_TRY(const Field* const field, field_of(query.path));
    DINETTE_TRY(Condition inner, read(query.query.value_or(api::Query())));
    if (query.inner_hits && whole_ != nullptr) keep_inner_hits(*query.inner_hits, field->name, inner);
    return Condition([field, inner = std::move(inner)](const Document& document) {
      return std::ranges::any_of(document.nested_of(field->name), inner);
    });
  }

  void keep_inner_hits(const api::InnerHits& asked, const string& path, const Condition& inner) {
    constexpr std::int32_t usual_limit = 3;
    const auto count = [](std::int32_t number) { return static_cast<std::size_t>(std::max(number, 0)); };
    whole_->inner_hits.push_back({.path = path,
                                  .condition = inner,
                                  .offset = count(asked.offset.value_or(0)),
                                  .limit = count(asked.limit.value_or(usual_limit))});
  }

  /// The documents that count are not themselves found by a vector.
  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Condition> make(const api::KnnVectorQuery& query) {
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
      DINETTE_TRY(wanted.filter, QueryReader(schema_, nullptr).read(*query.filter));
    }
    const auto nearest = std::make_shared<NearestVectors>(std::move(wanted));
    whole_->nearest.push_back(nearest);
    return Condition(
        [nearest](const Document& document) { return nearest->score_of(document.row_key).has_value(); });
  }

  Answer<Condition> make(const api::MatchQuery& query) {
    DINETTE_TRY(const Field* const field, field_of(query.field_name));
    const string text(query.text.value_or(string_view()));
    if (field->type != api::FieldType::text) return equal_to(*field, text);
    look_for(*field, field->analyzer.words_of(text));
    const Words wanted = field->analyzer.tokens_of(text);
    DINETTE_TRY(const std::int64_t asked, asked_of(query, wanted.size()));
    const auto least = static_cast<std::size_t>(std::max<std::int64_t>(1, asked));
    return on_texts(*field, [=, &analyzer = field->analyzer](string_view value) {
      return !wanted.empty() &&
             count_present(analyzer.tokens_of(value), wanted) >= std::min(least, wanted.size());
    });
  }

  static Answer<std::int64_t> asked_of(const api::MatchQuery& query, std::size_t words) {
    if (query.operator_ == api::QueryOperator::and_) return static_cast<std::int64_t>(words);
    if (query.new_minimum_should_match) return least_matches(*query.new_minimum_should_match, words);
    return query.minimum_should_match.value_or(1);
  }

  Answer<Condition> make(const api::MatchPhraseQuery& query) {
    DINETTE_TRY(const Field* const field, field_of(query.field_name));
    const string text(query.text.value_or(string_view()));
    if (field->type != api::FieldType::text) return equal_to(*field, text);
    Words wanted = field->analyzer.words_of(text);
    look_for(*field, wanted);
    // The fuzzy analyzer has no words that are so short.
    const bool too_short = field->analyzer.kind == Analyzer::Kind::characters &&
                           wanted.size() < field->analyzer.least_characters;
    if (too_short) return none();
    if (query.slop.value_or(0) > 0) {
      if (wanted.size() > limits::sloppy_phrase_words)
        return refuse::too_many_sloppy_words(limits::sloppy_phrase_words);
      return on_words(*field, SloppyPhrase(wanted, *query.slop));
    }
    return on_words(*field, Phrase(std::move(wanted)));
  }

  /// Returns a condition on one of the texts of a field.
  template <class Test>
  static Condition on_texts(const Field& field, Test test) {
    return [&field, test = std::move(test)](const Document& document) {
      return std::ranges::any_of(document.values_of(field.name),
                                 [&](const FieldValue& value) { return test(std::get<string>(value)); });
    };
  }

  /// Returns a condition that a phrase is in one of the texts of a field.
  template <class AnyPhrase>
  static Condition on_words(const Field& field, AnyPhrase phrase) {
    return on_texts(field, [&analyzer = field.analyzer, phrase = std::move(phrase)](string_view text) {
      return phrase.is_in(analyzer.words_of(text));
    });
  }

  static Condition equal_to(const Field& field, const string& text) {
    return any_value(field, [text](const FieldValue& value) { return search::text_of(value) == text; });
  }

  Answer<Condition> make(const api::GeoBoundingBoxQuery& query) const {
    DINETTE_TRY(const Field* const field, field_of(query.field_name));
    DINETTE_TRY(const Place top_left, place_of(query.top_left));
    DINETTE_TRY(const Place bottom_right, place_of(query.bottom_right));
    return any_place(*field, [=](const Place& place) { return in_box(place, top_left, bottom_right); });
  }

  Answer<Condition> make(const api::GeoDistanceQuery& query) const {
    DINETTE_TRY(const Field* const field, field_of(query.field_name));
    DINETTE_TRY(const Place center, place_of(query.center_point));
    return any_place(*field, [center, most = query.distance.value_or(0)](const Place& place) {
      return distance(place, center) <= most;
    });
  }

  Answer<Condition> make(const api::GeoPolygonQuery& query) const {
    DINETTE_TRY(const Field* const field, field_of(query.field_name));
    std::vector<Place> corners;
    for (const string_view point : query.points) {
      DINETTE_TRY(const Place corner, place_of(point));
      corners.push_back(corner);
    }
    if (corners.size() < 3) return refuse::invalid_geo_polygon();
    return any_place(
        *field, [corners = std::move(corners)](const Place& place) { return in_polygon(place, corners); });
  }

  const IndexSchema& schema_;
  WholeQuery* const whole_;
  const std::int32_t limit_;
  std::size_t depth_ = 0;
  std::size_t count_ = 0;
};

}  // namespace

Answer<Condition> read_query(const api::Query& query, const IndexSchema& schema) {
  return QueryReader(schema, nullptr).read(query);
}

Answer<WholeQuery> read_whole_query(const api::Query& query, const IndexSchema& schema, std::int32_t limit) {
  WholeQuery whole;
  DINETTE_TRY(whole.condition, QueryReader(schema, &whole, limit).read(query));
  return whole;
}

}  // namespace dinette::tablestore::search

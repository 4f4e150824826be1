#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tablestore/plainbuffer/row_reader.h"
#include "tablestore/search/searched.h"

// How well queries fit the rows that they find (tablestore/search-index.md section 5). All figures are
// computed in the comments next to them; scores are compared as far as four digits after the point.
namespace dinette::tablestore::search_scores_test {

using namespace test;
using api::FieldType;
using api::QueryType;

std::string by_score() {
  const api::Sorter sorter{.score_sort = api::OrderedSort{}};
  return codec::encode_message(api::Sort{.sorter = {sorter}});
}

std::string invalid(std::string_view message) {
  return "OTSParameterInvalid: " + std::string(message);
}

/// Returns a number with at most four digits after the point: "0.4458", "2".
std::string rounded(double number) {
  std::string text = std::to_string(std::round(number * 10'000) / 10'000);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

/// Returns the `gid` of the rows of a response, each with its score: "2 0.5, 1 0.25".
std::string scored(const api::SearchResponse& response) {
  REQUIRE(response.search_hits.size() == response.rows.size());
  std::string text;
  for (std::size_t i = 0; i < response.rows.size(); ++i) {
    const auto row = plainbuffer::decode_row(response.rows[i]);
    REQUIRE(row);
    text += (text.empty() ? "" : ", ") + std::to_string(row->key.front().value.as_integer()) + ' ' +
            rounded(response.search_hits[i].score.value());
  }
  return text;
}

/// The same of a search in the order of the scores.
std::string scores(Searched& rows, const QueryText& query) {
  return scored(*rows.response(query, {.sort = by_score()}));
}

QueryText phrase(std::string_view field, std::string_view text, api::MatchPhraseQuery more = {}) {
  more.field_name = field;
  more.text = text;
  return query_of(QueryType::match_phrase, more);
}

QueryText weighted_term(std::string_view field, const Value& value, float weight) {
  const std::string wanted = variant(value);
  return query_of(QueryType::term, api::TermQuery{.field_name = field, .term = wanted, .weight = weight});
}

/// A query that finds the rows with `n`, whose score is the weight.
QueryText number(std::int64_t n, float weight) {
  return weighted_term("n", Value::integer(n), weight);
}

QueryText functions(api::FunctionsScoreQuery query, const QueryText& inner = everything()) {
  query.query = inner.message();
  return query_of(QueryType::functions_score, query);
}

// BM25 of a word: rarity * frequency / (frequency + 1.2 * (0.25 + 0.75 * length / average length)), where the
// rarity is ln(1 + (N - n + 0.5) / (n + 0.5)).

/// Three texts of two words on average. The rarity of `plum` is ln(1 + 2.5 / 1.5) = 0.980829, that of `apple`
/// and of `pear` ln(1 + 1.5 / 2.5) = 0.470004: the row without a text does not count.
class Fruits : public Searched {
 public:
  Fruits() : Searched({{"t", FieldType::text}, {"k"}, {"n", FieldType::long_}}) {
    put(1, {words("t", "apple"), words("k", "a"), whole("n", 1)});
    put(2, {words("t", "apple apple pear"), words("k", "a"), whole("n", 2)});
    put(3, {words("t", "pear plum"), words("k", "b"), whole("n", 3)});
    put(4, {whole("n", 4)});
  }
};

TEST_CASE("words score by how rare they are, how often a text has them, and how long it is") {
  Fruits rows;
  // 0.980829 * 1 / (1 + 1.2)
  CHECK(scores(rows, match("t", "plum")) == "3 0.4458");
  // Row 1: 0.470004 * 1 / (1 + 1.2 * (0.25 + 0.75 * 1 / 2)) = 0.470004 / 1.75. Row 2: 0.470004 * 2 / (2 + 1.2
  // * (0.25 + 0.75 * 3 / 2)) = 0.470004 * 2 / 3.65.
  CHECK(scores(rows, match("t", "apple")) == "1 0.2686, 2 0.2575");
  CHECK(scores(rows, match("t", "apple plum")) == "3 0.4458, 1 0.2686, 2 0.2575");
  // Row 2 has 0.2575 of `apple` and 0.470004 / 2.65 = 0.1774 of `pear`.
  CHECK(scores(rows, match("t", "Pear APPLE", {.operator_ = api::QueryOperator::and_})) == "2 0.4349");
  // A word that is given twice counts twice, a weight as often as it says.
  CHECK(scores(rows, match("t", "plum plum")) == "3 0.8917");
  CHECK(scores(rows, match("t", "plum", {.weight = 10})) == "3 4.4583");
  CHECK(scores(rows, match("t", "plum", {.weight = 0})) == "3 0");
}

TEST_CASE("terms of texts score as words do, and one keyword as a word without a length") {
  Fruits rows;
  CHECK(scores(rows, term("t", Value::string("plum"))) == "3 0.4458");
  CHECK(scores(rows, terms("t", {Value::string("plum"), Value::string("apple")})) ==
        "3 0.4458, 1 0.2686, 2 0.2575");
  // The rarities are those above, and three rows have keywords: 0.980829 / 2.2, and 0.470004 / 2.2.
  CHECK(scores(rows, term("k", Value::string("b"))) == "3 0.4458");
  CHECK(scores(rows, match("k", "a", {.weight = 2})) == "1 0.4273, 2 0.4273");
  CHECK(scores(rows, terms("k", {Value::string("b"), Value::string("a")})) == "1 1, 2 1, 3 1");
}

TEST_CASE("a long text is as long as its index keeps it") {
  Searched rows({{"t", FieldType::text}});
  const auto text_of = [](std::size_t words) {
    std::string text = "x";
    for (std::size_t i = 1; i < words; ++i) text += " y";
    return text;
  };
  const std::string forty = text_of(40);
  const std::string forty_one = text_of(41);
  rows.put(1, {words("t", forty_one)});
  rows.put(2, {words("t", forty)});
  // 41 words are kept as 40: ln(1.2) / (1 + 1.2 * (0.25 + 0.75 * 40 / 40.5)) = 0.182322 / 2.188889.
  CHECK(scores(rows, match("t", "x")) == "1 0.0833, 2 0.0833");
}

TEST_CASE("the texts of an array are one text") {
  Searched rows({{"t", FieldType::text, true}});
  rows.put(1, {words("t", R"(["a b", "a"])")});
  // One row of three words: ln(1 + 0.5 / 1.5) * 2 / (2 + 1.2) = 0.287682 * 0.625
  CHECK(scores(rows, match("t", "a")) == "1 0.1798");
  CHECK(scores(rows, phrase("t", "b a")).empty());
}

TEST_CASE("phrases score as all of their words together") {
  Searched rows({{"t", FieldType::text}});
  rows.put(1, {words("t", "a b c")});
  rows.put(2, {words("t", "a b a b")});
  rows.put(3, {words("t", "b a")});
  // The rarity of `a` and that of `b` is ln(1 + 0.5 / 3.5) = 0.133531, together 0.267063; texts have three
  // words on average. Row 2: 0.267063 * 2 / (2 + 1.2 * (0.25 + 0.75 * 4 / 3)). Row 1: 0.267063 / 2.2.
  CHECK(scores(rows, phrase("t", "a b")) == "2 0.1526, 1 0.1214");
  CHECK(scores(rows, phrase("t", "a b", {.weight = 10})) == "2 1.5261, 1 1.2139");
  // Words that are moved by one position count as half a phrase: (0.133531 + 0.980829) * 0.5 / (0.5 + 1.2)
  CHECK(scores(rows, phrase("t", "a c", {.slop = 1})) == "1 0.3278");
  // With its words two positions apart from their places row 1 has a third of `b a`:
  // 0.267063 * (1 / 3) / (1 / 3 + 1.2). Row 2 has it once, since what begins with its first `a` ends at the
  // same word: 0.267063 / (1 + 1.2 * 1.25). Row 3: 0.267063 / (1 + 1.2 * (0.25 + 0.75 * 2 / 3)).
  CHECK(scores(rows, phrase("t", "b a", {.slop = 2})) == "3 0.1406, 2 0.1068, 1 0.0581");
}

TEST_CASE("other queries score 1, or their weight") {
  Fruits rows;
  const std::string ones = "1 1, 2 1, 3 1, 4 1";
  CHECK(scores(rows, everything()) == ones);
  CHECK(scores(rows, range("n", Value::integer(1), true, Value::inf_max(), false)) == ones);
  CHECK(scores(rows, query_of(QueryType::exists, api::ExistsQuery{.field_name = "n"})) == ones);
  CHECK(scores(rows, number(2, 3)) == "2 3");
  CHECK(scores(rows, query_of(QueryType::prefix, api::PrefixQuery{.field_name = "k", .prefix = "b"})) ==
        "3 1");
  CHECK(scores(rows, query_of(QueryType::prefix,
                              api::PrefixQuery{.field_name = "t", .prefix = "pl", .weight = 2.5F})) ==
        "3 2.5");
  CHECK(scores(rows, query_of(QueryType::wildcard,
                              api::WildcardQuery{.field_name = "k", .value = "?", .weight = 2})) ==
        "1 2, 2 2, 3 2");
  const QueryText plum = match("t", "plum", {.weight = 7});
  CHECK(scores(rows, query_of(QueryType::const_score, api::ConstScoreQuery{.filter = plum.message()})) ==
        "3 1");
  for (const float weight : {-1.0F, std::numeric_limits<float>::infinity()})
    CHECK(rows.refusal(match("t", "plum", {.weight = weight})) ==
          invalid("[weight] must be a number that is not negative"));
}

TEST_CASE("a bool query adds up what must hold and what should, but no filters") {
  Fruits rows;
  const QueryText three = number(3, 2);
  const QueryText plum = match("t", "plum");
  const QueryText pear = match("t", "pear");  // of row 3: 0.470004 / 2.2 = 0.2136
  CHECK(scores(rows, junction({.must = {three, plum}})) == "3 2.4458");
  CHECK(scores(rows, junction({.must = {three}, .should = {pear, number(1, 5)}})) == "3 2.2136");
  CHECK(scores(rows, junction({.should = {three, number(1, 5)}})) == "1 5, 3 2");
  CHECK(scores(rows, junction({.must = {three}, .must_not = {number(1, 9)}, .filter = {plum}})) == "3 2");
  CHECK(scores(rows, junction({.filter = {plum}})) == "3 0");
  const std::vector<api::Query> must = {three.message(), plum.message()};
  // 10 * (2 + 0.445831)
  CHECK(scores(rows, query_of(QueryType::bool_, api::BoolQuery{.must_queries = must, .weight = 10})) ==
        "3 24.4583");
}

TEST_CASE("a DisMax query scores as its best query, and a part of the others") {
  Fruits rows;
  const QueryText small = number(3, 1);
  const QueryText large = number(3, 3);
  api::DisMaxQuery query{.queries = {small.message(), large.message()}};
  const auto best = [&] { return scores(rows, query_of(QueryType::dis_max, query)); };
  CHECK(best() == "3 3");
  query.tie_breaker = 0.5F;
  CHECK(best() == "3 3.5");
  query.weight = 2;
  CHECK(best() == "3 7");
}

TEST_CASE("documents inside a row make one score") {
  const FieldText inner{"o", FieldType::nested, false, {{"n", FieldType::long_}, {"t", FieldType::text}}};
  Searched rows({inner});
  rows.put(1, {words("o", R"([{"n": 1, "t": "x"}, {"n": 2, "t": "y"}])")});
  rows.put(2, {words("o", R"([{"n": 3, "t": "y"}])")});
  const QueryText one_or_two = junction(
      {.should = {weighted_term("o.n", Value::integer(1), 1), weighted_term("o.n", Value::integer(2), 3)}});
  const auto of = [&](std::optional<api::ScoreMode> mode, std::optional<float> weight = {}) {
    return scores(rows, query_of(QueryType::nested, api::NestedQuery{.path = "o",
                                                                     .query = one_or_two.message(),
                                                                     .score_mode = mode,
                                                                     .weight = weight}));
  };
  CHECK(of({}) == "1 2");  // (1 + 3) / 2
  CHECK(of(api::ScoreMode::avg, 2) == "1 4");
  CHECK(of(api::ScoreMode::max) == "1 3");
  CHECK(of(api::ScoreMode::min) == "1 1");
  CHECK(of(api::ScoreMode::total) == "1 4");
  CHECK(of(api::ScoreMode::none) == "1 0");
  // Three inner documents of one word, of which one has it: 0.980829 / 2.2
  CHECK(scores(rows, nested("o", match("o.t", "x"))) == "1 0.4458");
  const api::NestedQuery with_hits{
      .path = "o", .query = one_or_two.message(), .inner_hits = api::InnerHits{}};
  const auto response = rows.response(query_of(QueryType::nested, with_hits));
  const auto& hits = response->search_hits.at(0).search_inner_hits.at(0).search_hits;
  REQUIRE(hits.size() == 2);
  CHECK(hits[0].score == 1);
  CHECK(hits[1].score == 3);
}

TEST_CASE("a query by a vector has a weight, and adds to others") {
  Searched rows({{.name = "v", .type = FieldType::vector, .dimension = 2}, {"n", FieldType::long_}});
  rows.put(1, {words("v", "[0, 0]"), whole("n", 1)});
  rows.put(2, {words("v", "[1, 0]"), whole("n", 1)});
  const auto nearest = query_of(
      QueryType::knn_vector,
      api::KnnVectorQuery{.field_name = "v", .top_k = 2, .float32_query_vector = {0, 0}, .weight = 2});
  CHECK(scores(rows, nearest) == "1 2, 2 1");  // 2 * 1 / (1 + 0), 2 * 1 / (1 + 1)
  CHECK(scores(rows, junction({.must = {nearest, number(1, 3)}})) == "1 5, 2 4");
}

TEST_CASE("hits have scores whatever the order is") {
  Fruits rows;
  const api::HighlightParameter t{.field_name = "t"};
  CHECK(scored(*rows.response(match("t", "plum"),
                              {.highlight = api::Highlight{.highlight_parameters = {t}}})) == "3 0.4458");
  CHECK(scored(*rows.response(functions({}, number(2, 3)))) == "2 3");
  CHECK(std::isnan(rows.response(match("t", "plum"))->search_hits.at(0).score.value()));
}

/// The first rows by score, as the message Aggregations.
std::string best(std::int32_t limit) {
  const std::string sort = by_score();
  const std::string body = codec::encode_message(
      api::TopRowsAggregation{.limit = limit, .sort = codec::decode_message<api::Sort>(sort).value()});
  return codec::encode_message(
      api::Aggregations{{{.name = "x", .type = api::AggregationType::top_rows, .body = body}}});
}

/// Returns the `gid` of the rows of the only aggregation: "3 2".
std::string top_rows(std::string_view aggregations) {
  const auto results = codec::decode_message<api::AggregationsResult>(aggregations).value();
  const auto top = codec::decode_message<api::TopRowsResult>(results.agg_results.at(0).agg_result.value());
  std::string text;
  for (const std::string& row : top.value().rows)
    text += (text.empty() ? "" : " ") +
            std::to_string(plainbuffer::decode_row(row)->key.front().value.as_integer());
  return text;
}

TEST_CASE("the first rows by score are an aggregation, also of a group") {
  Fruits rows;
  const QueryText pear_or_plum = match("t", "pear plum");
  CHECK(top_rows(rows.response(pear_or_plum, {.limit = 0, .aggregations = best(2)})->aggs.value()) == "3 2");
  CHECK(top_rows(rows.response(number(4, 1), {.limit = 0, .aggregations = best(2)})->aggs.value()) == "4");
  const std::string inner = best(1);
  const std::string body = codec::encode_message(api::GroupByField{
      .field_name = "k", .sub_aggs = codec::decode_message<api::Aggregations>(inner).value()});
  const std::string groups =
      codec::encode_message(api::GroupBys{{{.name = "g", .type = api::GroupByType::field, .body = body}}});
  const auto response = rows.response(match("t", "apple pear"), {.limit = 0, .groupings = groups});
  const auto results = codec::decode_message<api::GroupBysResult>(response->group_bys.value()).value();
  const auto found =
      codec::decode_message<api::FieldGroups>(results.group_by_results.at(0).group_by_result.value());
  const auto& group = found.value().group_by_field_result_items.at(0);
  CHECK(group.key == "a");
  CHECK(top_rows(codec::encode_message(group.sub_aggs_result.value())) == "2");  // 1 has one of the words
}

TEST_CASE("scores are pages, and equal ones are in the order of keys") {
  Fruits rows;
  rows.put(5, {words("t", "apple")});
  rows.put(6, {words("t", "apple pear plum")});
  const QueryText query = match("t", "apple plum");
  // Five texts of two words on average; the rarity of `apple` is ln(1 + 1.5 / 4.5) = 0.287682, that of `plum`
  // is ln(1 + 3.5 / 2.5) = 0.875469. Row 6: (0.287682 + 0.875469) / 2.65. Row 3: 0.875469 / 2.2. Rows 1 and
  // 5: 0.287682 / 1.75. Row 2: 0.287682 * 2 / 3.65.
  const std::string all = "6 0.4389, 3 0.3979, 1 0.1644, 5 0.1644, 2 0.1576";
  CHECK(scores(rows, query) == all);
  std::string pages;
  std::string token;
  do {
    const SearchMore more{.limit = 2, .sort = token.empty() ? by_score() : "", .token = token};
    const auto page = rows.response(query, more);
    pages += (pages.empty() ? "" : ", ") + scored(*page);
    token = page->next_token.value_or("");
  } while (!token.empty());
  CHECK(pages == all);
}

// Functions.

/// Returns a function of nothing but a weight, about rows that a filter finds.
api::ScoreFunction weight(float number, const QueryText* filter = nullptr) {
  api::ScoreFunction function{.weight = number};
  if (filter != nullptr) function.filter = filter->message();
  return function;
}

TEST_CASE("a score is multiplied by the value of a field") {
  Searched rows({{"n", FieldType::long_}, {"d", FieldType::double_}});
  rows.put(1, {whole("n", 1), real("d", 1.5)});
  rows.put(2, {whole("n", 1)});
  rows.put(3, {whole("n", 1), real("d", -4)});
  const QueryText one = number(1, 2);
  const api::FunctionScoreQuery query{.query = one.message(),
                                      .field_value_factor = api::FieldValueFactor{"d"}};
  CHECK(scores(rows, query_of(QueryType::function_score, query)) == "1 3, 2 2, 3 0");
}

TEST_CASE("values of fields are multiplied, and modified") {
  Searched rows({{"d", FieldType::double_, true}});
  rows.put(1, {words("d", "[3, 2]")});
  const auto of = [&](api::FieldValueFunction function) {
    function.field_name = "d";
    const api::ScoreFunction one{.field_value_factor = function};
    return scores(rows, functions({.functions = {one}}));
  };
  CHECK(of({}) == "1 2");  // the least
  CHECK(of({.factor = 1.5F}) == "1 3");
  rows.put(1, {words("d", "[]")});
  CHECK(of({}) == "1 1");  // as if there were no function
  const auto modified = [&](double value, api::FunctionModifier modifier) {
    return of({.modifier = modifier, .missing = value});
  };
  using api::FunctionModifier;
  CHECK(modified(8, FunctionModifier::none) == "1 8");
  CHECK(modified(1000, FunctionModifier::log) == "1 3");
  CHECK(modified(99, FunctionModifier::log_plus_one) == "1 2");
  CHECK(modified(98, FunctionModifier::log_plus_two) == "1 2");
  CHECK(modified(2, FunctionModifier::ln) == "1 0.6931");  // ln 2
  CHECK(modified(1, FunctionModifier::ln_plus_one) == "1 0.6931");
  CHECK(modified(0, FunctionModifier::ln_plus_two) == "1 0.6931");
  CHECK(modified(3, FunctionModifier::square) == "1 9");
  CHECK(modified(16, FunctionModifier::sqrt) == "1 4");
  CHECK(modified(4, FunctionModifier::reciprocal) == "1 0.25");
  CHECK(of({.factor = 0.5F, .modifier = FunctionModifier::sqrt, .missing = 8}) == "1 2");
  // What is no number, or negative, is 0.
  CHECK(modified(-1, FunctionModifier::sqrt) == "1 0");
  CHECK(modified(0, FunctionModifier::log) == "1 0");
}

TEST_CASE("several functions make one, which changes the score of the query") {
  Searched rows({{"n", FieldType::long_}, {"d", FieldType::double_}});
  rows.put(1, {whole("n", 1), real("d", 4)});
  const QueryText row = number(1, 1);
  const QueryText no_row = number(2, 1);
  const std::vector<api::ScoreFunction> two_and_three = {weight(2), weight(3, &row), weight(5, &no_row)};
  using Mode = api::FunctionScoreMode;
  const auto together = [&](std::optional<Mode> mode) {
    return scores(rows, functions({.functions = two_and_three, .score_mode = mode}));
  };
  CHECK(together({}) == "1 6");
  CHECK(together(Mode::multiply) == "1 6");
  CHECK(together(Mode::sum) == "1 5");
  CHECK(together(Mode::max) == "1 3");
  CHECK(together(Mode::min) == "1 2");
  CHECK(together(Mode::first) == "1 2");
  // The average is by weights: (4 * 1 + 1 * 3) / (1 + 3)
  const api::ScoreFunction value{.field_value_factor = api::FieldValueFunction{.field_name = "d"}};
  CHECK(scores(rows, functions({.functions = {value, weight(3)}, .score_mode = Mode::avg})) == "1 1.75");

  using Combine = api::FunctionCombineMode;
  const auto combined = [&](std::optional<Combine> mode, std::optional<float> most = {}) {
    return scores(
        rows, functions({.functions = {weight(6)}, .combine_mode = mode, .max_score = most}, number(1, 2)));
  };
  CHECK(combined({}) == "1 12");
  CHECK(combined(Combine::multiply) == "1 12");
  CHECK(combined(Combine::multiply, 5) == "1 10");  // of the functions alone
  CHECK(combined(Combine::avg) == "1 4");
  CHECK(combined(Combine::max) == "1 6");
  CHECK(combined(Combine::sum) == "1 8");
  CHECK(combined(Combine::min) == "1 2");
  CHECK(combined(Combine::replace) == "1 6");
  // None is about the row: 1 in their place.
  CHECK(scores(rows, functions({.functions = {weight(5, &no_row)}, .combine_mode = Combine::replace},
                               number(1, 2))) == "1 1");
}

TEST_CASE("rows of scores below the least one are not found") {
  Fruits rows;
  const QueryText query = functions({.min_score = 0.26F}, match("t", "apple plum"));  // row 2 has 0.2575
  CHECK(rows.find(query) == "1 3");
  CHECK(rows.response(query, {.limit = 0})->total_hits == 2);
  CHECK(rows.find(junction({.filter = {query}})) == "1 3");
  CHECK(rows.find(junction({.must = {everything()}, .must_not = {query}})) == "2 4");
  CHECK(rows.find(query, {.limit = 1, .sort = by_score()}) == "3");
  const std::string not_served = invalid("Dinette does not serve this type of query");
  CHECK(rows.refusal(everything(), {.filter = query}) == not_served);
  CHECK(rows.find(everything(), {.filter = functions({}, match("t", "plum"))}) == "3");
}

api::DecayFunction decay_of(std::string_view field, api::DecayMathFunction shape) {
  return {.field_name = field, .math_function = shape, .decay = 0.5};
}

QueryText decaying(const api::DecayFunction& decay) {
  return functions({.functions = {api::ScoreFunction{.decay = decay}}});
}

/// A decay of numbers.
QueryText from_number(const api::DecayNumericParam& param, api::DecayMathFunction shape,
                      std::optional<api::MultiValueMode> mode = {}) {
  const std::string bytes = codec::encode_message(param);
  api::DecayFunction decay = decay_of("n", shape);
  decay.param_type = api::DecayParamType::numeric;
  decay.param = bytes;
  decay.multi_value_mode = mode;
  return decaying(decay);
}

TEST_CASE("scores decay with the distance from a number") {
  using Shape = api::DecayMathFunction;
  Searched rows({{"n", FieldType::long_}});
  rows.put(1, {whole("n", 11)});  // within the offset
  rows.put(2, {whole("n", 16)});  // a scale beyond it
  rows.put(3, {whole("n", -1)});  // two scales
  rows.put(4, {});                // no value
  const api::DecayNumericParam param{.origin = 10, .scale = 5, .offset = 1};
  CHECK(scores(rows, from_number(param, Shape::gauss)) == "1 1, 4 1, 2 0.5, 3 0.0625");  // 0.5^4
  CHECK(scores(rows, from_number(param, Shape::exp)) == "1 1, 4 1, 2 0.5, 3 0.25");      // 0.5^2
  CHECK(scores(rows, from_number(param, Shape::linear)) == "1 1, 4 1, 2 0.5, 3 0");      // 1 - 2 * 0.5
}

TEST_CASE("of an array one number decays") {
  using Mode = api::MultiValueMode;
  Searched rows({{"n", FieldType::long_, true}});
  rows.put(1, {words("n", "[1, 10]")});
  const auto of = [&](std::optional<Mode> mode) {
    return scores(rows, from_number({.origin = 10, .scale = 9}, api::DecayMathFunction::exp, mode));
  };
  CHECK(of({}) == "1 1");              // the nearest: 10
  CHECK(of(Mode::min) == "1 0.5");     // 1: a distance of 9
  CHECK(of(Mode::max) == "1 1");       // 10
  CHECK(of(Mode::sum) == "1 0.9259");  // 11: 0.5^(1 / 9)
  CHECK(of(Mode::avg) == "1 0.7071");  // 5.5: 0.5^(4.5 / 9)
}

TEST_CASE("scores decay with the distance from a moment and from a place") {
  Searched rows(
      {{.name = "t", .type = FieldType::date, .format = "yyyy-MM-dd"}, {"g", FieldType::geo_point}});
  rows.put(1, {words("t", "2026-01-02"), words("g", "0,1")});
  rows.put(2, {words("t", "2026-01-04"), words("g", "0,0")});
  const auto from_moment = [&](const api::DecayDateParam& param) {
    const std::string bytes = codec::encode_message(param);
    api::DecayFunction decay = decay_of("t", api::DecayMathFunction::exp);
    decay.param_type = api::DecayParamType::date;
    decay.param = bytes;
    return scores(rows, decaying(decay));
  };
  using Unit = api::DateTimeUnit;
  const api::DateTimeValue day{.value = 1, .unit = Unit::day};
  const api::DateTimeValue hours{.value = 24, .unit = Unit::hour};
  CHECK(from_moment({.origin_string = "2026-01-01", .scale = day}) == "1 0.5, 2 0.125");
  CHECK(from_moment({.origin_string = "2026-01-01", .scale = day, .offset = hours}) == "1 1, 2 0.25");
  // 2026-01-01 in nanoseconds: 20,454 days
  CHECK(from_moment({.origin_long = 20'454LL * 86'400 * 1'000'000'000, .scale = hours}) == "1 0.5, 2 0.125");

  // A degree of the equator: 6,371,008.8 * pi / 180 metres
  const std::string bytes = codec::encode_message(api::DecayGeoParam{.origin = "0,0", .scale = 111'195.0802});
  api::DecayFunction decay = decay_of("g", api::DecayMathFunction::gauss);
  decay.param_type = api::DecayParamType::geo;
  decay.param = bytes;
  CHECK(scores(rows, decaying(decay)) == "2 1, 1 0.5");
}

TEST_CASE("random scores stay the same over pages") {
  Searched rows({{"n", FieldType::long_}});
  for (int gid = 10; gid < 30; ++gid) rows.put(gid, {});
  const QueryText random = functions({.functions = {api::ScoreFunction{.random = api::RandomFunction{}}}});
  std::vector<std::string> found;
  double before = 1;
  std::string token;
  do {
    const SearchMore more{.limit = 3, .sort = token.empty() ? by_score() : "", .token = token};
    const auto page = rows.response(random, more);
    for (const api::SearchHit& hit : page->search_hits) {
      CHECK(hit.score.value() >= 0);
      CHECK(hit.score.value() <= before);
      before = hit.score.value();
    }
    found.insert(found.end(), page->rows.begin(), page->rows.end());
    token = page->next_token.value_or("");
  } while (!token.empty());
  CHECK(before < 1);
  std::ranges::sort(found);
  CHECK(std::ranges::adjacent_find(found) == found.end());
  CHECK(found.size() == 20);
}

TEST_CASE("functions that cannot be are refused") {
  Searched rows(
      {{"n", FieldType::long_}, {"k"}, {.name = "t", .type = FieldType::date, .format = "yyyy-MM-dd"}});
  CHECK(rows.refusal(functions({.functions = {4, weight(1)}})) ==
        invalid("[functions_score_query.functions] exceeds the limit: 3"));
  CHECK(rows.refusal(functions({.functions = {weight(-1)}})) ==
        invalid("[weight] must be a number that is not negative"));
  const auto of_field = [&](std::string_view field) {
    const api::ScoreFunction one{.field_value_factor = api::FieldValueFunction{.field_name = field}};
    return rows.refusal(functions({.functions = {one}}));
  };
  CHECK(of_field("x") == invalid("[field_value_factor] field: x does not exist"));
  CHECK(of_field("k") ==
        invalid("[field_value_factor] field_name:k type:keyword is invalid, allow [long, double]"));

  const auto wrong = [](std::string_view member) {
    return invalid("[functions_score_query.decay] has an invalid member: " + std::string(member));
  };
  const auto of_number = [&](const api::DecayNumericParam& param) {
    return rows.refusal(from_number(param, api::DecayMathFunction::gauss));
  };
  CHECK(of_number({.origin = 0, .scale = 1}) == "200");
  CHECK(of_number({.scale = 1}) == wrong("origin"));
  CHECK(of_number({.origin = 0}) == wrong("scale"));
  CHECK(of_number({.origin = 0, .scale = -1}) == wrong("scale"));
  CHECK(of_number({.origin = 0, .scale = 1, .offset = -1}) == wrong("offset"));
  const std::string of_one = codec::encode_message(api::DecayNumericParam{.origin = 0, .scale = 1});
  const api::DateTimeValue week{.value = 1, .unit = api::DateTimeUnit::week};
  const std::string of_week =
      codec::encode_message(api::DecayDateParam{.origin_string = "2026-01-01", .scale = week});
  api::DecayFunction decay{.field_name = "n", .param_type = api::DecayParamType::numeric, .param = of_one};
  const auto refused = [&] { return rows.refusal(decaying(decay)); };
  CHECK(refused() == wrong("math_function"));
  decay.math_function = api::DecayMathFunction::linear;
  decay.decay = 1;
  CHECK(refused() == wrong("decay"));
  decay.decay = 0.1;
  CHECK(refused() == "200");
  decay.param_type = api::DecayParamType::geo;
  CHECK(refused() == wrong("param_type"));
  decay.field_name = "k";
  CHECK(refused() ==
        invalid("[decay] field_name:k type:keyword is invalid, allow [long, double, date, geo_point]"));
  decay.field_name = "t";
  decay.param_type = api::DecayParamType::date;
  decay.param = of_week;
  CHECK(refused() == wrong("scale"));
}

TEST_CASE("many words are scored at once", "[volume]") {
  Searched rows({{"t", FieldType::text}});
  std::string many;
  for (int i = 0; i < 100'000; ++i) many += "w" + std::to_string(i) + " ";
  rows.put(1, {words("t", many)});
  rows.put(2, {words("t", "w7")});
  rows.put(3, {words("t", "none")});
  CHECK(rows.find(match("t", many), {.sort = by_score()}) == "1 2");
}

}  // namespace dinette::tablestore::search_scores_test

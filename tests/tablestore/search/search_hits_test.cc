#include <cmath>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tablestore/search/searched.h"

// What a search says of each row that it has found: scores, highlighting, documents inside others
// (tablestore/search-index.md sections 1 and 2).
namespace dinette::tablestore::search_hits_test {

using namespace test;
using api::QueryType;
using Lines = std::vector<std::string>;

constexpr auto vector = api::FieldType::vector;
constexpr auto text = api::FieldType::text;
constexpr auto long_ = api::FieldType::long_;

FieldText vectors(api::VectorMetric metric) {
  return {.name = "v", .type = vector, .dimension = 2, .metric = metric};
}

QueryText nearest(std::int32_t most, std::vector<float> to, const std::optional<QueryText>& filter = {},
                  std::optional<float> above = {}) {
  api::KnnVectorQuery query{
      .field_name = "v", .top_k = most, .float32_query_vector = std::move(to), .min_score = above};
  if (filter) query.filter = filter->message();
  return query_of(QueryType::knn_vector, query);
}

std::string by_score(std::optional<api::SortOrder> order = {}) {
  const api::Sorter sorter{.score_sort = api::OrderedSort{order}};
  return codec::encode_message(api::Sort{.sorter = {sorter}});
}

/// Four rows with vectors, and one whose column has none.
class Vectors : public Searched {
 public:
  explicit Vectors(api::VectorMetric metric = api::VectorMetric::euclidean)
      : Searched({vectors(metric), {"k"}}) {
    put(1, {words("v", "[0, 0]"), words("k", "a")});
    put(2, {words("v", "[1.0, 0]"), words("k", "b")});
    put(3, {words("v", "[3, 4]"), words("k", "a")});
    put(4, {words("v", "[-1, 0]"), words("k", "b")});
    put(5, {words("v", "[1]"), words("k", "a")});
  }
  std::vector<double> scores(const QueryText& query) {
    std::vector<double> all;
    const auto found = response(query, {.sort = by_score()});
    for (const api::SearchHit& hit : found->search_hits)
      all.push_back(std::round(hit.score.value() * 1000) / 1000);
    return all;
  }
};

TEST_CASE("the rows with the nearest vectors are found") {
  Vectors rows;
  CHECK(rows.find(nearest(2, {0.9F, 0})) == "1 2");  // by key
  CHECK(rows.find(nearest(2, {0.9F, 0}), {.sort = by_score()}) == "2 1");
  CHECK(rows.find(nearest(2, {0.9F, 0}), {.sort = by_score(api::SortOrder::asc)}) == "1 2");
  CHECK(rows.find(nearest(10, {3, 4}), {.sort = by_score()}) == "3 2 1 4");
  CHECK(rows.response(nearest(3, {0, 0}), {})->total_hits == 3);
  CHECK(rows.find(nearest(2, {0.9F, 0}), {.limit = 3}) == "1 2 4");  // as many as are asked for
  CHECK(rows.find(nearest(2, {0.9F, 0}), {.limit = 1}) == "1");
  CHECK(rows.scores(nearest(10, {0, 0})) == std::vector<double>{1, 0.5, 0.5, 0.038});
}

TEST_CASE("a field with a vector exists") {
  Vectors rows;
  CHECK(rows.find(query_of(QueryType::exists, api::ExistsQuery{.field_name = "v"})) == "1 2 3 4");
}

TEST_CASE("a column has a vector as bytes too, numbers of single precision") {
  Searched rows({vectors(api::VectorMetric::euclidean)});
  const std::string one_and_two("\0\0\x80\x3f\0\0\0\x40", 8);
  rows.put(1, {{.name = "v", .value = Value::binary(one_and_two)}});
  rows.put(2, {{.name = "v", .value = Value::binary(std::string_view(one_and_two).substr(0, 7))}});
  rows.put(3, {{.name = "v", .value = Value::binary(std::string_view(one_and_two).substr(0, 4))}});
  rows.put(4, {{.name = "v", .value = Value::binary("")}});
  rows.put(5, {words("v", "[3, 2]")});
  CHECK(rows.find(query_of(QueryType::exists, api::ExistsQuery{.field_name = "v"})) == "1 5");
  CHECK(rows.find(nearest(2, {1, 2}), {.sort = by_score()}) == "1 5");
}

TEST_CASE("of vectors that are as near, those of the first rows are found") {
  Vectors rows;
  CHECK(rows.find(nearest(2, {0, 0}), {.sort = by_score()}) == "1 2");
}

TEST_CASE("a query by a vector may be of some rows, and of scores above one") {
  Vectors rows;
  CHECK(rows.find(nearest(1, {0.9F, 0}, term("k", Value::string("a")))) == "1");
  CHECK(rows.find(nearest(10, {0, 0}, {}, 0.5F)) == "1");
  CHECK(rows.find(junction({.must = {nearest(3, {0, 0}), term("k", Value::string("b"))}})) == "2 4");
  CHECK(rows.find(nearest(10, {0, 0}), {.filter = term("k", Value::string("b"))}) == "2 4");
}

TEST_CASE("vectors are compared by the metric of their field") {
  Vectors cosine(api::VectorMetric::cosine);
  CHECK(cosine.find(nearest(10, {2, 0}), {.sort = by_score()}) == "2 3");  // none is like the zero vector
  CHECK(cosine.scores(nearest(10, {2, 0})) == std::vector<double>{1, 0.8});
  Vectors product(api::VectorMetric::dot_product);
  CHECK(product.scores(nearest(10, {1, 0})) == std::vector<double>{2, 1, 0.5});
}

TEST_CASE("queries by vectors that cannot be are refused") {
  Vectors rows;
  const std::string most = "OTSParameterInvalid: [knn_vector_query.top_k] must be in [1, 1000]";
  CHECK(rows.refusal(nearest(0, {1, 2})) == most);
  CHECK(rows.refusal(nearest(1001, {1, 2})) == most);
  CHECK(rows.refusal(nearest(1, {1})) ==
        "OTSParameterInvalid: [knn_vector_query.float32_query_vector] has 1 dimensions, but the field has 2");
  CHECK(rows.refusal(
            query_of(QueryType::knn_vector,
                     api::KnnVectorQuery{.field_name = "k", .top_k = 1, .float32_query_vector = {1}})) ==
        "OTSParameterInvalid: [knn_vector_query] field: k is no vector");
}

TEST_CASE("scores are pages too") {
  Vectors rows;
  const auto first = rows.response(nearest(10, {0, 0}), {.limit = 2, .sort = by_score()});
  REQUIRE(first->next_token);
  CHECK(rows.find(nearest(10, {0, 0}), {.token = *first->next_token}) == "4 3");
}

TEST_CASE("each row has a hit, whose score is no number if none was asked for") {
  Vectors rows;
  const auto plain = rows.response(everything(), {.limit = 2});
  REQUIRE(plain->search_hits.size() == 2);
  CHECK(std::isnan(plain->search_hits[0].score.value()));
  CHECK(rows.response(everything(), {.limit = 0})->search_hits.empty());
  CHECK(rows.response(everything(), {.sort = by_score()})->search_hits.size() == 5);
  CHECK(rows.response(nearest(10, {0, 0}), {.limit = 2})->search_hits.size() == 2);
}

TEST_CASE("a DisMax query finds what one of its queries finds") {
  Vectors rows;
  const QueryText a = term("k", Value::string("a"));
  const QueryText none = term("k", Value::string("c"));
  CHECK(rows.find(query_of(QueryType::dis_max, api::DisMaxQuery{{a.message(), none.message()}})) == "1 3 5");
}

/// Returns the fragments of the first hit, field by field: "t: a <em>b</em>".
Lines fragments(Searched& rows, const QueryText& query, const api::Highlight& highlight) {
  Lines lines;
  const auto response = rows.response(query, {.highlight = highlight});
  for (const api::HighlightField& field :
       response->search_hits.at(0).highlight_result.value().highlight_fields)
    for (const std::string& fragment : field.field_fragments)
      lines.push_back(*field.field_name + ": " + fragment);
  return lines;
}

TEST_CASE("the words that a query has found are highlighted") {
  Searched rows({{.name = "t", .type = text, .highlighted = true}, {"u", text}});
  rows.put(1, {words("t", "The brown fox & the <Brown> bear."), words("u", "brown")});
  const auto of = [](api::HighlightParameter parameter) {
    parameter.field_name = "t";
    return api::Highlight{.highlight_parameters = {parameter}};
  };
  const QueryText brown = match("t", "BROWN");
  CHECK(fragments(rows, brown, of({})) == Lines{"t: The <em>brown</em> fox & the <<em>Brown</em>> bear."});
  CHECK(fragments(rows, brown, of({.pre_tag = "[", .post_tag = "]"})) ==
        Lines{"t: The [brown] fox & the <[Brown]> bear."});
  api::Highlight html = of({});
  html.highlight_encoder = api::HighlightEncoder::html_mode;
  CHECK(fragments(rows, brown, html) ==
        Lines{"t: The <em>brown</em> fox &amp; the &lt;<em>Brown</em>&gt; bear."});
  CHECK(fragments(rows, match("u", "brown"), of({})).empty());  // no word is looked for in `t`
  const api::Highlight not_enabled{.highlight_parameters = {{.field_name = "u"}}};
  CHECK(fragments(rows, match("u", "brown"), not_enabled).empty());
  api::Highlight twice = of({.pre_tag = "["});
  twice.highlight_parameters.push_back({.field_name = "t", .pre_tag = "<", .post_tag = ">"});
  CHECK(fragments(rows, match("t", "fox"), twice) == Lines{"t: The brown <fox> & the <Brown> bear."});
  CHECK(fragments(rows, junction({.must = {match("t", "fox"), match("t", "bear")}}), of({})) ==
        Lines{"t: The brown <em>fox</em> & the <Brown> <em>bear</em>."});
}

TEST_CASE("fragments are as long as they may be, and some of them are returned") {
  Searched rows({{.name = "t", .type = text, .highlighted = true}});
  rows.put(1, {words("t", "one x two three x x four five six x")});
  const auto of = [](std::optional<std::int32_t> count, api::FragmentsOrder order) {
    return api::Highlight{.highlight_parameters = {{.field_name = "t",
                                                    .number_of_fragments = count,
                                                    .fragment_size = 10,
                                                    .fragments_order = order}}};
  };
  const QueryText x = match("t", "x");
  CHECK(fragments(rows, x, of({}, api::FragmentsOrder::text_sequence)) ==
        Lines{"t: one <em>x</em> two ", "t: three <em>x</em> <em>x</em> ", "t: six <em>x</em>"});
  CHECK(fragments(rows, x, of(1, api::FragmentsOrder::text_sequence)) == Lines{"t: one <em>x</em> two "});
  CHECK(fragments(rows, x, of(2, api::FragmentsOrder::score)) ==
        Lines{"t: three <em>x</em> <em>x</em> ", "t: one <em>x</em> two "});
}

TEST_CASE("tags and all fragments of a search have a length") {
  Searched rows({{.name = "t", .type = text, .highlighted = true}});
  std::string many;
  for (int i = 0; i < 15'000; ++i) many += "x ";
  for (std::int64_t gid = 1; gid <= 9; ++gid) rows.put(gid, {words("t", many)});
  const auto refusal = [&](std::size_t before, std::size_t after, std::int32_t limit) {
    const std::string pre_tag(before, '<');
    const std::string post_tag(after, '>');
    const api::Highlight highlight{.highlight_parameters = {{.field_name = "t",
                                                             .number_of_fragments = 15,
                                                             .fragment_size = 2000,
                                                             .pre_tag = pre_tag,
                                                             .post_tag = post_tag}}};
    return rows.refusal(match("t", "x"), {.limit = limit, .highlight = highlight});
  };
  const std::string too_long =
      "OTSParameterInvalid: the length of a tag of highlighting exceeds the limit: 128";
  CHECK(refusal(128, 128, 1) == "200");
  CHECK(refusal(129, 1, 1) == too_long);
  CHECK(refusal(1, 129, 1) == too_long);
  CHECK(refusal(128, 128, 9) ==
        "OTSParameterInvalid: the highlighted fragments of a search exceed the limit: 33554432 bytes");
}

TEST_CASE("a search shows which documents inside others it has found") {
  Searched rows({{"n", api::FieldType::nested, true, {{"a", long_}}}});
  rows.put(1, {words("n", R"([{"a": 1}, {"a": 5}, {"a": 7}, {"a": 9}])")});
  const QueryText inner = range("n.a", Value::integer(5), true, Value::inf_max(), false);
  const auto places = [&](std::optional<std::int32_t> offset, std::optional<std::int32_t> limit) {
    const api::NestedQuery query{
        .path = "n", .query = inner.message(), .inner_hits = api::InnerHits{offset, limit}};
    const auto response = rows.response(query_of(QueryType::nested, query));
    const auto& hits = response->search_hits.at(0).search_inner_hits.at(0);
    CHECK(hits.path == "n");
    std::vector<std::int32_t> found;
    for (const auto& hit : hits.search_hits) found.push_back(hit.nested_doc_offset.value());
    return found;
  };
  CHECK(places({}, {}) == std::vector<std::int32_t>{1, 2, 3});
  CHECK(places(1, 1) == std::vector<std::int32_t>{2});
  CHECK(places({}, 0).empty());
}

/// Returns the places of documents inside others, each with those inside of it: "0(1) 1(0 1)".
std::string shown(const api::SearchInnerHit& hits) {
  std::string places;
  for (const api::InnerSearchHit& hit : hits.search_hits) {
    places += (places.empty() ? "" : " ") + std::to_string(hit.nested_doc_offset.value());
    for (const std::string& bytes : hit.search_inner_hits) {
      const auto inside = codec::decode_message<api::SearchInnerHit>(bytes);
      REQUIRE(inside);
      CHECK(inside->path == "n.m");
      places += '(' + shown(*inside) + ')';
    }
  }
  return places;
}

TEST_CASE("documents inside of those that are shown are shown with them") {
  const FieldText inner{.name = "m", .type = api::FieldType::nested, .inner = {{"k"}}};
  Searched rows({{.name = "n", .type = api::FieldType::nested, .inner = {inner}}});
  rows.put(1, {words("n", R"([{"m":[{"k":"x"},{"k":"y"}]},{"m":[{"k":"x"}]},{"m":[{"k":"y"},{"k":"y"}]}])")});
  const auto with_hits = [](std::string_view path, const QueryText& query, bool shows = true) {
    api::NestedQuery message{.path = path, .query = query.message()};
    if (shows) message.inner_hits = api::InnerHits{};
    return query_of(QueryType::nested, message);
  };
  const auto hits_of = [&](const QueryText& query) {
    const auto found = rows.response(query)->search_hits.at(0).search_inner_hits;
    REQUIRE(found.size() == 1);
    return found[0];
  };
  const QueryText second = with_hits("n.m", term("n.m.k", Value::string("y")));
  CHECK(hits_of(with_hits("n", second)).path == "n");
  CHECK(shown(hits_of(with_hits("n", second))) == "0(1) 2(0 1)");
  CHECK(hits_of(second).path == "n.m");
  CHECK(shown(hits_of(second)) == "1 0 1");
  CHECK(shown(hits_of(with_hits("n", second, false))) == "1 0 1");
  const QueryText x = with_hits("n.m", term("n.m.k", Value::string("x")));
  CHECK(shown(hits_of(junction({.must = {second, x}}))) == "0 0");  // a path has one list, the last one
}

}  // namespace dinette::tablestore::search_hits_test

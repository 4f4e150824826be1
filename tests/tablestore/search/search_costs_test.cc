#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tablestore/search/searched.h"

// Searches that are small to send and could be large to answer (tablestore/search-index.md sections 1 and 2).
namespace dinette::tablestore::search_costs_test {

using namespace test;
using api::FieldType;
using api::GroupByType;

std::string invalid(std::string_view message) {
  return "OTSParameterInvalid: " + std::string(message);
}

/// The word, that many times, with spaces between.
std::string repeated(std::string_view word, std::size_t count) {
  std::string text;
  text.reserve(count * (word.size() + 1));
  for (std::size_t i = 0; i < count; ++i) text.append(word).append(" ");
  return text;
}

template <class Body>
std::string grouping(GroupByType type, const Body& body) {
  const std::string bytes = codec::encode_message(body);
  return codec::encode_message(api::GroupBys{{api::GroupBy{.name = "g", .type = type, .body = bytes}}});
}

QueryText phrase(std::string_view field, std::string_view text) {
  return query_of(api::QueryType::match_phrase, api::MatchPhraseQuery{.field_name = field, .text = text});
}

QueryText wildcard(std::string_view field, std::string_view pattern) {
  return query_of(api::QueryType::wildcard, api::WildcardQuery{.field_name = field, .value = pattern});
}

TEST_CASE("a phrase is found among many beginnings of it") {
  Searched rows({{"s", FieldType::text}});
  const std::string many = repeated("a", 400'000);
  const std::string found = many + "b";
  rows.put(1, {words("s", many)});
  rows.put(2, {words("s", found)});
  const std::string wanted = repeated("a", 50'000) + "b";
  CHECK(rows.find(phrase("s", wanted)) == "2");
  const std::string from_behind = "b " + repeated("a", 50'000);
  CHECK(rows.find(phrase("s", from_behind)).empty());
  CHECK(rows.find(phrase("s", "")).empty());
}

TEST_CASE("a phrase with a slop is looked for among many of its words", "[volume]") {
  Searched rows({{"s", FieldType::text}});
  rows.put(1, {words("s", repeated("a", 100'000) + "b")});
  rows.put(2, {words("s", "b " + repeated("a", 100'000))});
  const std::string wanted = repeated("a", 99) + "b";
  CHECK(rows.find(query_of(api::QueryType::match_phrase,
                           api::MatchPhraseQuery{.field_name = "s", .text = wanted, .slop = 5})) == "1");
}

TEST_CASE("many words and many terms are looked for at once", "[volume]") {
  Searched rows({{"s", FieldType::text}, {"n", FieldType::long_}});
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "w" + std::to_string(i) + " ";
  const std::string other = repeated("none", 100'000);
  for (int gid = 1; gid <= 3; ++gid) rows.put(gid, {words("s", text), whole("n", gid)});
  rows.put(4, {words("s", other), whole("n", 1'000'000)});
  const std::string absent = repeated("v", 100'000) + "w5";
  CHECK(rows.find(match("s", absent)) == "1 2 3");
  CHECK(rows.find(match("s", absent, {.operator_ = api::QueryOperator::and_})).empty());
  CHECK(rows.find(match("s", text, {.operator_ = api::QueryOperator::and_})) == "1 2 3");
  std::vector<Value> numbers;
  for (int i = 1025; i > 1; --i) numbers.push_back(Value::integer(i));
  CHECK(rows.find(terms("n", numbers)) == "2 3");
}

TEST_CASE("a pattern has 32 characters, of which each may have several bytes") {
  Searched rows({{"k"}});
  std::string most;
  for (int i = 0; i < 31; ++i) most += "公";
  rows.put(1, {words("k", most + "司")});
  CHECK(rows.find(wildcard("k", most + "*")) == "1");
  CHECK(rows.find(wildcard("k", most + "?*")) ==
        invalid("length of field value is longer than 32 for the [WILDCARD_QUERY] query"));
}

TEST_CASE("a page is in the window of a search, however large its numbers are") {
  Searched rows({{"k"}});
  rows.put(1, {words("k", "a")});
  const std::string beyond =
      invalid("[search_query.offset] and [search_query.limit] together exceed the limit: 100000");
  CHECK(rows.find(everything(), {.offset = 99'900, .limit = 100}).empty());
  CHECK(rows.find(everything(), {.offset = 99'901, .limit = 100}) == beyond);
  CHECK(rows.find(everything(), {.offset = std::numeric_limits<std::int32_t>::max(), .limit = 100}) ==
        beyond);
}

TEST_CASE("a search has at most 100 sorters, and highlights at most 1,000 fields") {
  Searched rows({{"k"}, {"s", FieldType::text}});
  rows.put(1, {words("k", "a")});
  const auto sorted = [&](std::size_t count) {
    const api::Sorter by_k{.field_sort = api::FieldSort{.field_name = "k"}};
    return rows.find(everything(),
                     {.sort = codec::encode_message(api::Sort{.sorter = std::vector(count, by_k)})});
  };
  CHECK(sorted(100) == "1");
  CHECK(sorted(101) == invalid("the number of sorters exceeds the limit: 100"));
  const auto grouped = [&](std::size_t count) {
    const api::GroupBySorter by_count{.row_count_sort = api::OrderedSort{}};
    const api::GroupByField body{.field_name = "k", .sort = api::GroupBySort{std::vector(count, by_count)}};
    return rows.refusal(everything(), {.groupings = grouping(GroupByType::field, body)});
  };
  CHECK(grouped(100) == "200");
  CHECK(grouped(101) == invalid("the number of sorters exceeds the limit: 100"));
  const auto highlighted = [&](std::size_t count) {
    const api::HighlightParameter s{.field_name = "s"};
    return rows.refusal(everything(),
                        {.highlight = api::Highlight{.highlight_parameters = std::vector(count, s)}});
  };
  CHECK(highlighted(1000) == "200");
  CHECK(highlighted(1001) == invalid("the number of highlighted fields exceeds the limit: 1000"));
}

TEST_CASE("ranges, filters and combinations of values make at most 2,000 groups") {
  Searched rows({{"n", FieldType::long_, true}, {"m", FieldType::long_, true}});
  const auto refusal = [&](const std::string& groupings) {
    return rows.refusal(everything(), {.groupings = groupings});
  };
  const std::string refused = invalid("[group by] the number of groups exceeds the limit: 2000");
  const auto ranges = [&](std::size_t count) {
    return refusal(
        grouping(GroupByType::range,
                 api::GroupByRange{.field_name = "n", .ranges = std::vector(count, api::GroupRange{})}));
  };
  CHECK(ranges(2000) == "200");
  CHECK(ranges(2001) == refused);
  const QueryText all = everything();
  const auto filters = [&](std::size_t count) {
    return refusal(
        grouping(GroupByType::filter, api::GroupByFilter{.filters = std::vector(count, all.message())}));
  };
  CHECK(filters(2000) == "200");
  CHECK(filters(2001) == refused);

  const auto field = [](std::string_view name) {
    return codec::encode_message(api::GroupByField{.field_name = name});
  };
  const std::string n = field("n");
  const std::string m = field("m");
  const auto combined = [&] {
    api::GroupByComposite body;
    body.sources = api::GroupBys{{api::GroupBy{.name = "n", .type = GroupByType::field, .body = n},
                                  api::GroupBy{.name = "m", .type = GroupByType::field, .body = m}}};
    return refusal(grouping(GroupByType::composite, body));
  };
  const auto numbers = [](int count) {
    std::string json = "[0";
    for (int i = 1; i < count; ++i) json += "," + std::to_string(i);
    return json + "]";
  };
  const std::string fifty = numbers(50);
  const std::string forty = numbers(40);
  rows.put(1, {words("n", fifty), words("m", forty)});
  CHECK(combined() == "200");
  rows.put(1, {words("n", fifty), words("m", fifty)});
  CHECK(combined() == refused);
}

TEST_CASE("intervals of groups are numbers, and values of dates in a calendar") {
  Searched rows(
      {{"d", FieldType::double_}, {.name = "t", .type = FieldType::date, .format = "epoch_millis"}});
  rows.put(1, {real("d", 1), whole("t", std::numeric_limits<std::int64_t>::max())});
  const auto histogram = [&](double interval, double offset) {
    const std::string step = variant(Value::real(interval));
    const std::string begin = variant(Value::real(offset));
    const api::GroupByHistogram body{.field_name = "d", .interval = step, .offset = begin};
    return rows.refusal(everything(), {.groupings = grouping(GroupByType::histogram, body)});
  };
  constexpr double infinite = std::numeric_limits<double>::infinity();
  constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
  const std::string refused = invalid("[group by] the interval is invalid");
  CHECK(histogram(1, 0) == "200");
  CHECK(histogram(std::numeric_limits<double>::denorm_min(), 0) == "200");
  for (const double interval : {0.0, -1.0, infinite, no_number}) CHECK(histogram(interval, 0) == refused);
  for (const double offset : {infinite, -infinite, no_number}) CHECK(histogram(1, offset) == refused);

  const api::GroupByDateHistogram by_year{
      .field_name = "t", .interval = api::DateTimeValue{.value = 1, .unit = api::DateTimeUnit::year}};
  const std::string body = codec::encode_message(by_year);
  api::GroupByComposite years;
  years.sources =
      api::GroupBys{{api::GroupBy{.name = "t", .type = GroupByType::date_histogram, .body = body}}};
  for (const std::string& groupings :
       {grouping(GroupByType::date_histogram, by_year), grouping(GroupByType::composite, years)})
    CHECK(rows.refusal(everything(), {.groupings = groupings}) == "200");
}

TEST_CASE("a field has at most 100 formats of dates, and arrays may be of any depth") {
  Searched rows({{"n", FieldType::long_, true}});
  const auto create = [&](std::size_t formats) {
    api::FieldSchema field{.field_name = "t", .field_type = FieldType::date};
    field.date_formats.assign(formats, "yyyy");
    const std::string schema = codec::encode_message(api::IndexSchema{.field_schemas = {field}});
    const std::string name = "I" + std::to_string(formats);
    return rows.server().refusal(
        "CreateSearchIndex",
        api::CreateSearchIndexRequest{.table_name = "T", .index_name = name, .schema = schema});
  };
  CHECK(create(100) == "200");
  CHECK(create(101) == invalid("the number of date formats of a field exceeds the limit: 100"));
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  const std::string open(1'000'000, '[');
  rows.put(1, {words("n", deep)});
  rows.put(2, {words("n", open)});
  rows.put(3, {words("n", "[1]")});
  CHECK(rows.find(term("n", Value::integer(1))) == "3");
}

}  // namespace dinette::tablestore::search_costs_test

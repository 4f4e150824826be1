#include <string>

#include <catch2/catch.hpp>

#include "tablestore/search/searched.h"

// tablestore/search-index.md sections 1 to 4.
namespace dinette::tablestore::query_test {

using namespace test;
using api::QueryType;
using api::FieldType::boolean;
using api::FieldType::date;
using api::FieldType::double_;
using api::FieldType::geo_point;
using api::FieldType::keyword;
using api::FieldType::long_;

const Value any = Value::inf_min();

QueryText prefix(std::string_view field, std::string_view begin, QueryType type = QueryType::prefix) {
  return query_of(type, api::PrefixQuery{.field_name = field, .prefix = begin});
}
QueryText wildcard(std::string_view field, std::string_view pattern) {
  return query_of(QueryType::wildcard, api::WildcardQuery{.field_name = field, .value = pattern});
}
QueryText exists(std::string_view field) {
  return query_of(QueryType::exists, api::ExistsQuery{.field_name = field});
}

TEST_CASE("single values are found by type") {
  Searched rows({{"n", long_}, {"d", double_}, {"b", boolean}, {"k"}});
  rows.put(1, {whole("n", 5), real("d", 1.5), truth("b", true), words("k", "x")});
  rows.put(2, {whole("n", 6), real("d", 2.5), truth("b", false), words("k", "y")});
  rows.put(3, {words("n", "5"), whole("d", 1), words("b", "true"), whole("k", 1)});
  CHECK(rows.find(everything()) == "1 2 3");
  CHECK(rows.find(term("n", Value::integer(5))) == "1");
  CHECK(rows.find(term("d", Value::real(2.5))) == "2");
  CHECK(rows.find(term("d", Value::integer(1))) == "3");
  CHECK(rows.find(term("b", Value::boolean(false))) == "2");
  CHECK(rows.find(term("k", Value::string("x"))) == "1");
  CHECK(rows.find(term("k", Value::integer(1))).empty());
  CHECK(rows.find(terms("n", {Value::integer(6), Value::integer(5), Value::integer(7)})) == "1 2");
  CHECK(rows.find(exists("n")) == "1 2");
}

TEST_CASE("the columns of the key may be fields") {
  Searched rows({{"gid", long_}, {"uid"}});
  rows.put(1, {});
  rows.put(2, {});
  CHECK(rows.find(term("gid", Value::integer(2))) == "2");
  CHECK(rows.find(term("uid", Value::string("a"))) == "1 2");
}

TEST_CASE("ranges have bounds that belong to them or not") {
  Searched rows({{"n", long_}, {"k"}});
  for (std::int64_t i = 1; i <= 4; ++i)
    rows.put(i, {whole("n", i), words("k", std::string(1, char('a' + i)))});
  CHECK(rows.find(range("n", Value::integer(2), true, Value::integer(4), false)) == "2 3");
  CHECK(rows.find(range("n", Value::integer(2), false, Value::integer(4), true)) == "3 4");
  CHECK(rows.find(range("n", any, false, Value::integer(2), true)) == "1 2");
  CHECK(rows.find(range("n", Value::integer(3), true, Value::inf_max(), false)) == "3 4");
  CHECK(rows.find(range("k", Value::string("c"), true, Value::string("d"), true)) == "2 3");
}

TEST_CASE("texts are found by their beginning, their end and patterns") {
  Searched rows({{"k"}});
  rows.put(1, {words("k", "table")});
  rows.put(2, {words("k", "tablet")});
  rows.put(3, {words("k", "stable")});
  CHECK(rows.find(prefix("k", "tabl")) == "1 2");
  CHECK(rows.find(prefix("k", "ble", QueryType::suffix)) == "1 3");
  CHECK(rows.find(wildcard("k", "*able*")) == "1 2 3");
  CHECK(rows.find(wildcard("k", "tab?e")) == "1");
  CHECK(rows.find(wildcard("k", "t*t")) == "2");
  CHECK(rows.find(wildcard("k", "ble")).empty());
  CHECK(rows.refusal(wildcard("k", std::string(33, '*'))) ==
        "OTSParameterInvalid: length of field value is longer than 32 for the [WILDCARD_QUERY] query");
}

TEST_CASE("queries are combined") {
  Searched rows({{"n", long_}, {"k"}});
  rows.put(1, {whole("n", 1), words("k", "x")});
  rows.put(2, {whole("n", 2), words("k", "x")});
  rows.put(3, {whole("n", 3), words("k", "y")});
  const QueryText x = term("k", Value::string("x"));
  const QueryText one = term("n", Value::integer(1));
  const QueryText three = term("n", Value::integer(3));
  CHECK(rows.find(junction({.must = {x, one}})) == "1");
  CHECK(rows.find(junction({.must = {x}, .must_not = {one}})) == "2");
  CHECK(rows.find(junction({.filter = {x}})) == "1 2");
  CHECK(rows.find(junction({.should = {one, three}})) == "1 3");
  CHECK(rows.find(junction({.should = {one, x}, .least = 2})) == "1");
  CHECK(rows.find(junction({.must = {x}, .should = {three}})) == "1 2");
  CHECK(rows.find(junction({.must = {x}, .should = {one}, .least = 1})) == "1");
  CHECK(rows.find(junction({.must_not = {x}})) == "3");
  CHECK(rows.find(query_of(QueryType::const_score, api::ConstScoreQuery{.filter = one.message()})) == "1");
  CHECK(rows.find(query_of(QueryType::function_score, api::FunctionScoreQuery{.query = x.message()})) ==
        "1 2");
}

TEST_CASE("the elements of an array are values of their own") {
  Searched rows({{"k", keyword, true}, {"n", long_, true}});
  rows.put(1, {words("k", R"(["a","b"])"), words("n", "[1,2]")});
  rows.put(2, {words("k", R"(["b"])"), words("n", "[3]")});
  rows.put(3, {words("k", "b"), words("n", "[")});
  CHECK(rows.find(term("k", Value::string("b"))) == "1 2");
  CHECK(rows.find(term("n", Value::integer(2))) == "1");
  CHECK(rows.find(range("n", Value::integer(2), true, any, false)) == "1 2");
  CHECK(rows.find(exists("k")) == "1 2");
  rows.put(4, {words("n", "[9223372036854775807]")});
  rows.put(5, {words("n", "[9223372036854775808, 18446744073709551615]")});  // are no Integers
  CHECK(rows.find(exists("n")) == "1 2 4");
}

TEST_CASE("objects inside a row are found one by one") {
  Searched rows({{"o", api::FieldType::nested, false, {{"k"}, {"n", long_}}}});
  rows.put(1, {words("o", R"([{"k":"a","n":1},{"k":"b","n":2}])")});
  rows.put(2, {words("o", R"([{"k":"a","n":2}])")});
  rows.put(3, {words("o", R"({"k":"c"})")});
  const auto both = [](std::string_view k, std::int64_t n) {
    return nested("o", junction({.must = {term("o.k", Value::string(k)), term("o.n", Value::integer(n))}}));
  };
  CHECK(rows.find(both("a", 1)) == "1");
  CHECK(rows.find(both("a", 2)) == "2");
  CHECK(rows.find(nested("o", exists("o.n"))) == "1 2");
  CHECK(rows.find(nested("o", exists("o.k"))) == "1 2 3");
  CHECK(rows.find(term("o.k", Value::string("a"))).empty());
}

TEST_CASE("objects inside of objects are found by the whole path, or by queries inside each other") {
  const FieldText inner{.name = "m", .type = api::FieldType::nested, .inner = {{"k"}, {"n", long_}}};
  Searched rows({{.name = "o", .type = api::FieldType::nested, .inner = {{"k"}, inner}}});
  rows.put(1, {words("o", R"([{"k":"x","m":[{"k":"a","n":1}]},{"k":"y","m":[{"k":"b","n":2}]}])")});
  rows.put(2, {words("o", R"([{"k":"x","m":[{"k":"a","n":2},{"k":"b","n":1}]}])")});
  const auto both = junction({.must = {term("o.m.k", Value::string("a")), term("o.m.n", Value::integer(1))}});
  CHECK(rows.find(nested("o.m", both)) == "1");
  CHECK(rows.find(nested("o", nested("o.m", both))) == "1");
  CHECK(rows.find(nested("o.m", term("o.m.k", Value::string("b")))) == "1 2");
  const auto at_x = [](std::string_view k) {
    return nested("o", junction({.must = {term("o.k", Value::string("x")),
                                          nested("o.m", term("o.m.k", Value::string(k)))}}));
  };
  CHECK(rows.find(at_x("b")) == "2");
  CHECK(rows.find(nested("o.m", term("o.k", Value::string("x")))).empty());
}

TEST_CASE("addresses are found by their value, by prefixes and by ranges, however they are written") {
  Searched rows({{"ip", api::FieldType::ip}, {"ips", api::FieldType::ip, true}});
  rows.put(1, {words("ip", "192.168.1.1"), words("ips", R"(["10.0.0.1", "x", 5])")});
  rows.put(2, {words("ip", "192.168.2.7"), words("ips", R"(["fe80::1", "10.0.0.2"])")});
  rows.put(3, {words("ip", "10.0.0.1")});
  rows.put(4, {words("ip", "2001:db8::1")});
  rows.put(5, {words("ip", "::ffff:192.168.1.9")});
  rows.put(6, {words("ip", "192.168.1")});
  rows.put(7, {whole("ip", 5)});
  const auto at = [&](std::string_view address) { return rows.find(term("ip", Value::string(address))); };
  CHECK(rows.find(exists("ip")) == "1 2 3 4 5");
  CHECK(at("192.168.1.1") == "1");
  CHECK(at("::FFFF:192.168.1.1") == "1");
  CHECK(at("192.168.1.9") == "5");
  CHECK(at("2001:0DB8:0:0:0:0:0:1") == "4");
  CHECK(at("192.168.1.200/24") == "1 5");
  CHECK(at("192.168.0.0/16") == "1 2 5");
  CHECK(at("192.168.1.1/32") == "1");
  CHECK(at("2001:db8::/32") == "4");
  CHECK(at("0.0.0.0/0") == "1 2 3 5");
  CHECK(at("::/0") == "1 2 3 4 5");
  for (const std::string_view none : {"192.168.1", "192.168.1.0/33", "192.168.1.0/", "/8", "::/129", "x", ""})
    CHECK(at(none).empty());
  CHECK(rows.find(term("ip", Value::integer(5))).empty());
  CHECK(rows.find(terms("ip", {Value::string("10.0.0.0/8"), Value::string("x"),
                               Value::string("192.168.2.0/24"), Value::string("192.168.2.7")})) == "2 3");
  CHECK(rows.find(match("ip", "192.168.1.0/24")) == "1 5");
  CHECK(rows.find(term("ips", Value::string("10.0.0.0/24"))) == "1 2");
  CHECK(rows.find(range("ip", Value::string("9.0.0.0"), true, Value::string("20.0.0.0"), false)) == "3");
  CHECK(rows.find(range("ip", Value::string("192.168.1.1"), false, any, false)) == "2 4 5");
  CHECK(rows.find(range("ip", Value::string("10.0.0.0/8"), true, any, false)).empty());
}

TEST_CASE("rows are in the order of their addresses, page by page") {
  Searched rows({{"ip", api::FieldType::ip}});
  const std::vector<std::string_view> addresses = {"20.0.0.1", "2001:db8::1", "9.0.0.1",
                                                   "::1",      "10.0.0.1",    "x"};
  for (std::size_t i = 0; i < addresses.size(); ++i)
    rows.put(static_cast<std::int64_t>(i) + 1, {words("ip", addresses[i])});
  CHECK(rows.find(everything(), {.sort = sort_by("ip")}) == "4 3 5 1 2 6");
  CHECK(rows.find(everything(), {.sort = sort_by("ip", api::SortOrder::desc)}) == "2 1 5 3 4 6");
  const auto page = rows.response(everything(), {.limit = 3, .sort = sort_by("ip")});
  REQUIRE(page->next_token);
  CHECK(rows.find(everything(), {.token = *page->next_token}) == "1 2 6");
}

TEST_CASE("words of a text are found in any order, phrases in theirs") {
  Searched rows({{"t", api::FieldType::text},
                 {"s", api::FieldType::text, false, {}, "split"},
                 {"f", api::FieldType::text, false, {}, "fuzzy"}});
  rows.put(1, {words("t", "The quick, brown fox"), words("s", "a-1 b-2"), words("f", "phone")});
  rows.put(2, {words("t", "the brown dog"), words("s", "a-1"), words("f", "honest")});
  rows.put(3, {words("t", "杭州西湖"), words("s", "b")});
  const auto phrase = [](std::string_view field, std::string_view words) {
    return query_of(QueryType::match_phrase, api::MatchPhraseQuery{.field_name = field, .text = words});
  };
  CHECK(rows.find(match("t", "FOX dog")) == "1 2");
  CHECK(rows.find(match("t", "brown fox", {.operator_ = api::QueryOperator::and_})) == "1");
  CHECK(rows.find(match("t", "the fox cat", {.minimum_should_match = 2})) == "1");
  CHECK(rows.find(match("t", "湖")) == "3");
  CHECK(rows.find(phrase("t", "brown fox")) == "1");
  CHECK(rows.find(phrase("t", "fox brown")).empty());
  CHECK(rows.find(phrase("t", "西湖")) == "3");
  CHECK(rows.find(match("s", "a-1")) == "1 2");
  CHECK(rows.find(match("s", "a")).empty());
  CHECK(rows.find(phrase("f", "hone")) == "1 2");
  CHECK(rows.find(term("t", Value::string("quick"))) == "1");
  CHECK(rows.find(prefix("t", "bro")) == "1 2");
}

TEST_CASE("the words of a phrase may be apart by its slop") {
  Searched rows({{"t", api::FieldType::text}});
  rows.put(1, {words("t", "the quick brown fox")});
  rows.put(2, {words("t", "quick fox")});
  rows.put(3, {words("t", "fox fox quick")});
  const auto phrase = [](std::string_view text, std::int32_t slop) {
    return query_of(QueryType::match_phrase,
                    api::MatchPhraseQuery{.field_name = "t", .text = text, .slop = slop});
  };
  CHECK(rows.find(phrase("quick fox", 0)) == "2");
  CHECK(rows.find(phrase("quick fox", 1)) == "1 2");
  CHECK(rows.find(phrase("quick fox", 2)) == "1 2 3");  // two words that change their places
  CHECK(rows.find(phrase("the fox", 1)).empty());
  CHECK(rows.find(phrase("the fox", 2)) == "1");
  CHECK(rows.find(phrase("fox fox", 9)) == "3");  // one word of the text is not both
  CHECK(rows.find(phrase("fox cat", 9)).empty());
  std::string many = "fox";
  for (int i = 0; i < 100; ++i) many += " fox";
  CHECK(rows.find(phrase(many, 1)) ==
        "OTSParameterInvalid: [match_phrase_query.text] with a slop exceeds the limit of words: 100");
}

TEST_CASE("how many parts must match is a number, or one of percent, or how many need not") {
  Searched rows({{"t", api::FieldType::text}});
  rows.put(1, {words("t", "a b c d")});
  rows.put(2, {words("t", "a b c")});
  rows.put(3, {words("t", "a b")});
  const auto least = [](std::string_view text) {
    return match("t", "a b c d", {.new_minimum_should_match = text});
  };
  CHECK(rows.find(least("3")) == "1 2");
  CHECK(rows.find(least("-1")) == "1 2");
  CHECK(rows.find(least("75%")) == "1 2");
  CHECK(rows.find(least("99%")) == "1 2");
  CHECK(rows.find(least("100%")) == "1");
  CHECK(rows.find(least("-25%")) == "1 2");
  CHECK(rows.find(least("-20%")) == "1");
  CHECK(rows.find(least("few")) == "OTSParameterInvalid: [minimum_should_match] is invalid: few");
  std::vector<QueryText> parts;
  for (const std::string_view word : {"a", "b", "c", "d"}) parts.push_back(term("t", Value::string(word)));
  std::vector<api::Query> messages;
  for (const QueryText& part : parts) messages.push_back(part.message());
  CHECK(rows.find(query_of(QueryType::bool_, api::BoolQuery{.should_queries = messages,
                                                            .new_minimum_should_match = "-25%"})) == "1 2");
}

TEST_CASE("analyzers have parameters of their own") {
  const auto field = [](std::string_view name, const auto& parameter) {
    FieldText text{.name = "t", .type = api::FieldType::text, .analyzer = std::string(name)};
    text.analyzer_parameter = codec::encode_message(parameter);
    return text;
  };
  SECTION("single_word") {
    Searched rows({field("single_word",
                         api::SingleWordAnalyzerParameter{.case_sensitive = true, .delimit_word = true})});
    rows.put(1, {words("t", "IPhone6 Pro")});
    rows.put(2, {words("t", "iphone")});
    CHECK(rows.find(match("t", "IPhone")) == "1");
    CHECK(rows.find(match("t", "iphone")) == "2");
    CHECK(rows.find(match("t", "6")) == "1");
  }
  SECTION("split") {
    Searched rows({field("split", api::AnalyzerParameter{.delimiter = "-", .case_sensitive = true})});
    rows.put(1, {words("t", "A-b")});
    CHECK(rows.find(match("t", "A")) == "1");
    CHECK(rows.find(match("t", "a")).empty());
  }
  SECTION("fuzzy") {
    Searched rows({field(
        "fuzzy", api::FuzzyAnalyzerParameter{.min_chars = 2, .max_chars = 3, .case_sensitive = true})});
    rows.put(1, {words("t", "Phone")});
    rows.put(2, {words("t", "phase")});
    CHECK(rows.find(term("t", Value::string("hon"))) == "1");
    CHECK(rows.find(term("t", Value::string("hone"))).empty());
    CHECK(rows.find(term("t", Value::string("h"))).empty());
    CHECK(rows.find(match("t", "Phase")) == "1 2");
    const auto phrase = [](std::string_view text) {
      return query_of(QueryType::match_phrase, api::MatchPhraseQuery{.field_name = "t", .text = text});
    };
    CHECK(rows.find(phrase("phas")) == "2");
    CHECK(rows.find(phrase("p")).empty());
  }
}

TEST_CASE("a text is split at its field's delimiter, and at white space if none is given") {
  const auto split_at = [](std::optional<std::string_view> delimiter) {
    FieldText field{.name = "s", .type = api::FieldType::text, .analyzer = "split"};
    field.analyzer_parameter = codec::encode_message(api::AnalyzerParameter{.delimiter = delimiter});
    return field;
  };
  for (const auto& [delimiter, found_by_word] :
       {std::pair<std::optional<std::string_view>, std::string_view>(std::nullopt, "2 3"),
        {" ", "2"},
        {"-", "1"},
        {"#", "4"},
        {"\\#", "4"},
        {"\\\\", "5 6"},
        {"\\t", "6"}}) {
    Searched rows({split_at(delimiter)});
    rows.put(1, {words("s", "a-b c")});
    rows.put(2, {words("s", "a b-c")});
    rows.put(3, {words("s", "a\tb-c")});
    rows.put(4, {words("s", "a#b-c")});
    rows.put(5, {words("s", "a\\\\b-c")});
    rows.put(6, {words("s", "a\\tb-c")});
    CAPTURE(delimiter.value_or("none"));
    CHECK(rows.find(match("s", "a")) == found_by_word);
  }
}

TEST_CASE("places are found by boxes, distances and polygons") {
  Searched rows({{"g", geo_point}});
  rows.put(1, {words("g", "30.0,120.0")});
  rows.put(2, {words("g", "30.0,120.01")});
  rows.put(3, {words("g", "-33.9,151.2")});
  rows.put(4, {words("g", "nowhere")});
  const auto box = [](std::string_view top_left, std::string_view bottom_right) {
    return query_of(
        QueryType::geo_bounding_box,
        api::GeoBoundingBoxQuery{.field_name = "g", .top_left = top_left, .bottom_right = bottom_right});
  };
  const auto within = [](std::string_view center, double metres) {
    return query_of(QueryType::geo_distance,
                    api::GeoDistanceQuery{.field_name = "g", .center_point = center, .distance = metres});
  };
  const auto polygon = [](std::vector<std::string_view> points) {
    return query_of(QueryType::geo_polygon,
                    api::GeoPolygonQuery{.field_name = "g", .points = std::move(points)});
  };
  CHECK(rows.find(box("31,119", "29,121")) == "1 2");
  CHECK(rows.find(box("31,119", "29,120.005")) == "1");
  CHECK(rows.find(box("0,150", "-40,-170")) == "3");
  CHECK(rows.find(within("30,120", 900)) == "1");
  CHECK(rows.find(within("30,120", 1000)) == "1 2");
  CHECK(rows.find(polygon({"29,119", "29,120.005", "31,120.005", "31,119"})) == "1");
  CHECK(rows.refusal(within("north", 1)) == "OTSParameterInvalid: [north] is no geo point");
  CHECK(rows.refusal(polygon({"1,1", "2,2"})) == "OTSParameterInvalid: a polygon has at least three points");
}

TEST_CASE("dates are found in the form of their field, and virtual fields in that of their source") {
  Searched rows({{"d", date, false, {}, {}, {}, "yyyy-MM-dd HH:mm:ss"}, {"v", long_, false, {}, {}, "n"}});
  rows.put(1, {words("d", "2026-01-31 08:15:00"), whole("n", 1)});
  rows.put(2, {words("d", "2026-02-01 00:00:00"), whole("n", 2)});
  rows.put(3, {words("d", "31.1.2026")});
  CHECK(rows.find(range("d", Value::string("2026-01-31 08:15:01"), true, any, false)) == "2");
  CHECK(rows.find(term("d", Value::string("2026-01-31 08:15:00"))) == "1");
  CHECK(rows.find(exists("d")) == "1 2");
  CHECK(rows.find(term("v", Value::integer(2))) == "2");
}

TEST_CASE("hours of a date are those of a half of the day, if its form says so") {
  Searched rows({{"h", date, false, {}, {}, {}, "yyyy-MM-dd hh:mm a"},
                 {"k", date, false, {}, {}, {}, "yyyy-MM-dd KK:mm a"},
                 {.name = "t", .type = date, .format = "yyyy-MM-dd HH:mm"}});
  rows.put(1, {words("h", "2026-01-31 12:15 AM"), words("k", "2026-01-31 00:15 AM"),
               words("t", "2026-01-31 00:15")});
  rows.put(2, {words("h", "2026-01-31 08:15 pm"), words("k", "2026-01-31 08:15 PM"),
               words("t", "2026-01-31 20:15")});
  rows.put(3, {words("h", "2026-01-31 13:15 PM"), words("k", "2026-01-31 12:15 PM"), words("t", "noon")});
  for (const std::string_view field : {"h", "k", "t"}) {
    CAPTURE(field);
    CHECK(rows.find(exists(field)) == "1 2");
    const Value midnight = Value::integer(1'769'817'600'000);  // 2026-01-31, in milliseconds
    CHECK(rows.find(range(field, midnight, true, Value::integer(1'769'818'500'000), true)) == "1");
    CHECK(rows.find(term(field, Value::integer(1'769'890'500'000))) == "2");
  }
}

TEST_CASE("a number is a date by the first form that is one of numbers") {
  Searched rows({{.name = "d", .type = date, .format = "epoch_millis", .more_formats = {"epoch_second"}},
                 {.name = "s", .type = date, .source = "d", .format = "epoch_second"}});
  rows.put(1, {whole("d", 1'218'197'000)});
  CHECK(rows.find(term("d", Value::string("1970-01-15T02:23:17Z"))) == "1");
  CHECK(rows.find(term("s", Value::string("2008-08-08T12:03:20Z"))) == "1");
}

TEST_CASE("virtual fields convert numbers to texts, and texts that are numbers") {
  Searched rows({{"k", keyword, false, {}, {}, "n"},
                 {"t", api::FieldType::text, false, {}, {}, "d"},
                 {"n", long_, false, {}, {}, "s"},
                 {"d", double_, false, {}, {}, "s"}});
  rows.put(1, {whole("n", 5), real("d", 1.5), words("s", "7")});
  rows.put(2, {whole("n", -5), whole("d", 2), words("s", "2.5")});
  rows.put(3, {truth("n", true), words("d", "x"), words("s", "7x")});
  rows.put(4, {words("s", "inf")});
  rows.put(5, {words("s", "")});
  CHECK(rows.find(term("k", Value::string("5"))) == "1");
  CHECK(rows.find(prefix("k", "-")) == "2");
  CHECK(rows.find(exists("k")) == "1 2");
  CHECK(rows.find(match("t", "1.5")) == "1");
  CHECK(rows.find(exists("t")) == "1 2 3");
  CHECK(rows.find(term("n", Value::integer(7))) == "1");
  CHECK(rows.find(exists("n")) == "1");
  CHECK(rows.find(range("d", Value::real(2), true, any, false)) == "1 2");
  CHECK(rows.find(exists("d")) == "1 2");
}

TEST_CASE("a field that the index does not have exists in no row") {
  Searched rows({{"k"}});
  rows.put(1, {words("k", "a"), words("other", "a")});
  CHECK(rows.find(exists("other")).empty());
  CHECK(rows.find(junction({.must_not = {exists("other")}})) == "1");
}

TEST_CASE("queries of fields that are not indexed, and those that are not served, are refused") {
  Searched rows({{"k"}, {"off", keyword, false, {}, {}, {}, {}, false}});
  const std::string not_indexed =
      "OTSParameterInvalid: failed to query index, please check if 'Index' is enabled for query fields.";
  CHECK(rows.refusal(term("none", Value::integer(1))) == not_indexed);
  CHECK(rows.refusal(term("off", Value::integer(1))) == not_indexed);
  CHECK(rows.refusal(exists("off")) == not_indexed);
  const QueryText by_vector{QueryType::knn_vector, ""};  // not inside of filters
  CHECK(rows.refusal(everything(), {.filter = by_vector}) ==
        "OTSParameterInvalid: Dinette does not serve this type of query");
  CHECK(rows.refusal(terms("k", std::vector(1024, Value::string("x")))) == "200");
  CHECK(rows.refusal(terms("k", std::vector(1025, Value::string("x")))) ==
        "OTSParameterInvalid: [terms_query.terms] exceeds the limit: 1024");
  const std::string too_large = "OTSParameterInvalid: the query has too many queries inside";
  QueryText deep = exists("k");
  for (int i = 1; i < 20; ++i) deep = junction({.must = {deep}});
  CHECK(rows.refusal(deep) == "200");
  CHECK(rows.refusal(junction({.must = {deep}})) == too_large);
  CHECK(rows.refusal(junction({.should = std::vector(1023, exists("k"))})) == "200");
  CHECK(rows.refusal(junction({.should = std::vector(1024, exists("k"))})) == too_large);
  CHECK(rows.refusal({QueryType::term, "\x0a\x05"}) ==
        "OTSParameterInvalid: Parse PBMessage from RawString failed.");
}

}  // namespace dinette::tablestore::query_test

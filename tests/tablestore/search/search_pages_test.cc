#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tablestore/search/searched.h"

// tablestore/search-index.md sections 1 and 2.
namespace dinette::tablestore::search_pages_test {

using namespace test;
using api::FieldType::geo_point;
using api::FieldType::long_;

/// Returns the rows of all pages, each page in brackets.
std::string all_pages(Searched& rows, SearchMore more) {
  std::string pages;
  for (int i = 0; i < 20; ++i) {
    const std::string found = rows.find(everything(), more);
    pages += "[" + found + "]";
    const auto response = rows.response(everything(), more);
    if (!response->next_token) return pages;
    more.token = *response->next_token;
    more.sort.clear();
  }
  return "endless " + pages;
}

TEST_CASE("rows are ordered by key, or by fields, and missing values are last") {
  Searched rows({{"n", long_}, {"k"}});
  rows.put(1, {whole("n", 3), words("k", "b")});
  rows.put(2, {whole("n", 1), words("k", "a")});
  rows.put(3, {words("k", "a")});
  rows.put(4, {whole("n", 2)});
  CHECK(rows.find(everything()) == "1 2 3 4");
  CHECK(rows.find(everything(), {.sort = sort_by("n")}) == "2 4 1 3");
  CHECK(rows.find(everything(), {.sort = sort_by("n", api::SortOrder::desc)}) == "1 4 2 3");
  CHECK(rows.find(everything(), {.sort = sort_by("k")}) == "2 3 1 4");
  CHECK(rows.find(everything(), {.sort = sort_by("n", api::SortOrder::asc, Value::inf_min())}) == "3 2 4 1");
  CHECK(rows.find(everything(), {.sort = sort_by("n", api::SortOrder::desc, Value::inf_max())}) == "1 4 2 3");
  CHECK(rows.find(everything(), {.sort = sort_by("n", api::SortOrder::asc, Value::integer(2))}) == "2 3 4 1");
  const api::Sorter backward{.pk_sort = api::OrderedSort{api::SortOrder::desc}};
  CHECK(rows.find(everything(), {.sort = codec::encode_message(api::Sort{.sorter = {backward}})}) ==
        "4 3 2 1");
}

TEST_CASE("a search without an order has that of its index") {
  Searched rows({{"n", long_}}, sort_by("n", api::SortOrder::desc));
  rows.put(1, {whole("n", 3)});
  rows.put(2, {});
  rows.put(3, {whole("n", 1)});
  rows.put(4, {whole("n", 5)});
  rows.put(5, {whole("n", 1)});
  CHECK(rows.find(everything()) == "4 1 3 5 2");
  CHECK(rows.find(everything(), {.sort = sort_by("n")}) == "3 5 1 4 2");
  CHECK(all_pages(rows, {.limit = 2}) == "[4 1][3 5][2]");
}

TEST_CASE("arrays are ordered by their least, greatest or average value, places by distance") {
  Searched rows({{"n", long_, true}, {"g", geo_point}});
  rows.put(1, {words("n", "[1,9]"), words("g", "0,2")});
  rows.put(2, {words("n", "[2,3]"), words("g", "0,1")});
  const auto by = [](api::SortOrder order, std::optional<api::SortMode> mode) {
    return codec::encode_message(
        api::Sort{.sorter = {api::Sorter{
                      .field_sort = api::FieldSort{.field_name = "n", .order = order, .mode = mode}}}});
  };
  CHECK(rows.find(everything(), {.sort = by(api::SortOrder::asc, {})}) == "1 2");
  CHECK(rows.find(everything(), {.sort = by(api::SortOrder::desc, {})}) == "1 2");
  CHECK(rows.find(everything(), {.sort = by(api::SortOrder::asc, api::SortMode::max)}) == "2 1");
  CHECK(rows.find(everything(), {.sort = by(api::SortOrder::desc, api::SortMode::avg)}) == "1 2");
  const api::GeoDistanceSort near{.field_name = "g", .points = {"0,0"}};
  CHECK(rows.find(everything(), {.sort = codec::encode_message(api::Sort{
                                     .sorter = {api::Sorter{.geo_distance_sort = near}}})}) == "2 1");
}

TEST_CASE("an order is by the objects inside that a filter finds, or by another field where one is missing") {
  Searched rows({{"o", api::FieldType::nested, false, {{"k"}, {"n", long_}}}, {"n", long_}, {"m", long_}});
  rows.put(1, {words("o", R"([{"k":"a","n":5},{"k":"b","n":1}])"), whole("n", 5)});
  rows.put(2, {words("o", R"([{"k":"a","n":2},{"k":"b","n":9}])"), whole("m", 3)});
  rows.put(3, {words("o", R"([{"k":"c","n":0}])"), whole("n", 1), whole("m", 9)});
  const auto sorted = [](const api::FieldSort& sort) {
    return codec::encode_message(api::Sort{.sorter = {api::Sorter{.field_sort = sort}}});
  };
  const auto by_inner = [&](std::string_view k) {
    const QueryText filter = term("o.k", Value::string(k));
    return sorted(
        {.field_name = "o.n", .nested_filter = api::NestedFilter{.path = "o", .filter = filter.message()}});
  };
  CHECK(rows.find(everything(), {.sort = by_inner("a")}) == "2 1 3");
  CHECK(rows.find(everything(), {.sort = by_inner("b")}) == "1 2 3");
  CHECK(rows.find(everything(), {.sort = sorted({.field_name = "n", .missing_field = "m"})}) == "3 2 1");
  CHECK(rows.find(everything(), {.sort = sorted({.field_name = "n"})}) == "3 1 2");
}

TEST_CASE("pages are taken by offset and limit, and go on by tokens, which have the order") {
  Searched rows({{"n", long_}});
  for (std::int64_t i = 1; i <= 7; ++i) rows.put(i, {whole("n", i % 3)});
  CHECK(rows.find(everything(), {.offset = 2, .limit = 3}) == "3 4 5");
  CHECK(rows.find(everything(), {.limit = 0}).empty());
  CHECK(rows.find(everything(), {.offset = 9}).empty());
  CHECK(all_pages(rows, {.limit = 3}) == "[1 2 3][4 5 6][7]");
  CHECK(all_pages(rows, {.limit = 7}) == "[1 2 3 4 5 6 7]");
  CHECK(all_pages(rows, {.limit = 2, .sort = sort_by("n")}) == "[3 6][1 4][7 2][5]");
  CHECK(all_pages(rows, {.limit = 4, .sort = sort_by("n", api::SortOrder::desc)}) == "[2 5 1 4][7 3 6]");
  CHECK(rows.refusal(everything(), {.token = "x"}) == "OTSParameterInvalid: [search_query.token] is invalid");
}

TEST_CASE("a page has limits, which are wider for columns of the index") {
  Searched rows({{"n", long_}});
  const auto all = api::ColumnReturnType::all;
  CHECK(rows.refusal(everything(), {.limit = 101, .columns = all}) ==
        "OTSParameterInvalid: [search_query.limit] exceeds the limit: 100");
  CHECK(rows.refusal(everything(), {.limit = 100, .columns = all}) == "200");
  CHECK(rows.refusal(everything(), {.limit = 1000}) == "200");
  CHECK(rows.refusal(everything(), {.limit = 1001}) ==
        "OTSParameterInvalid: [search_query.limit] exceeds the limit: 1000");
  CHECK(rows.refusal(everything(), {.offset = 99'950, .limit = 100}) ==
        "OTSParameterInvalid: [search_query.offset] and [search_query.limit] together exceed the limit: "
        "100000");
  const std::string negative =
      "OTSParameterInvalid: [search_query.offset] and [search_query.limit] must not be negative";
  CHECK(rows.refusal(everything(), {.offset = -1}) == negative);
  CHECK(rows.refusal(everything(), {.limit = -2}) == negative);
}

TEST_CASE("a limit of -1 is the greatest that there may be") {
  Searched rows({{"n", long_}});
  for (std::int64_t i = 1; i <= 101; ++i) rows.put(i, {whole("n", i)});
  CHECK(rows.response(everything(), {.limit = -1})->rows.size() == 101);
  const auto page = rows.response(everything(), {.limit = -1, .columns = api::ColumnReturnType::all});
  CHECK(page->rows.size() == 100);
  CHECK(rows.find(everything(), {.limit = -1, .token = page->next_token.value()}) == "101");
  CHECK(rows.refusal(everything(), {.offset = 99'001, .limit = -1}).starts_with("OTSParameterInvalid"));
}

TEST_CASE("all that is found is counted, unless the client does not want to know") {
  Searched rows({{"n", long_}});
  for (std::int64_t i = 1; i <= 12; ++i) rows.put(i, {whole("n", i)});
  CHECK(rows.response(everything(), {.limit = 0})->total_hits == 12);
  CHECK(rows.response(term("n", Value::integer(3)))->total_hits == 1);
  CHECK(rows.response(everything(), {.track_total_count = 5})->total_hits == 12);
  CHECK(rows.response(everything(), {.track_total_count = -1})->total_hits == -1);
  CHECK(rows.response(everything(), {.get_total_count = true})->total_hits == 12);
  CHECK(rows.response(everything(), {.get_total_count = false})->total_hits == -1);
  CHECK(rows.response(everything())->is_all_succeeded == true);
  CHECK(rows.response(everything())->rows.size() == 10);  // unless a limit says otherwise
}

TEST_CASE("rows have the columns that are asked for") {
  Searched rows({{"n", long_}});
  rows.put(1, {whole("n", 5), words("other", "x")});
  const auto row = [&](api::ColumnReturnType type, std::vector<std::string_view> names = {}) {
    return text_of_rows(rows.response(everything(), {.columns = type, .names = names})->rows.at(0));
  };
  CHECK(row(api::ColumnReturnType::all) == "1,a n=5 other=x");
  CHECK(row(api::ColumnReturnType::none) == "1,a");
  CHECK(row(api::ColumnReturnType::all_from_index) == "1,a n=5");
  CHECK(row(api::ColumnReturnType::specified, {"other", "none"}) == "1,a other=x");
}

TEST_CASE("of rows with the same value only the first is returned, and all are counted") {
  Searched rows({{"k"}});
  rows.put(1, {words("k", "a")});
  rows.put(2, {words("k", "b")});
  rows.put(3, {words("k", "a")});
  CHECK(rows.find(everything(), {.collapse = "k"}) == "1 2");
  CHECK(rows.response(everything(), {.collapse = "k"})->total_hits == 3);
}

TEST_CASE("fields are collapsed that have one number or keyword, page by offset and limit") {
  Searched rows({{"k"}, {"g", geo_point}, {"a", long_, true}});
  for (std::int64_t i = 1; i <= 3; ++i) rows.put(i, {words("k", std::to_string(i))});
  CHECK(
      rows.find(everything(), {.collapse = "g"}) ==
      "OTSParameterInvalid: [collapse] field_name:g type:geo_point is invalid, allow [long, double, keyword] "
      "without arrays");
  CHECK(rows.find(everything(), {.collapse = "a"}).starts_with("OTSParameterInvalid: [collapse]"));
  CHECK(rows.find(everything(), {.offset = 1, .limit = 1, .collapse = "k"}) == "2");
  CHECK_FALSE(rows.response(everything(), {.limit = 1, .collapse = "k"})->next_token);
  const std::string token = rows.response(everything(), {.limit = 1})->next_token.value();
  CHECK(rows.find(everything(), {.token = token, .collapse = "k"}) ==
        "OTSParameterInvalid: [search_query.collapse] and [search_query.token] must not be given together");
}

TEST_CASE("fields without enable_sort_and_agg, and texts, are not sorted, summed and grouped") {
  Searched rows({{.name = "n", .type = long_, .sortable = false},
                 {.name = "t", .type = api::FieldType::text, .sortable = true},
                 {.name = "m", .type = long_, .sortable = true}});
  const auto refused = [](std::string_view part, std::string_view field) {
    return "OTSParameterInvalid: [" + std::string(part) + "] field:" + std::string(field) +
           " must enable enable_sort_and_agg, but enable_sort_and_agg is not enabled";
  };
  CHECK(rows.find(everything(), {.sort = sort_by("n")}) == refused("field_sort", "n"));
  CHECK(rows.find(everything(), {.sort = sort_by("t")}) == refused("field_sort", "t"));
  CHECK(rows.find(everything(), {.sort = sort_by("m")}).empty());
  CHECK(rows.find(everything(), {.collapse = "n"}) == refused("collapse", "n"));
  const auto sum_of = [](std::string_view field) {
    const std::string body = codec::encode_message(api::FieldAggregation{.field_name = field});
    const api::Aggregation sum{.name = "s", .type = api::AggregationType::sum, .body = body};
    return codec::encode_message(api::Aggregations{{sum}});
  };
  CHECK(rows.find(everything(), {.aggregations = sum_of("n")}) == refused("sum agg", "n"));
  CHECK(rows.find(everything(), {.aggregations = sum_of("m")}).empty());
  const auto groups_of = [](std::string_view field) {
    const std::string body = codec::encode_message(api::GroupByField{.field_name = field});
    const api::GroupBy groups{.name = "g", .type = api::GroupByType::field, .body = body};
    return codec::encode_message(api::GroupBys{{groups}});
  };
  CHECK(rows.find(everything(), {.groupings = groups_of("n")}) == refused("groupby_field", "n"));
  CHECK(rows.find(everything(), {.groupings = groups_of("t")}) == refused("groupby_field", "t"));
  CHECK(rows.find(everything(), {.groupings = groups_of("m")}).empty());
}

}  // namespace dinette::tablestore::search_pages_test

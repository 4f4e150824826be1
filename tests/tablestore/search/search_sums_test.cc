#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tablestore/plainbuffer/variant.h"
#include "tablestore/search/searched.h"

// tablestore/search-index.md sections 1 and 2: aggregations and groups.
namespace dinette::tablestore::search_sums_test {

using namespace test;
using api::AggregationType::avg;
using api::AggregationType::count;
using api::AggregationType::distinct_count;
using api::AggregationType::percentiles;
using api::AggregationType::sum;
using api::AggregationType::top_rows;
using api::FieldType::date;
using api::FieldType::double_;
using api::FieldType::geo_point;
using api::FieldType::long_;
using api::GroupByType::date_histogram;
using api::GroupByType::field;
using api::GroupByType::filter;
using api::GroupByType::geo_distance;
using api::GroupByType::histogram;

api::FieldAggregation of(std::string_view field, std::string_view missing = {}) {
  api::FieldAggregation body{.field_name = field};
  if (!missing.empty()) body.missing = missing;
  return body;
}

/// One aggregation, as the message Aggregations.
template <class Body>
std::string one(api::AggregationType type, const Body& body) {
  const std::string bytes = codec::encode_message(body);
  return codec::encode_message(api::Aggregations{.aggs = {{.name = "x", .type = type, .body = bytes}}});
}

/// The same of groups.
template <class Body>
std::string groups(api::GroupByType type, const Body& body) {
  const std::string bytes = codec::encode_message(body);
  return codec::encode_message(api::GroupBys{.group_bys = {{.name = "g", .type = type, .body = bytes}}});
}

template <class Message>
Message read(std::string_view bytes) {
  auto message = codec::decode_message<Message>(bytes);
  REQUIRE(message);
  return *std::move(message);
}

/// Numbers, groups and dates of five rows.
class Sums {
 public:
  Sums() {
    rows.put(1, {whole("n", 1), words("k", "a"), {.name = "d", .value = Value::real(0.5)}});
    rows.put(2, {whole("n", 2), words("k", "b"), {.name = "d", .value = Value::real(1.5)}});
    rows.put(3, {whole("n", 2), words("k", "a"), words("t", "2026-01-31T23:00:00Z")});
    rows.put(4, {whole("n", 7), words("k", "a"), words("t", "2026-03-01T00:00:00Z")});
    rows.put(5, {words("k", "c"), words("g", "0,1")});
  }

  std::string result(const std::string& aggregations) {
    const auto response = rows.response(everything(), {.limit = 0, .aggregations = aggregations});
    const auto results = read<api::AggregationsResult>(response->aggs.value()).agg_results;
    REQUIRE(results.size() == 1);
    CHECK(results[0].name == "x");
    return results[0].agg_result.value();
  }
  std::optional<double> number(api::AggregationType type, std::string_view field,
                               std::string_view missing = {}) {
    return read<api::DoubleResult>(result(one(type, of(field, missing)))).value;
  }
  std::optional<std::int64_t> total(api::AggregationType type, std::string_view field) {
    return read<api::CountResult>(result(one(type, of(field)))).value;
  }
  template <class Groups, class Body>
  Groups grouped(api::GroupByType type, const Body& body) {
    const auto response = rows.response(everything(), {.limit = 0, .groupings = groups(type, body)});
    const auto results = read<api::GroupBysResult>(response->group_bys.value()).group_by_results;
    REQUIRE(results.size() == 1);
    CHECK(results[0].name == "g");
    CHECK(results[0].type == type);
    return read<Groups>(results[0].group_by_result.value());
  }
  /// Returns keys and counts: "a=3 b=1".
  std::string by_field(const api::GroupByField& body) {
    std::string text;
    for (const auto& group :
         grouped<api::FieldGroups>(api::GroupByType::field, body).group_by_field_result_items)
      text += (text.empty() ? "" : " ") + group.key.value() + "=" + std::to_string(group.row_count.value());
    return text;
  }

  Searched rows{{{"n", long_},
                 {"d", double_},
                 {"k"},
                 {.name = "t", .type = date, .format = "epoch_millis"},
                 {"g", geo_point},
                 {"w", api::FieldType::text}}};
};

TEST_CASE_METHOD(Sums, "numbers are summed up, and a missing value may count as another") {
  CHECK(number(sum, "n") == 12);
  CHECK(number(avg, "n") == 3);
  CHECK(number(api::AggregationType::min, "n") == 1);
  CHECK(number(api::AggregationType::max, "n") == 7);
  CHECK(number(sum, "d") == 2);
  CHECK(number(sum, "n", variant(Value::integer(8))) == 20);
  CHECK(number(avg, "n", variant(Value::integer(8))) == 4);
  CHECK(total(count, "n") == 4);
  CHECK(total(count, "k") == 5);
  CHECK(total(distinct_count, "n") == 3);
  CHECK(total(distinct_count, "k") == 3);
  CHECK(total(count, "g") == 1);
  CHECK(total(distinct_count, "g") == 1);
  CHECK(total(count, "*") == 5);  // rows
}

TEST_CASE_METHOD(Sums, "an aggregation has a field of a type that it can sum up") {
  const auto refusal = [&](api::AggregationType type, std::string_view field) {
    return rows.refusal(everything(), {.aggregations = one(type, of(field))});
  };
  CHECK(refusal(avg, "none") == "OTSParameterInvalid: [avg agg] field: none does not exist");
  CHECK(refusal(distinct_count, "none") ==
        "OTSParameterInvalid: [distinct count agg] field: none does not exist");
  CHECK(refusal(sum, "k") ==
        "OTSParameterInvalid: [sum agg] field_name:k type:keyword is invalid, allow [long, double]");
  CHECK(refusal(count, "w") ==
        "OTSParameterInvalid: [count agg] field_name:w type:text is invalid, "
        "allow [long, double, boolean, keyword, geo_point]");
  CHECK(refusal(sum, "g") ==
        "OTSParameterInvalid: [sum agg] field_name:g type:geo_point is invalid, allow [long, double]");
  CHECK(refusal(distinct_count, "*") == "OTSParameterInvalid: [distinct count agg] field: * does not exist");
}

TEST_CASE_METHOD(Sums, "aggregations and groups are limited in number, and have a type and a field") {
  const auto aggregated = [&](std::size_t count, std::optional<api::AggregationType> type) {
    const std::string body = codec::encode_message(of("n"));
    const api::Aggregation some{.name = "x", .type = type, .body = body};
    return rows.refusal(
        everything(),
        {.aggregations = codec::encode_message(api::Aggregations{.aggs = std::vector(count, some)})});
  };
  CHECK(aggregated(100, sum) == "200");
  CHECK(aggregated(101, sum) == "OTSParameterInvalid: the number of aggregations exceeds the limit: 100");
  CHECK(aggregated(1, {}) == "OTSParameterInvalid: Dinette does not serve this type of aggregation");
  const auto in_groups = [&](std::size_t count, std::optional<api::GroupByType> type, std::string_view name) {
    const std::string body = codec::encode_message(api::GroupByField{.field_name = name});
    const api::GroupBy some{.name = "g", .type = type, .body = body};
    return rows.refusal(
        everything(),
        {.groupings = codec::encode_message(api::GroupBys{.group_bys = std::vector(count, some)})});
  };
  CHECK(in_groups(5, field, "k") == "200");
  CHECK(in_groups(6, field, "k") ==
        "OTSParameterInvalid: at most 5 group bys, which may be inside each other 3 times");
  CHECK(in_groups(1, {}, "k") == "OTSParameterInvalid: Dinette does not serve this type of group by");
  CHECK(in_groups(1, field, "none") == "OTSParameterInvalid: [group by] field: none does not exist");
}

TEST_CASE_METHOD(Sums, "percentiles are values that are there") {
  const auto items =
      read<api::PercentilesResult>(
          result(one(percentiles,
                     api::PercentilesAggregation{.field_name = "n", .percentiles = {0, 50, 75, 100}})))
          .percentiles_aggregation_items;
  std::vector<std::int64_t> values;
  for (const auto& item : items)
    values.push_back(plainbuffer::decode_variant(item.value.value())->as_integer());
  CHECK(values == std::vector<std::int64_t>{1, 2, 2, 7});
  CHECK(items[2].key == 75);
  CHECK(rows.refusal(everything(),
                     {.aggregations = one(percentiles, api::PercentilesAggregation{.field_name = "n",
                                                                                   .percentiles = {101}})}) ==
        "OTSParameterInvalid: [percentiles agg] percentiles must be in [0, 100]");
}

TEST_CASE_METHOD(Sums, "the first rows of an order are an aggregation too") {
  // What is read refers to the bytes.
  const std::string order = sort_by("n", api::SortOrder::desc);
  const auto sort = read<api::Sort>(order);
  const std::string found = result(one(top_rows, api::TopRowsAggregation{.limit = 2, .sort = sort}));
  const auto top = read<api::TopRowsResult>(found);
  REQUIRE(top.rows.size() == 2);
  CHECK(text_of_rows(top.rows[0]) == "4,a");
  CHECK(text_of_rows(top.rows[1]) == "2,a");
}

TEST_CASE_METHOD(Sums, "groups by value are ordered by how many rows they have, or as the request says") {
  CHECK(by_field({.field_name = "k"}) == "a=3 b=1 c=1");
  CHECK(by_field({.field_name = "k", .size = 2}) == "a=3 b=1");
  CHECK(by_field({.field_name = "n"}) == "2=2 1=1 7=1");
  const auto by_key = api::GroupBySorter{.group_key_sort = api::OrderedSort{api::SortOrder::desc}};
  CHECK(by_field({.field_name = "k", .sort = api::GroupBySort{{by_key}}}) == "c=1 b=1 a=3");
  const auto by_count = api::GroupBySorter{.row_count_sort = api::OrderedSort{api::SortOrder::asc}};
  CHECK(by_field({.field_name = "k", .sort = api::GroupBySort{{by_count, by_key}}}) == "c=1 b=1 a=3");
  const std::string body = codec::encode_message(of("n"));
  const api::Aggregations inner{.aggs = {{.name = "s", .type = sum, .body = body}}};
  const auto by_sum =
      api::GroupBySorter{.sub_agg_sort = api::SubAggSort{.sub_agg_name = "s", .order = api::SortOrder::asc}};
  CHECK(by_field({.field_name = "k", .sort = api::GroupBySort{{by_sum}}, .sub_aggs = inner}) ==
        "c=1 b=1 a=3");
  const std::string every = codec::encode_message(of("*"));
  const api::Aggregations rows_of{.aggs = {{.name = "s", .type = count, .body = every}}};
  CHECK(by_field({.field_name = "k", .sort = api::GroupBySort{{by_sum}}, .sub_aggs = rows_of}) ==
        "b=1 c=1 a=3");
  CHECK(by_field({.field_name = "k", .min_doc_count = 2}) == "a=3");
}

TEST_CASE("groups by address have one spelling") {
  Searched rows({{"ip", api::FieldType::ip}});
  rows.put(1, {words("ip", "192.0.2.1")});
  rows.put(2, {words("ip", "::ffff:192.0.2.1")});
  rows.put(3, {words("ip", "2001:0DB8:0::1")});
  const auto response = rows.response(
      everything(), {.limit = 0, .groupings = groups(field, api::GroupByField{.field_name = "ip"})});
  const auto results = read<api::GroupBysResult>(response->group_bys.value()).group_by_results;
  const auto found =
      read<api::FieldGroups>(results.at(0).group_by_result.value()).group_by_field_result_items;
  REQUIRE(found.size() == 2);
  CHECK(found[0].key == "192.0.2.1");
  CHECK(found[0].row_count == 2);
  CHECK(found[1].key == "2001:db8::1");
}

TEST_CASE_METHOD(Sums, "groups have aggregations and groups of their own") {
  const std::string body = codec::encode_message(of("n"));
  const std::string inner = codec::encode_message(api::GroupByField{.field_name = "n"});
  const api::GroupByField outer{
      .field_name = "k",
      .sub_aggs = api::Aggregations{.aggs = {{.name = "s", .type = sum, .body = body}}},
      .sub_group_bys = api::GroupBys{.group_bys = {{.name = "i", .type = field, .body = inner}}}};
  const auto found = grouped<api::FieldGroups>(field, outer).group_by_field_result_items;
  REQUIRE(found.size() == 3);
  CHECK(read<api::DoubleResult>(found[0].sub_aggs_result->agg_results.at(0).agg_result.value()).value == 10);
  const auto within =
      read<api::FieldGroups>(found[0].sub_group_bys_result->group_by_results.at(0).group_by_result.value());
  CHECK(within.group_by_field_result_items.size() == 3);
  std::string deep = codec::encode_message(api::GroupByField{.field_name = "k"});
  for (int i = 0; i < 3; ++i) {
    const std::string before = deep;
    deep = codec::encode_message(api::GroupByField{
        .field_name = "k",
        .sub_group_bys = api::GroupBys{.group_bys = {{.name = "i", .type = field, .body = before}}}});
  }
  const auto too_deep =
      codec::encode_message(api::GroupBys{.group_bys = {{.name = "g", .type = field, .body = deep}}});
  CHECK(rows.refusal(everything(), {.groupings = too_deep}) ==
        "OTSParameterInvalid: at most 5 group bys, which may be inside each other 3 times");
}

TEST_CASE_METHOD(Sums, "groups by range, filter and distance may be empty, or have rows in common") {
  const auto ranges =
      grouped<api::RangeGroups>(
          api::GroupByType::range,
          api::GroupByRange{
              .field_name = "n",
              .ranges = {{.begin = 0, .end = 2}, {.begin = 2, .end = 7}, {.begin = 8, .end = 9}}})
          .group_by_range_result_items;
  REQUIRE(ranges.size() == 3);
  CHECK(ranges[0].row_count == 1);
  CHECK(ranges[1].row_count == 2);
  CHECK(ranges[2].row_count == 0);
  CHECK(ranges[1].range_from == 2);
  CHECK(ranges[1].range_to == 7);
  const QueryText a = term("k", Value::string("a"));
  const QueryText two = term("n", Value::integer(2));
  const auto filters =
      grouped<api::FilterGroups>(filter, api::GroupByFilter{.filters = {a.message(), two.message()}})
          .group_by_filter_result_items;
  REQUIRE(filters.size() == 2);
  CHECK(filters[0].row_count == 3);
  CHECK(filters[1].row_count == 2);
  const auto distances =
      grouped<api::RangeGroups>(geo_distance,
                                api::GroupByGeoDistance{.field_name = "g",
                                                        .origin = api::GeoPoint{.lat = 0, .lon = 0},
                                                        .ranges = {{.begin = 0, .end = 111'000},
                                                                   {.begin = 111'000, .end = 112'000}}})
          .group_by_range_result_items;
  CHECK(distances.at(0).row_count == 0);
  CHECK(distances.at(1).row_count == 1);
}

TEST_CASE_METHOD(Sums, "histograms have groups of equal width, also empty ones") {
  const std::string two = variant(Value::integer(2));
  const auto shown = [&](const api::GroupByHistogram& body) {
    std::string text;
    for (const auto& group : grouped<api::HistogramGroups>(histogram, body).group_by_histogra_items)
      text += std::to_string(plainbuffer::decode_variant(group.key.value())->as_integer()) + "=" +
              std::to_string(group.value.value()) + " ";
    return text;
  };
  CHECK(shown({.field_name = "n", .interval = two}) == "0=1 2=2 4=0 6=1 ");
  CHECK(shown({.field_name = "n", .interval = two, .min_doc_count = 1}) == "0=1 2=2 6=1 ");
  const std::string one_more = variant(Value::integer(1));
  CHECK(shown({.field_name = "n", .interval = two, .min_doc_count = 1, .offset = one_more}) == "1=3 7=1 ");
  const std::string eight = variant(Value::integer(8));
  CHECK(shown({.field_name = "n", .interval = two, .missing_value = eight, .min_doc_count = 1}) ==
        "0=1 2=2 6=1 8=1 ");
  CHECK(shown({.field_name = "n",
               .interval = two,
               .min_doc_count = 1,
               .field_range = api::FieldRange{.min = two, .max = eight}}) == "2=2 6=1 ");
  const auto within = [&](std::int64_t most) {
    const std::string last = variant(Value::integer(most));
    const api::GroupByHistogram body{.field_name = "n",
                                     .interval = two,
                                     .min_doc_count = 1,
                                     .field_range = api::FieldRange{.min = two, .max = last}};
    return rows.refusal(everything(), {.groupings = groups(histogram, body)});
  };
  CHECK(within(4002) == "200");
  CHECK(within(4003) == "OTSParameterInvalid: [group by] the number of groups exceeds the limit: 2000");
  const std::string zero = variant(Value::integer(0));
  CHECK(rows.refusal(
            everything(),
            {.groupings = groups(histogram, api::GroupByHistogram{.field_name = "n", .interval = zero})}) ==
        "OTSParameterInvalid: [group by] the interval is invalid");
  rows.put(6, {whole("n", 1'000'000)});
  CHECK(rows.refusal(
            everything(),
            {.groupings = groups(histogram, api::GroupByHistogram{.field_name = "n", .interval = two})}) ==
        "OTSParameterInvalid: [group by] the number of groups exceeds the limit: 2000");
}

TEST_CASE_METHOD(Sums, "dates are in the parts of a calendar") {
  constexpr std::int64_t january = 1'767'225'600'000;
  constexpr std::int64_t day = 86'400'000;
  const auto times = [&](const api::GroupByDateHistogram& body) {
    std::vector<std::pair<std::int64_t, std::int64_t>> found;
    for (const auto& group :
         grouped<api::DateHistogramGroups>(date_histogram, body).group_by_date_histogram_items)
      found.emplace_back((group.timestamp.value() - january) / 3'600'000, group.row_count.value());
    return found;
  };
  using Times = std::vector<std::pair<std::int64_t, std::int64_t>>;
  const api::DateTimeValue month{.value = 1, .unit = api::DateTimeUnit::month};
  CHECK(times({.field_name = "t", .interval = month}) == Times{{0, 1}, {31 * 24, 0}, {59 * 24, 1}});
  CHECK(times({.field_name = "t", .interval = month, .time_zone = "+08:00"}) ==
        Times{{31 * 24 - 8, 1}, {59 * 24 - 8, 1}});
  CHECK(times({.field_name = "t", .interval = month, .time_zone = "Asia/Singapore"}) ==
        Times{{31 * 24 - 8, 1}, {59 * 24 - 8, 1}});
  CHECK(times({.field_name = "t", .interval = month, .time_zone = "Pacific/Honolulu"}) ==
        Times{{10, 1}, {31 * 24 + 10, 1}});
  for (const std::string_view zone : {"Europe/Paris", "+19:00", "+08:60", "08:00", "+8"})
    CHECK(rows.refusal(everything(),
                       {.groupings = groups(date_histogram,
                                            api::GroupByDateHistogram{
                                                .field_name = "t", .interval = month, .time_zone = zone})}) ==
          "OTSParameterInvalid: [groupby_date_histogram.time_zone] is neither an offset such as +08:00 nor a "
          "known zone without daylight saving: " +
              std::string(zone));
  const api::DateTimeValue days{.value = 1, .unit = api::DateTimeUnit::day};
  CHECK(times({.field_name = "t", .interval = days, .min_doc_count = 1}) ==
        Times{{30 * 24, 1}, {59 * 24, 1}});
  const auto within = [&](std::int64_t count) {
    const std::string first = variant(Value::integer(january));
    const std::string last = variant(Value::integer(january + count * day));
    const api::GroupByDateHistogram body{
        .field_name = "t", .interval = days, .field_range = api::FieldRange{.min = first, .max = last}};
    return rows.refusal(everything(), {.groupings = groups(date_histogram, body)});
  };
  CHECK(within(2000) == "200");
  CHECK(within(2001) == "OTSParameterInvalid: [group by] the number of groups exceeds the limit: 2000");
  const api::DateTimeValue week{.value = 1, .unit = api::DateTimeUnit::week};
  CHECK(times({.field_name = "t", .interval = week, .min_doc_count = 1}) ==
        Times{{25 * 24, 1}, {53 * 24, 1}});
  const api::DateTimeValue hour{.value = 1, .unit = api::DateTimeUnit::hour};
  CHECK(times({.field_name = "t", .interval = days, .min_doc_count = 1, .offset = hour}) ==
        Times{{30 * 24 + 1, 1}, {58 * 24 + 1, 1}});
  const api::DateTimeValue year{.value = 1, .unit = api::DateTimeUnit::year};
  CHECK(times({.field_name = "t", .interval = year}) == Times{{0, 2}});
  CHECK(january % day == 0);
}

}  // namespace dinette::tablestore::search_sums_test

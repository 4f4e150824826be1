#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tablestore/search/searched.h"

// Groups by several values together, and by cells of a grid (tablestore/search-index.md section 1).
namespace dinette::tablestore::search_groups_test {

using namespace test;
using api::GroupByType;

/// A grouping, and the bytes that its message is a view of.
struct GroupingText {
  std::string name;
  GroupByType type = GroupByType::field;
  std::string body = {};

  api::GroupBy message() const { return {.name = name, .type = type, .body = body}; }
};

template <class Body>
GroupingText grouping(std::string name, GroupByType type, const Body& body) {
  return {std::move(name), type, codec::encode_message(body)};
}

class Grouped : public Searched {
 public:
  Grouped()
      : Searched({{"k"},
                  {"n", api::FieldType::long_},
                  {"g", api::FieldType::geo_point},
                  {.name = "t", .type = api::FieldType::date, .format = "epoch_millis"}}) {
    put(1, {words("k", "a"), whole("n", 1), words("g", "48.669,-4.329")});
    put(2, {words("k", "a"), whole("n", 12), words("g", "48.67,-4.33")});
    put(3, {words("k", "b"), whole("n", 3), words("g", "0,0")});
    put(4, {words("k", "a"), whole("n", 2)});
    put(5, {words("k", "b")});
  }

  std::string bytes(const GroupingText& one) {
    const std::string all = codec::encode_message(api::GroupBys{{one.message()}});
    const auto found = response(everything(), {.groupings = all});
    const auto results = codec::decode_message<api::GroupBysResult>(found->group_bys.value()).value();
    CHECK(results.group_by_results.at(0).type == one.type);
    return results.group_by_results.at(0).group_by_result.value();
  }
  std::string refusal_of(const GroupingText& one) {
    const std::string all = codec::encode_message(api::GroupBys{{one.message()}});
    return refusal(everything(), {.groupings = all});
  }
};

GroupingText composite(const std::vector<GroupingText>& sources, api::GroupByComposite more = {}) {
  more.sources.emplace();
  for (const GroupingText& source : sources) more.sources->group_bys.push_back(source.message());
  return grouping("c", GroupByType::composite, more);
}

/// "a,0=2 b,0=1", and the token, if the groups go on.
std::string shown(const api::CompositeGroups& groups) {
  std::string text;
  for (const api::CompositeGroup& group : groups.group_by_composite_result_items) {
    text += text.empty() ? "" : " ";
    for (std::size_t i = 0; i < group.keys.size(); ++i) text += (i == 0 ? "" : ",") + group.keys[i];
    text += "=" + std::to_string(group.row_count.value());
    CHECK(group.is_null_keys == std::vector<bool>(group.keys.size(), false));
  }
  return text + (groups.next_token ? " ..." : "");
}

TEST_CASE_METHOD(Grouped, "composite groups have a key per source, and pages") {
  const GroupingText k = grouping("k", GroupByType::field, api::GroupByField{.field_name = "k"});
  const std::string ten = variant(Value::integer(10));
  const GroupingText n =
      grouping("n", GroupByType::histogram, api::GroupByHistogram{.field_name = "n", .interval = ten});
  const auto groups = [&](const GroupingText& one) {
    return codec::decode_message<api::CompositeGroups>(bytes(one)).value();
  };
  const auto all = groups(composite({k, n}));
  CHECK(shown(all) == "a,0=2 a,10=1 b,0=1");
  CHECK(all.source_group_by_names == std::vector<std::string>{"k", "n"});
  const auto first = groups(composite({k, n}, {.size = 2}));
  CHECK(shown(first) == "a,0=2 a,10=1 ...");
  const std::string token = first.next_token.value();
  CHECK(shown(groups(composite({k, n}, {.size = 2, .next_token = token}))) == "b,0=1");
  CHECK(shown(groups(composite({k, n}, {.suggested_size = 1}))) == "a,0=2 ...");
  const auto descending = api::GroupBySorter{.group_key_sort = api::OrderedSort{api::SortOrder::desc}};
  const GroupingText from_last = grouping(
      "k", GroupByType::field, api::GroupByField{.field_name = "k", .sort = api::GroupBySort{{descending}}});
  CHECK(shown(groups(composite({from_last, n}))) == "b,0=1 a,0=2 a,10=1");
  CHECK(refusal_of(composite({k, n}, {.next_token = "x"})) ==
        "OTSParameterInvalid: [group_by_composite.next_token] is invalid");
  CHECK(refusal_of(composite({k}, {.next_token = token})) ==
        "OTSParameterInvalid: [group_by_composite.next_token] is invalid");
}

TEST_CASE_METHOD(Grouped, "sources of composite groups are groups by value or interval, and not too deep") {
  const std::string sources =
      "OTSParameterInvalid: [group_by_composite.sources] must be groups by field, histogram or date "
      "histogram";
  CHECK(refusal_of(composite({})) == sources);
  const GroupingText k = grouping("k", GroupByType::field, api::GroupByField{.field_name = "k"});
  CHECK(refusal_of(composite({composite({k})})) == sources);
  GroupingText deep = k;
  for (int i = 0; i < 100; ++i) deep = composite({deep});
  CHECK(refusal_of(deep) ==
        "OTSParameterInvalid: at most 5 group bys, which may be inside each other 3 times");
}

TEST_CASE_METHOD(Grouped, "places are grouped by the cells of geohashes") {
  const auto cells = [&](std::int32_t precision, std::optional<std::int32_t> size = {}) {
    std::string text;
    const auto groups = codec::decode_message<api::GeoGridGroups>(
        bytes(grouping("g", GroupByType::geo_grid,
                       api::GroupByGeoGrid{.field_name = "g", .precision = precision, .size = size})));
    for (const auto& group : groups->group_by_geo_grid_result_items)
      text += (text.empty() ? "" : " ") + group.key.value() + "=" + std::to_string(group.row_count.value());
    return text;
  };
  CHECK(cells(3) == "gbs=2 s00=1");
  CHECK(cells(5) == "gbsuv=2 s0000=1");
  CHECK(cells(3, 1) == "gbs=2");
  const auto groups = codec::decode_message<api::GeoGridGroups>(
      bytes(grouping("g", GroupByType::geo_grid, api::GroupByGeoGrid{.field_name = "g", .precision = 1})));
  const api::GeoGrid box = groups->group_by_geo_grid_result_items.at(0).geo_grid.value();  // of `g`
  CHECK(box.top_left->lat == 90);
  CHECK(box.top_left->lon == -45);
  CHECK(box.bottom_right->lat == 45);
  CHECK(box.bottom_right->lon == 0);
  for (const std::int32_t precision : {0, 13})
    CHECK(refusal_of(grouping("g", GroupByType::geo_grid,
                              api::GroupByGeoGrid{.field_name = "g", .precision = precision})) ==
          "OTSParameterInvalid: [group_by_geo_grid.precision] must be in [1, 12]");
}

}  // namespace dinette::tablestore::search_groups_test

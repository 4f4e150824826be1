#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tablestore/search/searched.h"

// Fields of type JSON (tablestore/search-index.md section 2).
namespace dinette::tablestore::search_json_test {

using namespace test;
using api::FieldType;
using api::JsonType;

FieldText json(std::string name, JsonType type, std::vector<FieldText> inner) {
  FieldText field{.name = std::move(name), .type = FieldType::json};
  field.inner = std::move(inner);
  field.json_type = type;
  return field;
}

Value text(std::string_view value) {
  return Value::string(value);
}

/// Rows with an address, or with several.
class Addresses : public Searched {
 public:
  explicit Addresses(JsonType type)
      : Searched(
            {json("address", type,
                  {{"country"},
                   {"city"},
                   {"floor", FieldType::long_},
                   {"note", FieldType::text},
                   json("owner", JsonType::object_json, {json("name", JsonType::object_json, {{"first"}})}),
                   json("phones", JsonType::nested_json, {{"kind"}, {"number"}})})}) {
    put(1, {words("address", R"([{"country": "China", "city": "hangzhou", "floor": 3},
                                 {"country": "usa", "city": "Seattle", "floor": 1}])")});
    put(2, {words("address", R"({"country": "China", "city": "Seattle", "floor": 2, "note": "By the sea",
                                 "owner": {"name": {"first": "Ann"}}, "unknown": 1})")});
    put(3, {words("address", R"({"phones": [{"kind": "home", "number": "1"}, {"kind": "work", "number": "2"}],
                                 "floor": "two", "city": ["hangzhou", 7]})")});
    put(4, {words("address", "no JSON")});
    put(5, {whole("address", 1)});
  }
};

QueryText both(const QueryText& a, const QueryText& b) {
  return junction({.must = {a, b}});
}

QueryText exists(std::string_view field) {
  return query_of(api::QueryType::exists, api::ExistsQuery{.field_name = field});
}

TEST_CASE("objects of a JSON field are found by their paths, and are not kept apart") {
  Addresses rows(JsonType::object_json);
  CHECK(rows.find(term("address.city", text("Seattle"))) == "1 2");
  CHECK(rows.find(term("address.city", text("hangzhou"))) == "1 3");
  CHECK(rows.find(both(term("address.country", text("China")), term("address.city", text("Seattle")))) ==
        "1 2");
  CHECK(rows.find(range("address.floor", Value::integer(2), true, Value::inf_max(), false)) == "1 2");
  CHECK(rows.find(match("address.note", "sea")) == "2");
  CHECK(rows.find(term("address.owner.name.first", text("Ann"))) == "2");
  CHECK(rows.find(exists("address.floor")) == "1 2");
  CHECK(rows.find(exists("address")) == "1 2 3");
  CHECK(rows.find(exists("address.owner")) == "2");
  CHECK(rows.refusal(term("address.unknown", Value::integer(1))) ==
        "OTSParameterInvalid: failed to query index, please check if 'Index' is enabled for query fields.");
}

TEST_CASE("objects of a nested JSON field are documents of their own") {
  Addresses rows(JsonType::nested_json);
  const auto at = [&](std::string_view city) {
    return nested("address", both(term("address.country", text("China")), term("address.city", text(city))));
  };
  CHECK(rows.find(at("Seattle")) == "2");
  CHECK(rows.find(at("hangzhou")) == "1");
  CHECK(rows.find(term("address.city", text("Seattle"))).empty());
  CHECK(rows.find(nested("address", term("address.owner.name.first", text("Ann")))) == "2");
  CHECK(rows.find(exists("address")) == "1 2 3");
}

TEST_CASE("a nested JSON field may be inside of one of objects") {
  Addresses rows(JsonType::object_json);
  const auto phone = [&](std::string_view kind, std::string_view number) {
    return nested("address.phones",
                  both(term("address.phones.kind", text(kind)), term("address.phones.number", text(number))));
  };
  CHECK(rows.find(phone("work", "2")) == "3");
  CHECK(rows.find(phone("work", "1")).empty());
}

TEST_CASE("searches are ordered, grouped and summed up by what is inside of JSON") {
  Addresses rows(JsonType::object_json);
  CHECK(rows.find(exists("address.floor"), {.sort = sort_by("address.floor", api::SortOrder::desc)}) ==
        "1 2");
  const QueryText china = term("address.country", text("China"));
  CHECK(rows.find(china, {.sort = sort_by("address.floor")}) == "1 2");
  const std::string sum = codec::encode_message(api::FieldAggregation{.field_name = "address.floor"});
  const std::string cities = codec::encode_message(api::GroupByField{.field_name = "address.city"});
  SearchMore more;
  more.aggregations = codec::encode_message(
      api::Aggregations{.aggs = {{.name = "x", .type = api::AggregationType::sum, .body = sum}}});
  more.groupings = codec::encode_message(
      api::GroupBys{.group_bys = {{.name = "g", .type = api::GroupByType::field, .body = cities}}});
  const auto found = rows.response(everything(), more);
  REQUIRE(found);
  const auto sums = codec::decode_message<api::AggregationsResult>(found->aggs.value()).value();
  CHECK(codec::decode_message<api::DoubleResult>(sums.agg_results.at(0).agg_result.value())->value == 6);
  const auto groups = codec::decode_message<api::GroupBysResult>(found->group_bys.value()).value();
  const auto items =
      codec::decode_message<api::FieldGroups>(groups.group_by_results.at(0).group_by_result.value())
          ->group_by_field_result_items;
  REQUIRE(items.size() == 2);
  for (const auto& item : items) CHECK(item.row_count == 2);
}

TEST_CASE("the column of a JSON field is one that the index has") {
  Addresses rows(JsonType::object_json);
  const auto found = rows.response(term("address.owner.name.first", text("Ann")),
                                   {.columns = api::ColumnReturnType::all_from_index});
  REQUIRE(found);
  REQUIRE(found->rows.size() == 1);
  CHECK(text_of_rows(found->rows[0]).starts_with("2,a address={"));
}

}  // namespace dinette::tablestore::search_json_test

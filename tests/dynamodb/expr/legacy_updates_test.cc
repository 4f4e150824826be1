#include "dynamodb/expr/legacy_updates.h"

#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

namespace dinette::dynamodb::expr::legacy_updates_test {
namespace {

using namespace model;
using legacy::AttributeUpdate;

using Action = api::AttributeAction;
using Updates = std::vector<AttributeUpdate>;

AttributeValue text(std::string value) {
  return AttributeValue(std::move(value));
}
AttributeValue number(std::string_view value) {
  return AttributeValue(Number::parse(value).value());
}
AttributeValue texts(std::vector<std::string> members) {
  return AttributeValue(StringSet{std::move(members)});
}

const std::string prefix = "One or more parameter values were invalid: ";
const Item key = Map::from_unsorted({{"pk", text("k")}});
const Item stored = Map::from_unsorted({
    {"pk", text("k")},
    {"s", text("old")},
    {"n", number("5")},
    {"ss", texts({"a", "b"})},
    {"l", AttributeValue(List{text("a")})},
});

/// `stored` with one attribute changed.
Item with(std::string name, AttributeValue value) {
  auto item = stored;
  item.set(name, std::move(value));
  return item;
}
Item without(std::string_view name) {
  auto item = stored;
  item.erase(name);
  return item;
}

std::optional<Item> applied(const Updates& updates, const Item* old = &stored) {
  REQUIRE(legacy::check_updates(updates).ok());
  return legacy::apply_updates(updates, old, key).value();
}

std::string run_time_refusal(const Updates& updates) {
  REQUIRE(legacy::check_updates(updates).ok());
  const auto result = legacy::apply_updates(updates, &stored, key);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().bare);
  return result.error().message;
}

std::string refused(const Updates& updates) {
  const auto checked = legacy::check_updates(updates);
  REQUIRE_FALSE(checked.ok());
  CHECK_FALSE(checked.error().bare);
  return checked.error().message;
}

}  // namespace

TEST_CASE("PUT sets an attribute and is the default", "[legacy]") {
  AttributeUpdate by_default;
  by_default.name = "s";
  by_default.value = number("1");
  CHECK(applied({by_default}) == with("s", number("1")));
  CHECK(applied({{"x", Action::put, text("new")}}) == with("x", text("new")));
  CHECK(applied({{"x", Action::put, text("new")}}, nullptr) ==
        Map::from_unsorted({{"pk", text("k")}, {"x", text("new")}}));
}

TEST_CASE("DELETE removes an attribute or members", "[legacy]") {
  CHECK(applied({{"s", Action::delete_, {}}}) == without("s"));
  CHECK(applied({{"none", Action::delete_, {}}}) == stored);
  CHECK(applied({{"ss", Action::delete_, texts({"a", "z"})}}) == with("ss", texts({"b"})));
  CHECK(applied({{"ss", Action::delete_, texts({"a", "b"})}}) == without("ss"));
  CHECK(applied({{"none", Action::delete_, texts({"a"})}}) == stored);
  CHECK(run_time_refusal({{"s", Action::delete_, texts({"a"})}}) == "Type mismatch for attribute to update");
  CHECK(run_time_refusal({{"ss", Action::delete_, AttributeValue(NumberSet{{Number(1)}})}}) ==
        "Type mismatch for attribute to update");
}

TEST_CASE("ADD adds numbers, members and elements", "[legacy]") {
  CHECK(applied({{"n", Action::add, number("-7.5")}}) == with("n", number("-2.5")));
  CHECK(applied({{"none", Action::add, number("3")}}) == with("none", number("3")));
  CHECK(applied({{"none", Action::add, number("3")}}, nullptr) ==
        Map::from_unsorted({{"pk", text("k")}, {"none", number("3")}}));
  CHECK(applied({{"ss", Action::add, texts({"b", "c"})}}) == with("ss", texts({"a", "b", "c"})));
  CHECK(applied({{"none", Action::add, texts({""})}}) == with("none", texts({""})));
  CHECK(applied({{"l", Action::add, AttributeValue(List{number("1")})}}) ==
        with("l", AttributeValue(List{text("a"), number("1")})));
  CHECK(applied({{"none", Action::add, AttributeValue(List{number("1")})}}) ==
        with("none", AttributeValue(List{number("1")})));

  CHECK(run_time_refusal({{"s", Action::add, number("1")}}) == "Type mismatch for attribute to update");
  CHECK(run_time_refusal({{"ss", Action::add, AttributeValue(NumberSet{{Number(1)}})}}) ==
        "Type mismatch for attribute to update");
  CHECK(run_time_refusal({{"n", Action::add, AttributeValue(List{})}}) ==
        "Type mismatch for attribute to update");
  CHECK(run_time_refusal({{"n", Action::add, number("1E100")}}) ==
        "Number overflow. Attempting to store a number with magnitude larger than supported range");
  const auto largest = Map::from_unsorted({{"n", number("9E125")}});
  CHECK(legacy::apply_updates(Updates{{"n", Action::add, number("1E125")}}, &largest, key).error().message ==
        "Number overflow. Attempting to store a number with magnitude larger than supported range");
}

TEST_CASE("a missing item is created unless every update is a DELETE", "[legacy]") {
  CHECK(applied({{"s", Action::delete_, {}}, {"ss", Action::delete_, texts({"a"})}}, nullptr) ==
        std::nullopt);
  CHECK(applied({{"s", Action::delete_, {}}, {"x", Action::put, text("v")}}, nullptr) ==
        Map::from_unsorted({{"pk", text("k")}, {"x", text("v")}}));
  CHECK(applied({}, nullptr) == key);
  CHECK(applied({}) == stored);
}

TEST_CASE("an action without the value it needs is refused", "[legacy]") {
  CHECK(refused({{"s", Action::put, {}}}) ==
        prefix + "Only DELETE action is allowed when no attribute value is specified");
  CHECK(refused({{"s", Action::add, {}}}) ==
        prefix + "Only DELETE action is allowed when no attribute value is specified");
  CHECK(refused({{"n", Action::add, text("1")}}) == prefix + "ADD action is not supported for the type S");
  CHECK(refused({{"n", Action::add, AttributeValue(true)}}) ==
        prefix + "ADD action is not supported for the type BOOL");
  CHECK(refused({{"n", Action::delete_, text("1")}}) ==
        prefix + "DELETE action with value is not supported for the type S");
  CHECK(refused({{"n", Action::delete_, number("1")}}) ==
        prefix + "DELETE action with value is not supported for the type N");
  CHECK(refused({{"a", Action::put, text("v")}, {"b", Action::add, {}}, {"c", Action::delete_, text("1")}}) ==
        prefix + "Only DELETE action is allowed when no attribute value is specified");
}

TEST_CASE("touched attributes are those of the updates", "[legacy]") {
  const Updates updates = {
      {"s", Action::delete_, {}}, {"n", Action::add, number("1")}, {"x", Action::put, text("new")}};
  CHECK(legacy::touched_names(updates) == std::vector<std::string_view>{"s", "n", "x"});
  CHECK(legacy::touched_attributes(updates, stored) ==
        Map::from_unsorted({{"s", text("old")}, {"n", number("5")}}));
  CHECK(legacy::touched_attributes(updates, *applied(updates)) ==
        Map::from_unsorted({{"n", number("6")}, {"x", text("new")}}));
}

}  // namespace dinette::dynamodb::expr::legacy_updates_test

#include "dynamodb/expr/legacy_conditions.h"

#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

namespace dinette::dynamodb::expr::legacy_conditions_test {
namespace {

using namespace model;
using legacy::ComparisonOperator;
using legacy::ConditionalOperator;
using legacy::ExpectedAttribute;
using enum ComparisonOperator;

using Values = std::vector<AttributeValue>;

AttributeValue text(std::string value) {
  return AttributeValue(std::move(value));
}
AttributeValue number(std::string_view value) {
  return AttributeValue(Number::parse(value).value());
}
AttributeValue binary(std::string bytes) {
  return AttributeValue(Binary{std::move(bytes)});
}
AttributeValue texts(std::vector<std::string> members) {
  return AttributeValue(StringSet{std::move(members)});
}

const std::string prefix = "One or more parameter values were invalid: ";

/// Every value by which the operators are tried, under its name.
const Item item = Map::from_unsorted({
    {"s", text("banana")},
    {"n", number("5")},
    {"b", binary("\x10\x20")},
    {"ss", texts({"a", "b"})},
    {"ns", AttributeValue(NumberSet{{Number(1), Number(2)}})},
    {"bs", AttributeValue(BinarySet{{Binary{"x"}}})},
    {"l", AttributeValue(List{text("a"), number("1")})},
    {"m", AttributeValue(Map::from_unsorted({{"k", text("v")}}))},
    {"null", AttributeValue()},
    {"yes", AttributeValue(true)},
});

bool meets(std::string attribute, ComparisonOperator op, Values values = {}) {
  const legacy::Condition condition{std::move(attribute), op, std::move(values)};
  REQUIRE(legacy::check(condition).ok());
  model::Work work;
  return legacy::holds(condition, item.find(condition.attribute), work);
}

std::string refused(ComparisonOperator op, Values values) {
  const auto checked = legacy::check({"A", op, std::move(values)});
  REQUIRE_FALSE(checked.ok());
  CHECK_FALSE(checked.error().bare);
  return checked.error().message;
}

using Combined = std::optional<ConditionalOperator>;

std::string refused(ExpectedAttribute element, Combined combined = std::nullopt) {
  const auto checked = legacy::check_expected({std::move(element)}, combined);
  REQUIRE_FALSE(checked.ok());
  CHECK_FALSE(checked.error().bare);
  return checked.error().message;
}

bool expected(ExpectedAttribute element, const Item* stored = &item) {
  model::Work work;
  return legacy::check_expected({std::move(element)}, std::nullopt).value().evaluate(stored, work);
}

}  // namespace

TEST_CASE("EQ and NE compare any type", "[legacy]") {
  CHECK(meets("s", eq, {text("banana")}));
  CHECK(meets("n", eq, {number("5.0")}));
  CHECK(meets("ss", eq, {texts({"a", "b"})}));
  CHECK(meets("yes", eq, {AttributeValue(true)}));
  CHECK(meets("null", eq, {AttributeValue()}));
  CHECK(meets("l", eq, {AttributeValue(List{text("a"), number("1")})}));
  CHECK(meets("m", eq, {AttributeValue(Map::from_unsorted({{"k", text("v")}}))}));
  CHECK_FALSE(meets("n", eq, {text("5")}));
  CHECK_FALSE(meets("none", eq, {text("5")}));

  CHECK(meets("s", ne, {text("x")}));
  CHECK(meets("n", ne, {text("5")}));
  CHECK(meets("none", ne, {text("5")}));
  CHECK_FALSE(meets("n", ne, {number("5")}));
}

TEST_CASE("orderings compare values of one type", "[legacy]") {
  CHECK(meets("n", le, {number("5")}));
  CHECK(meets("n", ge, {number("5")}));
  CHECK(meets("n", lt, {number("10")}));
  CHECK(meets("n", gt, {number("-10")}));
  CHECK_FALSE(meets("n", lt, {number("5")}));
  CHECK_FALSE(meets("n", gt, {number("5")}));
  CHECK(meets("s", gt, {text("a")}));
  CHECK(meets("b", lt, {binary("\xff")}));
  CHECK_FALSE(meets("s", gt, {number("1")}));
  CHECK_FALSE(meets("s", lt, {number("1")}));
  CHECK_FALSE(meets("ss", ge, {text("a")}));
  for (const auto op : {le, lt, ge, gt}) CHECK_FALSE(meets("none", op, {number("0")}));

  CHECK(meets("n", between, {number("5"), number("5")}));
  CHECK(meets("n", between, {number("1"), number("5")}));
  CHECK(meets("n", between, {number("5"), number("7")}));
  CHECK_FALSE(meets("n", between, {number("6"), number("7")}));
  CHECK_FALSE(meets("n", between, {number("1"), number("4")}));
  CHECK_FALSE(meets("n", between, {text("1"), text("9")}));
  CHECK_FALSE(meets("none", between, {text("1"), text("9")}));
}

TEST_CASE("BEGINS_WITH, CONTAINS, NOT_CONTAINS and IN look into values of fitting types", "[legacy]") {
  CHECK(meets("s", begins_with, {text("ban")}));
  CHECK(meets("b", begins_with, {binary("\x10")}));
  CHECK_FALSE(meets("s", begins_with, {binary("ban")}));
  CHECK_FALSE(meets("n", begins_with, {text("5")}));
  CHECK_FALSE(meets("none", begins_with, {text("")}));

  CHECK(meets("s", contains, {text("nan")}));
  CHECK(meets("b", contains, {binary("\x20")}));
  CHECK(meets("ss", contains, {text("b")}));
  CHECK(meets("ns", contains, {number("2.0")}));
  CHECK(meets("bs", contains, {binary("x")}));
  CHECK(meets("l", contains, {number("1")}));
  CHECK_FALSE(meets("ss", contains, {text("c")}));
  CHECK_FALSE(meets("none", contains, {text("c")}));

  CHECK(meets("ss", not_contains, {text("c")}));
  CHECK_FALSE(meets("none", not_contains, {text("c")}));
  CHECK_FALSE(meets("ss", not_contains, {text("b")}));

  CHECK(meets("s", in_, {text("a"), text("banana")}));
  CHECK_FALSE(meets("s", in_, {text("a")}));
  CHECK_FALSE(meets("none", in_, {text("a")}));
}

TEST_CASE("NULL and NOT_NULL ask for the attribute, not for its type", "[legacy]") {
  CHECK(meets("none", null_));
  CHECK_FALSE(meets("null", null_));
  CHECK(meets("null", not_null));
  CHECK_FALSE(meets("none", not_null));
}

TEST_CASE("an operator takes so many values", "[legacy]") {
  const auto count = [](std::string_view op) {
    return prefix + "Invalid number of argument(s) for the " + std::string(op) + " ComparisonOperator";
  };
  CHECK(refused(between, {number("1")}) == count("BETWEEN"));
  CHECK(refused(between, {number("1"), number("2"), number("3")}) == count("BETWEEN"));
  CHECK(refused(in_, {}) == count("IN"));
  CHECK(refused(null_, {number("1")}) == count("NULL"));
  CHECK(refused(not_null, {number("1")}) == count("NOT_NULL"));
  for (const auto op : {eq, ne, le, lt, ge, gt, begins_with, contains, not_contains}) {
    CHECK(refused(op, {}) == count(api::to_string(op)));
    CHECK(refused(op, {text("a"), text("b")}) == count(api::to_string(op)));
  }
}

TEST_CASE("an operator takes values of certain types", "[legacy]") {
  const auto invalid = [](std::string_view op, std::string_view type) {
    return prefix + "ComparisonOperator " + std::string(op) + " is not valid for " + std::string(type) +
           " AttributeValue type";
  };
  CHECK(refused(begins_with, {number("1")}) == invalid("BEGINS_WITH", "N"));
  for (const auto op : {le, lt, ge, gt, begins_with, contains, not_contains, in_}) {
    CHECK(refused(op, {AttributeValue(true)}) == invalid(api::to_string(op), "BOOL"));
    CHECK(refused(op, {texts({"a"})}) == invalid(api::to_string(op), "SS"));
  }
  CHECK(refused(between, {text("a"), AttributeValue()}) == invalid("BETWEEN", "NULL"));
}

TEST_CASE("values of one condition have one type, bounds their order", "[legacy]") {
  CHECK(refused(between, {text("a"), number("1")}) ==
        prefix + "AttributeValues inside AttributeValueList must be of same type");
  CHECK(refused(in_, {text("a"), text("b"), number("1")}) ==
        prefix + "AttributeValues inside AttributeValueList must be of same type");
  CHECK(refused(between, {number("10"), number("9")}) ==
        "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound");
}

TEST_CASE("Expected holds by Value, by Exists, or by ComparisonOperator", "[legacy]") {
  CHECK(expected({.name = "n", .value = number("5"), .exists = {}, .op = {}, .list = {}}));
  CHECK(expected({.name = "n", .value = number("5"), .exists = true, .op = {}, .list = {}}));
  CHECK_FALSE(expected({.name = "n", .value = number("6"), .exists = {}, .op = {}, .list = {}}));
  CHECK(expected({.name = "none", .value = {}, .exists = false, .op = {}, .list = {}}));
  CHECK_FALSE(expected({.name = "null", .value = {}, .exists = false, .op = {}, .list = {}}));
  CHECK(expected({.name = "n", .value = number("4"), .exists = {}, .op = gt, .list = {}}));
  CHECK(expected(
      {.name = "n", .value = {}, .exists = {}, .op = between, .list = Values{number("1"), number("9")}}));
  CHECK(expected({.name = "none", .value = {}, .exists = {}, .op = null_, .list = {}}));
  CHECK(expected({.name = "s", .value = {}, .exists = {}, .op = not_null, .list = Values{}}));

  CHECK(expected({.name = "n", .value = {}, .exists = false, .op = {}, .list = {}}, nullptr));
  CHECK(expected({.name = "n", .value = number("5"), .exists = {}, .op = ne, .list = {}}, nullptr));
  CHECK_FALSE(expected({.name = "n", .value = number("5"), .exists = {}, .op = {}, .list = {}}, nullptr));
}

TEST_CASE("malformed elements of Expected are refused, and the attribute is named", "[legacy]") {
  const auto value = text("x");
  const Values list = {value};
  const auto problem = [](std::string_view sentence) {
    return prefix + std::string(sentence) + " for Attribute: A";
  };
  CHECK(refused({.name = "A", .value = {}, .exists = true, .op = {}, .list = {}}) ==
        problem("Value must be provided when Exists is true"));
  CHECK(refused({.name = "A", .value = value, .exists = false, .op = {}, .list = {}}) ==
        problem("Value cannot be used when Exists is false"));
  CHECK(refused({.name = "A", .value = {}, .exists = {}, .op = {}, .list = {}}) ==
        problem("Value must be provided when Exists is null"));
  CHECK(refused({.name = "A", .value = value, .exists = {}, .op = eq, .list = list}) ==
        problem("Value and AttributeValueList cannot be used together"));
  CHECK(refused({.name = "A", .value = value, .exists = true, .op = eq, .list = {}}) ==
        problem("Exists and ComparisonOperator cannot be used together"));
  CHECK(refused({.name = "A", .value = {}, .exists = {}, .op = {}, .list = list}) ==
        problem("AttributeValueList can only be used with a ComparisonOperator"));
  CHECK(refused({.name = "A", .value = {}, .exists = {}, .op = eq, .list = {}}) ==
        problem("Value or AttributeValueList must be used with ComparisonOperator: EQ"));
  CHECK(refused({.name = "A", .value = {}, .exists = {}, .op = in_, .list = {}}) ==
        problem("Value or AttributeValueList must be used with ComparisonOperator: IN"));
  CHECK(refused({.name = "A", .value = value, .exists = {}, .op = between, .list = {}}) ==
        prefix + "Invalid number of argument(s) for the BETWEEN ComparisonOperator");
  CHECK(refused({.name = "A", .value = value, .exists = {}, .op = null_, .list = {}}) ==
        prefix + "Invalid number of argument(s) for the NULL ComparisonOperator");
}

TEST_CASE("the first malformed element is reported, before the ConditionalOperator", "[legacy]") {
  const ExpectedAttribute good{.name = "A", .value = text("x"), .exists = {}, .op = {}, .list = {}};
  const ExpectedAttribute bad{.name = "B", .value = {}, .exists = true, .op = {}, .list = {}};
  const ExpectedAttribute worse{.name = "C", .value = {}, .exists = {}, .op = {}, .list = {}};
  CHECK(legacy::check_expected({good, bad, worse}, std::nullopt).error().message ==
        prefix + "Value must be provided when Exists is true for Attribute: B");
  CHECK(refused(bad, ConditionalOperator::or_) ==
        prefix + "Value must be provided when Exists is true for Attribute: B");
}

TEST_CASE("ConditionalOperator needs two conditions", "[legacy]") {
  const std::string too_few =
      "ConditionalOperator can only be used when Filter or Expected has two or more elements";
  const legacy::Condition one{"s", not_null, {}};
  CHECK(legacy::check_filter({one}, ConditionalOperator::and_).error().message == too_few);
  CHECK(legacy::check_filter({}, ConditionalOperator::or_).error().message == too_few);
  CHECK(legacy::check_filter({one}, std::nullopt).ok());
  CHECK(refused(ExpectedAttribute{.name = "A", .value = text("x"), .exists = {}, .op = {}, .list = {}},
                ConditionalOperator::and_) == too_few);
  CHECK(legacy::check_conditional_operator(ConditionalOperator::and_, std::nullopt).error().message ==
        "ConditionalOperator cannot be used without Filter or Expected");
  CHECK(legacy::check_conditional_operator(std::nullopt, std::nullopt).ok());
  CHECK(legacy::check_conditional_operator(ConditionalOperator::or_, 2).ok());
}

TEST_CASE("conditions are combined by AND unless OR is said", "[legacy]") {
  const legacy::Condition met{"s", not_null, {}};
  const legacy::Condition unmet{"n", null_, {}};
  const auto evaluate = [](std::vector<legacy::Condition> conditions, Combined combined) {
    model::Work work;
    return legacy::check_filter(std::move(conditions), combined).value().evaluate(&item, work);
  };
  CHECK(evaluate({met, met}, std::nullopt));
  CHECK_FALSE(evaluate({met, unmet}, std::nullopt));
  CHECK_FALSE(evaluate({met, unmet}, ConditionalOperator::and_));
  CHECK(evaluate({unmet, met}, ConditionalOperator::or_));
  CHECK_FALSE(evaluate({unmet, unmet}, ConditionalOperator::or_));
  CHECK(evaluate({}, std::nullopt));
  CHECK(legacy::check_filter({met, unmet}, std::nullopt).value().attributes() ==
        std::vector<std::string_view>{"n", "s"});
}

TEST_CASE("many conditions are evaluated like a few, in any order", "[legacy]") {
  // Of an item with s and n, and without the rest.
  const std::vector<legacy::Condition> conditions = {
      {"z", null_, {}},
      {"s", not_null, {}},
      {"a", not_null, {}},
      {"n", null_, {}},
      {"b", ComparisonOperator::ne, {text("x")}},
      {"c", ComparisonOperator::eq, {text("x")}},
  };
  for (unsigned chosen = 0; chosen < 1U << conditions.size(); ++chosen) {
    std::vector<legacy::Condition> some;
    for (std::size_t i = 0; i < conditions.size(); ++i) {
      if ((chosen >> i & 1U) != 0) some.push_back(conditions[i]);
    }
    for (const auto combined : {ConditionalOperator::and_, ConditionalOperator::or_}) {
      for (const Item* one : {&item, static_cast<const Item*>(nullptr)}) {
        CAPTURE(chosen, combined == ConditionalOperator::and_, one != nullptr);
        model::Work work;
        const auto met = [&](const legacy::Condition& condition) {
          return legacy::holds(condition, one == nullptr ? nullptr : one->find(condition.attribute), work);
        };
        const bool all = std::all_of(some.begin(), some.end(), met);
        const bool any = some.empty() || std::any_of(some.begin(), some.end(), met);
        CHECK(legacy::Conditions(some, combined).evaluate(one, work) ==
              (combined == ConditionalOperator::and_ ? all : any));
      }
    }
  }
}

TEST_CASE("an item costs by what it has, not by the number of conditions", "[legacy]") {
  std::vector<legacy::Condition> many;
  for (int i = 0; i < 50'000; ++i) many.push_back({"x" + std::to_string(i), not_null, {}});
  const auto filter = legacy::check_filter(std::move(many), ConditionalOperator::or_);
  REQUIRE(filter.ok());
  model::Work work;
  CHECK_FALSE(filter->evaluate(&item, work));
  CHECK(work.units() < 1'000);
}

TEST_CASE("values of IN in a filter are found without looking at all of them", "[legacy]") {
  const auto admitted = [](std::vector<AttributeValue> values, const AttributeValue& value) {
    const auto filter = legacy::check_filter({{"a", ComparisonOperator::in_, std::move(values)}}, {});
    REQUIRE(filter.ok());
    const Item one = Item::from_unsorted({{"a", value}});
    model::Work work;
    const bool answer = filter->evaluate(&one, work);
    CHECK(work.units() < 1'000);
    return answer;
  };
  std::vector<AttributeValue> numbers;
  std::vector<AttributeValue> texts;
  for (int i = 0; i < 20'000; ++i) {
    numbers.emplace_back(model::Number((i * 7'919) % 20'011));
    texts.push_back(text(std::to_string((i * 7'919) % 20'011)));
  }
  CHECK(admitted(numbers, model::Number(7'919)));
  CHECK_FALSE(admitted(numbers, model::Number(20'011)));
  CHECK_FALSE(admitted(numbers, text("7919")));
  CHECK(admitted(texts, text("7919")));
  CHECK_FALSE(admitted(texts, text("7919 ")));
  CHECK_FALSE(admitted(texts, AttributeValue(model::List{text("7919")})));
}

}  // namespace dinette::dynamodb::expr::legacy_conditions_test

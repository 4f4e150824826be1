#include "dynamodb/expr/legacy_reads.h"

#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

namespace dinette::dynamodb::expr::legacy_reads_test {
namespace {

using namespace model;
using enum legacy::ComparisonOperator;

using Conditions = std::vector<legacy::Condition>;

const std::vector<KeyPart> ordinary_key = {{"pk", Type::string, true}, {"sk", Type::string, false}};

AttributeValue text(std::string value) {
  return AttributeValue(std::move(value));
}

std::string refused(const Conditions& conditions) {
  const auto checked = legacy::check_key_conditions(conditions, legacy::max_key_conditions);
  if (!checked) return checked.error().message;
  const auto clauses = legacy::key_clauses(conditions, ordinary_key);
  REQUIRE_FALSE(clauses.ok());
  return clauses.error().message;
}

}  // namespace

TEST_CASE("KeyConditions become key clauses", "[legacy]") {
  const Conditions conditions = {{"sk", between, {text("a"), text("b")}}, {"pk", eq, {text("k")}}};
  const auto clauses = legacy::key_clauses(conditions, ordinary_key).value();
  REQUIRE(clauses.size() == 2);
  CHECK(clauses[0].attribute == "sk");
  CHECK(clauses[0].op == KeyOperator::between);
  CHECK(*clauses[0].value == text("a"));
  CHECK(*clauses[0].high == text("b"));
  CHECK(clauses[1].attribute == "pk");
  CHECK(clauses[1].op == KeyOperator::equal);
  CHECK(*clauses[1].value == text("k"));
  CHECK(clauses[1].high == nullptr);

  const std::vector<std::pair<legacy::ComparisonOperator, KeyOperator>> operators = {
      {le, KeyOperator::less_equal},
      {lt, KeyOperator::less},
      {ge, KeyOperator::greater_equal},
      {gt, KeyOperator::greater},
      {begins_with, KeyOperator::begins_with}};
  for (const auto& [legacy_operator, key_operator] : operators) {
    const Conditions one = {{"sk", legacy_operator, {text("a")}}};
    CHECK(legacy::key_clauses(one, ordinary_key).value()[0].op == key_operator);
  }
}

TEST_CASE("KeyConditions are one or two, with values that fit, of indexable operators", "[legacy]") {
  const legacy::Condition good{"pk", eq, {text("k")}};
  CHECK(refused({}) == "Conditions can be of length 1 or 2 only");
  CHECK(refused({good, good, good}) == "Conditions can be of length 1 or 2 only");
  CHECK(refused({{"pk", eq, {}}}) ==
        "One or more parameter values were invalid: Invalid number of argument(s) for the EQ "
        "ComparisonOperator");
  CHECK(refused({good, {"sk", between, {text("b"), text("a")}}}) ==
        "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound");
  for (const auto op : {ne, contains, not_contains, in_}) {
    CHECK(refused({{"sk", op, {text("a")}}}) ==
          "Attempted conditional constraint is not an indexable operation");
  }
  for (const auto op : {null_, not_null}) {
    CHECK(refused({{"sk", op, {}}}) == "Attempted conditional constraint is not an indexable operation");
  }
}

TEST_CASE("KeyConditions are as many as a key of several attributes has", "[legacy]") {
  const legacy::Condition one{"a", eq, {text("k")}};
  const std::vector<KeyPart> key = {
      {"a", Type::string, true}, {"b", Type::string, true}, {"c", Type::string, false}};
  CHECK(legacy::check_key_conditions(Conditions{one, one, one}, 3).ok());
  CHECK(legacy::key_clauses(Conditions{one, one, one}, key).ok());
  CHECK(legacy::key_clauses(Conditions{one, one, one}, ordinary_key).error().message ==
        "Conditions can be of length 1 or 2 only");
}

TEST_CASE("AttributesToGet names each attribute once", "[legacy]") {
  CHECK(legacy::check_attributes_to_get(std::vector<std::string>{"b", ""}).error().message ==
        "Empty attribute name");
  CHECK(legacy::check_attributes_to_get(std::vector<std::string>{"b", "a"}).ok());
  CHECK(legacy::check_attributes_to_get(std::vector<std::string>{"a", "b", "a", "b"}).error().message ==
        "One or more parameter values were invalid: Duplicate value in attribute name: a");
}

}  // namespace dinette::dynamodb::expr::legacy_reads_test

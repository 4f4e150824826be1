#include "dynamodb/expr/placeholders.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "notation.h"

namespace dinette::dynamodb::expr::placeholders_test {
namespace {

using notation::Request;

std::string problem(const base::Result<void, ExpressionError>& checked) {
  return checked.ok() ? std::string() : checked.error().message;
}

TEST_CASE("every name and value must be used by some expression of the request") {
  const std::string names = R"({"#a":"a","#b":"b","#c":"c"})";
  const std::string values = R"({":v":{"N":"1"},":w":{"N":"2"},":x":{"N":"3"}})";
  {
    Request request(names, values);
    REQUIRE(bind_update(parse(Kind::update, "SET #a = :v, #b = :w", SizeTail::omitted).value(),
                        request.placeholders)
                .ok());
    CHECK(problem(check_unused(request.placeholders)) ==
          "Value provided in ExpressionAttributeNames unused in expressions: keys: {#c}");
    REQUIRE(bind_condition(parse(Kind::condition, "#c = :v", SizeTail::omitted).value(), request.placeholders)
                .ok());
    CHECK(problem(check_unused(request.placeholders)) ==
          "Value provided in ExpressionAttributeValues unused in expressions: keys: {:x}");
    REQUIRE(bind_condition(parse(Kind::condition, "a = :x", SizeTail::omitted).value(), request.placeholders)
                .ok());
    CHECK(problem(check_unused(request.placeholders)).empty());
    // Which expressions use which value.
    CHECK(request.placeholders.value_used(0, Kind::update));
    CHECK(request.placeholders.value_used(0, Kind::condition));
    CHECK(request.placeholders.value_used(1, Kind::update));
    CHECK_FALSE(request.placeholders.value_used(1, Kind::condition));
    CHECK_FALSE(request.placeholders.value_used(2, Kind::update));
  }
  Request request(names, "{}");
  CHECK(problem(check_unused(request.placeholders)) ==
        "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b, #c}");
}

TEST_CASE("one among many names and values is found without looking at all of them") {
  constexpr std::size_t count = 20'000;
  std::vector<NameEntry> names;
  std::vector<ValueEntry> values_of_it;
  for (std::size_t i = 0; i < count; ++i) {
    names.emplace_back("#n" + std::to_string(i), std::to_string(i));
    values_of_it.emplace_back(":v" + std::to_string(i), model::Number(static_cast<std::int64_t>(i)));
  }
  Placeholders placeholders(names, values_of_it);
  for (std::size_t i = 0; i < count; ++i) {
    REQUIRE(*placeholders.name("#n" + std::to_string(i), Kind::update) == std::to_string(i));
    REQUIRE(placeholders.value(":v" + std::to_string(i), Kind::update) == &values_of_it[i].second);
  }
  CHECK(placeholders.name("#n", Kind::update) == nullptr);
  CHECK(placeholders.value(":n1", Kind::update) == nullptr);
  CHECK(check_unused(placeholders).ok());
  CHECK(placeholders.comparisons() < 10 * count);
}

TEST_CASE("placeholders are # or : and then letters, digits and underscores, and no map is empty") {
  const auto names = [](std::vector<NameEntry> entries) { return problem(check_names(entries)); };
  const auto values = [](const std::string& key) {
    return problem(check_values(std::vector<ValueEntry>{{key, model::Number(1)}}));
  };
  CHECK(names({}) == "ExpressionAttributeNames must not be empty");
  CHECK(problem(check_values({})) == "ExpressionAttributeValues must not be empty");
  CHECK(names({{"#a_1", "a"}, {"#5star", "b"}}).empty());
  CHECK(names({{"#a", "a"}, {"x", "b"}}) ==
        "ExpressionAttributeNames contains invalid key: Syntax error; key: \"x\"");
  CHECK(names({{"#", "a"}}) == "ExpressionAttributeNames contains invalid key: Syntax error; key: \"#\"");
  CHECK(names({{":a", "a"}}) == "ExpressionAttributeNames contains invalid key: Syntax error; key: \":a\"");
  CHECK(names({{"#a-b", "a"}}) ==
        "ExpressionAttributeNames contains invalid key: Syntax error; key: \"#a-b\"");
  CHECK(values(":0").empty());
  CHECK(values("v") == "ExpressionAttributeValues contains invalid key: Syntax error; key: \"v\"");
  CHECK(values("#v") == "ExpressionAttributeValues contains invalid key: Syntax error; key: \"#v\"");
  CHECK(values(":" + std::string(254, 'v')).empty());
  CHECK_FALSE(values(":" + std::string(255, 'v')).empty());
  CHECK(names({{"#a", std::string(65'535, 'n')}}).empty());
  CHECK(names({{"#a", std::string(65'536, 'n')}}) ==
        "1 validation error detected: Attribute name is too large, must be less than 65536 bytes");
  CHECK_FALSE(names({{"#a", ""}}).empty());
}

TEST_CASE("both maps together hold up to 2 MB") {
  const auto checked = [](std::size_t bytes) {
    const std::vector<NameEntry> names = {{"#a", "name"}};
    const std::vector<ValueEntry> values = {{":v", std::string(bytes, 'v')}};
    return check_total_size(Placeholders(names, values)).ok();
  };
  CHECK(checked(2 * 1024 * 1024 - 8));
  CHECK_FALSE(checked(2 * 1024 * 1024 - 7));
}

TEST_CASE("names or values without an expression are refused, in the words of each generation") {
  using model::Generation;
  CHECK(values_without_expression(Generation::current).message ==
        "ExpressionAttributeValues can only be specified when using expressions");
  CHECK(
      values_without_expression(Generation::older).message ==
      "ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null");
  CHECK(names_without_expression(Generation::current).message ==
        "ExpressionAttributeNames can only be specified when using expressions");
  CHECK(names_without_expression(Generation::older, Kind::filter).message ==
        "ExpressionAttributeNames can only be specified when using expressions: FilterExpression is null");
}

TEST_CASE("legacy parameters and expressions in one request are refused, all of them named") {
  const std::vector<std::string_view> legacy = {"Expected"};
  const std::vector<std::string_view> modern = {"ConditionExpression"};
  CHECK(mixed_families(legacy, modern).message ==
        "Can not use both expression and non-expression parameters in the same request: Non-expression "
        "parameters: "
        "{Expected} Expression parameters: {ConditionExpression}");
  const std::vector<std::string_view> both = {"AttributeUpdates", "Expected"};
  CHECK(mixed_families(both, modern).message ==
        "Can not use both expression and non-expression parameters in the same request: Non-expression "
        "parameters: "
        "{AttributeUpdates, Expected} Expression parameters: {ConditionExpression}");
}

}  // namespace
}  // namespace dinette::dynamodb::expr::placeholders_test

#include <algorithm>
#include <array>
#include <string_view>

#include <catch2/catch.hpp>

#include "one_item.h"

// Reserved words, in the expressions of operations on items (docs/service/expressions.md section 2, "Reserved
// words").
namespace test::reserved_words_test {

using namespace std::string_view_literals;

namespace {

constexpr auto words = std::to_array<std::string_view>({
#include "dynamodb/api/reserved_words.inc"
});

std::string message(const std::string& kind, const std::string& word) {
  return "Invalid " + kind + "Expression: Attribute name is a reserved keyword; reserved keyword: " + word;
}

/// The words that are tokens of a grammar: used as a name they are a syntax error.
constexpr std::array condition_tokens = {"AND"sv, "BETWEEN"sv, "IN"sv, "NOT"sv, "OR"sv};
constexpr std::array update_tokens = {"ADD"sv, "DELETE"sv, "SET"sv};

template <class Tokens>
bool is_one_of(const Tokens& tokens, std::string_view word) {
  return std::ranges::find(tokens, word) != tokens.end();
}

/// The word, as written, in every kind of expression.
void check_refused(DynamoDb& db, std::string_view word, const std::string& written) {
  const std::string value = R"(":v": {"N": "1"})";
  check_refusal(db, {"GetItem", projection("x, " + written), message("Projection", written)});
  const auto check_expression = [&](std::string_view operation, const std::string& kind,
                                    const std::string& members, bool token) {
    const auto worded = [&](const std::string& text) {
      return operation == "Query" ? text : enveloped(text);
    };
    if (!token) return check_refusal(db, {operation, members, worded(message(kind, written))});
    CHECK_THAT(call_item(db, operation, members).message(),
               Catch::StartsWith(worded("Invalid " + kind + "Expression: Syntax error; token: ")));
  };
  check_expression("PutItem", "Condition", condition(written + " = :v", value),
                   is_one_of(condition_tokens, word));
  check_expression("UpdateItem", "Update", update("SET " + written + " = :v", value),
                   is_one_of(update_tokens, word));
  const bool condition_token = is_one_of(condition_tokens, word);
  check_expression("Query", "KeyCondition", expression("KeyCondition", written + " = :v", value),
                   condition_token);
  check_expression(
      "Query", "Filter",
      expression("KeyCondition", "pk = :v", value) + R"(, "FilterExpression": ")" + written + R"( = :v")",
      condition_token);
}

std::string lower(std::string_view word) {
  std::string text(word);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

}  // namespace

TEST_CASE("each of the 573 reserved words is refused in any case, as written, whatever the table",
          "[same on every engine]") {
  DynamoDb db;
  CHECK(words.size() == 573);
  for (const std::string_view word : words) {
    std::string mixed = lower(word);
    mixed[0] = word[0];
    for (const std::string& written : {std::string(word), lower(word), mixed})
      check_refused(db, word, written);
  }
}

TEST_CASE("a reserved word is refused at every place of a path, but not in a placeholder or a longer name") {
  DynamoDb db;
  db.create_table(the_table);
  for (const std::string path : {"status", "x.status", "x.y[0].status", "status.x", "status[1]"}) {
    check_refusals(db, {{"GetItem", projection(path), message("Projection", "status")},
                        {"DeleteItem", condition("attribute_exists(" + path + ")"),
                         enveloped(message("Condition", "status"))},
                        {"UpdateItem", update("REMOVE " + path), enveloped(message("Update", "status"))}});
  }
  CHECK(call_item(db, "GetItem",
                  R"("ProjectionExpression": "#s", "ExpressionAttributeNames": {"#s": "status"})")
            .status == 200);
  CHECK(call_item(db, "GetItem", R"("ProjectionExpression": "status_, statusx, x_status")").status == 200);
}

}  // namespace test::reserved_words_test

#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"

// ProjectionExpression of GetItem (docs/service/expressions.md sections 2, 3 and 6). Reads refuse bare.
namespace test::projection_expression_test {
namespace {

const std::string document =
    R"("a": {"N": "1"}, "m": {"M": {"x": {"N": "1"}, "y": {"M": {"z": {"S": "deep"}}}}},
    "l": {"L": [{"S": "0"}, {"S": "1"}, {"M": {"p": {"N": "1"}, "q": {"N": "2"}}}, {"L": [{"S": "3.0"}]}]},
    "u": {"NULL": true}, "d.t": {"S": "dot"})";

}  // namespace

TEST_CASE("a projection selects parts and keeps their nesting") {
  DynamoDb db;
  db.create_table(the_table);
  store_item(db, document);
  const std::vector<std::pair<std::string, std::string>> selections = {
      {"a", R"("a": {"N": "1"})"},
      {"a, pk", R"("a": {"N": "1"}, "pk": {"S": "a"})"},
      {"u,nothing", R"("u": {"NULL": true})"},
      {"m.x", R"("m": {"M": {"x": {"N": "1"}}})"},
      {"m.y.z", R"("m": {"M": {"y": {"M": {"z": {"S": "deep"}}}}})"},
      {"m.x, m.y", R"("m": {"M": {"x": {"N": "1"}, "y": {"M": {"z": {"S": "deep"}}}}})"},
      {"l[1]", R"("l": {"L": [{"S": "1"}]})"},
      {"l[1], l[0]", R"("l": {"L": [{"S": "0"}, {"S": "1"}]})"},
      {"l[3][0], l[0]", R"("l": {"L": [{"S": "0"}, {"L": [{"S": "3.0"}]}]})"},
      {"l[2].q, l[2].p", R"("l": {"L": [{"M": {"p": {"N": "1"}, "q": {"N": "2"}}}]})"},
      {"l[9], a.b, m[0]", ""},
      {"a[0], l.x, m.x.y", ""},
      {"l[9], l[0]", R"("l": {"L": [{"S": "0"}]})"},
  };
  for (const auto& [expression, selected] : selections) {
    INFO(expression);
    CHECK(ok_item(db, "GetItem", projection(expression)) ==
          Json{{"Item", Json::parse("{" + selected + "}")}});
  }
  CHECK(ok_item(db, "GetItem", projection("#d, m.#x", R"("#d": "d.t", "#x": "x")"))["Item"] ==
        Json::parse(R"({"d.t": {"S": "dot"}, "m": {"M": {"x": {"N": "1"}}}})"));
}

TEST_CASE("a projection of a missing item gives no Item") {
  DynamoDb db;
  db.create_table(the_table);
  CHECK(call_item(db, "GetItem", projection("a")).body == "{}");
}

TEST_CASE("a malformed projection is refused bare, whatever the table") {
  DynamoDb db;
  const std::string overlap =
      "Two document paths overlap with each other; must remove or rewrite one of these paths; ";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "The expression can not be empty;"},
      {"a,", R"(Syntax error; token: "<EOF>", near: ",")"},
      {"a b", R"(Syntax error; token: "b", near: "a b")"},
      {"a, Status", "Attribute name is a reserved keyword; reserved keyword: Status"},
      {"#n", "An expression attribute name used in the document path is not defined; attribute name: #n"},
      {"a, a", overlap + "path one: [a], path two: [a]"},
      {"a.b, a", overlap + "path one: [a, b], path two: [a]"},
      {"l, l[0]", overlap + "path one: [l], path two: [l, [0]]"},
      {"a.b.c, a.b", overlap + "path one: [a, b, c], path two: [a, b]"},
      {"x, b, a.b, b.c, a", overlap + "path one: [b], path two: [b, c]"},
      {"a.b, a[0]",
       "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: "
       "[a, b], path "
       "two: [a, [0]]"},
  };
  for (const auto& [expression, message] : cases) {
    check_refusal(db, {"GetItem", projection(expression), "Invalid ProjectionExpression: " + message});
  }
}

TEST_CASE("a projection resolves names before it looks for overlaps") {
  DynamoDb db;
  check_refusal(
      db, {"GetItem", projection("#one.b, a", R"("#one": "a")"),
           "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite "
           "one of these paths; path one: [a, b], path two: [a]"});
}

TEST_CASE("a projection has 4096 bytes, counted before it is read") {
  DynamoDb db;
  db.create_table(the_table);
  std::string longest = "a";
  longest.append(4095, ' ');
  CHECK(call_item(db, "GetItem", projection(longest)).status == 200);
  for (const std::string& longer : {longest + ' ', std::string(4097, '!')}) {
    CHECK_THAT(call_item(db, "GetItem", projection(longer)).message(),
               Catch::StartsWith(
                   "Invalid ProjectionExpression: Expression size has exceeded the maximum allowed size;"));
  }
}

TEST_CASE("names of a projection are used, present and well keyed") {
  DynamoDb db;
  check_refusals(db, {{"GetItem", projection("a", R"("#unused": "x")"),
                       "Value provided in ExpressionAttributeNames unused in expressions: keys: {#unused}"},
                      {"GetItem", R"("ExpressionAttributeNames": {"#n": "x"})",
                       "ExpressionAttributeNames can only be specified when using expressions"},
                      {"GetItem", projection("a") + R"(, "ExpressionAttributeNames": {})",
                       "ExpressionAttributeNames must not be empty"},
                      {"GetItem", projection("a", R"("n": "x")"),
                       R"(ExpressionAttributeNames contains invalid key: Syntax error; key: "n")"},
                      {"GetItem", projection("a") + R"(, "AttributesToGet": ["a"])",
                       "Can not use both expression and non-expression parameters in the same request: "
                       "Non-expression parameters: "
                       "{AttributesToGet} Expression parameters: {ProjectionExpression}"}});
}

}  // namespace test::projection_expression_test

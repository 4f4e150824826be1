#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"

// AttributesToGet of GetItem (docs/service/legacy-api.md section 8).
namespace test::attributes_to_get_test {

TEST_CASE("AttributesToGet picks top-level attributes by their whole name") {
  DynamoDb db;
  db.create_table(the_table);
  store_item(
      db, R"("a": {"N": "1"}, "m": {"M": {"x": {"N": "1"}}}, "m.x": {"S": "dot"}, "status": {"S": "free"})");
  const std::vector<std::pair<std::string, std::string>> picked = {
      {R"(["a"])", R"({"a": {"N": "1"}})"},
      {R"(["a", "pk", "missing"])", R"({"a": {"N": "1"}, "pk": {"S": "a"}})"},
      {R"(["m.x"])", R"({"m.x": {"S": "dot"}})"},
      {R"(["m[0]"])", "{}"},
      {R"(["status"])", R"({"status": {"S": "free"}})"},
      {R"(["missing"])", "{}"},
  };
  for (const auto& [names, item] : picked) {
    CHECK(ok_item(db, "GetItem", R"("AttributesToGet": )" + names) == Json{{"Item", Json::parse(item)}});
  }
}

TEST_CASE("AttributesToGet of a missing item gives no Item") {
  DynamoDb db;
  db.create_table(the_table);
  CHECK(call_item(db, "GetItem", R"("AttributesToGet": ["a"])").body == "{}");
}

TEST_CASE("malformed AttributesToGet are refused bare") {
  DynamoDb db;
  check_refusals(db, {{"GetItem", R"("AttributesToGet": ["A", "b", "A"])",
                       invalid("Duplicate value in attribute name: A")},
                      {"GetItem", R"("AttributesToGet": ["a"], "ExpressionAttributeNames": {"#n": "x"})",
                       "ExpressionAttributeNames can only be specified when using expressions"}});
  const Reply empty = call_item(db, "GetItem", R"("AttributesToGet": [])");
  CHECK(empty.error() == "ValidationException");
  CHECK_THAT(empty.message(), Catch::StartsWith("1 validation error detected: ") &&
                                  Catch::EndsWith("Member must have length greater than or equal to 1"));
}

}  // namespace test::attributes_to_get_test

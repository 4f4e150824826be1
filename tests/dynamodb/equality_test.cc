#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"

// docs/service/values.md section 1 and the end of section 6.
namespace test::equality_test {
namespace {

/// Returns true if `x <op> :v` holds of an item whose `x` is `stored`; both values as JSON.
bool holds(std::string_view stored, std::string_view op, std::string_view value) {
  DynamoDb db;
  db.create_table(test::the_table);
  test::store_item(db, R"("x":)" + std::string(stored));
  const auto reply =
      test::call_item(db, "DeleteItem",
                      R"("ConditionExpression":"x )" + std::string(op) +
                          R"( :v","ExpressionAttributeValues":{":v":)" + std::string(value) + "}");
  INFO(stored << " " << op << " " << value << " -> " << reply.body);
  if (reply.status != 200) test::check_condition_failed(reply);
  return reply.status == 200;
}

bool equal(std::string_view a, std::string_view b) {
  const bool same = holds(a, "=", b);
  CHECK(holds(a, "<>", b) != same);
  return same;
}

}  // namespace

TEST_CASE("values are equal when type and value are the same") {
  CHECK(equal(R"({"S":"6"})", R"({"S":"6"})"));
  CHECK_FALSE(equal(R"({"S":"6"})", R"({"N":"6"})"));
  CHECK_FALSE(equal(R"({"S":"AA=="})", R"({"B":"AA=="})"));
  CHECK_FALSE(equal(R"({"SS":["1"]})", R"({"NS":["1"]})"));
  CHECK(equal(R"({"BOOL":true})", R"({"BOOL":true})"));
  CHECK_FALSE(equal(R"({"BOOL":true})", R"({"BOOL":false})"));
  CHECK_FALSE(equal(R"({"BOOL":true})", R"({"NULL":true})"));
  CHECK(equal(R"({"NULL":true})", R"({"NULL":true})"));
}

TEST_CASE("numbers are equal by value at full precision, also inside documents") {
  const std::string digits(37, '1');
  CHECK(equal(R"({"N":"1"})", R"({"N":"1.0"})"));
  CHECK(equal(R"({"L":[{"M":{"n":{"N":"100"}}}]})", R"({"L":[{"M":{"n":{"N":"1e2"}}}]})"));
  CHECK_FALSE(equal(R"({"N":")" + digits + R"(1"})", R"({"N":")" + digits + R"(2"})"));
  CHECK_FALSE(equal(R"({"NS":["1",")" + digits + R"(1"]})", R"({"NS":["1",")" + digits + R"(2"]})"));
}

TEST_CASE("lists are equal in order, maps by content, sets without order") {
  CHECK_FALSE(equal(R"({"L":[{"S":"a"},{"S":"b"}]})", R"({"L":[{"S":"b"},{"S":"a"}]})"));
  CHECK(equal(R"({"M":{"a":{"S":"1"},"b":{"N":"2"}}})", R"({"M":{"b":{"N":"2.0"},"a":{"S":"1"}}})"));
  CHECK_FALSE(equal(R"({"M":{"a":{"S":"1"}}})", R"({"M":{"a":{"S":"1"},"b":{"N":"2"}}})"));
  CHECK(equal(R"({"SS":["a","b"]})", R"({"SS":["b","a"]})"));
  CHECK_FALSE(equal(R"({"SS":["a","b"]})", R"({"SS":["a"]})"));
}

TEST_CASE("strings order by UTF-8 bytes, binaries by unsigned bytes, numbers by value") {
  CHECK(holds(R"({"S":"Z"})", "<", R"({"S":"a"})"));
  CHECK(holds(R"({"S":"\uffff"})", "<", R"({"S":"\ud83d\ude00"})"));  // in UTF-16 it is the other way round
  CHECK(holds(R"({"B":"AQ=="})", "<", R"({"B":"AQI="})"));            // 01, 01 02
  CHECK(holds(R"({"B":"AQI="})", "<", R"({"B":"Ag=="})"));            // 01 02, 02
  CHECK(holds(R"({"B":"Ag=="})", "<", R"({"B":"/w=="})"));            // 02, ff
  CHECK(holds(R"({"N":"-10"})", "<", R"({"N":"-9"})"));
  CHECK(holds(R"({"N":"-1E-130"})", "<", R"({"N":"0"})"));
  CHECK(holds(R"({"N":"0"})", "<", R"({"N":"1E-130"})"));
  CHECK(holds(R"({"N":"9"})", "<", R"({"N":"10"})"));
  CHECK_FALSE(holds(R"({"S":"1"})", "<", R"({"N":"2"})"));
}

TEST_CASE("booleans, nulls, sets, lists and maps have no order") {
  for (const std::string_view value :
       {R"({"BOOL":true})", R"({"NULL":true})", R"({"SS":["a"]})", R"({"NS":["1"]})", R"({"BS":["AA=="]})",
        R"({"L":[{"N":"1"}]})", R"({"M":{"a":{"N":"1"}}})"}) {
    DynamoDb db;
    db.create_table(test::the_table);
    test::store_item(db, R"("x":)" + std::string(value) + R"(,"y":)" + std::string(value));
    for (const std::string_view op : {"<", "<=", ">", ">="}) {
      const std::string condition = R"("ConditionExpression":"x )" + std::string(op) + R"( y")";
      test::check_condition_failed(test::call_item(db, "DeleteItem", condition));
    }
    test::ok_item(db, "DeleteItem", R"("ConditionExpression":"x = y")");
  }
}

TEST_CASE("size counts UTF-16 units of strings, bytes of binaries, members of the rest") {
  const auto has_size = [](std::string_view value, int size) {
    DynamoDb db;
    db.create_table(test::the_table);
    test::store_item(db, R"("x":)" + std::string(value));
    return test::call_item(
               db, "DeleteItem",
               R"("ConditionExpression":"size(x) = :n","ExpressionAttributeValues":{":n":{"N":")" +
                   std::to_string(size) + R"("}})")
               .status == 200;
  };
  CHECK(has_size(R"({"S":""})", 0));
  CHECK(has_size(R"({"S":"\u00e9"})", 1));
  CHECK(has_size(R"({"S":"\ud83d\ude00"})", 2));
  CHECK(has_size(R"({"B":"AAEC"})", 3));
  CHECK(has_size(R"({"SS":["aaa","b"]})", 2));
  CHECK(has_size(R"({"NS":["111"]})", 1));
  CHECK(has_size(R"({"BS":["AAEC","AA=="]})", 2));
  CHECK(has_size(R"({"L":[{"S":"aaa"}]})", 1));
  CHECK(has_size(R"({"M":{"a":{"S":""},"b":{"S":""}}})", 2));
  CHECK_FALSE(has_size(R"({"N":"1"})", 1));
  CHECK_FALSE(has_size(R"({"BOOL":true})", 1));
  CHECK_FALSE(has_size(R"({"NULL":true})", 1));
}

}  // namespace test::equality_test

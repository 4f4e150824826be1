#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"

// Expected and ConditionalOperator (docs/service/legacy-api.md sections 1 to 4).
namespace test::legacy_expected_test {
namespace {

const std::vector<std::string_view> writes = {"PutItem", "UpdateItem", "DeleteItem"};

/// One condition on the attribute `a`, on these attributes stored.
struct Outcome {
  std::string stored;
  std::string condition;
  bool holds;
};

void check_outcomes(DynamoDb& db, std::initializer_list<Outcome> outcomes) {
  for (const Outcome& one : outcomes) {
    INFO(one.stored << " | " << one.condition);
    store_item(db, one.stored);
    CHECK(condition_holds(db, R"("Expected": {"a": {)" + one.condition + "}}") == one.holds);
  }
}

/// `"ComparisonOperator": "<op>", "AttributeValueList": [...]`
std::string compares(const std::string& op, const std::string& values) {
  return R"("ComparisonOperator": ")" + op + R"(", "AttributeValueList": [)" + values + "]";
}

}  // namespace

TEST_CASE("Exists and Value say that an attribute is there, equal, or not there") {
  DynamoDb db;
  db.create_table(the_table);
  check_outcomes(db, {{R"("a": {"N": "1"})", R"("Value": {"N": "1.0"})", true},
                      {R"("a": {"N": "1"})", R"("Exists": true, "Value": {"N": "1"})", true},
                      {R"("a": {"N": "1"})", R"("Value": {"N": "2"})", false},
                      {R"("a": {"N": "1"})", R"("Value": {"S": "1"})", false},
                      {"", R"("Value": {"N": "1"})", false},
                      {"", R"("Exists": false)", true},
                      {R"("a": {"NULL": true})", R"("Exists": false)", false}});
}

TEST_CASE("the comparison operators") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string n = R"("a": {"N": "10"})";
  const std::string s = R"("a": {"S": "beta"})";
  const std::string set = R"("a": {"SS": ["x", "y"]})";
  const std::string list = R"("a": {"L": [{"N": "1"}, {"S": "x"}]})";
  check_outcomes(db,
                 {{n, compares("EQ", R"({"N": "1E1"})"), true},
                  {n, R"("ComparisonOperator": "EQ", "Value": {"N": "10"})", true},
                  {n, compares("EQ", R"({"S": "10"})"), false},
                  {R"("a": {"BOOL": true})", compares("EQ", R"({"BOOL": true})"), true},
                  {R"("a": {"NULL": true})", compares("EQ", R"({"NULL": true})"), true},
                  {set, compares("EQ", R"({"SS": ["y", "x"]})"), true},
                  {list, compares("EQ", R"({"L": [{"N": "1"}, {"S": "x"}]})"), true},
                  {R"("a": {"M": {"k": {"N": "1"}}})", compares("EQ", R"({"M": {"k": {"N": "1.0"}}})"), true},
                  {"", compares("EQ", R"({"N": "1"})"), false},
                  {n, compares("NE", R"({"N": "11"})"), true},
                  {n, compares("NE", R"({"N": "10"})"), false},
                  {n, compares("NE", R"({"S": "10"})"), true},
                  {"", compares("NE", R"({"N": "1"})"), true},
                  {n, compares("LE", R"({"N": "10"})"), true},
                  {n, compares("LT", R"({"N": "10"})"), false},
                  {n, compares("GE", R"({"N": "9"})"), true},
                  {n, compares("GT", R"({"N": "9"})"), true},
                  {n, compares("GT", R"({"S": "0"})"), false},
                  {"", compares("LT", R"({"N": "9"})"), false},
                  {s, compares("GT", R"({"S": "alpha"})"), true},
                  {n, compares("BETWEEN", R"({"N": "10"}, {"N": "20"})"), true},
                  {n, compares("BETWEEN", R"({"N": "11"}, {"N": "20"})"), false},
                  {n, compares("BETWEEN", R"({"S": "0"}, {"S": "9"})"), false},
                  {s, compares("BEGINS_WITH", R"({"S": "be"})"), true},
                  {s, compares("BEGINS_WITH", R"({"S": "et"})"), false},
                  {R"("a": {"B": "AQID"})", compares("BEGINS_WITH", R"({"B": "AQI="})"), true},
                  {s, compares("CONTAINS", R"({"S": "et"})"), true},
                  {set, compares("CONTAINS", R"({"S": "y"})"), true},
                  {list, compares("CONTAINS", R"({"N": "1"})"), true},
                  {R"("a": {"B": "AQID"})", compares("CONTAINS", R"({"B": "AgM="})"), true},
                  {s, compares("NOT_CONTAINS", R"({"S": "zz"})"), true},
                  {s, compares("NOT_CONTAINS", R"({"S": "et"})"), false},
                  {set, compares("NOT_CONTAINS", R"({"S": "y"})"), false},
                  {"", compares("NOT_CONTAINS", R"({"S": "y"})"), false},
                  {n, compares("IN", R"({"N": "1"}, {"N": "10"})"), true},
                  {n, compares("IN", R"({"N": "1"})"), false},
                  {"", compares("IN", R"({"N": "1"})"), false},
                  {"", R"("ComparisonOperator": "NULL")", true},
                  {R"("a": {"NULL": true})", R"("ComparisonOperator": "NULL")", false},
                  {R"("a": {"NULL": true})", R"("ComparisonOperator": "NOT_NULL")", true},
                  {"", R"("ComparisonOperator": "NOT_NULL")", false}});
}

TEST_CASE("several conditions are ANDed, or ORed when asked") {
  DynamoDb db;
  db.create_table(the_table);
  store_item(db, R"("a": {"N": "1"}, "b": {"N": "2"})");
  const auto expected = [](const std::string& a, const std::string& b) {
    return R"("Expected": {"a": {"Value": {"N": ")" + a + R"("}}, "b": {"Value": {"N": ")" + b + R"("}}})";
  };
  CHECK(condition_holds(db, expected("1", "2")));
  CHECK_FALSE(condition_holds(db, expected("1", "3")));
  CHECK(condition_holds(db, expected("1", "2") + R"(, "ConditionalOperator": "AND")"));
  CHECK_FALSE(condition_holds(db, expected("3", "2") + R"(, "ConditionalOperator": "AND")"));
  CHECK(condition_holds(db, expected("3", "2") + R"(, "ConditionalOperator": "OR")"));
  CHECK_FALSE(condition_holds(db, expected("3", "3") + R"(, "ConditionalOperator": "OR")"));
}

TEST_CASE("Expected guards every write, and a missing item has no attributes") {
  DynamoDb db;
  db.create_table(the_table);
  for (const auto operation : writes) {
    ok_item(db, "DeleteItem");
    check_condition_failed(call_item(db, operation, R"("Expected": {"pk": {"Value": {"S": "a"}}})"));
    CHECK(stored_attributes(db).is_null());
    CHECK(call_item(db, operation, R"("Expected": {"pk": {"Exists": false}})").status == 200);
    store_item(db, R"("x": {"N": "1"})");
    const Reply shown = call_item(
        db, operation,
        R"("Expected": {"x": {"Exists": false}}, "ReturnValuesOnConditionCheckFailure": "ALL_OLD")");
    check_condition_failed(shown);
    CHECK(shown.json()["Item"]["x"] == Json{{"N", "1"}});
    CHECK(stored_attributes(db) == Json{{"x", {{"N", "1"}}}});
  }
}

TEST_CASE("malformed elements are refused in the envelope") {
  DynamoDb db;
  const std::vector<std::pair<std::string, std::string>> malformed = {
      {R"("Exists": true)", invalid("Value must be provided when Exists is true for Attribute: a")},
      {R"("Exists": false, "Value": {"N": "1"})",
       invalid("Value cannot be used when Exists is false for Attribute: a")},
      {"", invalid("Value must be provided when Exists is null for Attribute: a")},
      {R"("Value": {"N": "1"}, )" + compares("EQ", R"({"N": "1"})"),
       invalid("Value and AttributeValueList cannot be used together for Attribute: a")},
      {R"("Exists": true, )" + compares("EQ", R"({"N": "1"})"),
       invalid("Exists and ComparisonOperator cannot be used together for Attribute: a")},
      {R"("AttributeValueList": [{"N": "1"}])",
       invalid("AttributeValueList can only be used with a ComparisonOperator for Attribute: a")},
      {R"("ComparisonOperator": "EQ")",
       invalid("Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: a")},
      {R"("ComparisonOperator": "BETWEEN")",
       invalid("Value or AttributeValueList must be used with ComparisonOperator: BETWEEN for Attribute: a")},
      {compares("BETWEEN", R"({"N": "1"})"),
       invalid("Invalid number of argument(s) for the BETWEEN ComparisonOperator")},
      {compares("EQ", R"({"N": "1"}, {"N": "2"})"),
       invalid("Invalid number of argument(s) for the EQ ComparisonOperator")},
      {compares("IN", ""), invalid("Invalid number of argument(s) for the IN ComparisonOperator")},
      {compares("NULL", R"({"N": "1"})"),
       invalid("Invalid number of argument(s) for the NULL ComparisonOperator")},
      {compares("BEGINS_WITH", R"({"N": "1"})"),
       invalid("ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type")},
      {compares("LT", R"({"BOOL": true})"),
       invalid("ComparisonOperator LT is not valid for BOOL AttributeValue type")},
      {compares("BETWEEN", R"({"N": "1"}, {"S": "2"})"),
       invalid("AttributeValues inside AttributeValueList must be of same type")},
      {compares("BETWEEN", R"({"N": "2"}, {"N": "1"})"),
       "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound"},
      {R"("Value": {"N": "bad"})", "The parameter cannot be converted to a numeric value: bad"},
      {compares("EQ", R"({"SS": []})"), invalid("An string set  may not be empty")},
      {compares("EQ", R"({"NULL": false})"),
       invalid("Null attribute value types must have the value of true")},
  };
  for (const auto operation : writes) {
    for (const auto& [element, message] : malformed) {
      check_refusal(db, {operation, R"("Expected": {"a": {)" + element + "}}", enveloped(message)});
    }
    check_refusal(db, {operation, R"("Expected": {"": {"Exists": false}})", "Empty attribute name"});
    const Reply unknown = call_item(db, operation, R"("Expected": {"a": {"ComparisonOperator": "LIKE"}})");
    CHECK(unknown.error() == "ValidationException");
    CHECK_THAT(unknown.message(),
               Catch::Contains("failed to satisfy constraint: Member must satisfy enum value set: ["));
  }
}

TEST_CASE("a Value of Expected obeys the depth limit") {
  DynamoDb db;
  std::string deep = R"({"N": "1"})";
  for (int i = 0; i < 32; ++i) deep = R"({"M": {"k": )" + deep + "}}";
  for (const auto operation : writes) {
    check_refusal(
        db,
        {operation, R"("Expected": {"a": {"Value": )" + deep + "}}",
         enveloped("Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
                   "beyond supported limit")});
  }
}

TEST_CASE("ConditionalOperator needs two conditions to combine") {
  DynamoDb db;
  for (const auto operation : writes) {
    check_refusals(
        db,
        {{operation, R"("ConditionalOperator": "OR", "Expected": {"a": {"Exists": false}})",
          enveloped("ConditionalOperator can only be used when Filter or Expected has two or more elements")},
         {operation, R"("ConditionalOperator": "AND")",
          enveloped("ConditionalOperator cannot be used without Filter or Expected")},
         {operation,
          R"("ConditionalOperator": "XOR", "Expected": {"a": {"Exists": false}, "b": {"Exists": false}})",
          enveloped("Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]")}});
  }
}

}  // namespace test::legacy_expected_test

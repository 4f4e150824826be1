#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"

// docs/service/README.md, "Families inside E on PutItem, UpdateItem, DeleteItem" and "Families that stay
// bare". What is wrong with values is in numbers_test, sets_test, empty_values_test and nesting_test, what
// with keys in key_values_test, what with sizes in item_size_test and counts_test.
namespace test::envelope_test {
namespace {

/// Members of a request and the sentence that refuses it.
struct Flaw {
  std::string_view members;
  std::string_view sentence;
};

constexpr Flaw flaws_of_conditions[] = {
    {R"("ConditionExpression":"")", "Invalid ConditionExpression: The expression can not be empty;"},
    {R"("ConditionExpression":"a = = b")",
     R"(Invalid ConditionExpression: Syntax error; token: "=", near: "= = b")"},
    {R"~("ConditionExpression":"((a = b))")~",
     "Invalid ConditionExpression: The expression has redundant parentheses;"},
    {R"~("ConditionExpression":"contains(a, a)")~",
     "Invalid ConditionExpression: The first operand must be distinct from the remaining operands for this "
     "operator "
     "or function; operator: contains, first operand: [a]"},
    {R"("ConditionExpression":"#x = b")",
     "Invalid ConditionExpression: An expression attribute name used in the document path is not defined; "
     "attribute "
     "name: #x"},
    {R"("ConditionExpression":"a = :v")",
     "Invalid ConditionExpression: An expression attribute value used in expression is not defined; "
     "attribute value: "
     ":v"},
    {R"~("ConditionExpression":"begins_with(a, :n)","ExpressionAttributeValues":{":n":{"N":"1"}})~",
     "Invalid ConditionExpression: Incorrect operand type for operator or function; operator or function: "
     "begins_with, operand type: N"},
    {R"("ConditionExpression":"a = b","ExpressionAttributeNames":{"#unused":"x"})",
     "Value provided in ExpressionAttributeNames unused in expressions: keys: {#unused}"},
    {R"("ConditionExpression":"a = b","ExpressionAttributeValues":{":unused":{"S":"x"}})",
     "Value provided in ExpressionAttributeValues unused in expressions: keys: {:unused}"},
    {R"("ConditionExpression":"a = b","ExpressionAttributeNames":{})",
     "ExpressionAttributeNames must not be empty"},
    {R"("ConditionExpression":"a = b","ExpressionAttributeValues":{})",
     "ExpressionAttributeValues must not be empty"},
    {R"("ExpressionAttributeNames":{"#x":"x"})",
     "ExpressionAttributeNames can only be specified when using expressions"},
    {R"("ExpressionAttributeValues":{":x":{"S":"x"}})",
     "ExpressionAttributeValues can only be specified when using expressions"},
    {R"("ExpressionAttributeValues":{":x":{"S":"x"}},"Expected":{"x":{"Exists":false}})",
     "ExpressionAttributeValues can only be specified when using expressions"},
    {R"("ConditionExpression":"a = b","Expected":{"x":{"Exists":false}})",
     "Can not use both expression and non-expression parameters in the same request: Non-expression "
     "parameters: "
     "{Expected} Expression parameters: {ConditionExpression}"},
    {R"("Expected":{"x":{"Exists":true}})",
     "One or more parameter values were invalid: Value must be provided when Exists is true for Attribute: "
     "x"},
};

constexpr Flaw flaws_of_projections[] = {
    {R"("ProjectionExpression":"")", "Invalid ProjectionExpression: The expression can not be empty;"},
    {R"("ProjectionExpression":"a, a.b")",
     "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one "
     "of these "
     "paths; path one: [a], path two: [a, b]"},
    {R"("ProjectionExpression":"#x")",
     "Invalid ProjectionExpression: An expression attribute name used in the document path is not defined; "
     "attribute "
     "name: #x"},
    {R"("ProjectionExpression":"a","ExpressionAttributeNames":{"#unused":"x"})",
     "Value provided in ExpressionAttributeNames unused in expressions: keys: {#unused}"},
    {R"("ProjectionExpression":"a","ExpressionAttributeNames":{})",
     "ExpressionAttributeNames must not be empty"},
    {R"("ExpressionAttributeNames":{"#x":"x"})",
     "ExpressionAttributeNames can only be specified when using expressions"},
    {R"("ProjectionExpression":"a","AttributesToGet":["a"])",
     "Can not use both expression and non-expression parameters in the same request: Non-expression "
     "parameters: "
     "{AttributesToGet} Expression parameters: {ProjectionExpression}"},
};

// Of an item without `absent`, with a string `s` and a list `l`.
constexpr Flaw flaws_at_run_time[] = {
    {R"("UpdateExpression":"SET pk = :v","ExpressionAttributeValues":{":v":{"S":"x"}})",
     "One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the "
     "key"},
    {R"("UpdateExpression":"SET absent.x = :v","ExpressionAttributeValues":{":v":{"S":"x"}})",
     "The document path provided in the update expression is invalid for update"},
    {R"("UpdateExpression":"SET s[0] = :v","ExpressionAttributeValues":{":v":{"S":"x"}})",
     "The document path provided in the update expression is invalid for update"},
    {R"("UpdateExpression":"SET x = absent + :v","ExpressionAttributeValues":{":v":{"N":"1"}})",
     "The provided expression refers to an attribute that does not exist in the item"},
    {R"("UpdateExpression":"SET x = s + :v","ExpressionAttributeValues":{":v":{"N":"1"}})",
     "An operand in the update expression has an incorrect data type"},
    {R"("UpdateExpression":"ADD l :v","ExpressionAttributeValues":{":v":{"N":"1"}})",
     "An operand in the update expression has an incorrect data type"},
};

}  // namespace

TEST_CASE("what is wrong with a condition is in the envelope, before the table is looked up") {
  DynamoDb db;
  for (const std::string_view operation : {"PutItem", "UpdateItem", "DeleteItem"}) {
    for (const Flaw& flaw : flaws_of_conditions) {
      test::check_refusal(db, {operation, std::string(flaw.members), test::enveloped(flaw.sentence)});
    }
  }
}

TEST_CASE("ReturnValues that only UpdateItem knows are refused in the envelope") {
  DynamoDb db;
  for (const std::string_view operation : {"PutItem", "DeleteItem"}) {
    for (const std::string_view value : {"UPDATED_OLD", "ALL_NEW", "UPDATED_NEW"}) {
      test::check_refusal(db, {operation, R"("ReturnValues":")" + std::string(value) + "\"",
                               test::enveloped("ReturnValues can only be ALL_OLD or NONE")});
    }
  }
}

TEST_CASE("what is wrong with a projection has no envelope, before the table is looked up") {
  DynamoDb db;
  for (const Flaw& flaw : flaws_of_projections) {
    test::check_refusal(db, {"GetItem", std::string(flaw.members), std::string(flaw.sentence)});
  }
}

TEST_CASE("what only the stored item makes wrong has no envelope") {
  DynamoDb db;
  db.create_table(test::the_table);
  test::store_item(db, R"("s":{"S":"text"},"l":{"L":[]})");
  for (const Flaw& flaw : flaws_at_run_time) {
    test::check_refusal(db, {"UpdateItem", std::string(flaw.members), std::string(flaw.sentence)});
  }
}

TEST_CASE("a missing table and a condition that does not hold are errors of their own, bare") {
  DynamoDb db;
  const std::string condition = R"~("ConditionExpression":"attribute_exists(absent)")~";
  for (const std::string_view operation : {"PutItem", "UpdateItem", "DeleteItem"}) {
    const auto reply = test::call_item(db, operation, condition);
    CHECK(reply.error() == "ResourceNotFoundException");
    CHECK(reply.message() == "Requested resource not found");
  }
  db.create_table(test::the_table);
  for (const std::string_view operation : {"PutItem", "UpdateItem", "DeleteItem"}) {
    test::check_condition_failed(test::call_item(db, operation, condition));
  }
}

}  // namespace test::envelope_test

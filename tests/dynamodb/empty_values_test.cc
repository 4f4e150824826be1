#include <catch2/catch.hpp>

#include "dynamodb/value_places.h"

// docs/service/values.md sections 1 and 4, wire.md section 7.
namespace test::empty_values_test {
namespace {

std::string empty_key(std::string_view kind, std::string_view key) {
  return "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain "
         "an empty " +
         std::string(kind) + " value. Key: " + std::string(key);
}

const std::string no_type =
    "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
const std::string several_types =
    "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported "
    "datatypes";

}  // namespace

TEST_CASE("strings, binaries, lists and maps may be empty") {
  DynamoDb db;
  db.create_table(test::the_table);
  const Json item = R"({"pk":{"S":"a"},"s":{"S":""},"b":{"B":""},"l":{"L":[]},"m":{"M":{}},
      "deep":{"L":[{"S":""},{"B":""},{"M":{"s":{"S":""},"l":{"L":[]}}}]}})"_json;
  db.put(test::the_table, item);
  CHECK(db.get(test::the_table, test::key_a) == item);
  test::ok_item(db, "UpdateItem", R"("UpdateExpression":"SET u = :u","ConditionExpression":"s = :u",
      "ExpressionAttributeValues":{":u":{"S":""}})");
  CHECK(test::stored_attributes(db).at("u") == R"({"S":""})"_json);
}

TEST_CASE("an empty key value is refused bare on every operation") {
  DynamoDb db;
  db.create_table(test::the_table);
  const std::string key = R"("Key":{"pk":{"S":""}})";
  const std::string message = empty_key("string", "pk");
  test::check_refusals(db, {{"PutItem", R"("Item":{"pk":{"S":""}})", message},
                            {"GetItem", key, message},
                            {"UpdateItem", key, message},
                            {"DeleteItem", key, message}});
}

TEST_CASE("an empty binary key value is refused, the sort key's too") {
  DynamoDb db;
  db.create_table(test::the_table, "B", "B");
  const std::string no_hash = R"({"pk":{"B":""},"sk":{"B":"AA=="}})";
  const std::string no_range = R"({"pk":{"B":"AA=="},"sk":{"B":""}})";
  for (const std::string_view operation : {"PutItem", "GetItem", "UpdateItem", "DeleteItem"}) {
    const std::string member = operation == "PutItem" ? R"("Item":)" : R"("Key":)";
    test::check_refusal(db, {operation, member + no_hash, empty_key("binary", "pk")});
    test::check_refusal(db, {operation, member + no_range, empty_key("binary", "sk")});
  }
}

TEST_CASE("an empty key value comes to light after the table lookup") {
  DynamoDb db;
  for (const std::string_view operation : {"GetItem", "UpdateItem", "DeleteItem"}) {
    CHECK(test::call_item(db, operation, R"("Key":{"pk":{"S":""}})").error() == "ResourceNotFoundException");
  }
  CHECK(test::call_item(db, "PutItem", R"("Item":{"pk":{"S":""}})").error() == "ResourceNotFoundException");
}

TEST_CASE("an attribute of an item needs a name, and so does an entry of a map") {
  DynamoDb db;
  for (const std::string_view attributes :
       {R"("":{"S":"x"})", R"("m":{"M":{"":{"S":"x"}}})", R"("l":{"L":[{"M":{"":{"S":"x"}}}]})"}) {
    test::check_refusal(db, {"PutItem", R"("Item":{"pk":{"S":"a"},)" + std::string(attributes) + "}",
                             "Empty attribute name"});
  }
}

TEST_CASE("the empty name of a map entry is refused wherever the map is, bare") {
  DynamoDb db;
  for (const test::ValuePlace& place : test::value_places) {
    test::check_refusal(db,
                        {place.operation, place.members(R"({"M":{"":{"S":"x"}}})"), "Empty attribute name"});
  }
}

TEST_CASE("the empty name of a map entry is found after any error in a value next to it") {
  const std::string nameless = R"("":{"S":"x"})";
  const std::pair<std::string, std::string> others[] = {
      {R"({"N":"x"})", "The parameter cannot be converted to a numeric value: x"},
      {R"({"NS":["1","1"]})", test::invalid("Input collection contains duplicates.")},
      {R"({"SS":[]})", test::invalid("An string set  may not be empty")},
      {R"({"NULL":false})", test::invalid("Null attribute value types must have the value of true")}};
  for (const auto& [value, sentence] : others) {
    const std::string entry = R"("y":)" + value;
    test::check_refused_everywhere(R"({"M":{)" + nameless + "," + entry + "}}", sentence);
    test::check_refused_everywhere(R"({"M":{)" + entry + "," + nameless + "}}", sentence);
  }
}

TEST_CASE("the empty name of an attribute is met in the order of the text") {
  DynamoDb db;
  const auto item = [](std::string_view attributes) {
    return R"("Item":{"pk":{"S":"a"},)" + std::string(attributes) + "}";
  };
  test::check_refusals(db, {{"PutItem", item(R"("":{"S":"x"},"x":{"N":"y"})"), "Empty attribute name"},
                            {"PutItem", item(R"("x":{"N":"y"},"":{"S":"x"})"),
                             test::enveloped("The parameter cannot be converted to a numeric value: y")}});
}

TEST_CASE("an attribute value has exactly one type, said bare in every place") {
  DynamoDb db;
  for (const test::ValuePlace& place : test::value_places) {
    test::check_refusals(
        db, {{place.operation, place.members("{}"), place.bare(no_type)},
             {place.operation, place.members(R"({"S":"a","N":"1"})"), place.bare(several_types)}});
  }
}

TEST_CASE("a value without one type says so where only some types are allowed") {
  DynamoDb db;
  for (const test::ValuePlace& place : test::typed_value_places) {
    test::check_refusals(db, {{place.operation, place.members("{}"), no_type},
                              {place.operation, place.members(R"({"M":null})"), no_type},
                              {place.operation, place.members(R"({"S":"a","BOOL":true})"), several_types},
                              {place.operation, place.members(R"({"BOOL":true,"N":"1"})"), several_types}});
  }
}

TEST_CASE("a value without one type comes before other wrong values and before the types of others") {
  DynamoDb db;
  const std::string bad = R"({"N":"bad"})";
  test::check_refusals(
      db, {{"UpdateItem", test::update("ADD a :a, b :b", R"(":a":)" + bad + R"(,":b":{})"), no_type},
           {"UpdateItem", test::update("ADD a :a, b :b", R"(":a":{"BOOL":true},":b":{})"), no_type},
           {"UpdateItem",
            R"("AttributeUpdates":{"a":{"Value":)" + bad + R"(},"b":{"Action":"ADD","Value":{}}})", no_type},
           {"PutItem",
            R"("Expected":{"a":{"Value":)" + bad +
                R"(},"b":{"ComparisonOperator":"LT","AttributeValueList":[{}]}})",
            no_type},
           {"Query",
            R"("KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[)" + bad +
                R"(]},"sk":{"ComparisonOperator":"GT","AttributeValueList":[{}]}})",
            no_type}});
}

TEST_CASE("parameters that do not go together come before a value without a type") {
  DynamoDb db;
  test::check_refusals(
      db, {{"UpdateItem", R"("Expected":{"a":{"Exists":false}},)" + test::update("ADD a :a", R"(":a":{})"),
            test::enveloped("Can not use both expression and non-expression parameters in the same request: "
                            "Non-expression parameters: {Expected} Expression parameters: "
                            "{UpdateExpression}")},
           {"Query", R"("ExpressionAttributeValues":{":a":{}},"FilterExpression":"a > :a")",
            "Either the KeyConditions or KeyConditionExpression parameter must be specified in the "
            "request."}});
}

TEST_CASE("NULL is always true") {
  test::check_refused_everywhere(R"({"NULL":false})",
                                 test::invalid("Null attribute value types must have the value of true"));
  DynamoDb db;
  db.create_table(test::the_table);
  test::store_item(db, R"("x":{"NULL":true})");
  CHECK(test::stored_attributes(db) == R"({"x":{"NULL":true}})"_json);
}

TEST_CASE("NULL and BOOL take booleans only") {
  DynamoDb db;
  for (const std::string_view value :
       {R"({"NULL":"true"})", R"({"NULL":1})", R"({"BOOL":"true"})", R"({"BOOL":0})"}) {
    for (const test::ValuePlace& place : test::value_places) {
      CHECK(test::call_item(db, place.operation, place.members(value)).error() == "SerializationException");
    }
  }
}

}  // namespace test::empty_values_test

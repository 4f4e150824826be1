#include <catch2/catch.hpp>

#include "one_item.h"
#include "support/tables.h"

// Which problem of a request wins (docs/service/items.md section 4, expressions.md section 7 "Order"). Every
// test walks a list of problems in the order of the checks: a request with any two of them answers the first.
namespace test::check_order_test {
namespace {

struct Problem {
  std::string patch;  // what it adds to a sound request, as JSON merge patch
  std::string error;
  std::string message;  // "" where docs/service leaves the wording open
};

void check_reply(const Reply& reply, const Problem& problem) {
  CHECK(reply.error() == problem.error);
  if (!problem.message.empty()) CHECK(reply.message() == problem.message);
}

void check_order(DynamoDb& db, std::string_view operation, const Json& sound,
                 const std::vector<Problem>& problems) {
  CHECK(db.call(operation, sound).status == 200);
  for (std::size_t first = 0; first < problems.size(); ++first) {
    for (std::size_t second = first; second < problems.size(); ++second) {
      Json request = sound;
      request.merge_patch(Json::parse(problems[second].patch));
      request.merge_patch(Json::parse(problems[first].patch));
      INFO(operation << " with " << problems[first].patch.substr(0, 200) << " and "
                     << problems[second].patch.substr(0, 200));
      check_reply(db.call(operation, request), problems[first]);
    }
  }
}

/// The table with a global index ggg on the string gk, and the item a.
void make_table(DynamoDb& db) {
  db.ok("CreateTable", table_request("Tab", "pk", "gk", {global_index("ggg", "gk")}));
  store_item(db, R"("x": {"N": "1"})");
}

const std::string ve = "ValidationException";
const std::string not_number = "The parameter cannot be converted to a numeric value: bad";

const Problem serialization = {R"({"ReturnConsumedCapacity": 5})", "SerializationException",
                               "NUMBER_VALUE cannot be converted to String"};
const Problem constraint = {
    R"({"ReturnItemCollectionMetrics": "BAD"})", ve,
    enveloped("Value 'BAD' at 'returnItemCollectionMetrics' failed to satisfy constraint: Member "
              "must satisfy enum value set: [SIZE, NONE]")};
const Problem mixed_families = {R"({"Expected": {"x": {"Exists": false}}})", ve,
                                enveloped("Can not use both expression and non-expression parameters in the "
                                          "same request: Non-expression parameters: "
                                          "{Expected} Expression parameters: {ConditionExpression}")};
const Problem returns = {R"({"ReturnValues": "UPDATED_NEW"})", ve,
                         enveloped("ReturnValues can only be ALL_OLD or NONE")};
const Problem bad_value = {R"({"ExpressionAttributeValues": {":x": {"N": "bad"}}})", ve,
                           enveloped(not_number)};
const Problem unused = {
    R"({"ExpressionAttributeNames": {"#unused": "x"}})", ve,
    enveloped("Value provided in ExpressionAttributeNames unused in expressions: keys: {#unused}")};
const Problem no_table = {R"({"TableName": "Missing"})", "ResourceNotFoundException",
                          "Requested resource not found"};

}  // namespace

TEST_CASE("PutItem checks in order") {
  DynamoDb db;
  make_table(db);
  const Json sound = {{"TableName", "Tab"},
                      {"Item", {{"pk", {{"S", "a"}}}, {"x", {{"N", "1"}}}}},
                      {"ConditionExpression", "x = :x AND y <> :x"},
                      {"ExpressionAttributeValues", {{":x", {{"N", "1"}}}}}};
  check_order(db, "PutItem", sound,
              {serialization,
               constraint,
               mixed_families,
               returns,
               {R"({"Item": {"n": {"N": "bad"}}})", ve, enveloped(not_number)},
               bad_value,
               unused,
               no_table,
               {R"({"Item": {"pk": {"S": null, "N": "1"}}})", ve,
                invalid("Type mismatch for key pk expected: S actual: N")},
               {R"({"Item": {"gk": {"N": "1"}}})", ve,
                invalid("Type mismatch for Index Key gk Expected: S Actual: N IndexName: ggg")},
               {R"({"Item": {"big": {"S": ")" + std::string(410'000, 'x') + R"("}}})", ve,
                "Item size has exceeded the maximum allowed size"},
               {R"({"ExpressionAttributeValues": {":x": {"S": "other", "N": null}}})",
                "ConditionalCheckFailedException", "The conditional request failed"}});
}

TEST_CASE("DeleteItem checks in order") {
  DynamoDb db;
  make_table(db);
  const Json sound = Json::parse(R"({"TableName": "Tab", "Key": {"pk": {"S": "a"}},
      "ConditionExpression": "x = :x", "ExpressionAttributeValues": {":x": {"N": "1"}}})");
  check_order(db, "DeleteItem", sound,
              {serialization,
               constraint,
               mixed_families,
               returns,
               {R"({"Key": {"n": {"N": "bad"}}})", ve, enveloped(not_number)},
               bad_value,
               unused,
               no_table,
               {R"({"Key": {"pk": {"S": null, "N": "1"}}})", ve,
                "The provided key element does not match the schema"},
               {R"({"ExpressionAttributeValues": {":x": {"S": "other", "N": null}}})",
                "ConditionalCheckFailedException", "The conditional request failed"}});
}

TEST_CASE("GetItem checks in order") {
  DynamoDb db;
  make_table(db);
  const Json sound =
      Json::parse(R"({"TableName": "Tab", "Key": {"pk": {"S": "a"}}, "ProjectionExpression": "x"})");
  check_order(
      db, "GetItem", sound,
      {{R"({"ConsistentRead": "yes"})", "SerializationException",
        "STRING_VALUE cannot be converted to Boolean"},
       {R"({"ReturnConsumedCapacity": "BAD"})", ve,
        enveloped(
            "Value 'BAD' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum "
            "value set: [INDEXES, TOTAL, NONE]")},
       {R"({"AttributesToGet": ["x"]})", ve,
        "Can not use both expression and non-expression parameters in the same request: Non-expression "
        "parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}"},
       {R"({"Key": {"n": {"N": "bad"}}})", ve, not_number},
       {R"({"ProjectionExpression": "x, x.y"})", ve,
        "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite "
        "one of "
        "these paths; path one: [x], path two: [x, y]"},
       no_table,
       {R"({"Key": {"pk": {"S": ""}, "more": {"S": ""}}})", ve,
        "The provided key element does not match the schema"},
       {R"({"Key": {"pk": {"S": ""}}})", ve,
        "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain "
        "an "
        "empty string value. Key: pk"}});
}

TEST_CASE("UpdateItem checks in order") {
  DynamoDb db;
  make_table(db);
  const Json sound = Json::parse(R"({"TableName": "Tab", "Key": {"pk": {"S": "a"}},
      "UpdateExpression": "SET #n = :n", "ExpressionAttributeNames": {"#n": "n"},
      "ConditionExpression": "x = :x", "ExpressionAttributeValues": {":x": {"N": "1"}, ":n": {"S": "v"}}})");
  const Problem families = {
      R"({"AttributeUpdates": {"z": {"Value": {"S": "v"}}}})", ve,
      enveloped("Can not use both expression and non-expression parameters in the same request: "
                "Non-expression parameters: "
                "{AttributeUpdates} Expression parameters: {UpdateExpression, ConditionExpression}")};
  check_order(db, "UpdateItem", sound,
              {serialization,
               constraint,
               families,
               unused,
               bad_value,
               no_table,
               {R"({"Key": {"pk": {"S": null, "N": "1"}}})", ve,
                "The provided key element does not match the schema"},
               {R"({"ExpressionAttributeNames": {"#n": "pk"}})", ve,
                invalid("Cannot update attribute pk. This attribute is part of the key")},
               {R"({"ExpressionAttributeValues": {":n": {"S": ")" + std::string(410'000, 'x') + R"("}}})", ve,
                "Item size to update has exceeded the maximum allowed size"},
               {R"({"ExpressionAttributeValues": {":x": {"S": "other", "N": null}}})",
                "ConditionalCheckFailedException", "The conditional request failed"},
               {R"({"UpdateExpression": "SET #n = :n, q.r = :n"})", ve,
                "The document path provided in the update expression is invalid for update"}});
}

TEST_CASE("BatchGetItem checks in order") {
  DynamoDb db;
  for (const auto table : {"Tab", "Tab1", "Tab2"}) db.create_table(table);
  const Json sound = Json::parse(R"({"RequestItems": {"Tab": {"Keys": [{"pk": {"S": "a"}}]}}})");
  check_order(
      db, "BatchGetItem", sound,
      {{R"({"RequestItems": {"Tab": {"ConsistentRead": "yes"}}})", "SerializationException",
        "STRING_VALUE cannot be converted to Boolean"},
       {R"({"ReturnConsumedCapacity": "BAD"})", ve,
        enveloped(
            "Value 'BAD' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum "
            "value set: [INDEXES, TOTAL, NONE]")},
       {R"({"RequestItems": {"Not1": {"Keys": [{"pk": {"S": "a"}}], "ExpressionAttributeNames": {"#x": "x"}}}})",
        ve, "ExpressionAttributeNames can only be specified when using expressions"},
       {R"({"RequestItems": {"Not2": {"Keys": [{"pk": {"S": "a"}}], "ProjectionExpression": "x, x"}}})", ve,
        "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite "
        "one "
        "of these paths; path one: [x], path two: [x]"},
       {R"({"RequestItems": {"Not3": {"Keys": [{"pk": {"N": "bad"}}]}}})", ve, not_number},
       {R"({"RequestItems": {"Not4": {"Keys": [{"pk": {"N": "1"}}, {"pk": {"N": "1.0"}}]}}})", ve,
        "Provided list of item keys contains duplicates"},
       {R"({"RequestItems": {"Not5": {"Keys": [{"pk": {"S": "a"}}]}}})", "ResourceNotFoundException",
        "Requested resource not found"},
       {R"({"RequestItems": {"Tab2": {"Keys": [{"pk": {"S": ""}, "more": {"S": ""}}]}}})", ve,
        "The provided key element does not match the schema"},
       {R"({"RequestItems": {"Tab1": {"Keys": [{"pk": {"S": ""}}]}}})", ve,
        "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain "
        "an "
        "empty string value. Key: pk"}});
}

TEST_CASE("BatchWriteItem checks in order") {
  DynamoDb db;
  make_table(db);
  for (const auto table : {"Tab1", "Tab2", "Tab3"}) db.create_table(table);
  const Json sound =
      Json::parse(R"({"RequestItems": {"Tab1": [{"PutRequest": {"Item": {"pk": {"S": "a"}}}}]}})");
  const auto put = [](const std::string& table, const std::string& item) {
    return R"({"RequestItems": {")" + table + R"(": [{"PutRequest": {"Item": )" + item + "}}]}}";
  };
  check_order(
      db, "BatchWriteItem", sound,
      {{put("Not0", R"({"pk": {"S": 5}})"), "SerializationException",
        "NUMBER_VALUE cannot be converted to String"},
       constraint,
       {put("not a name", R"({"pk": {"S": "a"}})"), ve, ""},
       {R"({"RequestItems": {"Not1": [{}]}})", ve, ""},
       {put("Not2", R"({"pk": {"N": "bad"}})"), ve, not_number},
       {put("Not3", R"({"pk": {"S": "a"}})"), "ResourceNotFoundException", "Requested resource not found"},
       {put("Tab2", R"({"pk": {"N": "1"}})"), ve, "The provided key element does not match the schema"},
       {R"({"RequestItems": {"Tab3": [{"DeleteRequest": {"Key": {"pk": {"S": "a"}}}},
                                      {"DeleteRequest": {"Key": {"pk": {"S": "a"}}}}]}})",
        ve, "Provided list of item keys contains duplicates"},
       {put("Tab", R"({"pk": {"S": "a"}, "gk": {"N": "1"}})"), ve,
        invalid("Type mismatch for Index Key gk Expected: S Actual: N IndexName: ggg")},
       {put("Tab1", R"({"pk": {"S": "a"}, "b": {"S": ")" + std::string(410'000, 'x') + R"("}})"), ve,
        "Item size has exceeded the maximum allowed size"}});
}

TEST_CASE("of two problems of one expression the earlier check wins") {
  DynamoDb db;
  const std::string update = R"("ExpressionAttributeValues": {":v": {"N": "bad"}}, "UpdateExpression": )";
  const std::string problem = enveloped("Invalid UpdateExpression: ");
  const std::string overlap =
      "Two document paths overlap with each other; must remove or rewrite one of these paths; ";
  check_refusals(
      db, {{"UpdateItem", update + '"' + std::string(4097, '!') + '"',
            problem + "Expression size has exceeded the maximum allowed size;"},
           {"UpdateItem", update + R"("SET #x = :v, status")",
            problem + R"(Syntax error; token: "<EOF>", near: "status")"},
           {"UpdateItem", update + R"("SET #x = :v, status = :v")",
            problem + "Attribute name is a reserved keyword; reserved keyword: status"},
           {"UpdateItem", update + R"("SET a = :v, a = :w")",
            problem + "An expression attribute value used in expression is not defined; attribute value: :w"},
           {"UpdateItem",
            R"("ExpressionAttributeNames": {"#unused": "x"}, )" + update + R"("SET a = :v, a.b = :v")",
            problem + overlap + "path one: [a], path two: [a, b]"},
           {"UpdateItem", R"("ExpressionAttributeNames": {"#unused": "x"}, )" + update + R"("DELETE a :v")",
            problem + "Incorrect operand type for operator or function; operator: DELETE, operand type: "
                      "NUMBER, typeSet: "
                      "ALLOWED_FOR_DELETE_OPERAND"},
           {"UpdateItem", R"("ExpressionAttributeNames": {"#unused": "x"}, )" + update + R"("SET a = :v")",
            enveloped("Value provided in ExpressionAttributeNames unused in expressions: keys: {#unused}")},
           {"UpdateItem", update + R"("SET a = :v")", enveloped(not_number)}});
}

TEST_CASE("parameters that do not go together come before malformed Expected, and that before bad values") {
  DynamoDb db;
  const std::string malformed = R"("Expected": {"x": {"Exists": true}})";
  const std::string bad_item = R"("Item": {"pk": {"S": "a"}, "n": {"N": "bad"}}, )";
  const std::string bad_key = R"("Key": {"pk": {"N": "bad"}}, )";
  const std::string names = R"(, "ExpressionAttributeNames": {"#n": "x"})";
  const std::string values = R"(, "ExpressionAttributeValues": {})";
  for (const auto& [operation, bad] : {std::pair("PutItem", bad_item), {"DeleteItem", bad_key}}) {
    check_refusals(
        db, {{operation, bad + malformed + names + R"(, "ReturnValues": "ALL_NEW")",
              enveloped("ExpressionAttributeNames can only be specified when using expressions")},
             {operation, bad + condition("a = ") + values + R"(, "ReturnValues": "ALL_NEW")",
              enveloped("ExpressionAttributeValues must not be empty")},
             {operation, bad + malformed + R"(, "ReturnValues": "ALL_NEW")", returns.message},
             {operation, bad + malformed,
              enveloped(invalid("Value must be provided when Exists is true for Attribute: x"))},
             {operation, bad + R"("Expected": {"x": {"Value": {"NULL": false}}})", enveloped(not_number)},
             {operation, bad + condition("a ="), enveloped(not_number)}});
  }
}

TEST_CASE("an empty TableName is reported alone") {
  DynamoDb db;
  const std::string message = enveloped(
      "Value at 'TableName' failed to satisfy constraint: Member must have length greater than or equal to "
      "1");
  for (const std::string operation : {"PutItem", "UpdateItem", "DeleteItem"}) {
    check_refusals(
        db,
        {{operation, R"("TableName": "")", message},
         {operation, R"("TableName": "", "ReturnValues": "BAD", "ReturnConsumedCapacity": "BAD")", message},
         {operation, R"("TableName": "", "ConditionExpression": "")", message}});
  }
}

TEST_CASE("constraint problems of one request are collected") {
  DynamoDb db;
  const std::string capacity =
      "Value 'B' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy "
      "enum value set: [INDEXES, TOTAL, NONE]";
  const std::string returned =
      "Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, "
      "ALL_NEW, UPDATE_NEW, NONE]";
  const std::string metrics =
      "Value 'B' at 'returnItemCollectionMetrics' failed to satisfy constraint: Member must "
      "satisfy enum value set: [SIZE, NONE]";
  const std::string two = R"("ReturnValues": "B", "ReturnConsumedCapacity": "B")";
  const std::string three = two + R"(, "ReturnItemCollectionMetrics": "B")";
  check_refusals(
      db, {{"PutItem", three, "3 validation errors detected: " + capacity + "; " + returned + "; " + metrics},
           {"DeleteItem", two, "2 validation errors detected: " + capacity + "; " + returned},
           {"UpdateItem", two, enveloped(returned)}});
}

TEST_CASE("UpdateItem without a Key is read in the older form") {
  DynamoDb db;
  const std::string no_key = "Value null at 'key' failed to satisfy constraint: Member must not be null";
  const std::string no_name =
      "Value '' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal "
      "to 1; ";
  const std::string capacity =
      "Value 'B' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy "
      "enum value set: [INDEXES, TOTAL, NONE]; ";
  const std::string returned =
      "Value 'B' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value "
      "set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]; ";
  check_refusals(
      db,
      {{"UpdateItem", R"("Key": null)", enveloped(no_key)},
       {"UpdateItem", R"("Key": null, "TableName": "")", "2 validation errors detected: " + no_name + no_key},
       {"UpdateItem", R"("Key": null, "TableName": "", "ReturnValues": "B", "ReturnConsumedCapacity": "B")",
        "4 validation errors detected: " + capacity + no_name + returned + no_key},
       {"UpdateItem", R"("Key": null, "ConditionalOperator": "XOR")",
        "2 validation errors detected: Value 'XOR' at 'conditionalOperator' failed to satisfy constraint: "
        "Member must "
        "satisfy enum value set: [OR, AND]; " +
            no_key}});
}

TEST_CASE("requests nested past about 62 levels are read in the older form") {
  DynamoDb db;
  db.create_table(the_table);
  std::string deep = R"({"N": "1"})";
  for (int i = 0; i < 63; ++i) deep = R"({"L": [)" + deep + "]}";
  const std::string condition =
      R"("ConditionExpression": "a = :d", "ExpressionAttributeValues": {":d": )" + deep + "}";
  check_refusals(db,
                 {{"DeleteItem", condition + R"(, "ReturnValues": "BOGUS")",
                   enveloped("Value 'BOGUS' at 'returnValues' failed to satisfy constraint: Member must "
                             "satisfy enum value set: "
                             "[ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]")},
                  {"DeleteItem", condition + R"(, "ReturnValues": "UPDATED_NEW")",
                   "ReturnValues can only be ALL_OLD or NONE"},
                  {"PutItem", R"("ConditionalOperator": "XOR", "Expected": {"a": {"Value": )" + deep + "}}",
                   enveloped("Value 'XOR' at 'conditionalOperator' failed to satisfy constraint: Member must "
                             "satisfy enum value "
                             "set: [OR, AND]")}});
}

}  // namespace test::check_order_test

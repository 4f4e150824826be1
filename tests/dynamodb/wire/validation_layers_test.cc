#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "dynamodb/deep_values.h"
#include "support/dynamodb.h"

// The two generations of the service's request validation: docs/service/README.md, "Two generations of
// request validation" and "Regional splits that are observable". Which operation has which one where is data
// (api-specs/dynamodb/operations).
namespace test::validation_layers_test {
namespace {

using dinette::aws::Generation;

dinette::dynamodb::ServiceOptions everywhere(Generation generation) {
  dinette::dynamodb::ServiceOptions options;
  options.validation = generation;
  return options;
}

Headers from(std::string_view region) {
  return {{"Authorization", "AWS4-HMAC-SHA256 Credential=any/20261010/" + std::string(region) +
                                "/dynamodb/aws4_request, SignedHeaders=host, Signature=0"}};
}

/// A request, and what the two generations answer.
struct Answers {
  std::string operation;
  std::string body;
  std::string older;
  std::string current;
};

const std::string no_limit =
    "failed to satisfy constraint: Member must have value greater than or equal to 1";
const std::string too_deep =
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond "
    "supported limit";

std::string scan(const std::string& members) {
  return R"({"TableName": "Tab", )" + members + "}";
}

// docs/service/README.md, "What Scan answers in which layer".
const std::vector<Answers> of_scan = {
    {"Scan", scan(R"("Segment": 5, "TotalSegments": 5)"),
     "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 5 is not "
     "less than TotalSegments: 5",
     "The Segment parameter is zero-based and must be less than parameter TotalSegments"},
    {"Scan", scan(R"("Limit": 0)"), enveloped("Value '0' at 'limit' " + no_limit),
     enveloped("Value at 'Limit' " + no_limit)},
    {"Scan", scan(R"("Segment": -1, "TotalSegments": 4)"),
     enveloped("Value '-1' at 'segment' failed to satisfy constraint: Member must have value greater than or "
               "equal to 0"),
     enveloped("Value at 'Segment' failed to satisfy constraint: Member must have value greater than or "
               "equal to 0")},
    {"Scan", scan(R"("ExclusiveStartKey": {"pk": {"N": "1"}})"),
     "The provided starting key is invalid: The provided key element does not match the schema",
     "The provided starting key is invalid"},
    {"Scan", scan(R"("ExclusiveStartKey": {"other": {"S": "a"}})"),
     "The provided starting key is invalid: The provided key element does not match the schema",
     "The provided starting key is invalid"},
    {"Scan", scan(R"("Select": "SPECIFIC_ATTRIBUTES")"),
     "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES",
     enveloped("Must specify the AttributesToGet or ProjectionExpression when choosing to get "
               "SPECIFIC_ATTRIBUTES")},
    {"Scan", scan(R"("FilterExpression": "x = :v", "ExpressionAttributeValues": {":v": {"N": "x"}})"),
     "ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric "
     "value: x for key :v",
     "The parameter cannot be converted to a numeric value: x"},
    // Regional split 9.
    {"Scan",
     scan(R"("ConditionalOperator": "AND", "ScanFilter": {"x": {"ComparisonOperator": "EQ", )"
          R"("AttributeValueList": [)" +
          in_lists(40) + "]}}"),
     too_deep, "ConditionalOperator can only be used when Filter or Expected has two or more elements"},
};

const std::string put_tab = R"({"Put": {"TableName": "Tab", "Item": {"pk": {"S": "p"}}}})";
const std::string long_token = std::string(37, 't');

// docs/service/transactions.md section 3.
const std::vector<Answers> of_transactions = {
    {"TransactWriteItems", R"({"TransactItems": []})",
     enveloped("Value '[]' at 'transactItems' failed to satisfy constraint: Member must have length greater "
               "than or equal to 1"),
     enveloped("Value at 'TransactItems' failed to satisfy constraint: Member must have length greater than "
               "or equal to 1")},
    {"TransactGetItems", R"({"TransactItems": []})",
     enveloped("Value '[]' at 'transactItems' failed to satisfy constraint: Member must have length greater "
               "than or equal to 1"),
     enveloped("Value at 'TransactItems' failed to satisfy constraint: Member must have length greater than "
               "or equal to 1")},
    {"TransactWriteItems",
     R"({"ReturnConsumedCapacity": "no", "ClientRequestToken": ")" + long_token + R"(", "TransactItems": [)" +
         put_tab + "]}",
     "2 validation errors detected: Value '" + long_token +
         "' at 'clientRequestToken' failed to satisfy constraint: Member must have length less than or equal "
         "to 36; Value 'no' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy "
         "enum value set: [INDEXES, TOTAL, NONE]",
     enveloped("Value at 'ClientRequestToken' failed to satisfy constraint: Member must have length less "
               "than or equal to 36")},
    {"TransactWriteItems", R"({"TransactItems": [{}]})",
     "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request",
     enveloped("Value '' at 'transactItems' failed to satisfy constraint: TransactWriteRequest should "
               "contain Delete or Put or Update or ConditionCheck")},
    {"TransactWriteItems",
     R"({"TransactItems": [{"Put": {"TableName": "Tab", "Item": {"pk": {"S": "p"}, "s": {"NS": ["1", "1"]}}}}]})",
     "Input collection contains duplicates", invalid("Input collection contains duplicates.")},
    {"TransactWriteItems",
     R"({"TransactItems": [{"ConditionCheck": {"TableName": "Tab", "Key": {"pk": {"S": "p"}}, )"
     R"("ConditionExpression": "x = :v", "ExpressionAttributeValues": {":v": {"N": "x"}}}}]})",
     "ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric "
     "value: x for key :v",
     "The parameter cannot be converted to a numeric value: x"},
    {"TransactWriteItems",
     R"({"TransactItems": [{"ConditionCheck": {"TableName": "Tab", "Key": {"pk": {"S": "p"}}, )"
     R"("ConditionExpression": "attribute_exists(pk) OR pk = :v", "ExpressionAttributeValues": {":v": )" +
         in_lists(40) + "}}}]}",
     "ExpressionAttributeValues contains invalid value: " + too_deep + " for key :v", too_deep},
};

// Regional splits 1 to 3.
const std::vector<Answers> of_writes = {
    {"PutItem", R"({"TableName": "", "ReturnValues": "INVALID", "Item": {"pk": {"S": "p"}}})",
     "2 validation errors detected: Value 'INVALID' at 'returnValues' failed to satisfy constraint: Member "
     "must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]; Value '' at "
     "'tableName' failed to satisfy constraint: Member must have length greater than or equal to 1",
     enveloped("Value at 'TableName' failed to satisfy constraint: Member must have length greater than or "
               "equal to 1")},
    {"UpdateItem",
     R"({"TableName": "Tab", "ReturnValues": "no", "ReturnConsumedCapacity": "no", "Key": {"pk": {"S": "p"}}})",
     "2 validation errors detected: Value 'no' at 'returnConsumedCapacity' failed to satisfy constraint: "
     "Member must satisfy enum value set: [INDEXES, TOTAL, NONE]; Value 'no' at 'returnValues' failed to "
     "satisfy constraint: Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, "
     "UPDATED_NEW]",
     enveloped("Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, "
               "ALL_NEW, UPDATE_NEW, NONE]")},
    {"PutItem",
     R"({"TableName": "Tab", "Item": {"pk": {"S": "p"}}, "ExpressionAttributeValues": {":v": {"N": "1"}}})",
     "ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null",
     enveloped("ExpressionAttributeValues can only be specified when using expressions")},
    {"UpdateItem",
     R"({"TableName": "Tab", "Key": {"pk": {"S": "p"}}, "ExpressionAttributeValues": {":v": {"N": "1"}}})",
     "ExpressionAttributeValues can only be specified when using expressions: UpdateExpression and "
     "ConditionExpression are null",
     enveloped("ExpressionAttributeValues can only be specified when using expressions")},
    {"DeleteItem",
     R"({"TableName": "Tab", "Key": {"pk": {"S": "p"}}, "ConditionExpression": "x = :v", "ExpressionAttributeValues": {":v": {"N": "x"}}})",
     "ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric "
     "value: x for key :v",
     enveloped("The parameter cannot be converted to a numeric value: x")},
};

// Regional splits 4 and 5, docs/service/batch.md.
const std::vector<Answers> of_batch_reads = {
    {"BatchGetItem", R"({"RequestItems": {}})", "The requestItems parameter is required for BatchGetItem",
     enveloped("Value at 'RequestItems' failed to satisfy constraint: Member must have length greater than "
               "or equal to 1")},
    {"BatchGetItem", R"({"RequestItems": {"Tab": {"Keys": []}}})",
     enveloped("Value at 'RequestItems.Tab.member.Keys' failed to satisfy constraint: Member must have "
               "length greater than or equal to 1"),
     enveloped("Value at 'RequestItems.Tab.member.Keys' failed to satisfy constraint: Member must have "
               "length greater than or equal to 1")},
};

Json many_puts() {
  Json puts = Json::array();
  for (int i = 0; i < 26; ++i)
    puts.push_back({{"PutRequest", {{"Item", {{"pk", {{"S", std::to_string(i)}}}}}}}});
  return puts;
}

// No region is known to have the current layer.
const std::vector<Answers> without_region = {
    {"BatchWriteItem", R"({"RequestItems": {}})", "The requestItems parameter is required for BatchWriteItem",
     enveloped("Value at 'RequestItems' failed to satisfy constraint: Member must have length greater than "
               "or equal to 1")},
};

std::string refusal(DynamoDb& db, const Answers& request, const Headers& headers = {}) {
  return db.call(request.operation, request.body, headers).refusal();
}

void check_regions(const std::vector<Answers>& rows, const std::vector<std::string_view>& older,
                   const std::vector<std::string_view>& current) {
  DynamoDb db;
  db.create_table("Tab");
  for (const Answers& row : rows) {
    INFO(row.operation << " " << row.body.substr(0, 300));
    for (const std::string_view region : older) {
      INFO(region);
      CHECK(refusal(db, row, from(region)) == row.older);
    }
    for (const std::string_view region : current) {
      INFO(region);
      CHECK(refusal(db, row, from(region)) == row.current);
    }
  }
}

}  // namespace

TEST_CASE("Scan answers in the current layer in four regions, elsewhere in the older one") {
  check_regions(of_scan, {"us-east-1", "us-east-2", "eu-west-1", "eu-north-1", "me-central-1"},
                {"eu-west-2", "eu-central-1", "us-west-1", "ap-northeast-2"});
}

TEST_CASE("transactions answer in the current layer in three regions, elsewhere in the older one") {
  check_regions(of_transactions, {"us-east-1", "eu-west-1", "eu-central-1"},
                {"eu-west-2", "eu-north-1", "ap-northeast-2"});
}

TEST_CASE("writes of one item answer in the older layer in two regions, elsewhere in the current one") {
  check_regions(of_writes, {"eu-south-2", "me-central-1"}, {"us-east-1", "eu-west-2", "eu-west-1"});
}

TEST_CASE("BatchGetItem answers in the older layer in one region") {
  check_regions(of_batch_reads, {"me-central-1"}, {"us-east-1", "eu-south-2", "eu-west-2"});
}

TEST_CASE("a request that is not signed gets the layers of the server's region") {
  for (const std::string region : {"us-east-1", "eu-west-2"}) {
    dinette::dynamodb::ServiceOptions options;
    options.auth.default_region = region;
    DynamoDb db(options);
    db.create_table("Tab");
    for (const Answers& row : of_scan)
      CHECK(refusal(db, row) == (region == "eu-west-2" ? row.current : row.older));
  }
}

TEST_CASE("an option chooses one layer for every operation that has both, in every region") {
  for (const Generation generation : {Generation::older, Generation::current}) {
    DynamoDb db(everywhere(generation));
    db.create_table("Tab");
    for (const auto* rows : {&of_scan, &of_transactions, &of_writes, &of_batch_reads, &without_region}) {
      for (const Answers& row : *rows) {
        INFO(row.operation << " " << row.body.substr(0, 300));
        for (const std::string_view region : {"us-east-1", "eu-west-2", "me-central-1"})
          CHECK(refusal(db, row, from(region)) ==
                (generation == Generation::older ? row.older : row.current));
      }
    }
  }
}

TEST_CASE("more than 25 writes to a table are echoed by the older layer alone") {
  const Json request = {{"RequestItems", {{"Tab", many_puts()}}}};
  DynamoDb older(everywhere(Generation::older));
  CHECK(older.call("BatchWriteItem", request).refusal().starts_with(enveloped("Value '{Tab=[WriteRequest(")));
  DynamoDb current(everywhere(Generation::current));
  CHECK(current.call("BatchWriteItem", request).refusal() ==
        enveloped("Value at 'RequestItems.Tab.member' failed to satisfy constraint: Member must have length "
                  "less than or equal to 25"));
}

TEST_CASE("an operation of one layer keeps it, whatever the option says") {
  for (const Generation generation : {Generation::older, Generation::current}) {
    DynamoDb db(everywhere(generation));
    CHECK(db.call("CreateTable", "{}").refusal() ==
          "The parameter 'TableName' is required but was not present in the request");
    CHECK(db.call("ListTables", R"({"Limit": 0})").refusal() ==
          enveloped("Value '0' at 'limit' " + no_limit));
    CHECK(db.call("Query", R"({"TableName": "Tab", "Limit": 0})").refusal() ==
          enveloped("Value at 'Limit' " + no_limit));
    CHECK(db.call("GetItem", R"({"TableName": "Tab", "Key": {"pk": {"NS": ["1", "1"]}}})").refusal() ==
          invalid("Input collection contains duplicates."));
    CHECK(db.call("ExecuteStatement", R"({"Statement": "SELECT * FROM Tab", "Limit": 0})").refusal() ==
          enveloped("Value '0' at 'limit' " + no_limit));
  }
}

// Regional split 3.
TEST_CASE("the older layer accepts a deep value that is only compared, and refuses to write it") {
  DynamoDb db;
  db.create_table("Tab");
  const auto update = [&](std::string_view region, const std::string& expressions) {
    return db.call("UpdateItem",
                   R"({"TableName": "Tab", "Key": {"pk": {"S": "p"}}, )" + expressions +
                       R"(, "ExpressionAttributeValues": {":v": )" + in_lists(32) + "}}",
                   from(region));
  };
  const std::string compare = R"("ConditionExpression": "x = :v", "UpdateExpression": "REMOVE y")";
  CHECK(update("us-east-1", compare).refusal() == enveloped(too_deep));
  CHECK(update("eu-south-2", compare).error() == "ConditionalCheckFailedException");
  CHECK(update("eu-south-2", R"("UpdateExpression": "SET x = :v")").refusal() == too_deep);
  CHECK(db.get("Tab", {{"pk", {{"S", "p"}}}}).is_null());
}

// Regional split 7: 409,600 bytes of item, and more of statement.
TEST_CASE("a transacted update over the size of a statement is refused in the current layer") {
  const std::string value(409'590, 'x');
  const std::string request =
      R"({"TransactItems": [{"Update": {"TableName": "Tab", "Key": {"pk": {"S": "p"}}, )"
      R"("UpdateExpression": "SET b = :v", "ExpressionAttributeValues": {":v": {"S": ")" +
      value + R"("}}}}]})";
  DynamoDb db;
  db.create_table("Tab");
  CHECK(db.call("TransactWriteItems", request, from("eu-west-2")).refusal() ==
        "Item size to update has exceeded the maximum allowed size");
  CHECK(db.get("Tab", {{"pk", {{"S", "p"}}}}).is_null());
  CHECK(db.call("TransactWriteItems", request, from("us-east-1")).status == 200);
}

}  // namespace test::validation_layers_test

#include "dinette/dynamodb/item_files/table_file.h"

#include <string>

#include <catch2/catch.hpp>

#include "support/dynamodb.h"

namespace dinette::dynamodb::item_files::table_file_test {
namespace {

using test::Json;

std::string failure(std::string_view text) {
  const auto read = read_table_file(text);
  REQUIRE_FALSE(read.ok());
  return read.error();
}

Json file_of(test::DynamoDb& db, std::string_view table) {
  const Json name = {{"TableName", table}};
  const auto description = db.ok("DescribeTable", name);
  const auto tags = db.ok("ListTagsOfResource", {{"ResourceArn", description["Table"]["TableArn"]}});
  const auto text =
      table_file_text({description.dump(), db.ok("DescribeTimeToLive", name).dump(), {tags.dump()}});
  REQUIRE(text.ok());
  return Json::parse(*text);
}

TEST_CASE("a table's file makes the same table again") {
  const Json provisioned = Json::parse(R"({
    "TableName": "One", "TableClass": "STANDARD_INFREQUENT_ACCESS", "DeletionProtectionEnabled": true,
    "AttributeDefinitions": [{"AttributeName": "g", "AttributeType": "B"}, {"AttributeName": "pk", "AttributeType": "S"},
                             {"AttributeName": "sk", "AttributeType": "N"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "BillingMode": "PROVISIONED", "ProvisionedThroughput": {"ReadCapacityUnits": 3, "WriteCapacityUnits": 4},
    "LocalSecondaryIndexes": [{"IndexName": "local", "Projection": {"ProjectionType": "ALL"},
      "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "g", "KeyType": "RANGE"}]}],
    "GlobalSecondaryIndexes": [{"IndexName": "global", "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
      "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["a", "b"]},
      "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 6}}],
    "SSESpecification": {"Enabled": true, "SSEType": "KMS",
                         "KMSMasterKeyId": "arn:aws:kms:us-east-1:000000000000:key/d1d1d1d1-0000-4000-8000-000000000000"},
    "Tags": [{"Key": "k", "Value": "v é"}]})");
  const Json on_demand = Json::parse(R"({
    "TableName": "Two", "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "OnDemandThroughput": {"MaxReadRequestUnits": 10, "MaxWriteRequestUnits": 20},
    "GlobalSecondaryIndexes": [{"IndexName": "global", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
      "Projection": {"ProjectionType": "KEYS_ONLY"},
      "OnDemandThroughput": {"MaxReadRequestUnits": 1, "MaxWriteRequestUnits": 2}}]})");
  for (const Json& request : {provisioned, on_demand}) {
    test::DynamoDb db;
    db.ok("CreateTable", request);
    const Json file = file_of(db, request["TableName"].get<std::string>());
    CHECK(file == Json{{"CreateTable", request}});
    test::DynamoDb other;
    other.ok("CreateTable", file["CreateTable"]);
    CHECK(file_of(other, request["TableName"].get<std::string>()) == file);
  }
}

TEST_CASE("a stream and the time to live are requests of their own, for when the items are there") {
  test::DynamoDb db;
  db.create_table("Music");
  const Json stream = {{"TableName", "Music"},
                       {"StreamSpecification", {{"StreamEnabled", true}, {"StreamViewType", "KEYS_ONLY"}}}};
  const Json expiry = {{"TableName", "Music"},
                       {"TimeToLiveSpecification", {{"AttributeName", "until"}, {"Enabled", true}}}};
  db.ok("UpdateTable", stream);
  db.ok("UpdateTimeToLive", expiry);
  const Json file = file_of(db, "Music");
  CHECK(file["UpdateTable"] == stream);
  CHECK(file["UpdateTimeToLive"] == expiry);
  CHECK_FALSE(file["CreateTable"].contains("StreamSpecification"));
}

TEST_CASE("a description that is not a description is refused") {
  for (const char* const text : {"", "{}", R"({"Table":1})", R"({"Table":{"BillingModeSummary":[]}})"}) {
    const auto made = table_file_text({text, "", {}});
    INFO(text);
    REQUIRE_FALSE(made.ok());
    CHECK(made.error().starts_with("the server does not describe the table as expected: "));
  }
}

TEST_CASE("a file is read, and its table renamed") {
  const auto read = read_table_file(
      R"({"CreateTable": {"TableName": "Old", "BillingMode": "PAY_PER_REQUEST"},
          "UpdateTable": {"TableName": "Old"}, "UpdateTimeToLive": {"TableName": "Old"}})");
  REQUIRE(read.ok());
  CHECK(read->table_name == "Old");
  const TableFile copy = renamed(*read, "New");
  CHECK(copy.table_name == "New");
  CHECK(copy.create_table == R"({"TableName":"New","BillingMode":"PAY_PER_REQUEST"})");
  CHECK(copy.update_table == R"({"TableName":"New"})");
  CHECK(copy.update_time_to_live == R"({"TableName":"New"})");
}

TEST_CASE("the name in CreateTable counts for all requests") {
  const auto read =
      read_table_file(R"({"CreateTable": {"TableName": "One"}, "UpdateTable": {"TableName": "Other"}})");
  REQUIRE(read.ok());
  CHECK(read->update_table == R"({"TableName":"One"})");
}

TEST_CASE("what is wrong with a file is said") {
  CHECK(failure("{") == "line 1, column 2 is not JSON (unexpected end of input; expected string literal)");
  CHECK(failure("{\"CreateTable\": {\n  \"TableName\" 1}}")
            .starts_with("line 2, column 15 is not JSON (unexpected number"));
  CHECK(failure("[]").starts_with("has no CreateTable: "));
  CHECK(failure(R"({"TableName":"T"})").starts_with("has no CreateTable: "));
  CHECK(failure(R"({"CreateTable":[]})") ==
        "has a CreateTable that is no request: it needs at least a TableName");
  CHECK(failure(R"({"CreateTable":{"TableName":1}})") ==
        "has a CreateTable that is no request: it needs at least a TableName");
  CHECK(failure(R"({"CreateTable":{"TableName":"T"},"Tags":[]})") ==
        "has a member 'Tags'; known are CreateTable, UpdateTable and UpdateTimeToLive");
}

TEST_CASE("keys alone make a table") {
  const auto one = table_of_keys("T123", {{"pk", 'S'}});
  test::DynamoDb db;
  db.ok("CreateTable", Json::parse(one.create_table));
  const auto two = table_of_keys("T456", {{"p\"k", 'B'}, {"sk", 'N'}});
  CHECK(Json::parse(two.create_table) == Json::parse(R"({
    "TableName": "T456", "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "p\"k", "AttributeType": "B"}, {"AttributeName": "sk", "AttributeType": "N"}],
    "KeySchema": [{"AttributeName": "p\"k", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]})"));
}

}  // namespace
}  // namespace dinette::dynamodb::item_files::table_file_test

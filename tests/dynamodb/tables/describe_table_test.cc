#include <catch2/catch.hpp>

#include "support/tables.h"

// docs/service/tables.md sections 2 and 6; insights-policies-account.md sections 3 and 4.
namespace test::describe_table_test {

TEST_CASE("DescribeTable shows an active table whole, with its warm throughput") {
  DynamoDb db;
  const Json created = db.ok("CreateTable", provisioned()).at("TableDescription");
  Json expected = created;
  expected["TableStatus"] = "ACTIVE";
  expected["WarmThroughput"] = {{"ReadUnitsPerSecond", 5}, {"WriteUnitsPerSecond", 5}, {"Status", "ACTIVE"}};
  CHECK(describe(db) == expected);
}

TEST_CASE(
    "an on-demand table has 12000 reads and 4000 writes of warm throughput, and the time of the switch") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  const Json table = describe(db);
  CHECK(table.at("WarmThroughput") ==
        Json{{"ReadUnitsPerSecond", 12000}, {"WriteUnitsPerSecond", 4000}, {"Status", "ACTIVE"}});
  CHECK(table.at("BillingModeSummary") ==
        Json{{"BillingMode", "PAY_PER_REQUEST"}, {"LastUpdateToPayPerRequestDateTime", 1791633600.0}});
  CHECK(table.at("TableThroughputModeSummary") == Json{{"TableThroughputMode", "PAY_PER_REQUEST"},
                                                       {"LastUpdateToPayPerRequestDateTime", 1791633600.0}});
}

TEST_CASE("a table that was never on-demand has no summary of its mode") {
  DynamoDb db;
  db.ok("CreateTable", provisioned());
  const Json table = describe(db);
  CHECK(!table.contains("BillingModeSummary"));
  CHECK(!table.contains("TableThroughputModeSummary"));
}

TEST_CASE("warm throughput that was asked for is what is shown") {
  DynamoDb db;
  db.ok("CreateTable", with(on_demand(), {{"WarmThroughput", {{"ReadUnitsPerSecond", 20000}}}}));
  CHECK(describe(db).at("WarmThroughput") ==
        Json{{"ReadUnitsPerSecond", 20000}, {"WriteUnitsPerSecond", 4000}, {"Status", "ACTIVE"}});
}

TEST_CASE("DescribeTable of an unknown table") {
  DynamoDb db;
  const std::string error = "ResourceNotFoundException";
  check_refused(db, "DescribeTable", {{"TableName", "Music"}},
                "Requested resource not found: Table: Music not found", error);
  const std::string arn = "arn:aws:dynamodb:us-east-1:000000000000:table/Music";
  check_refused(db, "DescribeTable", {{"TableName", arn}},
                "Requested resource not found: Table: Music not found", error);
  db.ok("CreateTable", on_demand());
  check_refused(db, "DescribeTable", {{"TableName", "music"}},
                "Requested resource not found: Table: music not found", error);
}

TEST_CASE("DescribeTable takes a name or the table's own ARN, not that of another account or region") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  const std::string arn = describe(db).at("TableArn");
  CHECK(describe(db, arn) == describe(db));
  const std::vector<std::pair<std::string, std::string>> foreign = {
      {"arn:aws:dynamodb:eu-west-1:000000000000:table/Music", "Invalid AWS region"},
      {"arn:aws:dynamodb:eu-west-1:111111111111:table/None", "Invalid AWS region"},
      {"arn:aws-us-gov:dynamodb:us-east-1:000000000000:table/Music", "Invalid AWS partition"},
      {arn + "/index/byA", "Invalid resource type"},
      {arn + "/stream/2026-10-10T12:00:00.000", "Invalid resource type"},
  };
  for (const auto& [other, problem] : foreign) {
    for (const char* operation : {"DescribeTable", "DeleteTable"})
      check_refused(db, operation, {{"TableName", other}}, enveloped(problem + " in '" + other + "'"));
    check_refused(db, "GetItem", {{"TableName", other}, {"Key", {{"pk", {{"S", "a"}}}}}},
                  enveloped("Value '" + other + "' at 'tableName' failed to satisfy constraint: " + problem));
  }
  const std::string stranger = "arn:aws:dynamodb:us-east-1:111111111111:table/Music";
  check_refused(db, "DescribeTable", {{"TableName", stranger}}, "Access is denied", "AccessDeniedException");
  check_refused(db, "Scan", {{"TableName", stranger}}, "Access is denied", "AccessDeniedException");
}

TEST_CASE("DescribeTable checks the name") {
  DynamoDb db;
  check_refused(db, "DescribeTable", Json::object(),
                enveloped("Value null at 'tableName' failed to satisfy constraint: Member must not be null"));
  check_refused(
      db, "DescribeTable", {{"TableName", "ab"}},
      enveloped("Value 'ab' at 'tableName' failed to satisfy constraint: Member must have length greater "
                "than or equal to 3"));
  check_refused(
      db, "DescribeTable", {{"TableName", "bad table!@#"}},
      enveloped("Value 'bad table!@#' at 'tableName' failed to satisfy constraint: Member must satisfy "
                "regular expression pattern: [a-zA-Z0-9_.-]+"));
}

TEST_CASE("DescribeTable counts items and their bytes") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  db.put("Music", {{"pk", {{"S", "a"}}}});
  db.put("Music", {{"pk", {{"S", "bb"}}}, {"n", {{"S", "xyz"}}}});
  Json table = describe(db);
  CHECK(table.at("ItemCount") == 2);
  CHECK(table.at("TableSizeBytes") == 3 + 8);
  db.ok("DeleteItem", {{"TableName", "Music"}, {"Key", {{"pk", {{"S", "a"}}}}}});
  table = describe(db);
  CHECK(table.at("ItemCount") == 1);
  CHECK(table.at("TableSizeBytes") == 8);
}

TEST_CASE("DescribeLimits gives the quotas of a new account") {
  DynamoDb db;
  CHECK(db.ok("DescribeLimits", Json::object()) == Json{{"AccountMaxReadCapacityUnits", 80000},
                                                        {"AccountMaxWriteCapacityUnits", 80000},
                                                        {"TableMaxReadCapacityUnits", 40000},
                                                        {"TableMaxWriteCapacityUnits", 40000}});
}

TEST_CASE("DescribeEndpoints names the host that was called, for a day") {
  DynamoDb db;
  CHECK(db.ok("DescribeEndpoints", Json::object()) ==
        Json{{"Endpoints", Json::array({{{"Address", "localhost:8000"}, {"CachePeriodInMinutes", 1440}}})}});
}

TEST_CASE("a host that cannot be shown is not") {
  DynamoDb db;
  for (const std::string host : {"", "\xFF\xFE"}) {
    const Reply reply =
        db.send("POST", "/", {{"X-Amz-Target", "DynamoDB_20120810.DescribeEndpoints"}, {"Host", host}}, "{}");
    CHECK(reply.json().at("Endpoints").at(0).at("Address") == "localhost");
  }
}

}  // namespace test::describe_table_test

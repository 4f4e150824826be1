#include <catch2/catch.hpp>

#include "support/tables.h"

// docs/service/tables.md section 5. States that last: table_states_test.cc.
namespace test::delete_table_test {

TEST_CASE("DeleteTable describes what goes, without keys, definitions and creation time") {
  DynamoDb db;
  const Json created = db.ok("CreateTable", provisioned()).at("TableDescription");
  db.put("Music", {{"pk", {{"S", "a"}}}});
  const Json deleted = db.ok("DeleteTable", {{"TableName", "Music"}}).at("TableDescription");
  CHECK(deleted == Json{{"TableName", "Music"},
                        {"TableStatus", "DELETING"},
                        {"TableArn", created.at("TableArn")},
                        {"TableId", created.at("TableId")},
                        {"ItemCount", 1},
                        {"TableSizeBytes", 3},
                        {"ProvisionedThroughput", created.at("ProvisionedThroughput")},
                        {"DeletionProtectionEnabled", false}});
}

TEST_CASE("DeleteTable shows the billing mode of an on-demand table") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  const Json deleted = db.ok("DeleteTable", {{"TableName", "Music"}}).at("TableDescription");
  CHECK(deleted.at("BillingModeSummary").at("BillingMode") == "PAY_PER_REQUEST");
  CHECK(
      deleted.at("TableThroughputModeSummary") ==
      Json{{"TableThroughputMode", "PAY_PER_REQUEST"}, {"LastUpdateToPayPerRequestDateTime", 1791633600.0}});
}

TEST_CASE("DeleteTable shows the stream of the table") {
  DynamoDb db;
  const Json stream = {{"StreamEnabled", true}, {"StreamViewType", "NEW_IMAGE"}};
  const Json created =
      db.ok("CreateTable", with(on_demand(), {{"StreamSpecification", stream}})).at("TableDescription");
  const Json deleted = db.ok("DeleteTable", {{"TableName", "Music"}}).at("TableDescription");
  CHECK(deleted.at("StreamSpecification") == stream);
  CHECK(deleted.at("LatestStreamLabel") == created.at("LatestStreamLabel"));
  CHECK(deleted.at("LatestStreamArn") == created.at("LatestStreamArn"));
}

TEST_CASE("a deleted table is gone, and its data with it") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  db.put("Music", {{"pk", {{"S", "a"}}}});
  db.ok("DeleteTable", {{"TableName", "Music"}});
  check_refused(db, "DescribeTable", {{"TableName", "Music"}},
                "Requested resource not found: Table: Music not found", "ResourceNotFoundException");
  check_refused(db, "DeleteTable", {{"TableName", "Music"}},
                "Requested resource not found: Table: Music not found", "ResourceNotFoundException");
  CHECK(db.ok("ListTables", Json::object()).at("TableNames").empty());
  db.ok("CreateTable", on_demand());
  CHECK(db.get("Music", {{"pk", {{"S", "a"}}}}).is_null());
  CHECK(describe(db).at("ItemCount") == 0);
}

TEST_CASE("DeleteTable takes an ARN and checks names") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  db.ok("DeleteTable", {{"TableName", "arn:aws:dynamodb:us-east-1:000000000000:table/Music"}});
  CHECK(db.ok("ListTables", Json::object()).at("TableNames").empty());
  check_refused(
      db, "DeleteTable", {{"TableName", "x!"}},
      enveloped("Value 'x!' at 'tableName' failed to satisfy constraint: Member must satisfy regular "
                "expression pattern: [a-zA-Z0-9_.-]+"));
  check_refused(db, "DeleteTable", Json::object(),
                enveloped("Value null at 'tableName' failed to satisfy constraint: Member must not be null"));
}

TEST_CASE("a protected table stays until the protection is taken away") {
  DynamoDb db;
  db.ok("CreateTable", with(on_demand(), {{"DeletionProtectionEnabled", true}}));
  check_refused(db, "DeleteTable", {{"TableName", "Music"}},
                "Resource cannot be deleted as it is currently protected against deletion. Disable deletion "
                "protection first.");
  CHECK(describe(db).at("TableStatus") == "ACTIVE");
  db.ok("UpdateTable", {{"TableName", "Music"}, {"DeletionProtectionEnabled", false}});
  db.ok("DeleteTable", {{"TableName", "Music"}});
}

}  // namespace test::delete_table_test

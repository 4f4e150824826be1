#include <catch2/catch.hpp>

#include "support/tables.h"

// Facts: tables.md sections 3 and 4. States that last: table_states_test.cc.
namespace test::update_table_test {
namespace {

Json change(const Json& members) {
  return with({{"TableName", "Music"}}, members);
}

Json update(DynamoDb& db, const Json& members) {
  return db.ok("UpdateTable", change(members)).at("TableDescription");
}

void refused(DynamoDb& db, const Json& members, const std::string& message) {
  check_refused(db, "UpdateTable", change(members), message);
}

/// Shape only.
void refused(DynamoDb& db, const Json& members) {
  check_refused(db, "UpdateTable", change(members));
}

Json figures(int read, int write, int decreases = 0) {
  return {{"NumberOfDecreasesToday", decreases}, {"ReadCapacityUnits", read}, {"WriteCapacityUnits", write}};
}

}  // namespace

TEST_CASE("UpdateTable of an unknown table") {
  DynamoDb db;
  check_refused(db, "UpdateTable", change({{"DeletionProtectionEnabled", true}}),
                "Requested resource not found: Table: Music not found", "ResourceNotFoundException");
}

TEST_CASE("UpdateTable checks names and constraints of the model") {
  DynamoDb db;
  db.ok("CreateTable", provisioned());
  check_refused(
      db, "UpdateTable", {{"TableName", "x!"}, {"DeletionProtectionEnabled", true}},
      enveloped("Value 'x!' at 'tableName' failed to satisfy constraint: Member must satisfy regular "
                "expression pattern: [a-zA-Z0-9_.-]+"));
  const auto message = [](const std::string& value, const std::string& member) {
    return enveloped("Value '" + value + "' at 'provisionedThroughput." + member +
                     "' failed to satisfy constraint: Member must have value greater than or equal to 1");
  };
  refused(db, {{"ProvisionedThroughput", units(0, 5)}}, message("0", "readCapacityUnits"));
  refused(db, {{"ProvisionedThroughput", units(5, -7)}}, message("-7", "writeCapacityUnits"));
}

TEST_CASE("UpdateTable with nothing to change is refused") {
  DynamoDb db;
  db.ok("CreateTable", provisioned());
  refused(db, Json::object());
}

TEST_CASE("A change of throughput shows the old figures first, then the new ones and when they came") {
  DynamoDb db;
  db.ok("CreateTable", provisioned());
  db.clock().advance(std::chrono::seconds(10));
  Json answer = update(db, {{"ProvisionedThroughput", units(7, 5)}});
  CHECK(answer.at("TableStatus") == "UPDATING");
  CHECK(answer.at("ProvisionedThroughput") == figures(5, 5));
  Json expected = figures(7, 5);
  expected["LastIncreaseDateTime"] = 1791633610.0;
  Json table = describe(db);
  CHECK(table.at("TableStatus") == "ACTIVE");
  CHECK(table.at("ProvisionedThroughput") == expected);
  CHECK(table.at("WarmThroughput").at("ReadUnitsPerSecond") == 7);

  db.clock().advance(std::chrono::seconds(10));
  update(db, {{"ProvisionedThroughput", units(7, 2)}});
  expected["WriteCapacityUnits"] = 2;
  expected["NumberOfDecreasesToday"] = 1;
  expected["LastDecreaseDateTime"] = 1791633620.0;
  CHECK(describe(db).at("ProvisionedThroughput") == expected);
}

TEST_CASE("Decreases are counted by the day") {
  DynamoDb db;
  db.ok("CreateTable", provisioned());
  update(db, {{"ProvisionedThroughput", units(4, 4)}});
  update(db, {{"ProvisionedThroughput", units(3, 3)}});
  CHECK(describe(db).at("ProvisionedThroughput").at("NumberOfDecreasesToday") == 2);
  db.clock().advance(std::chrono::hours(24));
  CHECK(describe(db).at("ProvisionedThroughput").at("NumberOfDecreasesToday") == 0);
  update(db, {{"ProvisionedThroughput", units(2, 2)}});
  CHECK(describe(db).at("ProvisionedThroughput").at("NumberOfDecreasesToday") == 1);
}

TEST_CASE("Throughput that is the current one is refused, billing mode repeated or not") {
  DynamoDb db;
  db.ok("CreateTable", provisioned());
  const std::string message =
      "The provisioned throughput for the table will not change. The requested value equals the current "
      "value. Current "
      "ReadCapacityUnits provisioned for the table: 5. Requested ReadCapacityUnits: 5. Current "
      "WriteCapacityUnits "
      "provisioned for the table: 5. Requested WriteCapacityUnits: 5. Refer to the Amazon DynamoDB Developer "
      "Guide for "
      "current limits and how to request higher limits.";
  refused(db, {{"ProvisionedThroughput", units(5, 5)}}, message);
  refused(db, {{"ProvisionedThroughput", units(5, 5)}, {"BillingMode", "PROVISIONED"}}, message);
}

TEST_CASE("On-demand on an on-demand table changes nothing") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  const Json before = describe(db);
  db.clock().advance(std::chrono::seconds(10));
  update(db, {{"BillingMode", "PAY_PER_REQUEST"}});
  CHECK(describe(db) == before);
}

// The API's reference wants throughput when the mode is switched; clients repeat the mode with other changes.
TEST_CASE("PROVISIONED on a provisioned table changes nothing") {
  DynamoDb db;
  db.ok("CreateTable", provisioned());
  const Json before = describe(db);
  db.clock().advance(std::chrono::seconds(10));
  update(db, {{"BillingMode", "PROVISIONED"}});
  CHECK(describe(db) == before);
  update(db, {{"BillingMode", "PROVISIONED"}, {"DeletionProtectionEnabled", true}});
  CHECK(describe(db) == with(before, {{"DeletionProtectionEnabled", true}}));
}

TEST_CASE("On-demand tables have no throughput") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  const std::string message = invalid(
      "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
      "PAY_PER_REQUEST");
  refused(db, {{"ProvisionedThroughput", units(5, 5)}}, message);
  refused(db, {{"ProvisionedThroughput", units(5, 5)}, {"BillingMode", "PAY_PER_REQUEST"}}, message);
  refused(db, {{"BillingMode", "PROVISIONED"}});
}

TEST_CASE("The billing mode is switched there and back") {
  DynamoDb db;
  db.ok("CreateTable", provisioned());
  db.clock().advance(std::chrono::seconds(10));
  CHECK(update(db, {{"BillingMode", "PAY_PER_REQUEST"}}).at("TableStatus") == "UPDATING");
  Json table = describe(db);
  CHECK(table.at("ProvisionedThroughput").at("ReadCapacityUnits") == 0);
  CHECK(table.at("ProvisionedThroughput").at("WriteCapacityUnits") == 0);
  CHECK(table.at("BillingModeSummary") ==
        Json{{"BillingMode", "PAY_PER_REQUEST"}, {"LastUpdateToPayPerRequestDateTime", 1791633610.0}});
  CHECK(table.at("WarmThroughput").at("ReadUnitsPerSecond") == 12000);

  update(db, {{"BillingMode", "PROVISIONED"}, {"ProvisionedThroughput", units(3, 4)}});
  table = describe(db);
  CHECK(table.at("ProvisionedThroughput") == figures(3, 4));
  CHECK(table.at("BillingModeSummary").at("BillingMode") == "PROVISIONED");
}

TEST_CASE("Deletion protection takes effect at once and is shown") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  const Json answer = update(db, {{"DeletionProtectionEnabled", true}});
  CHECK(answer.at("TableStatus") == "ACTIVE");
  CHECK(answer.at("DeletionProtectionEnabled") == true);
  CHECK(describe(db).at("DeletionProtectionEnabled") == true);
}

TEST_CASE("A change of table class is shown with its time") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  db.clock().advance(std::chrono::seconds(10));
  CHECK(update(db, {{"TableClass", "STANDARD_INFREQUENT_ACCESS"}}).at("TableStatus") == "UPDATING");
  CHECK(describe(db).at("TableClassSummary") ==
        Json{{"TableClass", "STANDARD_INFREQUENT_ACCESS"}, {"LastUpdateDateTime", 1791633610.0}});
}

TEST_CASE("Warm throughput can only be raised") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  update(db, {{"WarmThroughput", {{"ReadUnitsPerSecond", 15000}, {"WriteUnitsPerSecond", 5000}}}});
  const Json raised = {{"ReadUnitsPerSecond", 15000}, {"WriteUnitsPerSecond", 5000}, {"Status", "ACTIVE"}};
  CHECK(describe(db).at("WarmThroughput") == raised);
  refused(db, {{"WarmThroughput", {{"ReadUnitsPerSecond", 14000}}}});
  refused(db, {{"WarmThroughput", {{"WriteUnitsPerSecond", 4999}}}});
  refused(db, {{"WarmThroughput", {{"WriteUnitsPerSecond", 0}}}});
  CHECK(describe(db).at("WarmThroughput") == raised);
}

TEST_CASE("Warm throughput below what a table starts with is lower, too") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  refused(db, {{"WarmThroughput", {{"ReadUnitsPerSecond", 11999}}}});
  refused(db, {{"WarmThroughput", {{"WriteUnitsPerSecond", 3999}}}});
}

// --- Encryption

TEST_CASE("Encryption is set, set again, and taken away") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  const Json on = {{"SSESpecification", {{"Enabled", true}}}};
  const Json described = update(db, on).at("SSEDescription");
  CHECK(described.at("Status") == "ENABLED");
  CHECK(described.at("SSEType") == "KMS");
  CHECK(described.at("KMSMasterKeyArn")
            .get<std::string>()
            .starts_with("arn:aws:kms:us-east-1:000000000000:key/"));
  CHECK(update(db, on).at("SSEDescription") == described);
  CHECK(describe(db).at("SSEDescription") == described);

  Json going = described;
  going["Status"] = "UPDATING";
  CHECK(update(db, {{"SSESpecification", {{"Enabled", false}}}}).at("SSEDescription") == going);
  CHECK(!describe(db).contains("SSEDescription"));
}

// --- On-demand ceilings (section 3)

TEST_CASE("Ceilings are merged member by member and removed by -1") {
  DynamoDb db;
  db.ok("CreateTable", with(on_demand(), {{"OnDemandThroughput", {{"MaxReadRequestUnits", 10}}}}));
  CHECK(update(db, {{"OnDemandThroughput", {{"MaxWriteRequestUnits", 20}}}}).at("OnDemandThroughput") ==
        Json{{"MaxReadRequestUnits", 10}, {"MaxWriteRequestUnits", 20}});
  CHECK(update(db, {{"OnDemandThroughput", {{"MaxReadRequestUnits", -1}}}}).at("OnDemandThroughput") ==
        Json{{"MaxReadRequestUnits", -1}, {"MaxWriteRequestUnits", 20}});
  CHECK(describe(db).at("OnDemandThroughput") == Json{{"MaxWriteRequestUnits", 20}});
  CHECK(update(db, {{"OnDemandThroughput", {{"MaxWriteRequestUnits", -1}}}}).at("OnDemandThroughput") ==
        Json{{"MaxWriteRequestUnits", -1}});
  CHECK(!describe(db).contains("OnDemandThroughput"));
}

TEST_CASE("An empty object of ceilings makes the service stumble") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  const Reply reply = db.call("UpdateTable", change({{"OnDemandThroughput", Json::object()}}));
  CHECK(reply.status == 500);
  CHECK(reply.error() == "InternalFailure");
  CHECK(describe(db).at("TableStatus") == "ACTIVE");
}

TEST_CASE("The ranges of ceilings") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  const auto range = [](const std::string& member) {
    return invalid("Requested " + member + " for OnDemandThroughput for table is outside of valid range");
  };
  for (const int value : {0, -2}) {
    refused(db, {{"OnDemandThroughput", {{"MaxReadRequestUnits", value}, {"MaxWriteRequestUnits", value}}}},
            range("MaxReadRequestUnits"));
    refused(db, {{"OnDemandThroughput", {{"MaxReadRequestUnits", -1}, {"MaxWriteRequestUnits", value}}}},
            range("MaxWriteRequestUnits"));
  }
}

TEST_CASE("Ceilings need on-demand billing, stored or asked for, before their range is looked at") {
  const auto gate = [](const std::string& member) {
    return invalid(member +
                   " for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED");
  };
  DynamoDb db;
  db.ok("CreateTable", provisioned());
  refused(db, {{"OnDemandThroughput", {{"MaxReadRequestUnits", 0}, {"MaxWriteRequestUnits", 0}}}},
          gate("MaxReadRequestUnits"));
  refused(db, {{"OnDemandThroughput", {{"MaxWriteRequestUnits", 5}}}}, gate("MaxWriteRequestUnits"));
  update(db, {{"BillingMode", "PAY_PER_REQUEST"}, {"OnDemandThroughput", {{"MaxWriteRequestUnits", 5}}}});
  CHECK(describe(db).at("OnDemandThroughput") == Json{{"MaxWriteRequestUnits", 5}});
  refused(db,
          {{"BillingMode", "PROVISIONED"},
           {"ProvisionedThroughput", units(1, 1)},
           {"OnDemandThroughput", {{"MaxWriteRequestUnits", 5}}}},
          gate("MaxWriteRequestUnits"));
}

TEST_CASE("A switch to provisioned billing clears the ceilings") {
  DynamoDb db;
  db.ok("CreateTable", with(on_demand(), {{"OnDemandThroughput", {{"MaxReadRequestUnits", 10}}}}));
  update(db, {{"BillingMode", "PROVISIONED"}, {"ProvisionedThroughput", units(1, 1)}});
  CHECK(!describe(db).contains("OnDemandThroughput"));
  update(db, {{"BillingMode", "PAY_PER_REQUEST"}});
  CHECK(!describe(db).contains("OnDemandThroughput"));
}

// --- What follows later

TEST_CASE("What UpdateTable does not serve yet is refused with a clear sentence, and nothing is changed") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  const Json before = describe(db);
  const std::vector<std::pair<std::string, Json>> members = {
      {"StreamSpecification", {{"StreamEnabled", true}, {"StreamViewType", "NEW_IMAGE"}}},
      {"ReplicaUpdates", Json::array({{{"Create", {{"RegionName", "eu-west-1"}}}}})},
      {"MultiRegionConsistency", "STRONG"},
      {"GlobalTableWitnessUpdates", Json::array({{{"Create", {{"RegionName", "eu-west-1"}}}}})},
      {"GlobalTableSettingsReplicationMode", "ENABLED"},
      {"VectorIndexUpdates", Json::array()},
  };
  for (const auto& [member, value] : members) {
    refused(db, {{member, value}, {"DeletionProtectionEnabled", true}},
            invalid(member + " is not supported by Dinette yet"));
  }
  CHECK(describe(db) == before);
}

}  // namespace test::update_table_test

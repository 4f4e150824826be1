#include <catch2/catch.hpp>

#include "support/tables.h"

// docs/service/tables.md sections 3 and 4. States that last: table_states_test.cc.
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
  refused(db, {{"ProvisionedThroughput", {{"ReadCapacityUnits", 7}}}},
          enveloped("Value null at 'provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: "
                    "Member must not be null"));
}

TEST_CASE("UpdateTable with nothing to change is refused, before the table is looked for") {
  DynamoDb db;
  const auto needed = [](const std::string& consistency) {
    return "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
           "GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, "
           "ReplicaTransitRoleArn, " +
           consistency +
           "DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required";
  };
  const std::string nothing = needed("MultiRegionConsistency, ");
  refused(db, Json::object(), nothing);
  refused(db, {{"AttributeDefinitions", Json::array({attribute("a", "S")})}}, nothing);
  refused(db, {{"GlobalSecondaryIndexUpdates", Json::array()}}, nothing);
  refused(db, {{"KeySchema", Json::array({key("pk", "HASH")})}}, nothing);  // a member that is not known
  refused(db, {{"MultiRegionConsistency", "STRONG"}}, needed(""));
}

// --- What goes together (section 4, "One kind of change per UpdateTable")

TEST_CASE("most changes are the only one of their request") {
  DynamoDb db;
  db.ok("CreateTable", provisioned());
  const Json before = describe(db);
  const Json encryption = {{"SSESpecification", {{"Enabled", true}}}};
  const Json table_class = {{"TableClass", "STANDARD_INFREQUENT_ACCESS"}};
  const Json protection = {{"DeletionProtectionEnabled", true}};
  const Json warm = {{"WarmThroughput", {{"ReadUnitsPerSecond", 20}}}};
  const Json throughput = {{"ProvisionedThroughput", units(9, 9)}};
  const Json ceilings = {{"OnDemandThroughput", {{"MaxReadRequestUnits", 5}}}};
  const Json index = {{"AttributeDefinitions", Json::array({attribute("a", "S")})},
                      {"GlobalSecondaryIndexUpdates",
                       Json::array({{{"Create", index_on("byA", Json::array({key("a", "HASH")}))}}})}};
  const Json disassociation = {{"DisassociationProtectionEnabled", false}};
  const Json mode = {{"GlobalTableSettingsReplicationMode", "ENABLED"}};
  const Json stream = {{"StreamSpecification", {{"StreamEnabled", true}, {"StreamViewType", "KEYS_ONLY"}}}};
  const std::string only = " modification must be the only operation in the request";
  const std::vector<std::tuple<Json, Json, std::string>> together = {
      {encryption, throughput, "Server-Side Encryption" + only},
      {encryption, table_class, "Server-Side Encryption" + only},
      {table_class, protection, "TableClass" + only},
      {table_class, index, "TableClass" + only},
      {protection, warm, "DeletionProtection" + only},
      {protection, throughput, "DeletionProtection" + only},
      {warm, throughput, "WarmThroughput must be the only operation in the request"},
      {warm, index, "Create global secondary index cannot be specified when updating WarmThroughput"},
      {ceilings, throughput,
       "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request"},
      {ceilings, index, "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request"},
      {throughput, index, "You cannot create or delete index while updating table IOPS"},
      {disassociation, throughput, "DisassociationProtection" + only},
      {disassociation, index, "DisassociationProtection" + only},
      {disassociation, mode, "DisassociationProtection" + only},
      {disassociation, protection, "DeletionProtection" + only},
      {mode, throughput, "GlobalTableSettingsReplicationMode" + only},
      {mode, stream, "GlobalTableSettingsReplicationMode" + only},
  };
  for (const auto& [one, other, message] : together) {
    INFO(message);
    refused(db, with(one, other), invalid(message));
  }
  CHECK(describe(db) == before);
}

TEST_CASE("empty warm throughput and ceilings are ignored next to a change") {
  DynamoDb db;
  db.ok("CreateTable", provisioned());
  update(db, {{"TableClass", "STANDARD"},
              {"WarmThroughput", Json::object()},
              {"OnDemandThroughput", Json::object()}});
  const Json answer = update(db, {{"DeletionProtectionEnabled", true},
                                  {"WarmThroughput", Json::object()},
                                  {"OnDemandThroughput", Json::object()}});
  CHECK(answer.at("TableStatus") == "ACTIVE");
  CHECK(describe(db).at("DeletionProtectionEnabled") == true);
}

// --- Throughput and billing (docs/service/throttling.md section 5)

TEST_CASE("a change of throughput shows the old figures first, then the new ones and when they came") {
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

  // A decrease is counted when it is complete, and dated at once.
  db.clock().advance(std::chrono::seconds(10));
  Json decreasing = expected;
  decreasing["LastDecreaseDateTime"] = 1791633620.0;
  CHECK(update(db, {{"ProvisionedThroughput", units(7, 2)}}).at("ProvisionedThroughput") == decreasing);
  expected["WriteCapacityUnits"] = 2;
  expected["NumberOfDecreasesToday"] = 1;
  expected["LastDecreaseDateTime"] = 1791633620.0;
  CHECK(describe(db).at("ProvisionedThroughput") == expected);
}

TEST_CASE("decreases are counted by the day") {
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

TEST_CASE("throughput that is the current one is refused, billing mode repeated or not") {
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

TEST_CASE("throughput is no more than DescribeLimits says") {
  DynamoDb db;
  db.ok("CreateTable", provisioned());
  check_refused(
      db, "UpdateTable", change({{"ProvisionedThroughput", units(5, 40001)}}),
      "The requested WriteCapacityUnits, 40001, is above the per table maximum for the account in "
      "us-east-1. Per table maximum: 40000. Refer to the Amazon DynamoDB Developer Guide for current "
      "limits and how to request higher limits.",
      "LimitExceededException");
  check_refused(
      db, "UpdateTable", change({{"WarmThroughput", {{"ReadUnitsPerSecond", 40001}}}}),
      "Subscriber limit exceeded: Requested ReadUnitsPerSecond for WarmThroughput for table exceeds "
      "TableMaxReadCapacityUnits of the account in region us-east-1",
      "LimitExceededException");
}

TEST_CASE("after four decreases of a day there is one an hour") {
  using namespace std::chrono_literals;
  DynamoDb db;
  db.ok("CreateTable", with(provisioned(), {{"ProvisionedThroughput", units(50, 50)}}));
  for (const int figure : {40, 30, 20}) update(db, {{"ProvisionedThroughput", units(figure, 50)}});
  db.clock().advance(65s);
  update(db, {{"ProvisionedThroughput", units(60, 49)}});  // one up, one down: a decrease
  const std::string message =
      "Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. After "
      "the first 4 decreases, each subsequent decrease in the same UTC day can be performed at most once "
      "every 3600 seconds. Number of decreases today: 4. Last decrease at Saturday, October 10, 2026 at "
      "12:01:05 PM Coordinated Universal Time. Next decrease can be made at Saturday, October 10, 2026 at "
      "1:01:05 PM Coordinated Universal Time";
  const auto decrease_refused = [&](const std::string& why) {
    check_refused(db, "UpdateTable", change({{"ProvisionedThroughput", units(1, 1)}}), why,
                  "LimitExceededException");
  };
  decrease_refused(message);
  update(db, {{"ProvisionedThroughput", units(70, 70)}});  // an increase passes
  CHECK(describe(db).at("ProvisionedThroughput").at("NumberOfDecreasesToday") == 4);
  db.clock().advance(3599s);
  decrease_refused(message);
  db.clock().advance(1s);
  update(db, {{"ProvisionedThroughput", units(69, 70)}});
  CHECK(describe(db).at("ProvisionedThroughput").at("NumberOfDecreasesToday") == 5);
  check_refused(
      db, "UpdateTable", change({{"ProvisionedThroughput", units(68, 70)}}),
      "Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. "
      "After the first 4 decreases, each subsequent decrease in the same UTC day can be performed at "
      "most once every 3600 seconds. Number of decreases today: 5. Last decrease at Saturday, October "
      "10, 2026 at 1:01:05 PM Coordinated Universal Time. Next decrease can be made at Saturday, "
      "October 10, 2026 at 2:01:05 PM Coordinated Universal Time",
      "LimitExceededException");
  db.clock().advance(11h);  // the next day of UTC
  for (const int figure : {60, 50, 40, 30}) update(db, {{"ProvisionedThroughput", units(figure, 70)}});

  SECTION("the count is that of a table's life") {
    db.ok("DeleteTable", {{"TableName", "Music"}});
    db.ok("CreateTable", provisioned());
    update(db, {{"ProvisionedThroughput", units(4, 4)}});
    CHECK(describe(db).at("ProvisionedThroughput").at("NumberOfDecreasesToday") == 1);
  }
  SECTION("a switch of the billing mode is not a decrease, and keeps the count") {
    update(db, {{"BillingMode", "PAY_PER_REQUEST"}});
    update(db, {{"BillingMode", "PROVISIONED"}, {"ProvisionedThroughput", units(5, 5)}});
    CHECK(describe(db).at("ProvisionedThroughput").at("NumberOfDecreasesToday") == 4);
    CHECK(db.call("UpdateTable", change({{"ProvisionedThroughput", units(1, 1)}})).error() ==
          "LimitExceededException");
  }
}

TEST_CASE("warm throughput of a provisioned table is the highest that it ever had") {
  DynamoDb db;
  db.ok("CreateTable", provisioned());
  const auto warm = [&] { return describe(db).at("WarmThroughput"); };
  const auto of = [](int read, int write) {
    return Json{{"ReadUnitsPerSecond", read}, {"WriteUnitsPerSecond", write}, {"Status", "ACTIVE"}};
  };
  update(db, {{"ProvisionedThroughput", units(9, 4)}});
  CHECK(warm() == of(9, 5));
  update(db, {{"ProvisionedThroughput", units(3, 3)}});
  CHECK(warm() == of(9, 5));
  update(db, {{"BillingMode", "PAY_PER_REQUEST"}});
  CHECK(warm() == of(12000, 4000));
  update(db, {{"BillingMode", "PROVISIONED"}, {"ProvisionedThroughput", units(3, 4001)}});
  CHECK(warm() == of(12000, 4001));
}

TEST_CASE("on-demand on an on-demand table changes nothing") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  const Json before = describe(db);
  db.clock().advance(std::chrono::seconds(10));
  CHECK(update(db, {{"BillingMode", "PAY_PER_REQUEST"}}).at("TableStatus") == "UPDATING");
  CHECK(describe(db) == before);
}

TEST_CASE("PROVISIONED needs throughput, also on a provisioned table") {
  const std::string message =
      invalid("ProvisionedThroughput must be specified when BillingMode is PROVISIONED");
  DynamoDb db;
  db.ok("CreateTable", provisioned());
  refused(db, {{"BillingMode", "PROVISIONED"}}, message);
  update(db, {{"BillingMode", "PAY_PER_REQUEST"}});
  refused(db, {{"BillingMode", "PROVISIONED"}}, message);
}

TEST_CASE("on-demand tables have no throughput") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  const std::string message = invalid(
      "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
      "PAY_PER_REQUEST");
  refused(db, {{"ProvisionedThroughput", units(5, 5)}}, message);
  refused(db, {{"ProvisionedThroughput", units(5, 5)}, {"BillingMode", "PAY_PER_REQUEST"}}, message);
}

TEST_CASE("the billing mode is switched there and back") {
  DynamoDb db;
  db.ok("CreateTable", provisioned());
  db.clock().advance(std::chrono::seconds(10));
  const Json answer = update(db, {{"BillingMode", "PAY_PER_REQUEST"}});
  CHECK(answer.at("TableStatus") == "UPDATING");
  CHECK(answer.at("ProvisionedThroughput") == figures(0, 0));  // the new figures already
  Json table = describe(db);
  CHECK(table.at("ProvisionedThroughput").at("ReadCapacityUnits") == 0);
  CHECK(table.at("ProvisionedThroughput").at("WriteCapacityUnits") == 0);
  CHECK(table.at("BillingModeSummary") ==
        Json{{"BillingMode", "PAY_PER_REQUEST"}, {"LastUpdateToPayPerRequestDateTime", 1791633610.0}});
  CHECK(table.at("TableThroughputModeSummary") == Json{{"TableThroughputMode", "PAY_PER_REQUEST"},
                                                       {"LastUpdateToPayPerRequestDateTime", 1791633610.0}});
  CHECK(table.at("WarmThroughput").at("ReadUnitsPerSecond") == 12000);

  CHECK(update(db, {{"BillingMode", "PROVISIONED"}, {"ProvisionedThroughput", units(3, 4)}})
            .at("ProvisionedThroughput") == figures(3, 4));
  table = describe(db);
  CHECK(table.at("ProvisionedThroughput") == figures(3, 4));
  CHECK(table.at("BillingModeSummary") ==
        Json{{"BillingMode", "PROVISIONED"}, {"LastUpdateToPayPerRequestDateTime", 1791633610.0}});
  CHECK(table.at("TableThroughputModeSummary") ==
        Json{{"TableThroughputMode", "PROVISIONED"}, {"LastUpdateToPayPerRequestDateTime", 1791633610.0}});
}

TEST_CASE("a table becomes on-demand four times in 24 hours") {
  using namespace std::chrono_literals;
  DynamoDb db;
  db.ok("CreateTable", on_demand());  // the first time
  const auto to_provisioned = [&] {
    update(db, {{"BillingMode", "PROVISIONED"}, {"ProvisionedThroughput", units(5, 5)}});
  };
  for (int i = 0; i < 3; ++i) {
    db.clock().advance(1h + 1s);
    to_provisioned();
    update(db, {{"BillingMode", "PAY_PER_REQUEST"}});
    update(db, {{"BillingMode", "PAY_PER_REQUEST"}});  // repeats do not count
  }
  to_provisioned();
  const auto too_often = [&](const std::string& last, const std::string& next) {
    check_refused(
        db, "UpdateTable", change({{"BillingMode", "PAY_PER_REQUEST"}}),
        "Subscriber limit exceeded: Update to PayPerRequest mode are limited to 4 in 1 day(s). Last "
        "update at " +
            last + ". Next update can be made at " + next,
        "LimitExceededException");
  };
  too_often("Sat Oct 10 15:00:03 UTC 2026", "Sun Oct 11 12:00:00 UTC 2026");
  update(db, {{"ProvisionedThroughput", units(6, 6)}});
  db.clock().advance(21h - 4s);
  too_often("Sat Oct 10 15:00:03 UTC 2026", "Sun Oct 11 12:00:00 UTC 2026");
  db.clock().advance(1s);
  update(db, {{"BillingMode", "PAY_PER_REQUEST"}});
  to_provisioned();
  too_often("Sun Oct 11 12:00:00 UTC 2026", "Sun Oct 11 13:00:01 UTC 2026");
}

TEST_CASE("deletion protection takes effect at once and is shown") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  const Json answer = update(db, {{"DeletionProtectionEnabled", true}});
  CHECK(answer.at("TableStatus") == "ACTIVE");
  CHECK(answer.at("DeletionProtectionEnabled") == true);
  CHECK(answer.contains("WarmThroughput"));
  CHECK(describe(db) == answer);
  CHECK(update(db, {{"DeletionProtectionEnabled", true}}) == answer);
}

TEST_CASE("a change of table class is shown with its time") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  db.clock().advance(std::chrono::seconds(10));
  CHECK(update(db, {{"TableClass", "STANDARD_INFREQUENT_ACCESS"}}).at("TableStatus") == "UPDATING");
  CHECK(describe(db).at("TableClassSummary") ==
        Json{{"TableClass", "STANDARD_INFREQUENT_ACCESS"}, {"LastUpdateDateTime", 1791633610.0}});
}

TEST_CASE("the class STANDARD on a table that never had another is not a change") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  update(db, {{"TableClass", "STANDARD"}});
  CHECK(!describe(db).contains("TableClassSummary"));
  check_refused(db, "UpdateTable", change({{"TableClass", "GLACIER"}}),
                "Invalid table-class parameter provided. Please try again with a valid table-class value: "
                "[STANDARD, STANDARD_INFREQUENT_ACCESS].");
}

TEST_CASE("the table class changes twice in 30 days") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  update(db, {{"TableClass", "STANDARD_INFREQUENT_ACCESS"}});
  update(db, {{"TableClass", "STANDARD"}});
  const auto too_often = [&](const char* table_class) {
    check_refused(db, "UpdateTable", change({{"TableClass", table_class}}),
                  "Subscriber limit exceeded: Updates to TableClass are limited to 2 times in 30 day(s).",
                  "LimitExceededException");
  };
  too_often("STANDARD_INFREQUENT_ACCESS");
  too_often("STANDARD");
  db.clock().advance(std::chrono::days(30));
  update(db, {{"TableClass", "STANDARD_INFREQUENT_ACCESS"}});
}

TEST_CASE("warm throughput can only be raised") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  const Json answer =
      update(db, {{"WarmThroughput", {{"ReadUnitsPerSecond", 15000}, {"WriteUnitsPerSecond", 5000}}}});
  CHECK(answer.at("TableStatus") == "ACTIVE");
  CHECK(answer.at("WarmThroughput") ==
        Json{{"ReadUnitsPerSecond", 15000}, {"WriteUnitsPerSecond", 5000}, {"Status", "UPDATING"}});
  const Json raised = {{"ReadUnitsPerSecond", 15000}, {"WriteUnitsPerSecond", 5000}, {"Status", "ACTIVE"}};
  CHECK(describe(db).at("WarmThroughput") == raised);
  const auto lower = [](const std::string& kind) {
    return invalid("Requested " + kind +
                   "UnitsPerSecond for WarmThroughput for table is lower than current WarmThroughput, "
                   "decreasing WarmThroughput is not supported");
  };
  refused(db, {{"WarmThroughput", {{"ReadUnitsPerSecond", 14000}, {"WriteUnitsPerSecond", 1}}}},
          lower("Read"));
  refused(db, {{"WarmThroughput", {{"WriteUnitsPerSecond", 4999}}}}, lower("Write"));
  refused(db, {{"WarmThroughput", {{"WriteUnitsPerSecond", 0}}}}, lower("Write"));
  CHECK(describe(db).at("WarmThroughput") == raised);
  update(db, {{"WarmThroughput", {{"WriteUnitsPerSecond", 5000}}}});
  CHECK(describe(db).at("WarmThroughput") == raised);
}

// --- Encryption

TEST_CASE("encryption is set, set again, and taken away") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  const Json on = {{"SSESpecification", {{"Enabled", true}}}};
  const Json answer = update(db, on);
  CHECK(answer.at("TableStatus") == "ACTIVE");
  CHECK(answer.at("SSEDescription").at("Status") == "UPDATING");
  const Json described = describe(db).at("SSEDescription");
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

TEST_CASE("encryption that changes nothing, or is invalid, is refused") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  const auto encrypt = [](const Json& members) { return Json{{"SSESpecification", members}}; };
  refused(db, encrypt({{"Enabled", false}}), invalid("Table is already encrypted by default"));
  refused(db, encrypt(Json::object()), invalid("Table is already encrypted by default"));
  refused(db, encrypt({{"SSEType", "AES256"}}), invalid("SSEType AES256 is not supported"));
  update(db, encrypt({{"SSEType", "KMS"}, {"KMSMasterKeyId", "alias/mine"}}));
  const Json arn = describe(db).at("SSEDescription").at("KMSMasterKeyArn");
  CHECK(arn == "arn:aws:kms:us-east-1:000000000000:alias/mine");
  refused(db, encrypt({{"SSEType", "KMS"}, {"KMSMasterKeyId", arn}}),
          invalid("Table is already encrypted with given KMSMasterKeyId. Use KMSMasterKeyId parameter if you "
                  "want to change Master Key"));
}

// docs/service/tables.md section 4, "Encryption".
TEST_CASE("encryption changes four times in 24 hours, and after that once in six") {
  using namespace std::chrono_literals;
  DynamoDb db;
  db.clock().set(std::chrono::sys_days(std::chrono::year(2026) / 9 / 18) + 8h + 42min + 25s + 98ms);
  db.ok("CreateTable", on_demand());
  const auto encrypt = [](const std::string& alias) {
    return Json{{"SSESpecification", {{"SSEType", "KMS"}, {"KMSMasterKeyId", "alias/" + alias}}}};
  };
  const auto refused_until = [&](const std::string& end, int changes) {
    const Reply refusal = db.call("UpdateTable", change(encrypt("other")));
    CHECK(refusal.error() == "LimitExceededException");
    CHECK(
        refusal.message() ==
        "Subscriber limit exceeded: Encryption mode changes are limited in the 24h window ending at " + end +
            ". After the first 4 change, each subsequent change in the same window can be performed at most "
            "once every 21600 seconds. Number of updates today: " +
            std::to_string(changes));
  };
  for (const char* alias : {"1", "2", "3", "4"}) {
    update(db, encrypt(alias));
    db.clock().advance(1h);
  }
  refused_until("2026-09-19T08:42:25.098Z", 4);
  db.clock().advance(5h - 1ms);
  refused_until("2026-09-19T08:42:25.098Z", 4);
  db.clock().advance(1ms);
  update(db, encrypt("5"));
  refused_until("2026-09-19T08:42:25.098Z", 5);
  // 24 hours after the first change four of the last period are left, the latest nine hours old.
  db.clock().advance(15h);
  update(db, encrypt("6"));
  refused_until("2026-09-19T09:42:25.098Z", 5);
  db.clock().advance(24h);
  for (const char* alias : {"7", "8", "9", "10"}) update(db, encrypt(alias));
}

// --- On-demand ceilings (section 3)

TEST_CASE("ceilings are merged member by member and removed by -1") {
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

TEST_CASE("an empty object of ceilings or warm throughput alone makes the service stumble") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  for (const char* member : {"OnDemandThroughput", "WarmThroughput"}) {
    const Reply reply = db.call("UpdateTable", change({{member, Json::object()}}));
    CHECK(reply.status == 500);
    CHECK(reply.error() == "InternalFailure");
    CHECK(reply.message().empty());
  }
  CHECK(describe(db).at("TableStatus") == "ACTIVE");
}

TEST_CASE("the ranges of ceilings") {
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

TEST_CASE("ceilings need on-demand billing, stored or asked for, before their range is looked at") {
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

TEST_CASE("a switch to provisioned billing clears the ceilings") {
  DynamoDb db;
  db.ok("CreateTable", with(on_demand(), {{"OnDemandThroughput", {{"MaxReadRequestUnits", 10}}}}));
  update(db, {{"BillingMode", "PROVISIONED"}, {"ProvisionedThroughput", units(1, 1)}});
  CHECK(!describe(db).contains("OnDemandThroughput"));
  update(db, {{"BillingMode", "PAY_PER_REQUEST"}});
  CHECK(!describe(db).contains("OnDemandThroughput"));
}

}  // namespace test::update_table_test

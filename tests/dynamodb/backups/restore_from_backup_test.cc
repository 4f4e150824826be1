#include <memory>
#include <string>

#include <catch2/catch.hpp>

#include "dynamodb/backups/backups.h"
#include "support/engines.h"
#include "support/faulty_engine.h"

// docs/service/backups-pitr.md section 3, of RestoreTableFromBackup. What both restores have in common is in
// point_in_time_test.cc and overrides_test.cc.
namespace test::restore_from_backup_test {

using namespace std::chrono_literals;

namespace {

const Json music = {{"TableName", "Music"}};
const Json copy = {{"TableName", "Copy"}};
const std::string operation = "RestoreTableFromBackup";

/// A table with an item.
struct Backed : DynamoDb {
  explicit Backed(const Json& table = on_demand(), dinette::dynamodb::ServiceOptions options = {},
                  std::shared_ptr<dinette::kv::Engine> engine = nullptr)
      : DynamoDb(std::move(options), std::move(engine)) {
    ok("CreateTable", table);
    clock().advance(2s);
    put_number(*this, "a", 1);
  }
};

void put_many(DynamoDb& db, int n) {
  for (int i = 0; i < 300; ++i) put_number(db, std::to_string(i), n);
}

void check_many(DynamoDb& db, int n) {
  const Json items = numbers(db);
  CHECK(items.size() == 301);
  for (const auto& [pk, number] : items.items()) CHECK(number == (pk == "a" ? 1 : n));
}

}  // namespace

TEST_CASE("restore from a backup: the items of the moment of the backup, whatever is written meanwhile") {
  Backed db;
  put_many(db, 1);
  const std::string arn = back_up(db).at("BackupArn");
  put_number(db, "0", 2);
  REQUIRE(db.jobs().run_step());
  put_many(db, 3);
  put_number(db, "new", 3);
  db.jobs().run_due();
  put_number(db, "later", 4);
  db.ok(operation, restore_from(arn));
  restored(db);
  check_many(db, 1);
}

TEST_CASE("restore from a backup: what the answer and descriptions say") {
  Backed db(provisioned());
  const std::string arn = backup_arn(db);
  db.clock().advance(1h);
  const Json answer = db.ok(operation, restore_from(arn)).at("TableDescription");
  const Json summary = {{"SourceBackupArn", arn},
                        {"SourceTableArn", describe(db).at("TableArn")},
                        {"RestoreDateTime", start_of_test + 2},
                        {"RestoreInProgress", true}};
  for (const Json& description : {answer, describe(db, "Copy")}) {
    CHECK(description.at("TableStatus") == "CREATING");
    CHECK(description.at("RestoreSummary") == summary);
    CHECK(description.at("BillingModeSummary") == Json{{"BillingMode", "PROVISIONED"}});
  }
  const Json after = restored(db);
  CHECK(after.at("TableStatus") == "ACTIVE");
  CHECK_FALSE(after.contains("RestoreSummary"));
}

TEST_CASE("restore from a backup: settings are those that were recorded") {
  Json table = provisioned();
  table["AttributeDefinitions"].push_back(attribute("g", "S"));
  Json index = index_on("byG", Json::array({key("g", "HASH")}));
  index["ProvisionedThroughput"] = units(3, 4);
  table["GlobalSecondaryIndexes"] = Json::array({index});
  table["SSESpecification"] = {{"Enabled", true}, {"SSEType", "KMS"}};
  Backed db(table);
  db.put("Music", {{"pk", {{"S", "b"}}}, {"g", {{"S", "x"}}}, {"n", {{"N", "2"}}}});
  const Json encryption = describe(db).at("SSEDescription");
  const std::string arn = backup_arn(db);
  db.ok("DeleteTable", music);
  db.ok(operation, restore_from(arn));
  const Json after = restored(db);
  CHECK(after.at("ProvisionedThroughput").at("ReadCapacityUnits") == 5);
  CHECK(after.at("SSEDescription") == encryption);
  CHECK(after.at("GlobalSecondaryIndexes").at(0).at("ItemCount") == 1);
  CHECK(after.at("GlobalSecondaryIndexes").at(0).at("ProvisionedThroughput").at("WriteCapacityUnits") == 4);
  CHECK(numbers(db) == Json{{"a", 1}, {"b", 2}});
}

TEST_CASE("restore from a backup: settings that are not restored, and can be made again") {
  Json table = on_demand();
  table["Tags"] = Json::array({{{"Key", "team"}, {"Value", "blue"}}});
  table["TableClass"] = "STANDARD_INFREQUENT_ACCESS";
  table["DeletionProtectionEnabled"] = true;
  table["StreamSpecification"] = {{"StreamEnabled", true}, {"StreamViewType", "KEYS_ONLY"}};
  Backed db(table);
  const Json time_to_live = {{"TimeToLiveSpecification", {{"Enabled", true}, {"AttributeName", "ends"}}}};
  db.ok("UpdateTimeToLive", with(music, time_to_live));
  recover(db);
  db.ok(operation, restore_from(backup_arn(db)));
  const Json after = restored(db);
  for (const char* gone : {"StreamSpecification", "LatestStreamArn", "TableClassSummary"})
    CHECK_FALSE(after.contains(gone));
  CHECK(after.at("DeletionProtectionEnabled") == false);
  CHECK(db.ok("DescribeTimeToLive", copy).at("TimeToLiveDescription").at("TimeToLiveStatus") == "DISABLED");
  CHECK(db.ok("ListTagsOfResource", {{"ResourceArn", after.at("TableArn")}}).at("Tags").empty());
  CHECK(continuous_backups(db, "Copy").at("PointInTimeRecoveryDescription") ==
        Json{{"PointInTimeRecoveryStatus", "DISABLED"}});
  recover(db, "Copy");
  db.ok("UpdateTimeToLive", with(copy, time_to_live));
  db.ok("TagResource", {{"ResourceArn", after.at("TableArn")}, {"Tags", table.at("Tags")}});
  db.ok("UpdateTable", with(copy, {{"StreamSpecification", table.at("StreamSpecification")}}));
  db.ok("UpdateTable", with(copy, {{"TableClass", table.at("TableClass")}}));
  db.ok("UpdateTable", with(copy, {{"DeletionProtectionEnabled", true}}));
}

TEST_CASE("restore from a backup: billing, throughput and encryption can be overridden") {
  Backed db;
  const std::string arn = backup_arn(db);
  db.ok(operation,
        with(restore_from(arn), {{"BillingModeOverride", "PROVISIONED"},
                                 {"ProvisionedThroughputOverride", units(6, 7)},
                                 {"SSESpecificationOverride", {{"Enabled", true}, {"SSEType", "KMS"}}}}));
  const Json after = restored(db);
  CHECK(after.at("ProvisionedThroughput").at("WriteCapacityUnits") == 7);
  CHECK(after.contains("SSEDescription"));
  check_refused(
      db, operation, with(restore_from(arn), {{"BillingModeOverride", "PROVISIONED"}}),
      "Invalid Request: Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED");
}

TEST_CASE("restore from a backup: the ARN may name another region, with encryption") {
  Backed db;
  std::string arn = backup_arn(db);
  arn.replace(arn.find("us-east-1"), 9, "us-west-2");
  db.ok(operation,
        with(restore_from(arn), {{"SSESpecificationOverride", {{"Enabled", true}, {"SSEType", "KMS"}}}}));
  restored(db);
  CHECK(numbers(db) == Json{{"a", 1}});
}

TEST_CASE("restore from a backup: a deleted backup is not found") {
  Backed db;
  const std::string arn = backup_arn(db);
  db.ok("DeleteBackup", {{"BackupArn", arn}});
  check_refused(db, operation, restore_from(arn), "Backup not found: " + arn, "BackupNotFoundException");
}

TEST_CASE("restore from a backup: a target that exists, or is being restored, is refused") {
  Backed db;
  const std::string arn = backup_arn(db);
  check_refused(db, operation, with(restore_from(arn), {{"TargetTableName", "Music"}}),
                "Table already exists: Music", "TableAlreadyExistsException");
  db.ok(operation, restore_from(arn));
  check_refused(db, operation, restore_from(arn), "Table: Copy is already being restored from backup: " + arn,
                "TableInUseException");
}

TEST_CASE("restore from a backup: one table at a time from one backup") {
  Backed db;
  const std::string arn = backup_arn(db);
  db.ok(operation, restore_from(arn));
  const Json other = with(restore_from(arn), {{"TargetTableName", "Other"}});
  check_refused(db, operation, other, "Backup is being used to restore another table: " + arn,
                "BackupInUseException");
  check_refused(db, "DeleteBackup", {{"BackupArn", arn}}, "Backup is being used to restore table: " + arn,
                "BackupInUseException");
  db.jobs().run_due();
  db.ok(operation, other);
  db.jobs().run_due();
  CHECK(numbers(db, "Other") == Json{{"a", 1}});
  db.ok("DeleteBackup", {{"BackupArn", arn}});
  CHECK(numbers(db) == Json{{"a", 1}});
}

TEST_CASE("restore from a backup: a backup that is not complete yet is restored as of its moment") {
  Backed db;
  put_many(db, 1);
  const std::string arn = back_up(db).at("BackupArn");
  REQUIRE(db.jobs().run_step());
  db.ok(operation, restore_from(arn));
  put_many(db, 2);
  restored(db);
  check_many(db, 1);
}

TEST_CASE("restore from a backup: reads that lag behind see the table whole, or not at all") {
  dinette::dynamodb::ServiceOptions options;
  options.stale_reads = 500ms;
  Backed db(on_demand(), options);
  put_many(db, 1);
  db.ok(operation, restore_from(backup_arn(db)));
  while (db.jobs().run_step()) db.clock().advance(1ms);
  REQUIRE(describe(db, "Copy").at("TableStatus") == "ACTIVE");
  for (int i = 0; i < 100; ++i) CHECK(numbers(db).size() == 301);
}

TEST_CASE("restore from a backup: a restore waits for a backup that is behind, as a write has failed") {
  const auto engine = std::make_shared<dinette::test::FaultyEngine>(make_test_engine());
  Backed db(on_demand(), {}, engine);
  put_many(db, 1);
  db.ok(operation, restore_from(back_up(db).at("BackupArn")));
  engine->plan().fail(dinette::test::EngineCall::commit, 1, dinette::kv::ErrorKind::io);
  restored(db);
  CHECK(engine->plan().spent());
  check_many(db, 1);
}

TEST_CASE("restore from a backup: backups and restores continue after a restart, at any step") {
  const std::shared_ptr<dinette::kv::Engine> engine = make_test_engine();
  { Backed db(on_demand(), {}, engine); }
  std::uint64_t seed = 1;
  for (int steps = 0; steps < 10; ++steps) {
    std::string arn;
    {
      DynamoDb db({}, engine, dinette::dynamodb::face(), ++seed);
      db.jobs().run_due();
      put_many(db, steps);
      arn = back_up(db).at("BackupArn");
      db.ok(operation, restore_from(arn));
      for (int i = 0; i < steps; ++i) db.jobs().run_step();
      put_many(db, 100);
      if (steps == 9) db.ok("DeleteTable", music);
    }
    DynamoDb db({}, engine, dinette::dynamodb::face(), ++seed);
    const Json described = describe_backup(db, arn);
    const bool complete = describe(db, "Copy").at("TableStatus") == "ACTIVE";
    CHECK((!complete || describe(db, "Copy").at("ItemCount") == 301));
    CHECK(restored(db).at("TableStatus") == "ACTIVE");
    check_many(db, steps);
    CHECK(describe_backup(db, arn).at("BackupDetails").at("BackupStatus") == "AVAILABLE");
    db.ok("DeleteTable", copy);
    db.ok("DeleteBackup", {{"BackupArn", arn}});
  }
}

TEST_CASE("restore from a backup: a restart between the end of a restore and the release of its backup") {
  const auto engine = std::make_shared<dinette::test::FaultyEngine>(make_test_engine());
  Json request;
  {
    Backed db(on_demand(), {}, engine);
    request["BackupArn"] = backup_arn(db);
    db.ok(operation, restore_from(request.at("BackupArn")));
    // The commits of a step: the items, the end of the filling, the release.
    engine->plan().fail(dinette::test::EngineCall::commit, 3, dinette::kv::ErrorKind::io);
    while (!engine->plan().spent()) REQUIRE(db.jobs().run_step());
    CHECK(describe(db, "Copy").at("TableStatus") == "ACTIVE");
    CHECK(db.call("DeleteBackup", request).error() == "BackupInUseException");
  }
  DynamoDb db({}, engine);
  db.jobs().run_due();
  db.ok("DeleteBackup", request);
}

TEST_CASE("restore from a backup: a fork has its own backups, and continues with what is not complete") {
  Backed db;
  put_many(db, 1);
  const std::string arn = back_up(db).at("BackupArn");
  REQUIRE(db.jobs().run_step());
  REQUIRE(db.worlds().add_fork("fork", db.worlds().pick("").value()->image().value()).value());
  db.worlds().find_fork("fork")->jobs().run_due();
  const Headers in_fork = {{"X-Dinette-World", "fork"}};
  const Json request = {{"BackupArn", arn}};
  const Json there = db.call("DescribeBackup", request, in_fork).json();
  CHECK(there.at("BackupDescription").at("BackupDetails").at("BackupStatus") == "AVAILABLE");
  CHECK(describe_backup(db, arn).at("BackupDetails").at("BackupStatus") == "CREATING");
  CHECK(db.call("DeleteBackup", request, in_fork).status == 200);
  describe_backup(db, arn);
}

}  // namespace test::restore_from_backup_test

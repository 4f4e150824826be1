#include <memory>
#include <string>

#include <catch2/catch.hpp>

#include "dynamodb/backups/backups.h"
#include "support/engines.h"

// docs/service/backups-pitr.md section 1, of backups that the service makes of deleted tables.
namespace test::system_backups_test {

using namespace std::chrono_literals;

namespace {

const Json music = {{"TableName", "Music"}};
const Json of_system = {{"BackupType", "SYSTEM"}};
const std::string arn_after_two_seconds =
    "arn:aws:dynamodb:us-east-1:000000000000:table/Music/backup/01791633602000-00000000";

/// A table with point-in-time recovery for a day, and an item.
struct Recoverable : DynamoDb {
  explicit Recoverable(dinette::dynamodb::ServiceOptions options = {},
                       std::shared_ptr<dinette::kv::Engine> engine = nullptr)
      : DynamoDb(std::move(options), std::move(engine)) {
    ok("CreateTable", provisioned());
    clock().advance(2s);
    Json request = recovery(true);
    request["PointInTimeRecoverySpecification"]["RecoveryPeriodInDays"] = 1;
    ok("UpdateContinuousBackups", request);
    put_number(*this, "a", 1);
    put_number(*this, "a", 2);
  }
};

}  // namespace

TEST_CASE("system backups: one is made of a deleted table with recovery") {
  Recoverable db;
  const std::string id = describe(db).at("TableId");
  db.ok("DeleteTable", music);
  const Json described = describe_backup(db, arn_after_two_seconds);
  CHECK(described.at("BackupDetails") == Json{{"BackupArn", arn_after_two_seconds},
                                              {"BackupName", "Music$DeletedTableBackup"},
                                              {"BackupSizeBytes", 6},
                                              {"BackupStatus", "AVAILABLE"},
                                              {"BackupType", "SYSTEM"},
                                              {"BackupCreationDateTime", start_of_test + 2},
                                              {"BackupExpiryDateTime", start_of_test + 2 + 86400}});
  CHECK(described.at("SourceTableDetails").at("TableId") == id);
  CHECK(described.at("SourceTableDetails").at("ItemCount") == 1);
  CHECK(described.at("SourceTableDetails").at("ProvisionedThroughput") == units(5, 5));
  CHECK(described.at("SourceTableFeatureDetails") == Json::object());
  CHECK(backups(db).empty());
  const Json listed = backups(db, of_system);
  REQUIRE(listed.size() == 1);
  CHECK(listed[0].at("BackupArn") == arn_after_two_seconds);
  CHECK(listed[0].at("BackupExpiryDateTime") == start_of_test + 2 + 86400);
  CHECK(listed[0].at("BackupType") == "SYSTEM");
}

TEST_CASE("system backups: kept for 35 days unless the table has another period, and silent about indexes") {
  Json table = on_demand();
  table["AttributeDefinitions"].push_back(attribute("n", "N"));
  table["GlobalSecondaryIndexes"] = Json::array({index_on("byN", Json::array({key("n", "HASH")}))});
  table["StreamSpecification"] = {{"StreamEnabled", true}, {"StreamViewType", "KEYS_ONLY"}};
  table["SSESpecification"] = {{"Enabled", true}, {"SSEType", "KMS"}};
  DynamoDb db;
  db.ok("CreateTable", table);
  db.clock().advance(2s);
  recover(db);
  put_number(db, "a", 1);
  db.ok("DeleteTable", music);
  const Json described = describe_backup(db, arn_after_two_seconds);
  CHECK(described.at("BackupDetails").at("BackupExpiryDateTime") == start_of_test + 2 + 35 * 86400);
  CHECK(described.at("SourceTableFeatureDetails") == Json::object());
  db.ok("RestoreTableFromBackup", restore_from(arn_after_two_seconds));
  const Json after = restored(db);
  CHECK(after.at("GlobalSecondaryIndexes").at(0).at("ItemCount") == 1);
  CHECK(after.contains("SSEDescription"));
}

TEST_CASE("system backups: none of a table without recovery") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  db.ok("DeleteTable", music);
  CHECK(backups(db, of_system).empty());
}

TEST_CASE("system backups: a table is restored from one") {
  Recoverable db;
  db.ok("DeleteTable", music);
  const Json summary = db.ok("RestoreTableFromBackup", restore_from(arn_after_two_seconds))
                           .at("TableDescription")
                           .at("RestoreSummary");
  CHECK(summary.at("RestoreDateTime") == start_of_test + 2);
  CHECK(summary.at("SourceBackupArn") == arn_after_two_seconds);
  restored(db);
  CHECK(numbers(db) == Json{{"a", 2}});
}

TEST_CASE("system backups: one cannot be deleted, and goes when its time is over") {
  Recoverable db;
  db.ok("DeleteTable", music);
  check_refused(db, "DeleteBackup", {{"BackupArn", arn_after_two_seconds}},
                "Invalid Request: User is not allowed to delete the system backup with arn " +
                    arn_after_two_seconds + ". It will automatically expire on 2026-10-11T12:00:02.000Z");
  set_clock(db, start_of_test + 2 + 86400 - 0.001);
  db.jobs().run_due();
  describe_backup(db, arn_after_two_seconds);
  const bool job = GENERATE(true, false);
  set_clock(db, start_of_test + 2 + 86400);
  if (job) db.jobs().run_due();
  check_refused(db, "DescribeBackup", {{"BackupArn", arn_after_two_seconds}},
                "Backup not found: " + arn_after_two_seconds, "BackupNotFoundException");
  CHECK(backups(db, of_system).empty());
}

TEST_CASE("system backups: one that is in use goes when the restore is complete") {
  Recoverable db;
  for (int i = 0; i < 300; ++i) put_number(db, std::to_string(i), 1);
  db.ok("DeleteTable", music);
  db.ok("RestoreTableFromBackup", restore_from(arn_after_two_seconds));
  set_clock(db, start_of_test + 2 + 86400);
  restored(db);
  CHECK(numbers(db).size() == 301);
  db.clock().advance(1s);
  db.jobs().run_due();
  CHECK(db.ok("ListTables", Json::object()).at("TableNames") == Json::array({"Copy"}));
}

TEST_CASE("system backups: it appears when the table is gone") {
  Recoverable db(two_second_states());
  db.ok("DeleteTable", music);
  CHECK(backups(db, of_system).empty());
  db.clock().advance(2s);
  db.jobs().run_due();
  CHECK(backups(db, of_system).at(0).at("BackupCreationDateTime") == start_of_test + 4);
}

TEST_CASE("system backups: while a table is DELETING recovery can still be disabled, and enabled") {
  Recoverable db(two_second_states());
  db.ok("DeleteTable", music);
  db.ok("UpdateContinuousBackups", recovery(false));
  const bool again = GENERATE(true, false);
  if (again) db.ok("UpdateContinuousBackups", recovery(true));
  db.clock().advance(2s);
  db.jobs().run_due();
  CHECK(backups(db, of_system).size() == (again ? 1 : 0));
}

TEST_CASE("system backups: of a table whose name is taken before its job has come to it") {
  Recoverable db(two_second_states());
  db.ok("DeleteTable", music);
  db.clock().advance(2s);
  db.ok("CreateTable", on_demand());
  CHECK(backups(db, of_system).size() == 1);
  db.jobs().run_due();
  CHECK(backups(db, of_system).size() == 1);
}

TEST_CASE("system backups: two at the same time by the clock") {
  Recoverable db;
  db.ok("DeleteTable", music);
  db.ok("CreateTable", on_demand());
  recover(db);
  db.ok("DeleteTable", music);
  CHECK(backups(db, of_system).size() == 2);
}

TEST_CASE("system backups: one is there after a restart, and expires") {
  const std::shared_ptr<dinette::kv::Engine> engine = make_test_engine();
  {
    Recoverable db({}, engine);
    db.ok("DeleteTable", music);
  }
  DynamoDb db({}, engine);
  db.jobs().run_due();
  CHECK(backups(db, of_system).size() == 1);
  set_clock(db, start_of_test + 2 + 86400);
  db.jobs().run_due();
  const auto view = db.worlds().pick("").value()->store(dinette::dynamodb::face().id).view().value();
  auto entries = view.scan(dinette::store::SpaceId{5}, {}, dinette::store::Direction::forward).value();
  CHECK_FALSE(entries.next().value());
}

}  // namespace test::system_backups_test

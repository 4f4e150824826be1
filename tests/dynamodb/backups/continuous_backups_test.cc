#include <catch2/catch.hpp>

#include "dynamodb/backups/backups.h"

// docs/service/backups-pitr.md section 2.
namespace test::continuous_backups_test {

using namespace std::chrono_literals;

namespace {

const Json music = {{"TableName", "Music"}};
const Json off = {{"ContinuousBackupsStatus", "ENABLED"},
                  {"PointInTimeRecoveryDescription", {{"PointInTimeRecoveryStatus", "DISABLED"}}}};
const std::string not_found = "Table not found: Films";

Json on(double earliest, double latest, int days = 35) {
  return {{"ContinuousBackupsStatus", "ENABLED"},
          {"PointInTimeRecoveryDescription",
           {{"PointInTimeRecoveryStatus", "ENABLED"},
            {"RecoveryPeriodInDays", days},
            {"PointInTimeRecoveryWindowDays", days},
            {"EarliestRestorableDateTime", earliest},
            {"LatestRestorableDateTime", latest}}}};
}

Json with_days(int days) {
  return with(recovery(true), {{"PointInTimeRecoverySpecification", {{"RecoveryPeriodInDays", days}}}});
}

Json update(DynamoDb& db, const Json& request) {
  return db.ok("UpdateContinuousBackups", request).at("ContinuousBackupsDescription");
}

}  // namespace

TEST_CASE("recovery: a new table has continuous backups and no recovery") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  CHECK(continuous_backups(db) == off);
  CHECK(update(db, recovery(false)) == off);
}

TEST_CASE("recovery: enabled, described, disabled") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  CHECK(update(db, recovery(true)) == on(start_of_test, start_of_test));
  CHECK(continuous_backups(db) == on(start_of_test, start_of_test));
  CHECK(update(db, recovery(false)) == off);
  CHECK(continuous_backups(db) == off);
  CHECK(update(db, recovery(false)) == off);
}

TEST_CASE("recovery: the latest time is five minutes ago, but not before it was enabled") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  set_clock(db, start_of_test + 0.7);
  recover(db);
  CHECK(continuous_backups(db) == on(start_of_test, start_of_test));
  set_clock(db, start_of_test + 300);
  CHECK(continuous_backups(db) == on(start_of_test, start_of_test));
  set_clock(db, start_of_test + 300.001);
  CHECK(continuous_backups(db) == on(start_of_test, start_of_test + 0.001));
  set_clock(db, start_of_test + 1000.25);
  CHECK(continuous_backups(db) == on(start_of_test, start_of_test + 700.25));
}

TEST_CASE("recovery: the earliest time is so many days ago, in whole seconds") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  update(db, with_days(1));
  set_clock(db, start_of_test + 86400 + 10.9);
  CHECK(continuous_backups(db) == on(start_of_test + 10, start_of_test + 86400 - 300 + 10.9, 1));
}

TEST_CASE("recovery: disabled and enabled again it begins again, and has 35 days") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  update(db, with_days(7));
  set_clock(db, start_of_test + 3600);
  update(db, recovery(false));
  CHECK(update(db, recovery(true)) == on(start_of_test + 3600, start_of_test + 3600));
}

TEST_CASE("recovery: enabled again it stays as it is, but for the days") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  CHECK(update(db, with_days(7)) == on(start_of_test, start_of_test, 7));
  set_clock(db, start_of_test + 100);
  CHECK(update(db, recovery(true)) == on(start_of_test, start_of_test, 7));
  CHECK(update(db, with_days(3)) == on(start_of_test, start_of_test, 3));
}

TEST_CASE("recovery: what a shorter period has given up does not come back with a longer one") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  update(db, with_days(1));
  set_clock(db, start_of_test + 3 * 86400);
  const double latest = start_of_test + 3 * 86400 - 300;
  CHECK(update(db, with_days(35)) == on(start_of_test + 2 * 86400, latest, 35));
}

TEST_CASE("recovery: an unknown table") {
  DynamoDb db;
  check_refused(db, "DescribeContinuousBackups", {{"TableName", "Films"}}, not_found,
                "TableNotFoundException");
  check_refused(db, "UpdateContinuousBackups", recovery(true, "Films"), not_found, "TableNotFoundException");
  check_refused(db, "DescribeContinuousBackups", Json::object());
}

TEST_CASE("recovery: a table by its ARN") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  const std::string arn = describe(db).at("TableArn");
  recover(db, arn);
  CHECK(continuous_backups(db, arn) == on(start_of_test, start_of_test));
}

TEST_CASE("recovery: requests that the model does not allow") {
  DynamoDb db;
  const std::string at = "at 'pointInTimeRecoverySpecification";
  const std::string not_null = " failed to satisfy constraint: Member must not be null";
  check_refused(db, "UpdateContinuousBackups", {{"TableName", "Films"}},
                enveloped("Value null " + at + "'" + not_null));
  check_refused(db, "UpdateContinuousBackups",
                {{"TableName", "Films"}, {"PointInTimeRecoverySpecification", nullptr}},
                enveloped("Value null " + at + "'" + not_null));
  check_refused(db, "UpdateContinuousBackups",
                {{"TableName", "Films"}, {"PointInTimeRecoverySpecification", Json::object()}},
                enveloped("Value null " + at + ".pointInTimeRecoveryEnabled'" + not_null));
  const auto days = [&](int number, const std::string& sentence) {
    Json request = with_days(number);
    request["TableName"] = "Films";  // looked up later
    for (const bool enabled : {true, false}) {
      request["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"] = enabled;
      check_refused(db, "UpdateContinuousBackups", request,
                    enveloped("Value '" + std::to_string(number) + "' " + at +
                              ".recoveryPeriodInDays' failed to satisfy constraint: " + sentence));
    }
  };
  days(36, "Member must have value less than or equal to 35");
  days(0, "Member must have value greater than or equal to 1");
  const Reply text = db.call(
      "UpdateContinuousBackups",
      with(recovery(true), {{"PointInTimeRecoverySpecification", {{"RecoveryPeriodInDays", "seven"}}}}));
  CHECK(text.error() == "SerializationException");
  CHECK(text.message() == "STRING_VALUE cannot be converted to Integer");
}

TEST_CASE("recovery: a text says whether it is enabled") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  const auto said = [&](const char* text) {
    return update(
        db, with(music, {{"PointInTimeRecoverySpecification", {{"PointInTimeRecoveryEnabled", text}}}}));
  };
  CHECK(said("yes") == on(start_of_test, start_of_test));
  CHECK(said("false") == off);
  const Json number = {{"PointInTimeRecoverySpecification", {{"PointInTimeRecoveryEnabled", 1}}}};
  CHECK(db.call("UpdateContinuousBackups", with(music, number)).message() ==
        "NUMBER_VALUE cannot be converted to Boolean");
}

TEST_CASE("recovery: days when it is disabled") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  Json request = with_days(7);
  request["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"] = false;
  check_refused(
      db, "UpdateContinuousBackups", request,
      "Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.");
}

TEST_CASE("recovery: a table that is being created") {
  DynamoDb db(two_second_states());
  db.ok("CreateTable", on_demand());
  CHECK(continuous_backups(db) ==
        Json{{"ContinuousBackupsStatus", "DISABLED"},
             {"PointInTimeRecoveryDescription", {{"PointInTimeRecoveryStatus", "DISABLED"}}}});
  for (const bool enabled : {true, false}) {
    check_refused(db, "UpdateContinuousBackups", recovery(enabled),
                  "Backups are being enabled for the table: Music. Please retry later",
                  "ContinuousBackupsUnavailableException");
  }
  // What the model does not allow is said first.
  CHECK(db.call("UpdateContinuousBackups", with_days(36)).error() == "ValidationException");
  CHECK(db.call("UpdateContinuousBackups", music).error() == "ValidationException");
  db.clock().advance(2s);
  CHECK(continuous_backups(db) == off);
  CHECK(update(db, recovery(true)) == on(start_of_test + 2, start_of_test + 2));
}

TEST_CASE("recovery: a table that is being deleted") {
  DynamoDb db(two_second_states());
  db.ok("CreateTable", on_demand());
  db.clock().advance(2s);
  db.ok("DeleteTable", music);
  CHECK(update(db, recovery(true)) == on(start_of_test + 2, start_of_test + 2));
  CHECK(continuous_backups(db) == on(start_of_test + 2, start_of_test + 2));
}

TEST_CASE("recovery: a table that is created again has none") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  recover(db);
  db.ok("DeleteTable", music);
  db.ok("CreateTable", on_demand());
  CHECK(continuous_backups(db) == off);
}

}  // namespace test::continuous_backups_test

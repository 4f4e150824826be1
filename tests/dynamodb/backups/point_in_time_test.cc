#include <memory>
#include <optional>

#include <catch2/catch.hpp>

#include "dynamodb/backups/backups.h"
#include "support/engines.h"

// docs/service/backups-pitr.md section 3, of RestoreTableToPointInTime.
namespace test::point_in_time_test {

using namespace std::chrono_literals;

namespace {

const Json music = {{"TableName", "Music"}};
const Json copy = {{"TableName", "Copy"}};
const std::string operation = "RestoreTableToPointInTime";

/// A table with point-in-time recovery since the beginning.
struct Recoverable : DynamoDb {
  explicit Recoverable(const Json& table = on_demand(), dinette::dynamodb::ServiceOptions options = {})
      : DynamoDb(std::move(options)) {
    ok("CreateTable", table);
    clock().advance(2s);
    recover(*this);
    set_clock(*this, start_of_test + 100);
  }

  Json restore(const Json& request) { return ok(operation, request).at("TableDescription"); }
  Json numbers_of(const Json& request) {
    restore(request);
    restored(*this);
    Json found = numbers(*this);
    ok("DeleteTable", copy);
    return found;
  }
};

void refused(DynamoDb& db, const Json& request, const std::string& message,
             std::string_view error = "ValidationException") {
  check_refused(db, operation, request, message, error);
}

}  // namespace

TEST_CASE("restore to a time: items are as they were, to the millisecond") {
  Recoverable db;
  put_number(db, "a", 1);
  set_clock(db, start_of_test + 200);
  put_number(db, "a", 2);
  put_number(db, "b", 2);
  set_clock(db, start_of_test + 300);
  db.ok("DeleteItem", with(music, {{"Key", {{"pk", {{"S", "a"}}}}}}));
  set_clock(db, start_of_test + 1000);
  CHECK(db.numbers_of(restore_at(start_of_test + 99.999)) == Json::object());
  CHECK(db.numbers_of(restore_at(start_of_test + 100)) == Json{{"a", 1}});
  CHECK(db.numbers_of(restore_at(start_of_test + 199.999)) == Json{{"a", 1}});
  CHECK(db.numbers_of(restore_at(start_of_test + 199.9996)) == Json{{"a", 2}, {"b", 2}});  // rounded
  CHECK(db.numbers_of(restore_at(start_of_test + 200)) == Json{{"a", 2}, {"b", 2}});
  CHECK(db.numbers_of(restore_at(start_of_test + 300)) == Json{{"b", 2}});
  CHECK(db.numbers_of(restore_at(start_of_test + 1000)) == Json{{"b", 2}});
  CHECK(numbers(db, "Music") == Json{{"b", 2}});
}

TEST_CASE("restore to a time: the latest time is five minutes ago") {
  Recoverable db;
  put_number(db, "a", 1);
  set_clock(db, start_of_test + 500);
  put_number(db, "a", 2);
  set_clock(db, start_of_test + 799);
  CHECK(db.numbers_of(restore_latest()) == Json{{"a", 1}});
  set_clock(db, start_of_test + 800);
  CHECK(db.numbers_of(restore_latest()) == Json{{"a", 2}});
}

TEST_CASE("restore to a time: right after recovery was enabled, without later writes") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  put_number(db, "a", 1);
  recover(db);
  put_number(db, "a", 2);
  db.clock().advance(10s);
  put_number(db, "b", 2);
  const Json description = db.ok(operation, restore_latest()).at("TableDescription");
  CHECK(description.at("RestoreSummary").at("RestoreDateTime") == start_of_test);
  restored(db);
  CHECK(numbers(db) == Json{{"a", 1}});
}

TEST_CASE("restore to a time: later writes of the source are not in the copy, nor those of the copy in it") {
  Recoverable db;
  for (int i = 0; i < 500; ++i) put_number(db, std::to_string(i), 1);
  restore_now(db);
  REQUIRE(db.jobs().run_step());
  for (int i = 0; i < 500; ++i) put_number(db, std::to_string(i), 2);
  put_number(db, "new", 2);
  CHECK(restored(db).at("TableStatus") == "ACTIVE");
  const Json items = numbers(db);
  CHECK(items.size() == 500);
  for (const auto& [pk, n] : items.items()) CHECK(n == 1);
  put_number(db, "0", 3, "Copy");
  CHECK(numbers(db, "Music").at("0") == 2);
}

TEST_CASE("restore to a time: what the answer and descriptions say") {
  Recoverable db(provisioned());
  const std::string arn = describe(db).at("TableArn");
  const Json answer = db.restore(restore_at(start_of_test + 50));
  const Json summary = {
      {"SourceTableArn", arn}, {"RestoreDateTime", start_of_test + 50}, {"RestoreInProgress", true}};
  for (const Json& description : {answer, describe(db, "Copy")}) {
    CHECK(description.at("TableStatus") == "CREATING");
    CHECK(description.at("RestoreSummary") == summary);
    CHECK_FALSE(description.contains("DeletionProtectionEnabled"));
    CHECK(description.at("BillingModeSummary") == Json{{"BillingMode", "PROVISIONED"}});
    CHECK(description.at("ProvisionedThroughput") == with(units(5, 5), {{"NumberOfDecreasesToday", 0}}));
    CHECK(description.at("TableId") != describe(db).at("TableId"));
    CHECK(description.at("TableName") == "Copy");
    CHECK(description.at("CreationDateTime") == start_of_test + 100);
  }
  const Json after = restored(db);
  CHECK(after.at("TableStatus") == "ACTIVE");
  CHECK_FALSE(after.contains("RestoreSummary"));
  CHECK(after.at("DeletionProtectionEnabled") == false);
}

TEST_CASE("restore to a time: an on-demand table while it is restored") {
  Json table = with_range();
  table["OnDemandThroughput"] = {{"MaxReadRequestUnits", 10}, {"MaxWriteRequestUnits", 20}};
  table["GlobalSecondaryIndexes"] = Json::array({index_on("byA", Json::array({key("a", "HASH")}))});
  table["GlobalSecondaryIndexes"][0]["OnDemandThroughput"] = {{"MaxReadRequestUnits", 30}};
  table["AttributeDefinitions"].erase(3);  // of b
  Recoverable db(table);
  db.restore(restore_latest());
  const Json creating = describe(db, "Copy");
  CHECK(creating.at("ProvisionedThroughput") == units(0, 0));
  CHECK(creating.at("OnDemandThroughput") == table.at("OnDemandThroughput"));
  CHECK_FALSE(creating.at("GlobalSecondaryIndexes").at(0).contains("IndexStatus"));
  const Json after = restored(db);
  CHECK(after.at("GlobalSecondaryIndexes").at(0).at("IndexStatus") == "ACTIVE");
  CHECK(after.at("OnDemandThroughput") == table.at("OnDemandThroughput"));
  CHECK(after.at("GlobalSecondaryIndexes").at(0).at("OnDemandThroughput").at("MaxReadRequestUnits") == 30);
  CHECK(after.at("BillingModeSummary").at("BillingMode") == "PAY_PER_REQUEST");
}

TEST_CASE("restore to a time: indexes have the items, too") {
  Json table = with_range();
  table["GlobalSecondaryIndexes"] = Json::array({index_on("byA", Json::array({key("a", "HASH")}))});
  table["LocalSecondaryIndexes"] =
      Json::array({index_on("byB", Json::array({key("pk", "HASH"), key("b", "RANGE")}))});
  Recoverable db(table);
  const auto item = [](const char* sk, const char* a) {
    return Json{{"pk", {{"S", "p"}}}, {"sk", {{"S", sk}}}, {"a", {{"S", a}}}, {"b", {{"S", "x"}}}};
  };
  db.put("Music", item("1", "old"));
  db.put("Music", item("2", "old"));
  set_clock(db, start_of_test + 200);
  db.put("Music", item("1", "new"));
  db.restore(restore_at(start_of_test + 150));
  restored(db);
  const auto count = [&](const char* index, const char* attribute, const char* value) {
    return db
        .ok("Query", {{"TableName", "Copy"},
                      {"IndexName", index},
                      {"KeyConditionExpression", std::string(attribute) + " = :v"},
                      {"ExpressionAttributeValues", {{":v", {{"S", value}}}}}})
        .at("Count");
  };
  CHECK(count("byA", "a", "old") == 2);
  CHECK(count("byA", "a", "new") == 0);
  CHECK(count("byB", "pk", "p") == 2);
}

TEST_CASE("restore to a time: not restored are an index that is being deleted, and warm throughput") {
  Json table = with_range();
  const Json warm = {{"ReadUnitsPerSecond", 13'000}, {"WriteUnitsPerSecond", 5'000}};
  table["WarmThroughput"] = warm;
  for (const char* const attribute : {"a", "b"}) {
    Json index = index_on(std::string("by") + attribute, Json::array({key(attribute, "HASH")}));
    index["WarmThroughput"] = warm;
    table["GlobalSecondaryIndexes"].push_back(index);
  }
  Recoverable db(table, two_second_states());
  db.ok("UpdateTable",
        with(music, {{"GlobalSecondaryIndexUpdates", Json::array({{{"Delete", {{"IndexName", "bya"}}}}})}}));
  REQUIRE(describe(db).at("GlobalSecondaryIndexes").size() == 2);
  db.restore(restore_latest());
  restored(db);
  db.clock().advance(2s);
  const Json after = restored(db);
  REQUIRE(after.at("GlobalSecondaryIndexes").size() == 1);
  CHECK(after.at("GlobalSecondaryIndexes").at(0).at("IndexName") == "byb");
  CHECK(after.at("GlobalSecondaryIndexes").at(0).at("WarmThroughput").at("ReadUnitsPerSecond") == 12'000);
  CHECK(after.at("WarmThroughput").at("ReadUnitsPerSecond") == 12'000);
}

TEST_CASE("restore to a time: settings are those of the call, and some are not restored") {
  Json table = provisioned();
  table["SSESpecification"] = {{"Enabled", true}, {"SSEType", "KMS"}};
  table["StreamSpecification"] = {{"StreamEnabled", true}, {"StreamViewType", "KEYS_ONLY"}};
  table["Tags"] = Json::array({{{"Key", "team"}, {"Value", "blue"}}});
  table["TableClass"] = "STANDARD_INFREQUENT_ACCESS";
  table["DeletionProtectionEnabled"] = true;
  Recoverable db(table);
  db.ok("UpdateTimeToLive",
        with(music, {{"TimeToLiveSpecification", {{"Enabled", true}, {"AttributeName", "ends"}}}}));
  db.ok("UpdateTable", with(music, {{"ProvisionedThroughput", units(7, 8)}}));
  set_clock(db, start_of_test + 200);
  db.restore(restore_at(start_of_test + 50));
  const Json after = restored(db);
  CHECK(after.at("ProvisionedThroughput").at("ReadCapacityUnits") == 7);
  CHECK(after.at("ProvisionedThroughput").at("WriteCapacityUnits") == 8);
  CHECK(after.at("SSEDescription") == describe(db).at("SSEDescription"));
  CHECK_FALSE(after.contains("StreamSpecification"));
  CHECK_FALSE(after.contains("LatestStreamArn"));
  CHECK_FALSE(after.contains("TableClassSummary"));
  CHECK(after.at("DeletionProtectionEnabled") == false);
  CHECK(db.ok("DescribeTimeToLive", copy).at("TimeToLiveDescription").at("TimeToLiveStatus") == "DISABLED");
  CHECK(db.ok("ListTagsOfResource", {{"ResourceArn", after.at("TableArn")}}).at("Tags").empty());
  CHECK(continuous_backups(db, "Copy").at("PointInTimeRecoveryDescription") ==
        Json{{"PointInTimeRecoveryStatus", "DISABLED"}});
}

TEST_CASE("restore to a time: requests about the source") {
  Recoverable db;
  Json request = restore_latest();
  const std::string arn = describe(db).at("TableArn");
  refused(db, with(request, {{"SourceTableArn", arn}}),
          "Must provide exactly one of: sourceTableArn, sourceTableName");
  request.erase("SourceTableName");
  refused(db, request, "The parameter 'TableName' is required but was not present in the request");
  request["SourceTableArn"] = "arn:aws:dynamodb:us-east-1:000000000000:table/Films";
  refused(db, request, "Table not found", "TableNotFoundException");
  for (const char* bad : {"Music", "arn:aws:dynamodb:us-east-1:000000000000:table/",
                          "arn:aws:dynamodb:us-east-1:000000000000:table/Music/stream/x",
                          "arn:other:dynamodb:us-east-1:000000000000:table/Music",
                          "arn:aws:s3:us-east-1:000000000000:table/Music"}) {
    request["SourceTableArn"] = bad;
    const Reply reply = db.call(operation, request);
    CHECK(reply.error() == "ValidationException");
    CHECK(reply.message().find("sourceTableArn is not a valid ARN") != std::string::npos);
  }
  request["SourceTableArn"] = "arn:aws:dynamodb:us-east-1:123456789012:table/Music";
  refused(db, request,
          "This action is only supported by accounts that match the resource owner\u2019s account.");
  request["SourceTableArn"] = "arn:aws:dynamodb:eu-west-1:000000000000:table/Music";
  refused(db, request,
          "Invalid Request: sseSpecificationOverride must be provided for cross-region restores");
  request["SourceTableArn"] = arn;
  CHECK(db.restore(request).at("TableStatus") == "CREATING");
  refused(db, with(restore_latest(), {{"SourceTableName", "Films"}}), "Table not found: Films",
          "TableNotFoundException");
}

TEST_CASE("restore to a time: another region's table by its ARN") {
  Recoverable db;
  Json request = restore_latest();
  request.erase("SourceTableName");
  request["SourceTableArn"] = describe(db).at("TableArn");
  const Headers elsewhere = {
      {"Authorization",
       "AWS4-HMAC-SHA256 Credential=000000000000/20261010/eu-west-1/dynamodb/aws4_request, "
       "SignedHeaders=host, Signature=0"}};
  CHECK(db.call(operation, request, elsewhere).message() ==
        "Invalid Request: sseSpecificationOverride must be provided for cross-region restores");
  request["SSESpecificationOverride"] = {{"Enabled", true}, {"SSEType", "KMS"}};
  const Reply reply = db.call(operation, request, elsewhere);
  CHECK(reply.status == 200);
  CHECK(std::string(reply.json().at("TableDescription").at("TableArn"))
            .starts_with("arn:aws:dynamodb:eu-west-1"));
}

TEST_CASE("restore to a time: requests about the time") {
  Recoverable db;
  const std::string either =
      "Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must be specified, but not "
      "both";
  Json request = restore_latest();
  request.erase("UseLatestRestorableTime");
  refused(db, request, either);
  refused(db, with(request, {{"UseLatestRestorableTime", false}}), either);
  refused(db, with(restore_latest(), {{"RestoreDateTime", start_of_test}}),
          "Invalid Request: Both RestoreDateTime and UseLatestRestorableTime cannot be set for point-in-time "
          "restore request. Please specify either RestoreDateTime time or UseLatestRestorableTime");
}

TEST_CASE("restore to a time: one outside the window") {
  Recoverable db;
  const auto outside = [&](double seconds, const std::string& asked, const std::string& latest) {
    refused(db, restore_at(seconds),
            "RestoreDateTime '" + asked +
                "' must be within EarliestRestorableDateTime '2026-10-10T12:00:02Z' and "
                "LatestRestorableDateTime '" +
                latest + "' for table 'Music'",
            "InvalidRestoreTimeException");
  };
  outside(start_of_test + 1, "2026-10-10T12:00:01Z", "2026-10-10T12:00:02Z");
  outside(start_of_test + 1.999, "2026-10-10T12:00:01.999Z", "2026-10-10T12:00:02Z");
  outside(start_of_test + 100.001, "2026-10-10T12:01:40.001Z", "2026-10-10T12:00:02Z");
  set_clock(db, start_of_test + 400.123456);
  outside(start_of_test + 401, "2026-10-10T12:06:41Z", "2026-10-10T12:01:40.123456Z");
  set_clock(db, start_of_test + 400.25);
  outside(start_of_test + 401, "2026-10-10T12:06:41Z", "2026-10-10T12:01:40.250Z");
  db.restore(restore_at(start_of_test + 400.25));  // later than the latest, but not than now
}

TEST_CASE("restore to a time: no earlier than so many days ago") {
  Recoverable db;
  Json days = recovery(true);
  days["PointInTimeRecoverySpecification"]["RecoveryPeriodInDays"] = 1;
  db.ok("UpdateContinuousBackups", days);
  put_number(db, "a", 1);
  set_clock(db, start_of_test + 200);
  put_number(db, "a", 2);
  set_clock(db, start_of_test + 86400 + 150);
  CHECK(db.call(operation, restore_at(start_of_test + 149)).error() == "InvalidRestoreTimeException");
  CHECK(db.numbers_of(restore_at(start_of_test + 150)) == Json{{"a", 1}});
}

TEST_CASE("restore to a time: a table without recovery is refused") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  const std::string off = "Point in time recovery is not enabled for table 'Music'";
  refused(db, restore_at(start_of_test - 1e6), off, "PointInTimeRecoveryUnavailableException");
  refused(db, with(restore_latest(), {{"TargetTableName", "Music"}}), off,
          "PointInTimeRecoveryUnavailableException");
  recover(db);
  db.ok("UpdateContinuousBackups", recovery(false));
  refused(db, restore_latest(), off, "PointInTimeRecoveryUnavailableException");
}

TEST_CASE("restore to a time: an invalid request wins over an unknown table, and that over a wrong time") {
  Recoverable db;
  Json request = restore_at(start_of_test - 1);
  request["TargetTableName"] = "Music";
  CHECK(db.call(operation, request).error() == "InvalidRestoreTimeException");
  request["SourceTableName"] = "Films";
  CHECK(db.call(operation, request).error() == "TableNotFoundException");
  request["BillingModeOverride"] = "PROVISIONED";
  CHECK(db.call(operation, request).error() == "ValidationException");
}

TEST_CASE("restore to a time: a target that exists, or has an invalid name, is refused") {
  Recoverable db(on_demand(), two_second_states());
  refused(db, with(restore_latest(), {{"TargetTableName", "Music"}}), "Table already exists: Music",
          "TableAlreadyExistsException");
  refused(
      db, with(restore_latest(), {{"TargetTableName", "bad name!"}}),
      enveloped("Value 'bad name!' at 'targetTableName' failed to satisfy constraint: Member must satisfy "
                "regular expression pattern: [a-zA-Z0-9_.-]+"));
  db.ok("CreateTable", on_demand("Copy"));
  refused(db, restore_latest(), "Table already exists: Copy", "TableAlreadyExistsException");
  db.clock().advance(2s);
  db.ok("DeleteTable", copy);
  refused(db, restore_latest(), "Table already exists: Copy", "TableAlreadyExistsException");
  db.clock().advance(2s);  // gone, though no job has come to that
  db.restore(restore_latest());
  const Reply twice = db.call(operation, restore_latest());
  CHECK(twice.error() == "TableInUseException");
  CHECK(twice.message().starts_with("Table: Copy is already being restored from "));
}

TEST_CASE("restore to a time: the target while it is restored") {
  Recoverable db(on_demand(), two_second_states());
  put_number(db, "a", 1);
  const Json description = restore_now(db);
  const std::string arn = description.at("TableArn");
  const std::string not_found = "Requested resource not found: Table: Copy not found";
  const auto refused_all = [&] {
    check_refused(db, "Scan", copy, "Requested resource not found", "ResourceNotFoundException");
    CHECK(db.call("DeleteTable", copy).error() == "ResourceInUseException");
    check_refused(db, "CreateTable", on_demand("Copy"),
                  "Attempt to change a resource which is still in use: Table is being used: Copy",
                  "ResourceInUseException");
    check_refused(db, "UpdateTable", with(copy, {{"BillingMode", "PAY_PER_REQUEST"}}), not_found,
                  "ResourceNotFoundException");
    check_refused(db, "DescribeTimeToLive", copy, not_found, "ResourceNotFoundException");
    check_refused(db, "UpdateTimeToLive",
                  with(copy, {{"TimeToLiveSpecification", {{"Enabled", true}, {"AttributeName", "ends"}}}}),
                  not_found, "ResourceNotFoundException");
    check_refused(db, "ListTagsOfResource", {{"ResourceArn", arn}}, not_found, "ResourceNotFoundException");
    check_refused(db, "TagResource",
                  {{"ResourceArn", arn}, {"Tags", Json::array({{{"Key", "k"}, {"Value", "v"}}})}}, not_found,
                  "ResourceNotFoundException");
    check_refused(db, "DescribeContinuousBackups", copy, "Table not found: Copy", "TableNotFoundException");
    check_refused(db, "UpdateContinuousBackups", recovery(true, "Copy"), "Table not found: Copy",
                  "TableNotFoundException");
    Json onwards = with(restore_latest(), {{"SourceTableName", "Copy"}, {"TargetTableName", "Other"}});
    refused(db, onwards, "Table not found: Copy", "TableNotFoundException");
    onwards.erase("SourceTableName");
    onwards["SourceTableArn"] = arn;
    refused(db, onwards, "Table not found", "TableNotFoundException");
    check_refused(db, "CreateBackup", with(copy, {{"BackupName", "before"}}), "Table not found: Copy",
                  "TableNotFoundException");
    check_refused(db, "ExportTableToPointInTime", {{"TableArn", arn}, {"S3Bucket", "exports"}},
                  "Table not found: " + arn, "TableNotFoundException");
    CHECK(describe(db, "Copy").contains("RestoreSummary"));
  };
  refused_all();
  db.clock().advance(3s);  // its items are not there yet
  refused_all();
  CHECK(restored(db).at("TableStatus") == "ACTIVE");
  recover(db, "Copy");
  CHECK(numbers(db) == Json{{"a", 1}});
}

TEST_CASE("restore to a time: a table with its items stays CREATING for as long as states last") {
  Recoverable db(on_demand(), two_second_states());
  restore_now(db);
  CHECK(restored(db).at("TableStatus") == "CREATING");
  CHECK(describe(db, "Copy").contains("RestoreSummary"));
  db.clock().advance(2s);
  CHECK(describe(db, "Copy").at("TableStatus") == "ACTIVE");
}

TEST_CASE("restore to a time: several at once of one source, but not more than fifty") {
  Recoverable db;
  put_number(db, "a", 1);
  Json request = restore_at(start_of_test + 100);
  for (int i = 0; i < 50; ++i) {
    request["TargetTableName"] = "Copy" + std::to_string(i);
    db.restore(request);
  }
  request["TargetTableName"] = "Copy";
  refused(db, request, "Subscriber limit exceeded: Only 50 restore operations can be done simultaneously",
          "LimitExceededException");
  db.jobs().run_due();
  CHECK(numbers(db, "Copy0") == Json{{"a", 1}});
  CHECK(numbers(db, "Copy49") == Json{{"a", 1}});
  db.restore(request);
}

TEST_CASE("restore to a time: what happens to the source meanwhile does not change the copy") {
  Recoverable db;
  for (int i = 0; i < 300; ++i) put_number(db, std::to_string(i), 1);
  restore_now(db);
  REQUIRE(db.jobs().run_step());
  for (int i = 0; i < 300; ++i) put_number(db, std::to_string(i), 2);
  SECTION("recovery is disabled") {
    db.ok("UpdateContinuousBackups", recovery(false));
  }
  SECTION("it is deleted") {
    db.ok("DeleteTable", music);
  }
  SECTION("it is deleted, without recovery") {
    db.ok("UpdateContinuousBackups", recovery(false));
    db.ok("DeleteTable", music);
  }
  SECTION("another one gets its name") {
    db.ok("UpdateContinuousBackups", recovery(false));
    db.ok("DeleteTable", music);
    db.ok("CreateTable", on_demand());
    put_number(db, "other", 3);
  }
  SECTION("its log is trimmed") {
    Json days = recovery(true);
    days["PointInTimeRecoverySpecification"]["RecoveryPeriodInDays"] = 1;
    db.ok("UpdateContinuousBackups", days);
    db.clock().advance(std::chrono::days(3));
  }
  restored(db);
  const Json items = numbers(db);
  CHECK(items.size() == 300);
  for (const auto& [pk, n] : items.items()) CHECK(n == 1);
}

TEST_CASE("restore to a time: a table that is being deleted") {
  Recoverable db(on_demand(), two_second_states());
  put_number(db, "a", 1);
  db.ok("DeleteTable", music);
  restore_now(db);
  db.clock().advance(2s);
  restored(db);
  CHECK(numbers(db) == Json{{"a", 1}});
  refused(db, with(restore_latest(), {{"TargetTableName", "Other"}}), "Table not found: Music",
          "TableNotFoundException");
}

TEST_CASE("restore to a time: continues after a restart, at any step") {
  const std::shared_ptr<dinette::kv::Engine> engine = make_test_engine();
  for (int steps = 0; steps < 6; ++steps) {
    const std::string target = "Copy" + std::to_string(steps);
    {
      DynamoDb db({}, engine);
      if (steps == 0) {
        db.ok("CreateTable", on_demand());
        recover(db);
        for (int i = 0; i < 300; ++i) put_number(db, std::to_string(i), 1);
      }
      db.jobs().run_due();
      db.ok(operation, with(restore_at(start_of_test), {{"TargetTableName", target}}));
      for (int i = 0; i < steps; ++i) db.jobs().run_step();
    }
    DynamoDb db({}, engine, dinette::dynamodb::face(), static_cast<std::uint64_t>(steps) + 2);
    const bool complete = describe(db, target).at("TableStatus") == "ACTIVE";
    CHECK((!complete || describe(db, target).at("ItemCount") == 300));
    CHECK(restored(db, target).at("TableStatus") == "ACTIVE");
    CHECK(numbers(db, target).size() == 300);
  }
}

TEST_CASE("restore to a time: the log of changes is trimmed when the period is over, by a job") {
  Recoverable db;
  Json days = recovery(true);
  days["PointInTimeRecoverySpecification"]["RecoveryPeriodInDays"] = 1;
  db.ok("UpdateContinuousBackups", days);
  db.jobs().run_due();
  const auto kept = [&] {
    auto& store = db.worlds().pick("").value()->store(dinette::dynamodb::face().id);
    const auto table = store.catalog().open("Music").value();
    const auto view = store.view().value();
    auto versions =
        view.scan(*table, dinette::store::Area::versions(), {}, dinette::store::Direction::forward).value();
    int count = 0;
    while (versions.next().value()) ++count;
    return count;
  };
  for (int hour = 0; hour < 72; ++hour) {
    put_number(db, "a", hour);
    put_number(db, "b", hour);
    db.clock().advance(1h);
    db.jobs().run_due();
    CHECK(kept() <= 2 * 26);
  }
  CHECK(kept() >= 2 * 24);
  db.ok("UpdateContinuousBackups", recovery(false));
  CHECK(kept() == 0);
}

TEST_CASE("restore to a time: a server may look back less far than its tables") {
  dinette::dynamodb::ServiceOptions options;
  options.recovery_window = 1h;
  DynamoDb db(options);
  db.ok("CreateTable", on_demand());
  recover(db);
  const auto kept = [&] { return db.worlds().pick("").value()->kept_history().value().former_values; };
  CHECK(kept() == dinette::store::Count{});
  for (int minute = 0; minute < 180; ++minute) {
    put_number(db, "a", minute);
    db.clock().advance(1min);
    db.jobs().run_due();
    CHECK(kept().rows <= 66);
  }
  CHECK(kept().rows >= 60);
  CHECK(kept().bytes > 60 * 30);
  const Json described = continuous_backups(db).at("PointInTimeRecoveryDescription");
  CHECK(described.at("RecoveryPeriodInDays") == 35);
  CHECK(described.at("EarliestRestorableDateTime") == start_of_test + 120 * 60);
  CHECK(db.call("RestoreTableToPointInTime", restore_at(start_of_test + 119 * 60)).error() ==
        "InvalidRestoreTimeException");
  // What is left of the table goes as early.
  db.ok("DeleteTable", {{"TableName", "Music"}});
  CHECK(kept() == dinette::store::Count{});
  CHECK(backups(db, {{"BackupType", "ALL"}}).size() == 1);
  db.clock().advance(1h);
  db.jobs().run_due();
  CHECK(backups(db, {{"BackupType", "ALL"}}).empty());
}

TEST_CASE("restore to a time: former values are counted while they are kept") {
  Recoverable db;
  const auto kept = [&] { return db.worlds().pick("").value()->kept_history().value().former_values; };
  put_number(db, "a", 1);
  put_number(db, "a", 2);
  CHECK(kept().rows == 2);
  db.ok("UpdateContinuousBackups", recovery(false));
  CHECK(kept() == dinette::store::Count{});
}

TEST_CASE("restore to a time: the log continues to be trimmed after a restart") {
  const std::shared_ptr<dinette::kv::Engine> engine = make_test_engine();
  {
    DynamoDb db({}, engine);
    db.ok("CreateTable", on_demand());
    recover(db);
    put_number(db, "a", 1);
    db.jobs().run_due();
  }
  DynamoDb db({}, engine);
  db.clock().advance(std::chrono::days(36));
  db.jobs().run_due();
  auto& store = db.worlds().pick("").value()->store(dinette::dynamodb::face().id);
  const auto table = store.catalog().open("Music").value();
  const auto view = store.view().value();
  auto versions =
      view.scan(*table, dinette::store::Area::versions(), {}, dinette::store::Direction::forward).value();
  CHECK_FALSE(versions.next().value());
}

}  // namespace test::point_in_time_test

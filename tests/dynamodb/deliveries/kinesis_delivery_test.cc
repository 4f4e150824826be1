#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/dynamodb/verify.h"

#include "dynamodb/deliveries/destinations.h"
#include "dynamodb/streams/streams.h"
#include "support/random_requests.h"
#include "support/random_seed.h"

// What becomes of recorded changes: docs/service/kinesis.md sections 1 and 3.
namespace test::kinesis_delivery_test {

using namespace std::chrono_literals;

namespace {

const std::string arn = kinesis_arn("changes");
const Json music = {{"TableName", "Music"}};

Json item(std::string_view key, int version = 0) {
  return {{"pk", {{"S", key}}}, {"v", {{"N", std::to_string(version)}}}};
}

/// A table `Music` whose changes go to a stream.
struct Recorded : Destinations {
  explicit Recorded(dinette::dynamodb::ServiceOptions options = {}) : Destinations(std::move(options)) {
    db.ok("CreateTable", on_demand());
    enable(arn);
  }

  void put(std::string_view key, int version = 0) { db.put("Music", item(key, version)); }

  std::vector<std::string> keys() {
    std::vector<std::string> keys;
    for (const PutRecord& record : streams.records(arn))
      keys.push_back(record.json().at("dynamodb").at("Keys").at("pk").at("S"));
    return keys;
  }

  /// The records of streams and logs that are stored for DynamoDB in a world.
  std::uint64_t stored_records(std::string_view world = "") {
    const auto fail = [](const std::string& fault) { FAIL_CHECK(fault); };
    const auto pass = [](const dinette::dynamodb::VerifiedData&) {};
    return dinette::dynamodb::verify_data(*db.worlds().find(world), fail, pass).value().stream_records;
  }
};

using Keys = std::vector<std::string>;

}  // namespace

TEST_CASE("changes arrive in the order of their writes, and are then removed") {
  Recorded t;
  t.put("a");
  t.put("b");
  t.put("a", 1);
  t.wait_for_records(arn, 3);
  CHECK(t.keys() == Keys{"a", "b", "a"});
  wait_until([&] { return t.stored_records() == 0; });
}

TEST_CASE("what was written before Enable, or after Disable, is not delivered") {
  Destinations t;
  t.db.ok("CreateTable", on_demand());
  t.db.put("Music", item("early"));
  t.enable(arn);
  t.db.put("Music", item("a"));
  t.disable(arn);
  t.db.put("Music", item("late"));
  const auto records = t.streams.records(arn);
  REQUIRE(records.size() == 1);
  CHECK(records[0].json().at("dynamodb").at("Keys").at("pk").at("S") == "a");
}

TEST_CASE("all that was written before Disable is delivered before the destination is DISABLED") {
  Recorded t;
  for (int i = 0; i < 1200; ++i) t.put(std::to_string(i));
  t.disable(arn);
  CHECK(t.keys().size() == 1200);
  CHECK(std::ranges::max(t.streams.batches()) <= 500);
  CHECK(t.stored_records() == 0);
}

TEST_CASE("a transaction and a batch are recorded with all their items") {
  Recorded t;
  Json actions = Json::array();
  for (const char* const key : {"a", "b", "c"})
    actions.push_back({{"Put", {{"TableName", "Music"}, {"Item", item(key)}}}});
  t.db.ok("TransactWriteItems", {{"TransactItems", actions}});
  t.disable(arn);
  Keys keys = t.keys();
  std::ranges::sort(keys);
  CHECK(keys == Keys{"a", "b", "c"});
}

TEST_CASE("what was written to a deleted table is delivered, and nothing of its log stays") {
  dinette::dynamodb::ServiceOptions options;
  SECTION("deleted at once") {}
  SECTION("deleted after a while") {
    options.state_delay = 2s;
  }
  Destinations t(options);
  const auto pass = [&] {
    t.db.clock().advance(2s);
    t.db.jobs().run_due();
  };
  t.db.ok("CreateTable", on_demand());
  pass();
  t.streams.add(arn);
  t.db.ok("EnableKinesisStreamingDestination", destination(arn));
  pass();
  t.wait_for("ACTIVE");
  t.db.put("Music", item("a"));
  t.db.ok("DeleteTable", music);
  pass();
  t.wait_for_records(arn, 1);
  t.db.ok("CreateTable", on_demand());
  pass();
  CHECK(t.described() == Json::array());
  t.db.put("Music", item("b"));
  CHECK(t.streams.records(arn).size() == 1);
}

TEST_CASE("records wait for a stream that is away") {
  Recorded t;
  t.streams.fail(1);
  t.put("a");
  t.put("b");
  t.wait_for_records(arn, 2);
  CHECK(t.keys() == Keys{"a", "b"});
}

TEST_CASE(
    "a stream that was deleted leaves the destination ACTIVE, and gets its records when it is there again") {
  Recorded t;
  t.streams.remove(arn);
  t.put("a");
  CHECK(t.described().at(0).at("DestinationStatus") == "ACTIVE");
  t.streams.add(arn);
  t.wait_for_records(arn, 1);
}

TEST_CASE("a destination whose stream was deleted can be disabled") {
  Recorded t;
  t.streams.remove(arn);
  t.put("a");
  t.disable(arn);
  CHECK(t.stored_records() == 0);
}

TEST_CASE("a record that the stream refuses is given up, and delays no other") {
  Recorded t;
  t.streams.refuse("\"refused\"");
  t.put("a");
  t.put("refused");
  t.put("b");
  t.disable(arn);
  CHECK(t.keys() == Keys{"a", "b"});
}

TEST_CASE("a fork goes on with what was not delivered") {
  Recorded t;
  t.streams.remove(arn);
  t.put("a");
  REQUIRE(t.stored_records() == 1);
  REQUIRE(t.db.worlds().fork("", "fork").ok());
  const auto fork = t.db.worlds().find("fork");
  fork->jobs().run_due();
  t.streams.add(arn);
  t.wait_for_records(arn, 2);
  CHECK(t.keys() == Keys{"a", "a"});
  const auto records = t.streams.records(arn);
  CHECK(records[0].data == records[1].data);
}

TEST_CASE("backups and restored tables have no destination") {
  Recorded t;
  t.put("a");
  t.db.ok("UpdateContinuousBackups",
          with(music, {{"PointInTimeRecoverySpecification", {{"PointInTimeRecoveryEnabled", true}}}}));
  const std::string backup =
      t.db.ok("CreateBackup", with(music, {{"BackupName", "first"}})).at("BackupDetails").at("BackupArn");
  t.db.jobs().run_due();
  t.db.ok("RestoreTableFromBackup", {{"TargetTableName", "Restored"}, {"BackupArn", backup}});
  t.db.ok("RestoreTableToPointInTime",
          {{"SourceTableName", "Music"}, {"TargetTableName", "Past"}, {"UseLatestRestorableTime", true}});
  t.db.jobs().run_due();
  for (const char* const table : {"Restored", "Past"}) {
    CHECK(t.described(table) == Json::array());
    t.db.put(table, item("b"));
  }
  t.disable(arn);
  CHECK(t.keys() == Keys{"a"});
}

TEST_CASE("a table in the name space of a region delivers to it") {
  dinette::dynamodb::ServiceOptions options;
  options.isolation.regions = true;
  Destinations t(options);
  t.db.ok("CreateTable", on_demand());
  t.enable(arn);
  t.db.put("Music", item("a"));
  t.wait_for_records(arn, 1);
  CHECK(t.streams.last_name_space() == "us-east-1");
}

TEST_CASE("the records of a destination are those of the table's stream") {
  Random random(dinette::test::random_seed());
  Destinations t;
  t.db.ok("CreateTable", with_stream());
  t.enable(arn);
  for (int round = dinette::test::rounds_of(600); round > 0; --round) {
    const std::string key = std::to_string(pick(random, 20));
    const auto version = static_cast<int>(pick(random, 3));
    const Json its_key = {{"pk", {{"S", key}}}};
    switch (pick(random, 4)) {
      case 0:
        t.db.put("Music", item(key, version));
        break;
      case 1:
        t.db.ok("DeleteItem", with(music, {{"Key", its_key}}));
        break;
      case 2:
        t.db.ok("UpdateItem",
                with(music, {{"Key", its_key},
                             {"UpdateExpression", "SET v = :v"},
                             {"ExpressionAttributeValues", {{":v", {{"N", std::to_string(version)}}}}}}));
        break;
      default:
        t.db.ok("BatchWriteItem",
                {{"RequestItems",
                  {{"Music", Json::array({{{"PutRequest", {{"Item", item(key, version)}}}},
                                          {{"DeleteRequest", {{"Key", {{"pk", {{"S", "other"}}}}}}}}})}}}});
    }
    if (pick(random, 200) == 0) t.streams.fail(1);
  }
  t.disable(arn);
  const auto delivered = [&] {
    std::map<std::string, std::vector<Json>> by_item;
    for (const PutRecord& record : t.streams.records(arn)) {
      const Json json = record.json();
      Json change = json.at("dynamodb");
      change.erase("ApproximateCreationDateTime");
      by_item[change.at("Keys").dump()].push_back({json.at("eventName"), change});
    }
    return by_item;
  };
  std::map<std::string, std::vector<Json>> streamed;
  for (const Json& record : records(t.db, stream_arn(t.db))) {
    Json change = record.at("dynamodb");
    for (const char* const member : {"ApproximateCreationDateTime", "SequenceNumber", "StreamViewType"})
      change.erase(member);
    streamed[change.at("Keys").dump()].push_back({record.at("eventName"), change});
  }
  CHECK(delivered() == streamed);
}

}  // namespace test::kinesis_delivery_test

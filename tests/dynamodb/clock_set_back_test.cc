#include <set>
#include <string>

#include <catch2/catch.hpp>

#include "dynamodb/streams/streams.h"

// The system's clock is set back by an hour, as by a user, or a virtual machine that was restored.
namespace test::clock_set_back_test {

using namespace std::chrono_literals;

namespace {

void set_back(DynamoDb& db) {
  db.clock().advance(-1h);
  db.jobs().run_due();
}

}  // namespace

TEST_CASE("clock set back: what was complete stays complete") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  CHECK(describe(db, "Music").at("TableStatus") == "ACTIVE");
  db.ok("UpdateTable", with({{"TableName", "Music"}}, stream_setting(true, "KEYS_ONLY")));
  const Json backup = db.ok("CreateBackup", {{"TableName", "Music"}, {"BackupName", "backup"}});
  set_back(db);
  CHECK(describe(db, "Music").at("TableStatus") == "ACTIVE");
  CHECK(describe_stream(db, stream_arn(db)).at("StreamStatus") == "ENABLED");
  const Json described = db.ok("DescribeBackup", {{"BackupArn", backup.at("BackupDetails").at("BackupArn")}});
  CHECK(described.at("BackupDescription").at("BackupDetails").at("BackupStatus") == "AVAILABLE");
  put(db, "a");
  db.ok("UpdateTable", with({{"TableName", "Music"}}, stream_setting(false)));
  db.ok("DeleteTable", {{"TableName", "Music"}});
}

TEST_CASE("clock set back: a change that takes time is over before it began, not for ever") {
  dinette::dynamodb::ServiceOptions options;
  options.state_delay = 10s;
  DynamoDb db(options);
  db.ok("CreateTable", on_demand());
  CHECK(describe(db, "Music").at("TableStatus") == "CREATING");
  db.clock().advance(5s);
  CHECK(describe(db, "Music").at("TableStatus") == "CREATING");
  db.clock().advance(-6s);
  CHECK(describe(db, "Music").at("TableStatus") == "ACTIVE");
}

TEST_CASE("clock set back: a stream goes on in the order of its writes, with numbers that grow") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  for (int i = 0; i < 3; ++i) put(db, "a", R"("n": {"N": ")" + std::to_string(i) + "\"}");
  const std::string later = iterator(db, stream_arn(db), shard_ids(db, stream_arn(db)).front(), "LATEST");
  set_back(db);
  for (int i = 3; i < 6; ++i) put(db, "a", R"("n": {"N": ")" + std::to_string(i) + "\"}");
  std::string order;
  std::string last;
  for (const Json& record : records(db, stream_arn(db))) {
    order += record.at("dynamodb").at("NewImage").at("n").at("N").get<std::string>();
    const std::string number = record.at("dynamodb").at("SequenceNumber");
    CHECK((last.size() < number.size() || (last.size() == number.size() && last < number)));
    last = number;
  }
  CHECK(order == "012345");
  CHECK(page(db, later).at("Records").size() == 3);
  // Shards are replaced, and records go, when the clock is there again.
  db.clock().advance(6h);
  db.jobs().run_due();
  CHECK(shards(db, stream_arn(db)).size() == 2);
  CHECK(records(db, stream_arn(db)).size() == 6);
  db.clock().advance(24h);
  db.jobs().run_due();
  CHECK(records(db, stream_arn(db)).empty());
}

TEST_CASE("clock set back: names that are made from the time stay different") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  std::set<std::string> streams{stream_arn(db)};
  std::set<std::string> backups;
  for (int i = 0; i < 4; ++i) {
    const Json backup = db.ok("CreateBackup", {{"TableName", "Music"}, {"BackupName", "backup"}});
    backups.insert(backup.at("BackupDetails").at("BackupArn"));
    db.ok("UpdateTable", {{"TableName", "Music"}, {"StreamSpecification", {{"StreamEnabled", false}}}});
    db.clock().advance(-1ms);
    db.ok("UpdateTable",
          {{"TableName", "Music"},
           {"StreamSpecification", {{"StreamEnabled", true}, {"StreamViewType", "KEYS_ONLY"}}}});
    streams.insert(stream_arn(db));
    db.clock().advance(i % 2 == 0 ? 1ms : 0ms);
  }
  CHECK(backups.size() == 4);
  CHECK(streams.size() == 5);
}

TEST_CASE("clock set back: items expire and tokens are forgotten when the clock is there again") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  db.ok("UpdateTimeToLive",
        {{"TableName", "Music"}, {"TimeToLiveSpecification", {{"Enabled", true}, {"AttributeName", "end"}}}});
  const auto end =
      std::chrono::floor<std::chrono::seconds>(db.clock().now() + 1min).time_since_epoch().count();
  put(db, "a", R"("end": {"N": ")" + std::to_string(end) + "\"}");
  const Json transaction = {
      {"ClientRequestToken", "token"},
      {"TransactItems",
       Json::array({{{"Put", {{"TableName", "Music"}, {"Item", {{"pk", {{"S", "b"}}}}}}}}})}};
  db.ok("TransactWriteItems", transaction);
  const auto count = [&] { return db.ok("Scan", {{"TableName", "Music"}}).at("Count").get<int>(); };
  set_back(db);
  db.ok("DeleteItem", {{"TableName", "Music"}, {"Key", {{"pk", {{"S", "b"}}}}}});
  db.ok("TransactWriteItems", transaction);  // known: nothing is done
  CHECK(count() == 1);
  db.clock().advance(1h + 2min);
  db.jobs().run_due();
  CHECK(count() == 0);
  db.clock().advance(10min);
  db.jobs().run_due();
  db.ok("TransactWriteItems", transaction);
  CHECK(count() == 1);
}

TEST_CASE("clock set back: reads that lag see what was written before, without a further write") {
  dinette::dynamodb::ServiceOptions options;
  options.index_lag = 100ms;
  options.stale_reads = 100ms;
  DynamoDb db(options);
  db.ok("CreateTable", with_stream());
  db.clock().advance(1s);
  put(db, "a");
  set_back(db);
  for (int i = 0; i < 10; ++i) {
    db.clock().advance(10ms);
    CHECK(db.ok("Scan", {{"TableName", "Music"}}).at("Count") == 1);
  }
}

}  // namespace test::clock_set_back_test

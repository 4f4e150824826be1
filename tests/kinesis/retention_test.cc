#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "kinesis/fixture.h"

// docs/service/kinesis-data-streams.md section 6.
namespace test::kinesis::retention_test {
namespace {

using namespace std::chrono_literals;
using Strings = std::vector<std::string>;

std::int64_t records_in(Kinesis& k) {
  return k.world().kept_history().value().stream_records.rows;
}

void keep_for(Kinesis& k, const char* change, int hours) {
  k.ok(std::string(change) + "StreamRetentionPeriod",
       {{"StreamName", "clicks"}, {"RetentionPeriodHours", hours}});
}

}  // namespace

TEST_CASE("records are removed after a day, and none is returned after it") {
  Kinesis k;
  k.create("clicks");
  k.put("clicks", "a", "old");
  k.advance(12h);
  k.put("clicks", "a", "new");
  k.clock().advance(12h);
  CHECK(k.read_shard("clicks", shard(0)) == Strings{"old", "new"});
  k.clock().advance(1ms);  // before the job has run
  CHECK(k.read_shard("clicks", shard(0)) == Strings{"new"});
  CHECK(records_in(k) == 2);
  k.advance(1min);
  CHECK(records_in(k) == 1);
  k.advance(13h);
  CHECK(records_in(k) == 0);
}

TEST_CASE("records that come when all others are gone are removed in their time") {
  Kinesis k;
  k.create("clicks", 3);
  for (int day = 0; day < 5; ++day) {
    k.put("clicks", "a", "x");
    k.advance(24h + 1min);
    CHECK(records_in(k) == 0);
  }
}

TEST_CASE("many records are removed in small steps") {
  Kinesis k;
  k.create("clicks", 2);
  Json records = Json::array();
  for (int i = 0; i < 500; ++i) records.push_back({{"PartitionKey", std::to_string(i)}, {"Data", ""}});
  for (int i = 0; i < 20; ++i) k.ok("PutRecords", {{"StreamName", "clicks"}, {"Records", records}});
  k.advance(0ms);
  k.clock().advance(25h);
  std::int64_t before = records_in(k);
  CHECK(before == 10'000);
  while (k.world().jobs().run_step()) {
    const std::int64_t left = records_in(k);
    CHECK(before - left <= 4096);
    before = left;
  }
  CHECK(before == 0);
}

TEST_CASE("a longer period keeps records, a shorter one removes them at once") {
  Kinesis k;
  k.create("clicks");
  keep_for(k, "Increase", 48);
  k.put("clicks", "a", "x");
  k.advance(47h);
  CHECK(k.read_shard("clicks", shard(0)) == Strings{"x"});
  keep_for(k, "Decrease", 24);
  CHECK(k.read_shard("clicks", shard(0)).empty());
  k.advance(0ms);
  CHECK(records_in(k) == 0);
}

TEST_CASE("closed shards are forgotten after the period") {
  Kinesis k;
  k.create("clicks");
  k.put("clicks", "a", "x");
  k.ok("SplitShard", {{"StreamName", "clicks"}, {"ShardToSplit", shard(0)}, {"NewStartingHashKey", "100"}});
  k.advance(23h);
  CHECK(k.shards("clicks").size() == 3);
  k.advance(2h);
  const Json shards = k.shards("clicks");
  REQUIRE(shards.size() == 2);
  CHECK(shards[0].at("ShardId") == shard(1));
  CHECK(shards[0].at("ParentShardId") == shard(0));
  CHECK(records_in(k) == 0);
}

TEST_CASE("a period has limits, and each operation its direction") {
  Kinesis k;
  k.create("clicks");
  const auto refuse = [&](const char* change, int hours) {
    return k.refusal(std::string(change) + "StreamRetentionPeriod",
                     {{"StreamName", "clicks"}, {"RetentionPeriodHours", hours}});
  };
  CHECK(refuse("Decrease", 23) ==
        "InvalidArgumentException: Minimum allowed retention period is 24 hours. Requested retention period "
        "(23 "
        "hours) is too short.");
  CHECK(refuse("Increase", 8761) ==
        "InvalidArgumentException: Maximum allowed retention period is 8760 hours. Requested retention "
        "period (8761 "
        "hours) is too long.");
  keep_for(k, "Increase", 8760);
  keep_for(k, "Increase", 8760);
  CHECK(refuse("Increase", 100) ==
        "InvalidArgumentException: Requested retention period (100 hours) for stream clicks can not be "
        "shorter than "
        "existing retention period (8760 hours). Use DecreaseRetentionPeriod API.");
  keep_for(k, "Decrease", 100);
  CHECK(refuse("Decrease", 101) ==
        "InvalidArgumentException: Requested retention period (101 hours) for stream clicks can not be "
        "longer than "
        "existing retention period (100 hours). Use IncreaseRetentionPeriod API.");
  CHECK(k.ok("DescribeStreamSummary", {{"StreamName", "clicks"}})
            .at("StreamDescriptionSummary")
            .at("RetentionPeriodHours") == 100);
}

TEST_CASE("the work is taken up by a world that is opened again") {
  Kinesis k;
  k.create("clicks");
  k.put("clicks", "a", "x");
  REQUIRE(k.worlds().fork("", "copy").ok());
  k.advance(25h);
  CHECK(k.worlds().find("copy")->kept_history().value().stream_records.rows == 0);
}

TEST_CASE("a page leaves out so many records that are too old, and says that there are more") {
  Kinesis k;
  k.create("clicks");
  Json records = Json::array();
  for (int i = 0; i < 500; ++i) records.push_back({{"PartitionKey", "a"}, {"Data", ""}});
  for (int i = 0; i < 21; ++i) k.ok("PutRecords", {{"StreamName", "clicks"}, {"Records", records}});
  k.clock().advance(1h);
  k.put("clicks", "a", "new");
  const Json page = k.ok(
      "GetRecords",
      {{"ShardIterator",
        k.iterator("clicks", shard(0), {{"ShardIteratorType", "AT_TIMESTAMP"}, {"Timestamp", 1791633601}})}});
  CHECK(page.at("Records").empty());
  CHECK(page.at("MillisBehindLatest") == 3600000);
  CHECK(k.read(page.at("NextShardIterator")) == Strings{"new"});
}

}  // namespace test::kinesis::retention_test

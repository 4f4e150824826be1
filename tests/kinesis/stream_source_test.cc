#include "dinette/kinesis/stream_source.h"

#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "kinesis/fixture.h"

// docs/service/triggers.md sections 2 and 6.2.
namespace test::kinesis::stream_source_test {
namespace {

using namespace std::chrono_literals;
using namespace dinette::deliveries;
using Strings = std::vector<std::string>;

const std::string arn = "arn:aws:kinesis:us-east-1:000000000000:stream/clicks";

std::unique_ptr<StreamSource> source_of(Kinesis& k, const std::string& stream = arn) {
  return dinette::kinesis::open_stream_source(k.world(), "", stream).value();
}

Strings keys_of(const RecordPage& page) {
  Strings keys;
  for (const Record& record : page.records) keys.push_back(record.key);
  return keys;
}

}  // namespace

TEST_CASE("a record of a Kinesis stream as functions get it: all members in their order") {
  Kinesis k;
  k.create("clicks");
  k.clock().set(dinette::base::TimePoint(1'545'084'650'987ms));
  const std::string number = k.put("clicks", "te\"st", "hello");
  const RecordPage page = source_of(k)->read(shard(0), "", 10, 1 << 20).value();
  REQUIRE(page.records.size() == 1);
  const Record& record = page.records.front();
  CHECK(
      record.payload ==
      R"({"kinesis":{"kinesisSchemaVersion":"1.0","partitionKey":"te\"st","sequenceNumber":")" + number +
          R"(","data":"aGVsbG8=","approximateArrivalTimestamp":1545084650.987},)"
          R"("eventSource":"aws:kinesis","eventVersion":"1.0","eventID":"shardId-000000000000:)" +
          number +
          R"(","eventName":"aws:kinesis:record","invokeIdentityArn":"arn:aws:iam::000000000000:role/dinette",)"
          R"("awsRegion":"us-east-1","eventSourceARN":")" +
          arn + R"("})");
  CHECK(record.number == number);
  CHECK(record.key == "te\"st");
  CHECK(record.moment == k.clock().now());
  CHECK(page.at_end);
  CHECK_FALSE(page.closed);
}

TEST_CASE("reading a shard goes on after a record") {
  Kinesis k;
  k.create("clicks");
  for (const char* key : {"a", "b", "c"}) k.put("clicks", key, "x");
  const auto source = source_of(k);
  const RecordPage first = source->read(shard(0), "", 2, 1 << 20).value();
  CHECK(keys_of(first) == Strings{"a", "b"});
  CHECK_FALSE(first.at_end);
  CHECK(keys_of(source->read(shard(0), first.records.back().number, 2, 1 << 20).value()) == Strings{"c"});
  CHECK(source->read(shard(0), "", 10, 1).value().records.size() == 1);
}

TEST_CASE("places in a shard: the latest, and that of a time") {
  Kinesis k;
  k.create("clicks");
  const auto source = source_of(k);
  const auto from = [&](StartingPosition position, dinette::base::TimePoint moment = {}) {
    const std::string place = source->place_of(shard(0), position, moment).value();
    return keys_of(source->read(shard(0), place, 10, 1 << 20).value());
  };
  k.put("clicks", "a", "x");
  k.advance(1s);
  k.put("clicks", "b", "x");
  const std::string latest = source->place_of(shard(0), StartingPosition::latest, {}).value();
  k.advance(1s);
  k.put("clicks", "c", "x");
  CHECK(keys_of(source->read(shard(0), latest, 10, 1 << 20).value()) == Strings{"c"});
  CHECK(from(StartingPosition::trim_horizon) == Strings{"a", "b", "c"});
  CHECK(from(StartingPosition::at_timestamp, k.clock().now() - 1s) == Strings{"b", "c"});
  CHECK(from(StartingPosition::at_timestamp, k.clock().now() - 1s + 1ms) == Strings{"c"});
}

TEST_CASE("a merged shard comes after both of its parents") {
  Kinesis k;
  k.create("clicks", 2);
  k.put("clicks", "a", "x");
  k.ok("MergeShards",
       {{"StreamName", "clicks"}, {"ShardToMerge", shard(0)}, {"AdjacentShardToMerge", shard(1)}});
  const auto source = source_of(k);
  const auto shards = *source->shards().value();
  REQUIRE(shards.size() == 3);
  CHECK(shards[2].parents == Strings{shard(0), shard(1)});
  CHECK(source->read(shard(0), "", 10, 1 << 20).value().closed);
  CHECK_FALSE(source->read(shard(2), "", 10, 1 << 20).value().closed);
}

TEST_CASE("records beyond the retention period are skipped") {
  Kinesis k;
  k.create("clicks");
  k.put("clicks", "a", "x");
  k.clock().advance(25h);
  k.put("clicks", "b", "x");
  CHECK(keys_of(source_of(k)->read(shard(0), "", 10, 1 << 20).value()) == Strings{"b"});
}

TEST_CASE("a record is removed when it is older than the retention period") {
  Kinesis k;
  k.create("clicks");
  k.put("clicks", "a", "x");
  const auto source = source_of(k);
  const Record record = source->read(shard(0), "", 10, 1 << 20).value().records.front();
  k.clock().advance(23h);
  CHECK_FALSE(source->is_removed(shard(0), record).value());
  k.clock().advance(2h);
  CHECK(source->is_removed(shard(0), record).value());
}

TEST_CASE("a Kinesis stream that is deleted is gone for its readers") {
  Kinesis k;
  k.create("clicks");
  const auto source = source_of(k);
  k.ok("DeleteStream", {{"StreamName", "clicks"}});
  k.advance(0s);
  CHECK_FALSE(source->shards().value());
  CHECK(source->read(shard(0), "", 10, 1 << 20).value().closed);
  CHECK(source_of(k) == nullptr);
}

TEST_CASE("there is no source of what is no Kinesis stream of this account") {
  Kinesis k;
  k.create("clicks");
  for (const char* other : {"x", "arn:aws:kinesis:us-east-1:000000000000:stream/taps",
                            "arn:aws:kinesis:us-east-1:999999999999:stream/clicks",
                            "arn:aws:sqs:us-east-1:000000000000:stream/clicks"})
    CHECK(source_of(k, other) == nullptr);
}

}  // namespace test::kinesis::stream_source_test

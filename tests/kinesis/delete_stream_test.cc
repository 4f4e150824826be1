#include <cstdint>
#include <string>

#include <catch2/catch.hpp>

#include "kinesis/fixture.h"

// docs/service/kinesis-data-streams.md section 2.
namespace test::kinesis::delete_stream_test {
namespace {

using namespace std::chrono_literals;

std::uint64_t records_in(Kinesis& k) {
  return static_cast<std::uint64_t>(k.world().kept_history().value().stream_records.rows);
}

}  // namespace

TEST_CASE("a deleted stream is gone, and its records soon after") {
  Kinesis k;
  k.create("clicks", 200);
  for (int i = 0; i < 50; ++i) k.put("clicks", std::to_string(i), "x");
  CHECK(records_in(k) == 50);
  const Reply deleted = k.call("DeleteStream", Json{{"StreamName", "clicks"}});
  CHECK(deleted.status == 200);
  CHECK(deleted.body.empty());
  CHECK(k.ok("ListStreams", Json::object()).at("StreamNames").empty());
  CHECK(k.refusal("PutRecord", {{"StreamName", "clicks"}, {"PartitionKey", "a"}, {"Data", ""}}) ==
        "ResourceNotFoundException: Stream clicks under account 000000000000 not found.");
  k.advance(0ms);
  CHECK(records_in(k) == 0);
}

TEST_CASE("a stream is DELETING for a while, in which it is read and written") {
  Kinesis k({.state_delay = 2s});
  k.create("clicks");
  k.advance(2s);
  k.ok("DeleteStream", {{"StreamName", "clicks"}});
  CHECK(k.ok("DescribeStreamSummary", {{"StreamName", "clicks"}})
            .at("StreamDescriptionSummary")
            .at("StreamStatus") == "DELETING");
  k.put("clicks", "a", "late");
  CHECK(k.read_shard("clicks", shard(0)).size() == 1);
  CHECK(k.refusal("DeleteStream", {{"StreamName", "clicks"}}) ==
        "ResourceInUseException: Stream clicks under account 000000000000 not ACTIVE, instead in state "
        "DELETING");
  CHECK_THAT(k.refusal("CreateStream", {{"StreamName", "clicks"}, {"ShardCount", 1}}),
             Catch::StartsWith("ResourceInUseException"));
  k.advance(2s);
  CHECK_THAT(k.refusal("DescribeStreamSummary", {{"StreamName", "clicks"}}),
             Catch::StartsWith("ResourceNotFoundException"));
  CHECK(records_in(k) == 0);
}

TEST_CASE("a name can be used again as soon as the clock says so, before the job has run") {
  Kinesis k({.state_delay = 2s});
  k.create("clicks");
  k.clock().advance(2s);
  k.ok("DeleteStream", {{"StreamName", "clicks"}});
  k.clock().advance(2s);
  k.create("clicks", 2);
  k.advance(10s);
  CHECK(k.shards("clicks").size() == 2);
}

TEST_CASE("the deletion of a stream is finished by a world that is opened again") {
  Kinesis k({.state_delay = 2s});
  k.create("clicks");
  k.advance(2s);
  k.put("clicks", "a", "x");
  k.ok("DeleteStream", {{"StreamName", "clicks"}});
  REQUIRE(k.worlds().add_fork("copy", k.world().image().value()).ok());
  k.advance(2s);
  const auto copy = k.worlds().find("copy");
  CHECK(
      k.call("ListStreams", Json::object(), {{"X-Dinette-World", "copy"}}).json().at("StreamNames").empty());
  CHECK(copy->kept_history().value().stream_records.rows == 0);
}

TEST_CASE("iterators of a deleted stream find no shard, nor in a later stream of the same name") {
  Kinesis k;
  k.create("clicks");
  const std::string iterator = k.iterator("clicks", shard(0));
  const std::string refusal =
      "ResourceNotFoundException: Shard shardId-000000000000 in stream clicks under account 000000000000 "
      "does not "
      "exist";
  k.ok("DeleteStream", {{"StreamName", "clicks"}});
  CHECK(k.refusal("GetRecords", {{"ShardIterator", iterator}}) == refusal);
  k.create("clicks");
  CHECK(k.refusal("GetRecords", {{"ShardIterator", iterator}}) == refusal);
}

}  // namespace test::kinesis::delete_stream_test

#include <catch2/catch.hpp>

#include "kinesis/fixture.h"

// docs/service/kinesis-data-streams.md sections 1 and 2.
namespace test::kinesis::create_stream_test {
namespace {

using namespace std::chrono_literals;

const std::string arn = "arn:aws:kinesis:us-east-1:000000000000:stream/clicks";

}  // namespace

TEST_CASE("CreateStream has an empty answer, and DescribeStreamSummary describes the stream") {
  Kinesis k;
  const Reply created = k.call("CreateStream", Json{{"StreamName", "clicks"}, {"ShardCount", 3}});
  CHECK(created.status == 200);
  CHECK(created.body.empty());
  const Json expected = {{"StreamName", "clicks"},
                         {"StreamARN", arn},
                         {"StreamStatus", "ACTIVE"},
                         {"StreamModeDetails", {{"StreamMode", "PROVISIONED"}}},
                         {"RetentionPeriodHours", 24},
                         {"StreamCreationTimestamp", 1791633600.0},
                         {"EnhancedMonitoring", Json::array({{{"ShardLevelMetrics", Json::array()}}})},
                         {"EncryptionType", "NONE"},
                         {"OpenShardCount", 3},
                         {"ConsumerCount", 0},
                         {"MaxRecordSizeInKiB", 1024}};
  const Reply described = k.call("DescribeStreamSummary", Json{{"StreamName", "clicks"}});
  CHECK(described.content_type == "application/x-amz-json-1.1");
  CHECK(described.json() == Json{{"StreamDescriptionSummary", expected}});
  CHECK(k.ok("DescribeStreamSummary", {{"StreamARN", arn}}).at("StreamDescriptionSummary") == expected);
}

TEST_CASE("a stream in on-demand mode has four shards") {
  Kinesis k;
  k.ok("CreateStream", {{"StreamName", "clicks"}, {"StreamModeDetails", {{"StreamMode", "ON_DEMAND"}}}});
  const Json summary =
      k.ok("DescribeStreamSummary", {{"StreamName", "clicks"}}).at("StreamDescriptionSummary");
  CHECK(summary.at("OpenShardCount") == 4);
  CHECK(summary.at("StreamModeDetails") == Json{{"StreamMode", "ON_DEMAND"}});
}

TEST_CASE("the hash keys are shared evenly by the shards") {
  Kinesis k;
  k.create("clicks", 3);
  const Json shards = k.shards("clicks");
  const char* const ends[] = {"113427455640312821154458202477256070484",
                              "226854911280625642308916404954512140969",
                              "340282366920938463463374607431768211455"};
  const char* const starts[] = {"0", "113427455640312821154458202477256070485",
                                "226854911280625642308916404954512140970"};
  REQUIRE(shards.size() == 3);
  for (int i = 0; i < 3; ++i) {
    CHECK(shards[i].at("ShardId") == shard(i));
    CHECK(shards[i].at("HashKeyRange") == Json{{"StartingHashKey", starts[i]}, {"EndingHashKey", ends[i]}});
    const std::string start = shards[i].at("SequenceNumberRange").at("StartingSequenceNumber");
    CHECK(start.size() == 56);
    CHECK(start.starts_with("49"));
  }
}

TEST_CASE("a name can be used once") {
  Kinesis k;
  k.create("clicks");
  CHECK(k.refusal("CreateStream", {{"StreamName", "clicks"}, {"ShardCount", 1}}) ==
        "ResourceInUseException: Stream clicks under account 000000000000 already exists.");
}

TEST_CASE("streams that do not exist are not found") {
  Kinesis k;
  for (const char* operation :
       {"DescribeStreamSummary", "DescribeStream", "DeleteStream", "ListShards", "ListTagsForStream"})
    CHECK(k.refusal(operation, {{"StreamName", "taps"}}) ==
          "ResourceNotFoundException: Stream taps under account 000000000000 not found.");
}

TEST_CASE("names and counts are validated together") {
  Kinesis k;
  CHECK(
      k.refusal("CreateStream", {{"StreamName", "a b"}, {"ShardCount", 0}}) ==
      "ValidationException: 2 validation errors detected: Value '0' at 'shardCount' failed to satisfy "
      "constraint: Member must have value greater than or equal to 1; Value 'a b' at 'streamName' failed to "
      "satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
  CHECK(k.refusal("CreateStream", {{"ShardCount", 1}}) ==
        "ValidationException: 1 validation error detected: Value null at 'streamName' failed to satisfy "
        "constraint: Member must not be null");
  CHECK(k.refusal("DescribeStream", {{"StreamARN", "arn:aws:sqs:us-east-1:000000000000:stream/clicks"}}) ==
        "ValidationException: 1 validation error detected: Value "
        "'arn:aws:sqs:us-east-1:000000000000:stream/clicks' at 'streamARN' failed to satisfy constraint: "
        "Member "
        "must satisfy regular expression pattern: arn:aws.*:kinesis:.*:\\d{12}:stream/\\S+");
}

TEST_CASE("a stream is CREATING for a while, and then ACTIVE") {
  Kinesis k({.state_delay = 2s});
  k.create("clicks", 2);
  const auto summary = [&] {
    return k.ok("DescribeStreamSummary", {{"StreamName", "clicks"}}).at("StreamDescriptionSummary");
  };
  CHECK(summary().at("StreamStatus") == "CREATING");
  CHECK(summary().at("OpenShardCount") == 0);
  CHECK(k.shards("clicks").empty());
  CHECK(k.refusal("PutRecord", {{"StreamName", "clicks"}, {"PartitionKey", "a"}, {"Data", "YQ=="}}) ==
        "ResourceNotFoundException: Stream clicks under account 000000000000 not found.");
  k.advance(2s);
  CHECK(summary().at("StreamStatus") == "ACTIVE");
  CHECK(k.shards("clicks").size() == 2);
  k.put("clicks", "a", "x");
}

}  // namespace test::kinesis::create_stream_test

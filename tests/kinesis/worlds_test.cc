#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/kinesis/stream_source.h"

#include "kinesis/fixture.h"

namespace test::kinesis::worlds_test {
namespace {

using namespace std::chrono_literals;
using Strings = std::vector<std::string>;

Headers of_region(const std::string& region) {
  const std::string signature = "AWS4-HMAC-SHA256 Credential=any/20261010/" + region +
                                "/kinesis/aws4_request, SignedHeaders=host, Signature=0";
  return {{"Authorization", signature}, {"X-Amz-Date", "20261010T120000Z"}};
}

}  // namespace

TEST_CASE("a fork has the streams, their records and the iterators of its origin, and goes on by itself") {
  Kinesis k;
  k.create("clicks");
  k.put("clicks", "a", "both");
  REQUIRE(k.worlds().add_fork("copy", k.world().image().value()).ok());
  const std::string iterator = k.iterator("clicks", shard(0));
  k.put("clicks", "a", "origin");
  CHECK(k.read(iterator) == Strings{"both", "origin"});
  const Reply in_fork =
      k.call("GetRecords", Json{{"ShardIterator", iterator}}, {{"X-Dinette-World", "copy"}});
  CHECK(in_fork.json().at("Records").size() == 1);
  REQUIRE(k.worlds().reset("").ok());
  CHECK(k.ok("ListStreams", Json::object()).at("StreamNames").empty());
}

TEST_CASE("regions have streams of their own if they are isolated, and else share them") {
  const Headers headers = of_region("eu-west-1");
  for (const bool isolated : {false, true}) {
    Kinesis k({.isolation = {.regions = isolated}});
    k.create("clicks");
    const Reply summary = k.call("DescribeStreamSummary", Json{{"StreamName", "clicks"}}, headers);
    CHECK(summary.status == (isolated ? 400 : 200));
    const Reply created = k.call("CreateStream", Json{{"StreamName", "taps"}, {"ShardCount", 1}}, headers);
    CHECK(created.status == 200);
    const Reply taps = k.call("DescribeStreamSummary", Json{{"StreamName", "taps"}}, headers);
    CHECK(taps.json().at("StreamDescriptionSummary").at("StreamARN") ==
          "arn:aws:kinesis:eu-west-1:000000000000:stream/taps");
    CHECK(k.ok("ListStreams", Json::object()).at("StreamNames").size() == (isolated ? 1 : 2));
  }
}

TEST_CASE("the ARN of a stream is of the partition that its region belongs to") {
  Kinesis k({.isolation = {.regions = true}});
  const std::pair<std::string, std::string> partitions[] = {
      {"cn-north-1", "aws-cn"}, {"us-gov-west-1", "aws-us-gov"}, {"eu-west-1", "aws"}};
  for (const auto& [region, partition] : partitions) {
    INFO(region);
    const Headers headers = of_region(region);
    REQUIRE(k.call("CreateStream", Json{{"StreamName", "clicks"}, {"ShardCount", 1}}, headers).status == 200);
    const std::string place = ":kinesis:" + region + ":000000000000:stream/clicks";
    const std::string arn = "arn:" + partition + place;
    const Reply summary = k.call("DescribeStreamSummary", Json{{"StreamARN", arn}}, headers);
    REQUIRE(summary.status == 200);
    CHECK(summary.json().at("StreamDescriptionSummary").at("StreamARN") == arn);
    const Json record = {{"StreamARN", arn}, {"PartitionKey", "a"}, {"Data", "aGVsbG8="}};
    CHECK(k.call("PutRecord", record, headers).status == 200);
    CHECK(k.call("DescribeStreamSummary", Json{{"StreamARN", "arn:aws-other" + place}}, headers).refusal() ==
          "ResourceNotFoundException: Stream clicks under account 000000000000 not found.");

    const auto source = dinette::kinesis::open_stream_source(k.world(), region, arn).value();
    REQUIRE(source);
    const auto page = source->read(shard(0), "", 1, 1 << 20).value();
    REQUIRE(page.records.size() == 1);
    const Json event = Json::parse(page.records.front().payload);
    CHECK(event.at("eventSourceARN") == arn);
    CHECK(event.at("invokeIdentityArn") == "arn:" + partition + ":iam::000000000000:role/dinette");
  }
}

TEST_CASE("a stream is no table of its world") {
  Kinesis k({.isolation = {.regions = true}});
  k.create("clicks");
  CHECK(k.world().size().value().tables == 0);
  CHECK(k.world().name_spaces().value().empty());
  CHECK_FALSE(k.world().untouched().value());
}

}  // namespace test::kinesis::worlds_test

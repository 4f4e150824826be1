#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "kinesis/fixture.h"

namespace test::kinesis::worlds_test {
namespace {

using namespace std::chrono_literals;
using Strings = std::vector<std::string>;

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
  const std::string other =
      "AWS4-HMAC-SHA256 Credential=any/20261010/eu-west-1/kinesis/aws4_request, "
      "SignedHeaders=host, Signature=0";
  const Headers headers = {{"Authorization", other}, {"X-Amz-Date", "20261010T120000Z"}};
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

TEST_CASE("a stream is no table of its world") {
  Kinesis k({.isolation = {.regions = true}});
  k.create("clicks");
  CHECK(k.world().size().value().tables == 0);
  CHECK(k.world().name_spaces().value().empty());
  CHECK_FALSE(k.world().untouched().value());
}

}  // namespace test::kinesis::worlds_test

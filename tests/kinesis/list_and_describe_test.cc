#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "kinesis/fixture.h"

// docs/service/kinesis-data-streams.md section 2.
namespace test::kinesis::list_and_describe_test {
namespace {

using namespace std::chrono_literals;
using Strings = std::vector<std::string>;

std::vector<int> numbers_of(const Json& shards) {
  std::vector<int> numbers;
  for (const Json& one : shards) numbers.push_back(std::stoi(one.at("ShardId").get<std::string>().substr(8)));
  return numbers;
}

}  // namespace

TEST_CASE("streams are listed by name, page by page") {
  Kinesis k;
  for (const char* name : {"c", "a", "b"}) k.create(name);
  const Json first = k.ok("ListStreams", {{"Limit", 2}});
  CHECK(first.at("StreamNames") == Json(Strings{"a", "b"}));
  CHECK(first.at("HasMoreStreams") == true);
  CHECK(first.at("StreamSummaries")[1] ==
        Json{{"StreamName", "b"},
             {"StreamARN", "arn:aws:kinesis:us-east-1:000000000000:stream/b"},
             {"StreamStatus", "ACTIVE"},
             {"StreamModeDetails", {{"StreamMode", "PROVISIONED"}}},
             {"StreamCreationTimestamp", 1791633600.0}});
  for (const Json& next :
       {Json{{"NextToken", first.at("NextToken")}}, Json{{"ExclusiveStartStreamName", "b"}}}) {
    const Json last = k.ok("ListStreams", next);
    CHECK(last.at("StreamNames") == Json(Strings{"c"}));
    CHECK(last.at("HasMoreStreams") == false);
    CHECK_FALSE(last.contains("NextToken"));
  }
}

TEST_CASE("ListStreams returns at most 100 streams, whatever the limit") {
  Kinesis k;
  for (int i = 0; i < 101; ++i) k.create("stream" + std::to_string(1000 + i));
  const Json page = k.ok("ListStreams", {{"Limit", 10000}});
  CHECK(page.at("StreamNames").size() == 100);
  CHECK(page.at("HasMoreStreams") == true);
}

TEST_CASE("DescribeStream pages by the id of a shard") {
  Kinesis k;
  k.create("clicks", 5);
  Json request = {{"StreamName", "clicks"}, {"Limit", 2}, {"ExclusiveStartShardId", shard(0)}};
  const Json page = k.ok("DescribeStream", request).at("StreamDescription");
  CHECK(numbers_of(page.at("Shards")) == std::vector{1, 2});
  CHECK(page.at("HasMoreShards") == true);
  request["ExclusiveStartShardId"] = shard(2);
  const Json last = k.ok("DescribeStream", request).at("StreamDescription");
  CHECK(numbers_of(last.at("Shards")) == std::vector{3, 4});
  CHECK(last.at("HasMoreShards") == false);
}

TEST_CASE("DescribeStream returns at most 100 shards, ListShards 1000") {
  Kinesis k;
  k.create("clicks", 1001);
  const Json page =
      k.ok("DescribeStream", {{"StreamName", "clicks"}, {"Limit", 10000}}).at("StreamDescription");
  CHECK(page.at("Shards").size() == 100);
  CHECK(page.at("HasMoreShards") == true);
  const Json list = k.ok("ListShards", {{"StreamName", "clicks"}, {"MaxResults", 10000}});
  CHECK(list.at("Shards").size() == 1000);
  CHECK(numbers_of(k.ok("ListShards", {{"NextToken", list.at("NextToken")}}).at("Shards")) ==
        std::vector{1000});
}

TEST_CASE("ListShards goes on with a token alone, for five minutes") {
  Kinesis k;
  k.create("clicks", 3);
  const Json token = k.ok("ListShards", {{"StreamName", "clicks"}, {"MaxResults", 2}}).at("NextToken");
  k.advance(5min);
  CHECK(numbers_of(k.ok("ListShards", {{"NextToken", token}}).at("Shards")) == std::vector{2});
  CHECK(k.refusal("ListShards", {{"NextToken", token}, {"StreamName", "clicks"}}) ==
        "InvalidArgumentException: NextToken and StreamName cannot be provided together.");
  const Json arn = "arn:aws:kinesis:us-east-1:000000000000:stream/clicks";
  CHECK(k.refusal("ListShards", {{"NextToken", token}, {"StreamARN", arn}}) ==
        "InvalidArgumentException: NextToken and StreamARN cannot be provided together.");
  const std::vector<std::pair<std::string, Json>> others = {{"ExclusiveStartShardId", shard(0)},
                                                            {"StreamCreationTimestamp", 1'700'000'000},
                                                            {"ShardFilter", {{"Type", "AT_LATEST"}}}};
  for (const auto& [member, value] : others) {
    CHECK(k.refusal("ListShards", {{"NextToken", token}, {member, value}}) ==
          "InvalidArgumentException: NextToken and " + member + " cannot be provided together.");
  }
  k.advance(1ms);
  CHECK(k.refusal("ListShards", {{"NextToken", token}}) ==
        "ExpiredNextTokenException: NextToken has expired.");
  CHECK(k.refusal("ListShards", {{"NextToken", "x"}}) == "InvalidArgumentException: NextToken is not valid.");
}

TEST_CASE("a token of a stream does not continue another of the same name") {
  Kinesis k;
  k.create("clicks", 3);
  const Json token = k.ok("ListShards", {{"StreamName", "clicks"}, {"MaxResults", 2}}).at("NextToken");
  k.ok("DeleteStream", {{"StreamName", "clicks"}});
  k.create("clicks", 3);
  CHECK(k.refusal("ListShards", {{"NextToken", token}}) ==
        "ResourceNotFoundException: Stream clicks under account 000000000000 not found.");
}

TEST_CASE("a shard filter chooses by time or by id") {
  Kinesis k;
  k.create("clicks", 1);
  k.advance(1h);
  k.ok("SplitShard", {{"StreamName", "clicks"}, {"ShardToSplit", shard(0)}, {"NewStartingHashKey", "100"}});
  k.advance(1h);
  const auto filtered = [&](const Json& filter) {
    return numbers_of(k.ok("ListShards", {{"StreamName", "clicks"}, {"ShardFilter", filter}}).at("Shards"));
  };
  const double created = 1791633600;
  CHECK(filtered({{"Type", "AT_LATEST"}}) == std::vector{1, 2});
  CHECK(filtered({{"Type", "AT_TRIM_HORIZON"}}) == std::vector{0});
  CHECK(filtered({{"Type", "FROM_TRIM_HORIZON"}}) == std::vector{0, 1, 2});
  CHECK(filtered({{"Type", "AT_TIMESTAMP"}, {"Timestamp", created + 1800}}) == std::vector{0});
  CHECK(filtered({{"Type", "AT_TIMESTAMP"}, {"Timestamp", created + 3600}}) == std::vector{1, 2});
  CHECK(filtered({{"Type", "FROM_TIMESTAMP"}, {"Timestamp", created + 1800}}) == std::vector{0, 1, 2});
  CHECK(filtered({{"Type", "FROM_TIMESTAMP"}, {"Timestamp", created + 3601}}) == std::vector{1, 2});
  CHECK(filtered({{"Type", "AFTER_SHARD_ID"}, {"ShardId", shard(1)}}) == std::vector{2});
  for (const char* type : {"AT_TIMESTAMP", "FROM_TIMESTAMP", "AFTER_SHARD_ID"})
    CHECK_THAT(k.refusal("ListShards", {{"StreamName", "clicks"}, {"ShardFilter", {{"Type", type}}}}),
               Catch::StartsWith("InvalidArgumentException: ShardFilter of type " + std::string(type)));
}

TEST_CASE("a stream is named by its name, its ARN, or both") {
  Kinesis k;
  k.create("clicks");
  const std::string arn = "arn:aws:kinesis:us-east-1:000000000000:stream/clicks";
  k.ok("DescribeStreamSummary", {{"StreamName", "clicks"}, {"StreamARN", arn}});
  CHECK(k.refusal("DescribeStreamSummary", Json::object()) ==
        "InvalidArgumentException: Either StreamName or StreamARN should be provided.");
  CHECK(k.refusal("DescribeStreamSummary", {{"StreamName", "taps"}, {"StreamARN", arn}}) ==
        "InvalidArgumentException: StreamName taps is not that of StreamARN " + arn + ".");
  CHECK(k.refusal("DescribeStreamSummary",
                  {{"StreamARN", "arn:aws:kinesis:us-east-1:111111111111:stream/clicks"}}) ==
        "ResourceNotFoundException: Stream clicks under account 111111111111 not found.");
  CHECK_THAT(k.refusal("DescribeStreamSummary",
                       {{"StreamARN", "arn:aws:kinesis:eu-west-1:000000000000:stream/clicks"}}),
             Catch::StartsWith("ResourceNotFoundException"));
}

}  // namespace test::kinesis::list_and_describe_test

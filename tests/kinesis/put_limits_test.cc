#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/base64.h"

#include "kinesis/fixture.h"

// docs/service/kinesis-data-streams.md section 4.
namespace test::kinesis::put_limits_test {
namespace {

using Strings = std::vector<std::string>;

constexpr std::size_t mebibyte = 1024 * 1024;

std::string blob(std::size_t bytes) {
  return dinette::base::base64_encode(std::string(bytes, 'x'));
}

Json entry(const std::string& partition_key, const std::string& data) {
  return {{"PartitionKey", partition_key}, {"Data", data}};
}

}  // namespace

TEST_CASE("a record has at most a mebibyte with its partition key") {
  Kinesis k;
  k.create("clicks");
  const auto put = [&](std::size_t bytes) {
    return k.call("PutRecord", Json{{"StreamName", "clicks"}, {"PartitionKey", "a"}, {"Data", blob(bytes)}});
  };
  CHECK(put(mebibyte - 1).status == 200);
  CHECK(put(mebibyte).refusal() ==
        "ValidationException: 1 validation error detected: Value at 'data' failed to satisfy constraint: "
        "Member "
        "must have length less than or equal to 1048576");
}

TEST_CASE("a stream may be created for larger records") {
  Kinesis k;
  k.ok("CreateStream", {{"StreamName", "clicks"}, {"ShardCount", 1}, {"MaxRecordSizeInKiB", 2048}});
  k.ok("PutRecord", {{"StreamName", "clicks"}, {"PartitionKey", "a"}, {"Data", blob(2 * mebibyte - 1)}});
  CHECK(k.read_shard("clicks", shard(0)).front().size() == 2 * mebibyte - 1);
  CHECK_THAT(k.refusal("CreateStream", {{"StreamName", "x"}, {"MaxRecordSizeInKiB", 10241}}),
             Catch::Contains("Value '10241' at 'maxRecordSizeInKiB' failed to satisfy constraint"));
}

TEST_CASE("no record has more than ten mebibytes") {
  Kinesis k;
  k.create("clicks");
  CHECK(k.refusal("PutRecord",
                  {{"StreamName", "clicks"}, {"PartitionKey", "a"}, {"Data", blob(10 * mebibyte + 1)}}) ==
        "ValidationException: 1 validation error detected: Value at 'data' failed to satisfy constraint: "
        "Member "
        "must have length less than or equal to 10485760");
}

TEST_CASE("PutRecords puts all records, each into its shard, in their order") {
  Kinesis k;
  k.create("clicks", 2);
  Json records = Json::array();
  for (const char* key : {"b", "a", "b", "a"})
    records.push_back(entry(key, dinette::base::base64_encode(key + std::to_string(records.size()))));
  const Json put = k.ok("PutRecords", {{"StreamName", "clicks"}, {"Records", records}});
  CHECK(put.at("FailedRecordCount") == 0);
  CHECK(put.at("EncryptionType") == "NONE");
  const char* const shards[] = {"shardId-000000000001", "shardId-000000000000", "shardId-000000000001",
                                "shardId-000000000000"};
  for (int i = 0; i < 4; ++i) CHECK(put.at("Records")[i].at("ShardId") == shards[i]);
  CHECK(k.read_shard("clicks", shard(0)) == Strings{"a1", "a3"});
  CHECK(k.read_shard("clicks", shard(1)) == Strings{"b0", "b2"});
  const Json page = k.ok("GetRecords", {{"ShardIterator", k.iterator("clicks", shard(1))}});
  CHECK(page.at("Records")[0].at("SequenceNumber") == put.at("Records")[0].at("SequenceNumber"));
  CHECK(page.at("Records")[1].at("SequenceNumber") == put.at("Records")[2].at("SequenceNumber"));
}

TEST_CASE("PutRecords takes 500 records and ten mebibytes") {
  Kinesis k;
  k.create("clicks");
  Json records(500, entry("a", ""));
  k.ok("PutRecords", {{"StreamName", "clicks"}, {"Records", records}});
  records.push_back(entry("a", ""));
  CHECK_THAT(
      k.refusal("PutRecords", {{"StreamName", "clicks"}, {"Records", records}}),
      Catch::EndsWith("at 'records' failed to satisfy constraint: Member must have length less than or equal "
                      "to 500"));
  CHECK_THAT(k.refusal("PutRecords", {{"StreamName", "clicks"}, {"Records", Json::array()}}),
             Catch::EndsWith("Member must have length greater than or equal to 1"));
  records = Json(10, entry("a", blob(mebibyte - 1)));
  k.ok("PutRecords", {{"StreamName", "clicks"}, {"Records", records}});
  records.push_back(entry("a", ""));
  CHECK(k.refusal("PutRecords", {{"StreamName", "clicks"}, {"Records", records}}) ==
        "InvalidArgumentException: Records size exceeds 10 MB limit");
}

TEST_CASE("a record that is too large keeps the others of its request out") {
  Kinesis k;
  k.create("clicks");
  const Json records = Json::array({entry("a", ""), entry("a", blob(mebibyte))});
  CHECK_THAT(k.refusal("PutRecords", {{"StreamName", "clicks"}, {"Records", records}}),
             Catch::StartsWith("ValidationException"));
  CHECK(k.read_shard("clicks", shard(0)).empty());
}

TEST_CASE("partition keys and hash keys have limits") {
  Kinesis k;
  k.create("clicks");
  const auto refuse = [&](const Json& more) {
    Json request = {{"StreamName", "clicks"}, {"PartitionKey", "a"}, {"Data", ""}};
    request.update(more);
    return k.refusal("PutRecord", request);
  };
  CHECK_THAT(refuse({{"PartitionKey", ""}}), Catch::EndsWith("length greater than or equal to 1"));
  CHECK_THAT(refuse({{"PartitionKey", std::string(257, 'x')}}),
             Catch::EndsWith("length less than or equal to 256"));
  std::string longest;
  for (int i = 0; i < 256; ++i) longest += "\u00e4";
  k.ok("PutRecord", {{"StreamName", "clicks"}, {"PartitionKey", longest}, {"Data", ""}});
  CHECK(refuse({{"ExplicitHashKey", "340282366920938463463374607431768211456"}}) ==
        "InvalidArgumentException: Invalid ExplicitHashKey. ExplicitHashKey must be in the range: [0, "
        "2^128-1]. "
        "Specified value was 340282366920938463463374607431768211456");
  CHECK_THAT(refuse({{"ExplicitHashKey", "01"}}), Catch::EndsWith("pattern: 0|([1-9]\\d{0,38})"));
  CHECK(refuse({{"SequenceNumberForOrdering", "7"}}) ==
        "InvalidArgumentException: ExclusiveMinimumSequenceNumber 7 used in PutRecord on stream clicks under "
        "account "
        "000000000000 is invalid.");
  CHECK_THAT(refuse({{"Data", "a"}}), Catch::StartsWith("SerializationException"));
  CHECK_THAT(refuse({{"Data", nullptr}}), Catch::Contains("Value null at 'data'"));
}

TEST_CASE("a page has at most ten mebibytes, and a worker puts a large one together") {
  Kinesis k;
  k.create("clicks");
  for (int i = 0; i < 12; ++i)
    k.ok("PutRecord", {{"StreamName", "clicks"}, {"PartitionKey", "a"}, {"Data", blob(mebibyte - 1)}});
  const std::string request = Json{{"ShardIterator", k.iterator("clicks", shard(0))}}.dump();
  CHECK(k.call("GetRecords", request, {}, false).must_wait);
  const Json page = k.call("GetRecords", std::string_view(request)).json();
  CHECK(page.at("Records").size() == 10);
  CHECK(k.ok("GetRecords", {{"ShardIterator", page.at("NextShardIterator")}}).at("Records").size() == 2);
}

TEST_CASE("a worker looks at many records") {
  Kinesis k;
  k.create("clicks");
  const Json records(500, entry("a", ""));
  for (int i = 0; i < 2; ++i) k.ok("PutRecords", {{"StreamName", "clicks"}, {"Records", records}});
  const std::string request = Json{{"ShardIterator", k.iterator("clicks", shard(0))}}.dump();
  CHECK(k.call("GetRecords", request, {}, false).status == 200);
  k.put("clicks", "a", "");
  CHECK(k.call("GetRecords", request, {}, false).must_wait);
  CHECK(k.call("GetRecords", std::string_view(request)).json().at("Records").size() == 1001);
}

TEST_CASE("shards are limited per account") {
  Kinesis k;
  k.create("clicks", 19999);
  k.create("taps", 1);
  const std::string refusal =
      "LimitExceededException: This request would exceed the shard limit for the account 000000000000 in "
      "us-east-1. "
      "Current shard count for the account: 20000. Limit: 20000. Number of additional shards that would have "
      "resulted from this request: 1. ";
  CHECK_THAT(k.refusal("CreateStream", {{"StreamName", "knocks"}, {"ShardCount", 1}}),
             Catch::StartsWith(refusal));
  CHECK_THAT(k.refusal("SplitShard",
                       {{"StreamName", "taps"}, {"ShardToSplit", shard(0)}, {"NewStartingHashKey", "100"}}),
             Catch::StartsWith(refusal));
}

TEST_CASE("a stream of many shards is made by a worker") {
  Kinesis k;
  CHECK(k.call("CreateStream", R"({"StreamName":"clicks","ShardCount":65})", {}, false).must_wait);
  CHECK(k.call("CreateStream", R"({"StreamName":"clicks","ShardCount":64})", {}, false).status == 200);
}

}  // namespace test::kinesis::put_limits_test

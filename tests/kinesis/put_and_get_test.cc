#include <catch2/catch.hpp>

#include "kinesis/fixture.h"

// docs/service/kinesis-data-streams.md sections 3 and 4.
namespace test::kinesis::put_and_get_test {
namespace {

using namespace std::chrono_literals;
using Strings = std::vector<std::string>;

}  // namespace

TEST_CASE("records of a shard are read in the order in which they were put") {
  Kinesis k;
  k.create("clicks");
  const std::string first = k.put("clicks", "a", "one");
  k.advance(1500ms);
  const std::string second = k.put("clicks", "b", "two");
  CHECK(first.size() == 56);
  CHECK(first < second);
  const Json page = k.ok("GetRecords", {{"ShardIterator", k.iterator("clicks", shard(0))}});
  CHECK(page.at("Records") == Json::array({{{"SequenceNumber", first},
                                            {"ApproximateArrivalTimestamp", 1791633600.0},
                                            {"Data", "b25l"},
                                            {"PartitionKey", "a"}},
                                           {{"SequenceNumber", second},
                                            {"ApproximateArrivalTimestamp", 1791633601.5},
                                            {"Data", "dHdv"},
                                            {"PartitionKey", "b"}}}));
  CHECK(page.at("MillisBehindLatest") == 0);
  CHECK_FALSE(page.contains("ChildShards"));
  CHECK(k.read(page.at("NextShardIterator")).empty());
  k.put("clicks", "c", "three");
  CHECK(k.read(page.at("NextShardIterator")) == Strings{"three"});
}

TEST_CASE("the MD5 of the partition key chooses the shard, or the hash key that is given") {
  Kinesis k;
  k.create("clicks", 2);
  const auto shard_of = [&](const Json& record) {
    Json request = {{"StreamName", "clicks"}, {"Data", ""}};
    request.update(record);
    return k.ok("PutRecord", request).at("ShardId");
  };
  CHECK(shard_of({{"PartitionKey", "a"}}) == shard(0));  // 0cc175b9...
  CHECK(shard_of({{"PartitionKey", "b"}}) == shard(1));  // 92eb5ffe...
  const char* const last_of_first = "170141183460469231731687303715884105727";
  const char* const first_of_second = "170141183460469231731687303715884105728";
  CHECK(shard_of({{"PartitionKey", "b"}, {"ExplicitHashKey", last_of_first}}) == shard(0));
  CHECK(shard_of({{"PartitionKey", "a"}, {"ExplicitHashKey", first_of_second}}) == shard(1));
}

}  // namespace test::kinesis::put_and_get_test

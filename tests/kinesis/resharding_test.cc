#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "kinesis/fixture.h"

// docs/service/kinesis-data-streams.md section 3.
namespace test::kinesis::resharding_test {
namespace {

using namespace std::chrono_literals;
using Strings = std::vector<std::string>;

const std::string middle = "170141183460469231731687303715884105728";  // 2^127

void split(Kinesis& k, int number, const std::string& at = middle) {
  k.ok("SplitShard", {{"StreamName", "clicks"}, {"ShardToSplit", shard(number)}, {"NewStartingHashKey", at}});
}

void merge(Kinesis& k, int first, int second) {
  k.ok("MergeShards",
       {{"StreamName", "clicks"}, {"ShardToMerge", shard(first)}, {"AdjacentShardToMerge", shard(second)}});
}

std::string start_of(const Json& shard) {
  return shard.at("SequenceNumberRange").at("StartingSequenceNumber");
}
std::string end_of(const Json& shard) {
  return shard.at("SequenceNumberRange").at("EndingSequenceNumber");
}

}  // namespace

TEST_CASE("a split shard is closed, and two children take its hash keys") {
  Kinesis k;
  k.create("clicks");
  const std::string before = k.put("clicks", "a", "before");
  split(k, 0);
  const Json shards = k.shards("clicks");
  REQUIRE(shards.size() == 3);
  CHECK(end_of(shards[0]) > before);
  const std::string last_of_first = "170141183460469231731687303715884105727";
  CHECK(shards[1].at("HashKeyRange") == Json{{"StartingHashKey", "0"}, {"EndingHashKey", last_of_first}});
  CHECK(shards[2].at("HashKeyRange") ==
        Json{{"StartingHashKey", middle}, {"EndingHashKey", "340282366920938463463374607431768211455"}});
  for (const int child : {1, 2}) {
    CHECK(shards[child].at("ParentShardId") == shard(0));
    CHECK_FALSE(shards[child].contains("AdjacentParentShardId"));
    CHECK(start_of(shards[child]) > end_of(shards[0]));
    CHECK_FALSE(shards[child].at("SequenceNumberRange").contains("EndingSequenceNumber"));
  }
  CHECK(k.put("clicks", "a", "first") > start_of(shards[1]));
  CHECK(k.put("clicks", "b", "second") > start_of(shards[2]));
  CHECK(k.read_shard("clicks", shard(0)) == Strings{"before"});
  CHECK(k.read_shard("clicks", shard(1)) == Strings{"first"});
  CHECK(k.read_shard("clicks", shard(2)) == Strings{"second"});
}

TEST_CASE("the end of a closed shard names its children") {
  Kinesis k;
  k.create("clicks");
  k.put("clicks", "a", "x");
  const std::string latest = k.iterator("clicks", shard(0), {{"ShardIteratorType", "LATEST"}});
  split(k, 0);
  for (const std::string& iterator : {latest, k.iterator("clicks", shard(0))}) {
    const Json page = k.ok("GetRecords", {{"ShardIterator", iterator}});
    CHECK_FALSE(page.contains("NextShardIterator"));
    REQUIRE(page.at("ChildShards").size() == 2);
    CHECK(page.at("ChildShards")[0].at("ShardId") == shard(1));
    CHECK(page.at("ChildShards")[0].at("ParentShards") == Json::array({shard(0)}));
    CHECK(page.at("ChildShards")[1].at("HashKeyRange").at("StartingHashKey") == middle);
  }
  const Json page = k.ok("GetRecords", {{"ShardIterator", k.iterator("clicks", shard(1))}});
  CHECK(page.contains("NextShardIterator"));
}

TEST_CASE("two neighbours are merged, in either order") {
  for (const bool reversed : {false, true}) {
    Kinesis k;
    k.create("clicks", 2);
    const std::string before = k.put("clicks", "b", "before");
    reversed ? merge(k, 1, 0) : merge(k, 0, 1);
    const Json shards = k.shards("clicks");
    REQUIRE(shards.size() == 3);
    CHECK(shards[2].at("ParentShardId") == shard(reversed ? 1 : 0));
    CHECK(shards[2].at("AdjacentParentShardId") == shard(reversed ? 0 : 1));
    CHECK(shards[2].at("HashKeyRange").at("StartingHashKey") == "0");
    CHECK(end_of(shards[1]) > before);
    CHECK(start_of(shards[2]) > end_of(shards[0]));
    CHECK(start_of(shards[2]) > end_of(shards[1]));
    const Json page = k.ok("GetRecords", {{"ShardIterator", k.iterator("clicks", shard(0))}});
    REQUIRE(page.at("ChildShards").size() == 1);
    CHECK(page.at("ChildShards")[0].at("ParentShards").size() == 2);
    k.put("clicks", "a", "after");
    CHECK(k.read_shard("clicks", shard(2)) == Strings{"after"});
  }
}

TEST_CASE("shards without records are replaced again and again, each beginning after the last one") {
  Kinesis k;
  k.create("clicks", 1);
  for (int i = 0; i < 20; ++i) {
    split(k, 3 * i);
    merge(k, 3 * i + 1, 3 * i + 2);
  }
  const Json shards = k.shards("clicks");
  CHECK(shards.size() == 61);
  for (std::size_t i = 3; i < shards.size(); i += 3) CHECK(start_of(shards[i]) > end_of(shards[i - 1]));
  const std::string number = k.put("clicks", "a", "x");
  CHECK(number > start_of(shards.back()));
  CHECK(k.read(k.iterator("clicks", shard(60),
                          {{"ShardIteratorType", "AT_SEQUENCE_NUMBER"},
                           {"StartingSequenceNumber", start_of(shards.back())}}))
            .size() == 1);
}

TEST_CASE("a shard whose records are all removed still ends after them") {
  Kinesis k;
  k.create("clicks");
  const std::string number = k.put("clicks", "a", "x");
  k.advance(25h);
  CHECK(k.world().kept_history().value().stream_records.rows == 0);
  split(k, 0);
  CHECK(end_of(k.shards("clicks")[0]) > number);
}

TEST_CASE("a hash key outside the shard does not split it") {
  Kinesis k;
  k.create("clicks", 2);
  const auto refuse = [&](int number, const std::string& at) {
    return k.refusal("SplitShard",
                     {{"StreamName", "clicks"}, {"ShardToSplit", shard(number)}, {"NewStartingHashKey", at}});
  };
  const std::string end = "170141183460469231731687303715884105727";
  for (const std::string& at : {std::string("0"), std::string("1"), end, middle}) {
    CHECK(refuse(0, at) ==
          "InvalidArgumentException: NewStartingHashKey " + at +
              " used in SplitShard() on shard shardId-000000000000 in stream clicks under account "
              "000000000000 is not both greater than one plus the shard's StartingHashKey 0 and "
              "less than the shard's EndingHashKey " +
              end + ".");
  }
  split(k, 0, "2");
  CHECK(refuse(0, "3") ==
        "InvalidArgumentException: Shard shardId-000000000000 in stream clicks under account 000000000000 "
        "has already been merged or split, and thus is not eligible for merging or splitting.");
  CHECK(refuse(9, "3") ==
        "ResourceNotFoundException: Could not find shard shardId-000000000009 in stream clicks under account "
        "000000000000.");
}

TEST_CASE("shards that are no neighbours are not merged") {
  Kinesis k;
  k.create("clicks", 3);
  for (const auto& [first, second] : {std::pair(0, 2), std::pair(2, 0), std::pair(1, 1)}) {
    CHECK(k.refusal("MergeShards", {{"StreamName", "clicks"},
                                    {"ShardToMerge", shard(first)},
                                    {"AdjacentShardToMerge", shard(second)}}) ==
          "InvalidArgumentException: Shards " + shard(first) + " and " + shard(second) +
              " in stream clicks under account 000000000000 are not an adjacent pair of shards eligible for "
              "merging");
  }
}

TEST_CASE("a stream is UPDATING for a while, in which it is read and written, but not split") {
  Kinesis k({.state_delay = 2s});
  k.create("clicks");
  k.advance(2s);
  split(k, 0);
  CHECK(k.ok("DescribeStreamSummary", {{"StreamName", "clicks"}})
            .at("StreamDescriptionSummary")
            .at("StreamStatus") == "UPDATING");
  k.put("clicks", "a", "x");
  CHECK(k.refusal("SplitShard",
                  {{"StreamName", "clicks"}, {"ShardToSplit", shard(1)}, {"NewStartingHashKey", "100"}}) ==
        "ResourceInUseException: Stream clicks under account 000000000000 not ACTIVE, instead in state "
        "UPDATING");
  k.advance(2s);
  split(k, 1, "100");
  CHECK(k.shards("clicks").size() == 5);
}

}  // namespace test::kinesis::resharding_test

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "kinesis/fixture.h"

// docs/service/kinesis-data-streams.md section 5.
namespace test::kinesis::iterators_test {
namespace {

using namespace std::chrono_literals;
using Strings = std::vector<std::string>;

/// A stream of one shard with four records, a second apart.
struct FourRecords : Kinesis {
  FourRecords() {
    create("clicks");
    for (const char* data : {"0", "1", "2", "3"}) {
      numbers.push_back(put("clicks", "a", data));
      advance(1s);
    }
  }
  Strings read_from(const Json& more) { return read(iterator("clicks", shard(0), more)); }
  std::string refuse(const Json& more) {
    Json request = {{"StreamName", "clicks"}, {"ShardId", shard(0)}};
    request.update(more);
    return refusal("GetShardIterator", request);
  }

  Strings numbers;
};

constexpr double beginning = 1791633600;

}  // namespace

TEST_CASE("an iterator begins at a number, after it, at a time, at the beginning or at the end") {
  FourRecords k;
  CHECK(k.read_from({{"ShardIteratorType", "TRIM_HORIZON"}}) == Strings{"0", "1", "2", "3"});
  const auto by_number = [&](const char* type, const std::string& number) {
    return k.read_from({{"ShardIteratorType", type}, {"StartingSequenceNumber", number}});
  };
  CHECK(by_number("AT_SEQUENCE_NUMBER", k.numbers[2]) == Strings{"2", "3"});
  CHECK(by_number("AFTER_SEQUENCE_NUMBER", k.numbers[2]) == Strings{"3"});
  const std::string start = k.shards("clicks")[0].at("SequenceNumberRange").at("StartingSequenceNumber");
  CHECK(by_number("AT_SEQUENCE_NUMBER", start).size() == 4);
  CHECK(by_number("AFTER_SEQUENCE_NUMBER", start).size() == 4);
  const auto by_time = [&](double time) {
    return k.read_from({{"ShardIteratorType", "AT_TIMESTAMP"}, {"Timestamp", time}});
  };
  CHECK(by_time(beginning - 1000).size() == 4);
  CHECK(by_time(beginning + 1) == Strings{"1", "2", "3"});
  CHECK(by_time(beginning + 1.001) == Strings{"2", "3"});
  CHECK(by_time(beginning + 4).empty());
  const std::string latest = k.iterator("clicks", shard(0), {{"ShardIteratorType", "LATEST"}});
  CHECK(k.read(latest).empty());
  k.put("clicks", "a", "4");
  CHECK(k.read(latest) == Strings{"4"});
}

TEST_CASE("a record that arrived before the time, but after the first that did not, is returned") {
  FourRecords k;
  const std::string iterator =
      k.iterator("clicks", shard(0), {{"ShardIteratorType", "AT_TIMESTAMP"}, {"Timestamp", beginning + 3}});
  k.clock().advance(-10s);
  k.put("clicks", "a", "early");
  CHECK(k.read(iterator) == Strings{"3", "early"});
}

TEST_CASE("a page says how far it is behind") {
  FourRecords k;
  const Json page = k.ok("GetRecords", {{"ShardIterator", k.iterator("clicks", shard(0))}, {"Limit", 2}});
  CHECK(page.at("Records").size() == 2);
  CHECK(page.at("MillisBehindLatest") == 3000);
  const Json next = k.ok("GetRecords", {{"ShardIterator", page.at("NextShardIterator")}, {"Limit", 2}});
  CHECK(next.at("Records").size() == 2);
  CHECK(next.at("MillisBehindLatest") == 0);
}

TEST_CASE("an iterator can be used for five minutes") {
  FourRecords k;
  const std::string iterator = k.iterator("clicks", shard(0));
  k.advance(5min);
  k.ok("GetRecords", {{"ShardIterator", iterator}});
  k.advance(1ms);
  CHECK(
      k.refusal("GetRecords", {{"ShardIterator", iterator}}) ==
      "ExpiredIteratorException: Iterator expired. The iterator was created at time Sat Oct 10 12:00:04 UTC "
      "2026 "
      "while right now it is Sat Oct 10 12:05:04 UTC 2026 which is further in the future than the tolerated "
      "delay of 300000 milliseconds.");
}

TEST_CASE("an iterator that was changed is none") {
  FourRecords k;
  std::string iterator = k.iterator("clicks", shard(0));
  CHECK(iterator.size() <= 512);
  for (const std::string& text :
       {std::string("x"), std::string("AAAA"), iterator.substr(4), iterator + "AAAA"})
    CHECK(k.refusal("GetRecords", {{"ShardIterator", text}}) ==
          "InvalidArgumentException: Invalid ShardIterator.");
  for (std::size_t i = 0; i < iterator.size(); i += 3) {
    std::string changed = iterator;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    CHECK(k.refusal("GetRecords", {{"ShardIterator", changed}}) ==
          "InvalidArgumentException: Invalid ShardIterator.");
  }
}

TEST_CASE("the type of an iterator and its number belong together") {
  FourRecords k;
  const std::string advice =
      "InvalidArgumentException: Must either specify (1) AT_SEQUENCE_NUMBER or AFTER_SEQUENCE_NUMBER and "
      "StartingSequenceNumber or (2) TRIM_HORIZON or LATEST and no StartingSequenceNumber. Request "
      "specified ";
  CHECK(k.refuse({{"ShardIteratorType", "LATEST"}, {"StartingSequenceNumber", k.numbers[0]}}) ==
        advice + "LATEST and also a StartingSequenceNumber.");
  CHECK(k.refuse({{"ShardIteratorType", "AT_SEQUENCE_NUMBER"}}) ==
        advice + "AT_SEQUENCE_NUMBER and no StartingSequenceNumber.");
  CHECK_THAT(k.refuse({{"ShardIteratorType", "AT_TIMESTAMP"}}),
             Catch::StartsWith("InvalidArgumentException: Must specify timestampInMillis parameter"));
  CHECK(
      k.refuse({{"ShardIteratorType", "AT_TIMESTAMP"}, {"Timestamp", beginning + 5}}) ==
      "InvalidArgumentException: The timestampInMillis parameter cannot be greater than the "
      "currentTimestampInMillis. timestampInMillis: 1791633605000, currentTimestampInMillis: 1791633604000");
}

TEST_CASE("a sequence number must come from the shard") {
  FourRecords k;
  const auto refuse = [&](const std::string& number) {
    return k.refuse({{"ShardIteratorType", "AT_SEQUENCE_NUMBER"}, {"StartingSequenceNumber", number}});
  };
  CHECK(refuse("5") ==
        "InvalidArgumentException: StartingSequenceNumber 5 used in GetShardIterator on shard "
        "shardId-000000000000 "
        "in stream clicks under account 000000000000 is invalid.");
  CHECK_THAT(refuse("x"),
             Catch::EndsWith("Member must satisfy regular expression pattern: 0|([1-9]\\d{0,128})"));
  k.create("taps", 2);
  const std::string of_other = k.put("taps", "a", "");
  CHECK(refuse(of_other) == "InvalidArgumentException: StartingSequenceNumber " + of_other +
                                " used in GetShardIterator on shard shardId-000000000000 in stream clicks "
                                "under account 000000000000 "
                                "is invalid because it did not come from this stream.");
  CHECK(refuse(k.put("taps", "b", "")) ==
        "InvalidArgumentException: Invalid StartingSequenceNumber. It encodes shardId-000000000001, while it "
        "was "
        "used in a call to a shard with shardId-000000000000");
}

TEST_CASE("shards are found by their numbers") {
  FourRecords k;
  CHECK(k.read(k.iterator("clicks", "0")).size() == 4);
  CHECK(k.read(k.iterator("clicks", "shard-0")).size() == 4);
  const auto refuse = [&](const char* stream, const char* shard_id) {
    return k.refusal("GetShardIterator",
                     {{"StreamName", stream}, {"ShardId", shard_id}, {"ShardIteratorType", "LATEST"}});
  };
  CHECK(refuse("clicks", "first") ==
        "ResourceNotFoundException: Could not find shard first in stream clicks under account 000000000000.");
  CHECK(refuse("clicks", "shardId-5") ==
        "ResourceNotFoundException: Shard shardId-000000000005 in stream clicks under account 000000000000 "
        "does not "
        "exist");
  CHECK(refuse("taps", "shardId-5") ==
        "ResourceNotFoundException: Shard shardId-000000000005 in stream taps under account 000000000000 "
        "does not "
        "exist");
}

}  // namespace test::kinesis::iterators_test

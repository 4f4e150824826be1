#include <set>

#include <catch2/catch.hpp>

#include "dynamodb/streams/streams.h"

// docs/service/streams.md sections 5 and 6: pages, and what is refused.
namespace test::get_records_test {

using namespace std::chrono_literals;

namespace {

struct OneShard {
  DynamoDb db;
  std::string arn;
  std::string shard;

  explicit OneShard(std::string_view view_type = "KEYS_ONLY") {
    db.ok("CreateTable", with_stream(view_type));
    arn = stream_arn(db);
    shard = shard_ids(db, arn).front();
  }

  void put_some(int count) {
    for (int i = 0; i < count; ++i) put(db, std::to_string(i));
  }
};

}  // namespace

TEST_CASE("GetRecords: an open shard without records has a next iterator, of the same form") {
  OneShard stream;
  const Json answer = page(stream.db, iterator(stream.db, stream.arn, stream.shard));
  CHECK(answer.at("Records") == Json::array());
  CHECK(answer.at("NextShardIterator").get<std::string>().starts_with(stream.arn + "|1|"));
}

// docs/service/throttling.md section 2, and docs/throttling.md.
TEST_CASE("GetRecords: a throttled write leaves no record, and records are read without units and calls") {
  dinette::dynamodb::ServiceOptions options;
  options.throttle = true;
  DynamoDb db(options);
  db.ok("CreateTable", with(with_stream("KEYS_ONLY"), {{"ProvisionedThroughput", units(1, 1)}}));
  const std::string arn = stream_arn(db);
  const Json large = {{"TableName", "Music"},
                      {"Item", {{"pk", {{"S", "large"}}}, {"x", {{"S", std::string(390'000, 'x')}}}}}};
  REQUIRE(db.call("PutItem", large).status == 200);
  REQUIRE(db.call("PutItem", large).error() == "ProvisionedThroughputExceededException");
  while (db.call("DescribeLimits", "{}").status == 200) continue;
  const std::string from = iterator(db, arn, shard_ids(db, arn).front());
  for (int i = 0; i < 10; ++i) CHECK(page(db, from).at("Records").size() == 1);
}

TEST_CASE("GetRecords: pages show every record once") {
  OneShard stream;
  stream.put_some(10);
  for (int limit = 1; limit <= 11; ++limit) {
    std::set<std::string> seen;
    std::string next = iterator(stream.db, stream.arn, stream.shard);
    for (;;) {
      const Json answer = page(stream.db, next, limit);
      const Json& listed = answer.at("Records");
      CHECK(listed.size() <= static_cast<std::size_t>(limit));
      for (const Json& record : listed) CHECK(seen.insert(record.at("eventID")).second);
      if (listed.empty()) break;
      next = answer.at("NextShardIterator");
    }
    CHECK(seen.size() == 10);
  }
}

TEST_CASE("GetRecords: without a limit a page has 1000 records") {
  OneShard stream;
  stream.put_some(1001);
  const Json first =
      stream.db.ok("GetRecords", {{"ShardIterator", iterator(stream.db, stream.arn, stream.shard)}});
  CHECK(first.at("Records").size() == 1000);
  CHECK(page(stream.db, first.at("NextShardIterator")).at("Records").size() == 1);
}

TEST_CASE("GetRecords: a page has as many records as 1 MB holds") {
  for (const std::size_t over : {0, 1}) {
    OneShard stream("NEW_IMAGE");
    // The keys, and the image: pk, and n bytes in x.
    constexpr std::size_t around_n = 3 + 3 + 1;
    constexpr std::size_t third = 1024 * 1024 / 3 - around_n;
    for (const auto& [pk, n] : {std::pair("a", third), {"b", third}, {"c", third + 1 + over}})
      put(stream.db, pk, R"("x": {"S": ")" + std::string(n, 'x') + "\"}");
    const Json first = page(stream.db, iterator(stream.db, stream.arn, stream.shard));
    CHECK(first.at("Records").size() == 3 - over);
    CHECK(page(stream.db, first.at("NextShardIterator")).at("Records").size() == over);
  }
}

TEST_CASE("GetRecords: a page has no more than 1 MB, but one record at least") {
  OneShard stream("NEW_AND_OLD_IMAGES");
  const auto put_large = [&](char letter) {
    put(stream.db, "a", R"("large": {"S": ")" + std::string(390'000, letter) + "\"}");
  };
  put_large('x');
  put_large('y');
  put_large('z');
  std::string next = iterator(stream.db, stream.arn, stream.shard);
  std::vector<std::size_t> sizes;
  for (Json answer = page(stream.db, next); !answer.at("Records").empty(); answer = page(stream.db, next)) {
    std::size_t size = 0;
    for (const Json& record : answer.at("Records"))
      size += record.at("dynamodb").at("SizeBytes").get<std::size_t>();
    sizes.push_back(answer.at("Records").size());
    CHECK(size <= 1024 * 1024);
    next = answer.at("NextShardIterator");
  }
  CHECK(sizes == std::vector<std::size_t>{1, 1, 1});
}

TEST_CASE("GetRecords: the last page of a closed shard has no next iterator") {
  OneShard stream;
  stream.put_some(2);
  const std::string start = iterator(stream.db, stream.arn, stream.shard);
  stream.db.clock().advance(4h);
  stream.db.jobs().run_due();
  const std::string child = shard_ids(stream.db, stream.arn).back();
  const std::string late = iterator(stream.db, stream.arn, stream.shard);
  const Json first = page(stream.db, late, 1);
  CHECK(first.contains("NextShardIterator"));
  const Json last = page(stream.db, first.at("NextShardIterator"), 1);
  CHECK(last.at("Records").size() == 1);
  CHECK_FALSE(last.contains("NextShardIterator"));
  CHECK(page(stream.db, late, 2) == [&] {
    Json both = first;
    both.at("Records").push_back(last.at("Records").at(0));
    both.erase("NextShardIterator");
    return both;
  }());
  // A closed shard without records: one empty page.
  stream.db.clock().advance(4h);
  stream.db.jobs().run_due();
  CHECK(page(stream.db, iterator(stream.db, stream.arn, child)) == Json{{"Records", Json::array()}});
}

TEST_CASE("GetRecords: an iterator is valid for 15 minutes, whichever operation returned it") {
  OneShard stream;
  stream.put_some(1);
  DynamoDb& db = stream.db;
  const std::string first = iterator(db, stream.arn, stream.shard);
  db.clock().advance(15min);
  const Json answer = page(db, first);
  CHECK(answer.at("Records").size() == 1);
  db.clock().advance(1ms);
  const auto expired = [&](const std::string& text) {
    check_refused(db, "GetRecords", {{"ShardIterator", text}}, "Shard iterator has expired",
                  "ExpiredIteratorException");
  };
  expired(first);
  const std::string next = answer.at("NextShardIterator");
  CHECK(page(db, next).at("Records").empty());
  db.clock().advance(15min);
  expired(next);
}

TEST_CASE("GetRecords: invalid limits and iterators are refused") {
  OneShard stream;
  stream.put_some(1);
  DynamoDb& db = stream.db;
  const std::string good = iterator(db, stream.arn, stream.shard);
  const std::string one = "1 validation error detected: ";
  const auto limit = [&](int value, const std::string& bound) {
    check_refused(db, "GetRecords", {{"ShardIterator", good}, {"Limit", value}},
                  one + "Value '" + std::to_string(value) +
                      "' at 'limit' failed to satisfy constraint: Member must have value " + bound);
  };
  limit(1001, "less than or equal to 1000");
  limit(0, "greater than or equal to 1");
  limit(-1, "greater than or equal to 1");
  check_refused(db, "GetRecords", Json::object(),
                one + "Value null at 'shardIterator' failed to satisfy constraint: Member must not be null");
  const std::string place = good.substr(good.find("|1|"));
  for (const std::string& text : {std::string("x"), std::string("|1|"), stream.arn, stream.arn + "|1|",
                                  stream.arn + "|1|AAAA", stream.arn + "|2" + place.substr(2), good + "A",
                                  "fake-stream" + place, good.substr(0, good.size() - 4)}) {
    check_refused(db, "GetRecords", {{"ShardIterator", text}}, "Invalid ShardIterator");
  }
  const std::string unknown = "arn:aws:dynamodb:us-east-1:000000000000:table/Music/stream/x";
  check_refused(db, "GetRecords", {{"ShardIterator", unknown + place}},
                "Requested resource not found: Stream: " + unknown + " not found",
                "ResourceNotFoundException");
}

TEST_CASE("GetRecords: an error names its type as those of DynamoDB do") {
  OneShard stream;
  DynamoDb& db = stream.db;
  stream.put_some(1);
  const Json first = {{"ShardIterator", iterator(db, stream.arn, stream.shard)}};
  const Json number = records(db, stream.arn).front().at("dynamodb").at("SequenceNumber");
  db.clock().advance(1h);
  CHECK(db.call("GetRecords", first).json().at("__type") ==
        "com.amazonaws.dynamodb.v20120810#ExpiredIteratorException");
  db.clock().advance(23h);
  db.jobs().run_due();
  const Json trimmed =
      iterator_request(stream.arn, stream.shard, "AT_SEQUENCE_NUMBER", number.get<std::string>());
  CHECK(db.call("GetShardIterator", trimmed).json().at("__type") ==
        "com.amazonaws.dynamodb.v20120810#TrimmedDataAccessException");
}

TEST_CASE("GetRecords: an iterator of another stream's shard finds no shard") {
  OneShard stream;
  DynamoDb& db = stream.db;
  db.ok("CreateTable", with(provisioned("Films"), stream_setting(true, "KEYS_ONLY")));
  const std::string films = stream_arn(db, "Films");
  const std::string good = iterator(db, films, shard_ids(db, films).front());
  check_refused(db, "GetRecords", {{"ShardIterator", stream.arn + good.substr(good.find("|1|"))}},
                "Requested resource not found: Shard does not exist", "ResourceNotFoundException");
}

TEST_CASE("GetRecords: the next record was trimmed since the iterator was handed out") {
  OneShard stream;
  DynamoDb& db = stream.db;
  put(db, "a");
  db.clock().advance(24h - 1min);
  put(db, "b");
  const std::string oldest = iterator(db, stream.arn, stream.shard);
  const std::string end = iterator(db, stream.arn, stream.shard, "LATEST");
  db.clock().advance(2min);
  db.jobs().run_due();
  check_refused(db, "GetRecords", {{"ShardIterator", oldest}},
                "The data you are trying to access has been trimmed", "TrimmedDataAccessException");
  // At the end of what is kept nothing is missing.
  CHECK(page(db, end).at("Records").empty());
  const Json kept = page(db, iterator(db, stream.arn, stream.shard)).at("Records");
  REQUIRE(kept.size() == 1);
  CHECK(kept[0].at("dynamodb").at("Keys").at("pk").at("S") == "b");
}

}  // namespace test::get_records_test

#include <set>

#include <catch2/catch.hpp>

#include "dynamodb/streams/streams.h"

// docs/service/streams.md section 4.
namespace test::shard_iterator_test {

using namespace std::chrono_literals;

namespace {

/// A stream of three records in one shard: the puts of `a`, `b` and `c`.
struct ThreeRecords {
  DynamoDb db;
  std::string arn;
  std::string shard;
  std::vector<std::string> numbers;

  ThreeRecords() {
    db.ok("CreateTable", with_stream());
    arn = stream_arn(db);
    shard = shard_ids(db, arn).front();
    for (const char* pk : {"a", "b", "c"}) put(db, pk);
    for (const Json& record : records(db, arn)) numbers.push_back(record.at("dynamodb").at("SequenceNumber"));
  }

  /// The keys of what is read from such an iterator.
  std::string read(std::string_view type, std::string_view number = "") {
    return read_from(iterator(db, arn, shard, type, number));
  }
  std::string read_from(const std::string& from) {
    std::string keys;
    const Json answer = page(db, from);
    for (const Json& record : answer.at("Records"))
      keys += record.at("dynamodb").at("Keys").at("pk").at("S").get<std::string>();
    return keys;
  }
};

}  // namespace

TEST_CASE("a shard iterator: each type has its place") {
  ThreeRecords stream;
  CHECK(stream.read("TRIM_HORIZON") == "abc");
  CHECK(stream.read("LATEST") == "");
  CHECK(stream.read("AT_SEQUENCE_NUMBER", stream.numbers[1]) == "bc");
  CHECK(stream.read("AFTER_SEQUENCE_NUMBER", stream.numbers[1]) == "c");
  CHECK(stream.read("AFTER_SEQUENCE_NUMBER", stream.numbers[2]) == "");
  const std::string start =
      shards(stream.db, stream.arn)[0].at("SequenceNumberRange").at("StartingSequenceNumber");
  CHECK(stream.read("AT_SEQUENCE_NUMBER", start) == "abc");
}

TEST_CASE("a shard iterator: its form, and the place that it keeps") {
  ThreeRecords stream;
  const std::string latest = iterator(stream.db, stream.arn, stream.shard, "LATEST");
  CHECK(latest.starts_with(stream.arn + "|1|"));
  put(stream.db, "d");
  CHECK(stream.read_from(latest) == "d");
  put(stream.db, "e");
  CHECK(stream.read_from(latest) == "de");
}

TEST_CASE("a shard iterator: those of different shards are different") {
  DynamoDb db;
  db.ok("CreateTable", with(on_demand(), stream_setting(true, "KEYS_ONLY")));
  std::set<std::string> texts;
  for (const std::string& id : shard_ids(db, stream_arn(db))) texts.insert(iterator(db, stream_arn(db), id));
  CHECK(texts.size() == 4);
}

TEST_CASE("a shard iterator: numbers that no record has") {
  ThreeRecords stream;
  const auto one_more = [](std::string number) {
    ++number.back();
    return number;
  };
  CHECK(stream.read("AT_SEQUENCE_NUMBER", one_more(stream.numbers[0])) == "bc");
  CHECK(stream.read("AFTER_SEQUENCE_NUMBER", one_more(stream.numbers[0])) == "bc");
  CHECK(stream.read("AT_SEQUENCE_NUMBER", std::string(21, '0')) == "abc");
  CHECK(stream.read("AFTER_SEQUENCE_NUMBER", std::string(21, '0')) == "abc");
  CHECK(stream.read("AT_SEQUENCE_NUMBER", std::string(40, '9')) == "");
  CHECK(stream.read("AFTER_SEQUENCE_NUMBER", std::string(40, '9')) == "");
}

TEST_CASE("a shard iterator of a closed shard") {
  ThreeRecords stream;
  stream.db.clock().advance(4h);
  stream.db.jobs().run_due();
  put(stream.db, "d");
  CHECK(stream.read("TRIM_HORIZON") == "abc");
  const Json end = page(stream.db, iterator(stream.db, stream.arn, stream.shard, "LATEST"));
  CHECK(end == Json{{"Records", Json::array()}});
  CHECK(stream.read("AFTER_SEQUENCE_NUMBER", stream.numbers[2]) == "");
}

TEST_CASE("a shard iterator: unknown streams and shards, invalid types and numbers are refused") {
  ThreeRecords stream;
  DynamoDb& db = stream.db;
  const std::string one = "1 validation error detected: ";
  const auto refused = [&](const Json& changes, const std::string& message,
                           std::string_view error = "ValidationException") {
    check_refused(db, "GetShardIterator",
                  with(iterator_request(stream.arn, stream.shard, "TRIM_HORIZON"), changes), message, error);
  };
  const auto refused_somehow = [&](const Json& changes) {
    check_refused(db, "GetShardIterator",
                  with(iterator_request(stream.arn, stream.shard, "TRIM_HORIZON"), changes));
  };
  const std::string unknown = "arn:aws:dynamodb:us-east-1:000000000000:table/Music/stream/x";
  refused({{"StreamArn", unknown}}, "Requested resource not found: Stream: " + unknown + " not found",
          "ResourceNotFoundException");
  refused({{"StreamArn", "fake-stream"}}, "Invalid StreamArn");
  refused({{"ShardId", "shardId-00000000000000000000-00000000"}},
          "Requested resource not found: Shard does not exist", "ResourceNotFoundException");
  for (const std::string type : {"bulle", "AT_TIMESTAMP"}) {
    refused({{"ShardIteratorType", type}},
            one + "Value '" + type +
                "' at 'shardIteratorType' failed to satisfy constraint: Member must satisfy enum "
                "value set: [AFTER_SEQUENCE_NUMBER, LATEST, AT_SEQUENCE_NUMBER, TRIM_HORIZON]");
  }
  for (const char* member : {"StreamArn", "ShardId", "ShardIteratorType"}) {
    std::string path = member;
    path.front() = static_cast<char>(path.front() + ('a' - 'A'));
    refused({{member, nullptr}},
            one + "Value null at '" + path + "' failed to satisfy constraint: Member must not be null");
  }
  refused(
      {{"ShardId", "short"}},
      one +
          "Value 'short' at 'shardId' failed to satisfy constraint: Member must have length greater than or "
          "equal to 28");
  refused(
      {{"ShardIteratorType", "AT_SEQUENCE_NUMBER"}, {"SequenceNumber", "1"}},
      one +
          "Value '1' at 'sequenceNumber' failed to satisfy constraint: Member must have length greater than "
          "or equal to 21");
  const auto too_long = [&](const std::string& text, const std::string& member, const char* most) {
    return one + "Value '" + text + "' at '" + member +
           "' failed to satisfy constraint: Member must have length less than or equal to " + most;
  };
  refused({{"ShardId", std::string(66, 's')}}, too_long(std::string(66, 's'), "shardId", "65"));
  refused({{"ShardIteratorType", "AT_SEQUENCE_NUMBER"}, {"SequenceNumber", std::string(41, '1')}},
          too_long(std::string(41, '1'), "sequenceNumber", "40"));
  for (const char* type : {"AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"}) {
    refused_somehow({{"ShardIteratorType", type}});
    refused_somehow({{"ShardIteratorType", type}, {"SequenceNumber", std::string(30, 'd')}});
    refused_somehow({{"ShardIteratorType", type}, {"SequenceNumber", std::string(44, 'd')}});
  }
  for (const char* type : {"TRIM_HORIZON", "LATEST"})
    refused_somehow({{"ShardIteratorType", type}, {"SequenceNumber", stream.numbers[0]}});
  // The model comes first, then the form of the ARN, the number, the stream, the shard.
  const Json no_number = {{"ShardIteratorType", "AT_SEQUENCE_NUMBER"}};
  refused({{"ShardIteratorType", "AT_SEQUENCE_NUMBER"}, {"StreamArn", "fake-stream"}, {"ShardId", nullptr}},
          one + "Value null at 'shardId' failed to satisfy constraint: Member must not be null");
  refused(with(no_number, {{"StreamArn", "fake-stream"}}), "Invalid StreamArn");
  refused_somehow(with(no_number, {{"StreamArn", unknown}}));
  refused({{"StreamArn", unknown}, {"ShardId", "shardId-00000000000000000000-00000000"}},
          "Requested resource not found: Stream: " + unknown + " not found", "ResourceNotFoundException");
}

TEST_CASE("a shard iterator: a record that is older than 24 hours is trimmed") {
  ThreeRecords stream;
  DynamoDb& db = stream.db;
  db.clock().advance(1h);
  put(db, "d");
  const std::string number = records(db, stream.arn).back().at("dynamodb").at("SequenceNumber");
  db.clock().advance(23h);
  db.jobs().run_due();
  const auto trimmed = [&](const char* type, const std::string& at) {
    check_refused(db, "GetShardIterator", iterator_request(stream.arn, stream.shard, type, at),
                  "The data you are trying to access has been trimmed", "TrimmedDataAccessException");
  };
  trimmed("AT_SEQUENCE_NUMBER", stream.numbers[2]);
  trimmed("AFTER_SEQUENCE_NUMBER", stream.numbers[1]);
  // A place that was handed out earlier still works: what comes after it is there.
  CHECK(stream.read("AFTER_SEQUENCE_NUMBER", stream.numbers[2]) == "d");
  CHECK(stream.read("TRIM_HORIZON") == "d");
  CHECK(stream.read("AT_SEQUENCE_NUMBER", number) == "d");
  // Also when nothing is left.
  db.clock().advance(1h);
  db.jobs().run_due();
  CHECK(stream.read("AFTER_SEQUENCE_NUMBER", number) == "");
  for (const char* type : {"TRIM_HORIZON", "LATEST"}) CHECK(stream.read(type) == "");
}

TEST_CASE("a shard iterator: a shard whose time is over does not exist") {
  ThreeRecords stream;
  DynamoDb& db = stream.db;
  db.clock().advance(4h);
  db.jobs().run_due();
  db.clock().advance(24h - 5min);
  db.jobs().run_due();
  const std::string late = iterator(db, stream.arn, stream.shard);
  db.clock().advance(5min);
  db.jobs().run_due();
  const std::string gone = "Requested resource not found: Shard does not exist";
  for (const char* type : {"TRIM_HORIZON", "AFTER_SEQUENCE_NUMBER"}) {
    const std::string number = type == std::string("TRIM_HORIZON") ? "" : stream.numbers[2];
    check_refused(db, "GetShardIterator", iterator_request(stream.arn, stream.shard, type, number), gone,
                  "ResourceNotFoundException");
  }
  check_refused(db, "GetRecords", {{"ShardIterator", late}}, gone, "ResourceNotFoundException");
}

}  // namespace test::shard_iterator_test

#include <catch2/catch.hpp>

#include "dynamodb/streams/streams.h"

// docs/service/streams.md section 3.
namespace test::describe_stream_test {

using namespace std::chrono_literals;

namespace {

const std::string unknown_arn =
    "arn:aws:dynamodb:us-east-1:000000000000:table/Music/stream/2026-01-01T00:00:00";

Json about(const std::string& arn, const Json& members = Json::object()) {
  return with({{"StreamArn", arn}}, members);
}

/// Lets the shards of all streams be followed by others.
void roll_over(DynamoDb& db) {
  db.clock().advance(4h);
  db.jobs().run_due();
}

bool is_shard_id(const std::string& id) {
  return id.size() == 37 && id.starts_with("shardId-") && id[28] == '-' &&
         id.find_first_not_of("0123456789abcdef", 29) == std::string::npos;
}

}  // namespace

TEST_CASE("DescribeStream: a new stream has an open shard and is described whole") {
  DynamoDb db;
  db.ok("CreateTable", with_stream("OLD_IMAGE"));
  const std::string arn = stream_arn(db);
  Json description = describe_stream(db, arn);
  const Json shard = description.at("Shards").at(0);
  const std::string id = shard.at("ShardId");
  CHECK(is_shard_id(id));
  CHECK(id.substr(8, 20) == "00000001791633600000");
  CHECK(shard == Json{{"ShardId", id},
                      {"SequenceNumberRange", {{"StartingSequenceNumber", "100000000000000000000"}}}});
  description.erase("Shards");
  CHECK(description == Json{{"StreamArn", arn},
                            {"StreamLabel", "2026-10-10T12:00:00.000"},
                            {"StreamStatus", "ENABLED"},
                            {"StreamViewType", "OLD_IMAGE"},
                            {"CreationRequestDateTime", 1791633600.0},
                            {"TableName", "Music"},
                            {"KeySchema", Json::array({key("pk", "HASH")})}});
}

TEST_CASE("DescribeStream: after four hours a shard is closed and has a child, busy or not") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  const std::string arn = stream_arn(db);
  put(db, "a");
  const std::string last_number = records(db, arn).at(0).at("dynamodb").at("SequenceNumber");
  db.clock().advance(4h - 1ms);
  db.jobs().run_due();
  CHECK(shards(db, arn).size() == 1);
  db.clock().advance(1ms);
  db.jobs().run_due();

  Json listed = shards(db, arn);
  REQUIRE(listed.size() == 2);
  CHECK(listed[0].at("SequenceNumberRange").at("EndingSequenceNumber") == last_number);
  CHECK(listed[1].at("ParentShardId") == listed[0].at("ShardId"));
  CHECK_FALSE(listed[0].contains("ParentShardId"));
  CHECK_FALSE(listed[1].at("SequenceNumberRange").contains("EndingSequenceNumber"));
  CHECK(listed[1].at("SequenceNumberRange").at("StartingSequenceNumber") > last_number);
  CHECK(is_shard_id(listed[1].at("ShardId")));

  // The second one has no record: both of its numbers are the same.
  roll_over(db);
  listed = shards(db, arn);
  REQUIRE(listed.size() == 3);
  const Json& range = listed[1].at("SequenceNumberRange");
  CHECK(range.at("StartingSequenceNumber") == range.at("EndingSequenceNumber"));
  CHECK(listed[2].at("SequenceNumberRange").at("StartingSequenceNumber") > range.at("EndingSequenceNumber"));
}

TEST_CASE("DescribeStream: a closed shard is listed until its records are older than 24 hours") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  const std::string arn = stream_arn(db);
  const std::string first = shard_ids(db, arn).front();
  for (int hours = 0; hours < 24; hours += 4) roll_over(db);
  CHECK(shard_ids(db, arn).size() == 7);
  CHECK(shard_ids(db, arn).front() == first);
  roll_over(db);
  CHECK(shard_ids(db, arn).size() == 7);
  CHECK(shard_ids(db, arn).front() > first);
}

TEST_CASE("DescribeStream: pages of shards, in the order of their ids") {
  DynamoDb db;
  db.ok("CreateTable", with(on_demand(), stream_setting(true, "KEYS_ONLY")));
  roll_over(db);
  const std::string arn = stream_arn(db);
  const std::vector<std::string> all = shard_ids(db, arn);
  REQUIRE(all.size() == 8);
  CHECK(std::is_sorted(all.begin(), all.end()));
  for (int limit = 1; limit <= 9; ++limit) {
    std::vector<std::string> paged;
    Json request = about(arn, {{"Limit", limit}});
    for (;;) {
      const Json description = db.ok("DescribeStream", request).at("StreamDescription");
      for (const Json& shard : description.at("Shards")) paged.push_back(shard.at("ShardId"));
      if (!description.contains("LastEvaluatedShardId")) break;
      CHECK(description.at("LastEvaluatedShardId") == paged.back());
      request["ExclusiveStartShardId"] = paged.back();
    }
    CHECK(paged == all);
  }
}

TEST_CASE("DescribeStream: a place to start from need not be a shard") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  const std::string arn = stream_arn(db);
  const auto from = [&](const std::string& start) {
    return db.ok("DescribeStream", about(arn, {{"ExclusiveStartShardId", start}}))
        .at("StreamDescription")
        .at("Shards")
        .size();
  };
  CHECK(from("shardId-00000000000000000000-00000000") == 1);
  CHECK(from("shardId-99999999999999999999-00000000") == 0);
  CHECK(from(shard_ids(db, arn).back()) == 0);
}

TEST_CASE("DescribeStream: CHILD_SHARDS lists the children of a shard alone") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  const std::string arn = stream_arn(db);
  roll_over(db);
  const std::vector<std::string> ids = shard_ids(db, arn);
  const auto children = [&](const std::string& id) {
    return db.ok("DescribeStream", about(arn, {{"ShardFilter", {{"Type", "CHILD_SHARDS"}, {"ShardId", id}}}}))
        .at("StreamDescription");
  };
  REQUIRE(children(ids[0]).at("Shards").size() == 1);
  CHECK(children(ids[0]).at("Shards").at(0).at("ShardId") == ids[1]);
  CHECK(children(ids[1]).at("Shards") == Json::array());
  CHECK(children(ids[1]).at("StreamStatus") == "ENABLED");
}

TEST_CASE("DescribeStream: invalid and unknown ARNs, shards and limits are refused") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  const std::string arn = stream_arn(db);
  const std::string one = "1 validation error detected: ";
  for (const std::string& text : {std::string("fake-stream"), std::string(2000, 'x'),
                                  std::string("arn:aws:dynamodb:us-east-1:000000000000:table/Music")}) {
    check_refused(db, "DescribeStream", about(text), "Invalid StreamArn");
  }
  std::string elsewhere = arn;
  elsewhere.replace(elsewhere.find("us-east-1"), 9, "eu-west-1");
  std::string foreign = arn;
  foreign.replace(foreign.find("000000000000"), 12, "111111111111");
  for (const std::string& unknown : {unknown_arn, elsewhere, foreign}) {
    check_refused(db, "DescribeStream", about(unknown),
                  "Requested resource not found: Stream: " + unknown + " not found",
                  "ResourceNotFoundException");
  }
  check_refused(db, "DescribeStream", Json::object(),
                one + "Value null at 'streamArn' failed to satisfy constraint: Member must not be null");
  check_refused(
      db, "DescribeStream", about(arn, {{"Limit", 0}}),
      one +
          "Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or "
          "equal to 1");
  check_refused(
      db, "DescribeStream", about(arn, {{"Limit", 101}}),
      one +
          "Value '101' at 'limit' failed to satisfy constraint: Member must have value less than or "
          "equal to 100");
}

TEST_CASE("DescribeStream: incomplete and invalid shard filters are refused") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  const std::string arn = stream_arn(db);
  const std::string id = shard_ids(db, arn).front();
  const std::string one = "1 validation error detected: ";
  const auto filter = [&](const Json& members) { return about(arn, {{"ShardFilter", members}}); };
  check_refused(db, "DescribeStream", filter({{"Type", "CHILD_SHARDS"}, {"ShardId", "qwerty"}}),
                one +
                    "Value 'qwerty' at 'shardFilter.shardId' failed to satisfy constraint: Member must have "
                    "length greater than or equal to 28");
  check_refused(
      db, "DescribeStream", filter({{"Type", "foo"}, {"ShardId", id}}),
      one +
          "Value 'foo' at 'shardFilter.type' failed to satisfy constraint: Member must satisfy enum "
          "value set: [CHILD_SHARDS]");
  check_refused(db, "DescribeStream", filter({{"Type", "CHILD_SHARDS"}}));
  check_refused(db, "DescribeStream", filter({{"ShardId", id}}));
  check_refused(db, "DescribeStream",
                filter({{"Type", "CHILD_SHARDS"}, {"ShardId", "shardId-00000000000000000000-00000000"}}),
                "Requested resource not found: Shard does not exist", "ResourceNotFoundException");
  // The model comes first, then the form of the ARN, the stream, the filter.
  check_refused(db, "DescribeStream", {{"StreamArn", "fake-stream"}, {"Limit", 0}},
                one +
                    "Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than "
                    "or equal to 1");
  check_refused(db, "DescribeStream", {{"StreamArn", "fake-stream"}, {"ShardFilter", {{"ShardId", id}}}},
                "Invalid StreamArn");
  check_refused(db, "DescribeStream", about(unknown_arn, {{"ShardFilter", {{"ShardId", id}}}}),
                "Requested resource not found: Stream: " + unknown_arn + " not found",
                "ResourceNotFoundException");
}

}  // namespace test::describe_stream_test

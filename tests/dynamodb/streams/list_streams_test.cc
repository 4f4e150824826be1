#include <set>

#include <catch2/catch.hpp>

#include "dynamodb/streams/streams.h"

// docs/service/streams.md section 2.
namespace test::list_streams_test {
namespace {

const Json everything = Json::object();

/// Enables a stream that ends when the table is deleted, and makes another table of the same name.
void make_streams(DynamoDb& db) {
  for (const char* name : {"Music", "Films", "Films-2"}) {
    db.ok("CreateTable", with(provisioned(name), stream_setting(true, "KEYS_ONLY")));
  }
  db.ok("DeleteTable", {{"TableName", "Films"}});
  db.ok("CreateTable", with(provisioned("Films"), stream_setting(true, "KEYS_ONLY")));
  db.ok("CreateTable", provisioned("Silent"));
}

std::vector<std::string> arns(const Json& answer) {
  std::vector<std::string> listed;
  for (const Json& stream : answer.at("Streams")) listed.push_back(stream.at("StreamArn"));
  return listed;
}

}  // namespace

TEST_CASE("ListStreams: all streams, also those of deleted tables") {
  DynamoDb db;
  make_streams(db);
  const Json answer = db.ok("ListStreams", everything);
  CHECK(answer.at("Streams").size() == 4);
  CHECK_FALSE(answer.contains("LastEvaluatedStreamArn"));
  const Json& stream = answer.at("Streams").back();
  CHECK(stream.at("TableName") == "Music");
  CHECK(stream.at("StreamArn") == stream_arn(db));
  CHECK(stream.at("StreamLabel") == describe(db).at("LatestStreamLabel"));
}

TEST_CASE("ListStreams: those of one table, by its name") {
  DynamoDb db;
  make_streams(db);
  CHECK(arns(db.ok("ListStreams", {{"TableName", "Films"}})).size() == 2);
  CHECK(arns(db.ok("ListStreams", {{"TableName", "Films-2"}})).size() == 1);
  CHECK(arns(db.ok("ListStreams", {{"TableName", "Silent"}})).empty());
  CHECK(arns(db.ok("ListStreams", {{"TableName", "Unknown"}})).empty());
}

TEST_CASE("ListStreams: pages show every stream once, in the order of ARNs, also while tables come and go") {
  DynamoDb db;
  make_streams(db);
  const std::vector<std::string> all = arns(db.ok("ListStreams", everything));
  CHECK(std::is_sorted(all.begin(), all.end()));
  for (int limit = 1; limit <= 5; ++limit) {
    std::vector<std::string> paged;
    Json request = {{"Limit", limit}};
    for (;;) {
      const Json answer = db.ok("ListStreams", request);
      for (const std::string& arn : arns(answer)) paged.push_back(arn);
      if (!answer.contains("LastEvaluatedStreamArn")) break;
      CHECK(answer.at("LastEvaluatedStreamArn") == paged.back());
      request["ExclusiveStartStreamArn"] = paged.back();
    }
    CHECK(paged == all);
  }
  const Json first = db.ok("ListStreams", {{"Limit", 1}});
  db.ok("DeleteTable", {{"TableName", "Films-2"}});
  db.ok("CreateTable", with(provisioned("Aaa"), stream_setting(true, "KEYS_ONLY")));
  const Json rest = db.ok("ListStreams", {{"ExclusiveStartStreamArn", first.at("LastEvaluatedStreamArn")}});
  CHECK(arns(rest) == std::vector(all.begin() + 1, all.end()));
}

TEST_CASE("ListStreams: without a limit a page has 100 streams") {
  DynamoDb db;
  for (int i = 0; i < 101; ++i)
    db.ok("CreateTable", with(provisioned("table-" + std::to_string(i)), stream_setting(true, "KEYS_ONLY")));
  const Json first = db.ok("ListStreams", everything);
  CHECK(arns(first).size() == 100);
  CHECK(
      arns(db.ok("ListStreams", {{"ExclusiveStartStreamArn", first.at("LastEvaluatedStreamArn")}})).size() ==
      1);
}

TEST_CASE("ListStreams: a place to start from, together with a table's name") {
  DynamoDb db;
  make_streams(db);
  const std::vector<std::string> films = arns(db.ok("ListStreams", {{"TableName", "Films"}}));
  const auto from = [&](const std::string& start) {
    return arns(db.ok("ListStreams", {{"TableName", "Films"}, {"ExclusiveStartStreamArn", start}}));
  };
  CHECK(from(films.front()) == std::vector(films.begin() + 1, films.end()));
  CHECK(from(films.back()).empty());
  CHECK(from(stream_arn(db)).empty());
  CHECK(from("arn:aws:dynamodb:us-east-1:000000000000:table/Aaa/stream/x") == films);
}

TEST_CASE("ListStreams: invalid ARNs, table names and limits are refused") {
  DynamoDb db;
  make_streams(db);
  const std::string one = "1 validation error detected: ";
  for (const char* text : {"fake-stream", "arn:aws:dynamodb:us-east-1:000000000000:table/Music",
                           "arn:aws:dynamodb:us-east-1:000000000000:table/Music/stream/",
                           "arn:aws:dynamodb:us-east-1:000000000000:table/Music/index/byA",
                           "arn:aws:sqs:us-east-1:000000000000:table/Music/stream/x"}) {
    check_refused(db, "ListStreams", {{"ExclusiveStartStreamArn", text}}, "Invalid StreamArn");
    check_refused(db, "ListStreams", {{"ExclusiveStartStreamArn", text}, {"TableName", "Music"}},
                  "Invalid StreamArn");
  }
  check_refused(
      db, "ListStreams", {{"Limit", 0}},
      one +
          "Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or "
          "equal to 1");
  check_refused(
      db, "ListStreams", {{"Limit", 101}},
      one +
          "Value '101' at 'limit' failed to satisfy constraint: Member must have value less than or "
          "equal to 100");
  check_refused(db, "ListStreams", {{"TableName", "x"}},
                one +
                    "Value 'x' at 'tableName' failed to satisfy constraint: Member must have length greater "
                    "than or equal to 3");
  const std::string arn = describe(db).at("TableArn");
  check_refused(db, "ListStreams", {{"TableName", arn}},
                one + "Value '" + arn +
                    "' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression "
                    "pattern: [a-zA-Z0-9_.-]+");
}

}  // namespace test::list_streams_test

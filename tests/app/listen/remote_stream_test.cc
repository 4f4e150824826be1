#include "app/listen/remote_stream.h"

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "app/listen/lambda_record.h"

namespace dinette::app::remote_stream_test {
namespace {

using deliveries::StartingPosition;

constexpr std::string_view arn = "arn:aws:dynamodb:us-east-1:000000000000:table/T/stream/L";

/// Answers one call after the other, and keeps what was asked.
class Script final : public Operations {
 public:
  base::Result<OperationReply, NoReply> call(std::string_view operation, std::string_view request) override {
    asked.push_back(std::string(operation) + " " + std::string(request));
    REQUIRE_FALSE(replies.empty());
    OperationReply reply = replies.front();
    replies.pop_front();
    return reply;
  }
  void then(std::string body, int status = 200) { replies.push_back({status, std::move(body)}); }
  void fail(const std::string& type) {
    then(R"({"__type":"com.amazonaws.dynamodb.v20120810#)" + type + R"(","message":"no"})", 400);
  }

  std::vector<std::string> asked;
  std::deque<OperationReply> replies;
};

std::string record_json(const std::string& number) {
  return R"({"eventID":"1","eventName":"INSERT","eventVersion":"1.1","eventSource":"aws:dynamodb",)"
         R"("awsRegion":"us-east-1","dynamodb":{"ApproximateCreationDateTime":1.789650449E9,)"
         R"("Keys":{"pk":{"S":"a"}},"NewImage":{"pk":{"S":"a"},"n":{"N":"1.50"}},"SequenceNumber":")" +
         number + R"(","SizeBytes":10,"StreamViewType":"NEW_IMAGE"}})";
}

struct ScriptFixture {
  Script script;
  RemoteStream stream{script, Patience{[] { return false; }, [](auto) {}}, std::string(arn)};

  deliveries::RecordPage read(const std::string& after) {
    auto page = stream.read("shard", after, 100, 1 << 20);
    REQUIRE(page.ok());
    return std::move(page).value();
  }
};

}  // namespace

// docs/service/triggers.md section 6.1
TEST_CASE("a record is given to functions as Lambda gives it") {
  simdjson::dom::parser parser;
  const auto shown = [&](const std::string& json) {
    const auto record = lambda_record(parser.parse(json), arn);
    return record ? record->payload : "none";
  };
  CHECK(shown(record_json("7")) ==
        R"({"eventID":"1","eventName":"INSERT","eventVersion":"1.1","eventSource":"aws:dynamodb",)"
        R"("awsRegion":"us-east-1","dynamodb":{"ApproximateCreationDateTime":1.789650449E9,)"
        R"("Keys":{"pk":{"S":"a"}},"NewImage":{"pk":{"S":"a"},"n":{"N":"1.50"}},"SequenceNumber":"7",)"
        R"("SizeBytes":10,"StreamViewType":"NEW_IMAGE"},)"
        R"("eventSourceARN":"arn:aws:dynamodb:us-east-1:000000000000:table/T/stream/L"})");
  CHECK(shown(R"({"userIdentity":{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"},)"
              R"("dynamodb":{"SequenceNumber":"7","ApproximateCreationDateTime":1700000000}})") ==
        R"({"userIdentity":{"type":"Service","principalId":"dynamodb.amazonaws.com"},)"
        R"("dynamodb":{"ApproximateCreationDateTime":1.7E9,"SequenceNumber":"7"},)"
        R"("eventSourceARN":"arn:aws:dynamodb:us-east-1:000000000000:table/T/stream/L"})");
  CHECK(shown(R"({"dynamodb":{}})") == "none");
  CHECK(shown("[]") == "none");
  const auto record = lambda_record(parser.parse(record_json("7")), arn);
  CHECK(record->number == "7");
  CHECK(record->key == R"({"pk":{"S":"a"}})");
  CHECK(record->moment == base::TimePoint(std::chrono::seconds(1789650449)));
}

TEST_CASE_METHOD(ScriptFixture, "shards are listed over several pages, with their parents") {
  script.then(R"({"StreamDescription":{"Shards":[{"ShardId":"a"}],"LastEvaluatedShardId":"a"}})");
  script.then(R"({"StreamDescription":{"Shards":[{"ShardId":"b","ParentShardId":"a"}]}})");
  const auto shards = stream.shards();
  REQUIRE(shards.ok());
  REQUIRE((*shards)->size() == 2);
  CHECK((*shards)->at(1).id == "b");
  CHECK((*shards)->at(1).parents == std::vector<std::string>{"a"});
  CHECK(script.asked[1] ==
        R"(DescribeStream {"StreamArn":")" + std::string(arn) + R"(","ExclusiveStartShardId":"a"})");
  script.fail("ResourceNotFoundException");
  CHECK_FALSE(stream.shards()->has_value());
}

TEST_CASE_METHOD(ScriptFixture,
                 "a shard is read from its newest record on, by one iterator after the other") {
  script.then(R"({"ShardIterator":"i1"})");
  CHECK(stream.place_of("shard", StartingPosition::latest, {}).value().empty());
  CHECK(script.asked.back().find(R"("ShardIteratorType":"LATEST")") != std::string::npos);
  script.then(R"({"Records":[],"NextShardIterator":"i2"})");
  CHECK(read("").at_end);
  script.then(R"({"Records":[)" + record_json("7") + R"(],"NextShardIterator":"i3"})");
  const auto page = read("");
  CHECK(page.records.size() == 1);
  CHECK_FALSE(page.at_end);
  CHECK(script.asked.back() == R"(GetRecords {"ShardIterator":"i2","Limit":100})");
  script.then(R"({"Records":[]})");
  const auto last = read("7");
  CHECK(last.closed);
  CHECK(last.at_end);
  CHECK(script.asked.back() == R"(GetRecords {"ShardIterator":"i3","Limit":100})");
}

TEST_CASE_METHOD(ScriptFixture, "an iterator that has expired is replaced") {
  script.then(R"({"ShardIterator":"i1"})");
  script.fail("ExpiredIteratorException");
  CHECK(read("7").records.empty());
  CHECK(script.asked[0].find(R"("ShardIteratorType":"AFTER_SEQUENCE_NUMBER","SequenceNumber":"7")") !=
        std::string::npos);
  script.then(R"({"ShardIterator":"i2"})");
  script.then(R"({"Records":[],"NextShardIterator":"i3"})");
  CHECK(read("7").at_end);
}

TEST_CASE_METHOD(ScriptFixture, "records that were removed are skipped") {
  script.fail("TrimmedDataAccessException");
  script.then(R"({"ShardIterator":"i1"})");
  script.then(R"({"Records":[],"NextShardIterator":"i2"})");
  CHECK(read("7").at_end);
  CHECK(script.asked[1].find(R"("ShardIteratorType":"TRIM_HORIZON")") != std::string::npos);
}

TEST_CASE_METHOD(ScriptFixture, "a shard of a stream that is gone has ended") {
  script.fail("ResourceNotFoundException");
  CHECK(read("7").closed);
  script.then(R"({"ShardIterator":"i1"})");
  script.fail("ResourceNotFoundException");
  CHECK(read("7").closed);
}

TEST_CASE_METHOD(ScriptFixture, "a table without a stream is explained") {
  const Patience patience{[] { return false; }, [](auto) {}};
  script.then(R"({"Table":{"LatestStreamArn":"arn:x"}})");
  CHECK(stream_of_table(script, patience, "T").value() == "arn:x");
  script.then(R"({"Table":{}})");
  CHECK(stream_of_table(script, patience, "T").error() ==
        "the table 'T' has no stream; an UpdateTable with a StreamSpecification makes one");
  script.fail("ResourceNotFoundException");
  CHECK(stream_of_table(script, patience, "T").error() ==
        "DescribeTable failed: ResourceNotFoundException: no");
}

}  // namespace dinette::app::remote_stream_test

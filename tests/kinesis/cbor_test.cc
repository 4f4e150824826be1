#include "support/cbor.h"

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "kinesis/fixture.h"

// What SDKs for Java and the Kinesis Client Library speak: docs/service/wire.md section 10.
namespace test::cbor_test {

using kinesis::Json;
using kinesis::Kinesis;

namespace {

const std::string sdk_type = "application/x-amz-cbor-1.1";

kinesis::Reply reply_to(Kinesis& kinesis, std::string_view operation, const Json& body) {
  const std::string cbor = in_cbor(body);
  return kinesis.call(operation, std::string_view(cbor), {{"Content-Type", sdk_type}});
}

Json call(Kinesis& kinesis, std::string_view operation, const Json& body) {
  const auto reply = reply_to(kinesis, operation, body);
  CHECK(reply.content_type == sdk_type);
  REQUIRE(reply.status == 200);
  return reply.body.empty() ? Json::object() : of_cbor(reply.body, 1000, Bytes::kept);
}

}  // namespace

TEST_CASE("a record that was put in CBOR is read in CBOR, with its bytes and its time") {
  Kinesis kinesis;
  kinesis.create("clicks");
  const std::string data("\0\1\xff", 3);
  const Json put =
      call(kinesis, "PutRecord", {{"StreamName", "clicks"}, {"PartitionKey", "a"}, {"Data", bytes(data)}});
  const Json records =
      call(kinesis, "GetRecords", {{"ShardIterator", kinesis.iterator("clicks", kinesis::shard(0))}});
  REQUIRE(records.at("Records").size() == 1);
  const Json& record = records.at("Records")[0];
  CHECK(record.at("Data") == bytes(data));
  CHECK(record.at("SequenceNumber") == put.at("SequenceNumber"));
  CHECK(record.at("ApproximateArrivalTimestamp") == 1'791'633'600.0);
  CHECK(kinesis.read_shard("clicks", kinesis::shard(0)) == std::vector<std::string>{data});
}

TEST_CASE("errors in CBOR have their type and message") {
  Kinesis kinesis;
  const auto reply = reply_to(kinesis, "DescribeStreamSummary", {{"StreamName", "none"}});
  CHECK(reply.status == 400);
  const Json error = of_cbor(reply.body);
  CHECK(error.at("__type") == "ResourceNotFoundException");
  CHECK(error.at("message").get<std::string>().starts_with("Stream none under account"));
}

TEST_CASE("bytes are refused where there are none") {
  Kinesis kinesis;
  const auto reply = reply_to(kinesis, "DescribeStreamSummary", {{"StreamName", bytes("clicks")}});
  CHECK(reply.status == 400);
  CHECK(of_cbor(reply.body).at("__type") == "SerializationException");
}

}  // namespace test::cbor_test

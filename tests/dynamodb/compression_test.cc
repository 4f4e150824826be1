#include <catch2/catch.hpp>

#include "dinette/base/crc32.h"
#include "dinette/base/gzip.h"

#include "support/dynamodb.h"

// Facts: wire.md section 2, compression.
namespace test::compression_test {

namespace base = dinette::base;

namespace {

const std::pair<std::string, std::string> accept{"Accept-Encoding", "gzip"};
const std::pair<std::string, std::string> packed{"Content-Encoding", "gzip"};
constexpr std::size_t plenty = 1 << 20;

const std::string get_large = R"({"TableName":"Music","Key":{"pk":{"S":"large"}}})";

void put_large(DynamoDb& db) {
  db.create_table("Music");
  db.put("Music", {{"pk", {{"S", "large"}}}, {"text", {{"S", std::string(100'000, 'x')}}}});
}

}  // namespace

TEST_CASE(
    "A large answer is compressed when the client takes gzip, and the check sum is that of the bytes sent") {
  DynamoDb db;
  put_large(db);
  const Reply plain = db.call("GetItem", get_large);
  CHECK(plain.header("Content-Encoding").empty());
  for (const char* accepted :
       {"gzip", "gzip, deflate, br", "identity, gzip", "GZip", "x-gzip", "*", "br,gzip;q=0.5", "*;q=0, gzip",
        "gzip ; Q=1.000", "identity;q=0.1,\t*;q=0.001"}) {
    INFO(accepted);
    const Reply reply = db.call("GetItem", get_large, {{"Accept-Encoding", accepted}});
    CHECK(reply.status == 200);
    CHECK(reply.header("Content-Encoding") == "gzip");
    CHECK(reply.body.size() < plain.body.size());
    CHECK(reply.header("x-amz-crc32") == std::to_string(base::crc32(reply.body)));
    const auto content = base::gzip_decompress(reply.body, plenty);
    REQUIRE(content.ok());
    CHECK(*content == plain.body);
  }
}

TEST_CASE("A small answer is sent as it is") {
  DynamoDb db;
  const Reply reply = db.call("ListTables", "{}", {accept});
  CHECK(reply.header("Content-Encoding").empty());
  CHECK(reply.body == R"({"TableNames":[]})");
}

TEST_CASE("A large answer is sent as it is to a client that does not take gzip") {
  DynamoDb db;
  put_large(db);
  for (const char* accepted : {"identity", "br", "", "gzip;q=0", "gzip; q=0.000", "*;q=0", "gzip;q=0, *",
                               "pigzip", "gzip2", "gzip;q=", "gzip;q=high"}) {
    INFO(accepted);
    CHECK(db.call("GetItem", get_large, {{"Accept-Encoding", accepted}}).header("Content-Encoding").empty());
  }
}

TEST_CASE("A large error is compressed as well") {
  DynamoDb db;
  const Reply reply = db.call("DescribeTable", Json{{"TableName", std::string(10'000, 'x')}}, {accept});
  CHECK(reply.status == 400);
  CHECK(reply.header("Content-Encoding") == "gzip");
  const auto content = base::gzip_decompress(reply.body, plenty);
  REQUIRE(content.ok());
  CHECK(Json::parse(*content).at("__type") == "com.amazon.coral.validate#ValidationException");
}

TEST_CASE("A compressed request is read") {
  DynamoDb db;
  put_large(db);
  const Reply reply = db.call("GetItem", base::gzip_compress(get_large), {packed});
  CHECK(reply.status == 200);
  CHECK(reply.json().at("Item").at("pk").at("S") == "large");
  CHECK(db.call("ListTables", base::gzip_compress(""), {packed}).status == 200);
  CHECK(db.call("ListTables", "", {packed}).status == 200);
}

TEST_CASE("The coding of a request may be called in capitals, or x-gzip") {
  DynamoDb db;
  for (const char* coding : {"GZIP", "x-gzip", "X-GZip"}) {
    CHECK(db.call("ListTables", base::gzip_compress("{}"), {{"Content-Encoding", coding}}).status == 200);
  }
}

TEST_CASE("A request that is compressed badly is no request") {
  DynamoDb db;
  const std::string good = base::gzip_compress("{}");
  std::string wrong_sum = good;
  wrong_sum[good.size() - 6] ^= 1;
  for (const std::string& body :
       {good.substr(0, good.size() - 1), wrong_sum, good + "x", std::string("\x1f\x8b")}) {
    const Reply reply = db.call("ListTables", body, {packed});
    CHECK(reply.status == 400);
    CHECK(reply.error() == "SerializationException");
  }
  CHECK(db.call("ListTables", good).error() == "SerializationException");
  CHECK(db.call("ListTables", base::gzip_compress("{"), {packed}).error() == "SerializationException");
}

TEST_CASE("A request is not larger unpacked than it may be as it is") {
  DynamoDb db;
  const std::string bomb = base::gzip_compress("{\"a\":\"" + std::string(16 * 1024 * 1024, 'x') + "\"}");
  const Reply reply = db.call("ListTables", bomb, {packed});
  CHECK(reply.status == 413);
  CHECK(reply.body == "<RequestEntityTooLargeException/>");
}

}  // namespace test::compression_test

// Connections whose frames are compressed (docs/service-keyspaces/protocol.md sections 4 and 8).
#include "cql/frames/compression.h"

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/bytes.h"

#include "cql/frames/header.h"
#include "cql/wire/fixture.h"
#include "support/hex.h"

namespace dinette::cql::compression_test {

using frames::Compression;
using ::test::from_hex;
using test::query_body;
using test::request_frame;
using test::SentFrame;
using test::TestConnection;
using test::TestServer;
using ::test::to_hex;

namespace {

constexpr std::size_t largest_body = frames::largest_frame - frames::header_size;
const std::string create_k = "CREATE KEYSPACE k WITH replication = {'class': 'SingleRegionStrategy'}";

std::string startup(std::string_view compression) {
  std::string body = from_hex("0002") + from_hex("000b") + "CQL_VERSION" + from_hex("0005") + "3.0.0" +
                     from_hex("000b") + "COMPRESSION";
  base::append_big_endian(body, static_cast<std::uint16_t>(compression.size()));
  return body.append(compression);
}

/// A connection that has agreed on a compression.
struct Compressing {
  explicit Compressing(Compression its_compression, ServiceOptions options = {})
      : compression(its_compression), server(std::move(options)) {
    const auto reply = connection.ask(1, startup(compression == Compression::lz4 ? "lz4" : "snappy"));
    CHECK((reply.opcode == 2 || reply.opcode == 3));
  }

  /// Sends a frame with these bytes as its compressed body.
  SentFrame send_packed(int opcode, std::string_view body, int version = 4) {
    std::string frame = request_frame(opcode, body, 5, version);
    frame[1] = '\1';
    auto frames = connection.send(frame);
    if (frames.empty()) frames = connection.run_posted();
    REQUIRE(frames.size() == 1);
    CHECK(frames[0].stream == 5);
    return unpacked(std::move(frames[0]));
  }
  SentFrame ask(int opcode, std::string_view body) {
    return send_packed(opcode, frames::compress(compression, body));
  }
  SentFrame query(std::string_view statement) { return ask(7, query_body(statement)); }

  /// Every body that is not empty is compressed.
  SentFrame unpacked(SentFrame frame) const {
    CHECK(((frame.flags & 1) != 0) == !frame.body.empty());
    if (!frame.body.empty()) frame.body = frames::decompress(compression, frame.body, largest_body).value();
    return frame;
  }

  Compression compression;
  TestServer server;
  TestConnection connection{server.service()};
};

std::string refusal(Compression compression, std::string_view hex, std::size_t most = largest_body) {
  const auto body = frames::decompress(compression, from_hex(hex), most);
  return body.ok() ? "" : body.error().message;
}

}  // namespace

TEST_CASE("a body of LZ4 begins with its length, one of Snappy with Snappy's own") {
  CHECK(frames::decompress(Compression::lz4, from_hex("00000003 30 616263"), largest_body).value() == "abc");
  CHECK(frames::decompress(Compression::snappy, from_hex("03 08 616263"), largest_body).value() == "abc");
  CHECK(to_hex(frames::compress(Compression::lz4, "abc")) == to_hex(from_hex("00000003 30 616263")));
  CHECK(to_hex(frames::compress(Compression::snappy, "abc")) == to_hex(from_hex("03 08 616263")));
  // A copy of the byte before: nine of them.
  CHECK(frames::decompress(Compression::lz4, from_hex("0000000e 14 61 0100 50 6161616161"), largest_body)
            .value() == "aaaaaaaaaaaaaa");
  for (const Compression one : {Compression::lz4, Compression::snappy}) {
    for (const std::string& body : {std::string(), std::string(100'000, 'x'), create_k}) {
      const std::string packed = frames::compress(one, body);
      CHECK(frames::decompress(one, packed, largest_body).value() == body);
    }
  }
}

TEST_CASE("a connection compresses both ways once it has agreed on that") {
  for (const Compression compression : {Compression::lz4, Compression::snappy}) {
    Compressing one(compression);
    CHECK(one.query(create_k).kind() == 5);
    CHECK(one.query("CREATE TABLE k.t (p int PRIMARY KEY, v text)").kind() == 5);
    const std::string value(300'000, 'v');
    CHECK(one.query("INSERT INTO k.t (p, v) VALUES (1, '" + value + "')").kind() == 1);
    const auto read = one.query("SELECT v FROM k.t");
    CHECK(read.kind() == 2);
    CHECK(read.body.ends_with(value));
    CHECK(one.query("SELECT x FROM k.t").error() == "2200 Undefined column name x");
    // Warnings are part of what is compressed.
    const auto counted = one.query("SELECT count(*) FROM k.t");
    CHECK(counted.flags == 0x09);
    CHECK(counted.body.starts_with(from_hex("0001 002c") + "Aggregation query used"));
    // A request need not be compressed.
    const auto plain = one.connection.query("SELECT p FROM k.t");
    CHECK(plain.flags == 1);
    CHECK(one.unpacked(plain).kind() == 2);
  }
}

TEST_CASE("a log-in may be compressed, and so are events") {
  Compressing one(Compression::lz4,
                  {.log_in = {.mode = LogInOptions::Mode::verify, .passwords = {{"user", "pass"}}}});
  CHECK(one.ask(0x0F, from_hex("0000000a 00 75736572 00 70617373")).opcode == 0x10);
  CHECK(one.ask(0x0B, from_hex("0001 000d") + "SCHEMA_CHANGE").opcode == 2);
  const std::string frame = request_frame(7, query_body(create_k), 3);
  auto frames = one.connection.send(frame);
  for (auto& later : one.connection.run_posted()) frames.push_back(std::move(later));
  REQUIRE(frames.size() == 2);
  for (SentFrame& sent : frames) {
    sent = one.unpacked(std::move(sent));
    CHECK(sent.body.find("CREATED") != std::string::npos);
  }
}

TEST_CASE("a body that is damaged is an error of the protocol, and the connection stays") {
  const std::string lz4 = "000A Provided frame does not appear to be LZ4 compressed";
  Compressing one(Compression::lz4);
  for (const char* body : {"", "000000", "00000004 30 616263", "00000002 30 616263", "00000003 f0 61",
                           "0fffff00 30 616263", "00000008 14 61 0900 30 616161"}) {
    INFO(body);
    CHECK(one.send_packed(7, from_hex(body)).error() == lz4);
  }
  CHECK(one.query("SELECT key FROM system.local").kind() == 2);
  const std::string snappy = "000A Provided frame does not appear to be Snappy compressed";
  Compressing other(Compression::snappy);
  for (const char* body :
       {"", "ff", "04 08 616263", "02 08 616263", "ffffff3f 08 616263", "ff06 0000 734e 6150 7059"}) {
    INFO(body);
    CHECK(other.send_packed(7, from_hex(body)).error() == snappy);
  }
  CHECK(other.query("SELECT key FROM system.local").kind() == 2);
}

TEST_CASE("a body counts with the size that it would have") {
  const std::string too_big =
      "Request is too big: length 2147483656 exceeds maximum allowed length 268435456.";
  CHECK(refusal(Compression::lz4, "7fffffff 30 616263") == too_big);
  CHECK(refusal(Compression::snappy, "ffffffff07 08 616263") == too_big);
  CHECK(refusal(Compression::lz4, "ffffffff 00").starts_with("Request is too big: length 4294967304 "));
  CHECK(refusal(Compression::lz4, "00000003 30 616263", 2) ==
        "Request is too big: length 12 exceeds maximum allowed length 11.");
  // Before the log-in less is allowed.
  Compressing one(Compression::lz4, {.log_in = {.mode = LogInOptions::Mode::verify}});
  const std::string body = frames::compress(Compression::lz4, std::string(100'000, '\0'));
  CHECK(one.send_packed(0x0F, body).error().starts_with("000A Request is too big: length 100009 "));
}

}  // namespace dinette::cql::compression_test

#include <string>

#include <catch2/catch.hpp>

#include "cql/wire/fixture.h"
#include "support/hex.h"

// docs/service-keyspaces/protocol.md sections 1, 2, 4, 7, 9 and 10; docs/service-keyspaces/errors.md sections
// 1 and 2.
namespace dinette::cql::connection_test {

using test::query_body;
using test::request_frame;
using test::TestConnection;
using test::TestServer;

constexpr int error_opcode = 0;

const std::string create_k = "CREATE KEYSPACE k WITH replication = {'class': 'SingleRegionStrategy'}";

TEST_CASE("an unsupported version gets an error of version 4 on stream 0, and the connection ends") {
  TestServer server;
  TestConnection connection(server.service());
  const auto frames = connection.send(request_frame(1, "", 7, 5));
  REQUIRE(frames.size() == 1);
  CHECK(frames[0].version == 0x84);
  CHECK(frames[0].stream == 0);
  CHECK(
      frames[0].error() ==
      "000A Invalid or unsupported protocol version (5); the lowest supported version is 3 and the greatest "
      "is 4");
  CHECK(connection.state().ending != tcp::Ending::none);
}

TEST_CASE("a version is decided on the first byte") {
  TestServer server;
  TestConnection connection(server.service());
  const auto frames = connection.send("\x01");
  REQUIRE(frames.size() == 1);
  CHECK(frames[0].stream == 0);
}

TEST_CASE("before STARTUP only OPTIONS is answered, and a second STARTUP is refused") {
  TestServer server;
  TestConnection connection(server.service());
  CHECK(connection.query("SELECT * FROM t").error() ==
        "000A Unexpected message QUERY, expecting STARTUP or OPTIONS");
  CHECK(connection.ask(5, "").opcode == 6);
  connection.start();
  CHECK(connection.ask(1, test::startup_body()).error() ==
        "000A Unexpected message STARTUP, the connection is already initialized");
  CHECK(connection.state().ending == tcp::Ending::none);
}

TEST_CASE("a connection keeps its version") {
  TestServer server;
  TestConnection connection(server.service());
  connection.start();
  const auto frames = connection.send(request_frame(7, query_body("x"), 3, 3) + request_frame(5, "", 4));
  REQUIRE(frames.size() == 2);
  CHECK(frames[0].error() ==
        "000A Invalid message version. Got 3/v3 but previous messages on this connection had version 4/v4");
  CHECK(frames[1].opcode == 6);
}

TEST_CASE("frames may come byte by byte, and several at once") {
  TestServer server;
  TestConnection connection(server.service());
  connection.start();
  const std::string frame = request_frame(5, "", 2);
  for (std::size_t i = 0; i + 1 < frame.size(); ++i) CHECK(connection.send(frame.substr(i, 1)).empty());
  CHECK(connection.send(frame.substr(frame.size() - 1) + frame + frame).size() == 3);
}

TEST_CASE("opcodes that do not exist, and those of the server, are refused") {
  TestServer server;
  TestConnection connection(server.service());
  connection.start();
  CHECK(connection.ask(0x55, "").error() == "000A Unknown opcode 85");
  CHECK(connection.ask(8, "").error() ==
        "000A Wrong protocol direction (expected RESPONSE, got REQUEST) for opcode 8 (RESULT)");
  const auto reply = connection.send(request_frame(5, "", 3, 0x84));
  REQUIRE(reply.size() == 1);
  CHECK(reply[0].error() ==
        "000A Wrong protocol direction (expected REQUEST, got RESPONSE) for opcode 5 (OPTIONS)");
  CHECK(connection.ask(5, "").opcode == 6);
}

TEST_CASE("USE sets the keyspace of one connection, whose name its reply has") {
  TestServer server;
  TestConnection one(server.service());
  TestConnection other(server.service());
  one.start();
  other.start();
  CHECK(one.query("USE k").error() == "2200 Keyspace 'k' does not exist");
  CHECK(one.query(create_k).kind() == 5);
  CHECK(one.query("USE k").kind() == 3);
  CHECK(one.query("CREATE TABLE t (p int PRIMARY KEY)").kind() == 5);
  CHECK(other.query("CREATE TABLE u (p int PRIMARY KEY)").error() ==
        "2200 No keyspace has been specified. USE a keyspace, or explicitly specify keyspace.tablename");
}

TEST_CASE(
    "a connection that has registered gets events about changes of the schema, also by other connections") {
  TestServer server;
  TestConnection one(server.service());
  TestConnection other(server.service());
  one.start();
  other.start();
  const std::string wanted("\0\1\0\x0dSCHEMA_CHANGE", 17);
  CHECK(one.ask(0x0B, wanted).opcode == 2);
  CHECK(other.query(create_k).kind() == 5);
  const auto events = one.run_posted();
  REQUIRE(events.size() == 1);
  CHECK(events[0].stream == -1);
  CHECK(events[0].opcode == 0x0C);
  CHECK(events[0].body.find("CREATED") != std::string::npos);
  CHECK(other.run_posted().empty());
}

TEST_CASE("what exists already is named in the error") {
  TestServer server;
  TestConnection connection(server.service());
  connection.start();
  CHECK(connection.query(create_k).kind() == 5);
  const auto again = connection.query(create_k);
  CHECK(again.error() == "2400 Cannot add existing keyspace \"k\"");
  CHECK(again.body.ends_with(std::string("\0\1k\0\0", 5)));
}

TEST_CASE("an unknown prepared id is answered with it") {
  TestServer server;
  TestConnection connection(server.service());
  connection.start();
  const auto reply = connection.ask(0x0A, std::string("\0\2id\0\1\0", 7));
  CHECK(reply.error().starts_with("2500 Prepared query with ID 6964 not found"));
  CHECK(reply.body.ends_with(std::string("\0\2id", 4)));
}

TEST_CASE("strict mode refuses levels that the service refuses, also of USE") {
  TestServer server({.strict = true});
  TestConnection connection(server.service());
  connection.start();
  CHECK(connection.query("USE system", 0).error() ==
        "2200 Consistency level ANY is not supported for this operation. Supported consistency levels are: "
        "ONE, LOCAL_QUORUM, LOCAL_ONE");
  CHECK(connection.query("USE system", 10).kind() == 3);
}

TEST_CASE("with a log-in, the password is checked") {
  TestServer server({.log_in = {.mode = LogInOptions::Mode::verify, .passwords = {{"user", "pass"}}}});
  TestConnection connection(server.service());
  CHECK(connection.ask(1, test::startup_body()).opcode == 3);
  CHECK(connection.query("USE system").error() == "000A Unexpected message QUERY, expecting SASL_RESPONSE");
  CHECK(connection.ask(0x0F, std::string("\0\0\0\x0a\0user\0pass", 14)).opcode == 0x10);
  CHECK(connection.query("USE system").kind() == 3);

  TestConnection wrong(server.service());
  CHECK(wrong.ask(1, test::startup_body()).opcode == 3);
  CHECK(wrong.ask(0x0F, std::string("\0\0\0\x0b\0user\0other", 15)).error() ==
        "0100 Provided username user and/or password are incorrect");
  CHECK(wrong.state().ending != tcp::Ending::none);
}

TEST_CASE("a client without a log-in sees the fork that its application is named after") {
  TestServer server;
  TestConnection one(server.service());
  one.start();
  CHECK(one.query(create_k).kind() == 5);
  const auto image = server.worlds().find("")->image();
  REQUIRE(image.ok());
  REQUIRE(server.worlds().add_fork("shop", *image).ok());
  TestConnection fork(server.service());
  fork.start("shop");
  CHECK(fork.query("DROP KEYSPACE k").kind() == 5);
  CHECK(fork.query("USE k").opcode == error_opcode);
  CHECK(one.query("USE k").kind() == 3);
}

}  // namespace dinette::cql::connection_test

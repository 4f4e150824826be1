// Frames of real conversations, and what requests are answered with, byte by byte where it matters
// (docs/service-keyspaces/protocol.md sections 1 to 8 and 10, docs/service-keyspaces/errors.md sections 1 and
// 2, docs/service-keyspaces/capacity.md section 5).
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/bytes.h"
#include "dinette/base/md5.h"

#include "cql/wire/fixture.h"
#include "support/hex.h"

namespace dinette::cql::protocol_test {

using ::test::from_hex;
using test::query_body;
using test::request_frame;
using test::SentFrame;
using test::TestConnection;
using test::TestServer;
using ::test::to_hex;

namespace {

const std::string create_k = "CREATE KEYSPACE k WITH replication = {'class': 'SingleRegionStrategy'}";
constexpr int query = 7;
constexpr int prepare = 9;
constexpr int execute = 0x0A;
constexpr int batch = 0x0D;

std::string long_string(std::string_view text) {
  std::string out;
  base::append_big_endian(out, static_cast<std::uint32_t>(text.size()));
  return out.append(text);
}

/// A server with a table, and a connection that uses its keyspace.
struct Ready {
  explicit Ready(ServiceOptions options = {}) : server(std::move(options)) {
    connection.start();
    REQUIRE(connection.query(create_k).kind() == 5);
    REQUIRE(connection.query("USE k").kind() == 3);
    REQUIRE(connection.query("CREATE TABLE t (p int, c int, v text, PRIMARY KEY (p, c))").kind() == 5);
  }

  /// The body of the one reply to bytes in hex, or its error.
  std::string answered(std::string_view hex) {
    const auto frames = connection.send(from_hex(hex));
    REQUIRE(frames.size() == 1);
    return frames[0].opcode == 0 ? frames[0].error() : to_hex(frames[0].body);
  }
  /// Prepares a statement, and returns its id as [short bytes].
  std::string prepared(std::string_view statement) {
    const auto reply = connection.ask(prepare, long_string(statement));
    REQUIRE(reply.kind() == 4);
    return reply.body.substr(4, 18);
  }

  TestServer server;
  TestConnection connection{server.service()};
};

}  // namespace

TEST_CASE("the frames of a Node.js driver are answered") {
  TestServer server;
  TestConnection connection(server.service());
  const auto ready = connection.send(from_hex(
      "04 00 0001 01 0000005c 0003 000b43514c5f56455253494f4e 0005332e302e30 000b4452495645525f4e414d45 "
      "001f4170616368652043617373616e647261204e6f64652e6a7320447269766572 000e4452495645525f56455253494f4e "
      "0006342e31302e30"));
  REQUIRE(ready.size() == 1);
  CHECK(ready[0].opcode == 2);
  const auto supported = connection.send(from_hex("04 00 0001 05 00000000"));
  CHECK(supported.at(0).opcode == 6);
  const auto registered = connection.send(from_hex(
      "04 00 0001 0b 00000031 0003 000f544f504f4c4f47595f4348414e4745 000d5354415455535f4348414e4745 "
      "000d534348454d415f4348414e4745"));
  CHECK(registered.at(0).opcode == 2);
  const auto local = connection.send(from_hex(
      "04 00 0001 07 00000033 0000002c "
      "53454c454354202a2046524f4d2073797374656d2e6c6f63616c205748455245206b65793d276c6f63616c27 0001 00"));
  CHECK(local.at(0).kind() == 2);
  CHECK(connection.query(create_k).kind() == 5);
  CHECK(connection.query("CREATE TABLE k.t (p double PRIMARY KEY, v int, a int)").kind() == 5);
  // BATCH of a DELETE and an INSERT with 2 as a double and null; QUERY with all parameters; EXECUTE of an
  // unknown id.
  const auto batched = connection.send(from_hex(
      "04 00 0004 0d 00000069 01 0002 00 00000019 44454c4554452046524f4d206b2e7420574845524520703d31 0000 "
      "00 00000022 494e5345525420494e544f206b2e742028702c76292056414c55455320283f2c3f29 0002 "
      "00000008 4000000000000000 ffffffff 0006 30 0009 00060a24181e4000"));
  REQUIRE(batched.size() == 1);
  CHECK(batched[0].stream == 4);
  CHECK(to_hex(batched[0].body) == "00000001");
  const auto read = connection.send(from_hex(
      "04 00 0002 07 00000030 0000001b 53454c45435420612046524f4d206b2e7420574845524520703d31 0006 34 "
      "00001388 0009 00060a24181e4000"));
  CHECK(to_hex(read.at(0).body) ==
        to_hex(from_hex("00000002 00000001 00000001 00016b 000174 000161 0009 00000000")));
  const auto unknown = connection.send(from_hex(
      "04 00 0003 0a 00000031 0010 00112233445566778899aabbccddeeff 0006 35 0002 00000004 00000001 fffffffe "
      "00001388 0009 00060a24181e4000"));
  CHECK(unknown.at(0).error() ==
        "2500 Prepared query with ID 00112233445566778899aabbccddeeff not found (either the query was not "
        "prepared on "
        "this host (maybe the host has been restarted?) or you have prepared too many queries and it has "
        "been evicted "
        "from the internal cache)");
}

TEST_CASE("the parameters of Python and Node.js are read") {
  Ready one;
  const std::string timestamp = "00060a24181e4000";
  CHECK(one.answered("04 00 0001 07 00000024 00000011 53454c454354202a2046524f4d206b2e74 000a 24 00001388 " +
                     timestamp)
            .starts_with("00000002"));
  const std::string id = one.prepared("INSERT INTO t (p, c, v) VALUES (?, ?, ?)");
  const std::string parameters =
      from_hex("0006 25 0003 00000004 00000001 00000004 00000002 00000001 78 00001388 " + timestamp);
  CHECK(one.connection.ask(execute, id + parameters).kind() == 1);
  CHECK(one.connection.query("SELECT v FROM t").body.ends_with(std::string("\0\0\0\1x", 5)));
}

TEST_CASE("version 3 is answered in its own forms") {
  TestServer server;
  TestConnection connection(server.service());
  const auto send = [&](int opcode, std::string_view body) {
    const auto frames = connection.send(request_frame(opcode, body, 5, 3));
    REQUIRE(frames.size() == 1);
    CHECK(frames[0].version == 0x83);
    CHECK(frames[0].stream == 5);
    return frames[0];
  };
  CHECK(send(1, test::startup_body()).opcode == 2);
  CHECK(send(query, query_body(create_k)).kind() == 5);
  CHECK(send(query, query_body("CREATE TABLE k.t (p int PRIMARY KEY, v int)")).kind() == 5);
  const std::string statement = "INSERT INTO k.t (p, v) VALUES (?, ?)";
  const auto described = send(prepare, long_string(statement));
  // Binds without the positions of the key.
  CHECK(to_hex(described.body.substr(22, 8)) == "0000000100000002");
  CHECK(to_hex(described.body.substr(30, 3)) == "00016b");
  // Every negative length is null.
  CHECK(send(execute, described.body.substr(4, 18) + from_hex("0001 01 0002 00000004 00000001 fffffffe"))
            .kind() == 1);
  CHECK(send(query, query_body("SELECT v FROM k.t")).body.ends_with(from_hex("00000001 ffffffff")));
  // No warnings.
  CHECK(send(query, query_body("SELECT count(*) FROM k.t")).kind() == 2);
}

TEST_CASE("a reply of version 4 begins with its warnings, which its flags announce") {
  Ready one;
  const auto frames = one.connection.send(request_frame(query, query_body("SELECT count(*) FROM t"), 3));
  REQUIRE(frames.size() == 1);
  CHECK(frames[0].flags == 0x08);
  const std::string warning = "Aggregation query used without partition key";
  CHECK(frames[0].body.starts_with(from_hex("0001 002c") + warning + from_hex("00000002")));
  CHECK(one.connection.send(request_frame(query, query_body("SELECT * FROM t"), 3)).at(0).flags == 0);
}

TEST_CASE("a batch may be answered with warnings, in version 4") {
  Ready one;
  std::string text = "BEGIN UNLOGGED BATCH ";
  for (int i = 0; i < 11; ++i) text += "INSERT INTO k.t (p, c) VALUES (" + std::to_string(i) + ", 1); ";
  text += "APPLY BATCH";
  const auto frames = one.connection.send(request_frame(query, query_body(text), 3));
  REQUIRE(frames.size() == 1);
  CHECK(frames[0].flags == 0x08);
  CHECK(frames[0].body.find("Unlogged batch covering 11 partitions detected") == 4);
  CHECK(frames[0].body.ends_with(from_hex("00000001")));
  TestConnection earlier(one.server.service());
  CHECK(earlier.send(request_frame(1, test::startup_body(), 1, 3)).at(0).opcode == 2);
  const auto reply = earlier.send(request_frame(query, query_body(text), 3, 3)).at(0);
  CHECK(reply.flags == 0);
  CHECK(to_hex(reply.body) == "00000001");
}

TEST_CASE("flags that ask for nothing here are ignored, and so are bytes after a body") {
  Ready one;
  std::string traced = request_frame(query, query_body("SELECT * FROM t") + "more", 3);
  traced[1] = '\xF2';  // tracing, and flags that do not exist
  const auto frames = one.connection.send(traced);
  REQUIRE(frames.size() == 1);
  CHECK(frames[0].flags == 0);
  CHECK(frames[0].kind() == 2);
  std::string with_payload =
      request_frame(query, from_hex("0001 000161 00000001 ff") + query_body("SELECT * FROM t"), 3);
  with_payload[1] = '\x04';
  CHECK(one.connection.send(with_payload).at(0).kind() == 2);
}

TEST_CASE("streams are those of requests, also negative ones, and may be used again") {
  Ready one;
  const std::string frame =
      request_frame(5, "", 32'767) + request_frame(5, "", 0) + request_frame(5, "", 32'767);
  const auto frames = one.connection.send(frame);
  REQUIRE(frames.size() == 3);
  CHECK(frames[0].stream == 32'767);
  CHECK(frames[1].stream == 0);
  CHECK(frames[2].stream == 32'767);
}

TEST_CASE("an id is the MD5 of the keyspace and the text, on all connections") {
  Ready one;
  const std::string statement = "SELECT v FROM t WHERE p = ? AND c = ?";
  base::Md5 digest;
  digest.add("k");
  digest.add(statement);
  const auto bytes = digest.digest();
  const std::string id = std::string("\0\x10", 2) + std::string(bytes.begin(), bytes.end());
  CHECK(one.prepared(statement) == id);
  TestConnection other(one.server.service());
  other.start();
  CHECK(other.ask(execute, id + from_hex("0001 01 0002 00000004 00000001 00000004 00000001")).kind() == 2);
  CHECK(other.ask(prepare, long_string(statement)).error() ==
        "2200 No keyspace has been specified. USE a keyspace, or explicitly specify keyspace.tablename");
}

TEST_CASE("a statement whose description has changed is prepared again") {
  Ready one;
  auto& connection = one.connection;
  const std::string without_metadata = from_hex("0001 02");
  const std::string all = one.prepared("SELECT * FROM t");
  const std::string column = one.prepared("SELECT v FROM t");
  const std::string insert = one.prepared("INSERT INTO t (p, c, v) VALUES (?, ?, ?)");
  CHECK(connection.query("ALTER TABLE t ADD w int").kind() == 5);
  CHECK(connection.ask(execute, column + without_metadata).kind() == 2);
  for (int i = 0; i < 2; ++i)
    CHECK(
        connection.ask(execute, all + without_metadata).error().starts_with("2500 Prepared query with ID "));
  CHECK(one.prepared("SELECT * FROM t") == all);
  CHECK(connection.ask(execute, all + without_metadata).kind() == 2);
  CHECK(connection.query("DROP TABLE t").kind() == 5);
  CHECK(connection.query("CREATE TABLE t (p int, c int, v int, PRIMARY KEY (p, c))").kind() == 5);
  const std::string values = from_hex("0003 00000004 00000001 00000004 00000001 00000001 78");
  const auto reply = connection.ask(batch, from_hex("00 0001 01") + insert + values + from_hex("0001 00"));
  CHECK(reply.error().starts_with("2500 Prepared query with ID "));
  CHECK(reply.body.ends_with(insert));
  CHECK(connection.ask(execute, insert + from_hex("0001 01") + values)
            .error()
            .starts_with("2500 Prepared query with ID "));
  CHECK(connection.query("SELECT v FROM t").body.ends_with(from_hex("00000000")));
}

TEST_CASE("a statement that no longer fits its tables is prepared again, which says why") {
  Ready one;
  auto& connection = one.connection;
  const std::string select = "SELECT v FROM t WHERE p = 1";
  const std::string of_column = one.prepared(select);
  const std::string insert = one.prepared("INSERT INTO t (p, c, v) VALUES (1, 1, 'x')");
  CHECK(connection.query("ALTER TABLE t DROP v").kind() == 5);
  const auto reply = connection.ask(execute, of_column + from_hex("0001 00"));
  CHECK(reply.error().starts_with("2500 Prepared query with ID "));
  CHECK(reply.body.ends_with(of_column));
  CHECK(connection.ask(prepare, long_string(select)).error() == "2200 Undefined column name v");
  const auto batched = connection.ask(batch, from_hex("00 0001 01") + insert + from_hex("0000 0001 00"));
  CHECK(batched.error().starts_with("2500 Prepared query with ID "));
  CHECK(batched.body.ends_with(insert));
  const std::string other = one.prepared("SELECT c FROM t WHERE p = 1");
  CHECK(connection.query("DROP TABLE t").kind() == 5);
  for (int i = 0; i < 2; ++i)
    CHECK(connection.ask(execute, other + from_hex("0001 00")).error().starts_with("2500 "));
  CHECK(connection.ask(prepare, long_string("SELECT c FROM t WHERE p = 1")).error() ==
        "2200 unconfigured table k.t");
}

TEST_CASE("values are counted against the markers, also of statements that have none") {
  Ready one;
  const std::string value = from_hex("0001 01 0001 00000004 00000001");
  const std::string none = from_hex("0001 00");
  const auto query_error = [&](std::string_view statement, const std::string& parameters) {
    return one.connection.ask(query, long_string(statement) + parameters).error();
  };
  CHECK(query_error("SELECT v FROM t WHERE p = ?", none) == "2200 Invalid amount of bind variables");
  CHECK(query_error("USE k", value) == "2200 Invalid amount of bind variables");
  CHECK(query_error("CREATE TABLE u (p int PRIMARY KEY)", value) == "2200 Invalid amount of bind variables");
  CHECK(query_error("SELECT v FROM u", none) == "2200 unconfigured table k.u");
  const auto execute_error = [&](std::string_view statement, const std::string& parameters) {
    return one.connection.ask(execute, one.prepared(statement) + parameters).error();
  };
  CHECK(execute_error("SELECT v FROM t WHERE p = ?", none) ==
        "2200 there were 1 markers(?) in CQL but 0 bound variables");
  CHECK(execute_error("USE k", value) == "2200 there were 0 markers(?) in CQL but 1 bound variables");
}

TEST_CASE("a prepared statement has the positions of the key, and the columns of its result") {
  Ready one;
  const auto bound = [&](std::string_view statement) {
    return to_hex(one.connection.ask(prepare, long_string(statement)).body.substr(22));
  };
  const auto hex = [](std::string_view digits) { return to_hex(from_hex(digits)); };
  CHECK(bound("SELECT v FROM t WHERE c = ? AND p = ?") ==
        hex("00000001 00000002 00000001 0001 00016b 000174 000163 0009 000170 0009 "
            "00000001 00000001 00016b 000174 000176 000d"));
  CHECK(bound("DELETE FROM t WHERE p IN ?") == hex("00000001 00000001 00000000 00016b 000174 0005") +
                                                   to_hex("in(p)") + hex("0020 0009 00000004 00000000"));
  CHECK(bound("INSERT INTO t (p, c) VALUES (:a, 1) IF NOT EXISTS") ==
        hex("00000001 00000001 00000001 0000 00016b 000174 000161 0009 00000004 00000000"));
  REQUIRE(one.connection.query("CREATE TABLE w (p int, q int, r int, PRIMARY KEY ((p, q, r)))").kind() == 5);
  // Of a key of several columns the places are in the order of the key.
  CHECK(bound("SELECT p FROM w WHERE r = ? AND p = ? AND q = ?")
            .starts_with(hex("00000001 00000003 00000003 0001 0002 0000 00016b 000177 000172 0009")));
  CHECK(bound("SELECT p FROM w WHERE r = 1 AND p = ? AND q = ?")
            .starts_with(hex("00000001 00000002 00000000 00016b 000177 000170 0009")));
}

TEST_CASE(
    "metadata are left out when the client asks for that, and are complete otherwise, also without rows") {
  Ready one;
  const std::string select = long_string("SELECT v FROM t");
  CHECK(to_hex(one.connection.ask(query, select + from_hex("0001 02")).body) ==
        to_hex(from_hex("00000002 00000004 00000001 00000000")));
  CHECK(to_hex(one.connection.ask(query, select + from_hex("0001 00")).body) ==
        to_hex(from_hex("00000002 00000001 00000001 00016b 000174 000176 000d 00000000")));
}

TEST_CASE("values may have the names of markers") {
  Ready one;
  const std::string insert = long_string("INSERT INTO t (p, c, v) VALUES (:a, :b, :a1)");
  const std::string values =
      from_hex("0001 41 0003 00026131 00000001 78 000162 00000004 00000002 000161 00000004 00000001");
  CHECK(one.connection.ask(query, insert + values).kind() == 1);
  CHECK(one.connection.query("SELECT c FROM t").body.ends_with(from_hex("00000004 00000002")));
  const std::string wrong = from_hex("0001 41 0001 000178 00000004 00000002");
  CHECK(one.connection.ask(query, insert + wrong).error() == "2200 Invalid amount of bind variables");
  CHECK(one.connection.ask(query, long_string("SELECT * FROM t WHERE p = ?") + wrong).error() ==
        "2200 Invalid amount of bind variables");
  // A marker without a name has that of its column.
  const std::string of_column = from_hex("0001 41 0001 000170 00000004 00000001");
  CHECK(one.connection.ask(query, long_string("SELECT c FROM t WHERE p = ?") + of_column)
            .body.ends_with(from_hex("00000004 00000002")));
}

TEST_CASE("a batch has statements that change rows, with a value for each marker") {
  Ready one;
  const std::string insert = long_string("INSERT INTO t (p, c) VALUES (?, 1)");
  const auto ask = [&](const std::string& statements) {
    return one.connection.ask(batch, statements + from_hex("0001 00"));
  };
  CHECK(ask(from_hex("00 0000")).kind() == 1);
  CHECK(ask(from_hex("00 0001 00") + insert + from_hex("0000")).error() ==
        "2200 There were 1 markers(?) in CQL but 0 bound variables");
  CHECK(ask(from_hex("00 0001 00") + long_string("SELECT * FROM t") + from_hex("0000")).error() ==
        "2200 Invalid statement in batch: only UPDATE, INSERT and DELETE statements are allowed.");
  CHECK(ask(from_hex("00 0001 01 0002 6964 0000"))
            .error()
            .starts_with("2500 Prepared query with ID 6964 not found"));
  const std::string id = one.prepared("INSERT INTO t (p, c) VALUES (?, 2)");
  CHECK(ask(from_hex("01 0002 00") + insert + from_hex("0001 00000004 00000007 01") + id +
            from_hex("0001 00000004 00000007"))
            .kind() == 1);
  CHECK(one.connection.query("SELECT c FROM t WHERE p = 7")
            .body.ends_with(from_hex("00000002 00000004 00000001 00000004 00000002")));
}

TEST_CASE("more markers than a statement may have are refused") {
  Ready one;
  std::string list = "?";
  for (int i = 0; i < 65'535; ++i) list += ", ?";
  CHECK(one.connection.query("SELECT * FROM t WHERE p = 1 AND c IN (" + list + ")").error() ==
        "2200 Too many markers(?). 65536 markers exceed the allowed maximum of 65535");
}

TEST_CASE("statements answer with the kind of result that is theirs") {
  Ready one;
  auto& connection = one.connection;
  CHECK(connection.query("INSERT INTO t (p, c) VALUES (1, 1)").kind() == 1);
  CHECK(connection.query("INSERT INTO t (p, c) VALUES (1, 1) IF NOT EXISTS").kind() == 2);
  CHECK(connection.query("SELECT * FROM t").kind() == 2);
  CHECK(connection.query("CREATE TABLE IF NOT EXISTS t (p int PRIMARY KEY)").kind() == 1);
  CHECK(connection.query("DROP TABLE IF EXISTS nix").kind() == 1);
  const auto changed = [&](std::string_view statement, std::string_view change) {
    const auto reply = connection.query(statement);
    INFO(statement);
    CHECK(reply.body.substr(4) == change);
  };
  using namespace std::string_view_literals;
  changed("ALTER TABLE t ADD TAGS {'a': 'b'}", "\0\7UPDATED\0\5TABLE\0\1k\0\1t"sv);
  changed("ALTER KEYSPACE k ADD TAGS {'a': 'b'}", "\0\7UPDATED\0\x08KEYSPACE\0\1k"sv);
  changed("CREATE TYPE u (a int)", "\0\7CREATED\0\4TYPE\0\1k\0\1u"sv);
  changed("DROP TYPE u", "\0\7DROPPED\0\4TYPE\0\1k\0\1u"sv);
  changed("DROP TABLE t", "\0\7DROPPED\0\5TABLE\0\1k\0\1t"sv);
}

TEST_CASE("lenient mode prepares definitions too") {
  Ready one;
  const std::string id = one.prepared("CREATE TABLE u (p int PRIMARY KEY)");
  CHECK(one.connection.ask(execute, id + from_hex("0001 00")).kind() == 5);
  CHECK(one.connection.ask(execute, one.prepared("USE system") + from_hex("0000 00")).kind() == 3);
}

TEST_CASE("a page size of 0 is refused before the statement is looked at") {
  Ready one;
  CHECK(one.connection.ask(query, long_string("nonsense") + from_hex("0001 04 00000000")).error() ==
        "000A The page size cannot be 0");
  CHECK(one.connection.ask(query, long_string("SELECT * FROM t") + from_hex("0001 08 00000003 616263"))
            .error() == "000A Invalid value for the paging state");
  CHECK(one.connection.ask(query, long_string("SELECT * FROM t") + from_hex("00ff 00"))
            .error()
            .starts_with("000A Unknown code"));
}

TEST_CASE("errors of functions carry the function") {
  Ready one;
  const auto reply = one.connection.query("INSERT INTO t (p, c) VALUES (fromJson('['), 1)");
  CHECK(reply.error().starts_with(
      "1400 execution of 'system.fromjson[text]' failed: Could not decode JSON string '['"));
  using namespace std::string_view_literals;
  CHECK(
      reply.body.ends_with("\0\6system\0\x08"
                           "fromjson\0\1\0\4text"sv));
}

TEST_CASE("a table without capacity answers with timeouts that name the type of the write") {
  Ready one({.throttle = true});
  const auto create = [&](const std::string& columns, const std::string& name) {
    REQUIRE(one.connection
                .query("CREATE TABLE " + name + " (" + columns +
                       ") WITH custom_properties = {'capacity_mode': {'throughput_mode': 'PROVISIONED', "
                       "'read_capacity_units': 1, 'write_capacity_units': 1}}")
                .kind() == 5);
  };
  create("p int PRIMARY KEY, v int", "small");
  create("p int PRIMARY KEY, n counter", "counted");
  CHECK(one.connection.query("INSERT INTO small (p) VALUES (1)").kind() == 1);
  CHECK(one.connection.query("UPDATE counted SET n = n + 1 WHERE p = 1").kind() == 1);
  CHECK(one.connection.query("SELECT * FROM small WHERE p = 1").kind() == 2);
  CHECK(one.connection.query("SELECT * FROM small WHERE p = 1").kind() == 2);  // at ONE each costs half
  const auto type_of = [&](std::string_view statement) {
    const auto reply = one.connection.query(statement, 6);
    CHECK(reply.error() == "1100 Operation timed out - received only 0 responses.");
    // The level, 0 of 2, and the type.
    const std::string_view rest = std::string_view(reply.body).substr(reply.body.find("responses.") + 10);
    CHECK(to_hex(rest.substr(0, 10)) == "00060000000000000002");
    return std::string(rest.substr(12));
  };
  CHECK(type_of("INSERT INTO small (p) VALUES (1)") == "SIMPLE");
  CHECK(type_of("INSERT INTO small (p) VALUES (1) IF NOT EXISTS") == "CAS");
  CHECK(type_of("BEGIN BATCH INSERT INTO small (p) VALUES (1) APPLY BATCH") == "BATCH");
  CHECK(type_of("BEGIN UNLOGGED BATCH INSERT INTO small (p) VALUES (1) APPLY BATCH") == "UNLOGGED_BATCH");
  CHECK(type_of("UPDATE counted SET n = n + 1 WHERE p = 1") == "COUNTER");
  const auto read = one.connection.query("SELECT * FROM small WHERE p = 1", 6);
  CHECK(read.error() == "1200 Operation timed out - received only 0 responses.");
  CHECK(to_hex(read.body).ends_with("0006000000000000000200"));
}

TEST_CASE("log-in tokens that are no password are refused, and the connection ends") {
  const ServiceOptions options{
      .log_in = {.mode = LogInOptions::Mode::verify, .passwords = {{"user", "pass"}}}};
  for (const char* token :
       {"00000000", "ffffffff", "00000001 00", "00000003 000075", "00000006 00 75736572 00"}) {
    INFO(token);
    TestServer server(options);
    TestConnection connection(server.service());
    const auto asked = connection.ask(1, test::startup_body());
    CHECK(asked.opcode == 3);
    CHECK(asked.body == std::string("\0\x2f", 2) + "org.apache.cassandra.auth.PasswordAuthenticator");
    CHECK(connection.ask(0x0F, from_hex(token)).error().starts_with("0100 "));
    CHECK(connection.state().ending != tcp::Ending::none);
  }
  TestServer server(options);
  TestConnection connection(server.service());
  CHECK(connection.ask(1, test::startup_body()).opcode == 3);
  // An id may stand before the user.
  const auto done = connection.ask(0x0F, from_hex("0000000c 6964 00 75736572 00 70617373"));
  CHECK(done.opcode == 0x10);
  CHECK(to_hex(done.body) == "ffffffff");
}

TEST_CASE("clients may ask for options at any time, and startup options are compared without case") {
  TestServer server({.log_in = {.mode = LogInOptions::Mode::any}});
  TestConnection connection(server.service());
  CHECK(connection.ask(5, "").opcode == 6);
  using namespace std::string_view_literals;
  CHECK(connection
            .ask(1,
                 "\0\2\0\x0b"
                 "cql_version\0\5"
                 "3.4.4\0\5"
                 "other\0\1"
                 "x"sv)
            .opcode == 3);
  TestConnection wrong(server.service());
  CHECK(wrong.ask(1, "\0\1\0\1x\0\1y"sv).error() == "000A Missing value CQL_VERSION in STARTUP message");
  CHECK(wrong.state().ending == tcp::Ending::none);
  CHECK(wrong.ask(1, test::startup_body()).opcode == 3);
}

}  // namespace dinette::cql::protocol_test

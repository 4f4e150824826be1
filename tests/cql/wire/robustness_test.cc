// Requests that lie about their lengths, nest too deep or have too much of something: each is answered by an
// error of the protocol, and the next one as if nothing had happened (docs/service-keyspaces/protocol.md
// sections 2, 3 and 8, docs/service-keyspaces/limits.md).
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "dinette/base/bytes.h"

#include "cql/wire/fixture.h"
#include "cql/wire/world_state.h"
#include "support/hex.h"

namespace dinette::cql::robustness_test {

using ::test::from_hex;
using test::query_body;
using test::request_frame;
using test::SentFrame;
using test::TestConnection;
using test::TestServer;

namespace {

std::string number(std::uint32_t value) {
  std::string out;
  base::append_big_endian(out, value);
  return out;
}

std::string long_string(std::string_view text) {
  return number(static_cast<std::uint32_t>(text.size())).append(text);
}

std::string repeated(std::string_view text, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

/// A connection to a server with a table, which must still answer when the test is over.
struct Ready {
  Ready() {
    connection.start();
    ok("CREATE KEYSPACE k WITH replication = {'class': 'SingleRegionStrategy'}");
    ok("USE k");
    ok("CREATE TABLE t (p int PRIMARY KEY, v int, l list<int>, s set<int>, m map<int, int>, f "
       "frozen<list<int>>, x text)");
  }
  ~Ready() { CHECK(error("SELECT p FROM t WHERE p = 1").empty()); }
  Ready(const Ready&) = delete;
  Ready& operator=(const Ready&) = delete;

  void ok(std::string_view statement) {
    INFO(statement.substr(0, 200));
    REQUIRE(error(statement).empty());
  }
  SentFrame ask(int opcode, std::string_view body) { return connection.ask(opcode, body); }
  std::string error(std::string_view statement) { return ask(7, query_body(statement)).error(); }
  /// Executes a statement with one value, which is given with its length.
  std::string error_of_value(std::string_view statement, std::string_view value) {
    return ask(7, long_string(statement) + from_hex("0001 01 0001") + std::string(value)).error();
  }

  TestServer server;
  TestConnection connection{server.service()};
};

}  // namespace

TEST_CASE("bodies that promise more than they have are refused") {
  Ready one;
  const auto refused = [&](int opcode, const std::string& hex) {
    INFO(opcode << " " << hex);
    CHECK(one.connection.ask(opcode, from_hex(hex)).error().starts_with("000A "));
  };
  refused(7, "7fffffff 41");                        // a statement
  refused(7, "ffffffff");                           // of negative length
  refused(7, "00000001 41 0001 01 ffff");           // values
  refused(7, "00000001 41 0001 01 0001 7fffffff");  // a value
  refused(7, "00000001 41 0001 41 0001 ffff 61");   // its name
  refused(7, "00000001 41 0001 08 7fffffff");       // a paging state
  refused(7, "00000001 41 0001 20 0000");           // a timestamp
  refused(7, "00000001 41 0001");                   // flags
  refused(9, "00000005 41");                        // PREPARE
  refused(10, "ffff 00");                           // EXECUTE
  refused(11, "ffff 0001");                         // REGISTER
  refused(13, "00 ffff 00 00000001 41 0000");       // BATCH
  refused(13, "00 0001 00 00000001 41 ffff");       // values of its statement
  refused(13, "00 0001 01 ffff 00");                // its id
  refused(13, "");
  std::string payload = request_frame(7, from_hex("ffff 0001 61 7fffffff"), 1);
  payload[1] = '\x04';
  CHECK(one.connection.send(payload).at(0).error().starts_with("000A "));
}

TEST_CASE("a startup that promises more options than it has is refused, and the connection stays") {
  TestServer server;
  TestConnection connection(server.service());
  for (const char* body : {"ffff 000161 000162", "0001 ffff 61", "00"})
    CHECK(connection.ask(1, from_hex(body)).error().starts_with("000A "));
  connection.start();
}

TEST_CASE("a frame above the limit is refused by its header, and its body dropped as it comes") {
  Ready one;
  const std::string header = from_hex("04 00 0007 07 10000000");
  const auto frames = one.connection.send(header);
  REQUIRE(frames.size() == 1);
  CHECK(frames[0].stream == 7);
  CHECK(frames[0].error() ==
        "000A Request is too big: length 268435465 exceeds maximum allowed length 268435456.");
  const std::string chunk(1024 * 1024, 'x');
  for (int i = 0; i < 256; ++i) CHECK(one.connection.send(chunk).empty());
  CHECK(one.connection.protocol().memory() < 2 * 1024 * 1024);
}

TEST_CASE("before the log-in frames are short") {
  TestServer server;
  TestConnection connection(server.service());
  const auto frames = connection.send(from_hex("04 00 0001 01 00100000"));
  REQUIRE(frames.size() == 1);
  CHECK(frames[0].error() == "000A Request is too big before the log-in");
  CHECK(connection.state().ending != tcp::Ending::none);
}

TEST_CASE("a compressed frame is refused where none was agreed on") {
  Ready one;
  for (const char* body : {"7fffffff 00", "00000000", "ff06 0000 734e 6150 7059"}) {
    std::string frame = request_frame(7, from_hex(body), 3);
    frame[1] = '\1';
    CHECK(one.connection.send(frame).at(0).error() ==
          "000A Received a compressed frame on a connection without compression");
  }
}

TEST_CASE("collections that promise more elements than they have are refused") {
  Ready one;
  for (const char* column : {"l", "s", "m", "f"}) {
    INFO(column);
    const std::string insert = "INSERT INTO t (p, " + std::string(column) + ") VALUES (1, ?)";
    const std::string kind = *column == 's' ? "set" : *column == 'm' ? "map" : "list";
    for (const std::string value :
         {"7fffffff", "80000000", "ffffffff", "00000001 7fffffff", "00000002 00000004 00000001"})
      CHECK(one.error_of_value(insert, long_string(from_hex(value))) ==
            "2200 Not enough bytes to read a " + kind);
    CHECK(one.error_of_value(insert, long_string(from_hex("00000000 00"))) ==
          "2200 Unexpected extraneous bytes after " + kind + " value");
  }
}

TEST_CASE("a collection has a million elements at most, however short they are", "[volume]") {
  Ready one;
  one.ok("CREATE TABLE u (p int PRIMARY KEY, s set<text>, l list<text>, f frozen<list<text>>)");
  const auto elements = [](std::uint32_t count) {
    return long_string(number(count) + std::string(std::size_t{4} * count, '\0'));
  };
  for (const char* column : {"s", "l", "f"}) {
    INFO(column);
    const std::string insert = "INSERT INTO u (p, " + std::string(column) + ") VALUES (1, ?)";
    CHECK(one.error_of_value(insert, elements(1'000'001)) ==
          "2200 A collection with 1000001 elements exceeds the maximum of 1000000.");
  }
  // Equal ones are one element.
  CHECK(one.error_of_value("INSERT INTO u (p, s) VALUES (1, ?)", elements(1'000'000)).empty());
  CHECK(one.error_of_value("INSERT INTO u (p, l) VALUES (1, ?)", elements(300'000))
            .starts_with("2200 Row size of "));
}

TEST_CASE("IN has a hundred thousand values at most", "[volume]") {
  Ready one;
  const auto list = [](std::uint32_t count) {
    return long_string(number(count) + repeated(from_hex("00000004 00000001"), count));
  };
  const std::string too_many = "2200 IN clause with 100001 subqueries exceeds the maximum of 100000.";
  CHECK(one.error_of_value("SELECT * FROM t WHERE p IN ?", list(100'001)) == too_many);
  CHECK(one.error_of_value("UPDATE t SET v = 1 WHERE p = 1 IF v IN ?", list(100'001)) == too_many);
  CHECK(one.error_of_value("SELECT * FROM t WHERE p IN ?", list(100'000)).empty());
  CHECK(one.error("SELECT * FROM t WHERE p IN (1" + repeated(",1", 100'000) + ")") == too_many);
}

TEST_CASE("thousands of prepared statements push out those that were not used", "[volume]") {
  Ready one;
  const auto prepare = [&](std::size_t i) {
    const auto reply =
        one.connection.ask(9, long_string("SELECT v AS v" + std::to_string(i) + " FROM t WHERE p = 1"));
    REQUIRE(reply.kind() == 4);
    return reply.body.substr(4, 18);
  };
  const auto execute = [&](const std::string& id) {
    return one.connection.ask(10, id + from_hex("0001 00")).error();
  };
  const std::string first = prepare(0);
  const std::string used = prepare(1);
  for (std::size_t i = 2; i < wire::WorldState::most_prepared + 2; ++i) {
    prepare(i);
    if (i % 1'000 == 0) CHECK(execute(used).empty());
  }
  CHECK(execute(first).starts_with("2500 Prepared query with ID "));
  CHECK(execute(used).empty());
  CHECK(execute(prepare(0)).empty());
}

TEST_CASE("the texts of prepared statements have a limit together") {
  Ready one;
  const std::string comment = "/*" + std::string(1024 * 1024, 'x') + "*/ ";
  const auto prepare = [&](int i) {
    const auto reply = one.ask(9, long_string(comment + "SELECT v AS v" + std::to_string(i) + " FROM t"));
    REQUIRE(reply.kind() == 4);
    return reply.body.substr(4, 18);
  };
  const std::string first = prepare(0);
  for (int i = 1; i < 70; ++i) prepare(i);
  CHECK(one.connection.ask(10, first + from_hex("0001 00")).error().starts_with("2500 "));
}

TEST_CASE("a batch has 65,535 statements at most, and a text a million tokens", "[volume]") {
  Ready one;
  const std::string statement = "DELETE FROM t WHERE p=1;";
  CHECK(one.error("BEGIN BATCH " + repeated(statement, 65'535) + " APPLY BATCH").empty());
  CHECK(one.error("BEGIN BATCH " + repeated(statement, 65'536) + " APPLY BATCH") ==
        "2200 Batch statement cannot contain more than 65535 statements.");
  CHECK(one.error("BEGIN BATCH " + repeated("INSERT INTO t (p, v) VALUES (1, 1);", 100'000) + " APPLY BATCH")
            .ends_with("a statement has at most 1000000 tokens"));
}

TEST_CASE("markers of a long batch are bound to their own statements", "[volume]") {
  Ready one;
  constexpr std::size_t statements = 30'000;
  // Of one partition: batches over several are limited to 50 KB.
  one.ok("CREATE TABLE w (p int, c int, v int, PRIMARY KEY (p, c))");
  const std::string text = "BEGIN UNLOGGED BATCH " +
                           repeated("INSERT INTO w (p, c, v) VALUES (1, ?, ?);", statements) + " APPLY BATCH";
  std::string values;
  for (std::uint32_t i = 0; i < statements; ++i) values += number(4) + number(i) + number(4) + number(i + 1);
  std::string count;
  base::append_big_endian(count, static_cast<std::uint16_t>(2 * statements));
  CHECK(one.ask(7, long_string(text) + from_hex("0001 01") + count + values).error().empty());
  CHECK(one.connection.query("SELECT v FROM w WHERE p = 1 AND c = 29999").body.ends_with(number(30'000)));
}

TEST_CASE("a BATCH frame may have as many statements as its number allows", "[volume]") {
  Ready one;
  const std::string one_statement =
      from_hex("00") + long_string("DELETE FROM t WHERE p=1") + from_hex("0000");
  CHECK(one.ask(13, from_hex("00 ffff") + repeated(one_statement, 65'535) + from_hex("0001 00")).kind() == 1);
}

TEST_CASE("names of many values are found without comparing all of them") {
  Ready one;
  std::string list = ":a0";
  std::string values;
  const auto add = [&](const std::string& name) {
    std::string size;
    base::append_big_endian(size, static_cast<std::uint16_t>(name.size()));
    values += size + name + number(4) + number(1);
  };
  add("a0");
  for (int i = 1; i < 60'000; ++i) {
    list += ",:a" + std::to_string(i);
    add("a" + std::to_string(i));
  }
  std::string count;
  base::append_big_endian(count, static_cast<std::uint16_t>(60'000));
  const std::string statement = "SELECT p FROM t WHERE p IN (" + list + ")";
  CHECK(one.ask(7, long_string(statement) + from_hex("0001 41") + count + values).kind() == 2);
}

TEST_CASE("nested terms and types have a limit") {
  Ready one;
  constexpr std::size_t deep = 100'000;
  const auto refused = [&](const std::string& statement) {
    INFO(statement.substr(0, 80));
    CHECK(one.error(statement).starts_with("2000 line 1:"));
  };
  refused("INSERT INTO t (p, l) VALUES (1, " + repeated("[", deep) + repeated("]", deep) + ")");
  refused("INSERT INTO t (p, l) VALUES (1, " + repeated("{", deep) + repeated("}", deep) + ")");
  refused("INSERT INTO t (p, l) VALUES (1, " + repeated("{a:", deep) + "1" + repeated("}", deep) + ")");
  refused("INSERT INTO t (p, l) VALUES (1, " + repeated("{1:", deep) + "1" + repeated("}", deep) + ")");
  refused("INSERT INTO t (p, l) VALUES (1, " + repeated("((1),", deep) + "1" + repeated(")", deep) + ")");
  refused("INSERT INTO t (p, l) VALUES (1, " + repeated("f(", deep) + repeated(")", deep) + ")");
  refused("INSERT INTO t (p, l) VALUES (1, " + repeated("(int)", deep) + "1)");
  refused("SELECT " + repeated("f(", deep) + "v" + repeated(")", deep) + " FROM t");
  refused("SELECT " + repeated("cast(", deep) + "v" + repeated(" AS int)", deep) + " FROM t");
  refused("SELECT v" + repeated(".a", deep) + " FROM t");
  refused("SELECT v FROM t WHERE " + repeated("(", deep) + "p = 1" + repeated(")", deep));
  refused("CREATE TABLE y (p " + repeated("frozen<", deep) + "int" + repeated(">", deep) + " PRIMARY KEY)");
  refused("CREATE TYPE y (a " + repeated("tuple<int,", deep) + "int" + repeated(">", deep) + ")");
  refused("CREATE TABLE y (p int PRIMARY KEY) WITH custom_properties = " + repeated("{'a':", deep) + "1" +
          repeated("}", deep));
  CHECK(one.error("INSERT INTO t (p, l) VALUES (1, " + repeated("[", 65) + repeated("]", 65) + ")") ==
        "2000 line 1:96 nesting exceeds the maximum of 64");
  CHECK(one.error_of_value("INSERT INTO t JSON ?",
                           long_string(R"({"p": 1, "l": )" + repeated("[", 100) + repeated("]", 100) + "}"))
            .starts_with("2200 Could not decode JSON string as a map: "));
}

TEST_CASE("a JSON text has a million values at most", "[volume]") {
  Ready one;
  const std::string json = R"({"p": 1, "l": [1)" + repeated(",1", 1'000'000) + "]}";
  CHECK(one.error_of_value("INSERT INTO t JSON ?", long_string(json))
            .starts_with("2200 Could not decode JSON string as a map: "));
}

TEST_CASE("user types do not grow without end by containing each other") {
  Ready one;
  const auto fields = [](const std::string& type, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += (i > 0 ? ", f" : "f") + std::to_string(i) + " " + type;
    return text;
  };
  one.ok("CREATE TYPE a (" + fields("int", 99) + ")");
  one.ok("CREATE TYPE b (" + fields("frozen<a>", 99) + ")");
  const std::string too_many = "2200 Maximum number of parts of a type (10000) exceeded.";
  CHECK(one.error("CREATE TYPE c (" + fields("frozen<b>", 2) + ")") == too_many);
  CHECK(one.error("CREATE TABLE y (p int PRIMARY KEY, v tuple<frozen<b>, frozen<b>>)") == too_many);
  CHECK(one.error("SELECT (tuple<frozen<b>, frozen<b>>) null FROM t") == too_many);
  const std::string table_too_large = "2200 Maximum number of parts of a table (100000) exceeded.";
  CHECK(one.error("CREATE TABLE y (p int PRIMARY KEY, " + fields("frozen<b>", 12) + ")") == table_too_large);
  one.ok("CREATE TABLE y (p int PRIMARY KEY, " + fields("frozen<b>", 10) + ")");
  CHECK(one.error("ALTER TABLE y ADD more frozen<b>") == table_too_large);
  CHECK(one.error("ALTER TYPE a ADD more frozen<list<int>>") == too_many);
}

TEST_CASE("an error repeats as much of a statement as a frame can say") {
  Ready one;
  const std::string name(100'000, 'n');
  const SentFrame frame = one.ask(7, query_body("SELECT " + name + " FROM t"));
  CHECK(frame.error().size() == 5 + 65'535);
  CHECK(frame.body.size() == 4 + 2 + 65'535);
}

TEST_CASE("a statement that is all white space, comments or quotes is answered") {
  Ready one;
  for (const std::string& text :
       {std::string(50'000, ' '), repeated("/* */", 10'000), repeated("--\n", 10'000), repeated("'", 50'001),
        repeated("\"", 50'001), repeated("$$", 10'001), std::string(50'000, '-'), std::string(50'000, '\0')})
    CHECK(one.error(text).starts_with("2000 line "));
}

TEST_CASE("requests in flight wait when they have many bytes") {
  constexpr std::size_t megabyte = 1024 * 1024;
  TestServer server;
  TestConnection connection(server.service());
  connection.start();
  const std::string statement = "/*" + std::string(10 * megabyte, 'x') + "*/ SELECT key FROM system.local";
  const std::string frame = request_frame(7, query_body(statement));
  CHECK(connection.send(repeated(frame, 10)).empty());
  CHECK_FALSE(connection.state().reads);
  CHECK(connection.protocol().memory() > 64 * megabyte);
  CHECK(connection.protocol().memory() < 100 * megabyte);
  CHECK(connection.run_posted().size() == 7);
  CHECK(connection.state().reads);
}

}  // namespace dinette::cql::robustness_test

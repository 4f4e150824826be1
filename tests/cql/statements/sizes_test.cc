// What rows cost by their sizes (docs/service-keyspaces/row-size.md sections 1 to 5,
// docs/service-keyspaces/capacity.md sections 1 and 2, docs/service-keyspaces/timestamps.md section 6).
#include <chrono>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/cql/row_size.h"
#include "dinette/observe/request_details.h"

#include "cql/statements/session.h"

namespace dinette::cql::sizes_test {

using namespace std::chrono_literals;
using test::Session;

namespace {

constexpr std::string_view with_timestamps =
    " WITH custom_properties = {'client_side_timestamps': {'status': 'enabled'}}";

observe::RequestDetails details_of(Session& session, std::string_view statement) {
  observe::RequestDetails details;
  details.wants_keys = true;
  session.run_with_details(statement, details);
  return details;
}

double read_units_of(Session& session, std::string_view statement) {
  return details_of(session, statement).read_units();
}

double write_units_of(Session& session, std::string_view statement) {
  return details_of(session, statement).write_units();
}

std::string insert_of_twenty_columns(std::string_view table) {
  std::string names = "p";
  std::string values = "1";
  for (int i = 0; i < 20; ++i) {
    names += ", c" + std::to_string(i);
    values += ", '" + std::string(40, 'v') + "'";
  }
  return "INSERT INTO " + std::string(table) + " (" + names + ") VALUES (" + values + ")";
}

}  // namespace

TEST_CASE("timestamps of twenty columns of 40 bytes make one write unit two") {
  Session session;
  std::string columns = "(p int PRIMARY KEY";
  for (int i = 0; i < 20; ++i) columns += ", c" + std::to_string(i) + " text";
  session.ok("CREATE TABLE plain " + columns + ")");
  session.ok("CREATE TABLE stamped " + columns + ")" + std::string(with_timestamps));
  CHECK(write_units_of(session, insert_of_twenty_columns("plain")) == 1);
  CHECK(write_units_of(session, insert_of_twenty_columns("stamped")) == 2);
  const auto bytes = [&](std::string_view table) {
    return details_of(session, insert_of_twenty_columns(table)).touched.at(0).bytes;
  };
  CHECK(bytes("plain") == 107 + 800);
  CHECK(bytes("stamped") == 107 + 1'200);
}

TEST_CASE("a deleted row costs read units until its tombstone is removed") {
  Session session;
  session.ok("CREATE TABLE t (p int, c int, v text, PRIMARY KEY (p, c))" + std::string(with_timestamps));
  for (int c = 0; c < 3; ++c)
    session.ok("INSERT INTO t (p, c, v) VALUES (1, " + std::to_string(c) + ", 'a')");
  session.ok("DELETE FROM t WHERE p = 1 AND c = 0");
  session.ok("DELETE FROM t WHERE p = 1 AND c = 1");
  CHECK(session.run("SELECT c FROM t WHERE p = 1").size() == 1);
  CHECK(read_units_of(session, "SELECT * FROM t WHERE p = 1") == 3);
  session.advance(10 * 24h + 1s);
  CHECK(read_units_of(session, "SELECT * FROM t WHERE p = 1") == 1);
}

TEST_CASE("tombstones of columns are counted in the size of their row") {
  Session session;
  std::string columns = "(p int PRIMARY KEY";
  std::string nulls = "UPDATE t SET ";
  for (int i = 0; i < 60; ++i) {
    const std::string name = "c" + std::to_string(i);
    columns += ", " + name + " text";
    nulls += (i > 0 ? ", " : "") + name + " = null";
  }
  session.ok("CREATE TABLE t " + columns + ")" + std::string(with_timestamps));
  CHECK(write_units_of(session, nulls + " WHERE p = 1") == 2);  // 107 + 60 * 20 bytes
  CHECK(session.run("SELECT * FROM t").empty());
}

TEST_CASE("the deletion of a row costs as much as the row did") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v text)");
  session.ok("INSERT INTO t (p, v) VALUES (1, '" + std::string(4'000, 'a') + "')");
  CHECK(write_units_of(session, "DELETE FROM t WHERE p = 1") == 5);
  CHECK(write_units_of(session, "DELETE FROM t WHERE p = 1") == 1);
}

TEST_CASE("static cells are counted once, with the first row of their partition") {
  Session session;
  session.ok("CREATE TABLE t (p int, c int, s text static, PRIMARY KEY (p, c))");
  session.ok("INSERT INTO t (p, s) VALUES (1, '" + std::string(4'000, 's') + "')");
  CHECK(read_units_of(session, "SELECT * FROM t WHERE p = 1") == 2);  // 4,111 bytes
  session.ok("INSERT INTO t (p, c) VALUES (1, 1)");
  session.ok("INSERT INTO t (p, c) VALUES (1, 2)");
  CHECK(read_units_of(session, "SELECT * FROM t WHERE p = 1") == 2 + 1);
}

TEST_CASE("in a batch those statements cost twice as much that write a row and static cells") {
  Session session;
  session.ok("CREATE TABLE t (p int, c int, s int static, PRIMARY KEY (p, c))");
  const auto units = [&](const std::string& statements) {
    return write_units_of(session, "BEGIN UNLOGGED BATCH " + statements + " APPLY BATCH");
  };
  CHECK(units("INSERT INTO t (p, s) VALUES (1, 1); INSERT INTO t (p, c) VALUES (1, 1)") == 2);
  CHECK(units("INSERT INTO t (p, c, s) VALUES (1, 1, 1); INSERT INTO t (p, c) VALUES (1, 2)") == 2 + 2 + 1);
  CHECK(units("INSERT INTO t (p, s) VALUES (1, 1); INSERT INTO t (p, c, s) VALUES (1, 1, 2)") == 2 + 2);
}

TEST_CASE("the quota of a row counts its timestamps") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v blob)" + std::string(with_timestamps));
  const auto insert = [&](std::size_t bytes) {
    return session.run("INSERT INTO t (p, v) VALUES (1, 0x" + std::string(2 * bytes, 'a') + ")");
  };
  constexpr std::size_t most = 1'048'576 - 107 - 20;
  CHECK(insert(most).empty());
  CHECK(insert(most + 1) ==
        std::vector<std::string>{"2200: Row size of 1048577 bytes exceeds the maximum of 1048576 bytes."});
}

TEST_CASE("the current formula leaves the metadata of rows out of units") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v text)");
  const std::string insert = "INSERT INTO t (p, v) VALUES (1, '" + std::string(1'000, 'v') + "')";
  CHECK(write_units_of(session, insert) == 2);  // 7 + 1,000 + 100
  session.measure_by(SizeFormula::current);
  CHECK(write_units_of(session, insert) == 1);  // 8 + 1,001
  CHECK(details_of(session, insert).touched.at(0).bytes == 8 + 1'001 + 100);
}

TEST_CASE("the report of requests gets rows by their keys, with their sizes") {
  Session session;
  session.ok("CREATE TABLE t (p int, c text, v text, PRIMARY KEY (p, c))");
  const auto written = details_of(session, "INSERT INTO t (p, c, v) VALUES (7, 'x', 'abc')").touched;
  REQUIRE(written.size() == 1);
  CHECK(written[0].table == "ks.t");
  CHECK(written[0].partition == "p = 7");
  CHECK(written[0].item == R"(p = 7, c = "x")");
  CHECK(written[0].bytes == 7 + 5 + 3 + 100);
  const auto read = details_of(session, "SELECT v FROM t");
  REQUIRE(read.touched.size() == 1);
  CHECK(read.touched[0].bytes == 7 + 5 + 3 + 100);
  CHECK(read.scans);
  CHECK(read.counts->scanned == 1);
  CHECK(read.counts->returned == 1);
}

TEST_CASE("the size of a row can be estimated without a table") {
  const std::string schema =
      "CREATE TABLE shop.t (pk1 int, pk2 int, ck1 int, ck2 int, v int, s int static, "
      "PRIMARY KEY ((pk1, pk2), ck1, ck2));";
  const std::string row = R"({"pk1": 1, "pk2": 2, "ck1": 3, "ck2": 4, "v": 5})";
  const auto earlier = estimate_row(schema, row, SizeFormula::earlier);
  REQUIRE(earlier);
  CHECK(earlier->row.stored() == 134);
  CHECK_FALSE(earlier->statics);
  CHECK(estimate_row(schema, row, SizeFormula::current)->row.stored() == 131);
  const auto with_static =
      estimate_row(schema, R"({"pk1": 1, "pk2": 2, "ck1": 3, "ck2": 4, "s": 6})", SizeFormula::earlier);
  CHECK(with_static->statics->stored() == 122);
  CHECK(with_static->row.stored() == 130);
}

TEST_CASE("an estimate needs one table, and reads its types and properties") {
  const auto with_type =
      estimate_row("CREATE TYPE u (a text); CREATE TABLE t (p int PRIMARY KEY, u frozen<u>)" +
                       std::string(with_timestamps),
                   R"({"p": 1, "u": {"a": "bcd"}})", SizeFormula::earlier);
  REQUIRE(with_type);
  CHECK(with_type->row.stored() == 107 + 4 + 3 + 20);
  const auto error = [](std::string_view schema, std::string_view row) {
    return estimate_row(schema, row, SizeFormula::earlier).error();
  };
  CHECK(error("", "{}") == "A row size needs a CREATE TABLE.");
  CHECK(error("DROP TABLE t", "{}") ==
        "A row size needs CREATE TABLE, and perhaps CREATE TYPE; this is another statement.");
  CHECK(error("CREATE TABLE t (p int PRIMARY KEY); CREATE TABLE u (p int PRIMARY KEY)", "{}") ==
        "A row size needs one CREATE TABLE; these are two.");
  CHECK(error("CREATE TABLE t (p int PRIMARY KEY)", R"({"q": 1})") ==
        "JSON values map contains unrecognized column: q");
}

}  // namespace dinette::cql::sizes_test

// What writes do and what they are refused with, clause by clause (docs/service-keyspaces/dml.md sections 1
// to 3 and 5 to 7; docs/service-keyspaces/timestamps.md sections 1 to 4 and 7;
// docs/service-keyspaces/consistency.md; docs/service-keyspaces/limits.md; docs/service-keyspaces/errors.md
// sections 2, 5 and 6).
#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "cql/frames/consistency.h"
#include "cql/statements/session.h"
#include "support/hex.h"

namespace dinette::cql::changes_test {

using namespace std::chrono_literals;
using frames::Consistency;
using test::bound;
using ::test::from_hex;
using test::null;
using test::Session;
using test::unset;
using Rows = std::vector<std::string>;

namespace {

constexpr std::string_view with_timestamps =
    " WITH custom_properties = {'client_side_timestamps': {'status': 'enabled'}}";

std::string wide_table(int columns) {
  std::string text = "(p int PRIMARY KEY";
  for (int i = 0; i < columns; ++i) text += ", c" + std::to_string(i) + " int";
  return text + ")";
}

std::string wide_insert(int columns) {
  std::string names = "p";
  std::string values = "1";
  for (int i = 0; i < columns; ++i) {
    names += ", c" + std::to_string(i);
    values += ", 1";
  }
  return "(" + names + ") VALUES (" + values + ")";
}

}  // namespace

TEST_CASE("a statement needs a table that is there") {
  Session session;
  session.refuses({
      {"SELECT * FROM nix.t", "2200: Keyspace nix does not exist"},
      {"INSERT INTO t (p) VALUES (1)", "2200: unconfigured table ks.t"},
      {"UPDATE nix.t SET v = 1 WHERE p = 1", "2200: Keyspace nix does not exist"},
      {"DELETE FROM t WHERE p = 1", "2200: unconfigured table ks.t"},
      {"UPDATE system.local SET rack = 'a' WHERE key = 'local'",
       "2100: system keyspace is not user-modifiable."},
      {"INSERT INTO system.local (key) VALUES ('a')", "2100: system keyspace is not user-modifiable."},
      {"DELETE FROM system_schema.tables WHERE keyspace_name = 'ks'",
       "2100: system_schema keyspace is not user-modifiable."},
      {"BEGIN BATCH INSERT INTO system.local (key) VALUES ('a') APPLY BATCH",
       "2100: system keyspace is not user-modifiable."},
  });
}

TEST_CASE("a DELETE names a row, a range or a partition") {
  Session session;
  session.ok("CREATE TABLE t (p int, q int, c int, d int, v int, PRIMARY KEY ((p, q), c, d))");
  session.refuses({
      {"DELETE FROM t WHERE p = 1", "2200: Some partition key parts are missing: q"},
      {"DELETE FROM t WHERE p = 1 AND q = 1 AND v = 1",
       "2200: Non PRIMARY KEY columns found in where clause: v "},
      {"DELETE FROM t WHERE token(p, q) = 1",
       "2200: The token function cannot be used in WHERE clauses for DELETE statements"},
      {"DELETE FROM t WHERE p > 1 AND q = 1",
       "2200: Only EQ and IN relation are supported on the partition key"},
      {"DELETE v FROM t WHERE p = 1 AND q = 1 AND c = 1",
       "2200: DELETE statements must restrict all PRIMARY KEY columns with equality relations in order to "
       "delete "
       "non static columns"},
      {"DELETE FROM t WHERE p = 1 AND q = 1 AND c = 1 IF EXISTS",
       "2200: DELETE statements must restrict all PRIMARY KEY columns with equality relations in order to "
       "use IF "
       "condition on non static columns"},
      {"DELETE FROM t WHERE p IN (1, 2) AND q = 1 AND c = 1 AND d = 1 IF EXISTS",
       "2200: IN on the partition key is not supported with conditional deletions"},
      {"DELETE FROM t WHERE p = 1 AND q = 1 AND c = 1 AND d IN (1, 2) IF EXISTS",
       "2200: IN on the clustering key columns is not supported with conditional deletions"},
      {"UPDATE t SET v = 1 WHERE p IN (1, 2) AND q = 1 AND c = 1 AND d = 1 IF EXISTS",
       "2200: IN on the partition key is not supported with conditional updates"},
      {"DELETE FROM t WHERE p = 1 AND q = 1 AND d = 1",
       "2200: PRIMARY KEY column \"d\" cannot be restricted as preceding column \"c\" is not restricted"},
      {"DELETE v.a FROM t WHERE p = 1 AND q = 1 AND c = 1 AND d = 1",
       "2200: Invalid deletion operation for non-UDT column v"},
  });
  session.ok("DELETE FROM t WHERE p = 9 AND q = 9 AND c = 9 AND d = 9");  // a row that does not exist
  CHECK(session.one("DELETE FROM t WHERE p IN (9) AND q = 9 AND c = 9 AND (d) IN ((9)) IF EXISTS") ==
        "false");
  for (int c = 0; c < 4; ++c) session.ok("INSERT INTO t (p, q, c, d) VALUES (1, 1, ?, 1)", {bound(c)});
  session.ok("DELETE FROM t WHERE p = 1 AND q = 1 AND c >= 1 AND c < 3");
  CHECK(session.run("SELECT c FROM t") == Rows{"0", "3"});
  session.ok("DELETE FROM t WHERE p = 1 AND q IN (1, 2) AND c IN (0, 5) AND d = 1");
  CHECK(session.run("SELECT c FROM t") == Rows{"3"});
  session.ok("UPDATE t SET v = 8 WHERE p = 1 AND q IN (1, 2) AND c IN (3, 4) AND d = 1");
  CHECK(session.run("SELECT v FROM t").size() == 4);
}

TEST_CASE("a DELETE of a slice of several columns deletes the rows that are in it, in any order of columns") {
  struct Slice {
    std::string where;
    bool (*has)(std::pair<int, int> row);
  };
  using Row = std::pair<int, int>;
  const std::vector<Slice> slices = {
      {"(c, d) > (1, 1)", [](Row row) { return row > Row(1, 1); }},
      {"(c, d) >= (1, 1)", [](Row row) { return row >= Row(1, 1); }},
      {"(c, d) < (2, 1)", [](Row row) { return row < Row(2, 1); }},
      {"(c, d) <= (2, 1)", [](Row row) { return row <= Row(2, 1); }},
      {"(c, d) > (0, 2) AND (c, d) < (2, 2)", [](Row row) { return row > Row(0, 2) && row < Row(2, 2); }},
      {"c < 3 AND (c, d) > (1, 2)", [](Row row) { return row.first < 3 && row > Row(1, 2); }},
      {"(c, d) <= (2, 0) AND c >= 1", [](Row row) { return row <= Row(2, 0) && row.first >= 1; }},
      {"(c, d) > (2, 1) AND (c, d) < (1, 1)", [](Row) { return false; }},
      {"(c) > (1) AND c < 3", [](Row row) { return row.first == 2; }},
  };
  for (const Mode mode : {Mode::lenient, Mode::strict}) {
    for (const char* order : {"c ASC, d ASC", "c ASC, d DESC", "c DESC, d ASC", "c DESC, d DESC"}) {
      Session session(mode);
      session.ok("CREATE TABLE t (p int, c int, d int, PRIMARY KEY (p, c, d)) WITH CLUSTERING ORDER BY (" +
                 std::string(order) + ")");
      for (const Slice& slice : slices) {
        INFO(slice.where << " " << order);
        Rows in;
        Rows outside;
        for (int i = 0; i < 16; ++i) {
          session.ok("INSERT INTO t (p, c, d) VALUES (1, ?, ?)", {bound(i / 4), bound(i % 4)});
          const std::string row = std::to_string(i / 4) + " | " + std::to_string(i % 4);
          (slice.has({i / 4, i % 4}) ? in : outside).push_back(row);
        }
        const auto sorted = [&](const std::string& where) {
          Rows rows = session.run("SELECT c, d FROM t WHERE p = 1" + where);
          CHECK(session.pages("SELECT c, d FROM t WHERE p = 1" + where, 3) == rows);
          std::ranges::sort(rows);
          return rows;
        };
        const Rows all = session.run("SELECT c, d FROM t WHERE p = 1");
        Rows read = session.run("SELECT c, d FROM t WHERE p = 1 AND " + slice.where);
        CHECK(std::ranges::is_sorted(
            read, {}, [&](const std::string& row) { return std::ranges::find(all, row) - all.begin(); }));
        CHECK(sorted(" AND " + slice.where) == in);
        session.ok("DELETE FROM t WHERE p = 1 AND " + slice.where);
        CHECK(sorted("") == outside);
      }
    }
  }
}

TEST_CASE("no row comes after the last value of a descending column") {
  Session session;
  session.ok("CREATE TABLE t (p int, c text, PRIMARY KEY (p, c)) WITH CLUSTERING ORDER BY (c DESC)");
  session.ok("INSERT INTO t (p, c) VALUES (1, 'a')");
  CHECK(session.run("SELECT c FROM t WHERE p = 1 AND c < ''").empty());
  session.ok("DELETE FROM t WHERE p = 1 AND c < ''");
  CHECK(session.one("SELECT c FROM t") == "a");
}

TEST_CASE("a DELETE of static columns restricts no clustering column") {
  Session session;
  session.ok("CREATE TABLE t (p int, c int, d int, s int static, PRIMARY KEY (p, c, d))");
  session.ok("INSERT INTO t (p, c, d, s) VALUES (1, 1, 1, 5)");
  for (const char* where : {"c = 1", "c > 0", "c = 1 AND d = 1", "(c, d) > (0, 0)", "c IN (1, 2)"}) {
    CHECK(session.one("DELETE s FROM t WHERE p = 1 AND " + std::string(where)) ==
          "2200: Invalid restrictions on clustering columns since the DELETE statement modifies only static "
          "columns");
    CHECK(session.one("DELETE FROM t WHERE p = 1 AND " + std::string(where) + " IF s = 5") ==
          "2200: Invalid restrictions on clustering columns since the DELETE statement modifies only static "
          "columns");
  }
  CHECK(session.run("SELECT c, s FROM t") == Rows{"1 | 5"});
}

TEST_CASE("a DELETE with conditions on static columns alone deletes the partition if they hold") {
  for (const Mode mode : {Mode::lenient, Mode::strict}) {
    for (const std::string_view property : {std::string_view(), with_timestamps}) {
      Session session(mode);
      session.ok("CREATE TABLE t (p int, c int, s int static, PRIMARY KEY (p, c))" + std::string(property));
      for (int c = 0; c < 3; ++c) session.ok("INSERT INTO t (p, c, s) VALUES (1, ?, 5)", {bound(c)});
      session.ok("INSERT INTO t (p, c, s) VALUES (2, 0, 5)");
      CHECK(session.one("DELETE FROM t WHERE p = 1 IF s = 6") == "false | 5");
      CHECK(session.run("SELECT c FROM t WHERE p = 1").size() == 3);
      CHECK(session.one("DELETE FROM t WHERE p = 1 IF s = 5") == "true");
      CHECK(session.run("SELECT p, c, s FROM t") == Rows{"2 | 0 | 5"});
      session.advance(1s);
      session.ok("INSERT INTO t (p, c) VALUES (1, 1)");
      CHECK(session.run("SELECT c, s FROM t WHERE p = 1") == Rows{"1 | null"});
    }
  }
  Session session(Mode::strict);
  session.ok("CREATE TABLE t (p int, c int, s int static, PRIMARY KEY (p, c))");
  for (int c = 0; c < 1'001; ++c) session.ok("INSERT INTO t (p, c, s) VALUES (1, ?, 5)", {bound(c)});
  CHECK(session.one("DELETE FROM t WHERE p = 1 IF s = 5").starts_with("2200: Range delete requests"));
  CHECK(session.run("SELECT DISTINCT p, s FROM t") == Rows{"1 | 5"});
}

TEST_CASE("conditions test columns, elements, fields and static cells") {
  Session session;
  session.ok("CREATE TYPE u (a int, b text)");
  session.ok(
      "CREATE TABLE t (p int, c int, s int static, v int, w int, l list<int>, m map<text, int>, x u, "
      "PRIMARY KEY (p, c))");
  session.ok("INSERT INTO t (p, c, s, v, l, m, x) VALUES (1, 1, 5, 1, [7], {'k': 2}, {a: 3})");
  const auto update = [&](const std::string& conditions, std::vector<test::Bound> values = {}) {
    return session.one("UPDATE t SET w = 1 WHERE p = 1 AND c = 1 IF " + conditions, std::move(values));
  };
  CHECK(update("l[0] = 7 AND m['k'] >= 2 AND x.a IN (3, 4) AND s = 5") == "true");
  CHECK(update("l[1] = null AND m['none'] = null AND x.b = null") == "true");
  CHECK(update("v = 2 AND s = 5 AND w = 1 AND v = 1") == "false | 1 | 1 | 5");
  CHECK(update("v IN (null, 2)") == "false | 1");
  CHECK(update("w != null AND v <= 1 AND v < 2 AND v > 0 AND v >= 1") == "true");
  CHECK(update("v IN ?", {bound(from_hex("00000002 00000004 00000001 00000004 00000009"))}) == "true");
  const auto with_null = bound(from_hex("00000002 00000004 00000009 ffffffff"));
  CHECK(update("v IN ?", {with_null}) == "false | 1");
  CHECK(session.one("UPDATE t SET w = 1 WHERE p = 9 AND c = 9 IF v IN ?", {with_null}) == "true");
  session.ok("DELETE FROM t WHERE p = 9");
  CHECK(update("l[?] = 1", {null()}) == "2200: Invalid null value for list element access");
  CHECK(update("m[?] = 1", {null()}) == "2200: Invalid null value for map element access");
  CHECK(update("v IN (?, ?)", {bound(1), unset()}) == "true");
  CHECK(update("v IN (?)", {unset()}) == "false | 1");
  CHECK(update("v IN ?", {unset()}) == "2200: Invalid 'unset' value in condition");
  CHECK(update("x.a IN (?)", {unset()}) == "2200: Invalid 'unset' value in condition");
  CHECK(update("v >= null") == "2200: Invalid comparison with null for operator \">=\"");
  CHECK(update("v[0] = 1") == "2200: Invalid element access syntax for non-collection column v");
  CHECK(session.one("UPDATE t SET s = 6 WHERE p = 1 IF s = 5") == "true");
  CHECK(session.one("INSERT INTO t (p, s) VALUES (1, 9) IF NOT EXISTS") ==
        "false | 1 | null | 6 | null | null | null | null | null");
  CHECK(session.one("INSERT INTO t (p, s) VALUES (2, 9) IF NOT EXISTS") == "true");
  CHECK(session.one("DELETE v FROM t WHERE p = 1 AND c = 1 IF v > 5") == "false | 1");
  session.ok("UPDATE t USING TTL 10 SET v = 9 WHERE p = 1 AND c = 1");
  session.advance(10s);
  CHECK(update("v = null") == "true");
}

TEST_CASE("a conditional statement has the time of the server, and sees what is stamped later") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v int)");
  const std::int64_t now = session.clock().now().time_since_epoch().count();
  session.options().timestamp = 5;
  CHECK(session.one("INSERT INTO t (p, v) VALUES (1, 1) IF NOT EXISTS") == "true");
  CHECK(std::stoll(session.one("SELECT writetime(v) FROM t")) >= now);
  session.ok("UPDATE t USING TIMESTAMP " + std::to_string(now + 1'000'000'000) + " SET v = 2 WHERE p = 1");
  CHECK(session.one("UPDATE t SET v = 3 WHERE p = 1 IF v = 2") == "true");
  CHECK(session.one("SELECT v FROM t") == "2");  // stamped later
}

TEST_CASE("times to live and timestamps that are null, not set or zero") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v int) WITH default_time_to_live = 100");
  const auto ttl = [&] { return session.one("SELECT ttl(v) FROM t"); };
  session.ok("INSERT INTO t (p, v) VALUES (1, 1)");
  CHECK(ttl() == "100");
  session.ok("INSERT INTO t (p, v) VALUES (1, 1) USING TTL 0");
  CHECK(ttl() == "null");
  session.ok("INSERT INTO t (p, v) VALUES (1, 1) USING TTL ?", {null()});
  CHECK(ttl() == "null");
  session.ok("INSERT INTO t (p, v) VALUES (1, 1) USING TTL ? AND TIMESTAMP ?", {unset(), unset()});
  CHECK(ttl() == "100");
  session.ok("ALTER TABLE t WITH default_time_to_live = 0");
  session.ok("INSERT INTO t (p, v) VALUES (1, 1)");
  CHECK(ttl() == "null");
  CHECK(session.one("INSERT INTO t (p, v) VALUES (1, 1) USING TIMESTAMP ?", {bound("abc")}) ==
        "2200: Invalid timestamp value: 0x616263");
}

TEST_CASE("INSERT gives the row its time to live, UPDATE the cells alone") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v int, w int)");
  session.ok("INSERT INTO t (p, v) VALUES (1, 1)");
  session.ok("UPDATE t USING TTL 10 SET v = 2 WHERE p = 1");
  session.ok("INSERT INTO t (p) VALUES (2) USING TTL 10");
  session.clock().advance(10s);
  CHECK(session.run("SELECT p, v FROM t") == Rows{"1 | null"});
}

TEST_CASE("of equal timestamps a tombstone wins, then the greater value or the later request") {
  for (const Mode mode : {Mode::lenient, Mode::strict}) {
    Session session(mode);
    session.ok("CREATE TABLE t (p int PRIMARY KEY, v int)" + std::string(with_timestamps));
    const std::string at = std::to_string(session.clock().now().time_since_epoch().count());
    const auto put = [&](const char* value) {
      session.ok("UPDATE t USING TIMESTAMP " + at + " SET v = " + value + " WHERE p = 1");
    };
    put("5");
    put("3");
    CHECK(session.one("SELECT v FROM t") == (mode == Mode::strict ? "3" : "5"));
    put("null");
    put("9");
    CHECK(session.run("SELECT v FROM t").empty());
  }
}

TEST_CASE("a table without timestamps of clients takes writes as they arrive") {
  Session session(Mode::strict);
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v int)");
  session.options().timestamp = 500;
  session.ok("INSERT INTO t (p, v) VALUES (1, 1)");
  session.options().timestamp = 400;
  session.ok("DELETE FROM t WHERE p = 1");
  CHECK(session.run("SELECT v FROM t").empty());
  session.options().timestamp = 300;
  session.ok("INSERT INTO t (p, v) VALUES (1, 2)");
  CHECK(session.one("SELECT v FROM t") == "2");
  // Turned on later: what was written before has the time of its write.
  session.ok("ALTER TABLE t" + std::string(with_timestamps));
  session.options().timestamp.reset();
  const std::int64_t now = session.clock().now().time_since_epoch().count();
  const std::int64_t written = std::stoll(session.one("SELECT writetime(v) FROM t"));
  CHECK(written >= now);
  CHECK(written < now + 1'000'000);
  CHECK(session.one(
            "ALTER TABLE t WITH custom_properties = {'client_side_timestamps': {'status': 'disabled'}}") ==
        "2200: 'client_side_timestamps' cannot be disabled once enabled.");
}

TEST_CASE("the window is for the timestamps of drivers too") {
  Session session(Mode::strict);
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v int)" + std::string(with_timestamps));
  session.options().timestamp = 5;
  CHECK(session.one("INSERT INTO t (p, v) VALUES (1, 1)") ==
        "2200: Timestamp 5 is outside of the allowed range: at most 2 days in the past and 5 minutes in the "
        "future.");
  CHECK(session.run("SELECT * FROM t").empty());
}

TEST_CASE("levels that Cassandra refuses, of writes, counters, reads and conditions") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v int)");
  session.ok("CREATE TABLE n (p int PRIMARY KEY, n counter)");
  session.options().consistency = Consistency::serial;
  CHECK(session.one("INSERT INTO t (p) VALUES (1)") ==
        "2200: You must use conditional updates for serializable writes");
  CHECK(session.run("SELECT p FROM t").empty());
  session.options().consistency = Consistency::any;
  session.ok("INSERT INTO t (p) VALUES (1)");
  CHECK(session.one("UPDATE n SET n = n + 1 WHERE p = 1") ==
        "2200: Consistency level ANY is not yet supported for counter table n");
  CHECK(session.one("SELECT p FROM t") == "2200: ANY ConsistencyLevel is only supported for writes");
  CHECK(session.one("BEGIN COUNTER BATCH UPDATE n SET n = n + 1 WHERE p = 1; APPLY BATCH") ==
        "2200: Consistency level ANY is not yet supported for counter table n");
  CHECK(session.one("BEGIN BATCH UPDATE t SET v = 1 WHERE p = 1 IF v = 7; APPLY BATCH") ==
        "false | 1 | null");
  for (const Consistency level : {Consistency::serial, Consistency::local_serial}) {
    session.options().consistency = level;
    const std::string refused =
        "2200: " + std::string(frames::name_of(level)) +
        " is not supported as conditional update commit consistency. Use ANY if you mean \"make sure it is "
        "accepted but I don't care how many replicas commit it for non-SERIAL reads\"";
    CHECK(session.one("UPDATE t SET v = 1 WHERE p = 1 IF EXISTS") == refused);
    CHECK(session.one("BEGIN BATCH UPDATE t SET v = 1 WHERE p = 1 IF v = 7; APPLY BATCH") == refused);
    CHECK(session.run("SELECT p FROM t").size() == 1);
  }
  session.options().consistency = Consistency::each_quorum;
  CHECK(session.one("SELECT p FROM t") == "1");
  session.options().serial_consistency = Consistency::quorum;
  CHECK(session.one("UPDATE t SET v = 1 WHERE p = 1 IF EXISTS") ==
        "2200: Invalid consistency for conditional update. Must be one of SERIAL or LOCAL_SERIAL");
  CHECK(session.one("BEGIN BATCH UPDATE t SET v = 1 WHERE p = 1 IF EXISTS; APPLY BATCH") ==
        "2200: Invalid consistency for conditional update. Must be one of SERIAL or LOCAL_SERIAL");
  session.ok("UPDATE t SET v = 1 WHERE p = 1");
  session.options().serial_consistency = Consistency::local_serial;
  CHECK(session.one("UPDATE t SET v = 1 WHERE p = 1 IF EXISTS") == "true");
}

TEST_CASE("the service takes one level for writes and three for reads") {
  Session session(Mode::strict);
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v int)");
  using enum Consistency;
  const std::string of_operation = " is not supported for this operation. Supported consistency levels are: ";
  for (const auto level : {any, one, two, three, quorum, all, each_quorum, serial, local_serial, local_one}) {
    session.options().consistency = level;
    const std::string refused =
        "2200: Consistency level " + std::string(frames::name_of(level)) + of_operation;
    for (const char* statement : {"INSERT INTO t (p) VALUES (1)", "UPDATE t SET v = 1 WHERE p = 1",
                                  "DELETE FROM t WHERE p = 1", "UPDATE t SET v = 1 WHERE p = 1 IF EXISTS",
                                  "BEGIN BATCH INSERT INTO t (p) VALUES (1) APPLY BATCH"}) {
      CHECK(session.one(statement) == refused + "LOCAL_QUORUM");
    }
    const bool reads = level == one || level == local_one;
    const auto read = session.run("SELECT p FROM t");
    CHECK(read == (reads ? Rows{} : Rows{refused + "ONE, LOCAL_QUORUM, LOCAL_ONE"}));
  }
}

TEST_CASE("checks come in the order of the service") {
  Session session(Mode::strict);
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v int)");
  session.options().consistency = Consistency::one;
  CHECK(session.one("INSERT INTO").starts_with("2000: "));
  CHECK(session.one("INSERT INTO nix (p) VALUES (1)") == "2200: unconfigured table ks.nix");
  CHECK(session.one("SELECT v FROM t PER PARTITION LIMIT 1") == "2200: PER PARTITION LIMIT is not supported");
  CHECK(session.one("INSERT INTO t (p) VALUES (?)") == "2200: Invalid amount of bind variables");
  CHECK(session.one("INSERT INTO t (p) VALUES (?)", {null()}).starts_with("2200: Consistency level ONE"));
  session.options().consistency = Consistency::local_quorum;
  CHECK(session.one("INSERT INTO t (p) VALUES (?)", {null()}) ==
        "2200: Invalid null value in condition for column p");
}

TEST_CASE("columns of one statement are limited, fewer where rows may expire") {
  Session session(Mode::strict);
  session.ok("CREATE TABLE t " + wide_table(226));
  session.ok("CREATE TABLE e " + wide_table(167) + " WITH default_time_to_live = 100");
  session.ok("INSERT INTO t " + wide_insert(225));
  CHECK(session.one("INSERT INTO t " + wide_insert(226)) ==
        "2200: Number of columns 226 exceeds the maximum of 225 in a single INSERT or UPDATE.");
  session.ok("INSERT INTO e " + wide_insert(166));
  CHECK(session.one("INSERT INTO e " + wide_insert(167)) ==
        "2200: Number of columns 167 exceeds the maximum of 166 in a single INSERT or UPDATE.");
  session.ok(R"(INSERT INTO t JSON '{"p": 1, "c0": 1}' DEFAULT UNSET)");
  CHECK(session.one(R"(INSERT INTO t JSON '{"p": 1, "c0": 1}')") ==
        "2200: Number of columns 226 exceeds the maximum of 225 in a single INSERT or UPDATE.");
  CHECK(session.one(R"(BEGIN BATCH INSERT INTO e JSON '{"p": 1}' APPLY BATCH)") ==
        "2200: Number of columns 167 exceeds the maximum of 166 in a single INSERT or UPDATE.");
  CHECK(session.one("UPDATE t SET c0 = 1 WHERE p IN (1, 2)") ==
        "2200: IN is not supported in UPDATE statements");
}

TEST_CASE("static data of a partition have a megabyte of their own") {
  Session session;
  session.ok("CREATE TABLE t (p int, c int, s blob static, v blob, PRIMARY KEY (p, c))");
  const std::string most(1'048'576 - 7 - 104, 's');
  session.ok("INSERT INTO t (p, s) VALUES (1, ?)", {bound(most)});
  CHECK(session.one("INSERT INTO t (p, s) VALUES (1, ?)", {bound(most + "s")}) ==
        "2200: Static data size of 1048577 bytes exceeds the maximum of 1048576 bytes for a partition.");
  const std::string row(1'048'576 - 7 - 8 - 100, 'r');
  session.ok("INSERT INTO t (p, c, s, v) VALUES (1, 1, ?, ?)", {bound(most), bound(row)});
}

TEST_CASE("keys in lenient mode have Cassandra's limit, and what the store can keep") {
  Session session;
  session.ok("CREATE TABLE t (p text, c text, PRIMARY KEY (p, c))");
  CHECK(session.one("INSERT INTO t (p, c) VALUES (?, 'a')", {bound(std::string(65'536, 'p'))}) ==
        "2200: Key length of 65536 is longer than maximum of 65535");
  CHECK(session.one("INSERT INTO t (p, c) VALUES ('a', ?)", {bound(std::string(65'536, 'c'))}) ==
        "2200: Key length of 65536 is longer than maximum of 65535");
  for (const char* where : {"p = ?", "p = ? AND c = 'a'", "p IN (?, 'a')"}) {
    CHECK(session.one("SELECT c FROM t WHERE " + std::string(where), {bound(std::string(65'536, 'p'))}) ==
          "2200: Key length of 65536 is longer than maximum of 65535");
  }
  CHECK(session.run("SELECT c FROM t WHERE p = ?", {bound(std::string(65'535, 'p'))}).empty());
  session.ok("INSERT INTO t (p, c) VALUES (?, ?)",
             {bound(std::string(4'000, 'p')), bound(std::string(4'000, 'c'))});
}

TEST_CASE("batches of Cassandra have their own refusals") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v int)");
  session.ok("CREATE TABLE n (p int PRIMARY KEY, n counter)");
  session.ok(
      "BEGIN COUNTER BATCH UPDATE n SET n = n + 1 WHERE p = 1; UPDATE n SET n = n + 2 WHERE p = 1 APPLY "
      "BATCH");
  CHECK(session.one("SELECT n FROM n") == "3");
  session.ok("BEGIN UNLOGGED BATCH UPDATE n SET n = n + 1 WHERE p = 1 APPLY BATCH");
  // One timestamp for all: the deletion wins.
  session.ok(
      "BEGIN UNLOGGED BATCH DELETE FROM t WHERE p = 1; INSERT INTO t (p, v) VALUES (1, 1) APPLY BATCH");
  CHECK(session.run("SELECT * FROM t").empty());
  session.ok("BEGIN BATCH USING TIMESTAMP 7 INSERT INTO t (p, v) VALUES (2, 1) APPLY BATCH");
  CHECK(session.one("SELECT writetime(v) FROM t") == "7");
  CHECK(session.one("BEGIN BATCH SELECT * FROM t APPLY BATCH").starts_with("2000: "));
}

TEST_CASE("the service limits what batches have") {
  Session session(Mode::strict);
  session.ok("CREATE TABLE t (p int, c int, s int static, v blob, PRIMARY KEY (p, c))");
  session.ok("CREATE TABLE o (p int PRIMARY KEY)");
  session.ok("CREATE TABLE n (p int PRIMARY KEY, n counter)");
  std::string statics;
  for (int i = 0; i < 50; ++i)
    statics += "INSERT INTO t (p, c, s) VALUES (" + std::to_string(i) + ", 1, 1); ";
  session.ok("BEGIN BATCH " + statics + "APPLY BATCH");
  CHECK(session.one("BEGIN BATCH " + statics + "INSERT INTO t (p, c) VALUES (99, 1); APPLY BATCH") ==
        "2200: Batches with more than 50 statements are not supported.");
  std::string of_json;
  for (int i = 0; i < 51; ++i)
    of_json += "INSERT INTO t JSON '{\"p\": " + std::to_string(i) + ", \"c\": 1, \"s\": 1}' DEFAULT UNSET; ";
  CHECK(session.one("BEGIN BATCH " + of_json + "APPLY BATCH") ==
        "2200: Batches with more than 50 statements are not supported.");
  session.refuses({
      {"BEGIN BATCH UPDATE n SET n = n + 1 WHERE p = 1; APPLY BATCH",
       "2200: Logged batches do not support counters."},
      {"BEGIN BATCH DELETE FROM t WHERE p = 1 AND c > 1; APPLY BATCH",
       "2200: Logged batches do not support range deletes."},
      {"BEGIN BATCH INSERT INTO o (p) VALUES (1) USING TIMESTAMP 5 APPLY BATCH",
       "2200: Client-side timestamps are not enabled for table ks.o."},
      {"BEGIN BATCH USING TIMESTAMP 5 INSERT INTO o (p) VALUES (1) APPLY BATCH",
       "2200: Client-side timestamps are not enabled for table ks.o."},
  });
  session.ok("BEGIN BATCH INSERT INTO o (p) VALUES (1); INSERT INTO t (p, c) VALUES (77, 1); APPLY BATCH");
  CHECK(session.run("SELECT p FROM o").size() == 1);
  session.ok(
      "BEGIN UNLOGGED BATCH INSERT INTO o (p) VALUES (2); INSERT INTO t (p, c) VALUES (78, 1); APPLY BATCH");
  CHECK(session.run("SELECT p FROM o").size() == 2);
  CHECK(session.run("SELECT c FROM t WHERE p = 78") == Rows{"1"});
  const std::string large(1'048'000, 'v');
  std::string text = "BEGIN BATCH ";
  std::vector<test::Bound> values;
  for (int i = 0; i < 5; ++i) {
    text += "INSERT INTO t (p, c, v) VALUES (" + std::to_string(200 + i) + ", 1, ?); ";
    values.push_back(bound(large));
  }
  CHECK(session.one(text + "APPLY BATCH", values) == "2200: Batch too large");
}

TEST_CASE("a logged batch of the service tests conditions in several partitions, and is applied as a whole") {
  Session session(Mode::strict);
  session.ok("CREATE TABLE t (p int, v int, PRIMARY KEY (p))");
  session.ok("CREATE TABLE o (p int PRIMARY KEY)");
  session.ok("INSERT INTO t (p, v) VALUES (1, 1)");
  CHECK(session.one(
            "BEGIN BATCH INSERT INTO t (p, v) VALUES (2, 2) IF NOT EXISTS; UPDATE t SET v = 5 WHERE p = 1 "
            "IF v = 9; APPLY BATCH") == "false | 1 | 1");
  CHECK(session.run("SELECT p FROM t") == Rows{"1"});
  CHECK(session.one(
            "BEGIN BATCH INSERT INTO t (p, v) VALUES (2, 2) IF NOT EXISTS; UPDATE t SET v = 5 WHERE p = 1 "
            "IF v = 1; INSERT INTO o (p) VALUES (1) IF NOT EXISTS; APPLY BATCH") == "true");
  CHECK(session.run("SELECT v FROM t").size() == 2);
}

}  // namespace dinette::cql::changes_test

// Conditions, batches, collections, counters, timestamps and expiry.
#include <chrono>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "cql/grammar/parse.h"
#include "cql/statements/session.h"

namespace dinette::cql::writes_test {

using test::bound;
using test::null;
using test::Session;
using test::unset;
using Rows = std::vector<std::string>;

// docs/service-keyspaces/dml.md section 6.
TEST_CASE("a condition applies a statement, or shows why not") {
  Session session;
  session.ok("CREATE TABLE t (p int, c int, v int, w text, s int STATIC, PRIMARY KEY (p, c))");
  CHECK(session.one("INSERT INTO t (p, c, v) VALUES (1, 1, 5) IF NOT EXISTS") == "true");
  CHECK(session.one("INSERT INTO t (p, c, v) VALUES (1, 1, 6) IF NOT EXISTS") ==
        "false | 1 | 1 | null | 5 | null");
  CHECK(session.one("UPDATE t SET v = 6 WHERE p = 1 AND c = 1 IF v = 4") == "false | 5");
  CHECK(session.one("UPDATE t SET v = 6 WHERE p = 1 AND c = 1 IF v IN (4, 5) AND w = null") == "true");
  CHECK(session.one("UPDATE t SET v = 7 WHERE p = 1 AND c = 2 IF v = 6") == "false");
  CHECK(session.one("UPDATE t SET v = 7 WHERE p = 1 AND c = 2 IF EXISTS") == "false");
  CHECK(session.one("UPDATE t SET v = 7 WHERE p = 1 AND c = 1 IF v > 6") == "false | 6");
  CHECK(session.one("UPDATE t SET v = 7 WHERE p = 1 AND c = 1 IF v != 5") == "true");
  CHECK(session.one("DELETE FROM t WHERE p = 1 AND c = 1 IF EXISTS") == "true");
  CHECK(session.run("SELECT * FROM t").empty());
  CHECK(session.one("UPDATE t SET v = 1 WHERE p = 3 AND c = 3 IF v = null") == "true");
  CHECK(session.one("SELECT * FROM t") == "3 | 3 | null | 1 | null");
}

// docs/service-keyspaces/dml.md section 6.
TEST_CASE("a refused condition shows the rows that exist, or static columns that were read") {
  Session session;
  session.ok("CREATE TABLE w (p int, c int, v int, st int STATIC, PRIMARY KEY (p, c))");
  session.ok("INSERT INTO w (p, c, v, st) VALUES (0, 5, 5, 2)");
  const auto batch = [&](const std::string& statements) {
    return session.run("BEGIN BATCH " + statements + " APPLY BATCH");
  };
  CHECK(session.one("UPDATE w SET v = 3 WHERE p = 0 AND c = 0 IF v = 100") == "false");
  CHECK(session.one("UPDATE w SET v = 3 WHERE p = 0 AND c = 0 IF v = 100 AND st = 2") == "false | null | 2");
  CHECK(session.one("UPDATE w SET v = 3, st = 4 WHERE p = 0 AND c = 0 IF EXISTS") ==
        "false | 0 | null | 2 | null");
  CHECK(batch("UPDATE w SET v = 3 WHERE p = 0 AND c = 0 IF v = 100; "
              "UPDATE w SET v = 3 WHERE p = 0 AND c = 5 IF v = 100;") == Rows{"false | 0 | 5 | 5"});
  CHECK(batch("UPDATE w SET st = 1 WHERE p = 0 IF st = 500; "
              "UPDATE w SET v = 3 WHERE p = 0 AND c = 0 IF v = 100;") == Rows{"false | 0 | null | 2 | null"});
  CHECK(batch("UPDATE w SET st = 1 WHERE p = 0 IF st = 500; "
              "UPDATE w SET v = 3 WHERE p = 0 AND c = 5 IF v = 100;") == Rows{"false | 0 | 5 | 2 | 5"});
  CHECK(batch("UPDATE w SET v = 3 WHERE p = 0 AND c = 9 IF EXISTS; "
              "UPDATE w SET v = 3 WHERE p = 0 AND c = 5 IF v = 100;") == Rows{"false | 0 | 5 | 2 | 5"});
  session.ok("INSERT INTO w (p, c, v) VALUES (0, 1, 1)");
  CHECK(batch("UPDATE w SET v = 3 WHERE p = 0 AND c = 5 IF v = 100; "
              "UPDATE w SET v = 3 WHERE p = 0 AND c = 1 IF v = 100; "
              "UPDATE w SET v = 4 WHERE p = 0 AND c = 5 IF v = 101;") ==
        Rows{"false | 0 | 1 | 1", "false | 0 | 5 | 5"});
}

TEST_CASE("conditions that cannot be tested are refused") {
  Session session;
  session.ok("CREATE TABLE t (p int, c int, v int, PRIMARY KEY (p, c))");
  CHECK(session.one("UPDATE t SET v = 1 WHERE p = 1 AND c = 1 IF p = 1") ==
        "2200: PRIMARY KEY column 'p' cannot have IF conditions");
  session.ok("INSERT INTO t (p, c, v) VALUES (1, 1, 1)");
  CHECK(session.one("UPDATE t SET v = 1 WHERE p = 1 AND c = 1 IF v < null") ==
        "2200: Invalid comparison with null for operator \"<\"");
  CHECK(session.one("UPDATE t SET v = 1 WHERE p = 1 AND c = 1 IF v = ?", {unset()}) ==
        "2200: Invalid 'unset' value in condition");
  CHECK(session.one("UPDATE t SET v = 1 WHERE p = 1 AND c IN (1, 2) IF v = 1") ==
        "2200: IN on the clustering key columns is not supported with conditional updates");
  CHECK(session.one("UPDATE t USING TIMESTAMP 5 SET v = 1 WHERE p = 1 AND c = 1 IF v = 1") ==
        "2200: Cannot provide custom timestamp for conditional updates");
}

// docs/service-keyspaces/dml.md section 7.
TEST_CASE("a batch writes all of its statements, or none") {
  Session session;
  session.ok("CREATE TABLE t (p int, c int, v int, PRIMARY KEY (p, c))");
  session.ok(
      "BEGIN BATCH INSERT INTO t (p, c, v) VALUES (1, 1, 1); INSERT INTO t (p, c, v) VALUES (2, 1, ?); APPLY "
      "BATCH",
      {bound(2)});
  CHECK(session.run("SELECT v FROM t").size() == 2);
  session.ok("BEGIN BATCH APPLY BATCH");
  CHECK(
      session.one(
          "BEGIN BATCH INSERT INTO t (p, c, v) VALUES (1, 2, 1) IF NOT EXISTS UPDATE t SET v = 9 WHERE p = 1 "
          "AND c = 1 IF v = 5 APPLY BATCH") == "false | 1 | 1 | 1");
  CHECK(session.run("SELECT c, v FROM t WHERE p = 1") == Rows{"1 | 1"});
  CHECK(
      session.one(
          "BEGIN BATCH INSERT INTO t (p, c, v) VALUES (1, 2, 1) IF NOT EXISTS UPDATE t SET v = 9 WHERE p = 1 "
          "AND c = 1 IF v = 1 APPLY BATCH") == "true");
  CHECK(session.run("SELECT c, v FROM t WHERE p = 1") == Rows{"1 | 9", "2 | 1"});
  CHECK(session.one(
            "BEGIN BATCH INSERT INTO t (p, c) VALUES (1, 2) IF NOT EXISTS INSERT INTO t (p, c) VALUES (2, 2) "
            "APPLY BATCH") == "2200: Batch with conditions cannot span multiple partitions");
  CHECK(
      session.one(
          "BEGIN BATCH USING TIMESTAMP 1 INSERT INTO t (p, c) VALUES (1, 2) USING TIMESTAMP 2 APPLY BATCH") ==
      "2200: Timestamp must be set either on BATCH or individual statements");
  CHECK(session.one("BEGIN BATCH USING TTL 5 INSERT INTO t (p, c) VALUES (1, 2) APPLY BATCH") ==
        "2200: Global TTL on the BATCH statement is not supported.");
}

TEST_CASE("the service limits batches") {
  Session session(Mode::strict);
  session.ok("CREATE TABLE t (p int, c int, v int, PRIMARY KEY (p, c))");
  const auto batch = [&](const std::string& kind, int statements) {
    std::string text = "BEGIN " + kind + "BATCH ";
    for (int i = 0; i < statements; ++i)
      text += "INSERT INTO t (p, c) VALUES (1, " + std::to_string(i) + "); ";
    return session.run(text + "APPLY BATCH");
  };
  CHECK(batch("UNLOGGED ", 30).empty());
  CHECK(batch("UNLOGGED ", 31) == Rows{"2200: Batches with more than 30 statements are not supported."});
  CHECK(batch("", 100).empty());
  CHECK(batch("", 101) == Rows{"2200: Batches with more than 100 statements are not supported."});
  CHECK(session.one("BEGIN BATCH INSERT INTO t (p, c) VALUES (1, 1); DELETE FROM t WHERE p = 1 AND c = 1; "
                    "APPLY BATCH") ==
        "2200: Logged batches do not support several operations on the same row.");
  CHECK(session.one("BEGIN BATCH DELETE FROM t WHERE p = 1; APPLY BATCH") ==
        "2200: Logged batches do not support range deletes.");
  CHECK(session.one("BEGIN UNLOGGED BATCH INSERT INTO t (p, c) VALUES (1, 1) IF NOT EXISTS APPLY BATCH") ==
        "2200: Conditional statements are not supported in UNLOGGED batches.");
}

// docs/service-keyspaces/types.md section 5.
TEST_CASE("collections change element by element") {
  Session session;
  session.ok(
      "CREATE TABLE t (p int PRIMARY KEY, l list<int>, s set<text>, m map<text, int>, f frozen<list<int>>)");
  session.ok("INSERT INTO t (p, l, s, m, f) VALUES (1, [1, 2, 1], {'b', 'a', 'b'}, {'x': 1, 'y': 2}, [3])");
  CHECK(session.one("SELECT l, s, m, f FROM t") == "[1, 2, 1] | [\"a\", \"b\"] | {\"x\": 1, \"y\": 2} | [3]");
  session.ok("UPDATE t SET l = l + [4], s = s + {'c'}, m = m + {'z': 3} WHERE p = 1");
  session.ok("UPDATE t SET l = [0, 9] + l, s = s - {'a'}, m = m - {'x'} WHERE p = 1");
  CHECK(session.one("SELECT l, s, m FROM t") == "[0, 9, 1, 2, 1, 4] | [\"b\", \"c\"] | {\"y\": 2, \"z\": 3}");
  session.ok("UPDATE t SET l[1] = 8, m['y'] = 7 WHERE p = 1");
  session.ok("UPDATE t SET l = l - [1] WHERE p = 1");
  session.ok("DELETE l[0], m['z'] FROM t WHERE p = 1");
  CHECK(session.one("SELECT l, m FROM t") == "[8, 2, 4] | {\"y\": 7}");
  CHECK(session.one("UPDATE t SET l[9] = 1 WHERE p = 1") ==
        "2200: List index 9 out of bound, list has size 3");
  CHECK(session.one("UPDATE t SET l[0] = 1 WHERE p = 5") ==
        "2200: Attempted to set an element on a list which is null");
  CHECK(session.one("UPDATE t SET f = f + [1] WHERE p = 1") ==
        "2200: Invalid operation (f = f + [1]) for frozen collection column f");
  CHECK(session.one("UPDATE t SET s['a'] = 1 WHERE p = 1") ==
        "2200: Invalid element access syntax for set column s");
  session.ok("UPDATE t SET l = [], s = null, m = {} WHERE p = 1");
  CHECK(session.one("SELECT l, s, m FROM t") == "null | null | null");
  session.ok("UPDATE t SET m = {'k': 1} WHERE p = 1");
  CHECK(session.one("SELECT m FROM t") == "{\"k\": 1}");
  CHECK(session.one("INSERT INTO t (p, l) VALUES (1, [1, null])") ==
        "2200: null is not supported inside collections");
  CHECK(session.one("INSERT INTO t (p, l) VALUES (1, ['a'])") ==
        "2200: Invalid list literal for l: value 'a' is not of type int");
}

// docs/service-keyspaces/types.md section 8.
TEST_CASE("a row may be given and returned as JSON") {
  Session session;
  session.ok(
      "CREATE TABLE t (p int PRIMARY KEY, \"V\" text, s set<int>, m map<int, text>, z tuple<int, boolean>, b "
      "blob)");
  session.ok(
      "INSERT INTO t JSON '{\"p\": 1, \"\\\"V\\\"\": \"q\\u00e4\", \"s\": [2, 1, 2], \"m\": {\"5\": \"x\"}, "
      "\"z\": [1, true], "
      "\"b\": \"0xCAFE\"}'");
  CHECK(session.one("SELECT \"V\", s, m, z, b FROM t") ==
        "q\xC3\xA4 | [1, 2] | {\"5\": \"x\"} | [1, true] | 0xcafe");
  session.ok("INSERT INTO t JSON '{\"p\": 1, \"s\": null}' DEFAULT UNSET");
  CHECK(session.one("SELECT \"V\", s FROM t") == "q\xC3\xA4 | null");
  session.ok("INSERT INTO t JSON ?", {bound("{\"p\": \"1\"}")});
  CHECK(session.one("SELECT \"V\", b FROM t") == "null | null");
  CHECK(session.one("INSERT INTO t JSON '{\"p\": 1, \"x\": 2}'") ==
        "2200: JSON values map contains unrecognized column: x");
  CHECK(session.one("INSERT INTO t JSON '{\"p\": 1, \"s\": [null]}'") ==
        "2200: Error decoding JSON value for s: Invalid null element in set");
  CHECK(session.one("INSERT INTO t JSON '{\"p\": 1, \"b\": \"CAFE\"}'") ==
        "2200: Error decoding JSON value for b: Value 'CAFE' is not a valid blob representation: String "
        "representation of blob is missing 0x prefix: CAFE");
  CHECK(session.one("INSERT INTO t JSON ?", {null()}) == "2200: Got null for INSERT JSON values");
  CHECK(session.one("INSERT INTO t JSON '{}'") == "2200: Invalid null value in condition for column p");
}

// docs/service-keyspaces/types.md section 6.
TEST_CASE("user types and tuples have parts") {
  Session session;
  session.ok("CREATE TYPE u (a int, b text)");
  session.ok("CREATE TABLE t (p int PRIMARY KEY, x u, y frozen<u>, z tuple<int, text>)");
  session.ok("INSERT INTO t (p, x, y, z) VALUES (1, {a: 1, b: 'q'}, {a: 2}, (3, 'r'))");
  CHECK(session.one("SELECT x, y, z FROM t") ==
        "{\"a\": 1, \"b\": \"q\"} | {\"a\": 2, \"b\": null} | [3, \"r\"]");
  session.ok("UPDATE t SET x.a = 5 WHERE p = 1");
  session.ok("DELETE x.b FROM t WHERE p = 1");
  CHECK(session.one("SELECT x.a, x.b FROM t") == "5 | null");
  CHECK(session.one("INSERT INTO t (p, x) VALUES (1, {c: 1})") ==
        "2200: Unknown field 'c' in value of user defined type u");
  CHECK(session.one("INSERT INTO t (p, z) VALUES (1, (1, 'a', 2))") ==
        "2200: Invalid tuple literal for z: too many elements. Type frozen<tuple<int, text>> expects 2 but "
        "got 3");
}

// docs/service-keyspaces/types.md section 7.
TEST_CASE("counters add up") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, n counter)");
  session.ok("UPDATE t SET n = n + 5 WHERE p = 1");
  session.ok("UPDATE t SET n = n - 2 WHERE p = 1");
  session.ok("UPDATE t SET n += ? WHERE p = 1", {bound(std::int64_t{4})});
  CHECK(session.one("SELECT n FROM t") == "7");
  CHECK(session.one("INSERT INTO t (p, n) VALUES (1, 1)") ==
        "2200: INSERT statements are not allowed on counter tables, use UPDATE instead");
  CHECK(session.one("UPDATE t SET n = 1 WHERE p = 1") ==
        "2200: Cannot set the value of counter column n (counters can only be incremented/decremented, not "
        "set)");
  CHECK(session.one("UPDATE t SET n = n + ? WHERE p = 1", {null()}) ==
        "2200: Invalid null value for counter increment");
  session.ok("DELETE FROM t WHERE p = 1");
  session.ok("UPDATE t SET n = n + 1 WHERE p = 1");
  CHECK(session.one("SELECT n FROM t") == "1");
}

// docs/service-keyspaces/types.md section 4.
TEST_CASE("null erases, and what is not set stays") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v int, w text)");
  session.ok("INSERT INTO t (p, v, w) VALUES (1, 2, 'a')");
  session.ok("INSERT INTO t (p, v, w) VALUES (?, ?, ?)", {bound(1), unset(), null()});
  CHECK(session.one("SELECT v, w FROM t") == "2 | null");
  CHECK(session.one("SELECT v FROM t WHERE p = ?", {null()}) ==
        "2200: Invalid null value in condition for column p");
  CHECK(session.one("SELECT v FROM t WHERE p = ?", {unset()}) == "2200: Invalid unset value for column p");
  CHECK(session.one("SELECT v FROM t WHERE p = ?", {bound("abc")}) == "2200: Expected 4 or 0 byte int (3)");
  CHECK(session.one("SELECT v FROM t WHERE p = ?") == "2200: Invalid amount of bind variables");
}

// docs/service-keyspaces/timestamps.md sections 2 and 5.
TEST_CASE("the greater timestamp wins, whatever the order of arrival") {
  Session session;
  session.ok("CREATE TABLE t (p int, c int, v int, PRIMARY KEY (p, c))");
  session.ok("INSERT INTO t (p, c, v) VALUES (1, 1, 2) USING TIMESTAMP 200");
  session.ok("INSERT INTO t (p, c, v) VALUES (1, 1, 1) USING TIMESTAMP 100");
  CHECK(session.one("SELECT v, writetime(v) FROM t") == "2 | 200");
  session.ok("DELETE FROM t USING TIMESTAMP 150 WHERE p = 1 AND c = 1");
  CHECK(session.one("SELECT v FROM t") == "2");
  session.ok("DELETE FROM t USING TIMESTAMP 300 WHERE p = 1");
  CHECK(session.run("SELECT v FROM t").empty());
  session.ok("INSERT INTO t (p, c, v) VALUES (1, 1, 3) USING TIMESTAMP 250");
  CHECK(session.run("SELECT v FROM t").empty());
  session.ok("INSERT INTO t (p, c, v) VALUES (1, 1, 4) USING TIMESTAMP 301");
  CHECK(session.one("SELECT v FROM t") == "4");
  session.ok("DELETE FROM t USING TIMESTAMP 400 WHERE p = 1 AND c > 5");
  session.ok("INSERT INTO t (p, c, v) VALUES (1, 6, 5) USING TIMESTAMP 399");
  session.ok("INSERT INTO t (p, c, v) VALUES (1, 7, 6) USING TIMESTAMP 401");
  CHECK(session.run("SELECT c, v FROM t") == Rows{"1 | 4", "7 | 6"});
  session.options().timestamp = 500;
  session.ok("UPDATE t SET v = 8 WHERE p = 1 AND c = 7");
  CHECK(session.one("SELECT writetime(v) FROM t WHERE p = 1 AND c = 7") == "500");
  CHECK(session.one("SELECT writetime(c) FROM t") ==
        "2200: Cannot use selection function writeTime on PRIMARY KEY part c");
}

// docs/service-keyspaces/timestamps.md section 1.
TEST_CASE("the service takes timestamps where a table has them, and within a window") {
  Session session(Mode::strict);
  session.ok("CREATE TABLE plain (p int PRIMARY KEY, v int)");
  CHECK(session.one("INSERT INTO plain (p, v) VALUES (1, 1) USING TIMESTAMP 5") ==
        "2200: Client-side timestamps are not enabled for table ks.plain.");
  CHECK(session.one("SELECT writetime(v) FROM plain") == "2200: writetime is not yet supported.");
  session.options().timestamp = 5;
  session.ok("INSERT INTO plain (p, v) VALUES (1, 1)");
  session.ok("INSERT INTO plain (p, v) VALUES (1, 2)");
  CHECK(session.one("SELECT v FROM plain") == "2");
  session.options().timestamp.reset();
  session.ok(
      "CREATE TABLE t (p int PRIMARY KEY, v int) WITH CUSTOM_PROPERTIES = {'client_side_timestamps': "
      "{'status': "
      "'enabled'}}");
  const std::int64_t now = session.clock().now().time_since_epoch().count();
  const std::int64_t two_days = std::int64_t{2} * 24 * 3600 * 1'000'000;
  const auto insert = [&](std::int64_t timestamp) {
    return session.run("INSERT INTO t (p, v) VALUES (1, 1) USING TIMESTAMP " + std::to_string(timestamp));
  };
  CHECK(insert(now - two_days).empty());
  CHECK(insert(now + 300'000'000).empty());
  CHECK(insert(now - two_days - 1).size() == 1);
  CHECK(insert(now + 300'000'001) ==
        Rows{"2200: Timestamp " + std::to_string(now + 300'000'001) +
             " is outside of the allowed range: at most 2 days in the past and 5 minutes in the future."});
}

// docs/service-keyspaces/timestamps.md section 3.
TEST_CASE("cells expire, and rows with their last cell") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v int, w int)");
  session.ok("INSERT INTO t (p, v) VALUES (1, 1) USING TTL 10");
  session.ok("UPDATE t USING TTL 20 SET w = 2 WHERE p = 1");
  CHECK(session.one("SELECT ttl(v), ttl(w) FROM t") == "10 | 20");
  session.clock().advance(std::chrono::seconds(10));
  CHECK(session.one("SELECT v, w, ttl(w) FROM t") == "null | 2 | 10");
  session.clock().advance(std::chrono::seconds(10));
  CHECK(session.run("SELECT * FROM t").empty());
  CHECK(session.one("INSERT INTO t (p, v) VALUES (1, 1) USING TTL -1") ==
        "2200: A TTL must be greater or equal to 0, but was -1");
  CHECK(session.one("INSERT INTO t (p, v) VALUES (1, 1) USING TTL 630720001") ==
        "2200: ttl is too large. requested (630720001) maximum (630720000)");
  Session strict(Mode::strict);
  strict.ok("CREATE TABLE t (p int PRIMARY KEY, v int)");
  CHECK(strict.one("INSERT INTO t (p, v) VALUES (1, 1) USING TTL 5") == "2200: TTL is not yet supported.");
}

// docs/service-keyspaces/row-size.md section 5, docs/service-keyspaces/limits.md.
TEST_CASE("a row has at most a megabyte") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v blob)");
  const std::string value(1'048'576 - 107, 'v');
  session.ok("INSERT INTO t (p, v) VALUES (1, ?)", {bound(value)});
  CHECK(session.one("INSERT INTO t (p, v) VALUES (1, ?)", {bound(value + "v")}) ==
        "2200: Row size of 1048577 bytes exceeds the maximum of 1048576 bytes.");
}

// docs/service-keyspaces/grammar.md sections 6 and 7.
TEST_CASE("functions, casts and aggregates are evaluated") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v int, d double, at timestamp)");
  session.ok("INSERT INTO t (p, v, d, at) VALUES (1, 300, 2.5, '2011-02-03T04:05:00Z')");
  session.ok("INSERT INTO t (p, v, d) VALUES (2, blobAsInt(0x00000005), 1.5)");
  CHECK(
      session.one(
          "SELECT cast(v AS tinyint), cast(d AS text), toDate(at), toUnixTimestamp(at), intAsBlob(v) FROM t "
          "WHERE p = 1") == "44 | 2.5 | 2011-02-03 | 1296705900000 | 0x0000012c");
  CHECK(session.one("SELECT count(*), min(v), max(v), sum(v), avg(d) FROM t") == "2 | 5 | 300 | 305 | 2.0");
  CHECK(session.one("SELECT count(*), max(v) FROM t WHERE p = 9") == "0 | null");
  CHECK(session.one("SELECT JSON p, v FROM t WHERE p = 2").find("v") != std::string::npos);
  CHECK(session.one("SELECT nix(v) FROM t") == "2200: Unknown function nix called in selection clause");
  CHECK(session.one("SELECT cast(at AS int) FROM t") == "2200: timestamp cannot be cast to int");
  Session strict(Mode::strict);
  strict.ok("CREATE TABLE t (p int PRIMARY KEY, v int)");
  CHECK(strict.one("SELECT count(*) FROM t") == "2200: countRows is not yet supported.");
  CHECK(strict.one("SELECT max(v) FROM t") == "2200: max is not yet supported.");
  CHECK(strict.one("SELECT v FROM t PER PARTITION LIMIT 1") == "2200: PER PARTITION LIMIT is not supported");
}

// docs/service-keyspaces/types.md section 3.
TEST_CASE("constants must be of the type of their column") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, b blob, d decimal, n inet, t tinyint)");
  CHECK(session.one("INSERT INTO t (p) VALUES ('a')") ==
        "2200: Invalid STRING constant (a) for \"p\" of type int");
  CHECK(session.one("INSERT INTO t (p, t) VALUES (1, 128)") == "2200: Unable to make byte from '128'");
  CHECK(session.one("INSERT INTO t (p, n) VALUES (1, 'x')") == "2200: Unable to make inet address from 'x'");
  session.ok("INSERT INTO t (p, b, d, n, t) VALUES (1, 0xCAFE, -1.50, '127.0.0.1', -128)");
  CHECK(session.one("SELECT b, d, n, t FROM t") == "0xcafe | -1.50 | 127.0.0.1 | -128");
}

// docs/service-keyspaces/dml.md section 4, IN.
TEST_CASE("the service answers IN in the order of the statement, in pages of ten subqueries") {
  Session session(Mode::strict);
  session.ok("CREATE TABLE t (p int, c int, PRIMARY KEY (p, c))");
  for (int p = 0; p < 12; ++p) session.ok("INSERT INTO t (p, c) VALUES (?, 0)", {bound(p)});
  CHECK(session.run("SELECT p FROM t WHERE p IN (3, 1, 2)") == Rows{"3", "1", "2"});
  std::vector<std::size_t> sizes;
  CHECK(session.pages("SELECT p FROM t WHERE p IN (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)", 100, &sizes)
            .size() == 12);
  CHECK(sizes == std::vector<std::size_t>{10, 2});
  sizes.clear();  // no empty page follows when all were read
  session.pages("SELECT p FROM t WHERE p IN (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)", 100, &sizes);
  CHECK(sizes == std::vector<std::size_t>{10});
  std::string list = "0";
  for (int p = 1; p < 101; ++p) list += ", " + std::to_string(p);
  CHECK(session.one("SELECT p FROM t WHERE p IN (" + list + ")") ==
        "2200: IN clause with 101 subqueries exceeds the maximum of 100.");
  CHECK(session.one("UPDATE t SET c = 1 WHERE p = 1") == "2200: PRIMARY KEY part c found in SET part");
  CHECK(session.one("DELETE FROM t WHERE p IN (1, 2) AND c = 0") ==
        "2200: IN is not supported in DELETE statements");
}

TEST_CASE("the service writes at LOCAL_QUORUM") {
  Session session(Mode::strict);
  session.ok("CREATE TABLE t (p int PRIMARY KEY)");
  session.options().consistency = frames::Consistency::local_one;
  CHECK(session.one("INSERT INTO t (p) VALUES (1)") ==
        "2200: Consistency level LOCAL_ONE is not supported for this operation. Supported consistency levels "
        "are: "
        "LOCAL_QUORUM");
  CHECK(session.run("SELECT p FROM t").empty());
}

// docs/service-keyspaces/errors.md section 2.
TEST_CASE("a plan follows its table") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v int)");
  const auto insert = session.prepare("INSERT INTO t (p, v) VALUES (?, ?)");
  const auto select = session.prepare("SELECT * FROM t");
  REQUIRE(insert);
  CHECK((*insert)->description().binds.size() == 2);
  CHECK((*insert)->description().key_binds == std::vector<std::uint16_t>{0});
  session.ok("ALTER TABLE t ADD w text");
  const std::string one = bound(1).bytes;
  const std::vector<frames::Value> values(2, {frames::Value::State::bytes, one});
  CHECK(statements::execute(session.place(), **insert, values, {}));
  CHECK(Session::texts(statements::execute(session.place(), **select, {}, {})) == Rows{"1 | 1 | null"});
  session.ok("DROP TABLE t");
  CHECK(Session::texts(statements::execute(session.place(), **select, {}, {})) ==
        Rows{"2200: unconfigured table ks.t"});
}

// docs/service-keyspaces/protocol.md section 6.
TEST_CASE("a batch that is prepared has the last positions of the key, if it is of one table") {
  Session session;
  session.ok("CREATE TABLE t (p int, q int, c int, v int, PRIMARY KEY ((p, q), c))");
  session.ok("CREATE TABLE o (p int, q int, PRIMARY KEY ((p, q)))");
  using Places = std::vector<std::uint16_t>;
  const auto places = [&](const std::string& statements) {
    const auto plan = session.prepare("BEGIN BATCH " + statements + " APPLY BATCH");
    REQUIRE(plan);
    return (*plan)->description().key_binds;
  };
  const std::string insert = "INSERT INTO t (c, q, p) VALUES (?, ?, ?);";
  CHECK(places(insert) == Places{2, 1});
  CHECK(places(insert + "UPDATE t SET v = ? WHERE q = ? AND p = ? AND c = 1;") == Places{5, 4});
  CHECK(places(insert + "UPDATE t SET v = ? WHERE p = 1 AND q = ? AND c = 1;") == Places{2, 4});
  CHECK(places("UPDATE t SET v = 1 WHERE p = 1 AND q = ? AND c = 1;") == Places{});
  CHECK(places(insert + "INSERT INTO o (p, q) VALUES (?, ?);") == Places{});
  CHECK(places("").empty());
  const auto plan = session.prepare(
      "BEGIN BATCH USING TIMESTAMP ? INSERT INTO t (p, q, c) VALUES (?, 1, 1) "
      "APPLY BATCH");
  REQUIRE(plan);
  const auto& binds = (*plan)->description().binds;
  CHECK(binds.at(0) == frames::ColumnSpec{"[batch]", "[batch]", "[timestamp]", {.kind = Kind::bigint}});
  CHECK(binds.at(1) == frames::ColumnSpec{"ks", "t", "p", {.kind = Kind::int_}});
}

}  // namespace dinette::cql::writes_test

// What Cassandra 3.11 has and the service does not, and functions of JSON (docs/service-keyspaces/grammar.md
// sections 2, 4 and 6).
#include <chrono>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "cql/statements/session.h"

namespace dinette::cql::lenient_test {

using test::bound;
using test::Session;
using Rows = std::vector<std::string>;

TEST_CASE("GROUP BY makes a row per group of the beginning of the key") {
  Session session;
  session.ok("CREATE TABLE t (p int, a int, b int, v int, PRIMARY KEY (p, a, b))");
  for (const char* const row : {"1, 1, 1, 10", "1, 1, 2, 20", "1, 2, 1, 30", "2, 1, 1, 40"})
    session.ok(std::string("INSERT INTO t (p, a, b, v) VALUES (") + row + ")");
  CHECK(session.run("SELECT p, a, sum(v), count(*) FROM t WHERE p = 1 GROUP BY p, a") ==
        Rows{"1 | 1 | 30 | 2", "1 | 2 | 30 | 1"});
  CHECK(session.run("SELECT p, max(v) FROM t GROUP BY p") == Rows{"1 | 30", "2 | 40"});
  CHECK(session.run("SELECT a, b FROM t WHERE p = 1 GROUP BY a") == Rows{"1 | 1", "2 | 1"});
  CHECK(session.run("SELECT p, a FROM t GROUP BY p, a LIMIT 2") == Rows{"1 | 1", "1 | 2"});
  CHECK(session.run("SELECT p, a FROM t GROUP BY p, a PER PARTITION LIMIT 1") == Rows{"1 | 1", "2 | 1"});
  CHECK(session.run("SELECT p, count(*) FROM t WHERE p = 9 GROUP BY p").empty());
}

TEST_CASE("GROUP BY takes columns of the key in their order, and the partition key whole") {
  Session session;
  session.ok("CREATE TABLE t (p int, q int, a int, b int, v int, PRIMARY KEY ((p, q), a, b))");
  CHECK(session.one("SELECT p FROM t GROUP BY v") ==
        "2200: Group by is currently only supported on the columns of the PRIMARY KEY, got v");
  CHECK(session.one("SELECT p FROM t GROUP BY p, q, b") ==
        "2200: Group by currently only support groups of columns following their declared order in the "
        "PRIMARY KEY");
  CHECK(session.one("SELECT p FROM t GROUP BY p") ==
        "2200: Group by is not supported on only a part of the partition key");
  CHECK(session.one("SELECT DISTINCT p, q FROM t GROUP BY p, q, a") ==
        "2200: Grouping on clustering columns is not allowed for SELECT DISTINCT queries");
  CHECK(session.run("SELECT p FROM t WHERE p = 1 AND q = 2 AND a = 3 GROUP BY b").empty());
  Session strict(Mode::strict);
  strict.ok("CREATE TABLE t (p int PRIMARY KEY)");
  CHECK(strict.one("SELECT p FROM t GROUP BY p") == "2200: GROUP BY is not supported");
}

TEST_CASE("fromJson makes a value of any type, and toJson a text of it") {
  Session session;
  session.ok("CREATE TYPE u (a int, b text)");
  session.ok("CREATE TABLE t (p int PRIMARY KEY, l list<int>, m map<text, int>, x frozen<u>, n int)");
  session.ok(
      R"(INSERT INTO t (p, l, m, x) VALUES (1, fromJson('[1, 2]'), fromJson(?), fromJson('{"a": 3}')))",
      {bound(R"({"k": 5})")});
  CHECK(session.one("SELECT l, m, x.a FROM t") == R"([1, 2] | {"k": 5} | 3)");
  session.ok("UPDATE t SET n = fromJson('7') WHERE p = fromJson('1')");
  CHECK(session.one("SELECT toJson(n), toJson(x) FROM t") == R"(7 | {\"a\": 3, \"b\": null})");
  session.ok("UPDATE t SET n = fromJson('null') WHERE p = 1");
  CHECK(session.one("SELECT n FROM t") == "null");
  CHECK(session.one("UPDATE t SET n = fromJson('\"a') WHERE p = 1") ==
        "1400: execution of 'system.fromjson[text]' failed: Could not decode JSON string '\"a': it is none");
  CHECK(session.one("INSERT INTO t (p, l) VALUES (1, toJson('a'))") ==
        "2200: toJson() may only be used within the selection clause of SELECT statements");
  session.refuses({
      {"SELECT toJson(n, x) FROM t", "2200: toJson() accepts one argument, but got 2"},
      {"UPDATE t SET n = fromJson('1', '2') WHERE p = 1", "2200: fromJson() accepts one argument, but got 2"},
      {"UPDATE t SET n = fromJson() WHERE p = 1", "2200: fromJson() accepts one argument, but got 0"},
  });
  CHECK(session.one("SELECT fromJson('1') FROM t") ==
        "2200: fromJson() cannot be used in the selection clause of a SELECT statement");
}

TEST_CASE("ALTER TYPE adds and renames fields, also of values that there are") {
  Session session;
  session.ok("CREATE TYPE u (a int)");
  session.ok("CREATE TYPE outside (inner frozen<u>)");
  session.ok("CREATE TABLE t (p int PRIMARY KEY, x frozen<u>, y u, z frozen<list<frozen<outside>>>)");
  session.ok("INSERT INTO t (p, x, y, z) VALUES (1, {a: 1}, {a: 2}, [{inner: {a: 3}}])");
  session.ok("ALTER TYPE u ADD b text");
  session.ok("ALTER TYPE u RENAME a TO first");
  CHECK(session.one("SELECT x.first, x.b, y.first FROM t") == "1 | null | 2");
  CHECK(session.one("SELECT z FROM t") == R"([{"inner": {"first": 3, "b": null}}])");
  session.ok("UPDATE t SET y.b = 'x' WHERE p = 1");
  CHECK(session.one("SELECT y.b FROM t") == "x");
  CHECK(session.one("ALTER TYPE u ADD b int") ==
        "2200: Cannot add new field b to type ks.u: a field of the same name already exists");
  CHECK(session.one("ALTER TYPE u ADD c frozen<outside>") ==
        "2200: Cannot add new field c of type frozen<outside> to type ks.u as this would create a circular "
        "reference");
  CHECK(session.one("ALTER TYPE u RENAME none TO c") == "2200: Unknown field none in type u");
  CHECK(session.one("ALTER TYPE u ALTER b TYPE blob") == "2200: Altering of types is not allowed");
  CHECK(session.one("ALTER TYPE nix ADD a int") == "2200: No user type named ks.nix exists.");
  Session strict(Mode::strict);
  strict.ok("CREATE TYPE u (a int)");
  CHECK(strict.one("ALTER TYPE u ADD b int") ==
        "2200: Unsupported statement type class org.apache.cassandra.cql3.statements.AlterTypeStatement");
}

// docs/service-keyspaces/dml.md section 7.
TEST_CASE("a batch over several partitions has 50 KB at most, and 5 KB without a warning") {
  Session session;
  session.ok("CREATE TABLE t (p int, c int, v text, s text static, PRIMARY KEY (p, c))");
  session.ok("CREATE TABLE o (p int, c int, v text, PRIMARY KEY (p, c))");
  // Each of 4 bytes of clustering, 1000 of the value, and 16 of the cell.
  const std::string value(1000, 'v');
  const auto inserts = [&](int count, int partitions, const std::string& table = "t") {
    std::string text;
    for (int i = 0; i < count; ++i) {
      text += "INSERT INTO " + table + " (p, c, v) VALUES (" + std::to_string(i % partitions) + ", " +
              std::to_string(i) + ", '" + value + "');";
    }
    return text;
  };
  const auto answer = [&](const std::string& kind, const std::string& statements) {
    const auto outcome = session.execute("BEGIN " + kind + "BATCH " + statements + " APPLY BATCH", {}, {});
    if (!outcome) return Rows{test::text_of(outcome.error())};
    return std::get<statements::Void>(*outcome).warnings;
  };
  const Rows too_large = {"2200: Batch too large"};
  CHECK(answer("", inserts(5, 2)).empty());
  CHECK(answer("", inserts(6, 2)) ==
        Rows{"Batch for [ks.t] is of size 6120, exceeding specified threshold of 5120 by 1000."});
  CHECK(answer("", inserts(50, 2)).size() == 1);
  CHECK(answer("UNLOGGED ", inserts(51, 2)) == too_large);
  CHECK(session.run("SELECT c FROM t WHERE p = 0 AND c = 50").empty());
  // Of one partition any size will do, also over several tables, and with conditions.
  CHECK(answer("", inserts(100, 1)).empty());
  CHECK(answer("", inserts(50, 1) + inserts(50, 1, "o")).empty());
  CHECK(session.one("BEGIN BATCH " + inserts(100, 1) +
                    "UPDATE t SET v = 'x' WHERE p = 0 AND c = 0 IF v = 'y'; "
                    "APPLY BATCH") == "false | 0 | 0 | " + value);
  // Static cells do not count.
  CHECK(answer("", inserts(5, 2) + "UPDATE t SET s = '" + value + "' WHERE p = 9;").empty());
  Session strict(Mode::strict);
  strict.ok("CREATE TABLE t (p int, c int, v text, PRIMARY KEY (p, c))");
  strict.ok("BEGIN BATCH " + inserts(100, 2) + " APPLY BATCH");
}

// docs/service-keyspaces/dml.md section 7.
TEST_CASE("a batch that is not logged warns of more than ten partitions") {
  Session session;
  session.ok("CREATE TABLE t (p int, c int, PRIMARY KEY (p, c))");
  session.ok("CREATE TABLE o (p int PRIMARY KEY)");
  session.ok("CREATE TABLE n (p int PRIMARY KEY, n counter)");
  const auto warnings = [&](const std::string& kind, int partitions, const std::string& before,
                            const std::string& after) {
    std::string text = "BEGIN " + kind + "BATCH ";
    for (int i = 0; i < partitions; ++i) text += before + std::to_string(i) + after;
    const auto outcome = session.execute(text + "APPLY BATCH", {}, {});
    REQUIRE(outcome);
    return std::get<statements::Void>(*outcome).warnings;
  };
  const std::string advice =
      ". You should use a logged batch for atomicity, or asynchronous writes for performance.";
  const std::string insert = "INSERT INTO t (p, c) VALUES (";
  CHECK(warnings("UNLOGGED ", 10, insert, ", 1);").empty());
  CHECK(warnings("UNLOGGED ", 30, insert, ", 1);") ==
        Rows{"Unlogged batch covering 30 partitions detected against table [ks.t]" + advice});
  CHECK(warnings("UNLOGGED ", 11, "INSERT INTO o (p) VALUES (7); DELETE FROM t WHERE p = ", ";") ==
        Rows{"Unlogged batch covering 11 partitions detected against tables [ks.o, ks.t]" + advice});
  CHECK(warnings("COUNTER ", 11, "UPDATE n SET n = n + 1 WHERE p = ", ";") ==
        Rows{"Unlogged batch covering 11 partitions detected against table [ks.n]" + advice});
  CHECK(warnings("", 30, insert, ", 1);").empty());
}

// docs/service-keyspaces/ddl.md section 4.
TEST_CASE("a table remembers columns that were dropped") {
  Session session;
  session.ok("CREATE TYPE u (a int)");
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v int, l list<int>, f frozen<list<int>>, x frozen<u>)");
  session.ok("CREATE TABLE n (p int PRIMARY KEY, n1 counter, n2 counter)");
  session.ok("INSERT INTO t (p, v, l, f) VALUES (1, 2, [3], [4])");
  session.ok("ALTER TABLE t DROP (l, v)");
  session.ok("ALTER TABLE t DROP f USING TIMESTAMP 5000");
  session.ok("ALTER TABLE t DROP x");
  session.ok("ALTER TABLE n DROP n2");
  const std::string dropped =
      "SELECT column_name, type, dropped_time FROM system_schema.dropped_columns WHERE keyspace_name = 'ks' "
      "AND "
      "table_name = ";
  CHECK(session.run(dropped + "'t'") ==
        Rows{"f | frozen<list<int>> | 1970-01-01 00:00:00.005Z", "l | list<int> | 2026-11-21 00:16:51.000Z",
             "v | int | 2026-11-21 00:16:51.000Z", "x | frozen<tuple<int>> | 2026-11-21 00:16:51.000Z"});
  session.refuses({
      {"ALTER TABLE n ADD n2 counter", "2200: Cannot re-add previously dropped counter column n2"},
      {"ALTER TABLE t ADD l list<text>",
       "2200: Cannot add a collection with the name l because a collection with the same name and a "
       "different "
       "type (list<int>) has already been used in the past"},
      {"ALTER TABLE t ADD l set<int>",
       "2200: Cannot add a collection with the name l because a collection with the same name and a "
       "different "
       "type (list<int>) has already been used in the past"},
      {"ALTER TABLE t DROP v USING TIMESTAMP ?", "2000: "},
      {"ALTER TABLE t DROP v USING TTL 5", "2000: "},
  });
  // Cells of the dropped columns are not theirs.
  session.ok("ALTER TABLE t ADD (v text, l list<int>, f list<text>)");
  CHECK(session.one("SELECT p, v, l, f FROM t") == "1 | null | null | null");
  session.ok("UPDATE t SET v = 'a', l = l + [5] WHERE p = 1");
  CHECK(session.one("SELECT v, l FROM t") == "a | [5]");
  session.advance(std::chrono::seconds(1));
  session.ok("ALTER TABLE t DROP v");
  CHECK(session.one(dropped + "'t' AND column_name = 'v'") == "v | text | 2026-11-21 00:16:52.000Z");
  session.ok("ALTER TABLE n DROP n1");
  session.refuses(
      {{"ALTER TABLE n ADD n1 counter", "2200: Cannot re-add previously dropped counter column n1"}});
}

TEST_CASE("COMPACT STORAGE can be dropped once") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, compact int) WITH COMPACT STORAGE");
  session.ok("ALTER TABLE t DROP COMPACT STORAGE");
  CHECK(session.one("ALTER TABLE t DROP COMPACT STORAGE") ==
        "2200: Cannot DROP COMPACT STORAGE on table without COMPACT STORAGE");
  session.ok("ALTER TABLE t DROP compact");
  Session strict(Mode::strict);
  strict.ok("CREATE TABLE t (p int PRIMARY KEY)");
  CHECK(strict.one("ALTER TABLE t DROP COMPACT STORAGE") == "2200: ALTER TABLE DROP is not supported");
}

}  // namespace dinette::cql::lenient_test

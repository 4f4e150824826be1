// What Cassandra 3.11 has and the service does not, and functions of JSON (docs/service-keyspaces/grammar.md
// sections 2, 4 and 6).
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

}  // namespace dinette::cql::lenient_test

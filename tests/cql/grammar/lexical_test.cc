// Words, constants and clauses that the grammar has and has not (docs/service-keyspaces/grammar.md sections 1
// to 5, docs/service-keyspaces/errors.md section 3).
#include <string>
#include <variant>
#include <vector>

#include <catch2/catch.hpp>

#include "cql/grammar/parse.h"

namespace dinette::cql::grammar::lexical_test {

namespace {

std::string refusal_of(const std::string& text) {
  const auto statement = parse(text);
  INFO(text);
  CHECK_FALSE(statement);
  return statement ? "" : statement.error().message;
}

/// Checks that a statement is read.
void reads(const std::string& text) {
  const auto statement = parse(text);
  INFO(text << ": " << (statement ? "" : statement.error().message));
  CHECK(statement);
}

void refuses(const std::string& text) {
  INFO(text);
  CHECK(refusal_of(text).starts_with("line "));
}

Constant constant_of(const std::string& literal) {
  const auto statement = parse("INSERT INTO t (a) VALUES (" + literal + ")");
  INFO(literal);
  REQUIRE(statement);
  return std::get<Constant>(std::get<Insert>(statement->value).values.front().value);
}

}  // namespace

TEST_CASE("reserved words need quotes as names, and all others do not") {
  for (const char* word :
       {"ADD",    "ALLOW",       "ALTER",  "AND",          "APPLY",    "ASC",      "AUTHORIZE",
        "BATCH",  "BEGIN",       "BY",     "COLUMNFAMILY", "CREATE",   "DEFAULT",  "DELETE",
        "DESC",   "DESCRIBE",    "DROP",   "ENTRIES",      "EXECUTE",  "FROM",     "FULL",
        "GRANT",  "IF",          "IN",     "INDEX",        "INFINITY", "INSERT",   "INTO",
        "IS",     "KEYSPACE",    "LIMIT",  "MATERIALIZED", "MBEAN",    "MBEANS",   "MODIFY",
        "NAN",    "NORECURSIVE", "NOT",    "NULL",         "OF",       "ON",       "OR",
        "ORDER",  "PRIMARY",     "RENAME", "REPLACE",      "REVOKE",   "SCHEMA",   "SELECT",
        "SET",    "TABLE",       "TO",     "TOKEN",        "TRUNCATE", "UNLOGGED", "UNSET",
        "UPDATE", "USE",         "USING",  "VIEW",         "WHERE",    "WITH"}) {
    refuses("CREATE TABLE t (" + std::string(word) + " int PRIMARY KEY)");
    reads("CREATE TABLE t (\"" + std::string(word) + "\" int PRIMARY KEY)");
  }
  for (const char* word : {"keys",
                           "as",
                           "clustering",
                           "compact",
                           "storage",
                           "type",
                           "values",
                           "map",
                           "list",
                           "filtering",
                           "permission",
                           "permissions",
                           "keyspaces",
                           "all",
                           "user",
                           "users",
                           "role",
                           "roles",
                           "superuser",
                           "nosuperuser",
                           "login",
                           "nologin",
                           "options",
                           "password",
                           "exists",
                           "custom",
                           "trigger",
                           "contains",
                           "static",
                           "frozen",
                           "tuple",
                           "function",
                           "functions",
                           "aggregate",
                           "sfunc",
                           "stype",
                           "finalfunc",
                           "initcond",
                           "returns",
                           "language",
                           "called",
                           "input",
                           "like",
                           "per",
                           "partition",
                           "group",
                           "ttl",
                           "count",
                           "writetime",
                           "key",
                           "cast",
                           "json",
                           "distinct",
                           "int",
                           "text",
                           "date",
                           "custom_properties",
                           "tags",
                           "autoscaling_settings",
                           "restore",
                           "cdc"}) {
    reads("CREATE TABLE t (" + std::string(word) + " int PRIMARY KEY)");
    reads("SELECT " + std::string(word) + " FROM t WHERE " + word + " = 1 ORDER BY " + word);
    reads("UPDATE t SET " + std::string(word) + " = 1 WHERE " + word + " = 1 IF " + word + " = 2");
  }
  reads("sElEcT a fRoM t wHeRe b = 1 aLlOw FiLtErInG");
  refuses("SELECT \"\" FROM t");
}

TEST_CASE("constants are as long as they like, and have the signs that they may have") {
  CHECK(constant_of("'a\nb'").text == "a\nb");
  CHECK(constant_of("''").text.empty());
  CHECK(constant_of("$$$$").text.empty());
  CHECK(constant_of("$$a'b$c$$").text == "a'b$c");
  CHECK(constant_of(std::string(1'000, '9')).kind == ConstantKind::integer);
  for (const char* text :
       {"1.", "1.5", "-1.5e10", "1E-5", "1e+5", "nan", "NaN", "-NaN", "Infinity", "-INFINITY"})
    CHECK(constant_of(text).kind == ConstantKind::floating);
  CHECK(constant_of("550E8400-e29b-41d4-a716-446655440000").kind == ConstantKind::uuid);
  CHECK(constant_of("0X0aF").kind == ConstantKind::hex);
  for (const char* text : {"1y", "2mo3w", "-4d", "5H6M7S", "8ms9us10ns", "8\xC2\xB5s", "P1Y", "PT5S", "-P3W",
                           "P0001-02-03T04:05:06", "-p0001-02-03t04:05:06"})
    CHECK(constant_of(text).kind == ConstantKind::duration);
  for (const char* wrong : {"+1", ".5", "1.5.5", "0xg", "'a", "$$a", "1yz", "[1,]", "{1,}", "{1:2,}", "()",
                            "1 + 2", "a - 1", "2 * 3", "4 / 2", "5 % 2", "- 1"})
    refuses("INSERT INTO t (a) VALUES (" + std::string(wrong) + ")");
}

TEST_CASE("comments end with their line or their sign, and statements with one semicolon") {
  reads("SELECT a /* one ; * / */ FROM t -- two\n");
  reads("SELECT a FROM t; // three\r\n");
  refuses("SELECT a FROM t /* open");
  refuses("SELECT a FROM t // no end of line");
  refuses("SELECT a FROM t; SELECT a FROM t");
  refuses("  \t\r\n ");
  refuses(";");
  CHECK(refusal_of(" -- c\n") == "line 0:-1 no viable alternative at input '<EOF>'");
}

TEST_CASE("bind markers have a name or none, which folds") {
  const auto statement = parse("SELECT a FROM t WHERE a = :Name AND b = ? AND c IN :\"Quoted\"");
  REQUIRE(statement);
  CHECK(statement->markers == std::vector<std::string>{"name", "", "Quoted"});
  refuses("SELECT a FROM t WHERE a = :");
  refuses("SELECT a FROM t WHERE a = :1");
}

TEST_CASE("messages of the parser have the place, the token and what is around it") {
  CHECK(refusal_of("SELECT a FROM t WHERE a = 1 b")
            .starts_with("line 1:28 mismatched input 'b' expecting EOF ("));
  CHECK(
      refusal_of("UPDATE t SET a = 1").starts_with("line 1:18 mismatched input '<EOF>' expecting K_WHERE ("));
  CHECK(refusal_of("INSERT INTO t (a VALUES (1)")
            .starts_with("line 1:17 mismatched input 'VALUES' expecting ')' ("));
  CHECK(refusal_of("SELECT a\n  FROM t\nWHERE #") == "line 3:6 no viable alternative at character '#'");
  CHECK(refusal_of("SELECT \xC3\xA4 FROM t") == "line 1:7 no viable alternative at character '\xC3\xA4'");
  CHECK(refusal_of("SELECT 'ab\ncd' FROM t ?").starts_with("line 2:11 mismatched input '?'"));
  // Ten tokens before it, of which blanks are some, and two after it (docs/service-keyspaces/errors.md).
  const std::string shown =
      refusal_of("SELECT a, b, c, d, e, f, g, h FROM t WHERE a b = 1 AND c = 2 AND d = 3");
  CHECK(shown == "line 1:45 no viable alternative at input 'b' (...h FROM t WHERE a [b] =...)");
}

TEST_CASE("clauses of definitions have the forms of the grammar") {
  for (const char* text :
       {"CREATE SCHEMA IF NOT EXISTS k WITH REPLICATION = {'class': 'x'} AND DURABLE_WRITES = true AND TAGS "
        "= {'a': 'b'}",
        "ALTER SCHEMA k WITH replication = {'class': 'x'}",
        "ALTER KEYSPACE k ADD TAGS {'a': 'b'}",
        "ALTER KEYSPACE k DROP TAGS {'a': 'b'}",
        "DROP SCHEMA IF EXISTS k",
        "USE k",
        "USE \"K\"",
        "CREATE COLUMNFAMILY IF NOT EXISTS k.t (a int, b text STATIC, PRIMARY KEY ((a), b),)",
        "CREATE TABLE t (a int PRIMARY KEY, b list<frozen<map<text, tuple<int, k.u>>>>) WITH CLUSTERING "
        "ORDER BY (b DESC, c "
        "ASC) AND COMPACT STORAGE AND cdc = true AND TAGS = {} AND AUTOSCALING_SETTINGS = {'a': {'b': 1, "
        "'c': true}}",
        "ALTER TABLE t ADD a int",
        "ALTER COLUMNFAMILY k.t ADD (a int, b text STATIC)",
        "ALTER TABLE t ADD tags int",
        "ALTER TABLE t ADD TAGS {'a': 'b'}",
        "ALTER TABLE t DROP TAGS {'a': 'b'}",
        "ALTER TABLE t DROP tags",
        "ALTER TABLE t WITH comment = 'x' AND cdc = false",
        "ALTER TABLE t DROP (a, b)",
        "ALTER TABLE t RENAME a TO b AND c TO d",
        "ALTER TABLE t ALTER a TYPE int",
        "DROP COLUMNFAMILY IF EXISTS t",
        "RESTORE TABLE a.b FROM TABLE c.d WITH restore_timestamp = '2026-01-01' AND custom_properties = {} "
        "AND TAGS = {}",
        "CREATE TYPE IF NOT EXISTS k.u (a int, b frozen<v>)",
        "DROP TYPE IF EXISTS k.u",
        "ALTER TYPE u ADD a int",
        "ALTER TYPE u RENAME a TO b AND c TO d",
        "TRUNCATE t",
        "TRUNCATE TABLE k.t",
        "TRUNCATE COLUMNFAMILY t"})
    reads(text);
  for (const char* text : {"CREATE KEYSPACE k",
                           "CREATE KEYSPACE k WITH",
                           "CREATE KEYSPACE k WITH CLUSTERING ORDER BY (a ASC)",
                           "CREATE TABLE t ()",
                           "CREATE TABLE t (a int PRIMARY KEY) WITH CLUSTERING ORDER BY (a)",
                           "CREATE TABLE t (a)",
                           "CREATE TABLE t (a list<int> FROZEN PRIMARY KEY)",
                           "CREATE TABLE t (a int) WITH x",
                           "CREATE TABLE t (a int) WITH x = [1]",
                           "CREATE TABLE t (a int) WITH x = null",
                           "CREATE TABLE t (a int) WITH x = ?",
                           "ALTER TABLE t",
                           "ALTER TABLE t WITH",
                           "ALTER TABLE t ADD a int DROP b",
                           "ALTER TABLE t ADD TAGS",
                           "DROP TABLE",
                           "RESTORE t FROM u",
                           "CREATE TYPE u ()",
                           "USE",
                           "CREATE",
                           "DROP",
                           "ALTER",
                           "LOAD x"})
    refuses(text);
}

TEST_CASE("clauses of statements on rows have the forms of the grammar") {
  for (const char* text :
       {"SELECT JSON DISTINCT a, b AS c FROM k.t",
        "SELECT * FROM t WHERE a IN () AND (b, c) IN ((1, 2), (3, ?)) AND (d, e) IN ? AND "
        "(f, g) IN (?, :x) AND (h, i) IN () AND (j, k) = (now(), (int) 5) AND (l, m) < :y",
        "SELECT a.b.c, (int) 5, k.f(a, 1, g()), cast(a AS text) FROM t",
        "SELECT COUNT(*), COUNT(1), count(a) FROM t",
        "SELECT a FROM t WHERE a LIKE 'x' AND b IS NOT NULL AND c[1] > 2 AND ((d = 1)) AND token(a, b) >= "
        "token(1, 2)",
        "SELECT a FROM t WHERE a != 1 AND b CONTAINS 1 AND c CONTAINS KEY ?",
        "SELECT a FROM t GROUP BY a, b ORDER BY c ASC, d PER PARTITION LIMIT ? LIMIT 5 ALLOW FILTERING",
        "INSERT INTO t (a) VALUES (1) IF NOT EXISTS USING TTL 5 AND TIMESTAMP ?",
        "INSERT INTO t JSON '{}' DEFAULT UNSET IF NOT EXISTS USING TTL 5",
        "INSERT INTO t JSON :a DEFAULT NULL",
        "UPDATE t USING TIMESTAMP 1 AND TTL 2 SET a += 1, b -= {2}, c[1] = 2, d.e = 3 WHERE f = 1 IF EXISTS",
        "UPDATE t SET a = a + 1, b = b -1, c = [1] + c WHERE d IN (1) IF a[1] > 2 AND b.c IN (?, 1) AND d IN "
        "? AND e != 1",
        "UPDATE t SET exists = 1 WHERE a = 1 IF exists = 2",
        "DELETE FROM t USING TIMESTAMP ? WHERE a > 1 IF EXISTS",
        "DELETE a, b[1], c.d FROM t WHERE e = 1 IF f = 1",
        "BEGIN BATCH INSERT INTO t (a) VALUES (1) UPDATE t SET a = 1 WHERE b = 1; DELETE FROM t WHERE a = 1; "
        "APPLY BATCH;",
        "BEGIN UNLOGGED BATCH USING TIMESTAMP 5 APPLY BATCH", "BEGIN COUNTER BATCH APPLY BATCH"})
    reads(text);
  for (const char* text : {"SELECT FROM t",
                           "SELECT a t",
                           "SELECT a FROM t ORDER BY (c)",
                           "SELECT a FROM t LIMIT 'x'",
                           "SELECT a FROM t LIMIT 1.5",
                           "SELECT a FROM t ALLOW",
                           "SELECT a FROM t WHERE",
                           "SELECT a FROM t WHERE a",
                           "SELECT a FROM t WHERE a IN 5",
                           "SELECT a FROM t WHERE a == 1",
                           "SELECT a FROM t WHERE (a, b) CONTAINS 1",
                           "SELECT a FROM t WHERE (a, b) > 5",
                           "SELECT a FROM t WHERE (a, b) = (tuple<int, int>) (1, 2)",
                           "SELECT a FROM t WHERE (a, b) IN ((1, 2), ?)",
                           "SELECT a FROM t WHERE (a, b) IN (?, (1, 2))",
                           "SELECT a FROM t WHERE (a, b) IN (1, 2)",
                           "SELECT a, FROM t",
                           "SELECT a FROM t WHERE token() > 1",
                           "INSERT INTO t () VALUES ()",
                           "INSERT INTO t (a) VALUES ()",
                           "INSERT INTO t (a) VALUES (1) USING TIMESTAMP '2022-11-03'",
                           "INSERT INTO t (a) VALUES (1) IF EXISTS",
                           "INSERT INTO t JSON {}",
                           "UPDATE t (a) VALUES (1) USING TIMESTAMP 5",
                           "UPDATE t SET WHERE a = 1",
                           "UPDATE t SET a = 1 WHERE b = 1 USING TTL 5",
                           "DELETE FROM t",
                           "DELETE FROM t USING TTL 5 WHERE a = 1",
                           "DELETE FROM t USING TIMESTAMP 1 AND TTL 2 WHERE a = 1",
                           "BEGIN BATCH SELECT a FROM t APPLY BATCH",
                           "BEGIN BATCH INSERT INTO t (a) VALUES (1)",
                           "BEGIN OTHER BATCH APPLY BATCH",
                           "APPLY BATCH"})
    refuses(text);
  CHECK(refusal_of("UPDATE t SET a = b + 1 WHERE c = 1")
            .ends_with("Only expressions of the form X = X + <value> are supported."));
  CHECK(refusal_of("UPDATE t SET a = b -1 WHERE c = 1")
            .ends_with("Only expressions of the form X = X -<value> are supported."));
  CHECK(refusal_of("UPDATE t SET a = a + 1, a = 2 WHERE c = 1")
            .ends_with("Multiple incompatible setting of column a"));
  CHECK(refusal_of("UPDATE t SET a.b = 1, a.b = 2 WHERE c = 1")
            .ends_with("Multiple incompatible setting of column a"));
  reads("UPDATE t SET a[1] = 1, a[2] = 2, b.c = 1, b.d = 2 WHERE e = 1");
}

}  // namespace dinette::cql::grammar::lexical_test

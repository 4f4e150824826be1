#include "cql/grammar/parse.h"

#include <string>
#include <variant>

#include <catch2/catch.hpp>

namespace dinette::cql::grammar::parse_test {

Statement parsed(std::string_view text) {
  const auto statement = parse(text);
  INFO(text << ": " << (statement ? "" : statement.error().message));
  REQUIRE(statement);
  return *statement;
}

std::string refusal(std::string_view text) {
  const auto statement = parse(text);
  INFO(text);
  REQUIRE_FALSE(statement);
  CHECK(statement.error().code == ErrorCode::syntax_error);
  return statement.error().message;
}

Term value_of(const std::string& literal) {
  return std::get<Insert>(parsed("INSERT INTO t (a) VALUES (" + literal + ")").value).values.front();
}

// docs/service-keyspaces/grammar.md section 1.
TEST_CASE("names fold to lower case unless they are quoted") {
  const auto select = std::get<Select>(parsed("SELECT Abc, \"A\"\"b\" FROM Ks.\"T\"").value);
  CHECK(to_text(select.selections[0].selector) == "abc");
  CHECK(to_text(select.selections[1].selector) == "A\"b");
  CHECK(select.table.keyspace == "ks");
  CHECK(select.table.name == "T");
}

TEST_CASE("constants have their kinds") {
  const auto kind = [](const std::string& literal) {
    return std::get<Constant>(value_of(literal).value).kind;
  };
  CHECK(kind("'it''s'") == ConstantKind::string);
  CHECK(std::get<Constant>(value_of("$$it's$$").value).text == "it's");
  CHECK(kind("-12") == ConstantKind::integer);
  CHECK(kind("1.") == ConstantKind::floating);
  CHECK(kind("-1e5") == ConstantKind::floating);
  CHECK(kind("-Infinity") == ConstantKind::floating);
  CHECK(kind("NaN") == ConstantKind::floating);
  CHECK(kind("TRUE") == ConstantKind::boolean);
  CHECK(kind("550e8400-e29b-41d4-a716-446655440000") == ConstantKind::uuid);
  CHECK(kind("0x") == ConstantKind::hex);
  CHECK(kind("1y2mo3d4h5m6s7ms8us9ns") == ConstantKind::duration);
  CHECK(kind("P1Y2M3DT4H5M6S") == ConstantKind::duration);
  CHECK(std::holds_alternative<Null>(value_of("NULL").value));
}

TEST_CASE("comments and blanks are skipped, and one semicolon may end a statement") {
  parsed("SELECT a -- one\n, b // two\n FROM /* three\n */ t;");
  CHECK_FALSE(parse("SELECT a FROM t;;"));
  CHECK_FALSE(parse("SELECT a FROM t -- no end of line"));
  CHECK(refusal("") == "line 0:-1 no viable alternative at input '<EOF>'");
}

TEST_CASE("reserved words are no names") {
  CHECK_FALSE(parse("SELECT select FROM t"));
  parsed("SELECT key, type, ttl, count, json, distinct, \"select\" FROM t");
  parsed("SELECT json FROM t");
  parsed("SELECT distinct FROM t");
}

// docs/service-keyspaces/errors.md section 3.
TEST_CASE("syntax errors name line and column") {
  CHECK(refusal("foo bar baz") == "line 1:0 no viable alternative at input 'foo' ([foo] bar...)");
  CHECK(refusal("SELECT a\nFROM t WHERE ?").starts_with("line 2:13 no viable alternative at input '?'"));
  CHECK(refusal("SELECT a FROM t WHERE a = 'x").starts_with("line 1:28 no viable alternative at character"));
}

// docs/service-keyspaces/grammar.md section 4.
TEST_CASE("each clause of a SELECT is read") {
  const auto select = std::get<Select>(parsed("SELECT DISTINCT a AS x, count(*), writetime(b), cast(c AS "
                                              "text), u.f, now() FROM t WHERE a = 1 AND b IN "
                                              "(1, ?) AND (c, d) > (1, 2) AND token(a) < 5 AND m['k'] = 1 "
                                              "AND s CONTAINS KEY 2 GROUP BY a ORDER BY c "
                                              "DESC PER PARTITION LIMIT 3 LIMIT :n ALLOW FILTERING")
                                           .value);
  CHECK(select.distinct);
  CHECK(select.selections.size() == 6);
  CHECK(select.where.size() == 6);
  CHECK(to_text(select.where[2]) == "(c, d) > (1, 2)");
  CHECK(select.group_by.size() == 1);
  CHECK(select.order_by.front().descending);
  CHECK(select.limit);
  CHECK(select.allow_filtering);
}

TEST_CASE("assignments of an UPDATE have their forms") {
  const auto update = std::get<Update>(parsed("UPDATE t USING TTL 5 AND TIMESTAMP 6 SET a = 1, b = b + 1, c "
                                              "= c - 1, d = d -1, e = [1] + e, f['k'] = 2, "
                                              "g.h = 3, i += {1} WHERE p = 1 IF a = 1 AND f['k'] IN (1, 2)")
                                           .value);
  using Kind = Assignment::Kind;
  const std::vector<Kind> kinds = {Kind::set,     Kind::add, Kind::subtract, Kind::add,
                                   Kind::prepend, Kind::set, Kind::set,      Kind::add};
  REQUIRE(update.assignments.size() == kinds.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) CHECK(update.assignments[i].kind == kinds[i]);
  CHECK(update.conditions.all.size() == 2);
  CHECK_THAT(refusal("UPDATE t SET a = b - 1 WHERE p = 1"),
             Catch::Contains("Only expressions of the form X = X - <value> are supported."));
  CHECK_THAT(refusal("UPDATE t SET a = [1] + b WHERE p = 1"),
             Catch::Contains("Only expressions of the form X = <value> + X are supported."));
  CHECK_THAT(refusal("UPDATE t SET a = 1, a = 2 WHERE p = 1"),
             Catch::Contains("Multiple incompatible setting of column a"));
  CHECK_FALSE(parse("DELETE FROM t USING TTL 5 WHERE p = 1"));
}

TEST_CASE("a batch may be empty") {
  CHECK(std::get<Batch>(parsed("BEGIN BATCH APPLY BATCH").value).statements.empty());
  const auto batch = std::get<Batch>(
      parsed("BEGIN UNLOGGED BATCH USING TIMESTAMP 1 INSERT INTO t (a) VALUES (1); DELETE FROM t WHERE "
             "a = 1 APPLY BATCH;")
          .value);
  CHECK(batch.type == Batch::Type::unlogged);
  CHECK(batch.statements.size() == 2);
}

// docs/service-keyspaces/grammar.md section 5.
TEST_CASE("literals nest, up to a depth") {
  CHECK(to_text(value_of("{'a': [1, {2}], 'b': (1, 'x')}")) == "{'a': [1, {2}], 'b': (1, 'x')}");
  CHECK(to_text(value_of("{f: 1, g: null}")) == "{f: 1, g: NULL}");
  CHECK(std::holds_alternative<TypeHint>(value_of("(frozen<list<int>>) ?").value));
  CHECK(std::holds_alternative<TupleLiteral>(value_of("(now(), 1)").value));
  CHECK_FALSE(parse("INSERT INTO t (a) VALUES (" + std::string(100'000, '[') + ")"));
  CHECK_FALSE(parse("CREATE TABLE t (a " + [] {
    std::string deep;
    for (int i = 0; i < 1'000; ++i) deep += "list<";
    return deep;
  }() + "int)"));
}

TEST_CASE("bind markers are numbered in the order of their places") {
  const Statement statement = parsed("UPDATE t USING TTL ? SET a = :b WHERE p = ? IF c = :d");
  CHECK(statement.markers == std::vector<std::string>{"", "b", "", "d"});
}

// docs/service-keyspaces/grammar.md sections 2 and 3.
TEST_CASE("definitions are read") {
  const auto create =
      std::get<CreateTable>(parsed("CREATE TABLE IF NOT EXISTS k.t (a int, b frozen<map<text, int>> STATIC, "
                                   "c 'Custom', PRIMARY KEY ((a, b), "
                                   "c),) WITH CLUSTERING ORDER BY (c DESC) AND comment = 'x' AND "
                                   "CUSTOM_PROPERTIES = {'ttl': {'status': "
                                   "'enabled'}}")
                                .value);
  CHECK(create.if_not_exists);
  CHECK(create.columns.size() == 3);
  CHECK(create.primary_keys.front().partition.size() == 2);
  CHECK(create.with.clustering_order.front().descending);
  CHECK(create.with.properties.back().second.entries.front().second.is_map);
  CHECK(std::get<Unsupported>(parsed("CREATE INDEX i ON t (a)").value).statement_class ==
        "CreateIndexStatement");
  CHECK(refusal("CREATE KEYSPACE k WITH a = 1 AND a = 2") == "Multiple definition for property 'a'");
  parsed("ALTER TABLE t ADD TAGS {'a': 'b'}");
  parsed("RESTORE TABLE k.n FROM TABLE k.o WITH restore_timestamp = '2026-01-01T00:00:00Z'");
}

}  // namespace dinette::cql::grammar::parse_test

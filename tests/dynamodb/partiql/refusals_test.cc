#include <catch2/catch.hpp>

#include "statements.h"

// Statements that parse and are refused (docs/service/partiql.md sections 1 and 2).
namespace test::partiql::refusals_test {

TEST_CASE("what parses and is refused") {
  DynamoDb db;
  db.create_table(the_table);
  check_refused_statements(
      db, {{R"(INSERT INTO "Tab"."ix" VALUE {'pk': 'a'})",
            "FROM clause may only contain a single table name in data manipulation statements at 1:13:5"},
           {"x IS INT4", "Unsupported operation: IsType"},
           {"x IS INT8", "Unsupported operation: IsType"},
           {"x IS DOUBLE PRECISION", "Unsupported operation: IsType"},
           {"x IS CHARACTER VARYING", "Unsupported operation: IsType"},
           {"SELECT attribute_exists(ss) FROM Tab", "Unexpected path component at 1:8:16"},
           {"SELECT a, EXISTS(b) FROM Tab", "Unexpected path component at 1:11:6"},
           {"SELECT COUNT(*) FROM none", "Unexpected path component at 1:8:5"},
           {"SELECT\n  sum(a) FROM none", "Unexpected path component at 2:3:3"},
           {"SELECT * FROM Tab WHERE Foo(a)", "Unrecognized function: foo at 1:25:3"},
           {"SELECT * FROM Tab WHERE EXISTS(a)", "Unrecognized function: exists at 1:25:6"},
           {"SELECT * FROM Tab WHERE set_add(a, 1)", "Unrecognized function: set_add at 1:25:7"},
           {"SELECT * FROM Tab WHERE n = 5 + 5", "Unsupported operator in Condition Expression. Operator: +"},
           {"SELECT * FROM Tab WHERE n = 5 - 5", "Unsupported operator in Condition Expression. Operator: -"},
           {"SELECT * FROM Tab WHERE n > -n",
            "Incorrect number of operands for operator or function; operator or function: -, number of "
            "operands: 1"},
           {"SELECT * FROM Tab LIMIT 5", "Unsupported clause: LIMIT at 1:25:1"},
           {"EXISTS(SELECT * FROM Tab WHERE pk = 'a')",
            "EXISTS can only be used in ExecuteTransaction write requests."},
           {"SELECT * FROM my-tab WHERE pk = 'a'", "Unexpected from source"},
           {"SELECT * FROM my-table WHERE pk = 'a'", "Unexpected from source"}});
}

TEST_CASE("a minus before a parameter is refused") {
  DynamoDb db;
  CHECK(execute(db, "SELECT * FROM Tab WHERE n > -?", parameters(R"({"N": "1"})")).error() ==
        "ValidationException");
}

TEST_CASE("what no statement may have is refused, whatever the words") {
  DynamoDb db;
  db.create_table(the_table);
  for (const std::string text : {"SELECT * FROM Tab GROUP BY a",
                                 "SELECT * FROM Tab HAVING a = 1",
                                 "SELECT DISTINCT a FROM Tab",
                                 "SELECT * FROM Tab LET a AS b",
                                 "SELECT a AS b FROM Tab",
                                 "SELECT a b FROM Tab",
                                 "SELECT * FROM Tab, Tab",
                                 "SELECT * FROM Tab JOIN Tab ON a = b",
                                 "SELECT * FROM Tab CROSS JOIN Tab",
                                 "SELECT * FROM (SELECT * FROM Tab)",
                                 "SELECT * FROM Tab WHERE a IN (SELECT a FROM Tab)",
                                 "SELECT * FROM Tab UNION SELECT * FROM Tab",
                                 "SELECT * FROM Tab WHERE a LIKE 'x'",
                                 "SELECT * FROM Tab WHERE a NOT LIKE 'x' ESCAPE 'y'",
                                 "SELECT * FROM Tab WHERE CASE WHEN a = 1 THEN b END",
                                 "SELECT * FROM Tab WHERE CAST(a AS string) = 'a'",
                                 "SELECT * FROM Tab WHERE a * 2 = 4",
                                 "SELECT * FROM Tab WHERE a / 2 = 4",
                                 "SELECT * FROM Tab WHERE a % 2 = 4",
                                 "SELECT * FROM Tab WHERE a || 'x' = 'y'",
                                 "CREATE TABLE t",
                                 "DROP TABLE t",
                                 "EXEC f 1",
                                 "SELECT 1 FROM Tab",
                                 "SELECT ? FROM Tab",
                                 "SELECT * FROM Tab OFFSET 1",
                                 "SELECT VALUE a FROM Tab",
                                 "SELECT * FROM Tab WHERE a",
                                 "SELECT * FROM Tab WHERE true",
                                 "SELECT a.* FROM Tab",
                                 "SELECT a[*] FROM Tab",
                                 "SELECT a[b] FROM Tab",
                                 "SELECT * FROM Tab WHERE a = MISSING",
                                 "INSERT INTO Tab VALUE {'pk': 'a'} ON CONFLICT WHERE a = 1 DO NOTHING",
                                 "INSERT INTO Tab << {'pk': 'a'} >>",
                                 "INSERT INTO Tab VALUE {pk: 'a'}",
                                 "INSERT INTO Tab VALUE {'pk': 'a'} RETURNING ALL OLD *",
                                 "UPDATE Tab SET a = 1 WHERE pk = 'a' RETURNING ALL OLD *, ALL NEW *",
                                 "UPDATE Tab SET a = 1 WHERE pk = 'a' RETURNING ALL OLD a",
                                 "UPDATE Tab SET a = b = 1 WHERE pk = 'a'",
                                 "UPDATE Tab SET a = if_not_exists(a, 1) WHERE pk = 'a'",
                                 "FROM Tab WHERE pk = 'a' INSERT INTO Tab VALUE {}",
                                 "SELECT * FROM Tab WHERE a = (DELETE FROM Tab)"}) {
    const Reply reply = execute(db, text);
    INFO(text << " -> " << reply.body);
    CHECK(reply.error() == "ValidationException");
    CHECK_FALSE(reply.message().empty());
  }
}

TEST_CASE("the path of a table has one or two parts, none of them empty") {
  DynamoDb db;
  check_refused_statements(
      db, {{R"(SELECT * FROM "")", "Path component cannot be an empty string"},
           {R"(SELECT * FROM "T"."")", "Path component cannot be an empty string"},
           {R"(DELETE FROM "" WHERE pk = 'a')", "Path component cannot be an empty string"},
           {R"(SELECT * FROM "T"."a"."b")", "A path may contain at most 2 components in the FROM clause"},
           {R"(UPDATE T.a.b SET c = 1)", "A path may contain at most 2 components in the FROM clause"}});
}

TEST_CASE("of several faults the first in the order of checks is named") {
  DynamoDb db;
  const std::string cannot = "The parameter cannot be converted to a numeric value: x";
  const std::string bad_parameter = parameters(R"({"N": "x"})");
  check_refused_statement(db, "SELECT", cannot, bad_parameter);
  check_refused_statement(
      db, R"(SELECT * FROM "" WHERE n = 1e126)",
      "Number overflow. Attempting to store a number with magnitude larger than supported range "
      "under root");
  check_refused_statement(db, R"(SELECT * FROM "" WHERE n < true)",
                          "Path component cannot be an empty string");
  check_refused_statement(
      db, "SELECT * FROM none WHERE n < true",
      "Incorrect operand type for operator or function; operator or function: <, operand type: BOOL");
  check_refused_statement(db, "UPDATE none.ix SET a = 1", "This operation is not supported on an index");
  check_refused_statement(db, "DELETE FROM none.ix", "This operation is not supported on an index");
  check_refused_statement(db, "DELETE FROM none RETURNING MODIFIED OLD *",
                          "Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is "
                          "allowed in DELETE statements.");
  check_refused_statement(
      db, "UPDATE none SET a = 1 + 'x'",
      "Incorrect operand type for operator or function; operator or function: +, operand type: S");
  for (const std::string text :
       {"SELECT * FROM none", "SELECT * FROM none.ix", "INSERT INTO none VALUE {'a': 1}",
        "UPDATE none SET a = 1", "DELETE FROM none", "SELECT * FROM none ORDER BY a"}) {
    const Reply reply = execute(db, text, R"("ConsistentRead": true)");
    INFO(text);
    CHECK(reply.error() == "ResourceNotFoundException");
    CHECK(reply.message() == "Requested resource not found");
  }
}

}  // namespace test::partiql::refusals_test

#include <catch2/catch.hpp>

#include "statements.h"

// docs/service/partiql.md section 3, "Comparisons" and "WHERE functions".
namespace test::partiql::conditions_test {
namespace {

struct Stored {
  DynamoDb db;

  Stored() {
    db.create_table(the_table);
    store_item(db, R"("n": {"N": "5"}, "s": {"S": "text"}, "t": {"BOOL": true}, "f": {"BOOL": false},
                      "nil": {"NULL": true}, "b": {"B": "gA=="}, "l": {"L": [{"N": "1"}, {"S": "x"}]},
                      "m": {"M": {"a": {"N": "1"}, "b": {"S": "y"}}}, "ss": {"SS": ["a", "b"]}, "ns": {"NS": ["1", "2"]},
                      "bs": {"BS": ["AQ=="]})");
  }
  bool holds(const std::string& condition, const std::string& members = "") {
    INFO(condition);
    const std::size_t count = selected(db, "SELECT * FROM Tab WHERE " + condition, members).size();
    CHECK(selected(db, "SELECT * FROM Tab WHERE NOT (" + condition + ")", members).size() == 1 - count);
    return count == 1;
  }
  void check_refused(const std::string& condition, const std::string& message,
                     const std::string& members = "") {
    check_refused_statement(db, "SELECT * FROM Tab WHERE " + condition, message, members);
    check_refused_statement(db, "SELECT * FROM none WHERE NOT " + condition, message, members);
  }
};

}  // namespace

TEST_CASE("equality of values of every type") {
  Stored at;
  for (const std::string equal :
       {"n = 5", "n = 5.0", "s = 'text'", "t = true", "nil = NULL", "l = [1, 'x']", "m = {'b': 'y', 'a': 1}",
        "ss = <<'b', 'a'>>", "ns = <<2, 1>>", "n IN [1, 5]", "n = n"}) {
    CHECK(at.holds(equal));
  }
  for (const std::string different :
       {"n = '5'", "s = 'Text'", "t = 'true'", "l = ['x', 1]", "ss = <<'a'>>", "ss = ['a', 'b']", "n = s",
        "n IN ['5']", "none = 1", "n <> 5", "ss <> <<'b', 'a'>>"}) {
    CHECK_FALSE(at.holds(different));
  }
  CHECK(at.holds("none <> 1"));
  CHECK(at.holds("NOT none = 1"));
}

TEST_CASE("numbers, strings and binaries are ordered, and values of different types are not") {
  Stored at;
  CHECK(at.holds("n > 4 AND n >= 5 AND n < 6 AND n <= 5 AND n BETWEEN 5 AND 6"));
  CHECK(at.holds("n NOT BETWEEN 6 AND 7"));
  CHECK(at.holds("s > 'tex' AND s < 'u'"));
  CHECK_FALSE(at.holds("n > 'a'"));
  CHECK_FALSE(at.holds("s > 1"));
  CHECK(at.holds("b > ?", parameters(R"({"B": "fw=="})")));
  CHECK_FALSE(at.holds("none < 5"));
}

TEST_CASE("operators of order want text, numbers or binaries") {
  Stored at;
  const std::string front = "Incorrect operand type for operator or function; operator or function: ";
  for (const auto& [operand, type] :
       std::initializer_list<std::pair<std::string, std::string>>{{"true", "BOOL"},
                                                                  {"NULL", "NULL"},
                                                                  {"[1]", "L"},
                                                                  {"{'a': 1}", "M"},
                                                                  {"<<'a'>>", "SS"},
                                                                  {"<<1>>", "NS"}}) {
    for (const std::string op : {"<", "<=", ">", ">="})
      at.check_refused("n " + op + " " + operand, front + op + ", operand type: " + type);
    at.check_refused("n BETWEEN 1 AND " + operand, front + "BETWEEN, operand type: " + type);
  }
  at.check_refused("n > ?", front + ">, operand type: BS", parameters(R"({"BS": ["AQ=="]})"));
  at.check_refused("attribute_exists(n) > false", front + ">, operand type: BOOL");
  at.check_refused("begins_with(s, 1)", front + "begins_with, operand type: N");
}

TEST_CASE("conditions are compared as booleans") {
  Stored at;
  for (const std::string condition :
       {"attribute_exists(n) = true", "true = attribute_exists(n)", "(n BETWEEN 0 AND 5) = true",
        "(n = 1 OR s = 'x') = false", "attribute_exists(n) = attribute_exists(s)",
        "attribute_exists(n) IN [true, false]", "attribute_exists(n) = t", "attribute_exists(n) <> f",
        "attribute_exists(n) <> 'true'", "NOT attribute_exists(none) = true",
        "(attribute_exists(none) = true) = false", "n = 5 = true"}) {
    CHECK(at.holds(condition));
  }
  CHECK_FALSE(at.holds("attribute_exists(n) = 'true'"));
  CHECK_FALSE(at.holds("(attribute_exists(n) = true) = false"));
  CHECK_FALSE(at.holds("attribute_exists(none) IN [true]"));
}

TEST_CASE("functions of WHERE have any case, and are false for values of other types") {
  Stored at;
  for (const std::string condition :
       {"attribute_exists(m.a)", "attribute_not_exists(m.c)", "ATTRIBUTE_EXISTS(n)", "begins_with(s, 'te')",
        "contains(s, 'ex')", "contains(ss, 'a')", "contains(l, 'x')", "size(s) = 4", "size(l) > 1",
        "Size(ss) = 2", "attribute_type(ss, 'SS')", "NOT attribute_type(ss, 'S')", "size('abc') = 3"}) {
    CHECK(at.holds(condition));
  }
  CHECK_FALSE(at.holds("begins_with(n, 't')"));
  CHECK_FALSE(at.holds("attribute_type(none, 'S')"));
}

TEST_CASE("IS asks for a type, NULL or MISSING") {
  Stored at;
  for (const std::string condition :
       {"nil IS NULL", "n IS NOT NULL", "none IS NOT NULL", "none IS MISSING", "n IS NOT MISSING",
        "t IS BOOL", "t IS BOOLEAN", "s IS STRING", "n IS INT", "n IS DECIMAL", "l IS LIST", "m IS STRUCT",
        "b IS BLOB", "m.a IS numeric", "nil is not missing", "n IS NOT STRING"}) {
    CHECK(at.holds(condition));
  }
  for (const std::string condition :
       {"none IS NULL", "n IS NULL", "nil IS MISSING", "n IS STRING", "none IS STRING"})
    CHECK_FALSE(at.holds(condition));
}

TEST_CASE("misused functions of WHERE are refused, and the function is named") {
  Stored at;
  for (const std::string function : {"attribute_exists", "attribute_not_exists"}) {
    at.check_refused(function + "('a')",
                     "Operator or function requires a document path; operator or function: " + function);
    at.check_refused(function + "(a, b)",
                     "Incorrect number of operands for operator or function; operator or function: " +
                         function + ", number of operands: 2");
    at.check_refused(function + "()",
                     "Incorrect number of operands for operator or function; operator or function: " +
                         function + ", number of operands: 0");
  }
  at.check_refused(
      "begins_with(s)",
      "Incorrect number of operands for operator or function; operator or function: begins_with, number of "
      "operands: 1");
  at.check_refused("attribute_type(s, 5)",
                   "Incorrect operand type for operator or function; operator or function: attribute_type, "
                   "operand type: N");
  at.check_refused("attribute_type(s, 'X')",
                   "Invalid attribute type name found; type: X, valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}");
  at.check_refused(
      "attribute_type(s, ?)",
      "Invalid attribute type name found; type: string, valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}",
      parameters(R"({"S": "string"})"));
}

TEST_CASE("a condition may be a chain of 600 ANDs or ORs") {
  Stored at;
  std::string any = "n = 0";
  std::string all = "n <> 0";
  for (int i = 1; i < 600; ++i) any += " OR n = 0";
  for (int i = 1; i < 600; ++i) all += " AND n <> 0";
  CHECK(at.holds(all));
  CHECK_FALSE(at.holds(any));
  CHECK(at.holds(any + " OR n = 5"));
}

}  // namespace test::partiql::conditions_test

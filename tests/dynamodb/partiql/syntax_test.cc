#include <sstream>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "statements.h"

// docs/service/partiql.md section 1.
namespace test::partiql::syntax_test {
namespace {

void check_ill_formed(DynamoDb& db, std::initializer_list<RefusedStatement> refusals) {
  for (const RefusedStatement& refusal : refusals)
    check_refused_statement(db, refusal.text, ill_formed(refusal.message));
}

constexpr std::string_view keywords =
    "absolute action add all allocate alter and any are as asc assertion at authorization avg "
    "bag begin between bigint bit bit_length blob bool boolean by can_cast can_lossless_cast "
    "cascade cascaded case cast catalog char char_length character character_length check clob "
    "close coalesce collate collation column commit conflict connect connection constraint "
    "constraints continue convert corresponding count create cross current current_date "
    "current_time current_timestamp current_user cursor date date_add date_diff deallocate dec "
    "decimal declare default deferrable deferred delete desc describe descriptor diagnostics "
    "disconnect distinct do domain double drop else end escape except exception exec execute "
    "exists external extract false fetch first float for foreign found from full get global go "
    "goto grant group having identity immediate in index indicator initially inner input "
    "insensitive insert int int2 int4 int8 integer integer2 integer4 integer8 intersect interval "
    "into is isolation join key language last left let level like limit list local lower match "
    "max min missing modified module names national natural nchar new next no not nothing null "
    "nullif numeric octet_length of offset old on only open option or order outer output "
    "overlaps pad partial pivot position precision prepare preserve primary prior privileges "
    "procedure public read real references relative remove restrict returning revoke right "
    "rollback rows schema scroll section select session session_user set sexp size smallint some "
    "space sql sqlcode sqlerror sqlstate string struct substring sum symbol system_user table "
    "temporary then time timestamp to transaction translate translation trim true tuple union "
    "unique unknown unpivot update upper usage user using value values varchar varying view when "
    "whenever where with work write zone";

/// Calls `visit` with each word of `text`.
template <class Visit>
void for_each_word(std::string_view text, Visit visit) {
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) visit(word);
}

}  // namespace

TEST_CASE("what is not a token makes a statement ill-formed, and nothing more is said") {
  DynamoDb db;
  for (const std::string text :
       {"SELECT * FROM \"Tab\" # pk", "SELECT * FROM \"Tab\" /* pk", "SELECT * FROM \"Tab\" WHERE pk = 'a",
        "SELECT * FROM \"Tab", "SELECT ~ FROM \"Tab\"", "SELECT & FROM \"Tab\"", "SELECT a\\b FROM \"Tab\"",
        "SELECT ! FROM \"Tab\"", "SELECT | FROM \"Tab\"", "SELECT ^ FROM \"Tab\"", "SELECT é FROM \"Tab\"",
        "SELECT `a` FROM \"Tab\"", "SELECT * FROM \"Tab\" WHERE n = 1e",
        "SELECT * FROM \"Tab\" WHERE n = 1e+", "SELECT * FROM \"Tab\" WHERE n = 1e2147483648",
        "SELECT * FROM \"Tab\" WHERE n = 1e99999999999", "SELECT * FROM \"Tab\" WHERE n = 1.5e-2147483647",
        "DELETE FROM WHERE #"})
    check_refused_statement(db, text, ill_formed(""));
}

TEST_CASE("a fault of a token anywhere wins over the grammar") {
  DynamoDb db;
  check_refused_statement(db, "SELECT FROM WHERE 'a", ill_formed(""));
}

TEST_CASE("comments and white space are anywhere but inside quotes") {
  DynamoDb db;
  db.create_table(the_table);
  put_items(db, {R"({"pk": {"S": "--a/*b*/"}})"});
  for (const std::string text :
       {"SELECT * FROM Tab", "-- first\nSELECT * FROM Tab", "SELECT/**/*/* * */FROM/***/Tab -- last",
        "\t\v\f\r\nSELECT\n*\rFROM Tab;", "SELECT * FROM Tab WHERE pk = '--a/*b*/'",
        "select * from \"Tab\" ;", "SELECT * FROM Tab -- end\r WHERE pk = '--a/*b*/'"}) {
    INFO(text);
    CHECK(selected(db, text).size() == 1);
  }
}

TEST_CASE("a line comment may hide the rest of a statement") {
  DynamoDb db;
  db.create_table(the_table);
  check_refused_statement(db, "UPDATE Tab SET n=n--1 WHERE pk = 'a'",
                          "Where clause does not contain a mandatory equality on all key attributes");
}

TEST_CASE("quotes are doubled inside quotes, and nothing else is special there") {
  DynamoDb db;
  db.create_table(the_table);
  executed(db, R"(INSERT INTO "Tab" VALUE {'pk': 'it''s', 'a"b': 'x\n?', 'm.z': 1, 'q': '"'})");
  CHECK(selected(db, R"(SELECT "a""b", "m.z", q FROM Tab WHERE pk = 'it''s')") ==
        Json::parse(R"([{"a\"b": {"S": "x\\n?"}, "m.z": {"N": "1"}, "q": {"S": "\""}}])"));
}

TEST_CASE(
    "bare names are letters, digits, underscores and dollars, reserved words of expressions among them") {
  DynamoDb db;
  db.create_table(the_table);
  executed(db, R"(INSERT INTO Tab VALUE {'pk': 'a', '_x': 1, '$y9': 2, 'data': 3, 'year': 4, 'name': 5})");
  CHECK(selected(db, R"(SELECT _x, $y9, data, year, name FROM Tab WHERE data = 3 AND "status" IS MISSING)") ==
        Json::parse(R"([{"_x": {"N": "1"}, "$y9": {"N": "2"}, "data": {"N": "3"}, "year": {"N": "4"},
                         "name": {"N": "5"}}])"));
}

TEST_CASE("an incomplete or misplaced clause is refused with the sentence of the grammar") {
  DynamoDb db;
  check_ill_formed(
      db,
      {
          {"SELECT * FROM Tab WHERE", "Unexpected term"},
          {"SELECT * FROM Tab WHERE;", "Unexpected term"},
          {"SELECT * FROM Tab WHERE NOT", "Unexpected term"},
          {"SELECT * FROM Tab WHERE (", "Unexpected term"},
          {"UPDATE Tab SET a = 1 WHERE", "Unexpected term"},
          {"DELETE FROM Tab WHERE;", "Unexpected term"},
          {"SELECT * FROM", "Unexpected term"},
          {" -- nothing\n /* at all */", "Unexpected term"},
          {"SELECT * FROM Tab WHERE pk = 'p1' AND", "Missing right-hand side expression of infix operator"},
          {"SELECT * FROM Tab WHERE pk = 'p1' OR", "Missing right-hand side expression of infix operator"},
          {"SELECT * FROM Tab WHERE pk = 'a' AND;", "Unexpected term"},
          {"SELECT * FROM Tab WHERE pk =", "Missing right-hand side expression of infix operator"},
          {"SELECT * FROM Tab WHERE pk IN", "Missing right-hand side expression of infix operator"},
          {"SELECT * FROM Tab WHERE ORDER BY pk", "Unexpected keyword"},
          {"SELECT * FROM Tab WHERE IS NULL", "Unexpected operator"},
          {"SELECT * FROM Tab WHERE pk = LIKE 'a'", "Unexpected operator"},
          {"SELECT * FROM Tab WHERE x IS FOO", "Expected type name"},
          {"SELECT * FROM Tab WHERE x IS", "Expected type name"},
          {"DELETE FROM", "Expected identifier for simple path"},
          {"DELETE FROM;", "Expected identifier for simple path"},
          {"DELETE FROM WHERE pk = 'a'", "Expected identifier for simple path"},
          {"UPDATE size SET a = 1", "Expected identifier for simple path"},
          {"INSERT INTO key VALUE {}", "Expected identifier for simple path"},
          {"UPDATE Tab SET key = 1 WHERE pk = 'a'", "Expected identifier for simple path"},
          {"UPDATE Tab REMOVE size WHERE pk = 'a'", "Expected identifier for simple path"},
          {"SELECT m.inner FROM Tab", "Invalid path dot component"},
          {"SELECT * FROM Tab WHERE payload.size = 1", "Invalid path dot component"},
          {"INSERT INTO T (key, a) VALUES (?, ?)", "Unexpected keyword"},
          {"INSERT INTO T (id, a) VALUES (?, ?)", "Unexpected token after expression"},
          {"UPDATE \"T\" WHERE pk = 'a'", "Expected data manipulation"},
          {"FROM \"T\" WHERE pk = 'a'", "Expected data manipulation"},
          {"UPDATE my-table SET a = 1", "Expected data manipulation"},
          {"SLECT * FROM \"T\" WHERE pk = 'a'", "Expected data manipulation"},
          {"UPDATE T SET a WHERE pk = 'a'", "Expected '='"},
          {"UPDATE T SET a 1", "Expected '='"},
          {"UPDATE T SET WHERE pk = 'a'", "Expected identifier for simple path"},
          {"UPDATE T REMOVE a, b WHERE pk = 'a'", "Unexpected token after expression"},
          {"DELETE \"T\" WHERE pk = 'a'", "Expected FROM after DELETE"},
          {"INSERT \"T\" VALUE {}", "Unexpected keyword"},
          {"BEGIN transaction", "Unexpected keyword"},
          {"SELECT a", "Expected FROM after SELECT list"},
          {"SELECT * \"T\"", "Expected FROM after SELECT list"},
          {"SELECT FROM \"T\"",
           "Expected identifier or an expression but found unexpected keyword 'from' in a select list."},
          {"SELECT a, WHERE FROM T",
           "Expected identifier or an expression but found unexpected keyword 'where' in a select list."},
          {"SELECT * FROM T JOIN U", "Expected 'ON'"},
          {"SELECT *, a FROM T",
           "Other expressions may not be present in the select list when '*' is used without dot notation."},
          {"UPDATE T SET a = 1 WHERE pk = 'a' RETURNING ALL OLD", "Unexpected term"},
          {"UPDATE T SET a = 1 WHERE pk = 'a' RETURNING",
           "Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element."},
          {"UPDATE T SET a = 1 WHERE pk = 'a' RETURNING OLD *",
           "Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element."},
          {"SELECT * FROM T WHERE a BETWEEN 1", "Expected AND keyword"},
          {"SELECT * FROM T WHERE a BETWEEN 1 AND", "Expected expression after AND"},
          {"SELECT * FROM T WHERE pk = 'a' ORDER sk", "Expected BY"},
          {"SELECT * FROM T WHERE (a = 1", "Expected RIGHT_PAREN"},
          {"SELECT * FROM T WHERE f(a", "Expected RIGHT_PAREN"},
          {"SELECT * FROM T WHERE a = [1", "Expected RIGHT_BRACKET"},
          {"SELECT a[1 FROM T", "Expected RIGHT_BRACKET"},
          {"INSERT INTO T VALUE {'a': 1", "Expected RIGHT_CURLY"},
          {"INSERT INTO T VALUE {'a': <<1}", "Expected RIGHT_DOUBLE_ANGLE_BRACKET"},
          {"INSERT INTO T VALUE {'a', 1}", "Expected COLON"},
          {"SELECT * FROM T WHERE a IN ()", "Unexpected term"},
          {"SELECT * FROM T WHERE f(a,)", "Unexpected term"},
          {"SELECT * FROM T; SELECT * FROM T",
           "Unexpected token after semicolon. (Only one query is allowed.)"},
      });
}

TEST_CASE("text after a complete statement is refused") {
  DynamoDb db;
  for (const std::string text :
       {"SELECT * FROM \"Tab\" WHERE pk = 'a' stray", "SELECT * FROM \"Tab\" WHERE n = 1 e5",
        "SELECT * FROM \"Tab\" WHERE pk = 'a')", "DELETE FROM \"Tab\" WHERE pk = 'a' ORDER BY pk",
        "SELECT * FROM \"Tab\" ORDER BY pk WHERE pk = 'a'", "FROM \"Tab\" SET a = 1 WHERE pk = 'a'",
        "INSERT INTO \"Tab\" t VALUE {'pk': 'a'}", "MERGE INTO \"Tab\"", "SLECT pk FROM \"Tab\"",
        "SELECTT * FROMM \"Tab\""})
    check_refused_statement(db, text, ill_formed("Unexpected token after expression"));
}

TEST_CASE("keywords cannot be bare names where an operand begins") {
  DynamoDb db;
  for (const std::string word : {"key", "table", "user", "VALUE", "date", "Count", "size", "exists", "list"})
    check_refused_statement(db, "SELECT * FROM T WHERE " + word + " = 1", ill_formed("Unexpected keyword"));
  for (const std::string word : {"and", "OR", "in", "is", "like", "between", "union", "except", "intersect"})
    check_refused_statement(db, "SELECT * FROM T WHERE " + word + " = 1", ill_formed("Unexpected operator"));
  for (const std::string word : {"as", "at", "by", "for", "asc", "desc"})
    check_refused_statement(db, "SELECT * FROM T WHERE " + word + " = 1", ill_formed("Unexpected term"));
  check_refused_statement(db, "SELECT key FROM T", ill_formed("Unexpected keyword"));
  check_refused_statement(db, "UPDATE T SET a = key WHERE pk = 'a'", ill_formed("Unexpected keyword"));
  check_refused_statement(db, "SELECT * FROM T WHERE pk = 'a' ORDER BY key",
                          ill_formed("Unexpected keyword"));
  check_refused_statement(db, "SELECT * FROM user", ill_formed("Unexpected keyword"));
}

TEST_CASE("no keyword is a bare name, in whatever case") {
  DynamoDb db;
  std::size_t count = 0;
  for_each_word(keywords, [&](const std::string& word) {
    check_refused_statement(db, "DELETE FROM " + word + " WHERE pk = 'a'",
                            ill_formed("Expected identifier for simple path"));
    ++count;
  });
  CHECK(count == 252);
  check_refused_statement(db, "DELETE FROM uSER WHERE pk = 'a'",
                          ill_formed("Expected identifier for simple path"));
  for_each_word("year month day hour minute second name data status type", [&](const std::string& word) {
    CHECK(execute(db, "DELETE FROM " + word + " WHERE pk = 'a'").error() == "ResourceNotFoundException");
  });
  for_each_word("set remove update delete select from where", [&](const std::string& word) {
    const std::string refusal = ill_formed(
        "Expected identifier or an expression but found unexpected keyword '" + word + "' in a select list.");
    check_refused_statement(db, "SELECT " + word + " FROM T", refusal);
  });
}

TEST_CASE("every keyword is a plain name in double quotes") {
  DynamoDb db;
  db.create_table(the_table);
  for_each_word(keywords, [&](const std::string& word) {
    INFO(word);
    CHECK(execute(db, "SELECT \"" + word + "\" FROM Tab WHERE \"" + word + "\" = 1").status == 200);
  });
  executed(db, R"(INSERT INTO Tab VALUE {'pk': 'a', 'size': 1, 'select': 2, 'm': {'inner': 3}})");
  CHECK(selected(db, R"(SELECT "size", "select", m."inner" FROM Tab WHERE "size" = 1)") ==
        Json::parse(R"([{"size": {"N": "1"}, "select": {"N": "2"}, "inner": {"N": "3"}}])"));
}

TEST_CASE("names of tables and attributes keep their case") {
  DynamoDb db;
  db.create_table(the_table);
  executed(db, "INSERT INTO Tab VALUE {'pk': 'a', 'x': 1, 'X': 2}");
  CHECK(selected(db, "SELECT X FROM Tab WHERE x = 1") == Json::parse(R"([{"X": {"N": "2"}}])"));
  CHECK(execute(db, "SELECT * FROM tab").error() == "ResourceNotFoundException");
}

TEST_CASE("a position counts characters, from the last line feed on") {
  DynamoDb db;
  check_refused_statements(db,
                           {{"SELECT * FROM T WHERE a = '\u00e9\u20ac\U0001f600' AND foo(a)",
                             "Unrecognized function: foo at 1:37:3"},
                            {"SELECT *\r\nFROM T\n WHERE\tfoo(a)", "Unrecognized function: foo at 3:8:3"}});
}

TEST_CASE("table aliases are not supported") {
  DynamoDb db;
  for (const std::string text : {R"(SELECT * FROM "Tab" t)", R"(SELECT * FROM "Tab" AS t WHERE pk = 'a')",
                                 R"(UPDATE "Tab" t SET a = 1 WHERE pk = 'a')", R"(DELETE FROM "Tab" AS t)"})
    check_refused_statement(db, text, "Aliasing is not supported");
}

TEST_CASE("operators bind as they do in SQL") {
  DynamoDb db;
  db.create_table(the_table);
  executed(db, "INSERT INTO Tab VALUE {'pk': 'a', 'a': 1, 'b': 2, 'c': 3}");
  const auto holds = [&](const std::string& condition) {
    return selected(db, "SELECT * FROM Tab WHERE " + condition).size() == 1;
  };
  CHECK(holds("a = 1 OR b = 0 AND c = 0"));
  CHECK_FALSE(holds("(a = 1 OR b = 0) AND c = 0"));
  CHECK(holds("NOT a = 2 AND b = 2"));
  CHECK_FALSE(holds("NOT (a = 1 AND b = 2)"));
  CHECK(holds("a BETWEEN 1 AND 2 AND b = 2"));
  CHECK(holds("NOT NOT a = 1"));
  CHECK(holds("a < 2 = true"));
  CHECK(holds("true = a < 2"));
  CHECK(holds("true = a BETWEEN 0 AND 1"));
  CHECK(holds("a != 2"));
}

TEST_CASE("a statement that nests too deep is refused") {
  DynamoDb db;
  for (const auto& [front, back] : {std::pair("(", ")"), std::pair("NOT ", ""), std::pair("[", "]")}) {
    std::string text = "SELECT * FROM T WHERE ";
    const std::size_t times =
        7000 / std::string_view(front).size() / (std::string_view(back).empty() ? 1 : 2);
    for (std::size_t i = 0; i < times; ++i) text += front;
    text += "a";
    for (std::size_t i = 0; i < times; ++i) text += back;
    check_refused_statement(db, text, ill_formed(""));
  }
}

TEST_CASE("a statement has 1 to 8192 characters") {
  DynamoDb db;
  check_refused_statement(db, "",
                          enveloped("Value '' at 'statement' failed to satisfy constraint: Member must have "
                                    "length greater than or equal to 1"));
  db.create_table(the_table);
  const std::string select = "SELECT * FROM Tab";
  CHECK(execute(db, select + std::string(8192 - select.size(), ' ')).status == 200);
  const std::string longer = select + std::string(8193 - select.size(), ' ');
  check_refused_statement(db, longer,
                          enveloped("Value '" + longer +
                                    "' at 'statement' failed to satisfy constraint: Member "
                                    "must have length less than or equal to 8192"));
}

}  // namespace test::partiql::syntax_test

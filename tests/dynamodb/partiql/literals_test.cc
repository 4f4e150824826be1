#include <catch2/catch.hpp>

#include "statements.h"

// docs/service/partiql.md section 1, "Literals" and "Parameters".
namespace test::partiql::literals_test {
namespace {

Json stored(DynamoDb& db, const std::string& literal) {
  executed(db, "INSERT INTO Tab VALUE {'pk': 'a', 'v': " + literal + "}");
  const Json item = db.get(the_table, key_a);
  executed(db, "DELETE FROM Tab WHERE pk = 'a'");
  return item.contains("v") ? item.at("v") : Json();
}

std::string insert(const std::string& value) {
  return "INSERT INTO Tab VALUE {'pk': 'a', 'v': " + value + "}";
}

const std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace

TEST_CASE("literals of every kind are values of their types") {
  DynamoDb db;
  db.create_table(the_table);
  for (const auto& [literal, value] : std::initializer_list<std::pair<std::string, std::string>>{
           {"'text'", R"({"S": "text"})"},
           {"''", R"({"S": ""})"},
           {"7.31e6", R"({"N": "7310000"})"},
           {"7.31E6", R"({"N": "7310000"})"},
           {"7.31e+6", R"({"N": "7310000"})"},
           {"731e4", R"({"N": "7310000"})"},
           {"73100000e-1", R"({"N": "7310000"})"},
           {".73e1", R"({"N": "7.3"})"},
           {"-.73e1", R"({"N": "-7.3"})"},
           {"1.", R"({"N": "1"})"},
           {"- - 1", R"({"N": "1"})"},
           {"-/* c */-1", R"({"N": "1"})"},
           {"+5", R"({"N": "5"})"},
           {"- + -5", R"({"N": "5"})"},
           {"-0", R"({"N": "0"})"},
           {"[- 1]", R"({"L": [{"N": "-1"}]})"},
           {"true", R"({"BOOL": true})"},
           {"FALSE", R"({"BOOL": false})"},
           {"NULL", R"({"NULL": true})"},
           {"[]", R"({"L": []})"},
           {"{}", R"({"M": {}})"},
           {"[1, 'a', <<'x'>>, [null]]",
            R"({"L": [{"N": "1"}, {"S": "a"}, {"SS": ["x"]}, {"L": [{"NULL": true}]}]})"},
           {"{'k': 1, 'm': {'n': <<2, 1>>}}",
            R"({"M": {"k": {"N": "1"}, "m": {"M": {"n": {"NS": ["1", "2"]}}}}})"},
           {"<<'b', 'a'>>", R"({"SS": ["a", "b"]})"},
           {"<<1, -2>>", R"({"NS": ["-2", "1"]})"},
       }) {
    INFO(literal);
    CHECK(stored(db, literal) == Json::parse(value));
  }
}

TEST_CASE("a sign may stand next to anything") {
  DynamoDb db;
  db.create_table(the_table);
  executed(db, "INSERT INTO Tab VALUE {'pk': 'a', 'n': 3}");
  CHECK(selected(db, "SELECT * FROM Tab WHERE n>-5").size() == 1);
  executed(db, "UPDATE Tab SET n=n-1 WHERE pk = 'a'");
  CHECK(db.get(the_table, key_a)["n"]["N"] == "2");
}

TEST_CASE("a literal that breaks a rule of values says where") {
  DynamoDb db;
  const std::string overflow =
      "Number overflow. Attempting to store a number with magnitude larger than supported range under ";
  const std::string underflow =
      "Number underflow. Attempting to store a number with magnitude smaller than supported range under ";
  const std::string precision = "Attempting to store more than 38 significant digits in a Number under ";
  const std::string bag =
      "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags";
  check_refused_statements(
      db,
      {{insert("1e126"), overflow + "root"},
       {insert("-1e126"), overflow + "root"},
       {insert("1e-131"), underflow + "root"},
       {insert(std::string(39, '1')), precision + "root"},
       {insert("{'x': 1e126}"), overflow + "root.x"},
       {insert("[1, {'a': [1e-131]}]"), underflow + "root[1].a[0]"},
       {"SELECT * FROM Tab WHERE n = 1e126", overflow + "root"},
       {"UPDATE Tab SET n = [1e126] WHERE pk = 'a'", overflow + "root[0]"},
       {insert("<<>>"), "Empty bags are not supported"},
       {insert("<<1, 'a'>>"), bag},
       {insert("<<true>>"), bag},
       {insert("<<[1]>>"), bag},
       {insert("<<?>>"), bag},
       {insert("<<'x', 'y', 'x'>>"), invalid("Input collection [x, y, x] contains duplicates.")},
       {insert("<<2, 2.0>>"), invalid("Input collection [2, 2.0] contains duplicates! under root")},
       {insert("[<<2, -1, 2>>]"), invalid("Input collection [2, -1, 2] contains duplicates! under root[0]")},
       {insert("set_add(a, <<1>>)"), "Unsupported data type: set_add under key root at 1:40:7"},
       {insert("[?]"), "Unsupported data type: Parameter under key root[0] at 1:41:1"},
       {insert("{'k': ?}"), "Unsupported data type: Parameter under key root.k at 1:46:1"}});
}

TEST_CASE("an attribute of a literal needs a name") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string message = "Empty attribute name";
  for (const std::string literal : {"{'': 1}", "{'k': {'': 1}}", "[{'k': 1, '': 2}]"}) {
    check_refused_statements(db, {{insert(literal), message},
                                  {"UPDATE Tab SET v = " + literal + " WHERE pk = 'a'", message},
                                  {"SELECT * FROM Tab WHERE v = " + literal, message}});
  }
  check_refused_statement(db, "INSERT INTO Tab VALUE {'pk': 'a', '': 1}", message);
  CHECK(selected(db, "SELECT * FROM Tab").empty());
}

TEST_CASE("a literal nests in 31 containers, not in 32") {
  DynamoDb db;
  db.create_table(the_table);
  CHECK(stored(db, repeated("[", 31) + "1" + repeated("]", 31)).contains("L"));
  check_refused_statement(db, insert(repeated("[", 32) + "1" + repeated("]", 32)),
                          "Nesting Levels have exceeded supported limits under root" + repeated("[0]", 32));
  check_refused_statement(db, insert(repeated("{'a': ", 32) + "1" + repeated("}", 32)),
                          "Nesting Levels have exceeded supported limits under root" + repeated(".a", 32));
}

TEST_CASE("an insert gives its item as a struct") {
  DynamoDb db;
  const std::string message =
      "Unsupported format in item expression. Please use struct format {...} to express item values for "
      "insert "
      "statement. at ";
  check_refused_statement(db, "INSERT INTO \"abcdefghijklmnopqrstuvwxyz0123456789abcdefgh\" VALUE ?",
                          message + "1:66:1", parameters(R"({"M": {"pk": {"S": "a"}}})"));
  check_refused_statement(db, "INSERT INTO Tab VALUE 'a'", message + "1:23:3");
}

TEST_CASE("parameters are bound by position") {
  DynamoDb db;
  db.create_table(the_table);
  executed(db, "INSERT INTO Tab VALUE {'pk': ?, 'm': ?, 'l': ?}",
           parameters(R"({"S": "a"}, {"M": {"x": {"N": "1"}}}, {"L": [{"S": "y"}]})"));
  CHECK(db.get(the_table, key_a) ==
        Json::parse(R"({"pk": {"S": "a"}, "m": {"M": {"x": {"N": "1"}}}, "l": {"L": [{"S": "y"}]}})"));
  executed(db, "UPDATE Tab SET n = ?, s = '?' WHERE pk = ? AND m.x IN [?, ?]",
           parameters(R"({"N": "5"}, {"S": "a"}, {"N": "0"}, {"N": "1"})"));
  CHECK(db.get(the_table, key_a)["n"]["N"] == "5");
  CHECK(db.get(the_table, key_a)["s"]["S"] == "?");
}

TEST_CASE("too few parameters are refused, too many are not") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string text = "SELECT * FROM Tab WHERE pk = ? AND n = ?";
  const std::string message = "Number of parameters in request and statement don't match.";
  check_refused_statement(db, text, message);
  check_refused_statement(db, text, message, parameters(R"({"S": "a"})"));
  CHECK(execute(db, text, parameters(R"({"S": "a"}, {"N": "1"}, {"N": "2"})")).status == 200);
  check_refused_statement(
      db, text,
      enveloped("Value '[]' at 'parameters' failed to satisfy constraint: Member must have "
                "length greater than or equal to 1"),
      parameters(""));
}

TEST_CASE("parameters are checked before the statement is parsed") {
  DynamoDb db;
  const std::string cannot = "The parameter cannot be converted to a numeric value";
  for (const auto& [value, message] : std::initializer_list<std::pair<std::string, std::string>>{
           {R"({"SS": []})", invalid("An string set  may not be empty")},
           {R"({"SS": ["a", "a"]})", invalid("Input collection [a, a] contains duplicates.")},
           {R"({"NULL": false})", invalid("Null attribute value types must have the value of true")},
           {R"({})", "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
           {R"({"S": "a", "N": "1"})",
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
            "supported "
            "datatypes"},
           {R"({"N": "1e99999999999"})", cannot + ": 1e99999999999"},
           {R"({"N": "-1e99999999999"})", cannot + ": -1e99999999999"},
           {R"({"N": "1e-99999999999"})", cannot + ": 1e-99999999999"},
           {R"({"N": "1e2147483648"})", cannot + ": 1e2147483648"},
           {R"({"N": "1e-2147483648"})", cannot + ": 1e-2147483648"},
           {R"({"NS": ["1e2147483648"]})", cannot + ": 1e2147483648"},
           {R"({"L": [{"N": "x"}]})", cannot + ": x"},
           {R"({"N": ""})", cannot},
           {R"({"N": "1e2147483647"})",
            "Number underflow. Attempting to store a number with magnitude smaller than supported range"},
           {repeated(R"({"L": [)", 33) + R"({"N": "x"})" + repeated("]}", 33),
            "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond "
            "supported limit"}}) {
    check_refused_statement(db, "UPDATE T SET WHERE", message, parameters(R"({"S": "fine"}, )" + value));
  }
  CHECK(execute(db, "SELECT * FROM T", parameters(R"({"B": "?"})")).error() == "SerializationException");
}

TEST_CASE("the first bad parameter is named") {
  DynamoDb db;
  check_refused_statement(db, "SELECT * FROM T", "The parameter cannot be converted to a numeric value: x",
                          parameters(R"({"N": "x"}, {"SS": []})"));
  check_refused_statement(db, "SELECT * FROM T", invalid("An string set  may not be empty"),
                          parameters(R"({"SS": []}, {"N": "x"})"));
}

}  // namespace test::partiql::literals_test

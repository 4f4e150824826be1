#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"

// ConditionExpression of PutItem, UpdateItem and DeleteItem (docs/service/expressions.md sections 1 to 5).
namespace test::condition_expression_test {
namespace {

const std::vector<std::string_view> writes = {"PutItem", "UpdateItem", "DeleteItem"};

/// A refusal of the expression itself, in its prefix and the envelope.
struct Malformed {
  std::string expression;
  std::string values;
  std::string message;
};

void check_malformed(DynamoDb& db, std::initializer_list<Malformed> cases) {
  for (const Malformed& one : cases) {
    for (const auto operation : writes) {
      check_refusal(db, {operation, condition(one.expression, one.values),
                         enveloped("Invalid ConditionExpression: " + one.message)});
    }
  }
}

const std::string n = R"(":v": {"N": "1"})";

}  // namespace

TEST_CASE("a malformed condition is refused in its prefix and the envelope") {
  DynamoDb db;
  db.create_table(the_table);
  check_malformed(
      db,
      {{"", "", "The expression can not be empty;"},
       {"!!! INVALID !!!", "", R"(Syntax error; token: "!", near: "!!")"},
       {"attribute_not_exists(", "", R"(Syntax error; token: "<EOF>", near: "(")"},
       {"a = = b", "", R"(Syntax error; token: "=", near: "= = b")"},
       {"status = :v", n, "Attribute name is a reserved keyword; reserved keyword: status"},
       {"#x = :v", n,
        "An expression attribute name used in the document path is not defined; attribute name: #x"},
       {"a = :w", n, "An expression attribute value used in expression is not defined; attribute value: :w"},
       {"((a = :v))", n, "The expression has redundant parentheses;"},
       {"(((a = :v)))", n, "The expression has redundant parentheses;"},
       {"attribute_exists(a) AND ((a = :v))", n, "The expression has redundant parentheses;"},
       {"a = a", "",
        "The first operand must be distinct from the remaining operands for this operator or function; "
        "operator: =, "
        "first operand: [a]"},
       {"begins_with(a, :v)", n,
        "Incorrect operand type for operator or function; operator or function: begins_with, operand type: "
        "N"},
       {"begins_with(a, :v)", R"(":v": {"BOOL": true})",
        "Incorrect operand type for operator or function; operator or function: begins_with, operand type: "
        "BOOL"},
       {"size(a) = nonsense(b)", "", "Invalid function name; function: nonsense"},
       {"SIZE(a) = :v", n, "Invalid function name; function: SIZE"},
       {"size(a)", "", "The function is not allowed to be used this way in an expression; function: size"},
       {"attribute_exists(a) = :v", n,
        "The function is not allowed to be used this way in an expression; function: attribute_exists"},
       {"size(a, b) = :v", n,
        "Incorrect number of operands for operator or function; operator or function: size, number of "
        "operands: 2"},
       {"attribute_exists(:v)", n,
        "Operator or function requires a document path; operator or function: attribute_exists"},
       {"attribute_type(:v, :t)", R"(":v": {"S": "S"}, ":t": {"S": "S"})",
        "Operator or function requires a document path; operator or function: attribute_type"},
       {"attribute_type(size(a), :v)", R"(":v": {"S": "N"})",
        "Operator or function requires a document path; operator or function: attribute_type"},
       {"a BETWEEN :a AND :b", R"(":a": {"S": "b"}, ":b": {"S": "a"})",
        "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound "
        "operand: "
        "AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}"},
       {"a BETWEEN :a AND :b", R"(":a": {"S": "b"}, ":b": {"N": "1"})",
        "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: "
        "AttributeValue: "
        "{S:b}, upper bound operand: AttributeValue: {N:1}"},
       {"attribute_type(a, :v)", R"(":v": {"S": "X"})",
        "Invalid attribute type name found; type: X, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"}});
}

TEST_CASE("messages print names resolved") {
  DynamoDb db;
  for (const auto operation : writes) {
    check_refusal(
        db, {operation, condition("contains(#d, #d)", "", R"("#d": "data")"),
             enveloped("Invalid ConditionExpression: The first operand must be distinct from the remaining "
                       "operands for this operator or function; operator: contains, first operand: [data]")});
  }
}

TEST_CASE("types of constants are checked whatever is stored") {
  DynamoDb db;
  db.create_table(the_table);
  const std::vector<std::pair<std::string, std::string>> unordered = {
      {"BOOL", R"({"BOOL": true})"}, {"NULL", R"({"NULL": true})"}, {"L", R"({"L": []})"},
      {"M", R"({"M": {}})"},         {"SS", R"({"SS": ["a"]})"},    {"NS", R"({"NS": ["1"]})"},
      {"BS", R"({"BS": ["AQ=="]})"},
  };
  const std::string wrong = "Incorrect operand type for operator or function; operator or function: ";
  for (const auto& [type, value] : unordered) {
    const std::string values = R"(":v": )" + value;
    for (const std::string op : {"<", "<=", ">", ">="}) {
      const std::string message = wrong + op + ", operand type: " + type;
      check_malformed(db, {{"a " + op + " :v", values, message}, {":v " + op + " a", values, message}});
    }
    check_malformed(db, {{"a BETWEEN :v AND :v", values, wrong + "BETWEEN, operand type: " + type},
                         {"begins_with(a, :v)", values, wrong + "begins_with, operand type: " + type},
                         {"attribute_type(a, :v)", values, wrong + "attribute_type, operand type: " + type}});
    CHECK_FALSE(condition_holds(db, condition("a = :v OR a IN (:v) OR contains(a, :v)", values)));
    CHECK(condition_holds(db, condition("a <> :v", values)));
  }
  for (const std::string value : {R"({"N": "1"})", R"({"BOOL": true})", R"({"NULL": true})"}) {
    const std::string type = Json::parse(value).begin().key();
    check_malformed(db, {{"size(:v) = :v", R"(":v": )" + value, wrong + "size, operand type: " + type}});
  }
}

TEST_CASE("an expression has 4096 bytes as sent, counted before it is read") {
  DynamoDb db;
  db.create_table(the_table);
  const auto padded = [](std::string expression, std::size_t size) {
    return expression.append(size - expression.size(), ' ');
  };
  for (const auto operation : writes) {
    const Reply longest = call_item(db, operation, condition(padded("attribute_not_exists(zz)", 4096)));
    CHECK(longest.status == 200);
    for (const auto* expression : {"attribute_not_exists(zz)", "!!! no syntax"}) {
      const Reply longer = call_item(db, operation, condition(padded(expression, 4097)));
      CHECK(longer.error() == "ValidationException");
      const std::string start =
          enveloped("Invalid ConditionExpression: Expression size has exceeded the maximum allowed size;");
      CHECK(longer.message().substr(0, start.size()) == start);
    }
  }
}

TEST_CASE("the size counts bytes, not characters, and not what placeholders stand for") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string name(5000, 'n');
  CHECK(condition_holds(db, condition("attribute_not_exists(#n)", "", R"("#n": ")" + name + '"')));
  std::string comparison = "attribute_not_exists(zz) OR zz = ";
  while (comparison.size() <= 4096) comparison += "\xE2\x82\xAC";
  const Reply reply = call_item(db, "PutItem", condition(comparison));
  CHECK_THAT(reply.message(), Catch::Contains("Expression size has exceeded"));
}

TEST_CASE("counts of operators and of IN's operands are limited") {
  DynamoDb db;
  db.create_table(the_table);
  const auto repeated = [](std::string_view first, std::string_view more, int times) {
    std::string text(first);
    for (int i = 1; i < times; ++i) text += more;
    return text;
  };
  // 150 comparisons and 149 ORs; then one more of each.
  CHECK_FALSE(condition_holds(db, condition(repeated("a=:v", " OR a=:v", 150), n)));
  CHECK(call_item(db, "PutItem", condition(repeated("a=:v", " OR a=:v", 151), n)).error() ==
        "ValidationException");
  CHECK_FALSE(condition_holds(db, condition("a IN (" + repeated(":v", ",:v", 100) + ")", n)));
  CHECK(call_item(db, "PutItem", condition("a IN (" + repeated(":v", ",:v", 101) + ")", n)).error() ==
        "ValidationException");
}

TEST_CASE("a path has 32 elements at most") {
  DynamoDb db;
  db.create_table(the_table);
  std::string path = "a";
  for (int i = 1; i < 32; ++i) path += i % 2 == 0 ? "[0]" : ".a";
  CHECK_FALSE(condition_holds(db, condition("attribute_exists(" + path + ")")));
  CHECK(call_item(db, "PutItem", condition("attribute_exists(" + path + ".a)")).error() ==
        "ValidationException");
  CHECK(call_item(db, "GetItem", projection(path)).status == 200);
  CHECK(call_item(db, "GetItem", projection(path + ".a")).error() == "ValidationException");
}

TEST_CASE("names and values must be used, defined and well keyed") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string expression = condition("attribute_not_exists(zz)");
  for (const auto operation : writes) {
    check_refusals(
        db,
        {{operation, expression + R"(, "ExpressionAttributeNames": {"#unused": "x"})",
          enveloped("Value provided in ExpressionAttributeNames unused in expressions: keys: {#unused}")},
         {operation, expression + R"(, "ExpressionAttributeValues": {":unused": {"N": "1"}})",
          enveloped("Value provided in ExpressionAttributeValues unused in expressions: keys: {:unused}")},
         {operation, expression + R"(, "ExpressionAttributeValues": {":u1": {"N": "1"}, ":u2": {"N": "1"}})",
          enveloped("Value provided in ExpressionAttributeValues unused in expressions: keys: {:u1, :u2}")},
         {operation, expression + R"(, "ExpressionAttributeNames": {})",
          enveloped("ExpressionAttributeNames must not be empty")},
         {operation, expression + R"(, "ExpressionAttributeValues": {})",
          enveloped("ExpressionAttributeValues must not be empty")},
         {operation, R"("ExpressionAttributeNames": {"#n": "x"})",
          enveloped("ExpressionAttributeNames can only be specified when using expressions")},
         {operation, R"("ExpressionAttributeValues": {":v": {"N": "1"}})",
          enveloped("ExpressionAttributeValues can only be specified when using expressions")},
         {operation, expression + R"(, "ExpressionAttributeNames": {"x": "x"})",
          enveloped(R"(ExpressionAttributeNames contains invalid key: Syntax error; key: "x")")},
         {operation, expression + R"(, "ExpressionAttributeValues": {"v": {"N": "1"}})",
          enveloped(R"(ExpressionAttributeValues contains invalid key: Syntax error; key: "v")")}});
  }
}

TEST_CASE("values of an expression obey the rules of values") {
  DynamoDb db;
  db.create_table(the_table);
  std::string deep = R"({"N": "1"})";
  for (int i = 0; i < 32; ++i) deep = R"({"L": [)" + deep + "]}";
  const std::vector<std::pair<std::string, std::string>> bad = {
      {R"({"N": "x"})", "The parameter cannot be converted to a numeric value: x"},
      {R"({"N": "1E126"})",
       "Number overflow. Attempting to store a number with magnitude larger than supported range"},
      {R"({"SS": []})", invalid("An string set  may not be empty")},
      {R"({"SS": ["b", "a", "b"]})", invalid(R"(Input collection ["a", "b", "b"] contains duplicates.)")},
      {R"({"NULL": false})", invalid("Null attribute value types must have the value of true")},
      {deep,
       "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond "
       "supported "
       "limit"},
  };
  for (const auto operation : writes) {
    for (const auto& [value, message] : bad) {
      check_refusal(db, {operation, condition("a = :v", R"(":v": )" + value), enveloped(message)});
    }
  }
}

TEST_CASE("expressions and legacy parameters exclude each other") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string both = "Can not use both expression and non-expression parameters in the same request: ";
  const std::string expected = R"("Expected": {"a": {"Exists": false}})";
  const std::string expression = condition("attribute_not_exists(a)") + ", ";
  for (const auto operation : writes) {
    check_refusals(
        db,
        {{operation, expression + expected,
          enveloped(both +
                    "Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}")},
         {operation, expression + R"("ConditionalOperator": "AND")",
          enveloped(both + "Non-expression parameters: {ConditionalOperator} Expression parameters: "
                           "{ConditionExpression}")},
         {operation, expected + R"(, "ExpressionAttributeValues": {":v": {"N": "1"}})",
          enveloped("ExpressionAttributeValues can only be specified when using expressions")},
         {operation, expected + R"(, "ExpressionAttributeNames": {"#n": "a"})",
          enveloped("ExpressionAttributeNames can only be specified when using expressions")}});
  }
}

TEST_CASE("parentheses that are not redundant are fine") {
  DynamoDb db;
  db.create_table(the_table);
  for (const auto* expression :
       {"(a <> :v)", "(a <> :v) AND (b <> :v)", "(a <> :v AND (b <> :v))", "(NOT (a = :v))", "NOT (a = :v)",
        "((a <> :v) AND b <> :v)", "((a <> :v) OR (b <> :v))"}) {
    INFO(expression);
    CHECK(condition_holds(db, condition(expression, n)));
  }
}

TEST_CASE("names that are not identifiers go through placeholders") {
  DynamoDb db;
  db.create_table(the_table);
  store_item(
      db,
      R"("5star": {"N": "1"}, "_u": {"N": "1"}, "a.b": {"N": "1"}, "a-b c": {"N": "1"}, "m": {"M": {"x.y": {"N": "1"}}})");
  for (const auto* name : {"5star", "_u", "a.b", "a-b c"}) {
    CHECK(condition_holds(db, condition("#n = :v", n, R"("#n": ")" + std::string(name) + '"')));
  }
  CHECK(condition_holds(db, condition("m.#5star = :0", R"(":0": {"N": "1"})", R"("#5star": "x.y")")));
  CHECK_FALSE(condition_holds(db, condition("a.b = :v", n)));
  for (const auto* expression : {"5star = :v", "_u = :v", "a-b = :v"}) {
    CHECK_THAT(call_item(db, "PutItem", condition(expression, n)).message(),
               Catch::Contains("Invalid ConditionExpression: Syntax error; token: "));
  }
}

}  // namespace test::condition_expression_test

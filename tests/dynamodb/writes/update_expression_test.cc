#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"

// UpdateExpression of UpdateItem (docs/service/expressions.md sections 1 to 4 and 7).
namespace test::update_expression_test {
namespace {

struct Malformed {
  std::string expression;
  std::string values;
  std::string message;
};

void check_malformed(DynamoDb& db, std::initializer_list<Malformed> cases) {
  for (const Malformed& one : cases) {
    check_refusal(db, {"UpdateItem", update(one.expression, one.values),
                       enveloped("Invalid UpdateExpression: " + one.message)});
  }
}

const std::string v = R"(":v": {"N": "5"})";

}  // namespace

TEST_CASE("a malformed update is refused in its prefix and the envelope") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string overlap =
      "Two document paths overlap with each other; must remove or rewrite one of these paths; ";
  const std::string type = "Incorrect operand type for operator or function; operator";
  check_malformed(
      db,
      {{"", "", "The expression can not be empty;"},
       {"INVALID SYNTAX HERE", "", R"(Syntax error; token: "INVALID", near: "INVALID SYNTAX")"},
       {"SET", "", R"(Syntax error; token: "<EOF>", near: "SET")"},
       {"SET a = = :v", v, R"(Syntax error; token: "=", near: "= = :v")"},
       {"a = :v", v, R"(Syntax error; token: "a", near: "a =")"},
       {"SET status = :v", v, "Attribute name is a reserved keyword; reserved keyword: status"},
       {"SET a.Status = :v", v, "Attribute name is a reserved keyword; reserved keyword: Status"},
       {"SET #n = :v", v,
        "An expression attribute name used in the document path is not defined; attribute name: #n"},
       {"SET a = :w", v,
        "An expression attribute value used in expression is not defined; attribute value: :w"},
       {"SET a = :v, a = :v", v, overlap + "path one: [a], path two: [a]"},
       {"SET a = :v REMOVE a.b", v, overlap + "path one: [a], path two: [a, b]"},
       {"ADD l[0] :v DELETE l :s", v + R"(, ":s": {"SS": ["a"]})",
        overlap + "path one: [l, [0]], path two: [l]"},
       {"SET a.b = :v, a[0] = :v", v,
        "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: "
        "[a, b], "
        "path two: [a, [0]]"},
       {"SET a = nonsense(a)", "", "Invalid function name; function: nonsense"},
       {"SET a = attribute_exists(a)", "",
        "The function is not allowed in an update expression; function: attribute_exists"},
       {"SET a = if_not_exists(:v, :v)", v,
        "Operator or function requires a document path; operator or function: if_not_exists"},
       {"SET a = if_not_exists(a)", "",
        "Incorrect number of operands for operator or function; operator or function: if_not_exists, number "
        "of "
        "operands: 1"},
       {"SET a = :v SET b = :v", v, R"(The "SET" section can only be used once in an update expression;)"},
       {"REMOVE a REMOVE b", "", R"(The "REMOVE" section can only be used once in an update expression;)"},
       {"SET a = a + :s", R"(":s": {"S": "x"})", type + " or function: +, operand type: S"},
       {"SET a = a - :s", R"(":s": {"BOOL": true})", type + " or function: -, operand type: BOOL"},
       {"SET a = list_append(a, :v)", v, type + " or function: list_append, operand type: N"},
       {"ADD a :s", R"(":s": {"S": "x"})",
        type + ": ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND"},
       {"DELETE a :v", v, type + ": DELETE, operand type: NUMBER, typeSet: ALLOWED_FOR_DELETE_OPERAND"}});
}

TEST_CASE("an update expression has 4096 bytes, and its refusal ends there") {
  DynamoDb db;
  db.create_table(the_table);
  std::string longest = "SET a = :v";
  longest.append(4096 - longest.size(), ' ');
  CHECK(call_item(db, "UpdateItem", update(longest, v)).status == 200);
  check_malformed(db,
                  {{longest + ' ', v, "Expression size has exceeded the maximum allowed size;"},
                   {std::string(4097, '!'), "", "Expression size has exceeded the maximum allowed size;"}});
}

TEST_CASE("the statement's names and values are used, defined and sound") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string mixed = "Can not use both expression and non-expression parameters in the same request: ";
  check_refusals(
      db,
      {{"UpdateItem", update("SET a = :v", v + R"(, ":unused": {"N": "1"})"),
        enveloped("Value provided in ExpressionAttributeValues unused in expressions: keys: {:unused}")},
       {"UpdateItem", update("SET a = :v", v, R"("#unused": "x")"),
        enveloped("Value provided in ExpressionAttributeNames unused in expressions: keys: {#unused}")},
       {"UpdateItem", update("SET a = :v", R"(":v": {"N": "x"})"),
        enveloped("The parameter cannot be converted to a numeric value: x")},
       {"UpdateItem", update("SET a = :v", R"(":v": {"L": [{"NS": ["1", "1.0"]}]})"),
        enveloped(invalid("Input collection contains duplicates."))},
       {"UpdateItem", update("REMOVE a") + R"(, "ExpressionAttributeValues": {})",
        enveloped("ExpressionAttributeValues must not be empty")},
       {"UpdateItem", R"("ExpressionAttributeValues": {":v": {"N": "1"}})",
        enveloped("ExpressionAttributeValues can only be specified when using expressions")},
       {"UpdateItem", R"("ExpressionAttributeNames": {"#v": "v"})",
        enveloped("ExpressionAttributeNames can only be specified when using expressions")},
       {"UpdateItem", update("REMOVE a") + R"(, "AttributeUpdates": {"b": {"Action": "DELETE"}})",
        enveloped(mixed +
                  "Non-expression parameters: {AttributeUpdates} Expression parameters: {UpdateExpression}")},
       {"UpdateItem",
        update("REMOVE a") +
            R"(, "AttributeUpdates": {"b": {"Action": "DELETE"}}, "Expected": {"b": {"Exists": false}})",
        enveloped(mixed + "Non-expression parameters: {AttributeUpdates, Expected} Expression parameters: "
                          "{UpdateExpression}")},
       {"UpdateItem",
        update("REMOVE a") + R"(, "Expected": {"b": {"Exists": false}}, "ConditionExpression": "a = a")",
        enveloped(mixed + "Non-expression parameters: {Expected} Expression parameters: {UpdateExpression, "
                          "ConditionExpression}")}});
}

TEST_CASE("one map of names and one of values serve both expressions") {
  DynamoDb db;
  db.create_table(the_table);
  ok_item(db, "UpdateItem",
          update("SET #a = :v", v + R"(, ":w": {"N": "6"})", R"("#a": "x", "#b": "y")") +
              R"(, "ConditionExpression": "#b <> :w")");
  CHECK(stored_attributes(db) == Json{{"x", {{"N", "5"}}}});
}

TEST_CASE("no action may touch the key") {
  DynamoDb db;
  db.create_table(the_table, "S", "N");
  const std::string key = R"("Key": {"pk": {"S": "a"}, "sk": {"N": "1"}}, )";
  const std::vector<std::pair<std::string, std::string>> actions = {
      {"SET pk = :v", R"(":v": {"S": "a"})"},
      {"SET x = :v, sk = :v", R"(":v": {"N": "1"})"},
      {"REMOVE sk", ""},
      {"ADD sk :v", R"(":v": {"N": "1"})"},
      {"DELETE pk :v", R"(":v": {"SS": ["a"]})"}};
  for (const auto& [expression, values] : actions) {
    const std::string name = expression.find("pk") != std::string::npos ? "pk" : "sk";
    check_refusal(db, {"UpdateItem", key + update(expression, values),
                       invalid("Cannot update attribute " + name + ". This attribute is part of the key")});
  }
}

TEST_CASE("a result that nests too deep is refused") {
  DynamoDb db;
  db.create_table(the_table);
  std::string deep = R"({"N": "1"})";
  for (int i = 0; i < 31; ++i) deep = R"({"L": [)" + deep + "]}";
  store_item(db, R"("m": {"M": {}})");
  ok_item(db, "UpdateItem", update("SET d = :v", R"(":v": )" + deep));
  const Reply reply = call_item(db, "UpdateItem", update("SET m.d = :v", R"(":v": )" + deep));
  CHECK(reply.error() == "ValidationException");
  CHECK_THAT(reply.message(), Catch::Contains("Nesting Levels have exceeded supported limits"));
}

TEST_CASE("an update is held to 400 KB: the finished item and the statement") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string too_large = "Item size to update has exceeded the maximum allowed size";
  const auto text = [](std::size_t length) {
    return R"(":v": {"S": ")" + std::string(length, 'x') + R"("})";
  };
  // The statement: 3 + 19 + 1 + length.
  CHECK(call_item(db, "UpdateItem", update("SET b = :v", text(409'600 - 23))).status == 200);
  check_refusal(db, {"UpdateItem", update("SET b = :v", text(409'601 - 23)), too_large});
  // The item: pk a, b and c.
  store_item(db, R"("b": {"S": ")" + std::string(400'000, 'x') + R"("})");
  CHECK(call_item(db, "UpdateItem", update("SET c = :v", text(409'600 - 400'005))).status == 200);
  check_refusal(db, {"UpdateItem", update("SET c = :v", text(409'601 - 400'005)), too_large});
  // A statement that is too large is refused though the item stays small.
  const std::string twice = update("SET b = if_not_exists(b, :v), c = if_not_exists(b, :v)", text(205'000));
  store_item(db, R"("b": {"S": "x"})");
  check_refusal(db, {"UpdateItem", twice, too_large});
}

// The name that no request may have in an item (docs/service/wire.md section 6) is let in by a placeholder.
TEST_CASE("an attribute called __type is written, read and looked at like any other") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string name = R"("#t": "__type")";
  const std::string value = R"(":v": {"S": "x"})";
  for (int i = 0; i < 2; ++i) ok_item(db, "UpdateItem", update("SET #t = :v", value, name));
  CHECK(ok_item(db, "GetItem", projection("#t", name)).at("Item") == Json{{"__type", {{"S", "x"}}}});
  CHECK(ok_item(db, "Scan", expression("Filter", "#t = :v", value, name)).at("Count") == 1);
}

}  // namespace test::update_expression_test

#include <catch2/catch.hpp>

#include "reads.h"

// KeyConditionExpression (docs/service/expressions.md section 8). Reads refuse bare.
namespace test::query_key_conditions_test {
namespace {

/// Returns the sort keys that a condition next to `pk = :p` selects.
std::string selected(DynamoDb& db, const std::string& condition, const std::string& values) {
  INFO(condition << " with " << values);
  const std::string members = key_condition("pk = :p AND " + condition, R"(":p": {"S": "a"}, )" + values);
  const std::string forward = column(items_of(db, "Query", members), "sk");
  const Json backward = items_of(db, "Query", members + R"(, "ScanIndexForward": false)");
  CHECK(column(reversed(backward), "sk") == forward);
  return forward;
}

void put_sort_keys(DynamoDb& db, const std::string& type, std::initializer_list<std::string> values) {
  for (const std::string& value : values) {
    for (const std::string pk : {"Z", "a", "aa"})  // neighbours that must not show
      put_items(db, {R"({"pk": {"S": ")" + pk + R"("}, "sk": {")" + type + R"(": ")" + value + R"("}})"});
  }
}

struct Selection {
  std::string condition;
  std::string values;
  std::string sort_keys;
};

void check_selections(DynamoDb& db, std::initializer_list<Selection> selections) {
  for (const Selection& one : selections) CHECK(selected(db, one.condition, one.values) == one.sort_keys);
}

const std::string prefix = "Invalid KeyConditionExpression: ";

}  // namespace

TEST_CASE("conditions on a number as sort key") {
  DynamoDb db;
  db.create_table(the_table, "S", "N");
  put_sort_keys(db, "N", {"-2", "-1.5", "0", "1", "10", "100"});
  const std::string one = R"(":v": {"N": "1.0"})";
  check_selections(db, {{"sk = :v", one, "1"},
                        {"sk < :v", one, "-2 -1.5 0"},
                        {"sk <= :v", one, "-2 -1.5 0 1"},
                        {"sk > :v", one, "10 100"},
                        {"sk >= :v", one, "1 10 100"},
                        {"sk = :v", R"(":v": {"N": "2"})", ""},
                        {"sk > :v", R"(":v": {"N": "100"})", ""},
                        {"sk < :v", R"(":v": {"N": "-2"})", ""},
                        {"sk >= :v", R"(":v": {"N": "-1.9"})", "-1.5 0 1 10 100"},
                        {"sk BETWEEN :v AND :w", R"(":v": {"N": "-1.5"}, ":w": {"N": "10"})", "-1.5 0 1 10"},
                        {"sk BETWEEN :v AND :w", R"(":v": {"N": "2"}, ":w": {"N": "9"})", ""},
                        {"sk BETWEEN :v AND :w", R"(":v": {"N": "1"}, ":w": {"N": "1"})", "1"}});
}

TEST_CASE("conditions on a string as sort key") {
  DynamoDb db;
  db.create_table(the_table, "S", "S");
  put_sort_keys(db, "S", {"a", "ab", "abc", "ac", "b", "\xf4\x8f\xbf\xbf"});  // the last: U+10FFFF
  const std::string ab = R"(":v": {"S": "ab"})";
  check_selections(db, {{"sk = :v", ab, "ab"},
                        {"sk < :v", ab, "a"},
                        {"sk <= :v", ab, "a ab"},
                        {"sk > :v", ab, "abc ac b \xf4\x8f\xbf\xbf"},
                        {"sk >= :v", ab, "ab abc ac b \xf4\x8f\xbf\xbf"},
                        {"begins_with(sk, :v)", ab, "ab abc"},
                        {"begins_with(sk, :v)", R"(":v": {"S": "a"})", "a ab abc ac"},
                        {"begins_with(sk, :v)", R"(":v": {"S": "abcd"})", ""},
                        {"begins_with(sk, :v)", "\":v\": {\"S\": \"\xf4\x8f\xbf\xbf\"}", "\xf4\x8f\xbf\xbf"},
                        {"sk BETWEEN :v AND :w", R"(":v": {"S": "aa"}, ":w": {"S": "ac"})", "ab abc ac"}});
}

TEST_CASE("conditions on a binary as sort key") {
  DynamoDb db;
  db.create_table(the_table, "S", "B");
  put_sort_keys(db, "B",
                {"AA==", "AAA=", "AP8=", "/w==", "//8=", "//8A"});  // 00, 0000, 00ff, ff, ffff, ffff00
  const std::string zero = R"(":v": {"B": "AA=="})";
  const std::string ff = R"(":v": {"B": "/w=="})";
  check_selections(
      db, {{"sk = :v", zero, "AA=="},
           {"sk > :v", zero, "AAA= AP8= /w== //8= //8A"},
           {"sk < :v", zero, ""},
           {"sk <= :v", zero, "AA=="},
           {"sk < :v", ff, "AA== AAA= AP8="},
           {"sk <= :v", ff, "AA== AAA= AP8= /w=="},
           {"sk > :v", ff, "//8= //8A"},
           {"begins_with(sk, :v)", zero, "AA== AAA= AP8="},
           {"begins_with(sk, :v)", ff, "/w== //8= //8A"},
           {"begins_with(sk, :v)", R"(":v": {"B": "//8="})", "//8= //8A"},
           {"sk BETWEEN :v AND :w", R"(":v": {"B": "AAA="}, ":w": {"B": "/w=="})", "AAA= AP8= /w=="}});
}

TEST_CASE("clauses in either order, the value on either side, parentheses singly or as a whole") {
  DynamoDb db;
  db.create_table(the_table, "S", "N");
  put_sort_keys(db, "N", {"1", "2", "3"});
  const std::string values = R"(":p": {"S": "a"}, ":s": {"N": "2"})";
  const std::vector<std::pair<std::string, std::string>> conditions = {
      {"pk = :p AND sk > :s", "3"},       {"sk > :s AND pk = :p", "3"},
      {":s <= sk AND pk = :p", "2 3"},    {":p = pk AND :s > sk", "1"},
      {":s = sk and :p = pk", "2"},       {":s >= sk AND :p = pk", "1 2"},
      {":s < sk AND :p = pk", "3"},       {"(pk = :p) AND (sk >= :s)", "2 3"},
      {"(pk = :p AND sk >= :s)", "2 3"},  {"(pk = :p) AND sk >= :s", "2 3"},
      {"((pk = :p) AND (sk < :s))", "1"},
  };
  for (const auto& [text, sort_keys] : conditions) {
    INFO(text);
    CHECK(column(items_of(db, "Query", key_condition(text, values)), "sk") == sort_keys);
  }
  CHECK(
      column(items_of(db, "Query", key_condition("#p = :p AND #s = :s", values, R"("#p": "pk", "#s": "sk")")),
             "sk") == "2");
}

TEST_CASE("what a key condition is refused for whatever the table") {
  DynamoDb db;
  const std::string values =
      R"(":p": {"S": "a"}, ":s": {"S": "s"}, ":t": {"S": "t"}, ":n": {"N": "1"}, ":yes": {"BOOL": true})";
  const std::string operand =
      prefix + "Incorrect operand type for operator or function; operator or function: ";
  const std::string one_a_key = prefix + "KeyConditionExpressions must only contain one condition per key";
  const std::string parentheses = prefix + "The expression has redundant parentheses;";
  const std::vector<std::pair<std::string, std::string>> conditions = {
      {"", prefix + "The expression can not be empty;"},
      {"pk = ", prefix + R"(Syntax error; token: "<EOF>", near: "=")"},
      {"pk = :p AND name = :s", prefix + "Attribute name is a reserved keyword; reserved keyword: name"},
      {"#p = :p",
       prefix + "An expression attribute name used in the document path is not defined; attribute name: #p"},
      {"pk = :x",
       prefix + "An expression attribute value used in expression is not defined; attribute value: :x"},
      {"pk = :p AND begins_with(sk, :n)", operand + "begins_with, operand type: N"},
      {"pk = :p AND begins_with(sk, :yes)", operand + "begins_with, operand type: BOOL"},
      {"pk = :p AND sk <= :yes", operand + "<=, operand type: BOOL"},
      {"pk = :p AND sk BETWEEN :yes AND :s", operand + "BETWEEN, operand type: BOOL"},
      {"pk = :p AND sk BETWEEN :t AND :s",
       prefix + "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower "
                "bound "
                "operand: AttributeValue: {S:t}, upper bound operand: AttributeValue: {S:s}"},
      {"pk = :p AND sk BETWEEN :n AND :s",
       prefix +
           "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: "
           "AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:s}"},
      {"pk = :p AND pk = :s", one_a_key},
      {"pk = :p AND sk > :s AND sk < :t", one_a_key},
      {"pk.x = :p", prefix + "KeyConditionExpressions cannot have conditions on nested attributes"},
      {"((pk = :p)) AND sk = :s", parentheses},
      {"((pk = :p AND sk = :s))", parentheses},
      // Operand types before the number of conditions, and the first clause first.
      {"pk = :p AND sk = :s AND x < :yes", operand + "<, operand type: BOOL"},
      {"pk = :x AND sk < :yes",
       prefix + "An expression attribute value used in expression is not defined; attribute value: :x"},
      {"sk < :yes AND pk = :x", operand + "<, operand type: BOOL"},
  };
  for (const auto& [text, message] : conditions) {
    check_refusal(db, {"Query", key_condition(text, values), message});
  }
  // 4,096 bytes are allowed; the longer one is too long before it is wrong.
  const auto padded = [](std::size_t size) { return "pk = :p" + std::string(size - 8, ' ') + "x"; };
  check_refusal(db, {"Query", key_condition(padded(4096), values),
                     prefix + R"(Syntax error; token: "x", near: ":p)" + std::string(4088, ' ') + R"(x")"});
  CHECK_THAT(call_item(db, "Query", key_condition(padded(4097), values)).message(),
             Catch::StartsWith(prefix + "Expression size has exceeded the maximum allowed size;"));
}

TEST_CASE("operators that are none of a key condition's") {
  DynamoDb db;
  const std::string values = R"(":p": {"S": "a"}, ":s": {"S": "s"})";
  const std::vector<std::pair<std::string, std::string>> conditions = {
      {"pk = :p OR sk = :s", "OR"},
      {"pk = :p OR pk = :s", "OR"},
      {"NOT pk = :p", "NOT"},
      {"pk = :p AND sk IN (:s)", "IN"},
      {"pk = :p AND sk <> :s", "<>"},
      {"pk = :p AND attribute_exists(sk)", "attribute_exists"},
      {"pk = :p AND contains(sk, :s)", "contains"},
  };
  for (const auto& [text, name] : conditions) {
    check_refusal(db, {"Query", key_condition(text, values),
                       prefix + "Invalid operator used in KeyConditionExpression: " + name});
  }
}

TEST_CASE("what a key condition is refused for by the table's key") {
  DynamoDb db;
  db.create_table(the_table, "S", "N");
  const std::string values =
      R"(":p": {"S": "a"}, ":q": {"S": "b"}, ":n": {"N": "1"}, ":yes": {"BOOL": true}, ":e": {"S": ""})";
  const std::string missed = "Query condition missed key schema element: ";
  const std::string mismatch = invalid("Condition parameter type does not match schema type");
  const auto refused = [&](const std::string& text, const std::string& message) {
    check_refusal(db, {"Query", key_condition(text, used_in(text, values)), message});
  };
  refused("sk = :n", missed + "pk");
  refused("x = :p", missed + "pk");
  refused("sk = :n AND x = :p", missed + "pk");
  refused("pk = :p AND x = :n", missed + "sk");
  refused(
      "pk = :p AND sk = :n AND x = :p",
      "The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)");
  refused("pk < :p", "Query key condition not supported");
  refused("begins_with(pk, :p)", "Query key condition not supported");
  refused("pk BETWEEN :p AND :q", "Query key condition not supported");
  refused("pk = :n", mismatch);
  refused("pk = :yes", mismatch);
  refused("pk = :p AND sk = :q", mismatch);
  refused("pk = :p AND sk = :yes", mismatch);
  refused("pk = :p AND begins_with(sk, :q)", mismatch);
  refused(
      "pk = :e",
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
      "empty string value. Key: pk");
}

TEST_CASE("what depends on the table's key is checked after the table is found") {
  DynamoDb db;
  for (const std::string text :
       {"x = :p", "pk < :p", "begins_with(sk, :p)", "pk = :p AND sk = :p AND x = :p"}) {
    const Reply reply = call_item(db, "Query", key_condition(text, R"(":p": {"S": "a"})"));
    CHECK(reply.error() == "ResourceNotFoundException");
  }
}

TEST_CASE("a table without a sort key takes one condition") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string values = R"(":p": {"S": "a"}, ":s": {"S": "s"})";
  check_refusals(
      db,
      {{"Query", key_condition("pk = :p AND sk = :s", values),
        "The number of query conditions (2) exceeds the number of key attributes defined in the schema (1)"},
       {"Query", key_condition("x = :p", R"(":p": {"S": "a"})"),
        "Query condition missed key schema element: pk"}});
}

TEST_CASE("key values that no item can have are refused") {
  DynamoDb db;
  db.create_table(the_table, "S", "S");
  const auto query = [](std::size_t hash, std::size_t range) {
    return key_condition("pk = :p AND sk = :s", R"(":p": {"S": ")" + std::string(hash, 'x') +
                                                    R"("}, ":s": {"S": ")" + std::string(range, 'x') +
                                                    R"("})");
  };
  CHECK(ok_item(db, "Query", query(2048, 1024))["Count"] == 0);
  const std::string too_long =
      invalid("Aggregated size of all range keys has exceeded the size limit of 1024 bytes");
  check_refusals(db, {{"Query", query(2049, 1),
                       invalid("Size of hashkey has exceeded the maximum size limit of2048 bytes")},
                      {"Query", query(1, 1025), too_long}});
  const auto between = [](std::size_t high) {
    return key_condition(
        "pk = :p AND sk BETWEEN :s AND :t",
        R"(":p": {"S": "a"}, ":s": {"S": "a"}, ":t": {"S": ")" + std::string(high, 'x') + R"("})");
  };
  CHECK(ok_item(db, "Query", between(1024))["Count"] == 0);
  check_refusal(db, {"Query", between(1025), too_long});
}

}  // namespace test::query_key_conditions_test

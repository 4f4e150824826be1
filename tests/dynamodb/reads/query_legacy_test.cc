#include <catch2/catch.hpp>

#include "reads.h"
#include "support/tables.h"

// KeyConditions, QueryFilter, ScanFilter, AttributesToGet and ConditionalOperator of Query and Scan
// (docs/service/legacy-api.md sections 6 and 7). Reads refuse bare.
namespace test::query_legacy_test {
namespace {

/// `"<name>": {"ComparisonOperator": "<op>", "AttributeValueList": [<values>]}`
std::string compares(const std::string& name, const std::string& op, const std::string& values) {
  const std::string list = values.empty() ? "" : R"(, "AttributeValueList": [)" + values + "]";
  return '"' + name + R"(": {"ComparisonOperator": ")" + op + '"' + list + "}";
}

std::string keys(const std::string& conditions) {
  return R"("KeyConditions": {)" + conditions + "}";
}

const std::string is_a = compares("pk", "EQ", R"({"S": "a"})");
const std::string of_a = keys(is_a);

std::string query_filter(const std::string& conditions) {
  return of_a + R"(, "QueryFilter": {)" + conditions + "}";
}

std::string scan_filter(const std::string& conditions) {
  return R"("ScanFilter": {)" + conditions + "}";
}

void make_table(DynamoDb& db) {
  db.create_table(the_table, "S", "N");
  put_items(db, {R"({"pk": {"S": "a"}, "sk": {"N": "1"}, "x": {"N": "5"}, "yes": {"BOOL": true}})",
                 R"({"pk": {"S": "a"}, "sk": {"N": "2"}, "x": {"S": "five"}, "yes": {"BOOL": false}})",
                 R"({"pk": {"S": "a"}, "sk": {"N": "3"}, "t": {"NS": ["1", "2"]}, "u": {"NULL": true}})",
                 R"({"pk": {"S": "a"}, "sk": {"N": "10"}, "x": {"N": "7"}, "l": {"L": [{"S": "e"}]}})"});
}

/// Both operations refuse what they have in common.
void check_both_refuse(DynamoDb& db, const std::string& conditions, const std::string& message) {
  check_refusals(db,
                 {{"Query", query_filter(conditions), message}, {"Scan", scan_filter(conditions), message}});
}

}  // namespace

TEST_CASE("KeyConditions select by the key") {
  DynamoDb db;
  make_table(db);
  const auto selected = [&](const std::string& op, const std::string& values) {
    return column(items_of(db, "Query", keys(is_a + ", " + compares("sk", op, values))), "sk");
  };
  CHECK(column(items_of(db, "Query", of_a), "sk") == "1 2 3 10");
  CHECK(column(items_of(db, "Query", of_a + R"(, "ScanIndexForward": false)"), "sk") == "10 3 2 1");
  CHECK(selected("EQ", R"({"N": "2.0"})") == "2");
  CHECK(selected("LE", R"({"N": "2"})") == "1 2");
  CHECK(selected("LT", R"({"N": "2"})") == "1");
  CHECK(selected("GE", R"({"N": "2"})") == "2 3 10");
  CHECK(selected("GT", R"({"N": "2"})") == "3 10");
  CHECK(selected("BETWEEN", R"({"N": "2"}, {"N": "3"})") == "2 3");
  CHECK(column(items_of(db, "Query", keys(compares("sk", "GT", R"({"N": "2"})") + ", " + is_a)), "sk") ==
        "3 10");
  DynamoDb strings;
  strings.create_table(the_table, "S", "S");
  for (const std::string sk : {"a", "ab", "abc", "b"})
    put_items(strings, {R"({"pk": {"S": "a"}, "sk": {"S": ")" + sk + R"("}})"});
  const std::string begins = compares("sk", "BEGINS_WITH", R"({"S": "ab"})");
  CHECK(column(items_of(strings, "Query", keys(is_a + ", " + begins)), "sk") == "ab abc");
}

TEST_CASE("KeyConditions page as any query") {
  DynamoDb db;
  make_table(db);
  const auto pages = pages_of(db, "Query", of_a + R"(, "Limit": 3)");
  CHECK(pages.size() == 2);
  CHECK(column(items_of(pages), "sk") == "1 2 3 10");
}

TEST_CASE("malformed KeyConditions") {
  DynamoDb db;
  make_table(db);
  const std::string one = R"({"N": "1"})";
  const std::string no_index_operation = "Attempted conditional constraint is not an indexable operation";
  const std::string mismatch = invalid("Condition parameter type does not match schema type");
  const auto with_a = [](const std::string& condition) { return keys(is_a + ", " + condition); };
  check_refusals(
      db,
      {{"Query", keys(compares("sk", "EQ", one)), "Query condition missed key schema element: pk"},
       {"Query", keys(compares("x", "EQ", one)), "Query condition missed key schema element: pk"},
       {"Query", with_a(compares("x", "EQ", one)), "Query condition missed key schema element: sk"},
       {"Query", with_a(compares("sk", "EQ", one) + ", " + compares("x", "EQ", one)),
        "Conditions can be of length 1 or 2 only"},
       {"Query", keys(""), "Conditions can be of length 1 or 2 only"},
       {"Query", keys(compares("pk", "LT", R"({"S": "a"})")), "Query key condition not supported"},
       {"Query", with_a(compares("sk", "NE", one)), no_index_operation},
       {"Query", with_a(compares("sk", "IN", one)), no_index_operation},
       {"Query", with_a(compares("sk", "CONTAINS", one)), no_index_operation},
       {"Query", with_a(compares("sk", "NOT_CONTAINS", one)), no_index_operation},
       {"Query", with_a(compares("sk", "NULL", "")), no_index_operation},
       {"Query", with_a(compares("sk", "NOT_NULL", "")), no_index_operation},
       {"Query", with_a(compares("sk", "EQ", R"({"S": "1"})")), mismatch},
       {"Query", with_a(compares("sk", "EQ", R"({"BOOL": true})")), mismatch},
       {"Query", with_a(compares("sk", "BEGINS_WITH", R"({"S": "1"})")), mismatch},
       {"Query", keys(compares("pk", "EQ", one)), mismatch},
       {"Query", with_a(compares("sk", "EQ", "")),
        invalid("Invalid number of argument(s) for the EQ ComparisonOperator")},
       {"Query", with_a(compares("sk", "EQ", one + ", " + one)),
        invalid("Invalid number of argument(s) for the EQ ComparisonOperator")},
       {"Query", with_a(compares("sk", "BETWEEN", one)),
        invalid("Invalid number of argument(s) for the BETWEEN ComparisonOperator")},
       {"Query", with_a(compares("sk", "BEGINS_WITH", one)),
        invalid("ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type")},
       {"Query", with_a(compares("sk", "LT", R"({"BOOL": true})")),
        invalid("ComparisonOperator LT is not valid for BOOL AttributeValue type")},
       {"Query", with_a(compares("sk", "BETWEEN", R"({"N": "1"}, {"S": "2"})")),
        invalid("AttributeValues inside AttributeValueList must be of same type")},
       {"Query", with_a(compares("sk", "BETWEEN", R"({"N": "2"}, {"N": "1"})")),
        "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound"},
       {"Query", keys(compares("pk", "EQ", R"({"S": ""})")),
        "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain "
        "an "
        "empty string value. Key: pk"}});
  const Reply unknown = call_item(db, "Query", keys(compares("pk", "LIKE", R"({"S": "a"})")));
  CHECK(unknown.error() == "ValidationException");
  CHECK_THAT(unknown.message(),
             Catch::Contains("failed to satisfy constraint: Member must satisfy enum value set: ["));
}

TEST_CASE("QueryFilter and ScanFilter keep what they admit") {
  DynamoDb db;
  make_table(db);
  struct Filtering {
    std::string conditions;
    std::string sort_keys;
  };
  const std::vector<Filtering> filterings = {
      {compares("x", "EQ", R"({"N": "5.0"})"), "1"},
      {compares("yes", "EQ", R"({"BOOL": true})"), "1"},
      {compares("u", "EQ", R"({"NULL": true})"), "3"},
      {compares("t", "EQ", R"({"NS": ["2", "1.0"]})"), "3"},
      {compares("l", "EQ", R"({"L": [{"S": "e"}]})"), "10"},
      {compares("x", "NE", R"({"N": "5"})"), "2 3 10"},
      {compares("x", "LE", R"({"N": "5"})"), "1"},
      {compares("x", "LT", R"({"S": "g"})"), "2"},
      {compares("x", "GE", R"({"N": "6"})"), "10"},
      {compares("x", "GT", R"({"N": "4"})"), "1 10"},
      {compares("x", "BETWEEN", R"({"N": "6"}, {"N": "7"})"), "10"},
      {compares("x", "BEGINS_WITH", R"({"S": "fi"})"), "2"},
      {compares("x", "CONTAINS", R"({"S": "iv"})"), "2"},
      {compares("t", "CONTAINS", R"({"N": "2"})"), "3"},
      {compares("l", "CONTAINS", R"({"S": "e"})"), "10"},
      {compares("t", "NOT_CONTAINS", R"({"N": "2"})"), ""},
      {compares("t", "NOT_CONTAINS", R"({"N": "5"})"), "3"},
      {compares("x", "NOT_CONTAINS", R"({"S": "iv"})"), "1 10"},
      {compares("x", "IN", R"({"N": "5"}, {"N": "7"})"), "1 10"},
      {compares("x", "NULL", ""), "3"},
      {compares("u", "NOT_NULL", ""), "3"},
      {compares("x", "NOT_NULL", "") + ", " + compares("yes", "NOT_NULL", ""), "1 2"},
  };
  for (const auto& [conditions, sort_keys] : filterings) {
    INFO(conditions);
    const Json queried = ok_item(db, "Query", query_filter(conditions));
    CHECK(column(queried["Items"], "sk") == sort_keys);
    CHECK(queried["Count"] == queried["Items"].size());
    CHECK(queried["ScannedCount"] == 4);
    CHECK(ok_item(db, "Scan", scan_filter(conditions)) == queried);
  }
}

TEST_CASE("Limit counts rows before a legacy filter") {
  DynamoDb db;
  make_table(db);
  const std::string conditions = compares("x", "EQ", R"({"N": "7"})");
  for (const auto& [operation, members] :
       {std::pair<std::string, std::string>("Query", query_filter(conditions)),
        {"Scan", scan_filter(conditions)}}) {
    const auto pages = pages_of(db, operation, members + R"(, "Limit": 2)");
    REQUIRE(pages.size() == 3);
    CHECK(pages[0]["Count"] == 0);
    CHECK(pages[0]["ScannedCount"] == 2);
    CHECK(column(items_of(pages), "sk") == "10");
  }
}

namespace {

/// The rows 1 to 4 of one partition: a local index on l against their order, a global one on g and n with it,
/// and one of two hash and two range attributes.
void make_indexed_table(DynamoDb& db) {
  db.ok("CreateTable", table_request("Tab", "pk sk:N", "l:N g n:N",
                                     {global_index("global", "g", "n"), global_index("hashes", "g pk"),
                                      global_index("ranges", "g", "n l"), local_index("local", "l")}));
  for (int row = 1; row <= 4; ++row) {
    const std::string number = std::to_string(row);
    put_items(db, {R"({"pk": {"S": "a"}, "sk": {"N": ")" + number + R"("}, "l": {"N": ")" +
                   std::to_string(-row) + R"("}, "g": {"S": "g"}, "n": {"N": ")" + number +
                   R"("}, "x": {"N": ")" + std::to_string(row % 2) + "\"}}"});
  }
}

std::string in_index(const std::string& index, const std::string& members) {
  return R"("IndexName": ")" + index + R"(", )" + members;
}

}  // namespace

TEST_CASE("KeyConditions select by the key of an index") {
  DynamoDb db;
  make_indexed_table(db);
  const std::string is_g = compares("g", "EQ", R"({"S": "g"})");
  const auto selected = [&](const std::string& index, const std::string& conditions) {
    return column(items_of(db, "Query", in_index(index, keys(conditions))), "sk");
  };
  CHECK(selected("local", is_a) == "4 3 2 1");
  CHECK(selected("local", is_a + ", " + compares("l", "LT", R"({"N": "-2"})")) == "4 3");
  CHECK(selected("local", is_a + ", " + compares("l", "BETWEEN", R"({"N": "-3"}, {"N": "-2"})")) == "3 2");
  CHECK(selected("global", is_g) == "1 2 3 4");
  CHECK(selected("global", is_g + ", " + compares("n", "GE", R"({"N": "3"})")) == "3 4");
  CHECK(selected("hashes", is_g + ", " + is_a) == "3 2 4 1");  // all have this key: see scan_order_test.cc
  CHECK(selected("ranges", is_g + ", " + compares("n", "EQ", R"({"N": "3"})")) == "3");
  // As many conditions as the key has attributes.
  CHECK(selected("ranges", is_g + ", " + compares("n", "EQ", R"({"N": "3"})") + ", " +
                               compares("l", "GT", R"({"N": "-4"})")) == "3");
  const auto pages =
      pages_of(db, "Query", in_index("global", keys(is_g) + R"(, "Limit": 3, "ScanIndexForward": false)"));
  CHECK(column(items_of(pages), "sk") == "4 3 2 1");
  check_refusals(
      db,
      {{"Query", in_index("local", keys(is_a + ", " + compares("sk", "EQ", R"({"N": "1"})"))),
        "Query condition missed key schema element: l"},
       {"Query", in_index("global", keys(is_a)), "Query condition missed key schema element: g"},
       {"Query", in_index("hashes", keys(is_g)),
        "HASH key attributes pk must have equality conditions specified in the query"},
       {"Query", in_index("ranges", keys(compares("n", "EQ", R"({"N": "3"})"))),
        "HASH key attributes g must have equality conditions specified in the query"},
       {"Query", in_index("global", keys(is_g + ", " + compares("n", "GE", R"({"S": "3"})"))),
        invalid("Condition parameter type does not match schema type")},
       {"Query", in_index("ranges", keys(is_g + ", " + compares("l", "EQ", R"({"N": "1"})"))),
        "RANGE key attributes n must have equality conditions specified in the query because a condition is "
        "present on key attribute l"},
       {"Query",
        in_index("global", keys(is_g + ", " + compares("n", "EQ", R"({"N": "3"})") + ", " +
                                compares("l", "EQ", R"({"N": "-3"})"))),
        "Conditions can be of length 1 or 2 only"},
       {"Query",
        in_index("ranges",
                 keys(is_g + ", " + compares("n", "EQ", R"({"N": "3"})") + ", " +
                      compares("l", "EQ", R"({"N": "-3"})") + ", " + compares("x", "EQ", R"({"N": "1"})"))),
        "The number of query conditions (4) exceeds the number of key attributes defined in the schema "
        "(3)"}});
}

TEST_CASE("a QueryFilter on an index leaves the index's key alone, and the table's need not") {
  DynamoDb db;
  make_indexed_table(db);
  const auto filtered = [](const std::string& conditions) {
    return R"(, "QueryFilter": {)" + conditions + "}";
  };
  const std::string of_g = keys(compares("g", "EQ", R"({"S": "g"})"));
  const std::string odd = filtered(compares("x", "EQ", R"({"N": "1"})"));
  CHECK(column(items_of(db, "Query", in_index("local", of_a) + odd), "sk") == "3 1");
  CHECK(column(items_of(db, "Query", in_index("global", of_g) + odd), "sk") == "1 3");
  CHECK(column(
            items_of(db, "Query", in_index("global", of_g) + filtered(compares("sk", "GT", R"({"N": "2"})"))),
            "sk") == "3 4");
  const auto refused = [](const std::string& attribute) {
    return "QueryFilter can only contain non-primary key attributes: Primary key attribute: " + attribute;
  };
  const auto exists = [&](const std::string& attribute) {
    return filtered(compares(attribute, "NOT_NULL", ""));
  };
  check_refusals(db, {{"Query", in_index("local", of_a) + exists("l"), refused("l")},
                      {"Query", in_index("global", of_g) + exists("n"), refused("n")},
                      {"Query", in_index("ranges", of_g) + exists("l"), refused("l")}});
}

TEST_CASE("ConditionalOperator ANDs or ORs the conditions of a filter") {
  DynamoDb db;
  make_table(db);
  const std::string two = compares("x", "EQ", R"({"N": "5"})") + ", " + compares("u", "NOT_NULL", "");
  const auto kept = [&](const std::string& combined) {
    const std::string members = R"(, "ConditionalOperator": ")" + combined + '"';
    const std::string queried = column(items_of(db, "Query", query_filter(two) + members), "sk");
    CHECK(column(items_of(db, "Scan", scan_filter(two) + members), "sk") == queried);
    return queried;
  };
  CHECK(kept("OR") == "1 3");
  CHECK(kept("AND") == "");
}

TEST_CASE("ConditionalOperator needs two conditions of a filter to combine") {
  DynamoDb db;
  const std::string combined = R"(, "ConditionalOperator": "OR")";
  const std::string two =
      "ConditionalOperator can only be used when Filter or Expected has two or more elements";
  const std::string none = "ConditionalOperator cannot be used without Filter or Expected";
  check_refusals(db, {{"Query", query_filter(compares("x", "NULL", "")) + combined, two},
                      {"Scan", scan_filter(compares("x", "NULL", "")) + combined, two},
                      {"Query", of_a + combined, none},
                      {"Scan", combined.substr(2), none}});
}

TEST_CASE("a value too deep is reported before a ConditionalOperator out of place") {
  DynamoDb db;
  std::string deep = R"({"S": "x"})";
  for (int i = 0; i < 40; ++i) deep = R"({"L": [)" + deep + "]}";
  check_refusal(db,
                {"Scan", scan_filter(compares("x", "EQ", deep)) + R"(, "ConditionalOperator": "AND")",
                 "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
                 "beyond supported limit"});
}

TEST_CASE("malformed filters") {
  DynamoDb db;
  const std::string one = R"({"N": "1"})";
  check_both_refuse(db, compares("x", "EQ", ""),
                    invalid("Invalid number of argument(s) for the EQ ComparisonOperator"));
  check_both_refuse(db, compares("x", "NULL", one),
                    invalid("Invalid number of argument(s) for the NULL ComparisonOperator"));
  check_both_refuse(db, compares("x", "BETWEEN", one + ", " + one + ", " + one),
                    invalid("Invalid number of argument(s) for the BETWEEN ComparisonOperator"));
  check_both_refuse(db, compares("x", "BEGINS_WITH", one),
                    invalid("ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type"));
  check_both_refuse(db, compares("x", "CONTAINS", R"({"L": []})"),
                    invalid("ComparisonOperator CONTAINS is not valid for L AttributeValue type"));
  check_both_refuse(db, compares("x", "IN", one + R"(, {"S": "1"})"),
                    invalid("AttributeValues inside AttributeValueList must be of same type"));
  check_both_refuse(
      db, compares("x", "BETWEEN", R"({"S": "b"}, {"S": "a"})"),
      "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound");
}

TEST_CASE("numbers of legacy conditions are read before they are compared") {
  DynamoDb db;
  const std::string no_number = "The parameter cannot be converted to a numeric value: x";
  const std::vector<std::pair<std::string, std::string>> comparisons = {
      {"EQ", R"({"N": "x"})"},
      {"LT", R"({"N": "x"})"},
      {"BETWEEN", R"({"N": "x"}, {"N": "1"})"},
      {"BETWEEN", R"({"N": "x"}, {"N": "-1"})"},
      {"BETWEEN", R"({"N": "1"}, {"N": "x"})"}};
  for (const auto& [op, values] : comparisons) {
    check_both_refuse(db, compares("x", op, values), no_number);
    check_refusal(db, {"Query", keys(is_a + ", " + compares("sk", op, values)), no_number});
  }
}

TEST_CASE("a QueryFilter leaves the key alone, a ScanFilter need not") {
  DynamoDb db;
  make_table(db);
  check_refusals(db,
                 {{"Query", query_filter(compares("sk", "EQ", R"({"N": "1"})")),
                   "QueryFilter can only contain non-primary key attributes: Primary key attribute: sk"},
                  {"Query", query_filter(compares("pk", "NOT_NULL", "")),
                   "QueryFilter can only contain non-primary key attributes: Primary key attribute: pk"}});
  CHECK(column(items_of(db, "Scan", scan_filter(compares("sk", "GT", R"({"N": "2"})"))), "sk") == "3 10");
}

TEST_CASE("AttributesToGet picks attributes of every row") {
  DynamoDb db;
  make_table(db);
  const std::string to_get = R"("AttributesToGet": ["sk", "x"])";
  const Json items = items_of(db, "Query", of_a + ", " + to_get);
  CHECK(items == Json::parse(R"([{"sk": {"N": "1"}, "x": {"N": "5"}}, {"sk": {"N": "2"}, "x": {"S": "five"}},
                                 {"sk": {"N": "3"}}, {"sk": {"N": "10"}, "x": {"N": "7"}}])"));
  CHECK(items_of(db, "Scan", to_get) == items);
  const std::string nameless = R"("AttributesToGet": ["x", ""])";
  check_refusals(db, {{"Query", of_a + ", " + nameless, "Empty attribute name"},
                      {"Scan", nameless, "Empty attribute name"},
                      {"GetItem", nameless, "Empty attribute name"},
                      {"Query", query_filter(compares("", "NULL", "")), "Empty attribute name"},
                      {"Scan", scan_filter(compares("", "NULL", "")), "Empty attribute name"}});
  const std::string twice = R"("AttributesToGet": ["x", "A", "A"])";
  check_refusals(db, {{"Query", of_a + ", " + twice, invalid("Duplicate value in attribute name: A")},
                      {"Scan", twice, invalid("Duplicate value in attribute name: A")}});
  for (const std::string operation : {"Query", "Scan"}) {
    const Reply empty = call_item(db, operation, of_a + R"(, "AttributesToGet": [])");
    CHECK(empty.error() == "ValidationException");
    CHECK_THAT(empty.message(), Catch::EndsWith("Member must have length greater than or equal to 1"));
  }
}

TEST_CASE("legacy parameters and expressions exclude each other") {
  DynamoDb db;
  const auto mixed = [](const std::string& legacy, const std::string& expressions) {
    return "Can not use both expression and non-expression parameters in the same request: Non-expression "
           "parameters: {" +
           legacy + "} Expression parameters: {" + expressions + "}";
  };
  const std::string by_key = key_condition("pk = :p", R"(":p": {"S": "a"})");
  const std::string null_x = compares("x", "NULL", "");
  check_refusals(db, {{"Query", by_key + ", " + of_a, mixed("KeyConditions", "KeyConditionExpression")},
                      {"Query", by_key + R"(, "QueryFilter": {)" + null_x + "}",
                       mixed("QueryFilter", "KeyConditionExpression")},
                      {"Query", by_key + R"(, "AttributesToGet": ["x"])",
                       mixed("AttributesToGet", "KeyConditionExpression")},
                      {"Query", by_key + R"(, "ConditionalOperator": "AND")",
                       mixed("ConditionalOperator", "KeyConditionExpression")},
                      {"Query", of_a + R"(, "FilterExpression": "x = y", "QueryFilter": {)" + null_x + "}",
                       mixed("QueryFilter", "FilterExpression")},
                      {"Query", of_a + R"(, "ProjectionExpression": "x", "ConditionalOperator": "OR")",
                       mixed("ConditionalOperator", "ProjectionExpression")},
                      {"Query", of_a + R"(, "FilterExpression": "x = y", "AttributesToGet": ["x"])",
                       mixed("AttributesToGet", "FilterExpression")},
                      {"Scan", scan_filter(null_x) + R"(, "FilterExpression": "x = y")",
                       mixed("ScanFilter", "FilterExpression")},
                      {"Scan", R"("AttributesToGet": ["x"], "ProjectionExpression": "x")",
                       mixed("AttributesToGet", "ProjectionExpression")},
                      {"Scan", scan_filter(null_x) + R"(, "ProjectionExpression": "x")",
                       mixed("ScanFilter", "ProjectionExpression")},
                      {"Query", of_a + R"(, "ExpressionAttributeValues": {":v": {"S": "v"}})",
                       "ExpressionAttributeValues can only be specified when using expressions"},
                      {"Query", of_a + R"(, "ExpressionAttributeNames": {"#n": "n"})",
                       "ExpressionAttributeNames can only be specified when using expressions"}});
  // Every member of both families is named.
  check_refusal(
      db, {"Query",
           query_filter(null_x) + ", " + by_key +
               R"(, "ConditionalOperator": "OR", "FilterExpression": "x = y", "AttributesToGet": ["x"])",
           mixed("AttributesToGet, QueryFilter, ConditionalOperator, KeyConditions",
                 "FilterExpression, KeyConditionExpression")});
}

TEST_CASE("KeyConditions may be used with filter and projection expressions") {
  DynamoDb db;
  make_table(db);
  const std::string values =
      R"(, "ExpressionAttributeNames": {"#x": "x"}, "ExpressionAttributeValues": {":n": {"N": "5"}})";
  CHECK(items_of(db, "Query",
                 of_a + R"(, "FilterExpression": "#x > :n", "ProjectionExpression": "sk, #x")" + values) ==
        Json::parse(R"([{"sk": {"N": "10"}, "x": {"N": "7"}}])"));
  CHECK(items_of(db, "Query", of_a + R"(, "ProjectionExpression": "u", "Limit": 3)") ==
        Json::parse(R"([{}, {}, {"u": {"NULL": true}}])"));
  check_refusal(db,
                {"Query", of_a + R"(, "FilterExpression": "sk > x")",
                 "Filter Expression can only contain non-primary key attributes: Primary key attribute: sk"});
}

TEST_CASE("an operator that no key has is reported late") {
  DynamoDb db;
  const std::string query = keys(is_a + ", " + compares("sk", "NE", R"({"N": "1"})"));
  CHECK(call_item(db, "Query", query).error() == "ResourceNotFoundException");
  // But not so many that no table's key has them.
  const std::string three = is_a + ", " + compares("x", "NULL", "") + ", " + compares("y", "NULL", "");
  check_refusal(db, {"Query", keys(three), "Conditions can be of length 1 or 2 only"});
  make_table(db);
  check_refusals(
      db, {{"Query", query + R"(, "IndexName": "none")", "The table does not have the specified index: none"},
           {"Query", query + R"(, "ExclusiveStartKey": {"pk": {"S": "a"}})",
            "The provided starting key is invalid"},
           {"Query", query, "Attempted conditional constraint is not an indexable operation"}});
}

}  // namespace test::query_legacy_test

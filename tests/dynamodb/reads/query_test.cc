#include <catch2/catch.hpp>

#include "reads.h"

// docs/service/query-scan.md sections 1 and 4. Reads refuse bare.
namespace test::query_test {
namespace {

const std::string of_a = key_condition("pk = :p", R"(":p": {"S": "a"})");

void make_table(DynamoDb& db) {
  db.create_table(the_table, "S", "N");
  for (const std::string pk : {"a", "b"}) {
    for (const std::string sk : {"3", "-1", "20", "0.5"})
      put_items(db, {R"({"pk": {"S": ")" + pk + R"("}, "sk": {"N": ")" + sk + R"("}, "x": {"S": "x"}})"});
  }
}

}  // namespace

TEST_CASE("a query answers with items and counts") {
  DynamoDb db;
  db.create_table(the_table, "S", "N");
  CHECK(call_item(db, "Query", of_a).body == R"({"Items":[],"Count":0,"ScannedCount":0})");
  put_items(db, {R"({"pk": {"S": "a"}, "sk": {"N": "1"}})"});
  CHECK(call_item(db, "Query", of_a).body ==
        R"({"Items":[{"pk":{"S":"a"},"sk":{"N":"1"}}],"Count":1,"ScannedCount":1})");
}

TEST_CASE("a query reads one partition, ascending by the sort key unless asked otherwise") {
  DynamoDb db;
  make_table(db);
  CHECK(column(items_of(db, "Query", of_a), "sk") == "-1 0.5 3 20");
  CHECK(column(items_of(db, "Query", of_a), "pk") == "a a a a");
  CHECK(column(items_of(db, "Query", of_a + R"(, "ScanIndexForward": true)"), "sk") == "-1 0.5 3 20");
  CHECK(column(items_of(db, "Query", of_a + R"(, "ScanIndexForward": false)"), "sk") == "20 3 0.5 -1");
  CHECK(items_of(db, "Query", key_condition("pk = :p", R"(":p": {"S": "none"})")).empty());
  CHECK(items_of(db, "Query", key_condition("pk = :p", R"(":p": {"S": "aa"})")).empty());
}

TEST_CASE("strings sort by their UTF-8 bytes") {
  DynamoDb db;
  db.create_table(the_table, "S", "S");
  // U+FFFD sorts before U+1F600, which it would not by UTF-16 units.
  for (const std::string sk : {"b", "a", "aa", "B", "ab", "a-", "é", "�", "😀", "10", "9"})
    put_items(db, {R"({"pk": {"S": "a"}, "sk": {"S": ")" + sk + R"("}})"});
  CHECK(column(items_of(db, "Query", of_a), "sk") == "10 9 B a a- aa ab b é � 😀");
}

TEST_CASE("binaries sort by their bytes, unsigned") {
  DynamoDb db;
  db.create_table(the_table, "S", "B");
  // ff, 01, 0102, 02, 00, 80 and 0100
  for (const std::string sk : {"/w==", "AQ==", "AQI=", "Ag==", "AA==", "gA==", "AQA="})
    put_items(db, {R"({"pk": {"S": "a"}, "sk": {"B": ")" + sk + R"("}})"});
  CHECK(column(items_of(db, "Query", of_a), "sk") == "AA== AQ== AQA= AQI= Ag== gA== /w==");
}

TEST_CASE("numbers sort by value over their whole range") {
  DynamoDb db;
  db.create_table(the_table, "S", "N");
  const std::string nines(38, '9');
  for (const std::string sk : {"10", "9", "-9", "-10", "0", "0.1", "-0.1", "1E2", "99.5", "1E-130", "-1E-130",
                               "12345678901234567890", "12345678901234567890.5"})
    put_items(db, {R"({"pk": {"S": "a"}, "sk": {"N": ")" + sk + R"("}})"});
  const std::string zeros(129, '0');
  CHECK(column(items_of(db, "Query", of_a), "sk") ==
        "-10 -9 -0.1 -0." + zeros + "1 0 0." + zeros +
            "1 0.1 9 10 99.5 100 12345678901234567890 12345678901234567890.5");
}

TEST_CASE("a table without a sort key has one row a partition") {
  DynamoDb db;
  for (const std::string type : {"S", "N", "B"}) {
    DynamoDb fresh;
    fresh.create_table(the_table, type);
    const std::string value = R"({")" + type + R"(": ")" + (type == "N" ? "12" : "AQ==") + R"("})";
    put_items(fresh, {R"({"pk": )" + value + R"(, "x": {"S": "x"}})"});
    CHECK(ok_item(fresh, "Query", key_condition("pk = :p", R"(":p": )" + value))["Count"] == 1);
  }
}

TEST_CASE("a number's spelling does not matter to a key condition") {
  DynamoDb db;
  db.create_table(the_table, "N", "N");
  put_items(db, {R"({"pk": {"N": "100"}, "sk": {"N": "0.50"}})"});
  CHECK(ok_item(db, "Query",
                key_condition("pk = :p AND sk = :s", R"(":p": {"N": "1e2"}, ":s": {"N": ".5"})"))["Count"] ==
        1);
}

TEST_CASE("a consistent query answers the same") {
  DynamoDb db;
  make_table(db);
  CHECK(ok_item(db, "Query", of_a + R"(, "ConsistentRead": true)") == ok_item(db, "Query", of_a));
}

TEST_CASE("a query names its partition") {
  DynamoDb db;
  const std::string none =
      "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.";
  check_refusals(db, {{"Query", "", none}, {"Query", filter("x = :x", R"(":x": {"S": "x"})"), none}});
}

TEST_CASE("constraints of the model on a query") {
  DynamoDb db;
  make_table(db);
  const auto both = [&](const std::string& members) { return of_a + ", " + members; };
  check_refusals(
      db,
      {{"Query", both(R"("Limit": 0)"),
        enveloped(
            "Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal "
            "to 1")},
       {"Query", both(R"("Limit": -1)"),
        enveloped(
            "Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal "
            "to 1")},
       {"Query", both(R"("ReturnConsumedCapacity": "ALL")"),
        enveloped("Value 'ALL' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy "
                  "enum value set: [INDEXES, TOTAL, NONE]")},
       {"Query", both(R"("TableName": "bad table!@#")"),
        enveloped(
            "Value 'bad table!@#' at 'tableName' failed to satisfy constraint: Member must satisfy regular "
            "expression pattern: [a-zA-Z0-9_.-]+")},
       {"Query", both(R"("TableName": null)"),
        enveloped("Value null at 'tableName' failed to satisfy constraint: Member must not be null")},
       {"Query", both(R"("IndexName": "in")"),
        enveloped(
            "Value 'in' at 'indexName' failed to satisfy constraint: Member must have length greater than "
            "or equal to 3")}});
}

TEST_CASE("several bad enums of a query are reported together") {
  DynamoDb db;
  const Reply both =
      call_item(db, "Query", of_a + R"(, "ReturnConsumedCapacity": "ALL", "Select": "INVALID_VALUE")");
  CHECK(both.error() == "ValidationException");
  CHECK_THAT(both.message(), Catch::Contains("Value 'ALL' at 'returnConsumedCapacity' failed"));
  // ConditionalOperator alone, bare, before a bad Select and before the table is looked for.
  check_refusal(db, {"Query",
                     R"("TableName": "Nothing", "KeyConditions": {"pk": {"ComparisonOperator": "EQ",
                         "AttributeValueList": [{"S": "a"}]}}, "ConditionalOperator": "XOR", "Select": "INVALID",
                         "QueryFilter": {"x": {"ComparisonOperator": "NULL"}, "y": {"ComparisonOperator": "NULL"}})",
                     "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]"});
}

TEST_CASE("a query of an unknown table or index is refused") {
  DynamoDb db;
  const Reply reply = call_item(db, "Query", of_a);
  CHECK(reply.error() == "ResourceNotFoundException");
  CHECK(reply.message() == "Requested resource not found");
  make_table(db);
  check_refusals(
      db, {{"Query", of_a + R"(, "IndexName": "nope")", "The table does not have the specified index: nope"},
           {"Query", of_a + R"(, "IndexName": "nope", "ConsistentRead": true)",
            "The table does not have the specified index: nope"}});
}

TEST_CASE("a query takes a table's ARN for its name") {
  DynamoDb db;
  make_table(db);
  const Json arn = db.ok("DescribeTable", {{"TableName", the_table}})["Table"]["TableArn"];
  CHECK(ok_item(db, "Query", of_a + R"(, "TableName": )" + arn.dump())["Count"] == 4);
  CHECK(ok_item(db, "Scan", R"("TableName": )" + arn.dump())["Count"] == 8);
}

TEST_CASE("what is wrong with a query is reported in order") {
  DynamoDb db;
  make_table(db);
  // Each request has its own mistake and all that come after it in the list.
  std::string rest = R"("ExclusiveStartKey": {"nope": {"S": "x"}})";
  std::vector<Refusal> refusals;
  refusals.push_back({"Query", rest + ", " + of_a, "The provided starting key is invalid"});
  refusals.push_back({"Query", rest + ", " + key_condition("nope = :p", R"(":p": {"S": "a"})"),
                      "Query condition missed key schema element: pk"});
  refusals.push_back(
      {"Query", rest + ", " + key_condition("nope = :p", R"(":p": {"S": "a"})") + R"(, "IndexName": "nope")",
       "The table does not have the specified index: nope"});
  const std::string bad_number = R"("ExclusiveStartKey": {"nope": {"N": "x"}}, "TableName": "Nothing", )" +
                                 key_condition("nope = :p", R"(":p": {"S": "a"})");
  refusals.push_back({"Query", bad_number, "The parameter cannot be converted to a numeric value: x"});
  refusals.push_back({"Query", bad_number + R"(, "FilterExpression": "a = :none")",
                      "Invalid FilterExpression: An expression attribute value used in expression is not "
                      "defined; attribute value: :none"});
  refusals.push_back(
      {"Query", bad_number + R"(, "ProjectionExpression": "a, a")",
       "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or "
       "rewrite one of these paths; path one: [a], path two: [a]"});
  refusals.push_back(
      {"Query", bad_number + R"(, "ProjectionExpression": "a, a", "Select": "COUNT")",
       enveloped("Cannot specify the ProjectionExpression when choosing to get only the Count")});
  refusals.push_back({"Query", bad_number + R"(, "AttributesToGet": ["a"], "Select": "COUNT")",
                      "Can not use both expression and non-expression parameters in the same request: "
                      "Non-expression parameters: {AttributesToGet} Expression parameters: "
                      "{KeyConditionExpression}"});
  refusals.push_back(
      {"Query", bad_number + R"(, "AttributesToGet": ["a"], "Select": "COUNT", "Limit": 0)",
       enveloped("Value at 'Limit' failed to satisfy constraint: Member must have value greater "
                 "than or equal to 1")});
  refusals.push_back({"Query", R"("AttributesToGet": ["a"], "Select": "COUNT")",
                      "Either the KeyConditions or KeyConditionExpression parameter must be specified in the "
                      "request."});
  for (const Refusal& refusal : refusals) check_refusal(db, refusal);
}

TEST_CASE("operand types and projections of a query are checked before the table is looked for") {
  DynamoDb db;
  check_refusals(
      db,
      {{"Query", key_condition("pk = :p AND begins_with(sk, :n)", R"(":p": {"S": "a"}, ":n": {"N": "1"})"),
        "Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or "
        "function: begins_with, operand type: N"},
       {"Query", of_a + R"(, "FilterExpression": "x < :p AND y > :n")",
        "Invalid FilterExpression: An expression attribute value used in expression is not defined; "
        "attribute value: :n"},
       {"Query", of_a + R"(, "ProjectionExpression": "a.b, a")",
        "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite "
        "one of these paths; path one: [a, b], path two: [a]"}});
}

TEST_CASE("an empty filter or projection is reported before anything that is wrong with the key condition") {
  DynamoDb db;
  for (const std::string key : {"pk = ", "pk < :p OR", "status = :p", ""}) {
    const std::string query = R"("KeyConditionExpression": ")" + key + '"';
    check_refusals(db, {{"Query", query + R"(, "FilterExpression": "")",
                         "Invalid FilterExpression: The expression can not be empty;"},
                        {"Query", query + R"(, "ProjectionExpression": "")",
                         "Invalid ProjectionExpression: The expression can not be empty;"}});
  }
}

TEST_CASE("placeholders of a query are defined once for all its expressions, and all used") {
  DynamoDb db;
  make_table(db);
  const std::string shared =
      R"(, "FilterExpression": "#x = :x AND pk_copy <> :p", "ProjectionExpression": "#s, #x",
      "ExpressionAttributeNames": {"#x": "x", "#s": "sk"})";
  const auto query = [&](const std::string& values) {
    return key_condition("pk = :p AND #s > :s", values) + shared;
  };
  CHECK(items_of(db, "Query", query(R"(":p": {"S": "a"}, ":s": {"N": "2"}, ":x": {"S": "x"})")) ==
        Json::parse(R"([{"sk": {"N": "3"}, "x": {"S": "x"}}, {"sk": {"N": "20"}, "x": {"S": "x"}}])"));
  check_refusals(
      db,
      {{"Query", query(R"(":p": {"S": "a"}, ":s": {"N": "2"}, ":x": {"S": "x"}, ":y": {"S": "y"})"),
        "Value provided in ExpressionAttributeValues unused in expressions: keys: {:y}"},
       {"Query", of_a + R"(, "ExpressionAttributeNames": {"#unused": "u"})",
        "Value provided in ExpressionAttributeNames unused in expressions: keys: {#unused}"},
       {"Query", of_a + R"(, "ExpressionAttributeNames": {})", "ExpressionAttributeNames must not be empty"},
       {"Query", R"("KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {})",
        "ExpressionAttributeValues must not be empty"}});
}

}  // namespace test::query_test

#include <algorithm>
#include <set>

#include <catch2/catch.hpp>

#include "dynamodb/value_places.h"
#include "reads.h"

// docs/service/query-scan.md sections 1, 3 and 5; values.md for the older wording. Reads refuse bare.
namespace test::scan_test {
namespace {

Json one_row() {
  return Json::parse(R"([{"pk": {"S": "a"}}])");
}

}  // namespace

TEST_CASE("a scan answers with items and counts") {
  DynamoDb db;
  db.create_table(the_table);
  CHECK(call_item(db, "Scan").body == R"({"Items":[],"Count":0,"ScannedCount":0})");
  put_items(db, {R"({"pk": {"S": "a"}})"});
  CHECK(call_item(db, "Scan").body == R"({"Items":[{"pk":{"S":"a"}}],"Count":1,"ScannedCount":1})");
  CHECK(ok_item(db, "Scan", R"("ConsistentRead": true)")["Items"] == one_row());
}

TEST_CASE("a scan reads every row once, the rows of a partition together in order, always the same") {
  DynamoDb db;
  db.create_table(the_table, "S", "N");
  std::vector<std::string> partitions;
  for (int pk = 0; pk < 50; ++pk) {
    partitions.push_back("p" + std::to_string(pk));
    for (const std::string sk : {"7", "-3", "0"})
      put_items(db, {R"({"pk": {"S": ")" + partitions.back() + R"("}, "sk": {"N": ")" + sk + R"("}})"});
  }
  const Json items = items_of(db, "Scan", "");
  REQUIRE(items.size() == 150);
  std::vector<std::string> seen;
  for (std::size_t i = 0; i < items.size(); i += 3) {
    const Json partition = {items[i], items[i + 1], items[i + 2]};
    const std::string pk = partition[0]["pk"]["S"];
    CHECK(column(partition, "pk") == pk + " " + pk + " " + pk);
    CHECK(column(partition, "sk") == "-3 0 7");
    seen.push_back(pk);
  }
  CHECK_FALSE(std::ranges::is_sorted(seen));  // by hash
  std::ranges::sort(seen);
  std::ranges::sort(partitions);
  CHECK(seen == partitions);
  CHECK(items_of(db, "Scan", "") == items);
}

TEST_CASE("constraints of the model on a scan") {
  DynamoDb db;
  check_refusals(
      db,
      {{"Scan", R"("Limit": 0)",
        enveloped(
            "Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal "
            "to 1")},
       {"Scan", R"("Select": "INVALID_VALUE")",
        enveloped(
            "Value 'INVALID_VALUE' at 'select' failed to satisfy constraint: Member must satisfy enum value "
            "set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]")},
       {"Scan", R"("ReturnConsumedCapacity": "ALL")",
        enveloped(
            "Value 'ALL' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum "
            "value set: [INDEXES, TOTAL, NONE]")},
       {"Scan", R"("ConditionalOperator": "XOR")",
        enveloped(
            "Value 'XOR' at 'conditionalOperator' failed to satisfy constraint: Member must satisfy enum "
            "value set: [OR, AND]")},
       {"Scan", R"("Segment": -1, "TotalSegments": 2)",
        enveloped(
            "Value '-1' at 'segment' failed to satisfy constraint: Member must have value greater than or "
            "equal to 0")},
       {"Scan", R"("Segment": 0, "TotalSegments": 0)",
        enveloped(
            "Value '0' at 'totalSegments' failed to satisfy constraint: Member must have value greater than "
            "or equal to 1")},
       {"Scan", R"("Segment": 0, "TotalSegments": 1000001)",
        enveloped(
            "Value '1000001' at 'totalSegments' failed to satisfy constraint: Member must have value less "
            "than or equal to 1000000")},
       {"Scan", R"("Segment": 1000000, "TotalSegments": 1000000)",
        enveloped(
            "Value '1000000' at 'segment' failed to satisfy constraint: Member must have value less than or "
            "equal to 999999")},
       {"Scan", R"("TableName": null)",
        enveloped("Value null at 'tableName' failed to satisfy constraint: Member must not be null")}});
}

TEST_CASE("a scan of an unknown table or index is refused") {
  DynamoDb db;
  const Reply reply = call_item(db, "Scan");
  CHECK(reply.error() == "ResourceNotFoundException");
  CHECK(reply.message() == "Requested resource not found");
  db.create_table(the_table);
  check_refusal(db, {"Scan", R"("IndexName": "nope")", "The table does not have the specified index: nope"});
}

TEST_CASE("a bad projection or filter of a scan is refused on an empty table and on none") {
  for (const bool exists : {true, false}) {
    DynamoDb db;
    if (exists) db.create_table(the_table);
    check_refusals(
        db,
        {{"Scan", projection("a, a"),
          "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or "
          "rewrite one of these paths; path one: [a], path two: [a]"},
         {"Scan", filter("a = b ="), R"(Invalid FilterExpression: Syntax error; token: "=", near: "b =")"},
         {"Scan", projection("a") + R"(, "ExpressionAttributeNames": {"#n": "n"})",
          "Value provided in ExpressionAttributeNames unused in expressions: keys: {#n}"}});
  }
}

TEST_CASE("a scan projects as any read, and keys are not added") {
  DynamoDb db;
  db.create_table(the_table);
  put_items(db, {R"({"pk": {"S": "a"}, "m": {"M": {"x": {"N": "1"}, "y": {"N": "2"}}}})"});
  CHECK(items_of(db, "Scan", projection("m.x")) == Json::parse(R"([{"m": {"M": {"x": {"N": "1"}}}}])"));
  CHECK(items_of(db, "Scan", projection("nothing")) == Json::parse("[{}]"));
  CHECK(items_of(db, "Scan", R"("AttributesToGet": ["m"])") ==
        Json::parse(R"([{"m": {"M": {"x": {"N": "1"}, "y": {"N": "2"}}}}])"));
  CHECK(items_of(db, "Scan", R"("AttributesToGet": ["nothing"])") == Json::parse("[{}]"));
}

TEST_CASE("expression values of a scan are refused in the older words, wrapped") {
  DynamoDb db;
  std::string deep = R"({"S": "x"})";
  for (int i = 0; i < 32; ++i) deep = R"({"L": [)" + deep + "]}";
  const std::string no_number = "The parameter cannot be converted to a numeric value";
  const std::vector<std::pair<std::string, std::string>> values = {
      {R"({"N": "x"})", no_number + ": x"},
      {R"({"N": ""})", no_number},
      {R"({"N": "1E126"})",
       "Number overflow. Attempting to store a number with magnitude larger than supported range"},
      {R"({"N": "1E-131"})",
       "Number underflow. Attempting to store a number with magnitude smaller than supported range"},
      {R"({"N": "1e99999999999"})", no_number + ": 1e99999999999"},
      {R"({"N": "1e-2147483648"})", no_number + ": 1e-2147483648"},
      {R"({"N": "1e2147483647"})",
       "Number underflow. Attempting to store a number with magnitude smaller than supported range"},
      {R"({"N": "123456789012345678901234567890123456789"})",
       "Attempting to store more than 38 significant digits in a Number"},
      {R"({"SS": []})", invalid("An string set  may not be empty")},
      {R"({"NS": []})", invalid("An number set  may not be empty")},
      {R"({"BS": []})", invalid("Binary sets should not be empty")},
      {R"({"SS": ["b", "a", "b"]})", invalid("Input collection [b, a, b] contains duplicates.")},
      {R"({"BS": ["/w==", "AA==", "AA=="]})",
       invalid("Input collection [/w==, AA==, AA==]of type BS contains duplicates.")},
      {R"({"NS": ["2", "1", "2"]})", "Input collection contains duplicates"},
      {R"({"NULL": false})", invalid("Null attribute value types must have the value of true")},
      {deep,
       "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond "
       "supported "
       "limit"},
  };
  for (const auto& [value, message] : values) {
    check_refusal(db, {"Scan", filter("x = :v", R"(":v": )" + value),
                       "ExpressionAttributeValues contains invalid value: " + message + " for key :v"});
    const std::string legacy = R"("ScanFilter": {"x": {"ComparisonOperator": "EQ", "AttributeValueList": [)";
    check_refusal(db, {"Scan", legacy + value + "]}}", message});
    const ValuePlace start_key{"Scan", R"("ExclusiveStartKey": {"pk": )", "}", false, true};
    check_refusal(db, {"Scan", start_key.members(value), start_key.bare(message)});
  }
}

TEST_CASE("expression values that cannot be compared are refused for what they are, wrapped") {
  DynamoDb db;
  const auto wrapped = [](const std::string& sentence) {
    return "ExpressionAttributeValues contains invalid value: " + sentence + " for key :v";
  };
  check_refusals(
      db, {{"Scan", filter("x BETWEEN :w AND :v", R"(":w": {"N": "5"}, ":v": {"N": "bad"})"),
            wrapped("The parameter cannot be converted to a numeric value: bad")},
           {"Scan", filter("x < :v", R"(":v": {})"),
            wrapped("Supplied AttributeValue is empty, must contain exactly one of the supported "
                    "datatypes")},
           {"Scan", filter("begins_with(x, :v)", R"(":v": {"S": "a", "N": "1"})"),
            wrapped("Supplied AttributeValue has more than one datatypes set, must contain exactly one of "
                    "the supported datatypes")}});
}

TEST_CASE("expression maps of a scan without an expression, in the older words") {
  DynamoDb db;
  check_refusals(
      db,
      {{"Scan", R"("ExpressionAttributeNames": {"#n": "n"})",
        "ExpressionAttributeNames can only be specified when using expressions: FilterExpression is null"},
       {"Scan", R"("ExpressionAttributeValues": {":v": {"S": "v"}})",
        "ExpressionAttributeValues can only be specified when using expressions: FilterExpression is null"}});
}

}  // namespace test::scan_test

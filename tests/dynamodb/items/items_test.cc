#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"

// PutItem, GetItem, UpdateItem, DeleteItem: what is stored and what keys must look like
// (docs/service/items.md sections 1 to 3 and 5).
namespace test::items_test {
namespace {

const std::vector<std::string_view> by_key = {"GetItem", "UpdateItem", "DeleteItem"};

}  // namespace

TEST_CASE("successful writes without wishes answer an empty object") {
  DynamoDb db;
  db.create_table(the_table);
  for (const auto operation : {"PutItem", "UpdateItem", "DeleteItem"}) {
    const Reply reply = call_item(db, operation);
    CHECK(reply.status == 200);
    CHECK(reply.body == "{}");
  }
}

TEST_CASE("GetItem tells no item from nothing selected") {
  DynamoDb db;
  db.create_table(the_table);
  CHECK(call_item(db, "GetItem").body == "{}");
  store_item(db, R"("x": {"N": "1"})");
  CHECK(ok_item(db, "GetItem") == Json{{"Item", {{"pk", {{"S", "a"}}}, {"x", {{"N", "1"}}}}}});
  CHECK(ok_item(db, "GetItem", R"("ProjectionExpression": "nothing")") == Json{{"Item", Json::object()}});
}

TEST_CASE("both read modes see the write before") {
  DynamoDb db;
  db.create_table(the_table);
  for (const auto n : {"1", "2"}) {
    store_item(db, R"("x": {"N": ")" + std::string(n) + "\"}");
    for (const auto mode : {"true", "false"}) {
      const Json answer = ok_item(db, "GetItem", R"("ConsistentRead": )" + std::string(mode));
      CHECK(answer["Item"]["x"]["N"] == n);
    }
  }
}

TEST_CASE("PutItem replaces the whole item") {
  DynamoDb db;
  db.create_table(the_table);
  store_item(db, R"("old": {"N": "1"}, "both": {"M": {"x": {"N": "1"}}})");
  store_item(db, R"("new": {"N": "2"}, "both": {"M": {}})");
  CHECK(stored_attributes(db) == Json::parse(R"({"new": {"N": "2"}, "both": {"M": {}}})"));
}

TEST_CASE("what needs escapes in JSON is stored and read back, however it was escaped") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string name = R"(n\"a\\m\ne)";
  const std::string value = R"(tab\t quote\" backslash\\ slash\/ bell\u0007 e\u00e9)";
  const std::string item = '"' + name + R"(": {"S": ")" + value + R"("}, "m": {"M": {")" + name +
                           R"(": {"S": ")" + value + "\"}}}";
  const Json wanted = Json::parse("{" + item + "}");
  store_item(db, item);
  CHECK(stored_attributes(db) == wanted);
  db.ok("BatchWriteItem",
        Json::parse(R"({"RequestItems": {"Tab": [{"PutRequest": {"Item": {"pk": {"S": "b\""}, )" + item +
                    "}}}]}}"));
  Json by_name = Json::parse(R"({"TableName": "Tab", "FilterExpression": "#n = :v AND m.#n = :v"})");
  by_name["ExpressionAttributeNames"]["#n"] = Json::parse('"' + name + '"');
  by_name["ExpressionAttributeValues"][":v"]["S"] = Json::parse('"' + value + '"');
  CHECK(db.ok("Scan", by_name).at("Count") == 2);
}

TEST_CASE("UpdateItem creates what is missing and changes nothing without an update") {
  DynamoDb db;
  db.create_table(the_table);
  ok_item(db, "UpdateItem");
  CHECK(db.get(the_table, key_a) == key_a);
  ok_item(db, "UpdateItem",
          R"("UpdateExpression": "SET x = :x", "ExpressionAttributeValues": {":x": {"S": "v"}})");
  CHECK(stored_attributes(db) == Json{{"x", {{"S", "v"}}}});
  ok_item(db, "UpdateItem");
  CHECK(stored_attributes(db) == Json{{"x", {{"S", "v"}}}});
}

TEST_CASE("DeleteItem of a missing item succeeds unless a condition fails") {
  DynamoDb db;
  db.create_table(the_table);
  CHECK(call_item(db, "DeleteItem").body == "{}");
  check_condition_failed(call_item(db, "DeleteItem", condition("attribute_exists(pk)")));
  ok_item(db, "DeleteItem", condition("attribute_not_exists(pk)"));
  store_item(db, "");
  ok_item(db, "DeleteItem", condition("attribute_exists(pk)"));
  CHECK(stored_attributes(db).is_null());
}

TEST_CASE("a failing condition changes nothing and creates nothing") {
  DynamoDb db;
  db.create_table(the_table);
  for (const auto operation : {"PutItem", "UpdateItem", "DeleteItem"}) {
    check_condition_failed(call_item(db, operation, condition("attribute_exists(pk)")));
    CHECK(stored_attributes(db).is_null());
  }
  store_item(db, R"("x": {"N": "1"})");
  for (const auto operation : {"PutItem", "UpdateItem", "DeleteItem"}) {
    check_condition_failed(call_item(db, operation, condition("attribute_not_exists(pk)")));
    CHECK(stored_attributes(db) == Json{{"x", {{"N", "1"}}}});
  }
}

TEST_CASE("values come back in canonical form") {
  DynamoDb db;
  db.create_table(the_table);
  store_item(db, R"("n": {"N": "+01.50"}, "ns": {"NS": ["1E2", "-0"]}, "ss": {"SS": ["b", "a"]},
                    "b": {"B": "AP8="}, "l": {"L": [{"N": "1.0"}, {"S": ""}, {"NULL": true}]},
                    "m": {"M": {"z": {"N": "00"}, "a": {"BOOL": false}}}, "bs": {"BS": ["AQ=="]})");
  Json stored = stored_attributes(db);
  for (const auto& [name, type] : {std::pair("ns", "NS"), {"ss", "SS"}}) {
    auto& members = stored[name][type];
    std::sort(members.begin(), members.end());
  }
  CHECK(stored == Json::parse(R"({"n": {"N": "1.5"}, "ns": {"NS": ["0", "100"]}, "ss": {"SS": ["a", "b"]},
                                  "b": {"B": "AP8="}, "l": {"L": [{"N": "1"}, {"S": ""}, {"NULL": true}]},
                                  "m": {"M": {"a": {"BOOL": false}, "z": {"N": "0"}}}, "bs": {"BS": ["AQ=="]}})"));
}

TEST_CASE("a Key that is not the table's is refused bare") {
  DynamoDb db;
  db.create_table(the_table, "S", "N");
  const std::vector<std::string> keys = {R"({"pk": {"S": "a"}})",
                                         R"({"sk": {"N": "1"}})",
                                         R"({"pk": {"S": "a"}, "other": {"N": "1"}})",
                                         R"({"pk": {"S": "a"}, "sk": {"N": "1"}, "x": {"N": "1"}})",
                                         R"({"pk": {"S": "a"}, "sk": {"S": "1"}})",
                                         R"({"pk": {"N": "1"}, "sk": {"N": "1"}})",
                                         R"({"pk": {"L": []}, "sk": {"N": "1"}})",
                                         R"({"pk": {"SS": ["a"]}, "sk": {"N": "1"}})",
                                         R"({"pk": {"NULL": true}, "sk": {"N": "1"}})",
                                         R"({"pk": {"S": ""}, "sk": {"S": ""}})",
                                         "{}"};
  for (const auto operation : by_key) {
    for (const auto& key : keys) {
      check_refusal(db, {operation, "\"Key\": " + key, "The provided key element does not match the schema"});
    }
  }
}

TEST_CASE("PutItem needs the key attributes in their types") {
  DynamoDb db;
  db.create_table(the_table, "S", "N");
  check_refusals(db, {{"PutItem", R"("Item": {"sk": {"N": "1"}})", invalid("Missing the key pk in the item")},
                      {"PutItem", R"("Item": {"pk": {"S": "a"}})", invalid("Missing the key sk in the item")},
                      {"PutItem", R"("Item": {})", invalid("Missing the key pk in the item")}});
  const std::vector<std::pair<std::string, std::string>> sent = {
      {"N", R"({"N": "1"})"},        {"B", R"({"B": "AQ=="})"},  {"BOOL", R"({"BOOL": true})"},
      {"NULL", R"({"NULL": true})"}, {"SS", R"({"SS": ["a"]})"}, {"NS", R"({"NS": ["1"]})"},
      {"BS", R"({"BS": ["AQ=="]})"}, {"L", R"({"L": []})"},      {"M", R"({"M": {}})"},
  };
  for (const auto& [type, value] : sent) {
    check_refusal(db, {"PutItem", R"("Item": {"sk": {"N": "1"}, "pk": )" + value + "}",
                       invalid("Type mismatch for key pk expected: S actual: " + type)});
  }
  check_refusal(db, {"PutItem", R"("Item": {"pk": {"S": "a"}, "sk": {"S": "1"}})",
                     invalid("Type mismatch for key sk expected: N actual: S")});
}

TEST_CASE("key values are not empty") {
  const std::string reason =
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
      "contain an empty ";
  for (const auto& [type, kind] : {std::pair<std::string, std::string>("S", "string"), {"B", "binary"}}) {
    DynamoDb db;
    db.create_table(the_table, type, type);
    const std::string empty = R"({")" + type + R"(": ""})";
    const std::string filled = R"({")" + type + R"(": "AQ=="})";
    const std::string no_hash = R"({"pk": )" + empty + R"(, "sk": )" + filled + "}";
    const std::string no_range = R"({"pk": )" + filled + R"(, "sk": )" + empty + "}";
    for (const std::string operation : {"PutItem", "GetItem", "UpdateItem", "DeleteItem"}) {
      const std::string member = operation == "PutItem" ? R"("Item": )" : R"("Key": )";
      check_refusals(db, {{operation, member + no_hash, reason + kind + " value. Key: pk"},
                          {operation, member + no_range, reason + kind + " value. Key: sk"}});
    }
  }
}

TEST_CASE("key values have a length limit") {
  DynamoDb db;
  db.create_table(the_table, "S", "S");
  const auto key = [](std::size_t hash, std::size_t range) {
    return R"({"pk": {"S": ")" + std::string(hash, 'h') + R"("}, "sk": {"S": ")" + std::string(range, 'r') +
           R"("}})";
  };
  for (const std::string operation : {"PutItem", "GetItem", "UpdateItem", "DeleteItem"}) {
    const std::string member = operation == "PutItem" ? R"("Item": )" : R"("Key": )";
    CHECK(call_item(db, operation, member + key(2048, 1024)).status == 200);
    check_refusals(
        db, {{operation, member + key(2049, 1),
              invalid("Size of hashkey has exceeded the maximum size limit of2048 bytes")},
             {operation, member + key(1, 1025),
              invalid("Aggregated size of all range keys has exceeded the size limit of 1024 bytes")}});
  }
}

TEST_CASE("a number is the same key however it is written") {
  DynamoDb db;
  db.create_table(the_table, "N", "N");
  db.put(the_table, Json::parse(R"({"pk": {"N": "1.0"}, "sk": {"N": "0100"}, "x": {"S": "v"}})"));
  for (const auto pk : {"1", "01", "1.0", "+1", "10e-1"}) {
    for (const auto sk : {"100", "1E2", "100.00"}) {
      const Json item = db.get(the_table, {{"pk", {{"N", pk}}}, {"sk", {{"N", sk}}}});
      CHECK(item == Json::parse(R"({"pk": {"N": "1"}, "sk": {"N": "100"}, "x": {"S": "v"}})"));
    }
  }
  CHECK(db.get(the_table, Json::parse(R"({"pk": {"N": "1"}, "sk": {"N": "-100"}})")).is_null());
}

TEST_CASE("string and binary keys are their bytes") {
  DynamoDb db;
  db.create_table(the_table, "B");
  for (const auto pk : {"AA==", "AAA=", "AP8=", "/w=="})
    db.put(the_table, {{"pk", {{"B", pk}}}, {"x", {{"S", pk}}}});
  for (const auto pk : {"AA==", "AAA=", "AP8=", "/w=="})
    CHECK(db.get(the_table, {{"pk", {{"B", pk}}}})["x"]["S"] == pk);
  db.create_table("Words");
  for (const auto pk : {"a", "A", "\xC3\xA4", "a "})
    db.put("Words", {{"pk", {{"S", pk}}}, {"x", {{"S", pk}}}});
  for (const auto pk : {"a", "A", "\xC3\xA4", "a "})
    CHECK(db.get("Words", {{"pk", {{"S", pk}}}})["x"]["S"] == pk);
}

TEST_CASE("an AttributeValue has exactly one type, said bare") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string none =
      "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
  const std::string several =
      "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported "
      "datatypes";
  for (const auto operation : by_key) {
    check_refusals(db, {{operation, R"("Key": {"pk": {}})", none},
                        {operation, R"("Key": {"pk": {"S": "a", "N": "1"}})", several}});
  }
  check_refusals(
      db,
      {{"PutItem", R"("Item": {"pk": {"S": "a"}, "x": {}})", none},
       {"PutItem", R"("Item": {"pk": {"S": "a"}, "x": {"S": "a", "NULL": true}})", several},
       {"PutItem", R"("Item": {"pk": {"S": "a"}, "x": {"L": [{}]}})", none},
       {"UpdateItem", R"("UpdateExpression": "SET x = :v", "ExpressionAttributeValues": {":v": {}})", none}});
}

TEST_CASE("an item over 400 KB is refused bare") {
  DynamoDb db;
  db.create_table(the_table);
  // pk: 2 + 1 bytes; b: 1 + length.
  const auto item = [](std::size_t length) {
    return R"("Item": {"pk": {"S": "a"}, "b": {"S": ")" + std::string(length, 'x') + R"("}})";
  };
  CHECK(call_item(db, "PutItem", item(409'600 - 4)).status == 200);
  check_refusal(db, {"PutItem", item(409'601 - 4), "Item size has exceeded the maximum allowed size"});
}

TEST_CASE("data operations do not name the missing table") {
  DynamoDb db;
  for (const auto operation : {"PutItem", "GetItem", "UpdateItem", "DeleteItem"}) {
    const Reply reply = call_item(db, operation);
    CHECK(reply.status == 400);
    CHECK(reply.error() == "ResourceNotFoundException");
    CHECK(reply.message() == "Requested resource not found");
  }
}

TEST_CASE("a table that is being created takes no data yet") {
  dinette::dynamodb::ServiceOptions options;
  options.state_delay = std::chrono::seconds(5);
  DynamoDb db(options);
  db.create_table(the_table);
  for (const auto operation : {"PutItem", "GetItem", "UpdateItem", "DeleteItem"}) {
    CHECK(call_item(db, operation).error() == "ResourceNotFoundException");
  }
  db.clock().advance(std::chrono::seconds(5));
  for (const auto operation : {"PutItem", "GetItem", "UpdateItem", "DeleteItem"}) {
    CHECK(call_item(db, operation).status == 200);
  }
}

TEST_CASE("TableName may be the table's ARN, which the answer repeats") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string arn = db.ok("DescribeTable", {{"TableName", the_table}})["Table"]["TableArn"];
  const std::string wishes = R"("ReturnConsumedCapacity": "TOTAL", "TableName": ")";
  for (const auto operation : {"PutItem", "GetItem", "UpdateItem", "DeleteItem"}) {
    CHECK(ok_item(db, operation, wishes + arn + '"')["ConsumedCapacity"]["TableName"] == arn);
    CHECK(ok_item(db, operation, wishes + "Tab\"")["ConsumedCapacity"]["TableName"] == "Tab");
    const std::string elsewhere = R"("TableName": "arn:aws:dynamodb:mars-north-1:000000000000:table/Tab")";
    CHECK(call_item(db, operation, elsewhere).refusal() ==
          enveloped("Value 'arn:aws:dynamodb:mars-north-1:000000000000:table/Tab' at 'tableName' failed to "
                    "satisfy constraint: Invalid AWS region"));
  }
}

}  // namespace test::items_test

#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"

// docs/service/names-limits.md section 2, for what is not the topic of another file.
namespace test::counts_test {
namespace {

const std::string size_exceeded = "Expression size has exceeded the maximum allowed size;";

Json string_attribute(const std::string& name) {
  return {{"AttributeName", name}, {"AttributeType", "S"}};
}
Json key_element(const std::string& name, std::string_view type) {
  return {{"AttributeName", name}, {"KeyType", type}};
}

Json two_keys() {
  return Json::array({key_element("pk", "HASH"), key_element("sk", "RANGE")});
}

Json new_table() {
  return {{"TableName", "Wide"},
          {"BillingMode", "PAY_PER_REQUEST"},
          {"KeySchema", two_keys()},
          {"AttributeDefinitions", Json::array({string_attribute("pk"), string_attribute("sk")})}};
}

std::vector<std::string> numbered(const std::string& front, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(front + std::to_string(i));
  return names;
}

/// Indexes named index0 and on, each projecting these attributes (all of them when there are none).
Json indexes(std::size_t count, const std::vector<std::string>& projected = {}) {
  Json projection = {{"ProjectionType", "ALL"}};
  if (!projected.empty()) projection = {{"ProjectionType", "INCLUDE"}, {"NonKeyAttributes", projected}};
  Json all = Json::array();
  for (const std::string& name : numbered("index", count)) {
    all.push_back({{"IndexName", name}, {"KeySchema", two_keys()}, {"Projection", projection}});
  }
  return all;
}

std::string create_error(const std::string& member, const Json& value) {
  DynamoDb db;
  Json table = new_table();
  table[member] = value;
  return db.call("CreateTable", table).error();
}

bool too_many(const std::string& error) {
  return error == "ValidationException" || error == "LimitExceededException";
}

/// A global index of these many HASH and RANGE attributes.
std::string error_of_key(std::size_t hashes, std::size_t ranges) {
  DynamoDb db;
  Json table = new_table();
  Json schema = Json::array();
  for (const std::string& name : numbered("h", hashes)) schema.push_back(key_element(name, "HASH"));
  for (const std::string& name : numbered("r", ranges)) schema.push_back(key_element(name, "RANGE"));
  for (const Json& element : schema)
    table["AttributeDefinitions"].push_back(string_attribute(element["AttributeName"]));
  table["GlobalSecondaryIndexes"] = {
      {{"IndexName", "wide"}, {"KeySchema", schema}, {"Projection", {{"ProjectionType", "ALL"}}}}};
  return db.call("CreateTable", table).error();
}

/// `text` brought to that many bytes by spaces, which count.
std::string padded(std::string text, std::size_t bytes) {
  return text.append(bytes - text.size(), ' ');
}

std::string repeat(std::string_view text, std::size_t times, std::string_view between) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all.append(i == 0 ? "" : between).append(text);
  return all;
}

std::string delete_if(const std::string& condition) {
  return R"("ConditionExpression":")" + condition + R"(","ExpressionAttributeValues":{":v":{"S":"x"}})";
}

}  // namespace

TEST_CASE("a table has up to 20 global and 5 local indexes") {
  CHECK(create_error("GlobalSecondaryIndexes", indexes(20)).empty());
  CHECK(too_many(create_error("GlobalSecondaryIndexes", indexes(21))));
  CHECK(create_error("LocalSecondaryIndexes", indexes(5)).empty());
  CHECK(too_many(create_error("LocalSecondaryIndexes", indexes(6))));
}

TEST_CASE("the key of a global index has up to 4 HASH and 4 RANGE attributes") {
  CHECK(error_of_key(4, 4).empty());
  CHECK(error_of_key(1, 0).empty());
  for (const auto& [hashes, ranges] : {std::pair(5U, 0U), std::pair(1U, 5U), std::pair(0U, 1U)}) {
    CHECK(error_of_key(hashes, ranges) == "ValidationException");
  }
}

TEST_CASE("an index projects up to 20 named attributes, of 1 to 255 characters") {
  CHECK(create_error("GlobalSecondaryIndexes", indexes(1, numbered("a", 20))).empty());
  CHECK(create_error("GlobalSecondaryIndexes", indexes(1, numbered("a", 21))) == "ValidationException");
  CHECK(create_error("GlobalSecondaryIndexes", indexes(1, {std::string(255, 'a')})).empty());
  CHECK(create_error("GlobalSecondaryIndexes", indexes(1, {std::string(256, 'a')})) == "ValidationException");
  CHECK(create_error("GlobalSecondaryIndexes", indexes(1, {"a", ""})) == "ValidationException");
}

TEST_CASE("the INCLUDE indexes of a table project up to 100 attributes together") {
  CHECK(create_error("GlobalSecondaryIndexes", indexes(5, numbered("a", 20))).empty());
  CHECK(too_many(create_error("GlobalSecondaryIndexes", indexes(6, numbered("a", 17)))));
}

TEST_CASE("a table has up to 50 tags") {
  const auto tags = [](std::size_t count) {
    Json all = Json::array();
    for (const std::string& key : numbered("tag", count)) all.push_back({{"Key", key}, {"Value", ""}});
    return all;
  };
  CHECK(create_error("Tags", tags(50)).empty());
  CHECK(create_error("Tags", tags(51)) == "ValidationException");
}

TEST_CASE("the key of a tag has 1 to 128 characters and its value up to 256") {
  const auto tag = [](std::size_t key, std::size_t value) {
    return Json::array({{{"Key", std::string(key, 'k')}, {"Value", std::string(value, 'v')}}});
  };
  CHECK(create_error("Tags", tag(1, 0)).empty());
  CHECK(create_error("Tags", tag(128, 256)).empty());
  for (const auto& [key, value] : {std::pair(0U, 0U), std::pair(129U, 0U), std::pair(1U, 257U)}) {
    CHECK(create_error("Tags", tag(key, value)) == "ValidationException");
  }
}

TEST_CASE("a resource policy has up to 20 KB, white space included") {
  const std::string policy =
      R"({"Statement":{"Effect":"Allow","Principal":{"AWS":"111122223333"},"Action":"dynamodb:GetItem","Resource":"*"}})";
  CHECK(create_error("ResourcePolicy", padded(policy, 20 * 1024)).empty());
  CHECK(create_error("ResourcePolicy", padded(policy, 20 * 1024 + 1)) == "ValidationException");
}

TEST_CASE("a page of ListTables has up to 100 names") {
  DynamoDb db;
  for (const std::string& name : numbered("table", 101)) db.create_table(name);
  const Json first = db.ok("ListTables", Json::object());
  REQUIRE(first["TableNames"].size() == 100);
  CHECK(first["LastEvaluatedTableName"] == first["TableNames"].back());
  const Json second = db.ok("ListTables", {{"ExclusiveStartTableName", first["LastEvaluatedTableName"]}});
  CHECK(second["TableNames"].size() == 1);
  CHECK_FALSE(second.contains("LastEvaluatedTableName"));
}

TEST_CASE("an expression has up to 4096 bytes of text as sent") {
  DynamoDb db;
  db.create_table(test::the_table);
  const auto update = [](const std::string& text) { return R"("UpdateExpression":")" + text + "\""; };
  const auto condition = [](const std::string& text) { return R"("ConditionExpression":")" + text + "\""; };
  const auto projection = [](const std::string& text) { return R"("ProjectionExpression":")" + text + "\""; };
  const std::string absent = "attribute_not_exists(x)";
  test::ok_item(db, "UpdateItem", update(padded("REMOVE x", 4096)));
  test::ok_item(db, "PutItem", condition(padded(absent, 4096)));
  test::ok_item(db, "GetItem", projection(padded("x", 4096)));
  test::check_refusal(db, {"UpdateItem", update(padded("REMOVE x", 4097)),
                           test::enveloped("Invalid UpdateExpression: " + size_exceeded)});
  for (const std::string_view operation : {"PutItem", "UpdateItem", "DeleteItem"}) {
    const auto reply = test::call_item(db, operation, condition(padded(absent, 4097)));
    CHECK(reply.refusal().starts_with(test::enveloped("Invalid ConditionExpression: " + size_exceeded)));
  }
  const auto reply = test::call_item(db, "GetItem", projection(padded("x", 4097)));
  CHECK(reply.refusal().starts_with("Invalid ProjectionExpression: " + size_exceeded));
}

TEST_CASE(
    "an expression that is too long reports its size and not its syntax, and counts bytes, not characters") {
  DynamoDb db;
  const std::string e_acute = "\xc3\xa9";
  const auto update = [](const std::string& text) { return R"("UpdateExpression":")" + text + "\""; };
  const std::string message = test::enveloped("Invalid UpdateExpression: " + size_exceeded);
  test::check_refusal(db, {"UpdateItem", update(padded("!!!", 4097)), message});
  test::check_refusal(db, {"UpdateItem", update(repeat(e_acute, 2049, "")), message});
  CHECK(test::call_item(db, "UpdateItem", update(repeat(e_acute, 2048, ""))).refusal().find("Syntax error") !=
        std::string::npos);
}

TEST_CASE("the size of an expression does not count names and values behind placeholders") {
  DynamoDb db;
  db.create_table(test::the_table);
  const std::string name(5000, 'n');
  test::ok_item(db, "UpdateItem",
                R"("UpdateExpression":"SET #n = :v","ExpressionAttributeNames":{"#n":")" + name +
                    R"("},"ExpressionAttributeValues":{":v":{"S":")" + name + R"("}})");
}

TEST_CASE("an expression has up to 300 operators and functions") {
  DynamoDb db;
  db.create_table(test::the_table);
  // 150 comparisons, 149 ANDs, and one NOT or two.
  test::check_condition_failed(
      test::call_item(db, "DeleteItem", delete_if("NOT " + repeat("a=:v", 150, " AND "))));
  CHECK(test::call_item(db, "DeleteItem", delete_if("NOT NOT " + repeat("a=:v", 150, " AND "))).error() ==
        "ValidationException");
}

TEST_CASE("IN has up to 100 operands") {
  DynamoDb db;
  db.create_table(test::the_table);
  test::check_condition_failed(
      test::call_item(db, "DeleteItem", delete_if("a IN (" + repeat(":v", 100, ",") + ")")));
  CHECK(test::call_item(db, "DeleteItem", delete_if("a IN (" + repeat(":v", 101, ",") + ")")).error() ==
        "ValidationException");
}

TEST_CASE("expression attribute names and values have up to 2 MB together") {
  DynamoDb db;
  db.create_table(test::the_table);
  constexpr std::size_t half = 1024 * 1024;
  constexpr std::size_t margin = 1000;  // what is counted besides names and values is not known
  const auto compare = [](std::size_t a, std::size_t b) {
    return R"("ConditionExpression":"x = :a OR #n = :b","ExpressionAttributeNames":{"#n":"n"},"ExpressionAttributeValues":{
        ":a":{"S":")" +
           std::string(a, 'a') + R"("},":b":{"S":")" + std::string(b, 'b') + R"("}})";
  };
  for (const std::string_view operation : {"PutItem", "UpdateItem", "DeleteItem"}) {
    test::check_condition_failed(test::call_item(db, operation, compare(half, half - margin)));
    CHECK(test::call_item(db, operation, compare(half, half + margin)).error() == "ValidationException");
  }
}

}  // namespace test::counts_test

#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"

// docs/service/names-limits.md section 1.
namespace test::names_test {
namespace {

std::string as_json(std::string_view text) {
  return Json(text).dump();
}

/// A table with a hash key of that name, and a global index where `index` is not empty.
Json table_with(std::string_view key, std::string_view index = "") {
  Json table = {{"TableName", "Keyed"},
                {"BillingMode", "PAY_PER_REQUEST"},
                {"KeySchema", {{{"AttributeName", key}, {"KeyType", "HASH"}}}},
                {"AttributeDefinitions", {{{"AttributeName", key}, {"AttributeType", "S"}}}}};
  if (index.empty()) return table;
  table["GlobalSecondaryIndexes"] = {
      {{"IndexName", index}, {"KeySchema", table["KeySchema"]}, {"Projection", {{"ProjectionType", "ALL"}}}}};
  return table;
}

/// The error of a request with these names or values, empty when it is accepted.
std::string update_error(std::string_view expression, const Json& names, const Json& values) {
  DynamoDb db;
  db.create_table(test::the_table);
  Json request = {{"TableName", test::the_table}, {"Key", test::key_a}, {"UpdateExpression", expression}};
  if (!names.is_null()) request["ExpressionAttributeNames"] = names;
  if (!values.is_null()) request["ExpressionAttributeValues"] = values;
  return db.call("UpdateItem", request).error();
}

}  // namespace

TEST_CASE("every operation takes a table's ARN for its name") {
  DynamoDb db;
  db.create_table("Music");
  const std::string arn = db.ok("DescribeTable", {{"TableName", "Music"}})["Table"]["TableArn"];
  CHECK(arn == "arn:aws:dynamodb:us-east-1:000000000000:table/Music");
  const std::string named = R"("TableName":)" + as_json(arn);
  for (const std::string_view operation : {"PutItem", "UpdateItem", "GetItem", "DeleteItem"})
    test::ok_item(db, operation, named);
  CHECK(db.ok("DescribeTable", {{"TableName", arn}})["Table"]["TableName"] == "Music");
  db.ok("UpdateTable", {{"TableName", arn}, {"DeletionProtectionEnabled", false}});
  db.ok("DeleteTable", {{"TableName", arn}});
  db.ok("CreateTable", [&] {
    Json table = table_with("pk");
    table["TableName"] = arn;
    return table;
  }());
  CHECK(db.ok("ListTables", Json::object())["TableNames"] == Json{"Music"});
}

TEST_CASE("an ARN of another region, account or table finds no table") {
  DynamoDb db;
  db.create_table(test::the_table);
  const std::vector<std::pair<std::string, std::string>> arns = {
      {"arn:aws:dynamodb:eu-west-1:000000000000:table/Tab", "ValidationException"},
      {"arn:aws:dynamodb:us-east-1:111111111111:table/Tab", "AccessDeniedException"},
      {"arn:aws:dynamodb:us-east-1:000000000000:table/Other", "ResourceNotFoundException"}};
  for (const auto& [arn, error] : arns) {
    CHECK(test::call_item(db, "GetItem", R"("TableName":)" + as_json(arn)).error() == error);
    CHECK(db.call("DescribeTable", Json{{"TableName", arn}}).error() == error);
  }
}

TEST_CASE("what only looks like a table's ARN is an ill-formed name") {
  DynamoDb db;
  db.create_table(test::the_table);
  for (const std::string_view name :
       {"arn:", "arn:aws:dynamodb:us-east-1:000000000000:Tab",
        "arn:aws:dynamodb:us-east-1:000000000000:table/", "arn:aws:dynamodb:us-east-1:000000000000:table/b!d",
        "arn:aws:sqs:us-east-1:000000000000:table/Tab"}) {
    CHECK(test::call_item(db, "GetItem", R"("TableName":)" + as_json(name)).error() == "ValidationException");
    CHECK(db.call("DescribeTable", Json{{"TableName", name}}).error() == "ValidationException");
  }
}

TEST_CASE("an index name has 3 to 255 characters of the same kind") {
  DynamoDb db;
  for (const std::string& name : {std::string("a"), std::string("ab"), std::string("a b"),
                                  std::string("abc!"), std::string(256, 'i')}) {
    CHECK(db.call("CreateTable", table_with("pk", name)).error() == "ValidationException");
  }
  db.ok("CreateTable", table_with("pk", "a-z_0.9"));
  db.ok("DeleteTable", {{"TableName", "Keyed"}});
  db.ok("CreateTable", table_with("pk", std::string(255, 'i')));
}

TEST_CASE("the name of a key attribute has 1 to 255 characters") {
  DynamoDb db;
  CHECK(db.call("CreateTable", table_with("")).error() == "ValidationException");
  CHECK(db.call("CreateTable", table_with(std::string(256, 'k'))).error() == "ValidationException");
  db.ok("CreateTable", table_with(std::string(255, 'k')));
}

TEST_CASE("the name of an attribute has up to 65535 bytes") {
  DynamoDb db;
  db.create_table(test::the_table);
  const auto named = [&](const std::string& name) {
    return test::call_item(db, "PutItem", R"("Item":{"pk":{"S":"a"},)" + as_json(name) + R"(:{"S":"x"}})");
  };
  CHECK(named(std::string(65'535, 'n')).status == 200);
  CHECK(named(std::string(65'536, 'n')).error() == "ValidationException");
  std::string accented;
  for (int i = 0; i < 32'767; ++i) accented += "\xc3\xa9";
  CHECK(named(accented + "n").status == 200);
  CHECK(named(accented + "nn").error() == "ValidationException");
  CHECK(update_error("SET #n = :v", {{"#n", std::string(65'535, 'n')}}, {{":v", {{"S", ""}}}}).empty());
  CHECK(update_error("SET #n = :v", {{"#n", std::string(65'536, 'n')}}, {{":v", {{"S", ""}}}}) ==
        "ValidationException");
  CHECK(update_error("SET #n = :v", {{"#n", ""}}, {{":v", {{"S", ""}}}}) == "ValidationException");
}

// Measured on the service for PutItem and UpdateItem, at the top and inside.
TEST_CASE("the name of an attribute that is too long gets one error in every place of every operation") {
  const std::string name = as_json(std::string(65'536, 'n'));
  const std::string message =
      "1 validation error detected: Attribute name is too large, must be less than 65536 bytes";
  const std::string value = R"({"S":"x"})";
  const std::string attribute = "{" + name + ":" + value + "}";
  const std::string nested = R"({"M":)" + attribute + "}";
  const std::string key = R"({"pk":{"S":"a"},)" + name + ":" + value + "}";
  const std::string item = R"({"pk":{"S":"a"},"d":{"L":[)" + nested + "]}}";
  const std::string names = R"("ExpressionAttributeNames":{"#n":)" + name + "}";
  const std::string values = R"("ExpressionAttributeValues":{":v":)" + nested + "}";
  const std::string expected = R"("Expected":{)" + name + R"(:{"Exists":false}})";
  const std::string equals_x =
      "{" + name + R"(:{"ComparisonOperator":"EQ","AttributeValueList":[)" + value + "]}}";
  const std::string attributes = R"("AttributesToGet":[)" + name + "]";
  const std::string of_a =
      R"("KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]}})";
  const std::string tab = R"("TableName":"Tab",)";
  const auto requests = [](const std::string& of_table) {
    return R"("TableName":null,"RequestItems":{"Tab":)" + of_table + "}";
  };
  const auto action = [&](const std::string& kind, const std::string& members) {
    return R"("TableName":null,"TransactItems":[{")" + kind + R"(":{)" + tab + members + "}}]";
  };
  const std::string of_key = R"("Key":{"pk":{"S":"a"}},)";
  const std::string if_n = R"~("ConditionExpression":"attribute_exists(#n)",)~" + names;
  const std::string if_v = R"("ConditionExpression":"d = :v",)" + values;
  const std::string set_v = R"("UpdateExpression":"SET d = :v",)" + values;
  DynamoDb db;
  db.create_table(test::the_table);
  for (const auto& [operation, members] : std::vector<std::pair<std::string, std::string>>{
           {"PutItem", R"("Item":)" + key},
           {"PutItem", R"("Item":)" + item},
           {"PutItem", expected},
           {"PutItem", if_n},
           {"PutItem", if_v},
           {"UpdateItem", R"("Key":)" + key},
           {"UpdateItem", R"("UpdateExpression":"SET #n = #n",)" + names},
           {"UpdateItem", set_v},
           {"UpdateItem", R"("AttributeUpdates":{)" + name + R"(:{"Action":"DELETE"}})"},
           {"UpdateItem", R"("AttributeUpdates":{"d":{"Value":)" + nested + "}}"},
           {"UpdateItem", expected},
           {"DeleteItem", R"("Key":)" + key},
           {"DeleteItem", if_n},
           {"DeleteItem", expected},
           {"GetItem", R"("Key":)" + key},
           {"GetItem", attributes},
           {"GetItem", R"("ProjectionExpression":"#n",)" + names},
           {"Query", R"("KeyConditions":)" + equals_x},
           {"Query", of_a + R"(,"QueryFilter":)" + equals_x},
           {"Query", of_a + "," + attributes},
           {"Query", of_a + R"(,"ExclusiveStartKey":)" + key},
           {"Query", of_a + R"~(,"FilterExpression":"attribute_exists(#n)",)~" + names},
           {"Query", of_a + R"(,"FilterExpression":"d = :v",)" + values},
           {"Scan", R"("ScanFilter":)" + equals_x},
           {"Scan", attributes},
           {"Scan", R"("ExclusiveStartKey":)" + key},
           {"Scan", R"~("FilterExpression":"attribute_exists(#n)",)~" + names},
           {"Scan", R"("FilterExpression":"d = :v",)" + values},
           {"BatchGetItem", requests(R"({"Keys":[)" + key + "]}")},
           {"BatchGetItem", requests(R"({"Keys":[{"pk":{"S":"a"}}],)" + attributes + "}")},
           {"BatchGetItem",
            requests(R"({"Keys":[{"pk":{"S":"a"}}],"ProjectionExpression":"#n",)" + names + "}")},
           {"BatchWriteItem", requests(R"([{"PutRequest":{"Item":)" + key + "}}]")},
           {"BatchWriteItem", requests(R"([{"PutRequest":{"Item":)" + item + "}}]")},
           {"BatchWriteItem", requests(R"([{"DeleteRequest":{"Key":)" + key + "}}]")},
           {"TransactWriteItems", action("Put", R"("Item":)" + key)},
           {"TransactWriteItems", action("Put", R"("Item":)" + item)},
           {"TransactWriteItems", action("Update", of_key + set_v)},
           {"TransactWriteItems", action("Update", of_key + R"("UpdateExpression":"SET #n = #n",)" + names)},
           {"TransactWriteItems", action("Delete", R"("Key":)" + key)},
           {"TransactWriteItems", action("ConditionCheck", of_key + if_n)},
           {"TransactWriteItems", action("ConditionCheck", of_key + if_v)},
           {"TransactGetItems", action("Get", R"("Key":)" + key)},
           {"TransactGetItems", action("Get", of_key + R"("ProjectionExpression":"#n",)" + names)},
           {"ExecuteStatement",
            R"("TableName":null,"Statement":"INSERT INTO \"Tab\" VALUE {'pk': 'a', 'd': ?}","Parameters":[)" +
                nested + "]"},
       }) {
    const std::size_t at = members.find("nnn");
    INFO(operation << " " << members.substr(0, at) << "..." << members.substr(at + 65'536));
    check_refusal(db, {operation, members, message});
  }
  CHECK(test::ok_item(db, "Scan")["Count"] == 0);
}

TEST_CASE("a placeholder has up to 255 characters, its mark included") {
  const Json x = {{"S", "x"}};
  const std::string longest(254, 'p');
  const std::string too_long(255, 'p');
  CHECK(update_error("SET #" + longest + " = :v", {{"#" + longest, "n"}}, {{":v", x}}).empty());
  CHECK(update_error("SET #" + too_long + " = :v", {{"#" + too_long, "n"}}, {{":v", x}}) ==
        "ValidationException");
  CHECK(update_error("SET n = :" + longest, nullptr, {{":" + longest, x}}).empty());
  CHECK(update_error("SET n = :" + too_long, nullptr, {{":" + too_long, x}}) == "ValidationException");
}

TEST_CASE("a placeholder is its mark and then letters, digits and underscores, digits also first") {
  const Json x = {{"S", "x"}};
  for (const std::string_view name : {"a", "5star", "_", "A_9"}) {
    INFO(name);
    const std::string path = "#" + std::string(name);
    const std::string value = ":" + std::string(name);
    CHECK(update_error("SET " + path + " = " + value, {{path, "n"}}, {{value, x}}).empty());
  }
  for (const std::string_view key : {"n", "#", "#a-b", "#a b", "#a.b", ":n", "#\xc3\xa9"}) {
    INFO(key);
    CHECK(update_error("SET #n = :v", {{"#n", "n"}, {key, "m"}}, {{":v", x}}) == "ValidationException");
  }
  for (const std::string_view key : {"v", ":", ":a-b", ":a b", "#v", ":\xc3\xa9"}) {
    INFO(key);
    CHECK(update_error("SET n = :v", nullptr, {{":v", x}, {key, x}}) == "ValidationException");
  }
}

}  // namespace test::names_test

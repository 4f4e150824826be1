#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"

// docs/service/names-limits.md sections 3, 4, 5 and 7; README.md, regional splits 1 and 2: as us-east-1.
namespace test::constraints_test {
namespace {

const std::string failed = " failed to satisfy constraint: ";
const std::string bad_capacity =
    "Value 'INVALID' at 'returnConsumedCapacity' failed to satisfy constraint: "
    "Member must satisfy enum value set: [INDEXES, TOTAL, NONE]";
const std::string bad_metrics =
    "Value 'INVALID' at 'returnItemCollectionMetrics' failed to satisfy constraint: "
    "Member must satisfy enum value set: [SIZE, NONE]";
const std::string bad_return_values =
    "Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, "
    "UPDATE_NEW, NONE]";
const std::string older_bad_return_values =
    "Value 'INVALID' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value set: "
    "[ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]";
const std::string older_bad_operator =
    "Value 'XOR' at 'conditionalOperator' failed to satisfy constraint: Member must satisfy enum value set: "
    "[OR, AND]";
const std::string name_pattern = "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+";
const std::string no_table_name = "Value null at 'tableName'" + failed + "Member must not be null";
const std::string no_key = "Value null at 'key'" + failed + "Member must not be null";
const std::string empty_table_name =
    "Value at 'TableName'" + failed + "Member must have length greater than or equal to 1";
const std::string older_empty_table_name =
    "Value '' at 'tableName'" + failed + "Member must have length greater than or equal to 1";

constexpr std::string_view rcc = R"("ReturnConsumedCapacity":"INVALID")";
constexpr std::string_view ricm = R"("ReturnItemCollectionMetrics":"INVALID")";
constexpr std::string_view return_values = R"("ReturnValues":"INVALID")";
constexpr std::string_view writes[] = {"PutItem", "UpdateItem", "DeleteItem"};

std::string members(std::initializer_list<std::string_view> all) {
  std::string text;
  for (const std::string_view one : all) text.append(text.empty() ? "" : ",").append(one);
  return text;
}

/// `n validation errors detected: ` before the joined sentences.
std::string aggregated(std::initializer_list<std::string> sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += (text.empty() ? "" : "; ") + sentence;
  return std::to_string(sentences.size()) + " validation error" + (sentences.size() == 1 ? "" : "s") +
         " detected: " + text;
}

std::string refused(std::string_view operation, const Json& body) {
  DynamoDb db;
  return db.call(operation, body).refusal();
}

Json new_table(std::string_view changes = "{}") {
  Json table = R"({"TableName":"Music","BillingMode":"PAY_PER_REQUEST",
      "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
      "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]})"_json;
  table.update(Json::parse(changes));
  return table;
}

}  // namespace

TEST_CASE("a member that is required and missing is named with the value null") {
  for (const std::string_view operation : writes) {
    DynamoDb db;
    test::check_refusal(db, {operation, R"("TableName":null)", aggregated({no_table_name})});
  }
  DynamoDb db;
  test::check_refusals(db, {{"PutItem", R"("Item":null)",
                             aggregated({"Value null at 'item'" + failed + "Member must not be null"})},
                            {"GetItem", R"("Key":null)", aggregated({no_key})},
                            {"UpdateItem", R"("Key":null)", aggregated({no_key})},
                            {"DeleteItem", R"("Key":null)", aggregated({no_key})}});
  for (const std::string_view operation : {"DescribeTable", "DeleteTable", "UpdateTable"}) {
    CHECK(refused(operation, Json::object()) == aggregated({no_table_name}));
  }
}

TEST_CASE("CreateTable has a sentence of its own for a missing TableName, alone and bare") {
  Json table = new_table(R"({"BillingMode":"INVALID"})");
  table.erase("TableName");
  CHECK(refused("CreateTable", table) ==
        "The parameter 'TableName' is required but was not present in the request");
}

TEST_CASE("a table name on single-item operations is echoed when it is too long or ill-formed") {
  DynamoDb db;
  const std::string too_long(256, 'x');
  for (const std::string_view operation : {"PutItem", "UpdateItem", "DeleteItem", "GetItem"}) {
    test::check_refusals(db, {{operation, R"("TableName":")" + too_long + "\"",
                               aggregated({"Value '" + too_long + "' at 'tableName'" + failed +
                                           "Member must have length less than or equal to 255"})},
                              {operation, R"("TableName":"bad table!@#")",
                               aggregated({"Value 'bad table!@#' at 'tableName'" + failed + name_pattern})},
                              {operation, R"("TableName":"x!")",
                               aggregated({"Value 'x!' at 'tableName'" + failed + name_pattern})}});
    const auto longest = test::call_item(db, operation, R"("TableName":")" + std::string(255, 'x') + "\"");
    CHECK(longest.error() == "ResourceNotFoundException");
  }
}

TEST_CASE("a table name of one or two characters continues to the lookup on operations on items") {
  DynamoDb db;
  const std::string of_a =
      R"("KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"a"}},)";
  for (const std::string operation : {"PutItem", "UpdateItem", "DeleteItem", "GetItem", "Query", "Scan"}) {
    for (const std::string name : {R"("TableName":"x")", R"("TableName":"x_")", R"("TableName":"-.")"}) {
      const auto reply = test::call_item(db, operation, (operation == "Query" ? of_a : "") + name);
      CHECK(reply.error() == "ResourceNotFoundException");
      CHECK(reply.message() == "Requested resource not found");
    }
  }
}

TEST_CASE("a table name has 3 to 255 characters on control-plane operations") {
  const std::string too_long(256, 'x');
  for (const std::string_view operation : {"CreateTable", "DescribeTable", "UpdateTable", "DeleteTable"}) {
    const auto with_name = [&](std::string_view name) {
      Json body = operation == "CreateTable" ? new_table() : Json::object();
      body["TableName"] = name;
      return refused(operation, body);
    };
    CHECK(with_name("") == aggregated({"Value '' at 'tableName'" + failed +
                                       "Member must have length greater than or equal to 3"}));
    CHECK(with_name("ab") == aggregated({"Value 'ab' at 'tableName'" + failed +
                                         "Member must have length greater than or equal to 3"}));
    CHECK(with_name("x!") == aggregated({"Value 'x!' at 'tableName'" + failed + name_pattern}));
    CHECK(with_name("bad table!@#") ==
          aggregated({"Value 'bad table!@#' at 'tableName'" + failed + name_pattern}));
    CHECK(with_name(too_long) == aggregated({"Value '" + too_long + "' at 'tableName'" + failed +
                                             "Member must have length less than or equal to 255"}));
  }
  DynamoDb db;
  for (const std::string& name : {std::string("abc"), std::string("A-z_0.9"), std::string(255, 'x')}) {
    Json table = new_table();
    table["TableName"] = name;
    db.ok("CreateTable", table);
  }
}

TEST_CASE("an empty table name on writes is reported alone and without echo, whatever else is wrong") {
  DynamoDb db;
  for (const std::string_view operation : writes) {
    const std::string item = operation == "PutItem" ? R"("Item":{})" : R"("Key":{})";
    for (const std::string& rest : {members({return_values}), members({rcc, return_values, ricm}), item}) {
      test::check_refusal(
          db, {operation, members({R"("TableName":"")", rest}), test::enveloped(empty_table_name)});
    }
  }
}

TEST_CASE("PutItem names all bad enums: capacity, return values, metrics") {
  DynamoDb db;
  const std::string all = aggregated({bad_capacity, bad_return_values, bad_metrics});
  test::check_refusal(db, {"PutItem", members({rcc, return_values, ricm}), all});
  test::check_refusal(db, {"PutItem", members({ricm, return_values, rcc}), all});
}

TEST_CASE("DeleteItem names bad ReturnValues after a bad ReturnConsumedCapacity") {
  DynamoDb db;
  test::check_refusal(
      db, {"DeleteItem", members({return_values, rcc}), aggregated({bad_capacity, bad_return_values})});
}

TEST_CASE("UpdateItem names bad ReturnValues alone") {
  DynamoDb db;
  test::check_refusal(db, {"UpdateItem", members({return_values, rcc}), aggregated({bad_return_values})});
  test::check_refusal(db, {"UpdateItem", std::string(return_values), aggregated({bad_return_values})});
}

TEST_CASE("enumerations are listed in the service's own order") {
  DynamoDb db;
  for (const std::string_view operation : writes) {
    test::check_refusals(
        db,
        {{operation, std::string(rcc), aggregated({bad_capacity})},
         {operation, std::string(ricm), aggregated({bad_metrics})},
         {operation, std::string(return_values), aggregated({bad_return_values})},
         {operation, R"("Expected":{"x":{"Exists":false},"y":{"Exists":false}},"ConditionalOperator":"XOR")",
          test::enveloped("Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]")}});
  }
  test::check_refusal(db, {"GetItem", std::string(rcc), aggregated({bad_capacity})});
  CHECK(refused("CreateTable", new_table(R"({"BillingMode":"FREE"})")) ==
        aggregated({"Value 'FREE' at 'billingMode'" + failed +
                    "Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]"}));
  CHECK(refused("CreateTable", new_table(R"({"KeySchema":[{"AttributeName":"pk","KeyType":"INVALID"}]})")) ==
        aggregated({"Value 'INVALID' at 'keySchema.1.member.keyType'" + failed +
                    "Member must satisfy enum value set: [HASH, RANGE]"}));
  CHECK(
      refused("CreateTable",
              new_table(R"({"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"INVALID"}]})")) ==
      aggregated({"Value 'INVALID' at 'attributeDefinitions.1.member.attributeType'" + failed +
                  "Member must satisfy enum value set: [B, N, S]"}));
}

TEST_CASE("an UpdateItem without Key is answered in the older forms, in the order of the members") {
  DynamoDb db;
  const std::string no = R"("Key":null)";
  const std::string empty = R"("TableName":"")";
  const std::string xor_ = R"("ConditionalOperator":"XOR")";
  test::check_refusals(db,
                       {{"UpdateItem", members({no, empty}), aggregated({older_empty_table_name, no_key})},
                        {"UpdateItem", members({no, empty, return_values, rcc}),
                         aggregated({bad_capacity, older_empty_table_name, older_bad_return_values, no_key})},
                        {"UpdateItem", members({no, xor_}), aggregated({older_bad_operator, no_key})},
                        {"UpdateItem", members({no, return_values, xor_}),
                         aggregated({older_bad_return_values, older_bad_operator, no_key})}});
}

TEST_CASE("constraints of the model come before the table lookup") {
  DynamoDb db;
  for (const std::string_view operation :
       {"PutItem", "UpdateItem", "DeleteItem", "GetItem", "Query", "Scan"}) {
    test::check_refusal(db, {operation, std::string(rcc), aggregated({bad_capacity})});
  }
}

TEST_CASE("numbers out of range are echoed") {
  for (const auto& [limit, bound] :
       std::initializer_list<std::pair<int, std::string>>{{0, "greater than or equal to 1"},
                                                          {-1, "greater than or equal to 1"},
                                                          {101, "less than or equal to 100"}}) {
    CHECK(refused("ListTables", {{"Limit", limit}}) ==
          aggregated({"Value '" + std::to_string(limit) + "' at 'limit'" + failed +
                      "Member must have value " + bound}));
  }
  const std::string throughput =
      R"({"BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":1}})";
  const std::string message = aggregated({"Value '0' at 'provisionedThroughput.readCapacityUnits'" + failed +
                                          "Member must have value greater than or equal to 1"});
  CHECK(refused("CreateTable", new_table(throughput)) == message);
  Json update = Json::parse(throughput);
  update["TableName"] = "Music";
  CHECK(refused("UpdateTable", update) == message);
}

TEST_CASE("a key schema has one or two elements and is echoed as the service's own objects") {
  CHECK(refused("CreateTable", new_table(R"({"KeySchema":[]})")) ==
        aggregated(
            {"Value '[]' at 'keySchema'" + failed + "Member must have length greater than or equal to 1"}));
  CHECK(refused("CreateTable", new_table(R"({"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},
            {"AttributeName":"sk","KeyType":"RANGE"},{"AttributeName":"x","KeyType":"RANGE"}]})")) ==
        aggregated({"Value '[KeySchemaElement(attributeName=pk, keyType=HASH), "
                    "KeySchemaElement(attributeName=sk, keyType=RANGE), "
                    "KeySchemaElement(attributeName=x, keyType=RANGE)]' at 'keySchema'" +
                    failed + "Member must have length less than or equal to 2"}));
}

TEST_CASE(
    "bad names of global indexes are named before those of local ones, whatever the order of the request") {
  DynamoDb db;
  const std::string index =
      R"(,"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
      "Projection":{"ProjectionType":"ALL"}}])";
  const auto request = [&](const std::string& indexes) {
    return R"({"TableName":"Music","BillingMode":"PAY_PER_REQUEST",
        "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
        "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"}],)" +
           indexes + "}";
  };
  const std::string local = R"("LocalSecondaryIndexes":[{"IndexName":"b")" + index;
  const std::string global = R"("GlobalSecondaryIndexes":[{"IndexName":"a")" + index;
  const auto too_short = [](std::string_view name, std::string_view member) {
    return "Value '" + std::string(name) + "' at '" + std::string(member) +
           "SecondaryIndexes.1.member.indexName'" + failed +
           "Member must have length greater than or equal to 3";
  };
  for (const std::string& indexes : {local + "," + global, global + "," + local}) {
    CHECK(db.call("CreateTable", std::string_view(request(indexes))).refusal() ==
          aggregated({too_short("a", "global"), too_short("b", "local")}));
  }
  CHECK(db.call("CreateTable",
                std::string_view(request(R"("GlobalSecondaryIndexes":[{"IndexName":"a b!")" + index)))
            .refusal() ==
        aggregated({"Value 'a b!' at 'globalSecondaryIndexes.1.member.indexName'" + failed + name_pattern}));
}

}  // namespace test::constraints_test

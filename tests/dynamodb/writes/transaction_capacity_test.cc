#include <string>

#include "dynamodb/writes/transactions.h"
#include "support/tables.h"

// docs/service/capacity.md section 3: what transactions add to the rules of single writes, and the order of
// tables.
namespace test::transaction_capacity_test {
namespace {

Json capacity(DynamoDb& db, Json request) {
  request["ReturnConsumedCapacity"] = "INDEXES";
  return db.ok("TransactWriteItems", request)["ConsumedCapacity"];
}

}  // namespace

TEST_CASE("the table is charged twice, its indexes once") {
  DynamoDb db;
  db.ok("CreateTable",
        table_request("Tab", "pk sk", "g", {global_index("gsi", "g"), local_index("lsi", "g")}));
  const Json two_puts = transaction(
      {R"({"Put": {"TableName": "Tab", "Item": {"pk": {"S": "a"}, "sk": {"S": "1"}, "g": {"S": "g"}}}})",
       R"({"Put": {"TableName": "Tab", "Item": {"pk": {"S": "a"}, "sk": {"S": "2"}, "g": {"S": "g"}}}})"});
  CHECK(capacity(db, two_puts) ==
        Json::parse(R"([{"TableName": "Tab", "CapacityUnits": 8.0, "WriteCapacityUnits": 8.0,
      "Table": {"CapacityUnits": 4.0, "WriteCapacityUnits": 4.0},
      "GlobalSecondaryIndexes": {"gsi": {"CapacityUnits": 2.0, "WriteCapacityUnits": 2.0}},
      "LocalSecondaryIndexes": {"lsi": {"CapacityUnits": 2.0, "WriteCapacityUnits": 2.0}}}])"));
  // An identical overwrite changes no index.
  CHECK(capacity(db, two_puts) ==
        Json::parse(R"([{"TableName": "Tab", "CapacityUnits": 4.0, "WriteCapacityUnits": 4.0,
      "Table": {"CapacityUnits": 4.0, "WriteCapacityUnits": 4.0}}])"));
}

TEST_CASE("each action is rounded, and what is not there costs the minimum") {
  DynamoDb db;
  db.create_table("Tab");
  Json put = {
      {"Put",
       {{"TableName", "Tab"}, {"Item", {{"pk", {{"S", "p"}}}, {"x", {{"S", std::string(1025 - 4, 'x')}}}}}}}};
  Json request = transaction({R"({"Delete": {"TableName": "Tab", "Key": {"pk": {"S": "no"}}}})"});
  request["TransactItems"].push_back(put);
  CHECK(capacity(db, request)[0]["CapacityUnits"] == 6.0);
  db.put("Tab", Json{{"pk", {{"S", "c"}}}, {"x", {{"S", std::string(4097 - 4, 'x')}}}});
  const Json check = transaction({R"~({"ConditionCheck": {"TableName": "Tab", "Key": {"pk": {"S": "c"}},
              "ConditionExpression": "attribute_exists(pk)"}})~"});
  CHECK(capacity(db, check)[0]["CapacityUnits"] == 10.0);
}

TEST_CASE("tables are listed in the order of a Java HashMap") {
  DynamoDb db;
  // String.hashCode() of these, spread, falls into the buckets 15, 8 and 7 of 16.
  for (const char* name : {"suite-items", "suite-txn", "alpha"}) db.create_table(name);
  Json request = transaction({R"({"Put": {"TableName": "suite-txn", "Item": {"pk": {"S": "a"}}}})",
                              R"({"Put": {"TableName": "suite-items", "Item": {"pk": {"S": "a"}}}})",
                              R"({"Put": {"TableName": "alpha", "Item": {"pk": {"S": "a"}}}})"});
  std::string order;
  for (const Json& table : capacity(db, request)) order += std::string(table["TableName"]) + " ";
  std::swap(request["TransactItems"][0], request["TransactItems"][2]);
  std::string again;
  for (const Json& table : capacity(db, request)) again += std::string(table["TableName"]) + " ";
  CHECK(order == again);
  CHECK(order == "alpha suite-txn suite-items ");
}

}  // namespace test::transaction_capacity_test

#include <catch2/catch.hpp>

#include "one_item.h"

// ItemCollectionMetrics of single-item writes (facts: capacity.md section 6).
namespace test::item_collection_metrics_test {
namespace {

void make_table_with_local_index(DynamoDb& db) {
  db.ok("CreateTable", Json::parse(R"({"TableName": "Tab", "BillingMode": "PAY_PER_REQUEST",
      "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "N"}, {"AttributeName": "sk", "AttributeType": "S"},
                               {"AttributeName": "l", "AttributeType": "S"}],
      "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
      "LocalSecondaryIndexes": [{"IndexName": "local", "Projection": {"ProjectionType": "ALL"},
         "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "l", "KeyType": "RANGE"}]}]})"));
}

const std::vector<std::pair<std::string, std::string>> writes = {
    {"PutItem", R"("Item": {"pk": {"N": "1.0"}, "sk": {"S": "s"}})"},
    {"UpdateItem", R"("Key": {"pk": {"N": "1.0"}, "sk": {"S": "s"}})"},
    {"DeleteItem", R"("Key": {"pk": {"N": "1.0"}, "sk": {"S": "s"}})"},
};

}  // namespace

TEST_CASE("writes to a table with a local index tell the size of the item's collection") {
  DynamoDb db;
  make_table_with_local_index(db);
  const Json metrics =
      Json::parse(R"({"ItemCollectionKey": {"pk": {"N": "1"}}, "SizeEstimateRangeGB": [0.0, 1.0]})");
  for (const auto& [operation, members] : writes) {
    CHECK(ok_item(db, operation, members + R"(, "ReturnItemCollectionMetrics": "SIZE")") ==
          Json{{"ItemCollectionMetrics", metrics}});
    CHECK(ok_item(db, operation, members + R"(, "ReturnItemCollectionMetrics": "NONE")") == Json::object());
    CHECK(ok_item(db, operation, members) == Json::object());
  }
}

TEST_CASE("tables without a local index have no item collections") {
  DynamoDb db;
  db.create_table(the_table, "N", "S");
  for (const auto& [operation, members] : writes) {
    CHECK(ok_item(db, operation, members + R"(, "ReturnItemCollectionMetrics": "SIZE")") == Json::object());
  }
}

TEST_CASE("an unknown ReturnItemCollectionMetrics is refused") {
  DynamoDb db;
  for (const auto& [operation, members] : writes) {
    check_refusal(
        db,
        {operation, members + R"(, "ReturnItemCollectionMetrics": "COUNT")",
         enveloped("Value 'COUNT' at 'returnItemCollectionMetrics' failed to satisfy constraint: Member must "
                   "satisfy enum value set: [SIZE, NONE]")});
  }
}

}  // namespace test::item_collection_metrics_test

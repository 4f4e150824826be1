#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"
#include "support/tables.h"
#include "transactions.h"

// ItemCollectionMetrics (docs/service/capacity.md section 6), and the size that an item
// collection may have (docs/service/indexes.md section 1).
namespace test::item_collection_metrics_test {
namespace {

void make_table_with_local_index(DynamoDb& db) {
  db.ok("CreateTable", table_request("Tab", "pk:N sk", "l", {local_index("local", "l")}));
}

/// A collection may have so many bytes here, in place of 10 GB.
DynamoDb with_small_collections(std::int64_t bytes) {
  dinette::store::Face face = dinette::dynamodb::face();
  face.max_partition_bytes = bytes;
  return DynamoDb({}, nullptr, face);
}

/// An item of 9 bytes, which has an entry of 9 bytes, too, if it is `indexed`.
Json item(std::string_view sk, bool indexed = false, std::string_view pk = "1") {
  return {{"pk", {{"N", pk}}}, {"sk", {{"S", sk}}}, {indexed ? "l" : "m", {{"S", "1"}}}};
}

Json put(const Json& item) {
  return {{"TableName", "Tab"}, {"Item", item}};
}

/// Changes what the store keeps of the only item collection there is, which has so many bytes.
void make_3_gigabytes_of_the_only_collection(DynamoDb& db, std::int64_t bytes) {
  db.leave_damage();
  constexpr std::size_t space = 9;  // of a key: src/store/FORMAT.md
  dinette::kv::WriteBatch batch;
  const auto cursor = std::move(db.engine().snapshot().value()->cursor({})).value();
  for (bool more = cursor->first().value(); more; more = cursor->next().value()) {
    if (cursor->key()[space] == 0x11) batch.add(cursor->key(), {(std::int64_t{3} << 30) - bytes});
  }
  REQUIRE(batch.size() == 1);
  REQUIRE(db.engine().write(batch).ok());
}

void check_full(const Reply& reply) {
  CHECK(reply.status == 400);
  CHECK(reply.error() == "ItemCollectionSizeLimitExceededException");
  CHECK(reply.message() == "Collection size exceeded.");
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

TEST_CASE("a batch that asks for item collections gets an empty map if no table has any") {
  DynamoDb db;
  db.create_table(the_table, "N", "S");
  const std::string key = R"({"pk": {"N": "1"}, "sk": {"S": "s"}})";
  for (const std::string& write :
       {R"({"PutRequest": {"Item": )" + key + "}}", R"({"DeleteRequest": {"Key": )" + key + "}}"}) {
    const std::string requests = R"("TableName": null, "RequestItems": {"Tab": [)" + write + "]}";
    CHECK(ok_item(db, "BatchWriteItem", requests + R"(, "ReturnItemCollectionMetrics": "SIZE")") ==
          Json::parse(R"({"UnprocessedItems": {}, "ItemCollectionMetrics": {}})"));
    const Json without = Json::parse(R"({"UnprocessedItems": {}})");
    CHECK(ok_item(db, "BatchWriteItem", requests + R"(, "ReturnItemCollectionMetrics": "NONE")") == without);
    CHECK(ok_item(db, "BatchWriteItem", requests) == without);
  }
}

TEST_CASE("a transaction tells of the collections that it writes to, not of those that it checks") {
  DynamoDb db;
  make_table_with_local_index(db);
  const auto check = [](std::string_view pk) {
    return Json{{"ConditionCheck",
                 {{"TableName", "Tab"},
                  {"Key", {{"pk", {{"N", pk}}}, {"sk", {{"S", "s"}}}}},
                  {"ConditionExpression", "attribute_not_exists(pk)"}}}};
  };
  const auto metrics = [&](const Json& actions) {
    return db.ok("TransactWriteItems", {{"TransactItems", actions}, {"ReturnItemCollectionMetrics", "SIZE"}})
        .value("ItemCollectionMetrics", Json());
  };
  CHECK(metrics(Json::array({check("2"), {{"Put", put(item("1"))}}, check("3")})) ==
        Json::parse(
            R"({"Tab": [{"ItemCollectionKey": {"pk": {"N": "1"}}, "SizeEstimateRangeGB": [0.0, 1.0]}]})"));
  CHECK(metrics(Json::array({check("2")})).is_null());
}

TEST_CASE("an item collection is full when its items and their entries in local indexes have its size") {
  DynamoDb db = with_small_collections(27);
  make_table_with_local_index(db);
  db.ok("PutItem", put(item("1", true)));
  check_full(db.call("PutItem", put(item("2", true))));
  CHECK(db.get("Tab", {{"pk", {{"N", "1"}}}, {"sk", {{"S", "2"}}}}).is_null());
  db.ok("PutItem", put(item("2")));
  check_full(db.call("PutItem", put(item("3"))));
  // Other collections have room, and so has this one for what does not let it grow.
  db.ok("PutItem", put(item("3", true, "2")));
  db.ok("PutItem", put(item("1", true)));
  db.ok("PutItem", put(item("1")));
  db.ok("PutItem", put(item("3")));
  check_full(db.call("PutItem", put(item("4"))));
}

TEST_CASE("every write is held to the size of an item collection") {
  DynamoDb db = with_small_collections(18);
  make_table_with_local_index(db);
  db.ok("PutItem", put(item("1", true)));
  check_full(call_item(db, "UpdateItem", R"("Key": {"pk": {"N": "1"}, "sk": {"S": "2"}})"));
  check_full(call_item(
      db, "UpdateItem",
      R"("Key": {"pk": {"N": "1"}, "sk": {"S": "1"}}, )" + update("SET o = :o", R"(":o": {"S": ""})")));
  check_full(db.call("BatchWriteItem",
                     Json{{"RequestItems", {{"Tab", {{{"PutRequest", {{"Item", item("2")}}}}}}}}}));
  // A condition that does not hold is reported first: without room for the item, too, nothing would be
  // written.
  check_condition_failed(
      call_item(db, "PutItem",
                R"("Item": {"pk": {"N": "1"}, "sk": {"S": "2"}}, )" + condition("attribute_exists(pk)")));
  call_item(db, "DeleteItem", R"("Key": {"pk": {"N": "1"}, "sk": {"S": "1"}})");
  ok_item(db, "UpdateItem", R"("Key": {"pk": {"N": "1"}, "sk": {"S": "2"}})");
}

TEST_CASE("a transaction is cancelled for an item collection that has no room") {
  DynamoDb db = with_small_collections(18);
  make_table_with_local_index(db);
  db.ok("PutItem", put(item("1", true)));
  const Json other = {{"Put", put(item("1", false, "2"))}};
  const Json full = {{"Put", put(item("2"))}};
  CHECK(cancellation(db.call("TransactWriteItems", Json{{"TransactItems", {other, full}}})) ==
        cancelled({"None", "ItemCollectionSizeLimitExceeded: Collection size exceeded."}));
  CHECK(db.get("Tab", {{"pk", {{"N", "2"}}}, {"sk", {{"S", "1"}}}}).is_null());
}

TEST_CASE("a table without local indexes may have any number of bytes in one partition") {
  DynamoDb db = with_small_collections(20);
  db.create_table(the_table, "N", "S");
  for (const char* sk : {"1", "2", "3", "4"}) db.ok("PutItem", put(item(sk)));
}

TEST_CASE("the estimate names the gigabytes below and above the size of the collection") {
  DynamoDb db;
  make_table_with_local_index(db);
  db.ok("PutItem", put(item("1", true)));
  make_3_gigabytes_of_the_only_collection(db, 18);
  const auto estimate = [&](const Json& item) {
    Json request = put(item);
    request["ReturnItemCollectionMetrics"] = "SIZE";
    return db.ok("PutItem", request).at("ItemCollectionMetrics").at("SizeEstimateRangeGB");
  };
  CHECK(estimate(item("1", true)) == Json{3.0, 4.0});
  CHECK(estimate(item("1")) == Json{2.0, 3.0});
  CHECK(estimate(item("2")) == Json{3.0, 4.0});
  CHECK(estimate(item("1", false, "2")) == Json{0.0, 1.0});
  // A batch tells of a collection once, as it is when all is written.
  const Json request = {{"ReturnItemCollectionMetrics", "SIZE"},
                        {"RequestItems",
                         {{"Tab",
                           {{{"PutRequest", {{"Item", item("3")}}}},
                            {{"DeleteRequest", {{"Key", {{"pk", {{"N", "1"}}}, {"sk", {{"S", "1"}}}}}}}},
                            {{"DeleteRequest", {{"Key", {{"pk", {{"N", "1"}}}, {"sk", {{"S", "2"}}}}}}}}}}}}};
  CHECK(db.ok("BatchWriteItem", request).at("ItemCollectionMetrics") ==
        Json::parse(
            R"({"Tab": [{"ItemCollectionKey": {"pk": {"N": "1"}}, "SizeEstimateRangeGB": [2.0, 3.0]}]})"));
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

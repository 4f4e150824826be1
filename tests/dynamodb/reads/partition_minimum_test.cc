#include <catch2/catch.hpp>

#include "reads.h"
#include "support/tables.h"

// Scans of on-demand tables, charged for each of their four internal partitions (docs/service/capacity.md
// sections 4 and 5). Of one-letter partition keys i and j are in the first, b and f in the second, c and d in
// the third, a and e in the last: see scan_order_test.cc.
namespace test::partition_minimum_test {
namespace {

dinette::dynamodb::ServiceOptions with_minimum() {
  dinette::dynamodb::ServiceOptions options;
  options.partition_minimum = true;
  return options;
}

/// A row of that many bytes.
void put_row(DynamoDb& db, const std::string& pk, std::size_t bytes) {
  db.put(the_table, {{"pk", {{"S", pk}}}, {"t", {{"S", std::string(bytes - 4, 'x')}}}});
}

double charged(DynamoDb& db, std::string_view operation, const std::string& members) {
  return ok_item(db, operation,
                 members + R"(, "ReturnConsumedCapacity": "TOTAL")")["ConsumedCapacity"]["CapacityUnits"];
}

double scan(DynamoDb& db, bool consistent, const std::string& more = "") {
  return charged(db, "Scan", R"("ConsistentRead": )" + std::string(consistent ? "true" : "false") + more);
}

}  // namespace

TEST_CASE("a scan is charged the minimum for each partition") {
  DynamoDb db(with_minimum());
  db.create_table(the_table);
  CHECK(scan(db, true) == 4);
  put_row(db, "a", 10);
  CHECK(scan(db, true) == 4);
  CHECK(scan(db, false) == 2);
  CHECK(charged(db, "Query", key_condition("pk = :a", R"(":a": {"S": "a"})")) == 0.5);
}

TEST_CASE("what a scan reads is rounded partition by partition") {
  DynamoDb db(with_minimum());
  db.create_table(the_table);
  SECTION("18,360 bytes in all of them") {
    for (const std::string pk : {"a", "b", "c", "d", "e", "f", "i", "j"}) put_row(db, pk, 2'295);
    CHECK(scan(db, true) == 8);
    CHECK(scan(db, false) == 4);
  }
  SECTION("51,600 bytes in two of them") {
    for (const std::string pk : {"b", "f", "a", "e"}) put_row(db, pk, 12'900);
    CHECK(scan(db, true) == 16);
  }
}

TEST_CASE("a page that ends before the table does is charged as a whole, the last one by partitions") {
  DynamoDb db(with_minimum());
  db.create_table(the_table);
  put_row(db, "b", 10);
  put_row(db, "a", 10);
  CHECK(scan(db, true, R"(, "Limit": 2)") == 1);
  CHECK(scan(db, true, R"(, "Limit": 3)") == 4);
  CHECK(scan(db, true, R"(, "ExclusiveStartKey": {"pk": {"S": "a"}})") == 4);
}

TEST_CASE("a segment is charged for the partitions that it has a part in") {
  DynamoDb db(with_minimum());
  db.create_table(the_table);
  const auto segment = [&](int number, int total) {
    return scan(
        db, true,
        R"(, "Segment": )" + std::to_string(number) + R"(, "TotalSegments": )" + std::to_string(total));
  };
  CHECK(segment(0, 1) == 4);
  CHECK(segment(0, 2) == 2);
  CHECK(segment(3, 4) == 1);
  CHECK(segment(1, 3) == 2);
  CHECK(segment(999'999, 1'000'000) == 1);
}

TEST_CASE("indexes of an on-demand table are charged alike, provisioned tables and others are not") {
  Json request = on_demand(the_table);
  request["AttributeDefinitions"].push_back(attribute("t", "S"));
  request["GlobalSecondaryIndexes"] = Json::array({index_on("ByText", Json::array({key("t", "HASH")}))});
  DynamoDb db(with_minimum());
  db.ok("CreateTable", request);
  put_row(db, "a", 10);
  CHECK(scan(db, false, R"(, "IndexName": "ByText")") == 2);
  DynamoDb provisioned_db(with_minimum());
  provisioned_db.ok("CreateTable", provisioned(the_table));
  CHECK(scan(provisioned_db, true) == 1);
  DynamoDb usual;
  usual.create_table(the_table);
  CHECK(scan(usual, true) == 1);
}

}  // namespace test::partition_minimum_test

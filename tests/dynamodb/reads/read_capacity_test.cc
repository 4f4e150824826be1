#include <catch2/catch.hpp>

#include "reads.h"
#include "support/tables.h"

// ConsumedCapacity of Query and Scan (docs/service/capacity.md sections 1, 2 and 4).
namespace test::read_capacity_test {
namespace {

/// Global indexes all and keys on g, local ones on l: local with its keys alone, and whole.
void make_table(DynamoDb& db) {
  db.ok("CreateTable", table_request("Tab", "pk sk", "g l",
                                     {global_index("all", "g"), global_index("keys", "g", "", keys_only()),
                                      local_index("local", "l", keys_only()), local_index("whole", "l")}));
}

/// Three rows of `bytes` each: keys take 6, g and l 2 each.
void put_three(DynamoDb& db, std::size_t bytes) {
  for (const std::string sk : {"1", "2", "3"}) {
    put_items(db, {R"({"pk": {"S": "a"}, "sk": {"S": ")" + sk +
                   R"("}, "g": {"S": "g"}, "l": {"S": "l"}, "x": {"S": ")" + std::string(bytes - 11, 'x') +
                   "\"}}"});
  }
}

const std::string of_a = key_condition("pk = :p", R"(":p": {"S": "a"})");
const std::string of_g = key_condition("g = :g", R"(":g": {"S": "g"})");

Json capacity(DynamoDb& db, const std::string& operation, const std::string& members,
              const std::string& wanted = "INDEXES") {
  return ok_item(db, operation, members + R"(, "ReturnConsumedCapacity": ")" + wanted + '"')
      .value("ConsumedCapacity", Json());
}

Json units(double count) {
  return {{"CapacityUnits", count}};
}

Json of_table(double count) {
  return {{"TableName", "Tab"}, {"CapacityUnits", count}, {"Table", units(count)}};
}

Json of_index(const std::string& kind, const std::string& index, double walked, double fetched = 0) {
  return {{"TableName", "Tab"},
          {"CapacityUnits", walked + fetched},
          {"Table", units(fetched)},
          {kind, {{index, units(walked)}}}};
}

const std::string scan_all = R"("Segment": 0, "TotalSegments": 1)";
const std::string consistent = R"(, "ConsistentRead": true)";

}  // namespace

TEST_CASE("a page is charged by the sum of its rows, rounded once") {
  DynamoDb db;
  make_table(db);
  put_three(db, 4096 / 3);  // one byte short of a unit in all
  CHECK(capacity(db, "Query", of_a) == of_table(0.5));
  CHECK(capacity(db, "Scan", scan_all) == of_table(0.5));
  CHECK(capacity(db, "Query", of_a + consistent) == of_table(1));
  CHECK(capacity(db, "Scan", scan_all + consistent) == of_table(1));
  put_three(db, 4096 / 3 + 1);
  CHECK(capacity(db, "Query", of_a) == of_table(1));
  CHECK(capacity(db, "Query", of_a + consistent) == of_table(2));
  put_three(db, 4096);
  CHECK(capacity(db, "Query", of_a) == of_table(1.5));
  CHECK(capacity(db, "Scan", scan_all + consistent) == of_table(3));
}

TEST_CASE("a read that finds nothing costs the minimum") {
  DynamoDb db;
  make_table(db);
  CHECK(capacity(db, "Query", of_a) == of_table(0.5));
  CHECK(capacity(db, "Scan", scan_all + consistent) == of_table(1));
  CHECK(capacity(db, "Query", R"("IndexName": "all", )" + of_g) ==
        of_index("GlobalSecondaryIndexes", "all", 0.5));
}

TEST_CASE("filters, projections and counting change nothing, only rows of this page count") {
  DynamoDb db;
  make_table(db);
  put_three(db, 4096);
  for (const std::string& wish :
       {filtered_by("attribute_not_exists(x)"), std::string(R"(, "ProjectionExpression": "sk")"),
        std::string(R"(, "Select": "COUNT")")}) {
    CHECK(capacity(db, "Query", of_a + wish) == of_table(1.5));
    CHECK(capacity(db, "Scan", scan_all + wish) == of_table(1.5));
  }
  CHECK(capacity(db, "Query", of_a + R"(, "Limit": 2)") == of_table(1));
  CHECK(capacity(db, "Query", of_a + R"(, "ExclusiveStartKey": {"pk": {"S": "a"}, "sk": {"S": "2"}})") ==
        of_table(0.5));
}

TEST_CASE("an index is charged by its entries, the table not") {
  DynamoDb db;
  make_table(db);
  put_three(db, 4096);
  CHECK(capacity(db, "Query", R"("IndexName": "all", )" + of_g) ==
        of_index("GlobalSecondaryIndexes", "all", 1.5));
  CHECK(capacity(db, "Query", R"("IndexName": "keys", )" + of_g) ==
        of_index("GlobalSecondaryIndexes", "keys", 0.5));
  CHECK(capacity(db, "Scan", R"("IndexName": "keys")") == of_index("GlobalSecondaryIndexes", "keys", 0.5));
  CHECK(capacity(db, "Query", R"("IndexName": "local", )" + of_a) ==
        of_index("LocalSecondaryIndexes", "local", 0.5));
  CHECK(capacity(db, "Scan", R"("IndexName": "local")" + consistent) ==
        of_index("LocalSecondaryIndexes", "local", 1));
}

TEST_CASE("items that a local index fetches are charged one by one on the table") {
  DynamoDb db;
  make_table(db);
  put_three(db, 100);
  const std::string of_local = R"("IndexName": "local", )" + of_a;
  const std::string everything = R"(, "Select": "ALL_ATTRIBUTES")";
  CHECK(capacity(db, "Query", of_local + everything) == of_index("LocalSecondaryIndexes", "local", 0.5, 1.5));
  CHECK(capacity(db, "Scan", R"("IndexName": "local")" + everything + consistent) ==
        of_index("LocalSecondaryIndexes", "local", 1, 3));
  CHECK(capacity(db, "Query", of_local + R"(, "ProjectionExpression": "x")") ==
        of_index("LocalSecondaryIndexes", "local", 0.5, 1.5));
  CHECK(capacity(db, "Query", of_local + R"(, "ProjectionExpression": "pk, l")") ==
        of_index("LocalSecondaryIndexes", "local", 0.5));
  // Ours: a filter on what the index does not project fetches, too.
  CHECK(capacity(db, "Query", of_local + filtered_by("attribute_not_exists(x)")) ==
        of_index("LocalSecondaryIndexes", "local", 0.5, 1.5));
  put_three(db, 4097);
  CHECK(capacity(db, "Query", of_local + everything) == of_index("LocalSecondaryIndexes", "local", 0.5, 3));
  CHECK(capacity(db, "Query", of_local + everything + R"(, "Limit": 1)") ==
        of_index("LocalSecondaryIndexes", "local", 0.5, 1));
}

TEST_CASE("a local index that projects everything fetches nothing") {
  DynamoDb db;
  make_table(db);
  put_three(db, 4096);
  const std::string whole = R"("IndexName": "whole")";
  for (const std::string wish :
       {"", R"(, "Select": "ALL_ATTRIBUTES")", R"(, "Select": "ALL_PROJECTED_ATTRIBUTES")",
        R"(, "ProjectionExpression": "x")"}) {
    INFO(wish);
    CHECK(capacity(db, "Query", whole + ", " + of_a + wish) ==
          of_index("LocalSecondaryIndexes", "whole", 1.5));
    CHECK(capacity(db, "Scan", whole + wish + consistent) == of_index("LocalSecondaryIndexes", "whole", 3));
  }
  CHECK(capacity(db, "Query", whole + ", " + of_a + filtered_by("attribute_not_exists(x)")) ==
        of_index("LocalSecondaryIndexes", "whole", 1.5));
}

TEST_CASE("TOTAL shows the sum, NONE nothing") {
  DynamoDb db;
  make_table(db);
  put_three(db, 100);
  const std::string fetching = R"("IndexName": "local", "Select": "ALL_ATTRIBUTES", )" + of_a;
  CHECK(capacity(db, "Query", fetching, "TOTAL") == Json{{"TableName", "Tab"}, {"CapacityUnits", 2.0}});
  CHECK(capacity(db, "Query", of_a, "TOTAL") == Json{{"TableName", "Tab"}, {"CapacityUnits", 0.5}});
  CHECK(capacity(db, "Scan", R"("IndexName": "keys")", "TOTAL") ==
        Json{{"TableName", "Tab"}, {"CapacityUnits", 0.5}});
  CHECK(capacity(db, "Query", of_a, "NONE").is_null());
  CHECK(capacity(db, "Scan", scan_all, "NONE").is_null());
  CHECK_THAT(call_item(db, "Scan", R"("IndexName": "keys", "ReturnConsumedCapacity": "INDEXES")").body,
             Catch::Contains(R"("Table":{"CapacityUnits":0.0})"));
}

}  // namespace test::read_capacity_test

#include <algorithm>

#include <catch2/catch.hpp>

#include "reads.h"
#include "support/tables.h"

// Where the service keeps its partitions, as dynalite observed it in production: in the order of the MD5 of
// "Outliers" and the bytes of the partition key. The beginning of each, by other programs than this one, such
// as `printf Outliersa | md5sum`, is next to it.
namespace test::scan_order_test {
namespace {

/// The partition keys of a table of that type, in the order of a Scan.
std::vector<std::string> scanned(std::string_view type, std::vector<std::string> keys) {
  DynamoDb db;
  db.create_table(the_table, type);
  std::ranges::sort(keys);
  for (const std::string& value : keys) db.put(the_table, {{"pk", {{std::string(type), value}}}});
  std::vector<std::string> order;
  for (const Json& item : items_of(db, "Scan", "")) order.push_back(item["pk"][std::string(type)]);
  return order;
}

void check_order(std::string_view type, const std::vector<std::string>& keys) {
  CHECK(scanned(type, keys) == keys);
}

const std::string high_digits = "12345678901234567890123456789012345678";

}  // namespace

TEST_CASE("a scan takes strings in the service's order") {
  // 4846 50ab 6521 961a bea6 e85f ed48 f655
  check_order("S", {"h", "f", "b", "c", "d", "g", "e", "a"});
}

TEST_CASE("a scan takes binaries in the service's order") {
  // ff: 3c34; 00 01: 3f28; 00: f71f
  check_order("B", {"/w==", "AAE=", "AA=="});
}

TEST_CASE("a scan takes numbers in the order of the bytes that the service keeps of them") {
  check_order("N", {
                       "-1",                                // 3e 64 66: 0267
                       "-" + high_digits,                   // 2c 59 43 2d ... 17 66: 0895
                       "-100",                              // 3d 64 66: 1326
                       "1" + std::string(125, '0'),         // ff 0b: 2f28
                       "0.001",                             // bf 0b: 3223
                       "0.01",                              // c0 02: 3550
                       "10",                                // c1 0b: 3c46
                       "12.5",                              // c1 0d 33: 4723
                       "123",                               // c2 02 18: 5742
                       "100",                               // c2 02: 6840
                       "0." + std::string(129, '0') + "1",  // 80 02: 727d
                       "-1." + high_digits.substr(1),       // 3e 64 4e 38 ... 15, no room for 66: 963f
                       high_digits,                         // d3 0d 23 39 ... 4f: b50a
                       "1",                                 // c1 02: c3a0
                       "-12.5",                             // 3e 59 33 66: cd50
                       "0",                                 // 80: ce21
                       "0.1",                               // c0 0b: e2d1
                   });
}

TEST_CASE("the segments of a scan are equal parts of the hashes") {
  DynamoDb db;
  db.create_table(the_table);
  for (const std::string key : {"a", "b", "c", "d", "e", "f", "g", "h"})
    db.put(the_table, {{"pk", {{"S", key}}}});
  const auto segment = [&](int number, int total) {
    const std::string members =
        R"("Segment": )" + std::to_string(number) + R"(, "TotalSegments": )" + std::to_string(total);
    return column(items_of(db, "Scan", members), "pk");
  };
  CHECK(segment(0, 4).empty());
  CHECK(segment(1, 4) == "h f b");
  CHECK(segment(2, 4) == "c d");
  CHECK(segment(3, 4) == "g e a");
  CHECK(segment(0, 3) == "h f");
  CHECK(segment(1, 3) == "b c");
  CHECK(segment(2, 3) == "d g e a");
}

TEST_CASE("entries of a global index with one key come in the order of the hash of their table keys") {
  DynamoDb db;
  Json table = with_range(the_table);
  table["AttributeDefinitions"].erase(3);
  const bool range_of_index = GENERATE(false, true);
  Json key_schema = Json::array({key("a", "HASH")});
  if (range_of_index) {
    key_schema.push_back(key("b", "RANGE"));
    table["AttributeDefinitions"].push_back(attribute("b", "S"));
  }
  table["GlobalSecondaryIndexes"] = Json::array({index_on("Ties", key_schema)});
  db.ok("CreateTable", table);
  for (const std::string pk : {"a", "b"}) {
    for (const std::string sk : {"1", "2", "3"}) {
      db.put(the_table, {{"pk", {{"S", pk}}},
                         {"sk", {{"S", sk}}},
                         {"a", {{"S", "all"}}},
                         {"b", {{"S", "same"}}},
                         {"name", {{"S", pk + sk}}}});
    }
  }
  const std::string query = R"("IndexName": "Ties", )" + key_condition("a = :a", R"(":a": {"S": "all"})");
  // MD5 of "Outliersb2", "Outliersa2" and so on.
  CHECK(column(items_of(db, "Query", query), "name") == "b2 a2 b3 a3 a1 b1");
  CHECK(column(items_of(db, "Query", query + R"(, "ScanIndexForward": false)"), "name") ==
        "b1 a1 a3 b3 a2 b2");
  CHECK(column(items_of(pages_of(db, "Query", query + R"(, "Limit": 1)")), "name") == "b2 a2 b3 a3 a1 b1");
  CHECK(column(items_of(db, "Scan", R"("IndexName": "Ties")"), "name") == "b2 a2 b3 a3 a1 b1");
}

TEST_CASE("entries of a global index with one key and long table keys come in the same order") {
  DynamoDb db;
  Json table = on_demand(the_table);
  table["AttributeDefinitions"].push_back(attribute("a", "S"));
  table["GlobalSecondaryIndexes"] = Json::array({index_on("Ties", Json::array({key("a", "HASH")}))});
  db.ok("CreateTable", table);
  for (const char letter : std::string("abcdefgh")) {
    db.put(the_table, {{"pk", {{"S", std::string(300, letter)}}},
                       {"a", {{"S", "all"}}},
                       {"name", {{"S", std::string(1, letter)}}}});
  }
  const std::string query = R"("IndexName": "Ties", )" + key_condition("a = :a", R"(":a": {"S": "all"})");
  CHECK(column(items_of(db, "Query", query), "name") == "a c b d e h g f");
}

}  // namespace test::scan_order_test

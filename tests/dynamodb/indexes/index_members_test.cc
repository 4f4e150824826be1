#include <catch2/catch.hpp>

#include "dynamodb/reads/reads.h"
#include "support/tables.h"

// What indexes hold (docs/service/indexes.md sections 2 and 6).
namespace test::index_members_test {
namespace {

/// Global indexes all, keys and some (x next to its keys) on g and n; a local one, local, on n with x.
void make_table(DynamoDb& db) {
  db.ok("CreateTable",
        table_request("Tab", "pk sk", "g n:N",
                      {global_index("all", "g", "n"), global_index("keys", "g", "n", keys_only()),
                       global_index("some", "g", "", including({"x", "sk", "m"})),
                       local_index("local", "n", including({"x"}))}));
}

const std::string key_part = R"("pk": {"S": "a"}, "sk": {"S": "s"})";

Json item(const std::string& attributes) {
  return Json::parse("{" + key_part + (attributes.empty() ? "" : ", " + attributes) + "}");
}

Json scanned(DynamoDb& db, const std::string& index) {
  return items_of(db, "Scan", R"("IndexName": ")" + index + '"');
}

/// The index has exactly this entry; null: none.
void check_entry(DynamoDb& db, const std::string& index, const Json& entry) {
  INFO(index);
  CHECK(scanned(db, index) == (entry.is_null() ? Json::array() : Json::array({entry})));
}

void change(DynamoDb& db, const std::string& expression, const std::string& values = "") {
  ok_item(db, "UpdateItem", R"("Key": {)" + key_part + "}, " + update(expression, values));
}

}  // namespace

TEST_CASE("an item is in an index when it has every attribute of the index's key") {
  DynamoDb db;
  make_table(db);
  struct Member {
    std::string attributes;
    bool in_all;
    bool in_some;
    bool in_local;
  };
  const std::vector<Member> members = {
      {"", false, false, false},
      {R"("g": {"S": "g"})", false, true, false},
      {R"("n": {"N": "1"})", false, false, true},
      {R"("g": {"S": "g"}, "n": {"N": "1"})", true, true, true},
      {R"("x": {"N": "1"})", false, false, false},
  };
  for (const Member& before : members) {
    for (const Member& after : members) {
      INFO(before.attributes << " -> " << after.attributes);
      db.put(the_table, item(before.attributes));
      db.put(the_table, item(after.attributes));
      CHECK(scanned(db, "all").size() == after.in_all);
      CHECK(scanned(db, "keys").size() == after.in_all);
      CHECK(scanned(db, "some").size() == after.in_some);
      CHECK(scanned(db, "local").size() == after.in_local);
    }
  }
}

TEST_CASE("an index holds what it projects") {
  DynamoDb db;
  make_table(db);
  const std::string rest = R"(, "x": {"L": [{"N": "1"}]}, "m": {"M": {"k": {"S": "v"}}}, "y": {"S": "y"})";
  const Json whole = item(R"("g": {"S": "g"}, "n": {"N": "1"})" + rest);
  db.put(the_table, whole);
  check_entry(db, "all", whole);
  check_entry(db, "keys", item(R"("g": {"S": "g"}, "n": {"N": "1"})"));
  check_entry(db, "some",
              item(R"("g": {"S": "g"}, "x": {"L": [{"N": "1"}]}, "m": {"M": {"k": {"S": "v"}}})"));
  check_entry(db, "local", item(R"("n": {"N": "1"}, "x": {"L": [{"N": "1"}]})"));
}

TEST_CASE("a projected attribute is a top-level one, whatever its name looks like") {
  DynamoDb db;
  db.ok("CreateTable",
        table_request("Tab", "pk sk", "g", {global_index("dotted", "g", "", including({"m.x", "l[0]"}))}));
  const std::string paths = R"(, "m": {"M": {"x": {"S": "path"}}}, "l": {"L": [{"S": "path"}]})";
  const std::string names = R"(, "m.x": {"S": "name"}, "l[0]": {"S": "name"})";
  db.put(the_table, item(R"("g": {"S": "g"})" + paths + names));
  check_entry(db, "dotted", item(R"("g": {"S": "g"})" + names));
  db.put(the_table, item(R"("g": {"S": "g"})" + paths));
  check_entry(db, "dotted", item(R"("g": {"S": "g"})"));
}

TEST_CASE("attributes of the key that come and go take the item in and out of the index") {
  DynamoDb db;
  make_table(db);
  change(db, "SET g = :g", R"(":g": {"S": "g"})");
  check_entry(db, "all", nullptr);
  check_entry(db, "some", item(R"("g": {"S": "g"})"));
  change(db, "SET n = :n", R"(":n": {"N": "1"})");
  check_entry(db, "all", item(R"("g": {"S": "g"}, "n": {"N": "1"})"));
  check_entry(db, "local", item(R"("n": {"N": "1"})"));
  change(db, "REMOVE g");
  check_entry(db, "all", nullptr);
  check_entry(db, "keys", nullptr);
  check_entry(db, "some", nullptr);
  check_entry(db, "local", item(R"("n": {"N": "1"})"));
  change(db, "REMOVE n");
  check_entry(db, "local", nullptr);
}

TEST_CASE("a changed key moves the entry, a changed attribute is seen where it is projected") {
  DynamoDb db;
  make_table(db);
  db.put(the_table, item(R"("g": {"S": "g"}, "n": {"N": "1"}, "x": {"S": "old"}, "y": {"S": "old"})"));
  change(db, "SET n = :n", R"(":n": {"N": "2"})");
  change(db, "SET g = :g", R"(":g": {"S": "h"})");
  change(db, "SET x = :v, y = :v", R"(":v": {"S": "new"})");
  const std::string keys = R"("g": {"S": "h"}, "n": {"N": "2"})";
  check_entry(db, "all", item(keys + R"(, "x": {"S": "new"}, "y": {"S": "new"})"));
  check_entry(db, "keys", item(keys));
  check_entry(db, "some", item(R"("g": {"S": "h"}, "x": {"S": "new"})"));
  check_entry(db, "local", item(R"("n": {"N": "2"}, "x": {"S": "new"})"));
  change(db, "REMOVE x");
  check_entry(db, "some", item(R"("g": {"S": "h"})"));
}

TEST_CASE("an overwrite replaces the entry, or takes it out") {
  DynamoDb db;
  make_table(db);
  const Json first = item(R"("g": {"S": "g"}, "n": {"N": "1"}, "x": {"S": "1"})");
  db.put(the_table, first);
  db.put(the_table, first);
  check_entry(db, "all", first);
  const Json moved = item(R"("g": {"S": "g"}, "n": {"N": "7"}, "y": {"S": "2"})");
  db.put(the_table, moved);
  check_entry(db, "all", moved);
  check_entry(db, "some", item(R"("g": {"S": "g"})"));
  db.put(the_table, item(""));
  for (const std::string index : {"all", "keys", "some", "local"}) check_entry(db, index, nullptr);
}

TEST_CASE("a deleted item is in no index, and a refused write changes none") {
  DynamoDb db;
  make_table(db);
  const Json whole = item(R"("g": {"S": "g"}, "n": {"N": "1"})");
  db.put(the_table, whole);
  check_condition_failed(call_item(
      db, "PutItem",
      R"("Item": {)" + key_part + R"(, "g": {"S": "h"}}, )" + condition("attribute_not_exists(pk)")));
  check_condition_failed(
      call_item(db, "DeleteItem", R"("Key": {)" + key_part + "}, " + condition("attribute_not_exists(pk)")));
  check_entry(db, "all", whole);
  ok_item(db, "DeleteItem", R"("Key": {)" + key_part + "}");
  for (const std::string index : {"all", "keys", "some", "local"}) check_entry(db, index, nullptr);
}

TEST_CASE("several items may have one index key, and leave it one by one") {
  DynamoDb db;
  make_table(db);
  const std::string rest = R"(, "g": {"S": "g"}, "n": {"N": "1"}})";
  for (const std::string sk : {"1", "2", "3"})
    put_items(db, {R"({"pk": {"S": "a"}, "sk": {"S": ")" + sk + "\"}" + rest,
                   R"({"pk": {"S": "b"}, "sk": {"S": ")" + sk + "\"}" + rest});
  for (const std::string index : {"all", "keys", "some", "local"}) CHECK(scanned(db, index).size() == 6);
  ok_item(db, "DeleteItem", R"("Key": {"pk": {"S": "a"}, "sk": {"S": "2"}})");
  for (const std::string index : {"all", "keys", "some", "local"}) CHECK(scanned(db, index).size() == 5);
}

TEST_CASE("counts and sizes of table and indexes are those of what they hold") {
  DynamoDb db;
  make_table(db);
  const auto counts = [&] {
    const Json table = db.ok("DescribeTable", {{"TableName", the_table}})["Table"];
    Json shown = {table["ItemCount"], table["TableSizeBytes"]};
    for (const char* kind : {"GlobalSecondaryIndexes", "LocalSecondaryIndexes"}) {
      for (const Json& index : table[kind])
        shown.push_back({index["IndexName"], index["ItemCount"], index["IndexSizeBytes"]});
    }
    return shown;
  };
  CHECK(counts() == Json::parse(R"([0, 0, ["all", 0, 0], ["keys", 0, 0], ["some", 0, 0], ["local", 0, 0]])"));
  // Keys take 6 bytes, g 2, n 3; x and y 1 and their text.
  db.put(the_table, item(R"("g": {"S": "g"}, "n": {"N": "1"}, "x": {"S": "xx"}, "y": {"S": "yyy"})"));
  CHECK(counts() ==
        Json::parse(R"([1, 18, ["all", 1, 18], ["keys", 1, 11], ["some", 1, 11], ["local", 1, 12]])"));
  change(db, "SET x = :x REMOVE n", R"(":x": {"S": "x"})");
  CHECK(counts() ==
        Json::parse(R"([1, 14, ["all", 0, 0], ["keys", 0, 0], ["some", 1, 10], ["local", 0, 0]])"));
  ok_item(db, "DeleteItem", R"("Key": {)" + key_part + "}");
  CHECK(counts() == Json::parse(R"([0, 0, ["all", 0, 0], ["keys", 0, 0], ["some", 0, 0], ["local", 0, 0]])"));
}

TEST_CASE("indexes are described with keys, projection, status, ARN and throughput") {
  DynamoDb db;
  make_table(db);
  const Json table = db.ok("DescribeTable", {{"TableName", the_table}})["Table"];
  const std::string arn = table["TableArn"];
  const Json& some = table["GlobalSecondaryIndexes"][2];
  CHECK(some["IndexName"] == "some");
  CHECK(some["KeySchema"] == Json::parse(R"([{"AttributeName": "g", "KeyType": "HASH"}])"));
  CHECK(some["Projection"] ==
        Json::parse(R"({"ProjectionType": "INCLUDE", "NonKeyAttributes": ["x", "sk", "m"]})"));
  CHECK(some["IndexStatus"] == "ACTIVE");
  CHECK(some["IndexArn"] == arn + "/index/some");
  CHECK(some["ProvisionedThroughput"] ==
        Json::parse(R"({"NumberOfDecreasesToday": 0, "ReadCapacityUnits": 0, "WriteCapacityUnits": 0})"));
  CHECK(some.contains("WarmThroughput"));
  CHECK_FALSE(some.contains("Backfilling"));
  CHECK(table["GlobalSecondaryIndexes"][0]["Projection"] == Json{{"ProjectionType", "ALL"}});
  const Json& local = table["LocalSecondaryIndexes"][0];
  CHECK(local ==
        Json{{"IndexName", "local"},
             {"KeySchema", Json::parse(R"([{"AttributeName": "pk", "KeyType": "HASH"},
                                                    {"AttributeName": "n", "KeyType": "RANGE"}])")},
             {"Projection", Json::parse(R"({"ProjectionType": "INCLUDE", "NonKeyAttributes": ["x"]})")},
             {"IndexSizeBytes", 0},
             {"ItemCount", 0},
             {"IndexArn", arn + "/index/local"}});
}

}  // namespace test::index_members_test

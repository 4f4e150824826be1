#include <catch2/catch.hpp>

#include "support/tables.h"

// Facts: tables.md sections 1, 4, 5 and 7, with states that last; time moves only where a case moves it.
namespace test::table_states_test {

using namespace std::chrono_literals;

namespace {

constexpr auto delay = 2s;
constexpr auto moment = 1ms;  // the granularity of times in the API

dinette::dynamodb::ServiceOptions slow_tables() {
  dinette::dynamodb::ServiceOptions options;
  options.state_delay = delay;
  return options;
}

const Json music = {{"TableName", "Music"}};
const Json some_item = {{"TableName", "Music"}, {"Item", {{"pk", {{"S", "a"}}}}}};
const Json its_key = {{"TableName", "Music"}, {"Key", {{"pk", {{"S", "a"}}}}}};
const std::string not_found = "Requested resource not found: Table: Music not found";

struct SlowTables : DynamoDb {
  SlowTables() : DynamoDb(slow_tables()) {}

  std::string status() { return describe(*this).at("TableStatus"); }

  void create(const Json& request) {
    ok("CreateTable", request);
    clock().advance(delay);
  }
};

}  // namespace

TEST_CASE("A table is CREATING until its time is over, then ACTIVE") {
  SlowTables db;
  CHECK(db.ok("CreateTable", on_demand()).at("TableDescription").at("TableStatus") == "CREATING");
  CHECK(db.status() == "CREATING");
  db.clock().advance(delay - moment);
  CHECK(db.status() == "CREATING");
  db.clock().advance(moment);
  CHECK(db.status() == "ACTIVE");
}

TEST_CASE("Without a delay the answer says CREATING and the next call sees ACTIVE") {
  DynamoDb db;
  CHECK(db.ok("CreateTable", on_demand()).at("TableDescription").at("TableStatus") == "CREATING");
  CHECK(describe(db).at("TableStatus") == "ACTIVE");
}

TEST_CASE("A table that is being created is listed and has no data operations") {
  SlowTables db;
  db.ok("CreateTable", on_demand());
  CHECK(db.ok("ListTables", Json::object()).at("TableNames") == Json::array({"Music"}));
  for (const char* operation : {"GetItem", "DeleteItem", "UpdateItem"}) {
    check_refused(db, operation, its_key, "Requested resource not found", "ResourceNotFoundException");
  }
  check_refused(db, "PutItem", some_item, "Requested resource not found", "ResourceNotFoundException");
  db.clock().advance(delay);
  db.ok("PutItem", some_item);
}

TEST_CASE("A table that is being created can be neither created again, updated nor deleted") {
  SlowTables db;
  db.ok("CreateTable", on_demand());
  check_refused(db, "CreateTable", on_demand(), "Table already exists: Music", "ResourceInUseException");
  CHECK(db.call("UpdateTable", with(music, {{"DeletionProtectionEnabled", true}})).error() ==
        "ResourceInUseException");
  CHECK(db.call("DeleteTable", music).error() == "ResourceInUseException");
}

TEST_CASE("Indexes are CREATING as long as their table is") {
  SlowTables db;
  db.ok("CreateTable",
        with(with_range(), {{"GlobalSecondaryIndexes",
                             Json::array({index_on("byA", {key("a", "HASH"), key("b", "RANGE")})})}}));
  const auto index_status = [&] { return describe(db).at("GlobalSecondaryIndexes").at(0).at("IndexStatus"); };
  CHECK(index_status() == "CREATING");
  db.clock().advance(delay);
  CHECK(index_status() == "ACTIVE");
}

TEST_CASE("A table is UPDATING until its time is over, with the old figures, and keeps its data") {
  SlowTables db;
  db.create(provisioned());
  db.ok("PutItem", some_item);
  const Json request = with(music, {{"ProvisionedThroughput", units(9, 9)}});
  CHECK(db.ok("UpdateTable", request).at("TableDescription").at("TableStatus") == "UPDATING");
  const auto reads = [&] { return describe(db).at("ProvisionedThroughput").at("ReadCapacityUnits"); };
  db.clock().advance(delay - moment);
  CHECK(db.status() == "UPDATING");
  CHECK(reads() == 5);
  CHECK(db.ok("GetItem", its_key).contains("Item"));
  db.ok("PutItem", with(some_item, {{"Item", {{"pk", {{"S", "b"}}}}}}));
  db.clock().advance(moment);
  CHECK(db.status() == "ACTIVE");
  CHECK(reads() == 9);
  CHECK(describe(db).at("ItemCount") == 2);
  CHECK(db.ok("GetItem", its_key).contains("Item"));
}

TEST_CASE("A table that is UPDATING can be neither updated nor deleted") {
  SlowTables db;
  db.create(provisioned());
  const Json request = with(music, {{"ProvisionedThroughput", units(9, 9)}});
  db.ok("UpdateTable", request);
  check_refused(db, "UpdateTable", request,
                "Attempt to change a resource which is still in use: Table is being updated: Music",
                "ResourceInUseException");
  CHECK(db.call("DeleteTable", music).error() == "ResourceInUseException");
  db.clock().advance(delay);
  db.ok("DeleteTable", music);
}

TEST_CASE("Deletion protection has no work to do and takes effect at once") {
  SlowTables db;
  db.create(on_demand());
  const Json answer =
      db.ok("UpdateTable", with(music, {{"DeletionProtectionEnabled", true}})).at("TableDescription");
  CHECK(answer.at("TableStatus") == "ACTIVE");
  CHECK(answer.at("DeletionProtectionEnabled") == true);
  CHECK(db.status() == "ACTIVE");
}

TEST_CASE("Protection that comes with other changes protects while they are under way") {
  SlowTables db;
  db.create(provisioned());
  db.ok("UpdateTable",
        with(music, {{"DeletionProtectionEnabled", true}, {"ProvisionedThroughput", units(9, 9)}}));
  CHECK(describe(db).at("DeletionProtectionEnabled") == true);
  db.clock().advance(delay);
  CHECK(describe(db).at("DeletionProtectionEnabled") == true);
}

TEST_CASE("Encryption that is being taken away is shown until it is gone") {
  SlowTables db;
  db.create(with(on_demand(), {{"SSESpecification", {{"Enabled", true}}}}));
  db.ok("UpdateTable", with(music, {{"SSESpecification", {{"Enabled", false}}}}));
  CHECK(describe(db).contains("SSEDescription"));
  db.clock().advance(delay);
  CHECK(!describe(db).contains("SSEDescription"));
}

TEST_CASE("A table is DELETING, described and listed, until it is gone") {
  SlowTables db;
  db.create(on_demand());
  CHECK(db.ok("DeleteTable", music).at("TableDescription").at("TableStatus") == "DELETING");
  db.clock().advance(delay - moment);
  CHECK(db.status() == "DELETING");
  CHECK(db.ok("ListTables", Json::object()).at("TableNames") == Json::array({"Music"}));
  db.clock().advance(moment);
  CHECK(db.ok("ListTables", Json::object()).at("TableNames").empty());
  check_refused(db, "DescribeTable", music, not_found, "ResourceNotFoundException");
  check_refused(db, "GetItem", its_key, "Requested resource not found", "ResourceNotFoundException");
  check_refused(db, "DeleteTable", music, not_found, "ResourceNotFoundException");
}

TEST_CASE("Deleting a table that is being deleted is accepted and prolongs nothing") {
  SlowTables db;
  db.create(on_demand());
  db.ok("DeleteTable", music);
  db.clock().advance(delay - moment);
  CHECK(db.ok("DeleteTable", music).at("TableDescription").at("TableStatus") == "DELETING");
  db.clock().advance(moment);
  check_refused(db, "DescribeTable", music, not_found, "ResourceNotFoundException");
}

TEST_CASE("A table that is being deleted cannot be updated") {
  SlowTables db;
  db.create(on_demand());
  db.ok("DeleteTable", music);
  CHECK(db.call("UpdateTable", with(music, {{"DeletionProtectionEnabled", true}})).error() ==
        "ResourceInUseException");
}

TEST_CASE("A name is free again once its table is gone, and the new table is empty") {
  SlowTables db;
  db.create(on_demand());
  const Json first = describe(db).at("TableId");
  db.ok("PutItem", some_item);
  db.ok("DeleteTable", music);
  check_refused(db, "CreateTable", on_demand(), "Table already exists: Music", "ResourceInUseException");
  db.clock().advance(delay);
  db.create(on_demand());
  CHECK(describe(db).at("TableId") != first);
  CHECK(!db.ok("GetItem", its_key).contains("Item"));
  CHECK(describe(db).at("ItemCount") == 0);
}

TEST_CASE("Pages of ListTables count no table whose deletion is over") {
  SlowTables db;
  for (const char* name : {"aaa", "bbb", "ccc", "ddd"}) db.ok("CreateTable", on_demand(name));
  db.clock().advance(delay);
  for (const char* name : {"aaa", "ccc"}) db.ok("DeleteTable", {{"TableName", name}});
  db.clock().advance(delay);
  CHECK(db.ok("ListTables", {{"Limit", 2}}) == Json{{"TableNames", {"bbb", "ddd"}}});
  CHECK(db.ok("ListTables", {{"Limit", 1}}) ==
        Json{{"TableNames", {"bbb"}}, {"LastEvaluatedTableName", "bbb"}});
}

}  // namespace test::table_states_test

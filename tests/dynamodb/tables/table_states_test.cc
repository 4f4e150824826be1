#include <catch2/catch.hpp>

#include "support/tables.h"

// docs/service/tables.md sections 1, 4, 5 and 7, with states that last; time moves only where a case moves
// it.
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

void check_in_use(DynamoDb& db, std::string_view operation, const Json& request, const std::string& why) {
  check_refused(db, operation, request, "Attempt to change a resource which is still in use: " + why,
                "ResourceInUseException");
}

Json new_index() {
  Json index = index_on("byA", Json::array({key("a", "HASH")}));
  index["ProvisionedThroughput"] = units(1, 1);
  return with(music, {{"AttributeDefinitions", Json::array({attribute("a", "S")})},
                      {"GlobalSecondaryIndexUpdates", Json::array({{{"Create", index}}})}});
}

}  // namespace

TEST_CASE("a table is CREATING until its time is over, then ACTIVE") {
  SlowTables db;
  CHECK(db.ok("CreateTable", on_demand()).at("TableDescription").at("TableStatus") == "CREATING");
  CHECK(db.status() == "CREATING");
  db.clock().advance(delay - moment);
  CHECK(db.status() == "CREATING");
  db.clock().advance(moment);
  CHECK(db.status() == "ACTIVE");
}

TEST_CASE("without a delay the answer says CREATING and the next call sees ACTIVE") {
  DynamoDb db;
  CHECK(db.ok("CreateTable", on_demand()).at("TableDescription").at("TableStatus") == "CREATING");
  CHECK(describe(db).at("TableStatus") == "ACTIVE");
}

TEST_CASE("a table that is being created is listed and has no data operations") {
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

TEST_CASE("a table that is being created can be neither created again, updated nor deleted") {
  SlowTables db;
  db.ok("CreateTable", on_demand());
  check_in_use(db, "CreateTable", on_demand(), "Table is being created: Music");
  check_in_use(db, "UpdateTable", with(music, {{"TableClass", "STANDARD"}}), "Table is being created: Music");
  check_refused(db, "UpdateTable", with(music, {{"DeletionProtectionEnabled", true}}),
                "Table needs to be in ACTIVE status to modify deletion protection setting.",
                "ResourceInUseException");
  check_in_use(db, "DeleteTable", music, "Table is being created: Music");
}

TEST_CASE("a table that is being created is described as CreateTable did") {
  SlowTables db;
  const Json created = db.ok("CreateTable", on_demand()).at("TableDescription");
  CHECK(describe(db) == created);
  CHECK(created.at("TableThroughputModeSummary") == Json{{"TableThroughputMode", "PAY_PER_REQUEST"}});
}

TEST_CASE("indexes are CREATING as long as their table is") {
  SlowTables db;
  db.ok("CreateTable",
        with(with_range(), {{"GlobalSecondaryIndexes",
                             Json::array({index_on("byA", {key("a", "HASH"), key("b", "RANGE")})})}}));
  const auto index_status = [&] { return describe(db).at("GlobalSecondaryIndexes").at(0).at("IndexStatus"); };
  CHECK(index_status() == "CREATING");
  db.clock().advance(delay);
  CHECK(index_status() == "ACTIVE");
}

TEST_CASE("a table is UPDATING until its time is over, with the old figures, and keeps its data") {
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

TEST_CASE("while throughput changes, neither throughput nor indexes are changed, nor is the table deleted") {
  SlowTables db;
  db.create(provisioned());
  const Json request = with(music, {{"ProvisionedThroughput", units(9, 9)}});
  db.ok("UpdateTable", request);
  check_in_use(db, "UpdateTable", request, "Table IOPS are currently being updated. Table: Music");
  check_in_use(db, "UpdateTable", with(music, {{"BillingMode", "PAY_PER_REQUEST"}}),
               "Table IOPS are currently being updated. Table: Music");
  check_in_use(db, "UpdateTable", new_index(),
               "Can't create or delete indexes while table IOPS are being updated. Table: Music");
  check_in_use(db, "UpdateTable", with(music, {{"TableClass", "STANDARD"}}), "Table is being updated: Music");
  check_in_use(db, "DeleteTable", music, "Table: Music is in the process of being updated.");
  db.clock().advance(delay);
  db.ok("DeleteTable", music);
}

TEST_CASE("while the billing mode is switched, there are no new ceilings") {
  SlowTables db;
  db.create(provisioned());
  db.ok("UpdateTable", with(music, {{"BillingMode", "PAY_PER_REQUEST"}}));
  check_in_use(db, "UpdateTable", with(music, {{"OnDemandThroughput", {{"MaxReadRequestUnits", 5}}}}),
               "OnDemandThroughput cannot be updated while BillingMode update is in progress");
}

TEST_CASE("while the table class changes, neither class nor indexes are changed") {
  SlowTables db;
  db.create(on_demand());
  const Json request = with(music, {{"TableClass", "STANDARD_INFREQUENT_ACCESS"}});
  db.ok("UpdateTable", request);
  const std::string in_progress = " Table: Music TableClassUpdateInProgress: STANDARD_INFREQUENT_ACCESS";
  check_in_use(db, "UpdateTable", request,
               "Can't update table class when a table class update is in progress." + in_progress);
  Json index = new_index();
  index["GlobalSecondaryIndexUpdates"][0]["Create"].erase("ProvisionedThroughput");
  check_in_use(db, "UpdateTable", index,
               "Can't create or delete an index when a table class update is in progress." + in_progress);
}

TEST_CASE("protection, encryption and warm throughput may change while the table is UPDATING") {
  SlowTables db;
  db.create(provisioned());
  db.ok("UpdateTable", with(music, {{"ProvisionedThroughput", units(9, 9)}}));
  db.clock().advance(delay / 2);
  db.ok("UpdateTable", with(music, {{"DeletionProtectionEnabled", true}}));
  CHECK(describe(db).at("DeletionProtectionEnabled") == true);
  CHECK(db.status() == "UPDATING");
  db.clock().advance(delay / 2);
  CHECK(db.status() == "ACTIVE");
  CHECK(describe(db).at("DeletionProtectionEnabled") == true);
  CHECK(describe(db).at("ProvisionedThroughput").at("ReadCapacityUnits") == 9);

  db.ok("UpdateTable", with(music, {{"ProvisionedThroughput", units(8, 9)}}));
  db.ok("UpdateTable", with(music, {{"SSESpecification", {{"Enabled", true}}}}));
  db.ok("UpdateTable", with(music, {{"WarmThroughput", {{"ReadUnitsPerSecond", 50}}}}));
  CHECK(describe(db).at("SSEDescription").at("Status") == "UPDATING");
  db.clock().advance(delay);
  CHECK(describe(db).at("ProvisionedThroughput").at("ReadCapacityUnits") == 8);
  CHECK(describe(db).at("SSEDescription").at("Status") == "ENABLED");
  CHECK(describe(db).at("WarmThroughput") ==
        Json{{"ReadUnitsPerSecond", 50}, {"WriteUnitsPerSecond", 9}, {"Status", "ACTIVE"}});
}

TEST_CASE("a table whose encryption or warm throughput changes stays ACTIVE and may be deleted") {
  SlowTables db;
  db.create(on_demand());
  const Json encrypt = with(music, {{"SSESpecification", {{"Enabled", true}}}});
  CHECK(db.ok("UpdateTable", encrypt).at("TableDescription").at("TableStatus") == "ACTIVE");
  CHECK(db.status() == "ACTIVE");
  check_in_use(db, "UpdateTable", encrypt, "Server-Side Encryption is still being updated");
  db.clock().advance(delay);
  db.ok("UpdateTable", with(music, {{"WarmThroughput", {{"ReadUnitsPerSecond", 13000}}}}));
  CHECK(db.status() == "ACTIVE");
  CHECK(describe(db).at("WarmThroughput") ==
        Json{{"ReadUnitsPerSecond", 12000}, {"WriteUnitsPerSecond", 4000}, {"Status", "UPDATING"}});
  db.ok("DeleteTable", music);
}

TEST_CASE("deletion protection has no work to do and takes effect at once") {
  SlowTables db;
  db.create(on_demand());
  const Json answer =
      db.ok("UpdateTable", with(music, {{"DeletionProtectionEnabled", true}})).at("TableDescription");
  CHECK(answer.at("TableStatus") == "ACTIVE");
  CHECK(answer.at("DeletionProtectionEnabled") == true);
  CHECK(db.status() == "ACTIVE");
}

TEST_CASE("encryption that is being taken away is shown until it is gone") {
  SlowTables db;
  db.create(with(on_demand(), {{"SSESpecification", {{"Enabled", true}}}}));
  db.ok("UpdateTable", with(music, {{"SSESpecification", {{"Enabled", false}}}}));
  CHECK(describe(db).contains("SSEDescription"));
  db.clock().advance(delay);
  CHECK(!describe(db).contains("SSEDescription"));
}

TEST_CASE("a table is DELETING, described and listed, until it is gone") {
  SlowTables db;
  db.create(on_demand());
  const Json deleted = db.ok("DeleteTable", music).at("TableDescription");
  CHECK(deleted.at("TableStatus") == "DELETING");
  db.clock().advance(delay - moment);
  CHECK(describe(db) == deleted);
  CHECK(db.ok("ListTables", Json::object()).at("TableNames") == Json::array({"Music"}));
  db.clock().advance(moment);
  CHECK(db.ok("ListTables", Json::object()).at("TableNames").empty());
  check_refused(db, "DescribeTable", music, not_found, "ResourceNotFoundException");
  check_refused(db, "GetItem", its_key, "Requested resource not found", "ResourceNotFoundException");
  check_refused(db, "DeleteTable", music, not_found, "ResourceNotFoundException");
}

TEST_CASE("deleting a table that is being deleted is refused and prolongs nothing") {
  SlowTables db;
  db.create(on_demand());
  db.ok("DeleteTable", music);
  db.clock().advance(delay - moment);
  check_in_use(db, "DeleteTable", music, "Table is being deleted: Music");
  db.clock().advance(moment);
  check_refused(db, "DescribeTable", music, not_found, "ResourceNotFoundException");
}

TEST_CASE("a table that is being deleted cannot be updated") {
  SlowTables db;
  db.create(on_demand());
  db.ok("DeleteTable", music);
  check_in_use(db, "UpdateTable", with(music, {{"DeletionProtectionEnabled", true}}),
               "Table is being deleted: Music");
}

TEST_CASE("a name is free again once its table is gone, and the new table is empty") {
  SlowTables db;
  db.create(on_demand());
  const Json first = describe(db).at("TableId");
  db.ok("PutItem", some_item);
  db.ok("DeleteTable", music);
  check_in_use(db, "CreateTable", on_demand(), "Table is being deleted: Music");
  db.clock().advance(delay);
  db.create(on_demand());
  CHECK(describe(db).at("TableId") != first);
  CHECK(!db.ok("GetItem", its_key).contains("Item"));
  CHECK(describe(db).at("ItemCount") == 0);
}

TEST_CASE("pages of ListTables count no table whose deletion is over") {
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

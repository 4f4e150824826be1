#include "dynamodb/request/gate.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"
#include "support/tables.h"

// What throttling, faults and metrics stand on: every operation passes one place, and says there what it
// cost.
namespace test::gate_test {
namespace {

using dinette::dynamodb::Answer;
using dinette::dynamodb::Charge;
using dinette::dynamodb::Context;

/// Notes what passes, as "operation" and "table: units, index units".
class Notes : public dinette::dynamodb::Gate {
 public:
  Answer<void> admit(const Context&, std::string_view operation) override {
    lines_.emplace_back(operation);
    if (operation != refused) return {};
    return dinette::base::Failure{dinette::dynamodb::ApiError{
        dinette::dynamodb::api::ErrorCode::provisioned_throughput_exceeded_exception, "Not now."}};
  }

  void charge(const Context&, std::string_view table, const Charge& charge) override {
    std::string line = std::string(table) + ": " + Json(charge.table).dump();
    for (const Charge::Index& index : charge.indexes)
      line += ", " + index.name + (index.local ? " (local) " : " ") + Json(index.units).dump();
    lines_.push_back(line);
  }

  std::vector<std::string> take() { return std::exchange(lines_, {}); }

  std::string refused;

 private:
  std::vector<std::string> lines_;
};

struct GatedDynamoDb : private Notes, DynamoDb {
  GatedDynamoDb() : DynamoDb(options_with(this)) {}
  Notes& notes() { return *this; }

 private:
  static dinette::dynamodb::ServiceOptions options_with(Notes* notes) {
    dinette::dynamodb::ServiceOptions options;
    options.gate = notes;
    return options;
  }
};

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("every operation passes the gate and says what it cost, asked or not") {
  GatedDynamoDb db;
  db.create_table(the_table);
  CHECK(db.notes().take().front() == "CreateTable");
  store_item(db, "");
  CHECK(db.notes().take() == Lines{"PutItem", "Tab: 1.0"});
  ok_item(db, "GetItem");
  CHECK(db.notes().take() == Lines{"GetItem", "Tab: 0.5"});
  ok_item(db, "GetItem", R"("ConsistentRead": true)");
  CHECK(db.notes().take() == Lines{"GetItem", "Tab: 1.0"});
  ok_item(db, "Scan");
  CHECK(db.notes().take() == Lines{"Scan", "Tab: 0.5"});
  ok_item(db, "DeleteItem");
  CHECK(db.notes().take() == Lines{"DeleteItem", "Tab: 1.0"});
}

TEST_CASE("indexes are charged apart from their table, and a batch once for each table") {
  GatedDynamoDb db;
  Json table = on_demand();
  table["AttributeDefinitions"].push_back(attribute("a", "S"));
  table["GlobalSecondaryIndexes"] = Json::array({index_on("byA", Json::array({key("a", "HASH")}))});
  db.ok("CreateTable", table);
  db.notes().take();
  const Json item = {{"pk", {{"S", "1"}}}, {"a", {{"S", "x"}}}};
  db.put("Music", item);
  CHECK(db.notes().take() == Lines{"PutItem", "Music: 1.0, byA 1.0"});
  db.ok("BatchWriteItem",
        {{"RequestItems",
          {{"Music", Json::array({{{"PutRequest", {{"Item", {{"pk", {{"S", "2"}}}}}}}},
                                  {{"DeleteRequest", {{"Key", {{"pk", {{"S", "1"}}}}}}}}})}}}});
  CHECK(db.notes().take() == Lines{"BatchWriteItem", "Music: 2.0, byA 1.0"});
}

TEST_CASE("an item whose time to live is over is deleted at no cost") {
  GatedDynamoDb db;
  db.create_table(the_table);
  db.ok("UpdateTimeToLive", {{"TableName", the_table},
                             {"TimeToLiveSpecification", {{"Enabled", true}, {"AttributeName", "ends"}}}});
  store_item(db, R"("ends": {"N": "1791633599"})");
  db.notes().take();
  db.jobs().run_due();
  CHECK(db.notes().take().empty());
  CHECK(stored_attributes(db).is_null());
}

TEST_CASE("what the gate refuses is not done") {
  GatedDynamoDb db;
  db.create_table(the_table);
  db.notes().refused = "PutItem";
  const Reply refused = call_item(db, "PutItem");
  CHECK(refused.status == 400);
  CHECK(refused.error() == "ProvisionedThroughputExceededException");
  CHECK(refused.message() == "Not now.");
  CHECK(stored_attributes(db).is_null());
}

TEST_CASE("a request that breaks the model's constraints does not come to the gate") {
  GatedDynamoDb db;
  db.notes().take();
  CHECK(db.call("GetItem", "{}").status == 400);
  CHECK(db.notes().take().empty());
}

}  // namespace test::gate_test

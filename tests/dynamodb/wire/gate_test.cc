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

/// Notes what passes, as "operation" and "table: units, index units, failed units".
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
    if (charge.failed > 0) line += ", failed " + Json(charge.failed).dump();
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

/// A gated Tab with `item`, and what its requests told the gate beyond their own names.
struct Told {
  GatedDynamoDb db;

  Told() { db.create_table(the_table); }
  Lines operator()(std::string_view operation, const std::string& body, std::string_view error = "") {
    db.notes().take();
    CHECK(db.call(operation, body).error() == error);
    Lines lines = db.notes().take();
    lines.erase(lines.begin());
    return lines;
  }
};

std::string text_of(std::size_t bytes) {
  return R"({"S": ")" + std::string(bytes, 'x') + "\"}";
}

/// The attribute x of the item stored, empty for no item, and what a write of it takes.
struct Stored {
  std::string x;
  std::string units;
};
const std::vector<Stored> stored_items = {{"", "1.0"}, {text_of(10), "1.0"}, {text_of(8400), "9.0"}};

void prepare(DynamoDb& db, const Stored& stored) {
  ok_item(db, "DeleteItem");
  if (!stored.x.empty()) store_item(db, R"("x": )" + stored.x);
}

constexpr std::string_view condition_failed = "ConditionalCheckFailedException";
constexpr std::string_view cancelled = "TransactionCanceledException";

std::string statement(std::string_view text) {
  return R"({"Statement": ")" + std::string(text) + "\"}";
}
std::string list_of(std::string_view name, std::initializer_list<std::string> members) {
  std::string list;
  for (const std::string& member : members) list += (list.empty() ? "" : ", ") + member;
  return "{\"" + std::string(name) + "\": [" + list + "]}";
}

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

// docs/service/capacity.md section 3.
TEST_CASE("a write whose condition fails costs what the stored item does, whatever it would have become") {
  Told told;
  const std::string never = R"~("ConditionExpression": "attribute_exists(nothing)")~";
  for (const Stored& stored : stored_items) {
    const Lines expected = {"Tab: 0.0, failed " + stored.units};
    for (const std::string& x : {text_of(1), text_of(20'000)}) {
      prepare(told.db, stored);
      const std::string put = R"("Item": {"pk": {"S": "a"}, "x": )" + x + "}, " + never;
      CHECK(told("PutItem", about_one_item("PutItem", put), condition_failed) == expected);
      const std::string set = R"("UpdateExpression": "SET x = :x", "ExpressionAttributeValues": {":x": )" +
                              x + "}, " + never + R"(, "ReturnValuesOnConditionCheckFailure": "ALL_OLD")";
      CHECK(told("UpdateItem", about_one_item("UpdateItem", set), condition_failed) == expected);
    }
    CHECK(told("DeleteItem", about_one_item("DeleteItem", never), condition_failed) == expected);
    CHECK(told("DeleteItem",
               about_one_item("DeleteItem", R"("Expected": {"y": {"Exists": true, "Value": {"N": "1"}}})"),
               condition_failed) == expected);
  }
}

TEST_CASE("a statement whose condition fails costs what the stored item does") {
  Told told;
  for (const Stored& stored : stored_items) {
    const Lines expected = {"Tab: 0.0, failed " + stored.units};
    prepare(told.db, stored);
    CHECK(told("ExecuteStatement", statement("UPDATE Tab SET x = 'y' WHERE pk = 'a' AND y = 1"),
               condition_failed) == expected);
    if (stored.x.empty()) continue;
    CHECK(told("ExecuteStatement", statement("DELETE FROM Tab WHERE pk = 'a' AND y = 1"), condition_failed) ==
          expected);
    const std::string large = "INSERT INTO Tab VALUE {'pk': 'a', 'x': '" + std::string(3000, 'x') + "'}";
    CHECK(told("ExecuteStatement", statement(large), "DuplicateItemException") == expected);
  }
}

TEST_CASE("a batch tells of the statements that failed, with those that did not or alone") {
  Told told;
  told.db.create_table("Other");
  prepare(told.db, stored_items[2]);
  const std::string inserted = statement("INSERT INTO Tab VALUE {'pk': 'a'}");
  const std::string updated = statement("UPDATE Other SET x = 1 WHERE pk = 'none'");
  CHECK(told("BatchExecuteStatement",
             list_of("Statements", {inserted, updated, statement("DELETE FROM Tab WHERE pk = 'none'")})) ==
        Lines{"Tab: 1.0, failed 9.0", "Other: 0.0, failed 1.0"});
  prepare(told.db, stored_items[1]);
  const std::string large = "INSERT INTO Tab VALUE {'pk': 'a', 'x': '" + std::string(3000, 'x') + "'}";
  CHECK(told("BatchExecuteStatement", list_of("Statements", {statement(large)})) ==
        Lines{"Tab: 0.0, failed 1.0"});
}

TEST_CASE("each action of a cancelled transaction costs twice what its stored item does, failing or not",
          "[own engine]") {
  Told told;
  told.db.create_table("Other");
  const auto on = [](std::string_view kind, std::string_view pk, const std::string& more) {
    return "{\"" + std::string(kind) + R"(": {"TableName": "Tab", "Key": {"pk": {"S": ")" + std::string(pk) +
           "\"}}" + more + "}}";
  };
  const auto put = [](std::string_view table, std::string_view pk, const std::string& x) {
    return R"({"Put": {"TableName": ")" + std::string(table) + R"(", "Item": {"pk": {"S": ")" +
           std::string(pk) + R"("}, "x": )" + x + "}}}";
  };
  const auto set = [&](std::string_view pk, const std::string& x) {
    return on("Update", pk,
              R"(, "UpdateExpression": "SET x = :x", "ExpressionAttributeValues": {":x": )" + x + "}");
  };
  const std::string small = text_of(10);
  const std::string large = text_of(8400);
  for (const std::string_view pk : {"s1", "s2", "l1", "l2", "l3"})
    told.db.put(the_table, {{"pk", {{"S", pk}}}, {"x", Json::parse(pk[0] == 's' ? small : large)}});
  const std::string fails = on("ConditionCheck", "s3", R"(, "ConditionExpression": "x = pk")");
  const std::vector<std::string> actions = {put(the_table, "s1", large), set("s2", large),
                                            put(the_table, "l1", small), set("l2", small),
                                            on("Delete", "l3", ""),      put("Other", "new", large)};
  const Lines expected = {"Tab: 0.0, failed 60.0", "Other: 0.0, failed 2.0"};  // 2 * (1 + 1 + 9 + 9 + 9 + 1)
  const auto& a = actions;
  CHECK(told("TransactWriteItems", list_of("TransactItems", {a[0], a[1], a[2], a[3], a[4], fails, a[5]}),
             cancelled) == expected);
  CHECK(told("TransactWriteItems", list_of("TransactItems", {fails, a[4], a[3], a[2], a[1], a[0], a[5]}),
             cancelled) == expected);
  const std::string cannot = on("Update", "l1", R"(, "UpdateExpression": "SET x.y = pk")");
  CHECK(told("TransactWriteItems", list_of("TransactItems", {a[0], cannot}), cancelled) ==
        Lines{"Tab: 0.0, failed 20.0"});
  const std::string inserted = statement("INSERT INTO Tab VALUE {'pk': 'l1'}");
  CHECK(told("ExecuteTransaction",
             list_of("TransactStatements", {statement("DELETE FROM Tab WHERE pk = 's1'"), inserted}),
             cancelled) == Lines{"Tab: 0.0, failed 20.0"});
}

TEST_CASE("a cancelled transaction with a token costs as much each time", "[own engine]") {
  Told told;
  const std::string request =
      R"~({"ClientRequestToken": "t", "TransactItems": [{"Delete": {"TableName": "Tab",
      "Key": {"pk": {"S": "a"}}, "ConditionExpression": "attribute_exists(pk)"}}]})~";
  for (int i = 0; i < 2; ++i)
    CHECK(told("TransactWriteItems", request, cancelled) == Lines{"Tab: 0.0, failed 2.0"});
}

TEST_CASE("a write that is refused for anything else than its condition costs nothing", "[own engine]") {
  Told told;
  prepare(told.db, stored_items[1]);
  constexpr std::string_view validation = "ValidationException";
  CHECK(told("UpdateItem", about_one_item("UpdateItem", update("SET x.y = pk")), validation).empty());
  CHECK(told("ExecuteStatement", statement("UPDATE Tab SET x = y + 1 WHERE pk = 'a'"), validation).empty());
  CHECK(told("BatchExecuteStatement",
             list_of("Statements", {statement("UPDATE Tab SET x = y + 1 WHERE pk = 'a'")}))
            .empty());
  // No item was read.
  CHECK(told("TransactWriteItems",
             R"({"TransactItems": [{"Put": {"TableName": "Tab", "Item": {"pk": {"N": "1"}}}}]})", cancelled)
            .empty());
  CHECK(told("ExecuteTransaction",
             list_of("TransactStatements", {statement("DELETE FROM none WHERE pk = 'a'")}), cancelled)
            .empty());
  CHECK(
      told("TransactGetItems", R"({"TransactItems": [{"Get": {"TableName": "Tab", "Key": {}}}]})", cancelled)
          .empty());
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

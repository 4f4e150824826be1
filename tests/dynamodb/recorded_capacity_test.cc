#include <array>
#include <optional>
#include <string>
#include <vector>

#include "dynamodb/writes/transactions.h"
#include "support/tables.h"

// docs/service/capacity.md section 3: the figures that were recorded on one table with six indexes, for every
// operation that writes.
namespace test::recorded_capacity_test {
namespace {

constexpr std::array<const char*, 3> projections = {"KEYS_ONLY", "INCLUDE", "ALL"};

/// A global and a local index of each projection; the entries have 15, 1024 and 1525 bytes, as the items.
void make_table(DynamoDb& db) {
  db.ok("CreateTable",
        table_request("Tab", "pk sk", "g l",
                      {global_index("gKEYS_ONLY", "g", "", keys_only()),
                       global_index("gINCLUDE", "g", "", including({"i"})), global_index("gALL", "g"),
                       local_index("lKEYS_ONLY", "l", keys_only()),
                       local_index("lINCLUDE", "l", including({"i"})), local_index("lALL", "l")}));
}

struct Item {
  std::string index_keys = "12345678";
  std::size_t included = 1008;
  char filler_of_included = 'i';
  char filler_of_rest = 'r';
};

const Item plain{};
const std::optional<Item> none;

Json key(const std::string& sk = "1") {
  return {{"pk", {{"S", "p"}}}, {"sk", {{"S", sk}}}};
}

Json to_json(const Item& item, const std::string& sk = "1") {
  Json json = key(sk);
  json["g"] = json["l"] = {{"S", item.index_keys}};
  json["i"] = {{"S", std::string(item.included, item.filler_of_included)}};
  json["r"] = {{"S", std::string(491, item.filler_of_rest)}};
  return json;
}

/// One recorded write: what the table is charged, and each of the two indexes of a projection.
struct Row {
  std::optional<Item> before;
  std::optional<Item> after;
  double table;
  std::array<double, 3> arms;
};

const Item grown{.index_keys = "abcdefgh", .included = 1008 + 1025};
const std::vector<Row> rows = {
    {none, plain, 2, {1, 1, 2}},
    {plain, none, 2, {1, 1, 2}},
    {plain, plain, 2, {0, 0, 0}},
    {plain, Item{.filler_of_rest = 's'}, 2, {0, 0, 2}},
    {plain, Item{.filler_of_included = 'j'}, 2, {0, 1, 2}},
    {plain, Item{.included = 1009}, 2, {0, 2, 2}},
    {plain, grown, 3, {2, 4, 5}},
    {grown, plain, 3, {2, 4, 5}},
};

/// A ConsumedCapacity; `axis` is empty or the name of the units that transactions repeat.
Json capacity(double table, const std::array<double, 3>& arms, const std::string& axis = "") {
  const auto units = [&](double count) {
    Json all = {{"CapacityUnits", count}};
    if (!axis.empty()) all[axis] = count;
    return all;
  };
  double total = table;
  Json local;
  Json global;
  for (std::size_t i = 0; i < projections.size(); ++i) {
    if (arms[i] == 0) continue;
    total += 2 * arms[i];
    local[std::string("l") + projections[i]] = units(arms[i]);
    global[std::string("g") + projections[i]] = units(arms[i]);
  }
  Json all = units(total);
  all["TableName"] = "Tab";
  all["Table"] = units(table);
  if (!local.is_null()) all["LocalSecondaryIndexes"] = local;
  if (!global.is_null()) all["GlobalSecondaryIndexes"] = global;
  return all;
}

void prepare(DynamoDb& db, const Row& row) {
  db.ok("DeleteItem", {{"TableName", "Tab"}, {"Key", key()}});
  if (row.before) db.put("Tab", to_json(*row.before));
}

Json consumed(DynamoDb& db, const std::string& operation, Json request) {
  request["ReturnConsumedCapacity"] = "INDEXES";
  return db.ok(operation, request)["ConsumedCapacity"];
}

Json on_table(Json request) {
  request["TableName"] = "Tab";
  return request;
}

/// An update of the item to what it is after.
Json update_to(const Item& after) {
  Json values;
  const Json item = to_json(after);
  for (const std::string name : {"g", "l", "i", "r"}) values[":" + name] = item[name];
  return {{"Key", key()},
          {"UpdateExpression", "SET g = :g, l = :l, i = :i, r = :r"},
          {"ExpressionAttributeValues", values}};
}

}  // namespace

TEST_CASE("the recorded writes of one item, by every operation") {
  DynamoDb db;
  make_table(db);
  for (const Row& row : rows) {
    const Json alone = capacity(row.table, row.arms);
    const Json together = Json::array({capacity(2 * row.table, row.arms, "WriteCapacityUnits")});
    INFO(alone.dump());
    const Json write = row.after ? Json{{"Item", to_json(*row.after)}} : Json{{"Key", key()}};
    prepare(db, row);
    CHECK(consumed(db, row.after ? "PutItem" : "DeleteItem", on_table(write)) == alone);
    prepare(db, row);
    CHECK(consumed(db, "BatchWriteItem",
                   {{"RequestItems",
                     {{"Tab", Json::array({{{row.after ? "PutRequest" : "DeleteRequest", write}}})}}}}) ==
          Json::array({alone}));
    prepare(db, row);
    CHECK(consumed(db, "TransactWriteItems",
                   {{"TransactItems", Json::array({{{row.after ? "Put" : "Delete", on_table(write)}}})}}) ==
          together);
    if (!row.after) continue;
    prepare(db, row);
    CHECK(consumed(db, "UpdateItem", on_table(update_to(*row.after))) == alone);
    prepare(db, row);
    CHECK(consumed(db, "TransactWriteItems",
                   {{"TransactItems", Json::array({{{"Update", on_table(update_to(*row.after))}}})}}) ==
          together);
  }
}

TEST_CASE("the recorded transaction of a put, an update, a delete and a check, and its replay") {
  DynamoDb db;
  make_table(db);
  db.put("Tab", to_json(plain));
  db.put("Tab", to_json(plain, "2"));
  Json checked = key("3");
  checked["x"] = {{"S", std::string(4097 - 7, 'x')}};
  db.put("Tab", checked);
  const Json request = {
      {"ClientRequestToken", "t"},
      {"TransactItems",
       Json::array({{{"Put", on_table({{"Item", to_json(plain, "4")}})}},
                    {{"Update", on_table(update_to({.filler_of_included = 'j'}))}},
                    {{"Delete", on_table({{"Key", key("2")}})}},
                    {{"ConditionCheck",
                      on_table({{"Key", key("3")}, {"ConditionExpression", "attribute_exists(x)"}})}}})}};
  CHECK(consumed(db, "TransactWriteItems", request) ==
        Json::array({capacity(22, {2, 3, 6}, "WriteCapacityUnits")}));
  CHECK(consumed(db, "TransactWriteItems", request) ==
        Json::array({capacity(10, {0, 0, 0}, "ReadCapacityUnits")}));
}

}  // namespace test::recorded_capacity_test

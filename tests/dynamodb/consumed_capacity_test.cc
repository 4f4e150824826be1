#include <catch2/catch.hpp>

#include "one_item.h"
#include "support/tables.h"

// ConsumedCapacity of single-item operations (docs/service/capacity.md sections 1 to 4).
namespace test::consumed_capacity_test {
namespace {

/// The table with a sort key sk and indexes on the string attributes g and l:
/// all and keys are global; some is local and holds x next to its keys.
void make_table(DynamoDb& db) {
  db.ok("CreateTable", table_request("Tab", "pk sk", "g l",
                                     {global_index("all", "g"), global_index("keys", "g", "", keys_only()),
                                      local_index("some", "l", including({"x"}))}));
}

/// Units of the table and of each index, 0 for an arm that is not there.
struct Units {
  double table = 0;
  double all = 0;
  double keys = 0;
  double some = 0;
};

double arm(const Json& capacity, std::string_view kind, std::string_view index) {
  if (!capacity.contains(kind)) return 0;
  const Json& arms = capacity[std::string(kind)];
  CHECK_FALSE(arms.empty());
  if (!arms.contains(index)) return 0;
  CHECK(arms[std::string(index)].size() == 1);
  const double units = arms[std::string(index)]["CapacityUnits"];
  CHECK(units > 0);
  return units;
}

void check_units(const Json& capacity, const Units& expected) {
  INFO(capacity.dump());
  CHECK(capacity["TableName"] == "Tab");
  CHECK(capacity["Table"] == Json{{"CapacityUnits", expected.table}});
  CHECK(arm(capacity, "GlobalSecondaryIndexes", "all") == expected.all);
  CHECK(arm(capacity, "GlobalSecondaryIndexes", "keys") == expected.keys);
  CHECK(arm(capacity, "LocalSecondaryIndexes", "some") == expected.some);
  CHECK(capacity["CapacityUnits"] == expected.table + expected.all + expected.keys + expected.some);
}

/// An item of the table; its key takes 6 bytes. `g` 2, `l` 2, `x` and `y` 1 byte and their length.
struct Item {
  bool exists = true;
  bool g = false;
  bool l = false;
  int x = -1;
  int y = -1;
  std::string g_value = "g";
  std::string l_value = "l";
};

const Item none{.exists = false};

Json to_json(const Item& item) {
  Json json = Json::parse(R"({"pk": {"S": "a"}, "sk": {"S": "s"}})");
  const auto text = [](int length) {
    return Json{{"S", std::string(static_cast<std::size_t>(length), 'x')}};
  };
  if (item.g) json["g"] = {{"S", item.g_value}};
  if (item.l) json["l"] = {{"S", item.l_value}};
  if (item.x >= 0) json["x"] = text(item.x);
  if (item.y >= 0) json["y"] = text(item.y);
  return json;
}

const Json key = Json::parse(R"({"pk": {"S": "a"}, "sk": {"S": "s"}})");

void prepare(DynamoDb& db, const Item& before) {
  db.ok("DeleteItem", {{"TableName", the_table}, {"Key", key}});
  if (before.exists) db.put(the_table, to_json(before));
}

Json write(DynamoDb& db, const Item& after, const std::string& wanted) {
  Json request = {{"TableName", the_table}, {"ReturnConsumedCapacity", wanted}};
  request[after.exists ? "Item" : "Key"] = after.exists ? to_json(after) : key;
  return db.ok(after.exists ? "PutItem" : "DeleteItem", request).value("ConsumedCapacity", Json());
}

/// The same through UpdateItem: sets and removes what differs.
Json update_to(DynamoDb& db, const Item& after) {
  const Json wanted = to_json(after);
  Json values = Json::object();
  std::string set;
  std::string remove;
  for (const std::string name : {"g", "l", "x", "y"}) {
    if (wanted.contains(name)) {
      set += (set.empty() ? "SET " : ", ") + name + " = :" + name;
      values[':' + name] = wanted[name];
    } else {
      remove += (remove.empty() ? " REMOVE " : ", ") + name;
    }
  }
  Json request = {{"TableName", the_table},
                  {"Key", key},
                  {"UpdateExpression", set + remove},
                  {"ReturnConsumedCapacity", "INDEXES"}};
  if (!values.empty()) request["ExpressionAttributeValues"] = values;
  return db.ok("UpdateItem", request)["ConsumedCapacity"];
}

struct Write {
  Item before;
  Item after;  // not existing: a DeleteItem
  Units units;
};

const std::vector<Write> writes = {
    // The table alone: the larger of before and after, at least 1; every 1024 bytes.
    {none, {}, {1}},
    {none, {.x = 1017}, {1}},
    {none, {.x = 1018}, {2}},
    {{.x = 3000}, {}, {3}},
    {{}, {.x = 3000}, {3}},
    {{.x = 3000}, {.x = 3000}, {3}},
    {{.x = 3000}, none, {3}},
    {none, none, {1}},
    {{}, none, {1}},
    // Entries that appear, go away, change and stay.
    {none, {.g = true, .x = 3000}, {3, 3, 1}},
    {none, {.g = true, .l = true}, {1, 1, 1, 1}},
    {{.g = true, .x = 3000}, {.x = 3000}, {3, 3, 1}},
    {{.g = true, .l = true, .x = 3000, .y = 3000}, none, {6, 6, 1, 3}},
    {{.g = true, .l = true, .x = 5}, {.g = true, .l = true, .x = 5}, {1}},
    {{.g = true, .x = 3009}, {.g = true}, {3, 3}},
    {{.g = true}, {.g = true, .x = 3011}, {3, 3}},
    {{.g = true, .x = 600}, {.g = true, .x = 601}, {1, 1}},
    // What an index does not project does not cost it.
    {{.l = true, .y = 10}, {.l = true, .y = 3000}, {3}},
    {{.l = true, .x = 10}, {.l = true, .x = 2000}, {2, 0, 0, 2}},
    {{.l = true, .x = 10, .y = 3000}, {.l = true, .x = 11, .y = 3000}, {3, 0, 0, 1}},
    // Entries that move pay for both places, rounded each for itself.
    {{.g = true, .x = 1500}, {.g = true, .x = 1500, .g_value = "h"}, {2, 4, 2}},
    {{.g = true, .x = 3000}, {.g = true, .g_value = "h"}, {3, 4, 2}},
    {{.l = true, .x = 1500}, {.l = true, .x = 1500, .l_value = "m"}, {2, 0, 0, 4}},
    {{.l = true, .x = 3000}, {.l = true, .l_value = "m"}, {3, 0, 0, 4}},
    // The worked figures: 3017 B removed, 3017 to 18 B, 18 to 3020 B, 617 and 1517 B changed, 2017 to 117 B,
    // and
    // a small entry of a large item.
    {{.g = true, .x = 3008}, {.x = 3008}, {3, 3, 1}},
    {{.g = true, .x = 3008}, {.g = true, .x = 9}, {3, 3}},
    {{.g = true, .x = 9}, {.g = true, .x = 3011}, {3, 3}},
    {{.g = true, .x = 300, .y = 307}, {.g = true, .x = 307, .y = 300}, {1, 1}},
    {{.g = true, .x = 1000, .y = 507}, {.g = true, .x = 507, .y = 1000}, {2, 2}},
    {{.g = true, .x = 2008}, {.g = true, .x = 108}, {2, 2}},
    {none, {.l = true, .x = 9, .y = 3004}, {3, 0, 0, 1}},
};

}  // namespace

TEST_CASE("writes are charged by table and index") {
  DynamoDb db;
  make_table(db);
  for (const Write& one : writes) {
    INFO(to_json(one.before).dump().substr(0, 200) << " -> " << to_json(one.after).dump().substr(0, 200));
    prepare(db, one.before);
    check_units(write(db, one.after, "INDEXES"), one.units);
    if (!one.after.exists) continue;
    prepare(db, one.before);
    check_units(update_to(db, one.after), one.units);
  }
}

TEST_CASE("TOTAL counts the indexes but does not show them, NONE shows nothing") {
  DynamoDb db;
  make_table(db);
  const Item item{.g = true, .l = true, .x = 3000};
  const Json total = {{"TableName", the_table}, {"CapacityUnits", 3.0 + 3 + 1 + 3}};
  CHECK(write(db, item, "TOTAL") == total);
  CHECK(write(db, none, "TOTAL") == total);
  CHECK(write(db, item, "NONE").is_null());
  CHECK(write(db, none, "NONE").is_null());
}

TEST_CASE("an entry is identical whatever the order in which sets and maps are sent, but not lists") {
  DynamoDb db;
  make_table(db);
  const auto put = [&](const std::string& x) {
    Json item = to_json({.g = true});
    item["x"] = Json::parse(x);
    return db.ok("PutItem", {{"TableName", the_table},
                             {"Item", item},
                             {"ReturnConsumedCapacity", "INDEXES"}})["ConsumedCapacity"];
  };
  put(R"({"M": {"s": {"SS": ["a", "b"]}, "n": {"NS": ["1", "2"]}, "l": {"L": [{"N": "1"}, {"N": "2"}]}}})");
  check_units(
      put(R"({"M": {"n": {"NS": ["2.0", "1"]}, "l": {"L": [{"N": "1"}, {"N": "2"}]}, "s": {"SS": ["b", "a"]}}})"),
      {1});
  check_units(
      put(R"({"M": {"n": {"NS": ["2.0", "1"]}, "l": {"L": [{"N": "2"}, {"N": "1"}]}, "s": {"SS": ["b", "a"]}}})"),
      {1, 1});
}

TEST_CASE("an update that changes nothing is charged in full, indexes not") {
  DynamoDb db;
  make_table(db);
  prepare(db, {.g = true, .l = true, .x = 3000});
  const Json request = {{"TableName", the_table}, {"Key", key}, {"ReturnConsumedCapacity", "INDEXES"}};
  check_units(db.ok("UpdateItem", request)["ConsumedCapacity"], {3});
  prepare(db, none);
  check_units(db.ok("UpdateItem", request)["ConsumedCapacity"], {1});
}

TEST_CASE("legacy deletes on a missing item cost the minimum") {
  DynamoDb db;
  make_table(db);
  const Json request = {{"TableName", the_table},
                        {"Key", key},
                        {"ReturnConsumedCapacity", "INDEXES"},
                        {"AttributeUpdates", {{"x", {{"Action", "DELETE"}}}}}};
  check_units(db.ok("UpdateItem", request)["ConsumedCapacity"], {1});
}

TEST_CASE("a failed condition shows no capacity") {
  DynamoDb db;
  db.create_table(the_table);
  for (const auto operation : {"PutItem", "UpdateItem", "DeleteItem"}) {
    const Reply reply = call_item(
        db, operation, condition("attribute_exists(pk)") + R"(, "ReturnConsumedCapacity": "TOTAL")");
    check_condition_failed(reply);
    CHECK_FALSE(reply.json().contains("ConsumedCapacity"));
  }
}

TEST_CASE("reads are charged by 4096 bytes of the whole item, half when eventual") {
  DynamoDb db;
  db.create_table(the_table);
  // pk takes 3 bytes, x 1 and its length; -1: no item.
  for (const auto& [length, strong] :
       {std::pair(-1, 1.0), {0, 1.0}, {4092, 1.0}, {4093, 2.0}, {12'000, 3.0}}) {
    ok_item(db, "DeleteItem");
    if (length >= 0)
      store_item(db, R"("x": {"S": ")" + std::string(static_cast<std::size_t>(length), 'x') + R"("})");
    for (const std::string part :
         {"", R"(, "ProjectionExpression": "pk")", R"(, "AttributesToGet": ["pk"])"}) {
      const auto read = [&](const std::string& wishes) {
        return ok_item(db, "GetItem", R"("ReturnConsumedCapacity": )" + wishes + part)
            .value("ConsumedCapacity", Json());
      };
      CHECK(read(R"("TOTAL")") == Json{{"TableName", the_table}, {"CapacityUnits", strong / 2}});
      CHECK(read(R"("TOTAL", "ConsistentRead": false)") ==
            Json{{"TableName", the_table}, {"CapacityUnits", strong / 2}});
      CHECK(read(R"("TOTAL", "ConsistentRead": true)") ==
            Json{{"TableName", the_table}, {"CapacityUnits", strong}});
      CHECK(read(R"("INDEXES", "ConsistentRead": true)") == Json{{"TableName", the_table},
                                                                 {"CapacityUnits", strong},
                                                                 {"Table", {{"CapacityUnits", strong}}}});
      CHECK(read(R"("NONE")").is_null());
    }
  }
}

TEST_CASE("capacity is written as a double") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string wish = R"("ReturnConsumedCapacity": "TOTAL")";
  CHECK_THAT(call_item(db, "PutItem", wish).body, Catch::Contains(R"("CapacityUnits":1.0)"));
  CHECK_THAT(call_item(db, "GetItem", wish).body, Catch::Contains(R"("CapacityUnits":0.5)"));
}

}  // namespace test::consumed_capacity_test

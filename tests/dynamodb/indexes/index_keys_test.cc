#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"
#include "dynamodb/writes/transactions.h"
#include "support/tables.h"

// Values of secondary index keys on writes (docs/service/indexes.md section 3).
namespace test::index_keys_test {
namespace {

const std::string put_refusal =
    "One or more parameter values are not valid. A value specified for a secondary index key is not "
    "supported. The "
    "AttributeValue for a key attribute cannot contain an empty ";
const std::string update_refusal =
    "One or more parameter values are not valid. The update expression attempted to update a secondary index "
    "key to a value "
    "that is not supported. The AttributeValue for a key attribute cannot contain an empty ";

const std::string wrong_type_update =
    "The update expression attempted to update the secondary index key to unsupported type";
const std::string too_long_update =
    "The update expression attempted to update the secondary index key beyond allowed size limits";

std::string too_long(const std::string& name, std::size_t length, std::size_t most,
                     const std::string& index) {
  return invalid("Size limit exceeded for Index Key " + name + " Actual Size: " + std::to_string(length) +
                 " bytes Max Size: " + std::to_string(most) + " bytes IndexName: " + index);
}

/// The string s is a key of the global indexes zzz and ggg and of the local index mmm, the binary b of
/// binary, the number n in the local index l.
void make_table(DynamoDb& db) {
  db.ok("CreateTable", table_request("Tab", "pk sk", "s b:B n:N",
                                     {global_index("zzz", "s"), global_index("ggg", "s", "pk"),
                                      global_index("binary", "pk", "b", keys_only()), local_index("mmm", "s"),
                                      local_index("local", "n")}));
}

const std::string key = R"("pk": {"S": "a"}, "sk": {"S": "s"})";

std::string put(const std::string& attributes) {
  return R"("Item": {)" + key + ", " + attributes + "}";
}

/// An ExecuteStatement, with a parameter if there is one.
std::string statement(std::string_view text, const std::string& parameter = "") {
  const std::string members = R"("TableName": null, "Statement": )" + Json(text).dump();
  return parameter.empty() ? members : members + R"(, "Parameters": [)" + parameter + "]";
}

/// The same attribute through each way that UpdateItem has.
std::vector<std::string> updates(const std::string& name, const std::string& value) {
  const std::string on_key = R"("Key": {)" + key + "}, ";
  return {on_key + update("SET " + name + " = :v", R"(":v": )" + value),
          on_key + update("SET " + name + " = if_not_exists(nope, :v)", R"(":v": )" + value),
          on_key + R"("AttributeUpdates": {")" + name + R"(": {"Value": )" + value + "}}"};
}

}  // namespace

TEST_CASE("an index key has its declared type") {
  DynamoDb db;
  make_table(db);
  const std::vector<std::pair<std::string, std::string>> values = {
      {"N", R"({"N": "1"})"},        {"B", R"({"B": "AQ=="})"},  {"BOOL", R"({"BOOL": true})"},
      {"NULL", R"({"NULL": true})"}, {"SS", R"({"SS": ["a"]})"}, {"NS", R"({"NS": ["1"]})"},
      {"BS", R"({"BS": ["AQ=="]})"}, {"L", R"({"L": []})"},      {"M", R"({"M": {}})"},
  };
  for (const auto& [type, value] : values) {
    const std::string message =
        invalid("Type mismatch for Index Key s Expected: S Actual: " + type + " IndexName: ggg");
    check_refusal(db, {"PutItem", put(R"("s": )" + value), message});
    for (const auto& update : updates("s", value)) check_refusal(db, {"UpdateItem", update, message});
  }
  check_refusals(db, {{"PutItem", put(R"("n": {"S": "1"})"),
                       invalid("Type mismatch for Index Key n Expected: N Actual: S IndexName: local")},
                      {"PutItem", put(R"("b": {"S": "1"})"),
                       invalid("Type mismatch for Index Key b Expected: B Actual: S IndexName: binary")},
                      {"UpdateItem", R"("Key": {)" + key + "}, " + update("ADD s :v", R"(":v": {"N": "1"})"),
                       invalid("Type mismatch for Index Key s Expected: S Actual: N IndexName: ggg")}});
  CHECK(db.get(the_table, Json::parse("{" + key + "}")).is_null());
}

// The sentence of the API model, reported for values that are not the request's own.
TEST_CASE("an index key that an update copies or computes in a wrong type is refused") {
  DynamoDb db;
  make_table(db);
  const std::string on_key = R"("Key": {)" + key + "}, ";
  ok_item(db, "PutItem", put(R"("e": {"N": "1"})"));
  const std::string& refusal = wrong_type_update;
  const std::string one = R"(":v": {"N": "1"})";
  check_refusals(db, {{"UpdateItem", on_key + update("SET s = e"), refusal},
                      {"UpdateItem", on_key + update("SET s = e + :v", one), refusal},
                      {"UpdateItem", on_key + update("SET s = if_not_exists(e, :v)", one), refusal},
                      {"UpdateItem", on_key + update("SET s = if_not_exists(f, :v)", one),
                       invalid("Type mismatch for Index Key s Expected: S Actual: N IndexName: ggg")}});
  ok_item(db, "UpdateItem", on_key + update("SET s = pk"));
}

TEST_CASE("an index key is not empty") {
  DynamoDb db;
  make_table(db);
  check_refusals(
      db,
      {{"PutItem", put(R"("s": {"S": ""})"), put_refusal + "string value. IndexName: ggg, IndexKey: s"},
       {"PutItem", put(R"("b": {"B": ""})"), put_refusal + "binary value. IndexName: binary, IndexKey: b"}});
  for (const auto& update : updates("s", R"({"S": ""})")) {
    check_refusal(db, {"UpdateItem", update, update_refusal + "string value."});
  }
  for (const auto& update : updates("b", R"({"B": ""})")) {
    check_refusal(db, {"UpdateItem", update, update_refusal + "binary value."});
  }
}

// Reports of users; of several indexes that have the key the first one by name that it is too long for.
TEST_CASE("an index key has the length limits of keys") {
  DynamoDb db;
  make_table(db);
  const auto text = [](std::size_t length) { return R"({"S": ")" + std::string(length, 'x') + R"("})"; };
  // The hash attribute of ggg and zzz, the range attribute of mmm.
  CHECK(call_item(db, "PutItem", put(R"("s": )" + text(1024))).status == 200);
  check_refusals(db, {{"PutItem", put(R"("s": )" + text(1025)), too_long("s", 1025, 1024, "mmm")},
                      {"PutItem", put(R"("s": )" + text(2048)), too_long("s", 2048, 1024, "mmm")},
                      {"PutItem", put(R"("s": )" + text(2049)), too_long("s", 2049, 2048, "ggg")}});
  // 1,024 bytes of base64 are 768.
  const auto bytes = [](std::size_t quads) {
    std::string base64;
    for (std::size_t i = 0; i < quads; ++i) base64 += "AAAA";
    return R"({"B": ")" + base64 + R"("})";
  };
  CHECK(call_item(db, "PutItem", put(R"("b": )" + bytes(341))).status == 200);
  check_refusal(db, {"PutItem", put(R"("b": )" + bytes(342)), too_long("b", 1026, 1024, "binary")});
  for (const auto& update : updates("s", text(1024)))
    CHECK(call_item(db, "UpdateItem", update).status == 200);
  for (const auto& update : updates("s", text(1025)))
    check_refusal(db, {"UpdateItem", update, too_long("s", 1025, 1024, "mmm")});
  for (const auto& update : updates("s", text(2049)))
    check_refusal(db, {"UpdateItem", update, too_long("s", 2049, 2048, "ggg")});
  // From another attribute, as with wrong types.
  ok_item(db, "PutItem", put(R"("e": )" + text(1025)));
  check_refusal(db, {"UpdateItem", R"("Key": {)" + key + "}, " + update("SET s = e"), too_long_update});
}

namespace {

/// A table with the key pk and the index by-g on g (S).
Json table_with_g() {
  return table_request("Tab", "pk", "g", {global_index("by-g", "g")});
}

}  // namespace

TEST_CASE("a new item's index key that is too long gets one error, whatever it comes with") {
  const std::string item = R"({"pk": {"S": "a"}, "g": {"S": ")" + std::string(2175, 'x') + R"("}})";
  const std::string message = too_long("g", 2175, 2048, "by-g");
  DynamoDb db;
  db.ok("CreateTable", table_with_g());
  check_refusals(
      db,
      {{"PutItem", R"("Item": )" + item, message},
       {"BatchWriteItem",
        R"("TableName": null, "RequestItems": {"Tab": [{"PutRequest": {"Item": )" + item + "}}]}", message},
       {"UpdateItem", update("SET g = :g", R"(":g": )" + Json::parse(item)["g"].dump()), message}});
  check_refusal(
      db,
      {"ExecuteStatement",
       statement(R"(INSERT INTO "Tab" VALUE {'pk': 'a', 'g': ?})", Json::parse(item)["g"].dump()), message});
  CHECK(cancellation(db.call("TransactWriteItems",
                             transaction({R"({"Put": {"TableName": "Tab", "Item": )" + item + "}}"}))) ==
        cancelled({"ValidationError: " + message}));
  CHECK(ok_item(db, "Scan", "")["Count"] == 0);
}

TEST_CASE("a partition key that is too long for an index's sort key is refused when its item is written") {
  DynamoDb db;
  db.create_table(the_table);
  const auto pk = [](std::size_t length) {
    return R"({"pk": {"S": ")" + std::string(length, 'k') + R"("}})";
  };
  ok_item(db, "PutItem", R"("Item": )" + pk(1025));
  db.ok("UpdateTable", Json::parse(R"({"TableName": "Tab",
      "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "g", "AttributeType": "S"}],
      "GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": "turned", "Projection": {"ProjectionType": "ALL"},
        "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}, {"AttributeName": "pk", "KeyType": "RANGE"}]}}]})"));
  db.jobs().run_due();
  // Of an older item the update leaves the key as it is.
  const std::string with_g = update("SET g = :g", R"(":g": {"S": "g"})");
  check_refusals(db, {{"PutItem", R"("Item": )" + pk(1025), too_long("pk", 1025, 1024, "turned")},
                      {"UpdateItem", R"("Key": )" + pk(1026), too_long("pk", 1026, 1024, "turned")},
                      {"UpdateItem", R"("Key": )" + pk(1025) + ", " + with_g, too_long_update}});
  ok_item(db, "PutItem", R"("Item": )" + pk(1024));
  ok_item(db, "UpdateItem", R"("Key": )" + pk(1024));
  ok_item(db, "UpdateItem", R"("Key": )" + pk(1024) + ", " + with_g);
  CHECK(ok_item(db, "Scan", R"("IndexName": "turned")")["Count"] == 1);
  ok_item(db, "DeleteItem", R"("Key": )" + pk(1025));
}

namespace {

/// What is wrong with an index key that is older than its index, and what updates are refused with.
struct OldKey {
  std::string attribute;
  std::string refusal;
};
const std::vector<OldKey> wrong_old_keys = {
    {R"("g": {"N": "123"})", wrong_type_update},
    {R"("g": {"NULL": true})", wrong_type_update},
    {R"("g": {"S": ""})", update_refusal + "string value."},
    {R"("g": {"S": ")" + std::string(2049, 'x') + R"("})", too_long_update},
    {R"("r": {"S": "1"})", wrong_type_update},
    {R"("r": {"B": ""})", update_refusal + "binary value."},
};

/// The item "a", with an attribute that a later index, on g (S) and r (B), cannot have as a key.
void make_old_item(DynamoDb& db, const std::string& attribute) {
  db.create_table(the_table);
  store_item(db, attribute + R"(, "v": {"N": "1"})");
  db.ok("UpdateTable", Json::parse(R"({"TableName": "Tab",
      "AttributeDefinitions": [{"AttributeName": "g", "AttributeType": "S"}, {"AttributeName": "r", "AttributeType": "B"}],
      "GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": "later", "Projection": {"ProjectionType": "ALL"},
        "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}, {"AttributeName": "r", "KeyType": "RANGE"}]}}]})"));
  db.jobs().run_due();
  REQUIRE(ok_item(db, "Scan", R"("IndexName": "later")")["Count"] == 0);
}

}  // namespace

// docs/service/indexes.md section 3: seen on the service, with a wrong type and an UpdateExpression.
TEST_CASE(
    "an item that is older than an index and has a wrong key of it accepts no update of other attributes") {
  for (const auto& [attribute, refusal] : wrong_old_keys) {
    INFO(attribute.substr(0, 40));
    DynamoDb db;
    make_old_item(db, attribute);
    const Json before = stored_attributes(db);
    const std::string two = R"(":v": {"N": "2"})";
    check_refusals(db, {{"UpdateItem", update("SET v = :v", two), refusal},
                        {"UpdateItem", update("ADD v :v", two), refusal},
                        {"UpdateItem", update("SET w = v"), refusal},
                        {"UpdateItem", update("REMOVE v"), refusal},
                        {"UpdateItem", R"("AttributeUpdates": {"v": {"Value": {"N": "2"}}})", refusal},
                        {"UpdateItem", R"("AttributeUpdates": {"v": {"Action": "DELETE"}})", refusal},
                        {"UpdateItem", "", refusal}});
    const std::string set_2 = R"(UPDATE "Tab" SET v = 2 WHERE pk = 'a')";
    check_refusal(db, {"ExecuteStatement", statement(set_2), refusal});
    const std::string action =
        R"({"TableName": "Tab", "Key": {"pk": {"S": "a"}}, )" + update("SET v = :v", two) + "}";
    CHECK(cancellation(db.call("TransactWriteItems", transaction({R"({"Update": )" + action + "}"}))) ==
          cancelled({"ValidationError: " + refusal}));
    CHECK(cancellation(db.call("ExecuteTransaction", {{"TransactStatements", {{{"Statement", set_2}}}}})) ==
          cancelled({"ValidationError: " + refusal}));
    CHECK(stored_attributes(db) == before);
    // The condition is checked first.
    check_condition_failed(
        call_item(db, "UpdateItem", update("SET v = :v", two) + ", " + condition("attribute_not_exists(v)")));
  }
}

TEST_CASE("a wrong key that an update writes to such an item is the request's") {
  DynamoDb db;
  make_old_item(db, R"("g": {"N": "123"})");
  const std::string mismatch =
      invalid("Type mismatch for Index Key g Expected: S Actual: N IndexName: later");
  check_refusals(db, {{"UpdateItem", update("SET g = :n", R"(":n": {"N": "5"})"), mismatch},
                      {"UpdateItem", R"("AttributeUpdates": {"g": {"Value": {"N": "5"}}})", mismatch},
                      {"UpdateItem", update("SET g = v"), wrong_type_update},
                      {"UpdateItem", update("SET r = :r", R"(":r": {"B": "AQ=="})"), wrong_type_update}});
}

TEST_CASE("an item with a wrong index key can be repaired, replaced and deleted") {
  for (const auto& [attribute, refusal] : wrong_old_keys) {
    INFO(attribute.substr(0, 40));
    const std::string name = attribute.substr(1, 1);
    const std::string right = name == "g" ? R"(":k": {"S": "x"})" : R"(":k": {"B": "AQ=="})";
    const std::string repair = "SET v = :v, " + name + " = :k";
    for (const auto& [operation, members] : std::initializer_list<std::pair<std::string, std::string>>{
             {"UpdateItem", update(repair, R"(":v": {"N": "2"}, )" + right)},
             {"UpdateItem", update("SET v = :v REMOVE " + name, R"(":v": {"N": "2"})")},
             {"UpdateItem", R"("AttributeUpdates": {")" + name + R"(": {"Action": "DELETE"}})"},
             {"PutItem", R"("Item": {"pk": {"S": "a"}, "v": {"N": "2"}})"},
             {"DeleteItem", ""}}) {
      DynamoDb db;
      make_old_item(db, attribute);
      ok_item(db, operation, members);
      if (operation == "DeleteItem") continue;
      ok_item(db, "UpdateItem", update("SET v = :v", R"(":v": {"N": "3"})"));
    }
  }
}

TEST_CASE("every attribute of a key of several is checked") {
  DynamoDb db;
  db.ok("CreateTable",
        table_request("Tab", "pk", "h1 h2:N r1 r2:B", {global_index("many", "h1 h2", "r1 r2", keys_only())}));
  const auto item = [](const std::string& attribute) {
    return R"("Item": {"pk": {"S": "a"}, )" + attribute + "}";
  };
  const auto wrong = [](const std::string& types) {
    return invalid("Type mismatch for Index Key " + types + " IndexName: many");
  };
  check_refusals(
      db,
      {{"PutItem", item(R"("h1": {"N": "1"})"), wrong("h1 Expected: S Actual: N")},
       {"PutItem", item(R"("h2": {"S": "1"})"), wrong("h2 Expected: N Actual: S")},
       {"PutItem", item(R"("r1": {"B": ""})"), wrong("r1 Expected: S Actual: B")},
       {"PutItem", item(R"("r2": {"B": ""})"), put_refusal + "binary value. IndexName: many, IndexKey: r2"},
       {"UpdateItem", update("SET r1 = :v", R"(":v": {"S": ""})"), update_refusal + "string value."}});
  // Part of the key: stored, but not in the index.
  const std::string part = item(R"("h1": {"S": "1"}, "h2": {"N": "1"}, "r1": {"S": "1"})");
  CHECK(ok_item(db, "PutItem",
                part + R"(, "ReturnConsumedCapacity": "TOTAL")")["ConsumedCapacity"]["CapacityUnits"] == 1.0);
  const std::string whole =
      item(R"("h1": {"S": "1"}, "h2": {"N": "1"}, "r1": {"S": "1"}, "r2": {"B": "AQ=="})");
  CHECK(ok_item(db, "PutItem",
                whole + R"(, "ReturnConsumedCapacity": "TOTAL")")["ConsumedCapacity"]["CapacityUnits"] ==
        2.0);
}

TEST_CASE("items without the index's key, and right values, are stored") {
  DynamoDb db;
  make_table(db);
  CHECK(call_item(db, "PutItem", put(R"("other": {"S": ""})")).status == 200);
  CHECK(call_item(db, "PutItem", put(R"("s": {"S": "x"}, "b": {"B": "AQ=="}, "n": {"N": "0"})")).status ==
        200);
  CHECK(call_item(db, "UpdateItem", R"("Key": {)" + key + "}, " + update("REMOVE s, b, n")).status == 200);
  CHECK(db.get(the_table, Json::parse("{" + key + "}")) == Json::parse("{" + key + "}"));
}

TEST_CASE("a failing condition wins over an index key that an update makes wrong") {
  DynamoDb db;
  make_table(db);
  const std::string wrong = R"("Key": {)" + key + R"(}, "UpdateExpression": "SET s = :v", )";
  check_condition_failed(call_item(
      db, "UpdateItem",
      wrong + R"("ExpressionAttributeValues": {":v": {"N": "1"}}, "ConditionExpression": "s = :v")"));
}

}  // namespace test::index_keys_test

#include <catch2/catch.hpp>

#include "one_item.h"

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

const std::string too_long_update =
    "The update expression attempted to update the secondary index key beyond allowed size limits";

/// The string s is a key of the global indexes zzz and ggg and of the local index mmm, the binary b of
/// binary, the number n in the local index l.
void make_table(DynamoDb& db) {
  db.ok("CreateTable", Json::parse(R"({"TableName": "Tab", "BillingMode": "PAY_PER_REQUEST",
      "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"},
                               {"AttributeName": "s", "AttributeType": "S"}, {"AttributeName": "b", "AttributeType": "B"},
                               {"AttributeName": "n", "AttributeType": "N"}],
      "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
      "GlobalSecondaryIndexes": [
        {"IndexName": "zzz", "KeySchema": [{"AttributeName": "s", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}},
        {"IndexName": "ggg", "KeySchema": [{"AttributeName": "s", "KeyType": "HASH"}, {"AttributeName": "pk", "KeyType": "RANGE"}],
         "Projection": {"ProjectionType": "ALL"}},
        {"IndexName": "binary", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "b", "KeyType": "RANGE"}],
         "Projection": {"ProjectionType": "KEYS_ONLY"}}],
      "LocalSecondaryIndexes": [
        {"IndexName": "mmm", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "s", "KeyType": "RANGE"}],
         "Projection": {"ProjectionType": "ALL"}},
        {"IndexName": "local", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "n", "KeyType": "RANGE"}],
         "Projection": {"ProjectionType": "ALL"}}]})"));
}

const std::string key = R"("pk": {"S": "a"}, "sk": {"S": "s"})";

std::string put(const std::string& attributes) {
  return R"("Item": {)" + key + ", " + attributes + "}";
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
TEST_CASE("an index key of a wrong type that comes from another attribute") {
  DynamoDb db;
  make_table(db);
  const std::string on_key = R"("Key": {)" + key + "}, ";
  ok_item(db, "PutItem", put(R"("e": {"N": "1"})"));
  const std::string refusal =
      "The update expression attempted to update the secondary index key to unsupported type";
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

TEST_CASE("an index key has the length limits of keys") {
  DynamoDb db;
  make_table(db);
  db.ok("CreateTable", Json::parse(R"({"TableName": "Hash", "BillingMode": "PAY_PER_REQUEST",
      "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "h", "AttributeType": "S"}],
      "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
      "GlobalSecondaryIndexes": [{"IndexName": "ggg", "KeySchema": [{"AttributeName": "h", "KeyType": "HASH"}],
                                  "Projection": {"ProjectionType": "ALL"}}]})"));
  const auto text = [](std::size_t length) { return R"({"S": ")" + std::string(length, 'x') + R"("})"; };
  const auto hash = [&](std::size_t length) {
    return R"("TableName": "Hash", "Item": {"pk": {"S": "a"}, "h": )" + text(length) + "}";
  };
  CHECK(call_item(db, "PutItem", hash(2048)).status == 200);
  check_refusal(db, {"PutItem", hash(2049),
                     invalid("Size of hashkey has exceeded the maximum size limit of2048 bytes")});
  const std::string too_long =
      invalid("Aggregated size of all range keys has exceeded the size limit of 1024 bytes");
  CHECK(call_item(db, "PutItem", put(R"("s": )" + text(1024))).status == 200);
  check_refusal(db, {"PutItem", put(R"("s": )" + text(1025)), too_long});
  for (const auto& update : updates("s", text(1024)))
    CHECK(call_item(db, "UpdateItem", update).status == 200);
  for (const auto& update : updates("s", text(1025))) {
    check_refusal(db, {"UpdateItem", update, too_long_update});
  }
}

TEST_CASE("a partition key that is too long for an index's sort key is refused when its item is made") {
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
  check_refusals(db,
                 {{"PutItem", R"("Item": )" + pk(1025),
                   invalid("Aggregated size of all range keys has exceeded the size limit of 1024 bytes")},
                  {"UpdateItem", R"("Key": )" + pk(1026), too_long_update}});
  ok_item(db, "PutItem", R"("Item": )" + pk(1024));
  ok_item(db, "UpdateItem", R"("Key": )" + pk(1024));
  // An older item is left out of the index, and may be changed.
  const std::string with_g = update("SET g = :g", R"(":g": {"S": "g"})");
  ok_item(db, "UpdateItem", R"("Key": )" + pk(1025) + ", " + with_g);
  CHECK(ok_item(db, "Scan", R"("IndexName": "turned")")["Count"] == 0);
  ok_item(db, "UpdateItem", R"("Key": )" + pk(1024) + ", " + with_g);
  CHECK(ok_item(db, "Scan", R"("IndexName": "turned")")["Count"] == 1);
}

TEST_CASE("every attribute of a key of several is checked") {
  DynamoDb db;
  db.ok("CreateTable", Json::parse(R"({"TableName": "Tab", "BillingMode": "PAY_PER_REQUEST",
      "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "h1", "AttributeType": "S"},
                               {"AttributeName": "h2", "AttributeType": "N"}, {"AttributeName": "r1", "AttributeType": "S"},
                               {"AttributeName": "r2", "AttributeType": "B"}],
      "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
      "GlobalSecondaryIndexes": [{"IndexName": "many", "Projection": {"ProjectionType": "KEYS_ONLY"},
        "KeySchema": [{"AttributeName": "h1", "KeyType": "HASH"}, {"AttributeName": "h2", "KeyType": "HASH"},
                      {"AttributeName": "r1", "KeyType": "RANGE"}, {"AttributeName": "r2", "KeyType": "RANGE"}]}]})"));
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

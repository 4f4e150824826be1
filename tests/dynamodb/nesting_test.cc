#include <catch2/catch.hpp>

#include "dynamodb/deep_values.h"
#include "dynamodb/value_places.h"

// docs/service/values.md section 5, names-limits.md section 6.
namespace test::nesting_test {
namespace {

const std::string too_deep =
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond "
    "supported limit";
const std::string older_operators =
    "Value 'XOR' at 'conditionalOperator' failed to satisfy constraint: Member must satisfy enum value set: "
    "[OR, AND]";
const std::string current_operators =
    "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]";
const std::string older_return_values =
    "Value 'BOGUS' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value set: "
    "[ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]";

std::string item_with(const std::string& value) {
  return R"("Item":{"pk":{"S":"a"},"x":)" + value + "}";
}

/// Where a deep value may be, of the operations that read deep requests in the older form.
std::vector<test::ValuePlace> places_on_writes() {
  std::vector<test::ValuePlace> places;
  for (const test::ValuePlace& place : test::value_places) {
    if (place.enveloped) places.push_back(place);
  }
  return places;
}

bool is_legacy(const test::ValuePlace& place) {
  return place.before.find("Expression") == std::string_view::npos;
}

}  // namespace

TEST_CASE("a scalar inside 31 lists or maps is stored") {
  DynamoDb db;
  db.create_table(test::the_table);
  for (const std::string& value : {in_lists(31), in_maps(31)}) {
    test::ok_item(db, "PutItem", item_with(value));
    CHECK(test::stored_attributes(db).at("x") == test::Json::parse(value));
    test::ok_item(db, "UpdateItem",
                  R"("UpdateExpression":"SET y = :v","ConditionExpression":"x = :v",
        "ExpressionAttributeValues":{":v":)" +
                      value + "}");
    test::ok_item(db, "DeleteItem", R"("Expected":{"y":{"Value":)" + value + "}}");
  }
}

TEST_CASE("a value inside 32 lists or maps or more is refused wherever it is") {
  for (const int wraps : {32, 33, 40}) {
    test::check_refused_everywhere(in_lists(wraps), too_deep);
    test::check_refused_everywhere(in_maps(wraps), too_deep);
  }
}

TEST_CASE("an empty list counts as a level") {
  DynamoDb db;
  db.create_table(test::the_table);
  const auto lists = [](int count) { return repeat(R"({"L":[)", count) + repeat("]}", count); };
  test::ok_item(db, "PutItem", item_with(lists(32)));
  test::check_refusal(db, {"PutItem", item_with(lists(33)), test::enveloped(too_deep)});
}

TEST_CASE("an empty name of a map entry is met later than depth") {
  DynamoDb db;
  test::check_refusal(db, {"PutItem", item_with(R"({"M":{"":{"S":"x"},"y":)" + in_maps(32) + "}}"),
                           test::enveloped(too_deep)});
}

TEST_CASE("an update cannot nest a stored item deeper than 32 levels") {
  DynamoDb db;
  db.create_table(test::the_table);
  test::store_item(db, R"("x":{"M":{}})");
  const auto set_inside = [](int wraps) {
    return R"("UpdateExpression":"SET x.y = :v","ExpressionAttributeValues":{":v":)" + in_maps(wraps) + "}";
  };
  test::ok_item(db, "UpdateItem", set_inside(30));
  test::check_refusal(db, {"UpdateItem", set_inside(31), test::enveloped(too_deep)});
}

TEST_CASE("writes nested past 62 levels are refused bare") {
  DynamoDb db;
  for (const int wraps : {63, 100}) {
    for (const test::ValuePlace& place : places_on_writes()) {
      test::check_refusal(db, {place.operation, place.members(in_lists(wraps)), too_deep});
    }
  }
}

TEST_CASE(
    "writes nested past 62 levels have the older wording of a bad ConditionalOperator, ahead of the depth") {
  DynamoDb db;
  for (const test::ValuePlace& place : places_on_writes()) {
    if (!is_legacy(place)) continue;
    for (const int wraps : {63, 100}) {
      const std::string members = place.members(in_maps(wraps)) + R"(,"ConditionalOperator":"XOR")";
      test::check_refusal(db, {place.operation, members, test::enveloped(older_operators)});
    }
    for (const int wraps : {33, 40}) {
      const std::string members = place.members(in_maps(wraps)) + R"(,"ConditionalOperator":"XOR")";
      test::check_refusal(db, {place.operation, members, test::enveloped(current_operators)});
    }
  }
}

TEST_CASE("a DeleteItem nested past 62 levels has older answers to bad ReturnValues, ahead of the depth") {
  DynamoDb db;
  for (const test::ValuePlace& place : places_on_writes()) {
    if (place.operation != "DeleteItem") continue;
    const std::string deep = place.members(in_lists(63));
    test::check_refusals(
        db, {{"DeleteItem", deep + R"(,"ReturnValues":"BOGUS")", test::enveloped(older_return_values)},
             {"DeleteItem", deep + R"(,"ReturnValues":"UPDATED_NEW")",
              "ReturnValues can only be ALL_OLD or NONE"}});
    test::check_refusal(db, {"DeleteItem", place.members(in_lists(40)) + R"(,"ReturnValues":"UPDATED_NEW")",
                             test::enveloped("ReturnValues can only be ALL_OLD or NONE")});
  }
}

// The limit on JSON is this server's own; it lies far beyond what the service may store.
TEST_CASE("a request whose JSON nests deeper than 1024 levels is not a request") {
  DynamoDb db;
  const auto list_tables = [&](int lists) {
    return db.call("ListTables",
                   std::string_view(R"({"Unknown":)" + repeat("[", lists) + repeat("]", lists) + "}"));
  };
  CHECK(list_tables(1000).status == 200);
  for (const int lists : {1024, 100'000}) CHECK(list_tables(lists).error() == "SerializationException");
  for (const int wraps : {600, 100'000}) {
    for (const test::ValuePlace& place : test::value_places) {
      const auto body = R"({"TableName":"Tab",)" + place.members(in_lists(wraps)) + "}";
      CHECK(db.call(place.operation, std::string_view(body)).error() == "SerializationException");
    }
  }
}

}  // namespace test::nesting_test

#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"

// What a write returns of the item (docs/service/items.md section 1).
namespace test::return_values_test {
namespace {

/// An UpdateItem on an item, and what it returns for each ReturnValues; "" means no Attributes.
struct Returned {
  std::string_view stored;  // attributes next to the key; "none": there is no item
  std::string_view expression;
  std::string_view values;  // ExpressionAttributeValues, "" for none
  std::string_view updated_old;
  std::string_view updated_new;
};

Json attributes(DynamoDb& db, const Returned& one, std::string_view wanted) {
  ok_item(db, "DeleteItem");
  if (one.stored != "none") store_item(db, one.stored);
  const std::string members =
      update(one.expression, one.values) + R"(, "ReturnValues": ")" + std::string(wanted) + '"';
  return ok_item(db, "UpdateItem", members).value("Attributes", Json());
}

Json expected(std::string_view text) {
  return text.empty() ? Json() : Json::parse("{" + std::string(text) + "}");
}

const std::vector<Returned> updates = {
    // What the statement touches, not what it changes.
    {R"("x": {"N": "1"}, "y": {"N": "2"})", "SET x = :v", R"(":v": {"N": "5"})", R"("x": {"N": "1"})",
     R"("x": {"N": "5"})"},
    {R"("x": {"N": "1"})", "SET x = :v", R"(":v": {"N": "1"})", R"("x": {"N": "1"})", R"("x": {"N": "1"})"},
    // What was not there before, and what is not there after.
    {R"("y": {"N": "2"})", "SET x = :v", R"(":v": {"N": "5"})", "", R"("x": {"N": "5"})"},
    {R"("y": {"N": "2"})", "SET x = :v, y = :v", R"(":v": {"N": "5"})", R"("y": {"N": "2"})",
     R"("x": {"N": "5"}, "y": {"N": "5"})"},
    {R"("x": {"N": "1"}, "y": {"N": "2"})", "REMOVE x", "", R"("x": {"N": "1"})", ""},
    {R"("y": {"N": "2"})", "REMOVE x", "", "", ""},
    {R"("x": {"N": "1"}, "y": {"N": "2"})", "SET y = :v REMOVE x", R"(":v": {"N": "5"})",
     R"("x": {"N": "1"}, "y": {"N": "2"})", R"("y": {"N": "5"})"},
    {"none", "SET x = :v", R"(":v": {"N": "5"})", "", R"("x": {"N": "5"})"},
    {"none", "SET x = pk", "", "", R"("x": {"S": "a"})"},
    {"none", "REMOVE x", "", "", ""},
    {"none", "REMOVE x.y, z[0]", "", "", ""},
    {"none", "DELETE x :v", R"(":v": {"SS": ["a"]})", "", ""},
    // Nested fragments; list elements closed up, in ascending order.
    {R"("m": {"M": {"a": {"N": "1"}, "b": {"N": "2"}, "c": {"N": "3"}}})", "SET m.b = :v, m.a = :v",
     R"(":v": {"N": "5"})", R"("m": {"M": {"a": {"N": "1"}, "b": {"N": "2"}}})",
     R"("m": {"M": {"a": {"N": "5"}, "b": {"N": "5"}}})"},
    {R"("m": {"M": {"a": {"N": "1"}}})", "SET m.n = :v", R"(":v": {"N": "5"})", "",
     R"("m": {"M": {"n": {"N": "5"}}})"},
    {R"("l": {"L": [{"N": "0"}, {"N": "1"}, {"N": "2"}, {"N": "3"}]})", "SET l[3] = :v, l[1] = :w",
     R"(":v": {"N": "5"}, ":w": {"N": "6"})", R"("l": {"L": [{"N": "1"}, {"N": "3"}]})",
     R"("l": {"L": [{"N": "6"}, {"N": "5"}]})"},
    // At the positions that the statement names, not where a value went.
    {R"("l": {"L": [{"N": "0"}, {"N": "1"}, {"N": "2"}]})", "REMOVE l[1]", "", R"("l": {"L": [{"N": "1"}]})",
     R"("l": {"L": [{"N": "2"}]})"},
    {R"("l": {"L": [{"N": "0"}, {"N": "1"}]})", "REMOVE l[1]", "", R"("l": {"L": [{"N": "1"}]})", ""},
    {R"("l": {"L": [{"N": "0"}]})", "SET l[100] = :v", R"(":v": {"N": "5"})", "", ""},
    {R"("l": {"L": [{"M": {"a": {"N": "1"}, "b": {"N": "2"}}}]})", "SET l[0].a = :v", R"(":v": {"N": "5"})",
     R"("l": {"L": [{"M": {"a": {"N": "1"}}}]})", R"("l": {"L": [{"M": {"a": {"N": "5"}}}]})"},
    // ADD and DELETE.
    {R"("x": {"N": "1"})", "ADD x :v", R"(":v": {"N": "5"})", R"("x": {"N": "1"})", R"("x": {"N": "6"})"},
    {R"("s": {"SS": ["a"]})", "DELETE s :v", R"(":v": {"SS": ["a"]})", R"("s": {"SS": ["a"]})", ""},
};

}  // namespace

TEST_CASE("UpdateItem returns what was asked for") {
  DynamoDb db;
  db.create_table(the_table);
  for (const Returned& one : updates) {
    INFO(one.stored << " | " << one.expression);
    const bool created = one.stored == "none";
    CHECK(attributes(db, one, "NONE").is_null());
    Json old = created ? Json() : expected(one.stored);
    if (!created) old.update(key_a);
    CHECK(attributes(db, one, "ALL_OLD") == old);
    CHECK(attributes(db, one, "UPDATED_OLD") == expected(one.updated_old));
    CHECK(attributes(db, one, "UPDATED_NEW") == expected(one.updated_new));
    const Json all_new = attributes(db, one, "ALL_NEW");
    CHECK(all_new == db.get(the_table, key_a));
  }
}

TEST_CASE("UpdateItem without an update touches nothing") {
  DynamoDb db;
  db.create_table(the_table);
  CHECK(ok_item(db, "UpdateItem", R"("ReturnValues": "ALL_OLD")") == Json::object());
  CHECK(ok_item(db, "UpdateItem", R"("ReturnValues": "ALL_OLD")") == Json{{"Attributes", key_a}});
  CHECK(ok_item(db, "UpdateItem", R"("ReturnValues": "ALL_NEW")") == Json{{"Attributes", key_a}});
  CHECK(ok_item(db, "UpdateItem", R"("ReturnValues": "UPDATED_OLD")") == Json::object());
  CHECK(ok_item(db, "UpdateItem", R"("ReturnValues": "UPDATED_NEW")") == Json::object());
}

TEST_CASE("PutItem and DeleteItem return the whole old item") {
  DynamoDb db;
  db.create_table(the_table);
  for (const auto operation : {"PutItem", "DeleteItem"}) {
    ok_item(db, "DeleteItem");
    CHECK(ok_item(db, operation, R"("ReturnValues": "ALL_OLD")") == Json::object());
    store_item(db, R"("x": {"L": [{"N": "1"}]})");
    CHECK(ok_item(db, operation, R"("ReturnValues": "ALL_OLD")") ==
          Json{{"Attributes", {{"pk", {{"S", "a"}}}, {"x", Json::parse(R"({"L": [{"N": "1"}]})")}}}});
    store_item(db, R"("x": {"N": "1"})");
    CHECK(ok_item(db, operation, R"("ReturnValues": "NONE")") == Json::object());
  }
}

TEST_CASE("PutItem and DeleteItem refuse what only UpdateItem returns") {
  DynamoDb db;
  db.create_table(the_table);
  for (const auto operation : {"PutItem", "DeleteItem"}) {
    for (const std::string value : {"UPDATED_OLD", "ALL_NEW", "UPDATED_NEW"}) {
      check_refusal(db, {operation, R"("ReturnValues": ")" + value + '"',
                         enveloped("ReturnValues can only be ALL_OLD or NONE")});
    }
  }
}

TEST_CASE("an unknown ReturnValues is refused without its place") {
  DynamoDb db;
  db.create_table(the_table);
  for (const auto operation : {"PutItem", "UpdateItem", "DeleteItem"}) {
    check_refusal(db, {operation, R"("ReturnValues": "ALL")",
                       enveloped("Failed to satisfy constraint: Member must satisfy enum value set: "
                                 "[ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]")});
  }
}

TEST_CASE("a failed condition shows the stored item only when asked to") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string fails = condition("attribute_exists(nope)");
  const std::string asked = fails + R"(, "ReturnValuesOnConditionCheckFailure": "ALL_OLD")";
  const std::string not_asked = fails + R"(, "ReturnValuesOnConditionCheckFailure": "NONE")";
  for (const auto operation : {"PutItem", "UpdateItem", "DeleteItem"}) {
    ok_item(db, "DeleteItem");
    CHECK(call_item(db, operation, R"("ReturnValuesOnConditionCheckFailure": "ALL_NEW")").error() ==
          "ValidationException");
    const Reply nothing_there = call_item(db, operation, asked);
    check_condition_failed(nothing_there);
    CHECK_FALSE(nothing_there.json().contains("Item"));

    store_item(db, R"("x": {"N": "1"})");
    const Reply shown = call_item(db, operation, asked);
    check_condition_failed(shown);
    CHECK(shown.json()["Item"] == Json::parse(R"({"pk": {"S": "a"}, "x": {"N": "1"}})"));
    CHECK_FALSE(call_item(db, operation, not_asked).json().contains("Item"));
    CHECK_FALSE(call_item(db, operation, fails).json().contains("Item"));
  }
}

}  // namespace test::return_values_test

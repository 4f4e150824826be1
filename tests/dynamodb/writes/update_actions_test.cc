#include <algorithm>

#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"

// What the clauses of an UpdateExpression make of an item (docs/service/expressions.md section 7).
namespace test::update_actions_test {
namespace {

const std::string bad_path = "The document path provided in the update expression is invalid for update";
const std::string bad_type = "An operand in the update expression has an incorrect data type";
const std::string no_attribute =
    "The provided expression refers to an attribute that does not exist in the item";

/// What an update makes of an item; attributes are those next to the key, "none" means no item.
struct Change {
  std::string before;
  std::string expression;
  std::string values;
  std::string after;
};

void check_changes(DynamoDb& db, std::initializer_list<Change> changes) {
  for (const Change& one : changes) {
    INFO(one.before << " | " << one.expression << " | " << one.values);
    ok_item(db, "DeleteItem");
    if (one.before != "none") store_item(db, one.before);
    ok_item(db, "UpdateItem", update(one.expression, one.values));
    Json after = stored_attributes(db);
    for (auto& [name, value] : after.items()) {
      if (value.contains("SS")) std::sort(value["SS"].begin(), value["SS"].end());
      if (value.contains("NS")) std::sort(value["NS"].begin(), value["NS"].end());
    }
    CHECK(after == Json::parse("{" + one.after + "}"));
  }
}

/// An update that fails on what is stored: bare, and nothing changes.
struct Failing {
  std::string before;
  std::string expression;
  std::string values;
  std::string message;
};

void check_failing(DynamoDb& db, std::initializer_list<Failing> cases) {
  for (const Failing& one : cases) {
    ok_item(db, "DeleteItem");
    if (one.before != "none") store_item(db, one.before);
    const Json before = stored_attributes(db);
    check_refusal(db, {"UpdateItem", update(one.expression, one.values), one.message});
    CHECK(stored_attributes(db) == before);
  }
}

const std::string v = R"(":v": {"N": "5"})";

}  // namespace

TEST_CASE("SET assigns") {
  DynamoDb db;
  db.create_table(the_table);
  check_changes(
      db,
      {{"none", "SET a = :v", v, R"("a": {"N": "5"})"},
       {R"("a": {"S": "old"}, "b": {"N": "1"})", "set a = :v", v, R"("a": {"N": "5"}, "b": {"N": "1"})"},
       {R"("a": {"N": "1"}, "b": {"N": "2"})", "SET a = b, b = a", "", R"("a": {"N": "2"}, "b": {"N": "1"})"},
       {R"("a": {"N": "1"})", "SET b = a REMOVE a", "", R"("b": {"N": "1"})"},
       {R"("a": {"N": "1"})", "REMOVE a SET b = a", "", R"("b": {"N": "1"})"},
       {R"("m": {"M": {"x": {"N": "1"}}})", "SET m.y = :v, m.x = :v", v,
        R"("m": {"M": {"x": {"N": "5"}, "y": {"N": "5"}}})"},
       {R"("l": {"L": [{"M": {}}]})", "SET l[0].k = :v", v, R"("l": {"L": [{"M": {"k": {"N": "5"}}}]})"},
       {R"("l": {"L": [{"N": "1"}, {"N": "2"}]})", "SET l[1] = :v", v,
        R"("l": {"L": [{"N": "1"}, {"N": "5"}]})"},
       {R"("l": {"L": [{"N": "1"}]})", "SET l[7] = :v", v, R"("l": {"L": [{"N": "1"}, {"N": "5"}]})"},
       {R"("l": {"L": []})", "SET l[9] = :v, l[3] = :w", v + R"(, ":w": {"N": "6"})",
        R"("l": {"L": [{"N": "6"}, {"N": "5"}]})"}});
}

TEST_CASE("SET computes") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string l = R"(":l": {"L": [{"N": "9"}]})";
  check_changes(
      db, {{R"("a": {"N": "1"})", "SET a = a + :v", v, R"("a": {"N": "6"})"},
           {R"("a": {"N": "1"})", "SET a = :v - a", v, R"("a": {"N": "4"})"},
           {R"("a": {"N": "1"})", "SET b = (a + :v)", v, R"("a": {"N": "1"}, "b": {"N": "6"})"},
           {R"("a": {"N": "0.1"})", "SET a = a + :d", R"(":d": {"N": "0.9"})", R"("a": {"N": "1"})"},
           {"none", "SET a = if_not_exists(a, :v) + :v", v, R"("a": {"N": "10"})"},
           {R"("a": {"N": "1"})", "SET a = if_not_exists(a, :v) + :v", v, R"("a": {"N": "6"})"},
           {R"("b": {"N": "1"})", "SET a = if_not_exists(b, :v)", v, R"("a": {"N": "1"}, "b": {"N": "1"})"},
           {R"("b": {"NULL": true})", "SET a = if_not_exists(b, :v)", v,
            R"("a": {"NULL": true}, "b": {"NULL": true})"},
           {R"("l": {"L": [{"N": "1"}]})", "SET l = list_append(l, :l)", l,
            R"("l": {"L": [{"N": "1"}, {"N": "9"}]})"},
           {R"("l": {"L": [{"N": "1"}]})", "SET l = list_append(:l, l)", l,
            R"("l": {"L": [{"N": "9"}, {"N": "1"}]})"},
           {"none", "SET l = list_append(if_not_exists(l, :l), :l)", l,
            R"("l": {"L": [{"N": "9"}, {"N": "9"}]})"},
           // The key of an item that is made is there for the operands already.
           {"none", "SET b = pk, c = if_not_exists(c, pk)", "", R"("b": {"S": "a"}, "c": {"S": "a"})"}});
}

TEST_CASE("SET fails on what is stored") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string l = R"(":l": {"L": []})";
  const std::string overflow =
      "Number overflow. Attempting to store a number with magnitude larger than supported range";
  check_failing(db, {{"none", "SET a.b = :v", v, bad_path},
                     {"none", "SET a.b = pk", "", bad_path},
                     {R"("a": {"N": "1"})", "SET a.b = :v", v, bad_path},
                     {R"("a": {"L": []})", "SET a.b = :v", v, bad_path},
                     {R"("a": {"M": {}})", "SET a[0] = :v", v, bad_path},
                     {R"("a": {"M": {}})", "SET a.b.c = :v", v, bad_path},
                     {R"("a": {"L": []})", "SET a[0].b = :v", v, bad_path},
                     {"none", "SET a = a + :v", v, no_attribute},
                     {"none", "SET a = b", "", no_attribute},
                     {"none", "SET l = list_append(l, :l)", l, no_attribute},
                     {R"("a": {"S": "x"})", "SET a = a + :v", v, bad_type},
                     {R"("a": {"S": "x"})", "SET a = list_append(a, :l)", l, bad_type},
                     {R"("a": {"N": "9E125"})", "SET a = a + :big", R"(":big": {"N": "9E125"})", overflow},
                     // More digits than a number has are an overflow of arithmetic, too.
                     {R"("a": {"N": "1E50"})", "SET a = a - :one", R"(":one": {"N": "1"})", overflow},
                     {R"("a": {"N": "1E50"})", "SET a = a + :one", R"(":one": {"N": "1"})", overflow},
                     {R"("a": {"N": "1E50"})", "ADD a :one", R"(":one": {"N": "1"})", overflow}});
}

TEST_CASE("REMOVE takes away what is there") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string list = R"("l": {"L": [{"N": "0"}, {"N": "1"}, {"N": "2"}, {"N": "3"}]})";
  check_changes(
      db, {{R"("a": {"N": "1"}, "b": {"N": "2"})", "REMOVE a", "", R"("b": {"N": "2"})"},
           {R"("b": {"N": "2"})", "remove a", "", R"("b": {"N": "2"})"},
           {R"("m": {"M": {"x": {"N": "1"}}})", "REMOVE m.y", "", R"("m": {"M": {"x": {"N": "1"}}})"},
           {R"("m": {"M": {"x": {"N": "1"}}})", "REMOVE m.x", "", R"("m": {"M": {}})"},
           {list, "REMOVE l[0], l[2]", "", R"("l": {"L": [{"N": "1"}, {"N": "3"}]})"},
           {list, "REMOVE l[2], l[0], l[9]", "", R"("l": {"L": [{"N": "1"}, {"N": "3"}]})"},
           {list, "REMOVE l[0] SET l[1] = :v", v, R"("l": {"L": [{"N": "5"}, {"N": "2"}, {"N": "3"}]})"}});
  check_failing(db, {{R"("b": {"N": "1"})", "REMOVE a.b", "", bad_path},
                     {R"("a": {"N": "1"})", "REMOVE a[0]", "", bad_path}});
}

TEST_CASE("what only removes makes no item of none") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string s = R"(":s": {"SS": ["b"]})";
  const std::vector<std::string> updates = {update("REMOVE a"), update("REMOVE a.b"),
                                            update("REMOVE a[0], c.d"), update("DELETE a :s", s),
                                            update("DELETE a.b :s REMOVE c", s)};
  for (const std::string& one : updates) {
    CHECK(ok_item(db, "UpdateItem", one + R"(, "ReturnValues": "ALL_NEW")") == Json::object());
    CHECK(stored_attributes(db).is_null());
  }
  // A condition sees that there is no item; what it admits still makes none.
  CHECK(call_item(db, "UpdateItem", update("REMOVE a") + "," + condition("attribute_exists(pk)")).error() ==
        "ConditionalCheckFailedException");
  ok_item(db, "UpdateItem", update("REMOVE a") + "," + condition("attribute_not_exists(pk)"));
  CHECK(stored_attributes(db).is_null());
  check_failing(db, {{"none", "REMOVE a.b SET c = :v", v, bad_path}});
  ok_item(db, "UpdateItem", update("REMOVE a SET c = :v", v));
  CHECK(stored_attributes(db) == Json::parse(R"({"c": {"N": "5"}})"));
}

TEST_CASE("ADD counts and unites") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string s = R"(":s": {"SS": ["b", "c"]})";
  check_changes(
      db,
      {{"none", "ADD a :v", v, R"("a": {"N": "5"})"},
       {R"("a": {"N": "-5"})", "add a :v", v, R"("a": {"N": "0"})"},
       {R"("m": {"M": {}})", "ADD m.n :v", v, R"("m": {"M": {"n": {"N": "5"}}})"},
       {"none", "ADD a :s", s, R"("a": {"SS": ["b", "c"]})"},
       {R"("a": {"SS": ["a", "b"]})", "ADD a :s", s, R"("a": {"SS": ["a", "b", "c"]})"},
       {R"("a": {"SS": ["a"]})", "ADD a :s", R"(":s": {"SS": [""]})", R"("a": {"SS": ["", "a"]})"},
       {R"("a": {"NS": ["1"]})", "ADD a :s", R"(":s": {"NS": ["1.0", "2"]})", R"("a": {"NS": ["1", "2"]})"},
       {R"("a": {"BS": ["AQ=="]})", "ADD a :s", R"(":s": {"BS": ["AQ=="]})", R"("a": {"BS": ["AQ=="]})"},
       {R"("a": {"N": "1"})", "ADD a :v, b :v SET c = a", v,
        R"("a": {"N": "6"}, "b": {"N": "5"}, "c": {"N": "1"})"}});
  check_failing(db, {{R"("a": {"S": "x"})", "ADD a :v", v, bad_type},
                     {R"("a": {"N": "1"})", "ADD a :s", s, bad_type},
                     {R"("a": {"NS": ["1"]})", "ADD a :s", s, bad_type},
                     {"none", "ADD m.n :v", v, bad_path}});
}

TEST_CASE("DELETE takes members out of a set") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string s = R"(":s": {"SS": ["b", "c"]})";
  check_changes(
      db, {{R"("a": {"SS": ["a", "b", "c"]})", "DELETE a :s", s, R"("a": {"SS": ["a"]})"},
           {R"("a": {"SS": ["a"]})", "delete a :s", s, R"("a": {"SS": ["a"]})"},
           {R"("a": {"SS": ["c", "b"]})", "DELETE a :s", s, ""},
           {R"("a": {"SS": ["a", ""]})", "DELETE a :s", R"(":s": {"SS": [""]})", R"("a": {"SS": ["a"]})"},
           {R"("b": {"N": "1"})", "DELETE a :s", s, R"("b": {"N": "1"})"}});
  check_failing(db, {{R"("a": {"N": "1"})", "DELETE a :s", s, bad_type},
                     {R"("a": {"NS": ["1"]})", "DELETE a :s", s, bad_type}});
}

}  // namespace test::update_actions_test

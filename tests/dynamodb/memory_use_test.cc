#include <cstddef>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"
#include "support/failing_new.h"
#include "support/tables.h"

// A program of its own with out_of_memory_test.cc: support/failing_new.cc counts what is allocated.
namespace test::memory_use_test {
namespace {

/// An item's list of 20,000 elements.
std::string long_list() {
  std::string elements = R"({"S":""})";
  for (int i = 1; i < 20'000; ++i) elements += R"(,{"S":""})";
  return R"({"L":[)" + elements + "]}";
}

/// Bytes allocated by a request, which succeeds.
std::size_t allocated_by(DynamoDb& db, std::string_view operation, const std::string& body) {
  const std::size_t before = dinette::test::allocated_bytes;
  const Reply reply = db.call(operation, body);
  const std::size_t allocated = dinette::test::allocated_bytes - before;
  CHECK(reply.status == 200);
  return allocated;
}

/// The same of an update of an item with the long list `l`.
std::size_t allocated_by_update(const std::string& expression) {
  DynamoDb db;
  db.create_table(test::the_table);
  test::store_item(db, R"("l":)" + long_list());
  const std::string members = test::update(expression, R"(":e":{"L":[{"S":""}]})");
  return allocated_by(db, "UpdateItem", test::about_one_item("UpdateItem", members));
}

std::string nested_list_append(int calls) {
  std::string expression = "l";
  for (int i = 0; i < calls; ++i) expression = "list_append(:e, if_not_exists(x, " + expression + "))";
  return "SET m = " + expression;
}

}  // namespace

TEST_CASE("nested calls of list_append copy a long list once") {
  CHECK(allocated_by_update(nested_list_append(80)) < allocated_by_update(nested_list_append(1)) * 3 / 2);
}

TEST_CASE("what indexes project of an item is copied only into entries that change") {
  constexpr int most_indexes = 20;
  const auto allocated = [](int indexes, std::string_view operation, const std::string& members) {
    DynamoDb db;
    Json table = on_demand(test::the_table);
    Json item = {{"pk", {{"S", "a"}}}, {"l", Json::parse(long_list())}};
    for (int i = 0; i < indexes; ++i) {
      const std::string name = "g" + std::to_string(i);
      const Json projection = {{"ProjectionType", "INCLUDE"}, {"NonKeyAttributes", {"l"}}};
      table["AttributeDefinitions"].push_back(attribute(name, "S"));
      table["GlobalSecondaryIndexes"].push_back(
          with(index_on("by" + name, Json::array({key(name, "HASH")})), {{"Projection", projection}}));
      item[name] = {{"S", "x"}};
    }
    db.ok("CreateTable", table);
    db.put(test::the_table, item);
    return allocated_by(db, operation, test::about_one_item(operation, members));
  };
  CHECK(allocated(most_indexes, "DeleteItem", "") < 2 * allocated(1, "DeleteItem", ""));
  const std::string elsewhere = test::update("SET z = :e", R"(":e":{"L":[{"S":""}]})");
  CHECK(allocated(most_indexes, "UpdateItem", elsewhere) < 2 * allocated(1, "UpdateItem", elsewhere));
}

TEST_CASE("a transaction holds one of its items taken apart at a time") {
  constexpr int items = 20;
  DynamoDb db;
  db.create_table(test::the_table);
  const Json list = Json::parse(long_list());
  const auto item_key = [](int i) { return Json{{"pk", {{"S", std::to_string(i)}}}}; };
  for (int i = 0; i < items; ++i) db.put(test::the_table, test::with(item_key(i), {{"l", list}}));
  const auto most_held = [&](int count, std::string_view kind, const Json& members) {
    Json actions = Json::array();
    for (int i = 0; i < count; ++i) {
      const Json about = {{"TableName", test::the_table}, {"Key", item_key(i)}};
      actions.push_back({{kind, test::with(about, members)}});
    }
    const std::string body = Json{{"TransactItems", actions}}.dump();
    dinette::test::held_bytes = dinette::test::most_held_bytes = 0;
    CHECK(db.call("TransactWriteItems", body).status == 200);
    return dinette::test::most_held_bytes;
  };
  const Json check = {{"ConditionExpression", "l[0] <> pk"}};
  CHECK(most_held(items, "ConditionCheck", check) < 2 * most_held(1, "ConditionCheck", check));
  // What is to be stored is held for all of them: a quarter of what it takes to make one.
  const Json update = {{"UpdateExpression", "SET l[0] = pk"}};
  CHECK(most_held(items, "Update", update) < items / 2 * most_held(1, "Update", update));
}

}  // namespace test::memory_use_test

#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"

// Short requests that could ask for much. None of these cases measures time or memory: each would take
// minutes, or many gigabytes, were its cost not bounded by what is sent and stored.
namespace test::costly_requests_test {
namespace {

/// `count` of `text(i)`, with `separator` between them.
template <class Text>
std::string joined(int count, std::string_view separator, Text text) {
  std::string all = text(0);
  for (int i = 1; i < count; ++i) all.append(separator).append(text(i));
  return all;
}

std::string repeated(int count, std::string_view separator, std::string_view text) {
  return joined(count, separator, [&](int) { return std::string(text); });
}

void fill(DynamoDb& db, int items) {
  db.create_table(test::the_table);
  for (int i = 0; i < items; ++i) db.put(test::the_table, {{"pk", {{"S", std::to_string(i)}}}});
}

}  // namespace

TEST_CASE("what a filter says of its values alone is found out once") {
  DynamoDb db;
  fill(db, 2'000);
  const std::string large(900'000, 'a');
  const auto scan = [&](std::string_view comparison) {
    return test::ok_item(db, "Scan",
                         test::expression("Filter", repeated(40, " OR ", comparison),
                                          R"(":a":{"S":")" + large + R"("},":b":{"S":")" + large + R"("})"));
  };
  CHECK(scan("size(:a) < size(pk) OR :b = pk").at("Count") == 0);
  CHECK(scan("size(:b) < size(:a) OR :a <> :b").at("Count") == 0);
  CHECK(scan("size(:a) >= size(:b) OR :a < :b").at("Count") == 2'000);
}

TEST_CASE("contains takes time by the length of what it looks into") {
  DynamoDb db;
  db.create_table(test::the_table);
  const std::string part = std::string(100'000, 'a') + "b";
  test::store_item(db, R"("x":{"S":")" + std::string(300'000, 'a') + R"("})");
  const std::string contains = repeated(140, " OR ", "contains(x, :v)");
  CHECK_FALSE(test::condition_holds(db, test::condition(contains, R"(":v":{"S":")" + part + R"("})")));
  CHECK(test::condition_holds(
      db, test::condition(contains, R"(":v":{"S":")" + part.substr(1, 99'999) + R"("})")));
}

TEST_CASE("many AttributeUpdates are put in order together") {
  DynamoDb db;
  db.create_table(test::the_table);
  const auto update = [&](int count) {
    const std::string updates = joined(count, ",", [](int i) {
      return "\"" + std::to_string((i * 7'919) % 1'000'000) + R"(":{"Value":{"NULL":true}})";
    });
    return db.call("UpdateItem",
                   R"({"TableName":"Tab","Key":{"pk":{"S":"a"}},"AttributeUpdates":{)" + updates + "}}");
  };
  CHECK(update(300'000).refusal() == "Item size to update has exceeded the maximum allowed size");
  CHECK(update(40'000).status == 200);
  CHECK(test::stored_attributes(db).size() == 40'000);
}

TEST_CASE("names that no item has cost an item next to nothing") {
  DynamoDb db;
  fill(db, 5'000);
  const std::string names = joined(300'000, ",", [](int i) { return "\"n" + std::to_string(i) + "\""; });
  const Json legacy = test::ok_item(db, "Scan", R"("AttributesToGet":[)" + names + R"(,"pk"])");
  CHECK(legacy.at("Count") == 5'000);
  CHECK(legacy.at("Items").at(0).size() == 1);
}

TEST_CASE("copies of what is stored are not made beyond what an item may hold") {
  DynamoDb db;
  db.create_table(test::the_table);
  test::store_item(db, R"("l":{"L":[)" + repeated(190'000, ",", R"({"NULL":true})") + "]}");
  const std::string too_large = "Item size to update has exceeded the maximum allowed size";
  const std::string copies = "SET " + joined(500, ",", [](int i) { return "n" + std::to_string(i) + "=l"; });
  test::check_refusal(db, {"UpdateItem", test::update(copies), too_large});
  std::string appended = "l";
  for (int i = 0; i < 120; ++i) appended = "list_append(if_not_exists(x," + appended + "),l)";
  test::check_refusal(db, {"UpdateItem", test::update("SET m=" + appended), too_large});
}

}  // namespace test::costly_requests_test

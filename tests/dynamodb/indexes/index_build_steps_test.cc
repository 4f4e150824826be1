#include <stop_token>
#include <string>

#include <catch2/catch.hpp>

#include "support/dynamodb.h"
#include "support/tables.h"

// An index is filled in steps, between which other tables' indexes have their turn. What a step does is
// bounded by work, not by rows alone.
namespace test::index_build_steps_test {
namespace {

Json long_list() {
  return {{"L", Json(Json::array_t(100'000, {{"S", ""}}))}};
}

Json with_index_on_a(std::string_view table, const Json& projection) {
  const Json index = with(index_on("byA", Json::array({key("a", "HASH")})), {{"Projection", projection}});
  return {{"TableName", table},
          {"AttributeDefinitions", Json::array({attribute("a", "S")})},
          {"GlobalSecondaryIndexUpdates", Json::array({{{"Create", index}}})}};
}

const Json everything = {{"ProjectionType", "ALL"}};
const Json the_list = {{"ProjectionType", "INCLUDE"}, {"NonKeyAttributes", {"l"}}};

/// A table of so many items, each with these attributes next to its key.
void create_filled(DynamoDb& db, std::string_view table, int items, const Json& attributes) {
  db.ok("CreateTable", on_demand(table));
  for (int i = 0; i < items; ++i) db.put(table, with({{"pk", {{"S", std::to_string(i)}}}}, attributes));
}

bool is_active(DynamoDb& db, std::string_view table) {
  return describe(db, table).at("GlobalSecondaryIndexes").at(0).at("IndexStatus") == "ACTIVE";
}

int entries(DynamoDb& db, std::string_view table) {
  return describe(db, table).at("GlobalSecondaryIndexes").at(0).at("ItemCount");
}

}  // namespace

TEST_CASE("a step ends when its rows have cost enough, and other indexes have their turn", "[volume]") {
  DynamoDb db;
  constexpr int rows = 8;
  create_filled(db, "Costly", rows, {{"a", {{"S", "x"}}}, {"l", long_list()}});
  create_filled(db, "Other", 1, {{"a", {{"S", "x"}}}});
  db.ok("UpdateTable", with_index_on_a("Costly", the_list));
  db.ok("UpdateTable", with_index_on_a("Other", everything));
  REQUIRE(db.jobs().run_step());
  CHECK(entries(db, "Costly") > 0);
  CHECK(entries(db, "Costly") < rows);
  REQUIRE(db.jobs().run_step());
  CHECK(is_active(db, "Other"));
  CHECK_FALSE(is_active(db, "Costly"));
  db.jobs().run_due();
  CHECK(is_active(db, "Costly"));
  CHECK(entries(db, "Costly") == rows);
}

TEST_CASE("an attribute that is not a key of its index is not read") {
  DynamoDb db;
  constexpr int rows = 8;
  create_filled(db, "Music", rows, {{"a", long_list()}});
  db.ok("UpdateTable", with_index_on_a("Music", everything));
  REQUIRE(db.jobs().run_step());
  CHECK(is_active(db, "Music"));
  CHECK(entries(db, "Music") == 0);
}

TEST_CASE("a step ends between rows when a stop is requested") {
  DynamoDb db;
  create_filled(db, "Music", 3, {{"a", {{"S", "x"}}}});
  db.ok("UpdateTable", with_index_on_a("Music", everything));
  std::stop_source source;
  source.request_stop();
  REQUIRE(db.jobs().run_step(source.get_token()));
  CHECK(entries(db, "Music") == 0);
  CHECK_FALSE(is_active(db, "Music"));
  db.jobs().run_due();
  CHECK(is_active(db, "Music"));
  CHECK(entries(db, "Music") == 3);
}

}  // namespace test::index_build_steps_test

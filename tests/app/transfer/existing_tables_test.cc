#include <filesystem>
#include <string>

#include <catch2/catch.hpp>

#include "app/transfer/moving_tables.h"

namespace dinette::app::existing_tables_test {
namespace {

namespace fs = std::filesystem;
using test::Json;
using test::MovingTables;

Json item_of(const std::string& key) {
  return {{"pk", {{"S", key}}}};
}

TEST_CASE("an export that is continued completes what an earlier one has not") {
  MovingTables m;
  for (const char* const name : {"One", "Two"}) {
    m.db.create_table(name);
    m.db.put(name, item_of("a"));
  }
  REQUIRE(m.exported({"One"}).ok());
  m.write("Two/AWSDynamoDB/x/_started", "");  // as of an export that was killed
  CHECK(m.export_failure().find("already exists") != std::string::npos);
  m.existing = Existing::resume;
  const auto moved = m.exported();
  REQUIRE(moved.ok());
  CHECK(moved->size() == 1);
  CHECK(moved->front().name == "Two");
  m.db.put("One", item_of("b"));
  m.existing = Existing::skip;
  CHECK(m.exported()->empty());
  m.existing = Existing::replace;
  CHECK(m.exported()->at(0).items == 2);
}

TEST_CASE("a folder that is no export is never deleted") {
  MovingTables m;
  m.db.create_table("One");
  m.write("One/own.txt", "mine");
  m.existing = GENERATE(Existing::resume, Existing::replace);
  CHECK(m.export_failure() == "f/One is not an export; remove it, or export to another folder");
  CHECK(fs::exists(m.folder / "One/own.txt"));
}

TEST_CASE("an export is not deleted for a table that cannot be read") {
  MovingTables m;
  m.db.create_table("One");
  REQUIRE(m.exported().ok());
  m.db.ok("DeleteTable", {{"TableName", "One"}});
  m.existing = Existing::replace;
  CHECK_FALSE(m.exported({"One"}).ok());
  CHECK(fs::exists(m.folder / "One/table.json"));
}

TEST_CASE("an import replaces, keeps or completes tables that exist") {
  MovingTables m;
  m.db.create_table("One");
  m.db.put("One", item_of("a"));
  m.db.ok("UpdateTable",
          {{"TableName", "One"},
           {"StreamSpecification", {{"StreamEnabled", true}, {"StreamViewType", "KEYS_ONLY"}}}});
  REQUIRE(m.exported().ok());
  m.db.put("One", item_of("b"));
  m.existing = Existing::skip;
  CHECK(m.imported()->empty());
  m.existing = Existing::resume;
  CHECK(m.imported()->at(0).items == 1);
  CHECK(m.items("One").size() == 2);
  m.existing = Existing::replace;
  CHECK(m.imported()->at(0).items == 1);
  CHECK(m.items("One") == Json::array({item_of("a")}));
}

TEST_CASE("an import that fails into a table that existed does not delete it") {
  MovingTables m;
  m.db.create_table("One");
  m.db.put("One", item_of("a"));
  REQUIRE(m.exported().ok());
  m.existing = Existing::resume;
  m.operations.instead = [](std::string_view operation,
                            std::string_view) -> std::optional<test::TestOperations::Reply> {
    if (operation != "BatchWriteItem") return std::nullopt;
    return OperationReply{400, R"({"__type":"x#AccessDeniedException","message":"no"})"};
  };
  CHECK(m.import_failure().find("written before: 0 items at least") != std::string::npos);
  CHECK(m.items("One").size() == 1);
}

TEST_CASE("items are exported as plain JSON or as CSV") {
  MovingTables m;
  m.db.create_table("One");
  m.db.put("One", item_of("a"));
  m.format = OutputFormat::json;
  REQUIRE(m.exported().ok());
  CHECK(fs::exists(m.folder / "One/items.jsonl"));
  CHECK(fs::exists(m.folder / "One/table.json"));
  m.format = OutputFormat::csv;
  m.existing = Existing::replace;
  REQUIRE(m.exported().ok());
  CHECK(fs::exists(m.folder / "One/items.csv"));
  CHECK_FALSE(fs::exists(m.folder / "One/items.jsonl"));
}

}  // namespace
}  // namespace dinette::app::existing_tables_test

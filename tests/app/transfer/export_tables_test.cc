#include "app/transfer/export_tables.h"

#include <filesystem>
#include <string>

#include <catch2/catch.hpp>

#include "app/transfer/moving_tables.h"

namespace dinette::app::export_tables_test {
namespace {

namespace fs = std::filesystem;
using test::Json;
using test::MovingTables;
using test::naming_rule;
using test::TestOperations;

/// Items of every type, some with a text that only one who takes it over has.
Json all_types(int number) {
  return Json::parse(R"({"pk": {"S": "key \" \\ \n é \u0001"}, "sk": {"N": ")" + std::to_string(number) +
                     R"("},
    "n": {"N": "1234567890123456789012345678901234567.8"}, "small": {"N": "-1E-130"}, "zero": {"N": "0"},
    "b": {"B": "AP8B"}, "empty": {"S": ""}, "empty_b": {"B": ""}, "yes": {"BOOL": true}, "nothing": {"NULL": true},
    "ss": {"SS": ["b", "a"]}, "ns": {"NS": ["1.50", "-2"]}, "bs": {"BS": ["AA==", "AQ=="]},
    "l": {"L": [{"L": []}, {"M": {}}, {"N": "1"}]}, "m": {"M": {"a b": {"M": {"é": {"S": "x"}}}}}})");
}

TEST_CASE("what is exported and imported is the same, over several pages and files") {
  MovingTables m;
  m.db.create_table("Music", "S", "N");
  for (int i = 0; i < 40; ++i) {
    Json item = all_types(i);
    if (i > 0) item["filler"] = {{"S", std::string(350'000, 'x')}};
    m.db.put("Music", item);
  }
  const auto exported = m.exported();
  REQUIRE(exported.ok());
  CHECK(exported->at(0).items == 40);
  CHECK(std::ranges::count(m.operations.called, "Scan") > 10);
  CHECK(std::distance(fs::recursive_directory_iterator(m.folder), {}) >= 10);
  REQUIRE(m.imported("Copy", {}, "Music").ok());
  CHECK(m.items("Copy") == m.items("Music"));
  CHECK(m.db.get("Copy", {{"pk", all_types(0)["pk"]}, {"sk", {{"N", "0"}}}}) ==
        m.db.get("Music", {{"pk", all_types(0)["pk"]}, {"sk", {{"N", "0"}}}}));
}

TEST_CASE("all tables are exported, or those that are named") {
  MovingTables m;
  for (const char* const name : {"One", "Two", "Six"}) m.db.create_table(name);
  REQUIRE(m.exported({"Two"}).ok());
  CHECK(fs::exists(m.folder / "Two/table.json"));
  CHECK_FALSE(fs::exists(m.folder / "One"));
  fs::remove_all(m.folder);
  CHECK(m.exported().value().size() == 3);
}

TEST_CASE("there must be something to export") {
  MovingTables m;
  CHECK(m.export_failure() == "there are no tables to export");
  CHECK(m.export_failure({"None"}) ==
        "the table None is not exported: DescribeTable failed: ResourceNotFoundException: Requested resource "
        "not found: Table: None not found");
  CHECK_FALSE(fs::exists(m.folder / "None"));
  CHECK(m.export_failure({"../x"}) == "'../x' is not a valid table name" + naming_rule);
}

TEST_CASE("what is there is never overwritten") {
  MovingTables m;
  m.db.create_table("One");
  m.db.create_table("Two");
  m.write("Two/notes.txt", "");
  CHECK(m.export_failure() == "f/Two already exists; remove it, or export to another folder");
  CHECK_FALSE(fs::exists(m.folder / "One"));
}

TEST_CASE("a name from the server does not lead out of the folder") {
  MovingTables m;
  m.operations.instead = [](std::string_view operation,
                            std::string_view) -> std::optional<TestOperations::Reply> {
    if (operation != "ListTables") return std::nullopt;
    return OperationReply{200, R"({"TableNames":["../../etc"]})"};
  };
  CHECK(m.export_failure() == "'../../etc' is not a valid table name" + naming_rule);
}

TEST_CASE("a table that fails leaves nothing, and those before it stay") {
  MovingTables m;
  m.db.create_table("One");
  m.db.create_table("Two");
  m.operations.instead = [](std::string_view operation,
                            std::string_view request) -> std::optional<TestOperations::Reply> {
    if (operation != "Scan" || request.find("Two") == std::string::npos) return std::nullopt;
    return OperationReply{400, R"({"__type":"x#AccessDeniedException","message":"no"})"};
  };
  CHECK(m.export_failure() ==
        "the table Two is not exported: Scan failed: AccessDeniedException: no; complete in f: One");
  CHECK(fs::exists(m.folder / "One/table.json"));
  CHECK_FALSE(fs::exists(m.folder / "Two"));
}

TEST_CASE("what passes is tried again, with longer and longer waits") {
  MovingTables m;
  m.db.create_table("One");
  m.db.put("One", {{"pk", {{"S", "a"}}}});
  int failures = 0;
  m.operations.instead = [&](std::string_view operation,
                             std::string_view) -> std::optional<TestOperations::Reply> {
    if (operation != "Scan" || ++failures > 3) return std::nullopt;
    if (failures == 1) return base::Failure{NoReply{"broken", true}};
    if (failures == 2) return OperationReply{500, "oops"};
    return OperationReply{400, R"({"__type":"x#ThrottlingException","message":"slow"})"};
  };
  REQUIRE(m.exported().ok());
  using std::chrono::milliseconds;
  CHECK(m.waits == std::vector{milliseconds(50), milliseconds(100), milliseconds(200)});
}

TEST_CASE("what does not pass ends the export in the end") {
  MovingTables m;
  m.db.create_table("One");
  m.operations.instead = [](std::string_view operation,
                            std::string_view) -> std::optional<TestOperations::Reply> {
    if (operation != "Scan") return std::nullopt;
    return OperationReply{503, ""};
  };
  CHECK(m.export_failure() == "the table One is not exported: Scan failed: status 503");
  CHECK(m.waits.size() == most_tries - 1);
  CHECK(m.waits.back() == std::chrono::seconds(5));
  m.operations.instead = [](std::string_view, std::string_view) -> std::optional<TestOperations::Reply> {
    return base::Failure{NoReply{"not there"}};
  };
  m.waits.clear();
  CHECK(m.export_failure() == "not there");
  CHECK(m.waits.empty());
}

TEST_CASE("an interrupted export leaves no folder of the table") {
  MovingTables m;
  m.db.create_table("One");
  int calls = 0;
  m.interrupted = [&] { return ++calls > 2; };
  CHECK(m.export_failure() == "the table One is not exported: interrupted");
  CHECK(m.operations.called == std::vector<std::string>{"ListTables", "DescribeTable"});
  CHECK_FALSE(fs::exists(m.folder / "One"));
}

TEST_CASE("a server without tags or times to live is exported without them") {
  MovingTables m;
  m.db.create_table("One");
  m.operations.instead = [](std::string_view operation,
                            std::string_view) -> std::optional<TestOperations::Reply> {
    if (operation != "ListTagsOfResource" && operation != "DescribeTimeToLive") return std::nullopt;
    return OperationReply{400, R"({"__type":"x#UnknownOperationException","message":""})"};
  };
  CHECK(m.exported().ok());
}

TEST_CASE("numbers of items are written for people") {
  CHECK(with_commas(0) == "0");
  CHECK(with_commas(999) == "999");
  CHECK(with_commas(1000) == "1,000");
  CHECK(with_commas(1234567) == "1,234,567");
  CHECK(items_text(1) == "1 item");
  CHECK(progress_line("exporting", "T", 52, 100, 1234) ==
        "exporting T [############............]  52 %  52 items, 1,234/s");
  CHECK(progress_line("exporting", "T", 300, 100, 1).find("100 %  300 items") != std::string::npos);
  CHECK(progress_line("exporting", "T", 5, 0, 1) == "exporting T 5 items, 1/s");
}

}  // namespace
}  // namespace dinette::app::export_tables_test

#include <fstream>
#include <string>

#include <catch2/catch.hpp>

#include "mcp/session.h"
#include "support/temporary_folder.h"

namespace dinette::mcp::import_tools_test {
namespace {

Json numbered(std::size_t count) {
  Json items = Json::array();
  for (std::size_t i = 0; i < count; ++i) items.push_back({{"id", i}});
  return items;
}

/// Returns the arguments of a write to the table abc.
std::string to_abc(const Json& items) {
  return Json{{"table", "abc"}, {"items", items}}.dump();
}

const Reply invalid{400, R"({"__type":"a#ValidationException","message":"bad item"})"};

TEST_CASE("items are written 25 per request, plain or typed") {
  test::Session session(true);
  CHECK(session.call("put_items", to_abc(numbered(60))) == R"({"written":60})");
  REQUIRE(session.backend.asked.size() == 3);
  CHECK(session.call("put_items",
                     R"({"table":"abc","world":"w","items":[{"id":1,"t":{"SS":["a"]}},{"id":{"N":"2"}}]})") ==
        R"({"written":2})");
  CHECK(
      session.backend.asked.back() ==
      R"(w: BatchWriteItem {"RequestItems":{"abc":[{"PutRequest":{"Item":{"id":{"N":"1"},"t":{"SS":["a"]}}}},)"
      R"({"PutRequest":{"Item":{"id":{"N":"2"}}}}]}})");
}

TEST_CASE("items are bounded, and there is at least one") {
  test::Session session(true);
  CHECK_THAT(session.call("put_items", to_abc(numbered(101))),
             Catch::StartsWith("error: Invalid arguments: the argument 'items' has more than 100 elements"));
  CHECK_THAT(session.call("import_items", to_abc(numbered(1'001))),
             Catch::StartsWith("error: Invalid arguments: the argument 'items' has more than 1000 elements"));
  CHECK_THAT(session.call("put_items", to_abc(Json::array({1}))),
             Catch::StartsWith(
                 "error: Invalid arguments: the argument 'items' has an element that must be an object"));
  CHECK(session.call("put_items", to_abc(Json::array())) == "error: there are no items");
  CHECK(session.backend.asked.empty());
  CHECK(session.call("import_items", to_abc(numbered(1'000))) == R"({"written":1000})");
}

TEST_CASE("what the service leaves unprocessed is named by its position, by its key") {
  test::Session session(true);
  session.backend.answer = [](const std::string& asked) {
    if (asked.starts_with("DescribeTable"))
      return Reply{200, R"({"Table":{"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}]}})"};
    const bool second = asked.find(R"({"id":{"N":"25"}})") != std::string::npos;
    return Reply{
        200,
        second
            ? R"({"UnprocessedItems":{"abc":[{"PutRequest":{"Item":{"id":{"N":"27.0"},"more":{"S":"x"}}}},)"
              R"({"PutRequest":{"Item":{"id":{"N":"25"}}}}]}})"
            : R"({"UnprocessedItems":{}})"};
  };
  CHECK(
      session.call("put_items", to_abc(numbered(30))) ==
      R"({"not_processed":[25,27],"note":"not processed: 2 of 30 items; not_processed has the positions, from 0",)"
      R"("written":28})");
  CHECK(session.backend.asked.size() == 3);  // and not tried again
}

TEST_CASE("items of a table whose keys are not known may all be unprocessed") {
  test::Session session(true);
  session.backend.answer = [](const std::string& asked) {
    if (asked.starts_with("DescribeTable")) return Reply{500, "{}"};
    return Reply{200, R"({"UnprocessedItems":{"abc":[{"PutRequest":{"Item":{"id":{"N":"1"}}}}]}})"};
  };
  CHECK(Json::parse(session.call("put_items", to_abc(numbered(3))))["not_processed"] ==
        Json::array({0, 1, 2}));
}

TEST_CASE("of an invalid request the items are written one by one, so that each error has its position") {
  test::Session session(true);
  session.backend.answer = [](const std::string& asked) {
    const bool at_fault = asked.find(R"("id":{"N":"30"})") != std::string::npos;
    return at_fault ? invalid : Reply{200, "{}"};
  };
  CHECK(session.call("put_items", to_abc(numbered(60))) ==
        R"({"errors":[{"error":"ValidationException: bad item","position":30}],"not_processed":[30],)"
        R"("note":"not processed: 1 of 60 items; not_processed has the positions, from 0","written":59})");
  CHECK(session.backend.asked.size() == 3 + 25);
}

TEST_CASE("any other failure ends the work, and says what was not tried") {
  test::Session session(true);
  session.backend.answer = [](const std::string& asked) {
    const bool first = asked.find(R"({"id":{"N":"0"}})") != std::string::npos;
    return first ? Reply{200, "{}"} : Reply{400, R"({"__type":"a#ThrottlingException","message":"slow"})"};
  };
  const Json result = Json::parse(session.call("put_items", to_abc(numbered(60))));
  CHECK(result["written"] == 25);
  CHECK(result["not_processed"].size() == 35);
  CHECK(result["errors"] == Json::parse(R"([{"position":25,"error":"ThrottlingException: slow"}])"));
  CHECK(session.backend.asked.size() == 2);
}

TEST_CASE("where nothing was written, that is an error") {
  test::Session session(true);
  session.backend.answer = [](const std::string&) { return invalid; };
  CHECK(session.call("put_items", to_abc(numbered(2))) ==
        "error: nothing was written; item 0: ValidationException: bad item");
}

TEST_CASE("of many failures ten are shown, and a thousand positions") {
  const test::TemporaryFolder folder;
  test::Session session(true, "2025-11-25", folder.path());
  std::ofstream(folder.path() / "items.json") << numbered(2'000).dump();
  session.backend.answer = [](const std::string& asked) {
    return asked.find(R"("id":{"N":"0"})") != std::string::npos && asked.starts_with("PutItem")
               ? Reply{200, "{}"}
               : invalid;
  };
  const Json result = Json::parse(session.call("import_items", R"({"table":"abc","file":"items.json"})"));
  CHECK(result["written"] == 1);
  CHECK(result["errors"].size() == 10);
  CHECK(result["not_processed"].size() == 1'000);
  CHECK(result["note"] ==
        "not processed: 1999 of 2000 items; not_processed has the positions, from 0, of the first of them");
}

TEST_CASE("an import is a list or a file, in any form of items") {
  const test::TemporaryFolder folder;
  test::Session session(true, "2025-11-25", folder.path());
  const std::string written =
      R"(BatchWriteItem {"RequestItems":{"abc":[{"PutRequest":{"Item":{"id":{"N":"1"}}}}]}})";
  CHECK(session.call("import_items", R"({"table":"abc","items":[{"Item":{"id":{"N":"1"}}}]})") ==
        R"({"written":1})");
  CHECK(session.backend.asked.back() == written);
  std::ofstream(folder.path() / "items.json") << "{\"Item\":{\"id\":1}}\n";
  CHECK(session.call("import_items", R"({"table":"abc","file":"items.json"})") == R"({"written":1})");
  CHECK(session.backend.asked.back() == written);
  CHECK(session.call("import_items", R"({"table":"abc"})") == "error: give either 'items' or 'file'");
  CHECK(session.call("import_items", R"({"table":"abc","items":[{"id":1}],"file":"items.json"})") ==
        "error: give either 'items' or 'file'");
  std::ofstream(folder.path() / "items.json") << "{\"id\":1}\n{";
  CHECK(session.call("import_items", R"({"table":"abc","file":"items.json"})") ==
        "error: 'items.json': line 2 is not valid JSON");
  CHECK(session.call("import_items", R"({"table":"abc","file":"../x"})") ==
        "error: '../x' is not a file in the folder of --import-from");
  CHECK(session.backend.asked.size() == 2);
}

TEST_CASE("no file is read without a folder of files") {
  test::Session session(true);
  CHECK_THAT(session.call("import_items", R"({"table":"abc","file":"/etc/passwd"})"),
             Catch::StartsWith("error: no file may be read"));
}

}  // namespace
}  // namespace dinette::mcp::import_tools_test

#include "app/transfer/import_tables.h"

#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "app/transfer/moving_tables.h"

namespace dinette::app::import_tables_test {
namespace {

namespace fs = std::filesystem;
using test::Json;
using test::MovingTables;
using test::naming_rule;
using test::TestOperations;

constexpr const char* definition = R"({"CreateTable": {"TableName": "Music", "BillingMode": "PAY_PER_REQUEST",
  "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
  "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}})";

std::string line(const std::string& key, const std::string& more = "") {
  return R"({"Item":{"pk":{"S":")" + key + "\"}" + more + "}}\n";
}

std::string lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += line(std::to_string(i));
  return text;
}

TEST_CASE("a table comes back with all that it had, and its items are not in its stream") {
  MovingTables m;
  m.db.ok("CreateTable", Json::parse(R"({"TableName": "Music", "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "g", "AttributeType": "N"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "GlobalSecondaryIndexes": [{"IndexName": "byG", "Projection": {"ProjectionType": "ALL"},
                                "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}]}],
    "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"},
    "Tags": [{"Key": "team", "Value": "blue"}]})"));
  m.db.ok("UpdateTimeToLive", {{"TableName", "Music"},
                               {"TimeToLiveSpecification", {{"AttributeName", "until"}, {"Enabled", true}}}});
  m.db.put("Music", {{"pk", {{"S", "a"}}}, {"g", {{"N", "7"}}}});
  REQUIRE(m.exported().ok());
  m.db.ok("DeleteTable", {{"TableName", "Music"}});
  REQUIRE(m.imported().ok());

  const Json index = m.db.ok("Query", Json::parse(R"({"TableName": "Music", "IndexName": "byG",
    "KeyConditionExpression": "g = :g", "ExpressionAttributeValues": {":g": {"N": "7"}}})"));
  CHECK(index["Count"] == 1);
  const Json expiry = m.db.ok("DescribeTimeToLive", {{"TableName", "Music"}});
  CHECK(expiry["TimeToLiveDescription"]["AttributeName"] == "until");
  const Json table = m.db.ok("DescribeTable", {{"TableName", "Music"}})["Table"];
  const Json tags = m.db.ok("ListTagsOfResource", {{"ResourceArn", table["TableArn"]}});
  CHECK(tags["Tags"] == Json::parse(R"([{"Key": "team", "Value": "blue"}])"));
  CHECK(table["StreamSpecification"]["StreamViewType"] == "NEW_IMAGE");
  const Json stream =
      m.db.ok("DescribeStream", {{"StreamArn", table["LatestStreamArn"]}})["StreamDescription"];
  const Json iterator = m.db.ok("GetShardIterator", {{"StreamArn", table["LatestStreamArn"]},
                                                     {"ShardId", stream["Shards"][0]["ShardId"]},
                                                     {"ShardIteratorType", "TRIM_HORIZON"}});
  CHECK(m.db.ok("GetRecords", iterator)["Records"].empty());
}

TEST_CASE("plain files of items are fixtures") {
  MovingTables m;
  m.write("Music/table.json", definition);
  m.write("Music/a.json", lines(60));
  m.write("Music/b.json", line("x") + "\n" + line("y"));
  const auto moved = m.imported();
  REQUIRE(moved.ok());
  CHECK(moved->at(0).items == 62);
  CHECK(m.items("Music").size() == 62);
  CHECK(std::ranges::count(m.operations.called, "BatchWriteItem") == 3);
}

TEST_CASE("items that are left unprocessed are sent again, as they came back") {
  MovingTables m;
  m.write("Music/table.json", definition);
  m.write("Music/a.json", lines(25));
  int batches = 0;
  m.operations.instead = [&](std::string_view operation,
                             std::string_view request) -> std::optional<TestOperations::Reply> {
    if (operation != "BatchWriteItem" || ++batches > 3) return std::nullopt;
    Json puts = Json::parse(request)["RequestItems"]["Music"];
    Json done = Json::array();
    if (batches == 2) return OperationReply{200, Json{{"UnprocessedItems", {{"Music", puts}}}}.dump()};
    while (puts.size() > 10) {
      done.push_back(puts.back());
      puts.erase(puts.size() - 1);
    }
    if (!done.empty()) m.db.ok("BatchWriteItem", {{"RequestItems", {{"Music", done}}}});
    return OperationReply{200, Json{{"UnprocessedItems", {{"Music", puts}}}}.dump()};
  };
  REQUIRE(m.imported().ok());
  CHECK(m.items("Music").size() == 25);
  CHECK(batches == 4);
  CHECK(m.waits.size() == 3);
}

TEST_CASE("a server that does one item per request is slow, but imports all") {
  MovingTables m;
  m.write("Music/table.json", definition);
  m.write("Music/a.json", lines(25));
  m.operations.instead = [&](std::string_view operation,
                             std::string_view request) -> std::optional<TestOperations::Reply> {
    if (operation != "BatchWriteItem") return std::nullopt;
    Json puts = Json::parse(request)["RequestItems"]["Music"];
    m.db.put("Music", puts.back()["PutRequest"]["Item"]);
    puts.erase(puts.size() - 1);
    Json left = Json::object();
    if (!puts.empty()) left["Music"] = puts;
    return OperationReply{200, Json{{"UnprocessedItems", left}}.dump()};
  };
  REQUIRE(m.imported().ok());
  CHECK(m.items("Music").size() == 25);
  CHECK(m.waits.size() == 24);
}

TEST_CASE("large items are sent in requests of some megabytes") {
  MovingTables m;
  m.write("Music/table.json", definition);
  std::string text;
  for (int i = 0; i < 20; ++i)
    text += line(std::to_string(i), R"(,"v":{"S":")" + std::string(300'000, 'x') + "\"}");
  m.write("Music/a.json", text);
  std::vector<std::size_t> sizes;
  m.operations.instead = [&](std::string_view operation,
                             std::string_view request) -> std::optional<TestOperations::Reply> {
    if (operation == "BatchWriteItem") sizes.push_back(request.size());
    return std::nullopt;
  };
  REQUIRE(m.imported().value().at(0).items == 20);
  REQUIRE(sizes.size() == 2);
  CHECK(sizes[0] > 4'000'000);
  CHECK(sizes[0] < 5'000'000);
}

TEST_CASE("a server that leaves all items unprocessed ends the import") {
  MovingTables m;
  m.write("Music/table.json", definition);
  m.write("Music/a.json", lines(1));
  m.operations.instead = [](std::string_view operation,
                            std::string_view request) -> std::optional<TestOperations::Reply> {
    if (operation != "BatchWriteItem") return std::nullopt;
    return OperationReply{200, Json{{"UnprocessedItems", Json::parse(request)["RequestItems"]}}.dump()};
  };
  CHECK(m.import_failure() ==
        "the table Music is not imported: BatchWriteItem repeatedly leaves items unprocessed: the "
        "server is "
        "overloaded, or the table's throughput is too low; the table was deleted again");
  CHECK(m.tables().empty());
}

TEST_CASE("of two items with one key the last counts") {
  MovingTables m;
  m.write("Music/table.json", definition);
  m.write("Music/a.json", line("a", R"(,"v":{"N":"1"})") + line("b") + line("a", R"(,"v":{"N":"2"})"));
  REQUIRE(m.imported().value().at(0).items == 3);
  CHECK(m.db.get("Music", {{"pk", {{"S", "a"}}}})["v"]["N"] == "2");
  CHECK(m.items("Music").size() == 2);
}

TEST_CASE("a bad item is named by file and line, and the table that was made for it is deleted") {
  MovingTables m;
  m.write("Music/table.json", definition);
  m.write("Music/a.json", lines(30) + R"({"Item":{"sk":{"S":"a"}}})" + "\n" + line("z"));
  CHECK(m.import_failure() ==
        "the table Music is not imported: f/Music/a.json, line 31: PutItem failed: ValidationException: One "
        "or more "
        "parameter values were invalid: Missing the key pk in the item; the table was deleted again");
  CHECK(m.tables().empty());
  m.write("Music/a.json", lines(30) + "{\"Item\":\n");
  CHECK(m.import_failure() ==
        "the table Music is not imported: f/Music/a.json, line 31 begins an object that the file does not "
        "end; the "
        "table was deleted again");
}

TEST_CASE("a failure in a table that was there says what was written") {
  MovingTables m;
  m.db.create_table("Music");
  m.write("Music/a.json", lines(30) + "garbage\n");
  CHECK(m.import_failure() ==
        "the table Music is not imported: f/Music/a.json, line 31 does not begin with {; written before: 25 "
        "items at "
        "least, up to f/Music/a.json, line 25");
  CHECK(m.items("Music").size() == 25);
}

TEST_CASE("a table that cannot be deleted again is said to be there") {
  MovingTables m;
  Json file = Json::parse(definition);
  file["CreateTable"]["DeletionProtectionEnabled"] = true;
  m.write("Music/table.json", file.dump());
  m.write("Music/a.json", "garbage\n");
  CHECK(m.import_failure() ==
        "the table Music is not imported: f/Music/a.json, line 1 (item 1) has 'g' where an item must begin, "
        "such as {\"id\": \"a\"}; the table is there, with 0 items; delete it before you try again");
  CHECK(m.tables() == Json{"Music"});
}

TEST_CASE("tables before the one that fails stay, and are named") {
  MovingTables m;
  m.write("Music/table.json", definition);
  Json other = Json::parse(definition);
  other["CreateTable"]["TableName"] = "Other";
  m.write("Other/table.json", other.dump());
  m.write("Other/a.json", "garbage\n");
  CHECK(m.import_failure().ends_with("; the table was deleted again. Tables that are complete: Music"));
  CHECK(m.tables() == Json{"Music"});
}

TEST_CASE("a table to make must not exist, any other must; nothing is written before that is known") {
  MovingTables m;
  m.write("Music/table.json", definition);
  m.write("Plain/a.json", lines(1));
  CHECK(m.import_failure().starts_with(
      "there is no table Plain, and f/Plain has no table.json to create it from: "));
  CHECK(m.tables().empty());
  m.db.create_table("Music");
  m.db.create_table("Plain");
  CHECK(
      m.import_failure() ==
      "the table Music already exists; delete it first, or import a single table under another name: dinette "
      "import f/Music --table NAME");
  CHECK(m.items("Plain").empty());
  m.db.ok("DeleteTable", {{"TableName", "Music"}});
  CHECK(m.imported().ok());
}

TEST_CASE("damaged files are noticed before anything is written") {
  MovingTables m;
  m.db.create_table("Music");
  m.db.put("Music", {{"pk", {{"S", "a"}}}});
  REQUIRE(m.exported().ok());
  m.db.ok("DeleteTable", {{"TableName", "Music"}});
  m.write("A_first/table.json", R"({"CreateTable": {"TableName": "Afirst"}})");
  for (const auto& entry : fs::recursive_directory_iterator(m.folder)) {
    if (entry.path().extension() == ".gz") fs::resize_file(entry.path(), fs::file_size(entry.path()) - 1);
  }
  CHECK(m.import_failure().find(" has another MD5 than manifest-files.json says") != std::string::npos);
  CHECK(m.tables().empty());
}

TEST_CASE("a folder of one table is imported by another name, of several by a choice") {
  MovingTables m;
  m.write("Music/table.json", definition);
  m.write("Music/a.json", lines(1));
  m.write("Plain/a.json", lines(1));
  REQUIRE(m.imported("Music").ok());
  CHECK(m.tables() == Json{"Music"});
  REQUIRE(m.imported("Copy", {}, "Music").ok());
  CHECK(m.tables() == Json{"Copy", "Music"});
  CHECK(m.import_failure("None") == "there is no table None in the folder; it has Music, Plain");
  CHECK(m.import_failure("", {}, "Plain") ==
        "f/Plain does not name its table: add --table NAME, or move the files to a folder of that name, and "
        "import the folder in which that is");
  CHECK(m.import_failure("a/b", {}, "Plain") == "f/Plain: 'a/b' is not a valid table name" + naming_rule);
}

TEST_CASE("keys make a table that the folder does not describe") {
  MovingTables m;
  m.write("Music/table.json", definition);
  m.write("Plain/a.json", R"({"Item":{"p":{"S":"a"},"s":{"N":"1"}}})");
  REQUIRE(m.imported("Plain", {{"p", 'S'}, {"s", 'N'}}).ok());
  CHECK(m.items("Plain").size() == 1);
  CHECK(m.import_failure("Music", {{"p", 'S'}}) ==
        "--key is for folders without table.json; the one in f/Music has the keys");
  CHECK(m.import_failure("", {{"p", 'S'}}) ==
        "--key is for one table, and the folder has several: select one with --table");
}

TEST_CASE("a file that was unpacked and has lost an item is noticed") {
  MovingTables m;
  m.db.create_table("Music");
  m.db.put("Music", {{"pk", {{"S", "a"}}}});
  REQUIRE(m.exported().ok());
  for (const auto& entry : fs::recursive_directory_iterator(m.folder)) {
    if (entry.path().extension() != ".gz") continue;
    fs::remove(entry.path());
    std::ofstream(fs::path(entry.path()).replace_extension()) << "";
    break;
  }
  const std::string failure = m.import_failure("Copy", {}, "Music");
  CHECK(failure.find(
            " has 0 items, but its manifest says 1: it has changed since it was exported; the table was "
            "deleted again") != std::string::npos);
}

TEST_CASE("an interrupted import deletes the table that it has made") {
  MovingTables m;
  m.write("Music/table.json", definition);
  m.write("Music/a.json", lines(100));
  m.interrupted = [&] { return std::ranges::count(m.operations.called, "BatchWriteItem") == 2; };
  CHECK(m.import_failure() == "the table Music is not imported: interrupted; the table was deleted again");
  CHECK(m.tables().empty());
}

TEST_CASE("an import waits until its table is active") {
  MovingTables m;
  m.write("Music/table.json", definition);
  int described = 0;
  m.operations.instead = [&](std::string_view operation,
                             std::string_view) -> std::optional<TestOperations::Reply> {
    if (operation != "DescribeTable" || ++described == 1 || described > 4) return std::nullopt;
    return OperationReply{200, R"({"Table":{"TableStatus":"CREATING"}})"};
  };
  REQUIRE(m.imported().ok());
  CHECK(m.waits.size() == 3);
}

}  // namespace
}  // namespace dinette::app::import_tables_test

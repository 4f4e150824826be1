#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/compression.h"

#include "app/transfer/import_tables.h"
#include "app/transfer/moving_tables.h"
#include "support/captured_log.h"

// Files that people have, imported into a server. The inputs in `inputs` are of one garden shop; those in the
// cases have the shapes of files in public repositories, with other contents.
namespace dinette::app::import_files_test {
namespace {

namespace fs = std::filesystem;
using dynamodb::item_files::CellType;
using test::Json;
using test::MovingTables;

const fs::path inputs = DINETTE_IMPORT_INPUTS;

struct Shop : MovingTables {
  /// Makes a table with a partition key, and an index if a key for it is given.
  void table(const std::string& name, const std::string& key, const std::string& index_key = "",
             char type = 'S') {
    Json request = {{"TableName", name},
                    {"BillingMode", "PAY_PER_REQUEST"},
                    {"KeySchema", Json::array({{{"AttributeName", key}, {"KeyType", "HASH"}}})},
                    {"AttributeDefinitions",
                     Json::array({{{"AttributeName", key}, {"AttributeType", std::string(1, type)}}})}};
    if (!index_key.empty()) {
      request["AttributeDefinitions"].push_back({{"AttributeName", index_key}, {"AttributeType", "N"}});
      request["GlobalSecondaryIndexes"] =
          Json::array({{{"IndexName", "by-" + index_key},
                        {"KeySchema", Json::array({{{"AttributeName", index_key}, {"KeyType", "HASH"}}})},
                        {"Projection", {{"ProjectionType", "ALL"}}}}});
    }
    db.ok("CreateTable", request);
  }

  /// Imports a file or folder, and returns the error, with `f` instead of the folder; empty if there is none.
  std::string import_path(const fs::path& path, const std::string& table = "", const CsvSettings& csv = {}) {
    test::CapturedLog log(base::LogLevel::warn);
    const auto moved = import_from({path, table, {}, csv});
    warnings = log.text();
    return moved ? "" : shortened(moved.error());
  }

  /// The same of one file with this content.
  std::string import_text(const std::string& content, const std::string& table = "",
                          const CsvSettings& csv = {}) {
    write("file", content);
    return import_path(folder / "file", table, csv);
  }

  Json item(const std::string& table, const std::string& key, const std::string& value) {
    return db.get(table, {{key, {{"S", value}}}});
  }

  bool warned(const std::string& text) const { return warnings.find(text) != std::string::npos; }

  std::string warnings;
};

TEST_CASE("requests of a BatchWriteItem are carried out in their order, for the tables that they name") {
  Shop m;
  m.table("labels", "id");
  m.db.put("labels", {{"id", {{"S", "l0"}}}});
  const fs::path file = inputs / "batch-write.json";
  CHECK(m.import_path(file) ==
        "there is no table harvest, and " + file.string() +
            " does not say how to create it: create it first, or give its keys, such as "
            "--key pk:S or --key pk:S,sk:N");
  CHECK(m.items("labels").size() == 1);
  m.table("harvest", "pk", "day");
  REQUIRE(m.import_path(file).empty());
  CHECK(m.item("labels", "id", "l1") == Json::parse(R"({"id": {"S": "l1"}, "text": {"S": ""},
    "sizes": {"NS": ["1", "2.5"]}, "icon": {"B": "AAECAw=="}})"));
  CHECK(m.item("labels", "id", "l2")["count"]["N"] == "12345678901234567890123456789012345678");
  CHECK(m.items("labels").size() == 2);
  CHECK(m.item("harvest", "pk", "h1")["day"]["N"] == "20260302");
  CHECK(m.warned("an item has numbers without quotation marks"));
}

TEST_CASE("more requests than one BatchWriteItem may have are split, and a key may come twice") {
  Shop m;
  m.table("votes", "pk");
  std::string entries;
  for (int i = 0; i < 60; ++i) {
    const std::string key = R"({"pk": {"S": ")" + std::to_string(i / 2) + "\"}}";
    entries += entries.empty() ? "" : ",\n";
    entries += i % 2 == 0 ? R"({"PutRequest": {"Item": )" + key + "}}"
                          : (i % 4 == 1 ? R"({"DeleteRequest": {"Key": )" : R"({"PutRequest": {"Item": )") +
                                key + "}}";
  }
  REQUIRE(m.import_text("{\"votes\": [" + entries + "]}").empty());
  CHECK(m.items("votes").size() == 15);
}

TEST_CASE("a batch of a document client, a list of them, and one table's requests alone") {
  Shop m;
  m.table("pets", "id");
  REQUIRE(m.import_text(R"({"RequestItems": {"pets": [{"PutRequest": {"Item": {"id": "cat", "legs": 4}}}]}})")
              .empty());
  REQUIRE(m.import_text(R"([{"pets": [{"PutRequest": {"Item": {"id": {"S": "dog"}}}}]},
    {"pets": [{"PutRequest": {"Item": {"id": {"S": "emu"}}}}]}])")
              .empty());
  REQUIRE(
      m.import_text(
           R"([{"PutRequest": {"Item": {"id": {"S": "fox"}}}}, {"DeleteRequest": {"Key": {"id": {"S": "emu"}}}}])",
           "pets")
          .empty());
  CHECK(m.item("pets", "id", "cat")["legs"]["N"] == "4");
  CHECK(m.items("pets").size() == 3);
}

TEST_CASE("the responses of a BatchGetItem are items of the tables that they name") {
  Shop m;
  m.table("pets", "id");
  REQUIRE(m.import_text(R"({"Responses": {"pets": [{"id": {"S": "cat"}}, {"id": {"S": "dog"}}]},
    "UnprocessedKeys": {}})")
              .empty());
  CHECK(m.items("pets").size() == 2);
}

TEST_CASE("an error in the middle says what was written before it") {
  Shop m;
  m.table("plants", "id");
  const fs::path file = inputs / "seed.json";
  const std::string said = m.import_path(file, "plants");
  INFO(said);
  CHECK(said.starts_with("the table plants is not imported: " + file.string() +
                         ", line 5 (item 4): PutItem failed: "));
  CHECK(said.find("Missing the key id in the item") != std::string::npos);
  CHECK(said.ends_with("; written before: 3 items at least, up to " + file.string() + ", line 4 (item 3)"));
  CHECK(m.warned("an item is taken as plain JSON, though some of its attributes look like DynamoDB JSON"));
  CHECK(m.item("plants", "id", "s1") == Json::parse(R"({"id": {"S": "s1"}, "name": {"S": "basil"},
    "until": {"N": "1900000000"}, "grams": {"N": "1.1"}, "organic": {"BOOL": true}, "supplier": {"NULL": true}})"));
  CHECK(m.item("plants", "id", "s2") == Json::parse(R"({"id": {"S": "s2"}, "name": {"S": ""},
    "serial": {"N": "9007199254740993"}, "box": {"M": {}},
    "sizes": {"L": [{"N": "1"}, {"S": "two"}, {"M": {"three": {"N": "3"}}}]}})"));
  CHECK(m.item("plants", "id", "s3")["size"] == Json::parse(R"({"M": {"S": {"S": "small"}}})"));
}

TEST_CASE("JSON lines, one object over several lines, and packed ones need the name of their table") {
  Shop m;
  m.table("users", "userId");
  const std::string lines =
      "{\"userId\": \"u1\", \"roles\": [\"admin\"], \"bio\": null}\n{\"userId\": \"u2\"}\n";
  CHECK(m.import_text(lines) ==
        "f/file does not name its table: add --table NAME, or move the files to a folder of "
        "that name, and import the folder in which that is");
  REQUIRE(m.import_text(lines, "users").empty());
  REQUIRE(
      m.import_text("{\n  \"userId\": {\"S\": \"u3\"},\n  \"age\": {\"N\": \"28\"}\n}\n", "users").empty());
  REQUIRE(m.import_text(base::compress(base::Compression::gzip, "[{\"userId\": \"u4\"}]"), "users").empty());
  CHECK(m.items("users").size() == 4);
  CHECK(m.item("users", "userId", "u3")["age"]["N"] == "28");
}

TEST_CASE("responses of Scan and Query are imported, also those of document clients") {
  Shop m;
  m.table("songs", "id");
  REQUIRE(m.import_text(R"({"Items": [{"id": {"S": "a"}}, {"id": {"S": "b"}}], "Count": 2, "ScannedCount": 2,
    "ConsumedCapacity": null})",
                        "songs")
              .empty());
  REQUIRE(m.import_text(R"({"Items": [{"id": "c", "plays": 3}], "Count": 1, "ScannedCount": 7})", "songs")
              .empty());
  REQUIRE(
      m.import_text(R"({"$metadata": {"httpStatusCode": 200}, "Count": 1, "Items": [{"id": {"S": "d"}}]})",
                    "songs")
          .empty());
  CHECK(m.items("songs").size() == 4);
}

TEST_CASE("CSV has the types of the table's keys, and text otherwise") {
  Shop m;
  m.table("harvest", "id", "day");
  REQUIRE(m.import_path(inputs / "items.csv", "harvest").empty());
  CHECK(m.items("harvest").size() == 3);
  CHECK(m.item("harvest", "id", "h1") == Json::parse(R"({"id": {"S": "h1"}, "day": {"N": "20260302"},
    "label": {"S": "007"}, "active": {"S": "true"}, "price": {"S": "1.50"}, "notes": {"S": "plain"}})"));
  CHECK(m.item("harvest", "id", "h2")["notes"]["S"] == "two\nlines, one comma");
  CHECK(m.item("harvest", "id", "h2")["label"]["S"] == "");
  CHECK_FALSE(m.item("harvest", "id", "h3").contains("day"));
  CHECK(m.item("harvest", "id", "h3")["notes"]["S"] == R"({"S": "x"})");
}

TEST_CASE("CSV of other tools: semicolons, tabs, types that are given, and types that are guessed") {
  Shop m;
  m.table("stock", "sku");
  const CsvSettings typed{.cells = {.types = {{"count", CellType::number}, {"sold out", CellType::boolean}}}};
  REQUIRE(m.import_text("sku;count;sold out;note\na;12;false;x,y\n", "stock", typed).empty());
  CHECK(m.item("stock", "sku", "a") ==
        Json::parse(R"({"sku": {"S": "a"}, "count": {"N": "12"}, "sold out": {"BOOL": false},
    "note": {"S": "x,y"}})"));
  REQUIRE(m.import_text("sku\tcount\nb\t007\nc\t7\n", "stock", {.cells = {.others = CellType::inferred}})
              .empty());
  CHECK(m.item("stock", "sku", "b")["count"] == Json{{"S", "007"}});
  CHECK(m.item("stock", "sku", "c")["count"] == Json{{"N", "7"}});
  REQUIRE(m.import_text("sku|a:b\nd|1\n", "stock", {.delimiter = '|'}).empty());
  CHECK(m.item("stock", "sku", "d")["a:b"]["S"] == "1");
  CHECK(m.import_text("sku,n\n,1\n", "stock") ==
        "the table stock is not imported: f/file, line 2 has an empty cell in the column 'sku', which is a "
        "key of the "
        "table; written before: 0 items at least");
  CHECK(m.import_text("sku,n\na,1\n", "stock", {.cells = {.types = {{"sku", CellType::number}}}})
            .find("leave it out of --types") != std::string::npos);
}

TEST_CASE("the keys of CSV are also those of --key and of a table.json") {
  Shop m;
  m.write("byKey.csv", "id,n\n1,2\n");
  REQUIRE(m.import_from({m.folder / "byKey.csv", "byKey", {{"id", 'N'}}, {}}).ok());
  CHECK(m.items("byKey") == Json::parse(R"([{"id": {"N": "1"}, "n": {"S": "2"}}])"));
  m.write("load/Music/table.json", R"({"CreateTable": {"TableName": "Music", "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "N"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}})");
  m.write("load/Music/a.csv", "pk,title\n1,x\n");
  m.write("load/Music/b.json", "[{\"pk\": 2}]");
  REQUIRE(m.import_path(m.folder / "load").empty());
  CHECK(m.items("Music").size() == 2);
}

TEST_CASE("a data file of DynamoDB Local comes with its tables, indexes and throughput") {
  Shop m;
  REQUIRE(m.import_path(inputs / "shared-local-instance.db").empty());
  CHECK(m.tables() == Json::parse(R"(["Beds", "my-app.events"])"));
  const Json beds = m.db.ok("DescribeTable", {{"TableName", "Beds"}})["Table"];
  CHECK(beds["KeySchema"] == Json::parse(R"([{"AttributeName": "bed", "KeyType": "HASH"},
                                             {"AttributeName": "row", "KeyType": "RANGE"}])"));
  CHECK(beds["ProvisionedThroughput"]["ReadCapacityUnits"] == 3);
  CHECK(beds["ProvisionedThroughput"]["WriteCapacityUnits"] == 4);
  CHECK(beds["LocalSecondaryIndexes"][0]["IndexName"] == "by-level");
  CHECK(beds["GlobalSecondaryIndexes"][0]["Projection"] ==
        Json::parse(R"({"ProjectionType": "INCLUDE", "NonKeyAttributes": ["label"]})"));
  CHECK(beds["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"]["ReadCapacityUnits"] == 2);
  CHECK(m.items("Beds").size() == 3);
  CHECK(m.db.get("Beds", Json::parse(R"({"bed": {"S": "b1"}, "row": {"N": "2"}})"))["m"] ==
        Json::parse(R"({"M": {"l": {"L": [{"N": "1.5"}, {"NULL": true}]}}})"));
  const Json events = m.db.ok("DescribeTable", {{"TableName", "my-app.events"}})["Table"];
  CHECK(events["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST");
  CHECK(events["DeletionProtectionEnabled"] == true);
  CHECK(m.item("my-app.events", "id", "e1")["text"]["S"] == "grün");
  CHECK(m.warned("has neither the time to live nor the tags of tables"));
  CHECK(m.warned("(2 times, first Beds)"));
}

TEST_CASE("one table of a data file of DynamoDB Local may be chosen, and the data file may be in a folder") {
  Shop m;
  REQUIRE(m.import_path(inputs / "shared-local-instance.db", "my-app.events").empty());
  CHECK(m.tables() == Json{"my-app.events"});
  fs::create_directories(m.folder);
  fs::copy_file(inputs / "shared-local-instance.db", m.folder / "AKIAEXAMPLE_eu-west-1.db");
  CHECK(m.import_path(m.folder).starts_with("the table my-app.events already exists; "));
  REQUIRE(m.import_path(m.folder, "Beds").empty());
}

TEST_CASE("files that do not name their table join those that do, under the name that is given") {
  Shop m;
  m.table("pets", "id");
  m.write("in/a.json", R"([{"id": "cat"}])");
  m.write(
      "in/b.json",
      R"({"pets": [{"PutRequest": {"Item": {"id": "dog"}}}], "toys": [{"PutRequest": {"Item": {"id": "x"}}}]})");
  m.write("in/README.md", "# Pets\n");
  CHECK(m.import_path(m.folder / "in").starts_with("f/in does not name its table: add --table NAME"));
  REQUIRE(m.import_path(m.folder / "in", "pets").empty());
  CHECK(m.items("pets").size() == 2);
  CHECK(m.warned("a file in the folder has no items that can be read (README.md)"));
}

TEST_CASE("a dump of dynamodump is imported with its tables") {
  Shop m;
  m.write("dump/Pets/schema.json", R"({"Table": {"TableName": "Pets", "TableStatus": "ACTIVE",
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "N"}],
    "KeySchema": [{"KeyType": "HASH", "AttributeName": "id"}],
    "ProvisionedThroughput": {"NumberOfDecreasesToday": 0, "ReadCapacityUnits": 1, "WriteCapacityUnits": 25}}})");
  m.write(
      "dump/Pets/data/0001.json",
      R"({"Count": 1, "Items": [{"id": {"N": "1"}, "list": {"L": [{"B": "MTIz"}]}}], "ScannedCount": 1})");
  m.write("dump/Toys/schema.json", R"({"Table": {"TableName": "Toys",
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    "KeySchema": [{"KeyType": "HASH", "AttributeName": "id"}],
    "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
    "ProvisionedThroughput": {"ReadCapacityUnits": 0, "WriteCapacityUnits": 0},
    "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"}}})");
  m.write("dump/Toys/data/0001.json", R"({"Count": 0, "Items": [], "ScannedCount": 0})");
  REQUIRE(m.import_path(m.folder / "dump").empty());
  CHECK(m.tables() == Json::parse(R"(["Pets", "Toys"])"));
  CHECK(m.items("Pets")[0]["list"]["L"][0]["B"] == "MTIz");
  CHECK(m.db.ok("DescribeTable", {{"TableName", "Toys"}})["Table"]["StreamSpecification"]["StreamViewType"] ==
        "NEW_IMAGE");
  CHECK(m.warned("dynamodump keeps neither the time to live nor the tags of tables"));
}

TEST_CASE("a dump of dynamodump without items is a table without items") {
  Shop m;
  m.write("dump/Pets/schema.json", R"({"Table": {"TableName": "Pets",
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "N"}],
    "KeySchema": [{"KeyType": "HASH", "AttributeName": "id"}],
    "ProvisionedThroughput": {"NumberOfDecreasesToday": 0, "ReadCapacityUnits": 1, "WriteCapacityUnits": 1}}})");
  REQUIRE(m.import_path(m.folder / "dump").empty());
  CHECK(m.tables() == Json::parse(R"(["Pets"])"));
}

TEST_CASE("a data folder of Dinette is not what is imported") {
  Shop m;
  m.write("data/dinette.json", "{}");
  CHECK(m.import_path(m.folder / "data").find("is a data folder of Dinette") != std::string::npos);
}

}  // namespace
}  // namespace dinette::app::import_files_test

#include "app/transfer/local_data_file.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <sqlite3.h>

#include "dinette/dynamodb/item_files/warnings.h"

#include "support/temporary_folder.h"

namespace dinette::app::local_data_file_test {
namespace {

namespace fs = std::filesystem;
using dynamodb::item_files::FoundTable;
using dynamodb::item_files::Warnings;
using Texts = std::vector<std::string>;

constexpr const char* keys_of_songs =
    R"({"Attributes":[{"AttributeName":"artist","AttributeType":"S"},{"AttributeName":"year","AttributeType":"N"}],)"
    R"("GSIList":[],"GSIDescList":[],"SQLiteIndex":{"":[)"
    R"({"DynamoDBAttribute":{"AttributeName":"artist","AttributeType":"S"},"KeyType":"HASH","SQLiteColumnName":"hashKey","SQLiteDataType":"TEXT"}]}})";

/// A database, and what DynamoDB Local has in it.
struct Database {
  test::TemporaryFolder temporary;
  fs::path path = temporary.path() / "a b#c%20?.db";

  explicit Database(const Texts& statements) {
    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr) ==
            SQLITE_OK);
    for (const std::string& sql : statements) {
      char* error = nullptr;
      const int code = sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &error);
      INFO(sql << ": " << (error == nullptr ? "" : error));
      REQUIRE(code == SQLITE_OK);
    }
    sqlite3_close(database);
  }

  std::string bytes() const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::vector<FoundTable> tables() const {
    const auto file = LocalDataFile::open(path);
    INFO((file ? "" : file.error()));
    REQUIRE(file.ok());
    auto tables = (*file)->tables();
    INFO((tables ? "" : tables.error()));
    REQUIRE(tables.ok());
    return std::move(tables).value();
  }

  /// Returns the error of reading the tables, without the file's name.
  std::string failure() const {
    const auto file = LocalDataFile::open(path);
    const auto tables = file ? (*file)->tables()
                             : LocalDataFile::Outcome<std::vector<FoundTable>>(base::Failure{file.error()});
    REQUIRE_FALSE(tables.ok());
    CHECK(tables.error().starts_with(path.string()));
    return tables.error().substr(path.string().size());
  }

  /// Returns the items of a table; an error is the last of them.
  Texts items(const std::string& table) const {
    const auto file = LocalDataFile::open(path);
    REQUIRE(file.ok());
    Warnings warnings;
    const auto source = (*file)->items(table, {warnings, "f"});
    if (!source) return {source.error()};
    Texts found;
    for (;;) {
      const auto item = (*source)->next();
      if (!item) found.push_back((*source)->place() + " " + item.error().message);
      if (!item || !*item) return found;
      found.emplace_back(**item);
    }
  }
};

/// An older file: `dm` has eight columns, in another order, and there is no `tr`.
Texts older(const std::string& info = keys_of_songs) {
  return {
      "CREATE TABLE cf (version TEXT)", "INSERT INTO cf VALUES ('v2.2.0')",
      "CREATE TABLE dm (TableInfo BLOB, TableName TEXT, CreationDateTime INTEGER, LastDecreaseDate INTEGER, "
      "LastIncreaseDate INTEGER, NumberOfDecreasesToday INTEGER, WriteCapacityUnits INTEGER, "
      "ReadCapacityUnits INTEGER, PRIMARY KEY(TableName))",
      "INSERT INTO dm VALUES (CAST('" + info + "' AS BLOB), 'Songs', 1534400000000, 0, 0, 0, 6, 5)",
      R"(CREATE TABLE "Songs" (hashKey TEXT DEFAULT NULL, hashValue BLOB NOT NULL, itemSize INTEGER DEFAULT 0, )"
      R"(ObjectJSON BLOB NOT NULL, PRIMARY KEY(hashKey)))"};
}

Texts with(Texts statements, const Texts& more) {
  statements.insert(statements.end(), more.begin(), more.end());
  return statements;
}

std::string song(const std::string& item) {
  return "INSERT INTO \"Songs\" VALUES (x'61', x'00', 1, CAST('" + item + "' AS BLOB))";
}

TEST_CASE("columns are found by their names, and attributes that are no keys are not declared") {
  const Database file(with(older(), {song(R"({"artist":{"S":"a"},"n":{"N":"1.50"}})")}));
  const auto tables = file.tables();
  REQUIRE(tables.size() == 1);
  CHECK(tables[0].name == "Songs");
  CHECK(tables[0].files.at(0).part == "Songs");
  CHECK(tables[0].warnings.size() == 1);
  REQUIRE(tables[0].definition.has_value());
  CHECK(tables[0].definition->create_table ==
        R"({"TableName":"Songs","AttributeDefinitions":[{"AttributeName":"artist","AttributeType":"S"}],)"
        R"("KeySchema":[{"AttributeName":"artist","KeyType":"HASH"}],"BillingMode":"PROVISIONED",)"
        R"("ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":6}})");
  CHECK(file.items("Songs") == Texts{R"({"artist":{"S":"a"},"n":{"N":"1.50"}})"});
}

TEST_CASE("a newer file says the billing mode, the limits of an on-demand table, and its protection") {
  const std::string info =
      R"({"Attributes":[{"AttributeName":"a","AttributeType":"S"},{"AttributeName":"b","AttributeType":"S"},{"AttributeName":"c","AttributeType":"N"}],)"
      R"("GSIList":[{"IndexName":"two","KeySchema":[{"AttributeName":"b","KeyType":"HASH"},{"AttributeName":"c","KeyType":"HASH"}],)"
      R"("Projection":{"ProjectionType":"KEYS_ONLY"},"ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":0}}],)"
      R"("SQLiteIndex":{"":[{"DynamoDBAttribute":{"AttributeName":"a","AttributeType":"S"},"KeyType":"HASH"}]}})";
  const Database file({"CREATE TABLE cf (version TEXT)",
                       "CREATE TABLE dm (TableName TEXT, ReadCapacityUnits INTEGER, WriteCapacityUnits "
                       "INTEGER, TableInfo BLOB, "
                       "BillingMode INTEGER, DeletionProtectionEnabled INTEGER, MaxReadRequestUnits INTEGER, "
                       "MaxWriteRequestUnits INTEGER)",
                       "INSERT INTO dm VALUES ('Two.Keys', 0, 0, '" + info + "', 1, 'true', 40, -1)",
                       "CREATE TABLE \"Two.Keys\" (ObjectJSON)",
                       "CREATE TABLE sm (StreamID TEXT, TableName TEXT)",
                       "INSERT INTO sm VALUES ('s', 'Two.Keys')"});
  const auto tables = file.tables();
  REQUIRE(tables.size() == 1);
  const std::string& request = tables[0].definition->create_table;
  CHECK(request.find(R"("BillingMode":"PAY_PER_REQUEST","OnDemandThroughput":{"MaxReadRequestUnits":40})") !=
        std::string::npos);
  CHECK(request.find(R"({"AttributeName":"c","KeyType":"HASH"})") != std::string::npos);
  CHECK(request.find("ProvisionedThroughput") == std::string::npos);
  CHECK(request.find(R"("DeletionProtectionEnabled":true)") != std::string::npos);
  CHECK(tables[0].warnings.size() == 2);
  CHECK(file.items("Two.Keys").empty());
}

TEST_CASE("a damaged item is named by its table and row") {
  const Database file(with(older(), {"DROP TABLE \"Songs\"", "CREATE TABLE \"Songs\" (ObjectJSON)",
                                     "INSERT INTO \"Songs\" VALUES ('{\"artist\":{\"S\":\"a\"}}')",
                                     "INSERT INTO \"Songs\" VALUES ('{\"artist\":{\"S\":1}}')"}));
  CHECK(
      file.items("Songs") ==
      Texts{
          R"({"artist":{"S":"a"}})",
          R"(table Songs, row 2 in ObjectJSON has a number without quotation marks in artist.S; expected is, for example, {"S": "a"})"});
}

TEST_CASE("other databases, and files that only begin like one, are refused") {
  CHECK(Database({"CREATE TABLE t (a)"})
            .failure()
            .find("is a database of SQLite, but not one of DynamoDB Local") != std::string::npos);
  test::TemporaryFolder folder;
  const auto short_one = LocalDataFile::of_bytes(std::string("SQLite format 3\0\4", 17), "f");
  CHECK_FALSE((short_one.ok() && (*short_one)->tables().ok()));
  CHECK(Database(older("{")).failure().find(", table Songs has a TableInfo that is not as expected") !=
        std::string::npos);
  CHECK(Database(older(R"({"Attributes":[],"SQLiteIndex":{}})")).failure().find("TableInfo") !=
        std::string::npos);
  Texts none = older();
  none[3] = "INSERT INTO cf VALUES ('')";
  CHECK(Database(none).failure() == " has no tables");
}

TEST_CASE("only ordinary tables are read: no views, no virtual tables, no names that no table can have") {
  Texts view = older();
  view[4] = "CREATE VIEW \"Songs\" AS SELECT TableInfo AS ObjectJSON FROM dm";
  CHECK(Database(view).failure() == " is damaged: there are no items of its table Songs");
  Texts virtual_table = older();
  virtual_table[4] = "CREATE VIRTUAL TABLE \"Songs\" USING fts5(ObjectJSON)";
  CHECK(Database(virtual_table).failure() == " is damaged: there are no items of its table Songs");
  CHECK(Database(with(older(), {"UPDATE dm SET TableName = 'a\"; DROP'"}))
            .failure()
            .starts_with(": 'a\"; DROP' is not a valid "));
  CHECK(Database(with(older(), {"UPDATE dm SET TableName = 'sqlite_master'"})).failure().find("no items") !=
        std::string::npos);
  CHECK(Database(with(older(), {"DROP TABLE \"Songs\"", "CREATE TABLE \"Songs\" (a)"}))
            .items("Songs")
            .at(0)
            .find("no such column") != std::string::npos);
  CHECK(Database(
            with(older(),
                 {"DROP TABLE \"Songs\"",
                  "CREATE TABLE \"Songs\" (a, ObjectJSON TEXT as (printf('{\"artist\":{\"S\":\"%s\"}}', a)))",
                  "INSERT INTO \"Songs\"(a) VALUES (1)"}))
            .failure() == " is damaged: there are no items of its table Songs");
}

TEST_CASE("a file with unfinished changes is refused, and reading changes nothing") {
  const Database file(older());
  const std::string before = file.bytes();
  CHECK(file.tables().size() == 1);
  CHECK(file.bytes() == before);
  for (const char* const ending : {"-journal", "-wal"}) {
    const fs::path changes = file.path.string() + ending;
    std::ofstream(changes) << "x";
    CHECK(file.failure().find("has unfinished changes in a b#c%20?.db" + std::string(ending)) !=
          std::string::npos);
    fs::remove(changes);
  }
}

TEST_CASE("damaged pages end the reading, in a time that the file's size limits") {
  std::string many =
      "INSERT INTO \"Songs\" SELECT NULL, x'00', 1, CAST('{\"artist\":{\"S\":\"a\"}}' AS BLOB) FROM "
      "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT i FROM n)";
  const Database file(with(older(), {many}));
  CHECK(file.items("Songs").size() == 2000);
  const std::string whole = file.bytes();
  std::size_t failed = 0;
  for (std::size_t at = 100; at < whole.size(); at += 509) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x15);
    const auto opened = LocalDataFile::of_bytes(damaged, "f");
    const auto tables = opened
                            ? (*opened)->tables()
                            : LocalDataFile::Outcome<std::vector<FoundTable>>(base::Failure{opened.error()});
    if (!tables) {
      ++failed;
      continue;
    }
    for (const FoundTable& table : *tables) {
      Warnings warnings;
      const auto source = (*opened)->items(table.name, {warnings, "f"});
      if (!source) continue;
      for (std::size_t items = 0;; ++items) {
        REQUIRE(items <= whole.size());
        const auto item = (*source)->next();
        failed += item ? 0 : 1;
        if (!item || !*item) break;
      }
    }
  }
  CHECK(failed > 0);
}

}  // namespace
}  // namespace dinette::app::local_data_file_test

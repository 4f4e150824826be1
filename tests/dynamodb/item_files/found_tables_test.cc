#include "dinette/dynamodb/item_files/found_tables.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <catch2/catch.hpp>

#include "dinette/base/clock.h"
#include "dinette/base/compression.h"
#include "dinette/base/ids.h"
#include "dinette/dynamodb/item_files/export_writer.h"
#include "dinette/dynamodb/item_files/manifest.h"
#include "dinette/objects/plain_folders.h"

#include "support/temporary_folder.h"

namespace dinette::dynamodb::item_files::found_tables_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* definition = R"({"CreateTable": {"TableName": "Albums"}})";

struct Fixture {
  test::TemporaryFolder temporary;
  fs::path folder = temporary.path() / "f";
  base::SystemClock clock;
  base::SystemIds ids;
  mutable objects::PlainFolders store;

  Fixture() { fs::create_directory(folder); }

  void write(const fs::path& path, std::string_view text) const {
    fs::create_directories((folder / path).parent_path());
    std::ofstream(folder / path, std::ios::binary) << text;
  }

  std::string read(const fs::path& path) const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  /// Exports a table of two items to `bucket`. Returns the folder of the export.
  fs::path write_export(const fs::path& bucket, const std::string& table = "Albums") {
    ExportWriter writer({store, (folder / bucket).string(), {}, new_export_id(clock.now(), ids)},
                        {.started = clock.now(),
                         .table_arn = "arn:aws:dynamodb:us-east-1:123456789012:table/" + table,
                         .table_id = "id",
                         .export_time = clock.now(),
                         .bucket = "b"},
                        1);
    REQUIRE(writer.begin().ok());
    REQUIRE(writer.add(R"({"pk":{"S":"a"}})").ok());
    REQUIRE(writer.add(R"({"pk":{"S":"b"}})").ok());
    REQUIRE(writer.finish(clock.now()).ok());
    fs::path last;
    for (const auto& entry : fs::directory_iterator(folder / bucket / "AWSDynamoDB"))
      if (last.empty() || read(entry.path() / summary_name).find("/" + table + "/") != std::string::npos)
        last = entry.path();
    return last;
  }

  FoundTables found(const fs::path& below = "") const {
    auto tables = find_tables(store, below.empty() ? folder : folder / below);
    INFO((tables ? "" : tables.error()));
    REQUIRE(tables.ok());
    return std::move(tables).value();
  }

  /// Returns the error, with `f` instead of the folder.
  std::string failure(const fs::path& below = "") const {
    const auto tables = find_tables(store, below.empty() ? folder : folder / below);
    REQUIRE_FALSE(tables.ok());
    std::string text = tables.error();
    for (std::size_t at = 0; (at = text.find(folder.string())) != std::string::npos;)
      text.replace(at, folder.string().size(), "f");
    return text;
  }
};

fs::path a_data_file(const fs::path& one_export) {
  return fs::directory_iterator(one_export / "data")->path();
}

TEST_CASE("an export is found from the folder of tables, of the table, of exports, and its own") {
  Fixture f;
  const fs::path one = f.write_export("Albums");
  f.write("Albums/table.json", definition);
  for (const fs::path& below : {fs::path(), fs::path("Albums")}) {
    const auto found = f.found(below);
    REQUIRE(found.tables.size() == 1);
    CHECK(found.several == below.empty());
    CHECK(found.tables[0].name == "Albums");
    CHECK(found.tables[0].place == (f.folder / "Albums").string());
    CHECK(found.tables[0].definition.has_value());
    CHECK(found.tables[0].items == 2);
    CHECK(found.tables[0].files.size() == 2);
  }
  for (const fs::path& below : {fs::path("Albums/AWSDynamoDB"), fs::relative(one, f.folder)}) {
    const auto found = f.found(below);
    REQUIRE(found.tables.size() == 1);
    CHECK_FALSE(found.several);
    CHECK(found.tables[0].name == "Albums");
    CHECK_FALSE(found.tables[0].definition.has_value());
  }
}

TEST_CASE("a bucket of several tables is a folder of several tables") {
  Fixture f;
  f.write_export("", "Albums");
  f.write_export("", "Orders");
  const auto found = f.found();
  CHECK(found.several);
  CHECK(found.tables.size() == 2);
}

TEST_CASE("an export whose files were copied without the folder of their export is found") {
  Fixture f;
  const fs::path one = f.write_export("");
  for (const auto& file : fs::directory_iterator(one))
    fs::rename(file.path(), one.parent_path() / file.path().filename());
  fs::remove(one);
  for (const fs::path& below : {fs::path(), fs::path("AWSDynamoDB")}) {
    const auto found = f.found(below);
    REQUIRE(found.tables.size() == 1);
    CHECK(found.tables[0].name == "Albums");
    CHECK(found.tables[0].files.size() == 2);
    CHECK(check_digest(f.store, found.tables[0], found.tables[0].files[0]).ok());
  }
}

TEST_CASE("the data files of an incremental export are next to its folder") {
  Fixture f;
  f.write_export("");
  const ExportFolder to{f.store, f.folder.string(), {}, "01700000000000-00000001"};
  auto listed =
      to.put_data_file(key_below({}, "data/changes.ion.gz"), "$ion_1_0 {Record:{Keys:{pk:\"a\"}}}\n");
  REQUIRE(listed.ok());
  listed->items = 1;
  Summary summary{.table_arn = "arn:aws:dynamodb:us-east-1:123456789012:table/Orders"};
  summary.items = 1;
  summary.format = DataFormat::ion;
  summary.window.emplace();
  REQUIRE(to.put_manifest(files_name, files_digest_name, text_of(std::vector{*listed})).ok());
  REQUIRE(to.put_manifest(summary_name, summary_digest_name, text_of(summary)).ok());

  for (const fs::path& below :
       {fs::path("AWSDynamoDB/01700000000000-00000001"), fs::path("AWSDynamoDB/01700000000000-00000001/")}) {
    const auto found = f.found(below);
    REQUIRE(found.tables.size() == 1);
    const FoundTable& table = found.tables[0];
    CHECK(table.name == "Orders");
    CHECK(table.is_incremental);
    REQUIRE(table.files.size() == 1);
    CHECK(table.files[0].format == FileFormat::ion);
    CHECK(check_digest(f.store, table, table.files[0]).ok());
  }
  for (const fs::path& below : {fs::path(), fs::path("AWSDynamoDB"), fs::path("AWSDynamoDB/")}) {
    const auto both = f.found(below);
    REQUIRE(both.tables.size() == 2);
    CHECK(both.tables[0].is_incremental != both.tables[1].is_incremental);
  }
  fs::remove(f.folder / "AWSDynamoDB/data/changes.ion.gz");
  CHECK(f.failure("AWSDynamoDB/01700000000000-00000001").find("data/changes.ion.gz is missing") !=
        std::string::npos);
}

TEST_CASE("files of items are found with and without table.json") {
  Fixture f;
  f.write("Albums/table.json", definition);
  f.write("Albums/b.json.gz", "");
  f.write("Albums/a.json", "");
  f.write("Albums/notes.txt", "");
  f.write("Plain/items.json", "");
  f.write(".git/config", "");
  const auto found = f.found();
  REQUIRE(found.tables.size() == 2);
  CHECK(found.several);
  CHECK(found.tables[0].name == "Albums");
  REQUIRE(found.tables[0].files.size() == 2);
  CHECK(found.tables[0].files[0].key == "a.json");
  CHECK_FALSE(found.tables[0].files[0].gzip);
  CHECK(found.tables[0].files[1].key == "b.json.gz");
  CHECK(found.tables[0].files[1].gzip);
  CHECK(found.tables[1].name == "Plain");
  CHECK_FALSE(found.tables[1].definition.has_value());
  CHECK(f.found("Plain").tables[0].name.empty());
}

TEST_CASE("a table without items needs only its table.json") {
  Fixture f;
  f.write("table.json", definition);
  CHECK(f.found().tables[0].files.empty());
}

TEST_CASE("data files may have been unpacked") {
  Fixture f;
  const fs::path file = a_data_file(f.write_export(""));
  fs::rename(file, fs::path(file).replace_extension());
  const auto found = f.found();
  int plain = 0;
  for (const DataFile& data : found.tables[0].files) {
    plain += data.gzip ? 0 : 1;
    CHECK(data.md5.has_value() == data.gzip);
    CHECK(data.items == 1);
    CHECK(check_digest(f.store, found.tables[0], data).ok());
  }
  CHECK(plain == 1);
}

TEST_CASE("an export without one of its manifests is not whole") {
  for (const std::string_view name : {summary_name, summary_digest_name, files_name, files_digest_name}) {
    Fixture f;
    const fs::path one = f.write_export("Albums");
    f.write("Albums/table.json", definition);
    fs::remove(one / name);
    CHECK(f.failure() == "f/Albums/AWSDynamoDB/" + one.filename().string() +
                             "/ is not a whole export: it has no " + std::string(name) +
                             ". The export was interrupted, or some of its files were not copied; export "
                             "again, or copy all of them, or import its folder data alone");
  }
}

TEST_CASE("a manifest that has changed is refused") {
  for (const std::string_view name : {summary_name, files_name}) {
    Fixture f;
    const fs::path file = f.write_export("") / name;
    std::ofstream(file, std::ios::app) << " ";
    CHECK(f.failure().find(std::string(name) + " has another MD5 than manifest-") != std::string::npos);
  }
}

TEST_CASE("manifests that disagree are refused") {
  Fixture f;
  const fs::path one = f.write_export("");
  const std::string text = f.read(one / files_name);
  const std::string half = text.substr(0, text.find('\n') + 1);
  std::ofstream(one / files_name) << half;
  std::ofstream(one / files_digest_name) << md5_text(half);
  CHECK(f.failure().ends_with("manifest-files.json lists 1 items, but manifest-summary.json 2"));
}

TEST_CASE("a data file that is missing is named") {
  Fixture f;
  const fs::path file = a_data_file(f.write_export(""));
  fs::remove(file);
  CHECK(f.failure().ends_with("/data/" + file.filename().string() +
                              " is missing, though manifest-files.json lists it; copy it there"));
}

TEST_CASE("a data file that was cut or changed has another digest") {
  Fixture f;
  const fs::path file = a_data_file(f.write_export(""));
  fs::resize_file(file, fs::file_size(file) - 1);
  const auto found = f.found();
  int wrong = 0;
  for (const DataFile& data : found.tables[0].files) {
    const auto checked = check_digest(f.store, found.tables[0], data);
    if (checked) continue;
    ++wrong;
    CHECK(checked.error() == file.string() +
                                 " has another MD5 than manifest-files.json says: it was cut, or is damaged; "
                                 "copy it again");
  }
  CHECK(wrong == 1);
}

TEST_CASE("keys in a manifest do not lead out of the export") {
  Fixture f;
  const fs::path one = f.write_export("");
  f.write("secret.json.gz", base::compress(base::Compression::gzip, ""));
  const std::string text =
      R"({"itemCount":2,"md5Checksum":"m","etag":"e","dataFileS3Key":"../../../secret.json.gz"})";
  std::ofstream(one / files_name) << text;
  std::ofstream(one / files_digest_name) << md5_text(text);
  CHECK(f.failure("AWSDynamoDB")
            .ends_with("/data/secret.json.gz is missing, though manifest-files.json lists it; "
                       "copy it there"));
}

TEST_CASE("a file is recognised by its content, and names its tables or not") {
  Fixture f;
  f.write("lines", R"({"Item":{"pk":{"S":"a"}}})");
  auto found = f.found("lines");
  CHECK_FALSE(found.several);
  CHECK(found.tables.at(0).name.empty());
  CHECK(found.tables[0].place == (f.folder / "lines").string());
  CHECK(found.tables[0].folder == f.folder);
  CHECK(found.tables[0].files.at(0).key == "lines");
  CHECK(found.tables[0].files[0].format == FileFormat::export_lines);

  f.write("batch.txt",
          base::compress(base::Compression::gzip, R"({"Two":[{"PutRequest":{"Item":{}}}],"One":[]})"));
  found = f.found("batch.txt");
  CHECK(found.several);
  REQUIRE(found.tables.size() == 2);
  CHECK(found.tables[0].name == "Two");
  CHECK(found.tables[0].files.at(0).part == "Two");
  CHECK(found.tables[0].files[0].gzip);
  CHECK(found.tables[0].files[0].format == FileFormat::batch_write);
  CHECK(found.tables[1].name == "One");

  f.write("empty", "");
  CHECK(f.failure("empty").starts_with("f/empty has nothing that can be imported; "));
  f.write("data.db", std::string("SQLite format 3\0\4", 17));
  CHECK(f.failure("data.db") == "f/data.db is a database, which is not read here");
  f.write("broken.json", "{\"T\": [{\"PutRequest\": {}}\n, {");
  CHECK(f.failure("broken.json") == "f/broken.json line 2 begins a value that the file does not end");
}

TEST_CASE("files of several formats in a folder are one table, unless they name theirs") {
  Fixture f;
  f.write("a.json", "[{\"id\": 1}]");
  f.write("b.csv", "id\n1\n");
  f.write("c.jsonl", "{\"id\": 1}");
  f.write("d.ion", "$ion_1_0 {Item:{id:1}}");
  f.write("e-batch.json", R"({"One":[{"PutRequest":{"Item":{"a":{"S":"x"}}}}]})");
  f.write("f-batch.json", R"({"One":[{"DeleteRequest":{"Key":{"a":{"S":"x"}}}}]})");
  f.write("README.md", "# Fixtures\n");
  f.write("old.zip", "PK\x03\x04");
  const auto found = f.found();
  CHECK(found.several);
  REQUIRE(found.tables.size() == 2);
  CHECK(found.tables[0].name.empty());
  CHECK(found.tables[0].files.size() == 4);
  CHECK(found.tables[1].name == "One");
  CHECK(found.tables[1].files.size() == 2);
  CHECK(found.skipped == std::vector<std::string>{"README.md", "old.zip"});
  f.write("bad.json", "PK\x03\x04");
  CHECK(f.failure() == "f/bad.json is a zip archive: first run unzip FILE -d DIR");
}

TEST_CASE("databases are read by who can") {
  Fixture f;
  f.write("local.db", std::string("SQLite format 3\0\4", 17));
  const auto found =
      find_tables(f.store, f.folder, [&](const fs::path& path) -> Outcome<std::vector<FoundTable>> {
        CHECK(path == f.folder / "local.db");
        return std::vector<FoundTable>{{f.folder, path.string(), "One", {}, {}, {}, {}},
                                       {f.folder, path.string(), "Two", {}, {}, {}, {}}};
      });
  REQUIRE(found.ok());
  CHECK(found->several);
  CHECK(found->tables.at(1).name == "Two");
}

TEST_CASE("what dynamodump writes is a folder per table, with its definition") {
  Fixture f;
  const std::string schema = R"({"Table": {"TableName": "Pets", "TableStatus": "ACTIVE", "ItemCount": 2,
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "N"}],
    "KeySchema": [{"KeyType": "HASH", "AttributeName": "id"}],
    "ProvisionedThroughput": {"NumberOfDecreasesToday": 0, "ReadCapacityUnits": 3, "WriteCapacityUnits": 7}}})";
  f.write("dump/Pets/schema.json", schema);
  f.write("dump/Pets/data/0001.json", R"({"Count": 1, "Items": [{"id": {"N": "1"}}], "ScannedCount": 1})");
  f.write("dump/Pets/data/0002.json", R"({"Count": 0, "Items": [], "ScannedCount": 0})");
  for (const fs::path& below : {fs::path("dump"), fs::path("dump/Pets")}) {
    const auto found = f.found(below);
    REQUIRE(found.tables.size() == 1);
    CHECK(found.tables[0].name == "Pets");
    CHECK(found.tables[0].files.size() == 2);
    CHECK(found.tables[0].files[0].format == FileFormat::scan_pages);
    CHECK(found.tables[0].folder == f.folder / "dump/Pets/data");
    REQUIRE(found.tables[0].definition.has_value());
    CHECK(found.tables[0].definition->create_table.find(R"("WriteCapacityUnits":7)") != std::string::npos);
    CHECK(found.tables[0].warnings.size() == 1);
  }
  f.write("dump/Pets/schema.json", "{}");
  CHECK(f.failure("dump") ==
        "f/dump/Pets/schema.json is no output of DescribeTable, as dynamodump writes it");
}

TEST_CASE("a folder of dynalite is refused with the way to move its tables") {
  Fixture f;
  f.write("db/CURRENT", "MANIFEST-000002\n");
  f.write("db/MANIFEST-000002", "");
  const std::string said = f.failure("db");
  CHECK(said.find("npx dynalite@3 --path f/db --port 4567") != std::string::npos);
  CHECK(said.find("dinette export http://127.0.0.1:4567 --to ./moved") != std::string::npos);
}

TEST_CASE("what is ambiguous or empty is refused with what to do") {
  Fixture f;
  CHECK(f.failure("none") == "f/none is not a folder");
  CHECK(f.failure().starts_with("f holds no tables: "));
  f.write("Empty/notes.txt", "");
  CHECK(f.failure().starts_with("f/Empty holds no table: "));
  f.write("Empty/table.json", "[]");
  CHECK(f.failure().starts_with("f/Empty/table.json has no CreateTable: "));
  fs::remove_all(f.folder / "Empty");

  f.write("One/table.json", definition);
  f.write("Two/table.json", definition);
  CHECK(f.failure().starts_with("the table Albums is there more than once, also in f/Two; "));
  fs::remove_all(f.folder / "Two");

  f.write_export("One");
  f.write("One/items.json", "");
  CHECK(f.failure() ==
        "f/One has both an export (AWSDynamoDB) and files of items; move one of them elsewhere");
  fs::remove(f.folder / "One/items.json");
  f.write_export("One");
  CHECK(f.failure().starts_with("f/One has several exports of one table; "));
  fs::remove(f.folder / "One/table.json");
  CHECK(f.failure().starts_with("the table Albums is there more than once, "));
  fs::remove_all(f.folder / "One/AWSDynamoDB");
  fs::create_directories(f.folder / "One/AWSDynamoDB/data");
  CHECK(f.failure() == "f/One/AWSDynamoDB has no export in it");
}

}  // namespace
}  // namespace dinette::dynamodb::item_files::found_tables_test

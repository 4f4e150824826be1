#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/dynamodb/item_files/manifest.h"
#include "dinette/objects/plain_folders.h"

#include "app/transfer/moving_tables.h"

// Exports of the service other than full ones in DynamoDB JSON.
namespace dinette::app::import_exports_test {
namespace {

namespace item_files = dynamodb::item_files;

using item_files::DataFormat;
using test::Json;

struct Exports : test::MovingTables {
  objects::PlainFolders store;

  /// Writes an export of the table Beds with one data file, as the service lays it out in a bucket.
  void write_export(const std::string& id, DataFormat of_data, bool is_incremental, std::uint64_t items,
                    std::string_view lines) {
    std::filesystem::create_directories(folder);
    const item_files::ExportFolder to{store, folder.string(), {}, id};
    const std::string name = "data/" + id + (of_data == DataFormat::ion ? ".ion.gz" : ".json.gz");
    auto listed = to.put_data_file(is_incremental ? item_files::key_below({}, name) : to.key_of(name), lines);
    REQUIRE(listed.ok());
    listed->items = items;
    item_files::Summary summary;
    summary.table_arn = "arn:aws:dynamodb:us-east-1:123456789012:table/Beds";
    summary.items = items;
    summary.format = of_data;
    if (is_incremental) summary.window.emplace();
    const std::vector<item_files::ListedFile> files{*listed};
    REQUIRE(to.put_manifest(item_files::files_name, item_files::files_digest_name, item_files::text_of(files))
                .ok());
    REQUIRE(to.put_manifest(item_files::summary_name, item_files::summary_digest_name,
                            item_files::text_of(summary))
                .ok());
  }

  /// The items of Beds as `id: n`.
  std::string beds() {
    std::vector<std::string> all;
    for (const Json& item : items("Beds"))
      all.push_back(item["id"]["S"].get<std::string>() + ": " + item["n"]["N"].get<std::string>());
    std::ranges::sort(all);
    std::string text;
    for (const std::string& one : all) text += (text.empty() ? "" : ", ") + one;
    return text;
  }
};

constexpr std::string_view full_export =
    "$ion_1_0 {Item:{id:\"a\",n:103.}}\n$ion_1_0 {Item:{id:\"b\",n:6d2}}\n$ion_1_0 {Item:{id:\"c\",n:3.}}\n";

// a is changed, b is deleted, d is new.
constexpr std::string_view changes =
    R"({"Metadata":{"WriteTimestampMicros":{"N":"1"}},"Keys":{"id":{"S":"a"}},"NewImage":{"id":{"S":"a"},"n":{"N":"1"}},"OldImage":{"id":{"S":"a"},"n":{"N":"103"}}})"
    "\n"
    R"({"Metadata":{"WriteTimestampMicros":{"N":"2"}},"Keys":{"id":{"S":"b"}}})"
    "\n"
    R"({"Metadata":{"WriteTimestampMicros":{"N":"3"}},"Keys":{"id":{"S":"d"}},"NewImage":{"id":{"S":"d"},"n":{"N":"4"}}})"
    "\n";
constexpr std::string_view changes_in_ion =
    "$ion_1_0 {Record:{Keys:{id:\"a\"},Metadata:{WriteTimestampMicros:1.},NewImage:{id:\"a\",n:1.}}}\n"
    "$ion_1_0 {Record:{Keys:{id:\"b\"},Metadata:{WriteTimestampMicros:2.},OldImage:{id:\"b\",n:6d2}}}\n"
    "$ion_1_0 {Record:{Keys:{id:\"d\"},Metadata:{WriteTimestampMicros:3.},NewImage:{id:\"d\",n:4.}}}\n";

TEST_CASE("an export in Ion is imported by its manifest") {
  Exports e;
  e.write_export("01700000000000-00000001", DataFormat::ion, false, 3, full_export);
  REQUIRE(e.imported("", {{"id", 'S'}}).ok());
  CHECK(e.beds() == "a: 103, b: 600, c: 3");
}

TEST_CASE("an export in Ion that has not the items that its manifest says is noticed") {
  Exports e;
  e.write_export("01700000000000-00000001", DataFormat::ion, false, 4, full_export);
  CHECK(e.import_failure("", {{"id", 'S'}}).find("has 3 items, but its manifest says 4") !=
        std::string::npos);
}

TEST_CASE("an incremental export changes the table that a full one has made") {
  for (const DataFormat format : {DataFormat::dynamodb_json, DataFormat::ion}) {
    Exports e;
    e.write_export("01700000000000-00000001", DataFormat::ion, false, 3, full_export);
    e.write_export("01700000000001-00000001", format, true, 3,
                   format == DataFormat::ion ? changes_in_ion : changes);
    REQUIRE(e.imported("", {{"id", 'S'}}, "AWSDynamoDB/01700000000000-00000001").ok());
    REQUIRE(e.imported("", {}, "AWSDynamoDB/01700000000001-00000001").ok());
    CHECK(e.beds() == "a: 1, c: 3, d: 4");
    CHECK(e.import_failure("", {{"id", 'S'}}).find("Beds is there more than once") != std::string::npos);
  }
}

TEST_CASE("an incremental export does not make its table") {
  Exports e;
  e.write_export("01700000000001-00000001", DataFormat::dynamodb_json, true, 3, changes);
  const std::string place = "f/AWSDynamoDB/01700000000001-00000001";
  CHECK(e.import_failure() ==
        "there is no table Beds, and " + place +
            " is an incremental export, which has only changes: import the full export before it first");
  CHECK(e.import_failure("", {{"id", 'S'}}) ==
        "--key is for tables to create, and " + place + " is an incremental export, which has only changes");
}

TEST_CASE("the data files of an export may be imported without its manifests") {
  Exports e;
  e.write_export("01700000000000-00000001", DataFormat::ion, false, 3, full_export);
  e.write_export("01700000000001-00000001", DataFormat::dynamodb_json, true, 3, changes);
  REQUIRE(e.imported("Beds", {{"id", 'S'}}, "AWSDynamoDB/01700000000000-00000001/data").ok());
  REQUIRE(e.imported("Beds", {}, "AWSDynamoDB/data").ok());
  CHECK(e.beds() == "a: 1, c: 3, d: 4");
}

}  // namespace
}  // namespace dinette::app::import_exports_test

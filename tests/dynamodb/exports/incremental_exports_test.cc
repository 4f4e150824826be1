#include <regex>
#include <string>

#include <catch2/catch.hpp>

#include "dynamodb/exports/exports.h"

// docs/service/export-import.md section 1, "Objects written", of incremental exports.
namespace test::incremental_exports_test {

namespace {

void delete_item(DynamoDb& db, const std::string& pk) {
  db.ok("DeleteItem", {{"TableName", "Music"}, {"Key", {{"pk", {{"S", pk}}}}}});
}

/// A table whose items change before, in and after the window from 3000 to 6000.
struct Changing : Exporting {
  Changing() {
    set_clock(*this, start_of_test + 2000);
    for (const char* const pk : {"unchanged", "updated", "deleted", "put back", "later"})
      put_number(*this, pk, 1);
    set_clock(*this, start_of_test + 3000);
    put_number(*this, "updated", 2);
    put_number(*this, "inserted", 2);
    put_number(*this, "brief", 2);
    delete_item(*this, "put back");
    set_clock(*this, start_of_test + 5999.999999);
    delete_item(*this, "brief");
    delete_item(*this, "deleted");
    put_number(*this, "put back", 3);
    put_number(*this, "updated", 3);
    set_clock(*this, start_of_test + 6000);
    put_number(*this, "later", 4);
    put_number(*this, "updated", 4);
    set_clock(*this, start_of_test + 10'000);
  }

  /// The lines by their keys.
  Json changes(std::string_view view, double from = 3000, double to = 6000) {
    Json found = Json::object();
    const Json made = exported(incremental(start_of_test + from, start_of_test + to, view));
    for (const std::string& line : read_export(*this, made).lines) {
      const Json change = Json::parse(line);
      found[change.at("Keys").at("pk").at("S").get<std::string>()] = change;
    }
    return found;
  }
};

Json change(const std::string& pk, const char* micros, int now, int old) {
  const auto image = [&](int n) { return Json{{"pk", {{"S", pk}}}, {"n", {{"N", std::to_string(n)}}}}; };
  Json made = {{"Metadata", {{"WriteTimestampMicros", {{"N", micros}}}}}, {"Keys", {{"pk", {{"S", pk}}}}}};
  if (now != 0) made["NewImage"] = image(now);
  if (old != 0) made["OldImage"] = image(old);
  return made;
}

constexpr const char* first = "1791636600000000";
constexpr const char* last = "1791639599999999";

}  // namespace

TEST_CASE("incremental export: what has become of each item, with both images") {
  Changing db;
  CHECK(db.changes("NEW_AND_OLD_IMAGES") == Json{{"inserted", change("inserted", first, 2, 0)},
                                                 {"updated", change("updated", last, 3, 1)},
                                                 {"put back", change("put back", last, 3, 1)},
                                                 {"deleted", change("deleted", last, 0, 1)}});
}

TEST_CASE("incremental export: with new images alone") {
  Changing db;
  CHECK(db.changes("NEW_IMAGE") == Json{{"inserted", change("inserted", first, 2, 0)},
                                        {"updated", change("updated", last, 3, 0)},
                                        {"put back", change("put back", last, 3, 0)},
                                        {"deleted", change("deleted", last, 0, 0)}});
}

TEST_CASE("incremental export: the beginning of the window counts, and its end does not") {
  Changing db;
  CHECK(db.changes("", 4000, 5000).empty());
  CHECK(db.changes("", 4000, 5999.999).empty());
  CHECK(db.changes("", 6000, 7000) == Json{{"later", change("later", "1791639600000000", 4, 1)},
                                           {"updated", change("updated", "1791639600000000", 4, 3)}});
}

TEST_CASE("incremental export: members are in the documented order") {
  Exporting db;
  set_clock(db, start_of_test + 4000);
  put_number(db, "a", 1);
  set_clock(db, start_of_test + 10'000);
  const Json window = incremental(start_of_test + 3000, start_of_test + 6000);
  const ReadExport read = read_export(db, db.exported(window));
  CHECK(read.lines ==
        std::vector<std::string>{R"({"Metadata":{"WriteTimestampMicros":{"N":"1791637600000000"}},)"
                                 R"("Keys":{"pk":{"S":"a"}},"NewImage":{"n":{"N":"1"},"pk":{"S":"a"}}})"});
  const ReadExport ion = read_export(db, db.exported(with(window, {{"ExportFormat", "ION"}})));
  CHECK(ion.lines == std::vector<std::string>{R"($ion_1_0 {Record:{Keys:{pk:"a"},)"
                                              R"(Metadata:{WriteTimestampMicros:1791637600000000.},)"
                                              R"(NewImage:{n:1.,pk:"a"}}})"});
  set_clock(db, start_of_test + 4000);
  put_number(db, "b", 1);
  set_clock(db, start_of_test + 5000);
  put_number(db, "b", 2);
  set_clock(db, start_of_test + 10'000);
  const Json later = with(incremental(start_of_test + 4500, start_of_test + 6000), {{"ExportFormat", "ION"}});
  CHECK(read_export(db, db.exported(later)).lines ==
        std::vector<std::string>{R"($ion_1_0 {Record:{Keys:{pk:"b"},)"
                                 R"(Metadata:{WriteTimestampMicros:1791638600000000.},)"
                                 R"(NewImage:{n:2.,pk:"b"},OldImage:{n:1.,pk:"b"}}})"});
}

TEST_CASE("incremental export: objects and the summary") {
  Changing db;
  const Json made = db.exported(with(incremental(start_of_test + 3000, start_of_test + 6000, "NEW_IMAGE"),
                                     {{"S3Prefix", "p"}, {"ClientToken", "t"}}));
  const ReadExport read = read_export(db, made);
  const std::string arn = made.at("ExportArn");
  const std::string folder = "p/AWSDynamoDB/" + arn.substr(arn.rfind('/') + 1) + "/";
  std::string keys;
  for (const std::string& key : db.keys()) keys += key + "\n";
  INFO(keys);
  CHECK(std::regex_match(
      keys, std::regex(folder + "_started\n" + folder + "manifest-files\\.json\n" + folder +
                       "manifest-files\\.md5\n" + folder + "manifest-summary\\.json\n" + folder +
                       "manifest-summary\\.md5\n(p/AWSDynamoDB/data/[a-z2-7]{26}\\.json\\.gz\n){4}")));
  CHECK(made.at("BilledSizeBytes") == 10'000'000);
  CHECK(made.at("ItemCount") == 4);
  const std::string summary = db.read(made.at("ExportManifest"));
  CHECK(summary == R"({"version":"2023-08-01","exportArn":")" + arn +
                       R"(","startTime":"2026-10-10T14:46:40.000Z","endTime":"2026-10-10T14:46:40.000Z",)"
                       R"("tableArn":")" +
                       music_arn + R"(","tableId":")" + made.at("TableId").get<std::string>() +
                       R"(","exportFromTime":"2026-10-10T12:50:00.000Z",)"
                       R"("exportToTime":"2026-10-10T13:40:00.000Z","s3Bucket":"exports","s3Prefix":"p",)"
                       R"("s3SseAlgorithm":"AES256","s3SseKmsKeyId":null,"manifestFilesS3Key":")" +
                       folder +
                       R"(manifest-files.json","billedSizeBytes":10000000,"itemCount":4,)"
                       R"("outputFormat":"DYNAMODB_JSON","outputView":"NEW_IMAGE",)"
                       R"("exportType":"INCREMENTAL_EXPORT"})");
}

TEST_CASE("incremental export: both keys of an item, and all bytes that were read above the least") {
  Json table = on_demand();
  table["KeySchema"] = {key("z", "HASH"), key("a", "RANGE")};
  table["AttributeDefinitions"] = {attribute("z", "S"), attribute("a", "S")};
  Exporting db(table);
  set_clock(db, start_of_test + 4000);
  const std::string text(399'980, 'x');
  for (int i = 0; i < 30; ++i)
    db.put("Music", {{"z", {{"S", "p"}}}, {"a", {{"S", std::to_string(i)}}}, {"t", {{"S", text}}}});
  set_clock(db, start_of_test + 10'000);
  const Json made = db.exported(incremental(start_of_test + 3000, start_of_test + 6000));
  const ReadExport read = read_export(db, made);
  REQUIRE(read.lines.size() == 30);
  for (const std::string& line : read.lines) {
    const Json found = Json::parse(line);
    CHECK(found.at("Keys") == Json{{"a", found.at("NewImage").at("a")}, {"z", found.at("NewImage").at("z")}});
  }
  std::size_t bytes = 0;
  for (int i = 0; i < 30; ++i) bytes += 4 + std::to_string(i).size() + text.size();
  CHECK(made.at("BilledSizeBytes") == bytes);
}

}  // namespace test::incremental_exports_test

#include <algorithm>
#include <regex>
#include <string>

#include <catch2/catch.hpp>

#include "dynamodb/exports/exports.h"

// docs/service/export-import.md section 1, "Objects written", of full exports.
namespace test::export_objects_test {

using namespace std::chrono_literals;

namespace {

std::string id_of(const Json& description) {
  const std::string arn = description.at("ExportArn");
  return arn.substr(arn.rfind('/') + 1);
}

Json number_item(const std::string& pk, int n) {
  return {{"pk", {{"S", pk}}}, {"n", {{"N", std::to_string(n)}}}};
}

}  // namespace

TEST_CASE("exported objects: these names and no others") {
  for (const auto& [prefix, front] : {std::pair("", ""), std::pair("p/q", "p/q/"), std::pair("p/", "p/")}) {
    for (const auto& [format, ending] :
         {std::pair("DYNAMODB_JSON", "\\.json\\.gz"), std::pair("ION", "\\.ion\\.gz")}) {
      Exporting db;
      put_number(db, "a", 1);
      Json request = {{"ExportFormat", format}};
      if (*prefix) request["S3Prefix"] = prefix;
      const std::string folder = std::string(front) + "AWSDynamoDB/" + id_of(db.exported(request)) + "/";
      std::string keys;
      for (const std::string& key : db.keys()) keys += key + "\n";
      INFO(keys);
      CHECK(std::regex_match(
          keys, std::regex(folder + "_started\n(" + folder + "data/[a-z2-7]{26}" + ending + "\n){4}" +
                           folder + "manifest-files\\.json\n" + folder + "manifest-files\\.md5\n" + folder +
                           "manifest-summary\\.json\n" + folder + "manifest-summary\\.md5\n")));
      CHECK(db.read(folder + "_started").empty());
      CHECK(db.read(folder + "manifest-summary.md5").size() == 24);
    }
  }
}

TEST_CASE("exported objects: the summary") {
  Exporting db;
  put_number(db, "a", 1);
  const Json begun = db.begin({{"ExportTime", start_of_test + 9'000}});
  db.DynamoDb::clock().advance(1500ms);
  db.jobs().run_due();
  const Json made = db.description(begun);
  const std::string summary = db.read(made.at("ExportManifest"));
  CHECK(summary ==
        R"({"version":"2020-06-30","exportArn":")" + made.at("ExportArn").get<std::string>() +
            R"(","startTime":"2026-10-10T14:46:40.000Z","endTime":"2026-10-10T14:46:41.500Z",)"
            R"("tableArn":")" +
            music_arn + R"(","tableId":")" + made.at("TableId").get<std::string>() +
            R"(","exportTime":"2026-10-10T14:30:00.000Z","s3Bucket":"exports","s3Prefix":null,)"
            R"("s3SseAlgorithm":"AES256","s3SseKmsKeyId":null,"manifestFilesS3Key":"AWSDynamoDB/)" +
            id_of(made) +
            R"(/manifest-files.json","billedSizeBytes":0,"itemCount":0,)"
            R"("outputFormat":"DYNAMODB_JSON"})");
  const ReadExport with_key = read_export(
      db, db.exported({{"S3SseAlgorithm", "KMS"}, {"S3SseKmsKeyId", "alias/k"}, {"S3Prefix", "p"}}));
  CHECK(with_key.summary.at("s3SseAlgorithm") == "KMS");
  CHECK(with_key.summary.at("s3SseKmsKeyId") == "alias/k");
  CHECK(with_key.summary.at("s3Prefix") == "p");
}

TEST_CASE("exported objects: the list of files") {
  Exporting db;
  for (int i = 0; i < 100; ++i) put_number(db, std::to_string(i), i);
  const ReadExport read = read_export(db, db.exported());
  REQUIRE(read.files.size() == 4);
  for (const Json& file : read.files) {
    CHECK(file.size() == 4);
    CHECK(file.at("itemCount") > 5);  // each partition has some
    const std::string etag = file.at("etag");
    CHECK(std::regex_match(etag, std::regex("[0-9a-f]{32}-1")));
    const std::string key = file.at("dataFileS3Key");
    const auto objects = db.store->list("exports", {.prefix = key}).value().objects;
    REQUIRE(objects.size() == 1);
    CHECK(objects[0].etag == etag);
  }
}

TEST_CASE("exported objects: an empty table has empty files") {
  Exporting db;
  const Json made = db.exported();
  CHECK(made.at("ItemCount") == 0);
  const ReadExport read = read_export(db, made);
  CHECK(read.files.size() == 4);
  CHECK(read.lines.empty());
}

TEST_CASE("exported objects: items of all types, to the byte") {
  Exporting db;
  const std::string item =
      R"({"b":{"B":"YmFy"},"bool":{"BOOL":true},"bs":{"BS":["AA==","YmFy"]},"empty":{"S":""},)"
      R"("emptyb":{"B":""},"l":{"L":[{"L":[]},{"M":{}},{"NULL":true}]},"m":{"M":{"x":{"S":"x"}}},)"
      R"("n":{"N":"-12345678901234567890123456789012345678"},"ns":{"NS":["1","2.5"]},)"
      R"("pk":{"S":"line\nbreak \"é\" \u0001"},"ss":{"SS":["a","b"]}})";
  db.ok("PutItem", {{"TableName", "Music"}, {"Item", Json::parse(item)}});
  const ReadExport read = read_export(db, db.exported());
  REQUIRE(read.lines.size() == 1);
  CHECK(read.lines[0] == R"({"Item":)" + item + "}");
}

TEST_CASE("exported objects: Ion") {
  Exporting db;
  const std::string item =
      R"({"Authors":{"SS":["Author1","Author2"]},"ISBN":{"S":"333-3333333333"},"Id":{"N":"103"},)"
      R"("InPublication":{"BOOL":false},"PageCount":{"N":"600"},"Price":{"N":"2000"},"pk":{"S":"a"}})";
  db.ok("PutItem", {{"TableName", "Music"}, {"Item", Json::parse(item)}});
  const ReadExport read = read_export(db, db.exported({{"ExportFormat", "ION"}}));
  REQUIRE(read.lines.size() == 1);
  CHECK(read.lines[0] ==
        R"($ion_1_0 {Item:{Authors:$dynamodb_SS::["Author1","Author2"],ISBN:"333-3333333333",Id:103.,)"
        R"(InPublication:false,PageCount:6d2,Price:2d3,pk:"a"}})");
  CHECK(read.summary.at("outputFormat") == "ION");
}

TEST_CASE("exported objects: the items are those of the time") {
  Exporting db;
  set_clock(db, start_of_test + 1000);
  put_number(db, "a", 1);
  put_number(db, "b", 1);
  set_clock(db, start_of_test + 2000);
  put_number(db, "a", 2);
  db.ok("DeleteItem", {{"TableName", "Music"}, {"Key", {{"pk", {{"S", "b"}}}}}});
  set_clock(db, start_of_test + 10'000);
  const auto items_at = [&](double time) {
    return items_of(read_export(db, db.exported({{"ExportTime", start_of_test + time}})));
  };
  using Items = std::map<std::string, Json>;
  CHECK(items_at(999).empty());
  CHECK(items_at(1000) == Items{{"a", number_item("a", 1)}, {"b", number_item("b", 1)}});
  CHECK(items_at(1999.999) == items_at(1000));
  CHECK(items_at(2000) == Items{{"a", number_item("a", 2)}});
}

TEST_CASE("exported objects: without a time, what was written before the request, and nothing after") {
  Exporting db;
  put_number(db, "a", 1);
  const Json begun = db.begin();
  put_number(db, "a", 2);  // at the same time by the clock
  put_number(db, "b", 2);
  db.jobs().run_due();
  const std::map<std::string, Json> items = items_of(read_export(db, db.description(begun)));
  CHECK(items == std::map<std::string, Json>{{"a", number_item("a", 1)}});
}

TEST_CASE("exported objects: a table is cut into files of bounded size", "[volume]") {
  Exporting db;
  const std::string text(100'000, 'x');
  for (int i = 0; i < 250; ++i)
    db.put("Music", {{"pk", {{"S", std::to_string(i)}}}, {"text", {{"S", text}}}});
  const Json made = db.exported();
  const ReadExport read = read_export(db, made);
  CHECK(read.files.size() > 4);
  for (const Json& file : read.files) CHECK(file.at("itemCount") <= 42);
  CHECK(items_of(read).size() == 250);
  CHECK(made.at("BilledSizeBytes") == 25'000'000);
  CHECK(read.summary.at("billedSizeBytes") == 25'000'000);
}

}  // namespace test::export_objects_test

#include "dinette/dynamodb/item_files/manifest.h"

#include <chrono>
#include <string>

#include <catch2/catch.hpp>

namespace dinette::dynamodb::item_files::manifest_test {
namespace {

using namespace std::chrono_literals;

constexpr base::TimePoint moment =
    std::chrono::sys_days(std::chrono::year(2020) / 11 / 4) + 7h + 28min + 34s + 28ms;

Summary summary() {
  Summary made;
  made.export_arn = "arn:aws:dynamodb:us-east-1:123456789012:table/T/export/01604474914028-a1b2c3d4";
  made.started = moment;
  made.ended = moment + 5min + 9s + 869ms;
  made.table_arn = "arn:aws:dynamodb:us-east-1:123456789012:table/T";
  made.table_id = "12345a12-abcd-123a-ab12-1234abc12345";
  made.export_time = moment;
  made.bucket = "b";
  made.prefix = "p";
  made.files_key = "p/AWSDynamoDB/01604474914028-a1b2c3d4/manifest-files.json";
  made.items = 8;
  return made;
}

std::string failure(std::string_view text) {
  const auto read = read_summary(text);
  REQUIRE_FALSE(read.ok());
  return read.error();
}

TEST_CASE("a summary is written as the service writes it") {
  // docs/service/export-import.md section 1, "Objects written"
  CHECK(text_of(summary()) ==
        R"({"version":"2020-06-30","exportArn":"arn:aws:dynamodb:us-east-1:123456789012:table/T/export/)"
        R"(01604474914028-a1b2c3d4","startTime":"2020-11-04T07:28:34.028Z","endTime":)"
        R"("2020-11-04T07:33:43.897Z","tableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/T",)"
        R"("tableId":"12345a12-abcd-123a-ab12-1234abc12345","exportTime":"2020-11-04T07:28:34.028Z",)"
        R"("s3Bucket":"b","s3Prefix":"p","s3SseAlgorithm":"AES256","s3SseKmsKeyId":null,)"
        R"("manifestFilesS3Key":"p/AWSDynamoDB/01604474914028-a1b2c3d4/manifest-files.json",)"
        R"("billedSizeBytes":0,"itemCount":8,"outputFormat":"DYNAMODB_JSON"})");
}

TEST_CASE("a prefix that was not given is null") {
  Summary made = summary();
  made.prefix.reset();
  CHECK(text_of(made).find(R"("s3Prefix":null,)") != std::string::npos);
}

TEST_CASE("a summary is read back") {
  const auto read = read_summary(text_of(summary()));
  REQUIRE(read.ok());
  CHECK(read->table_name == "T");
  CHECK(read->items == 8);
}

TEST_CASE("a summary of something else is refused") {
  CHECK(failure("") == "is no summary of an export");
  CHECK(failure("[]") == "is no summary of an export");
  CHECK(failure(R"({"outputFormat":"DYNAMODB_JSON"})") == "is no summary of an export");
  CHECK(failure(R"({"itemCount":-1,"outputFormat":"DYNAMODB_JSON"})") == "is no summary of an export");
  CHECK(failure(R"({"itemCount":1,"outputFormat":"DYNAMODB_JSON","tableArn":"T"})") ==
        "names no table in its tableArn");
  CHECK(failure(R"({"itemCount":1,"outputFormat":"PARQUET"})") ==
        "belongs to an export in the format 'PARQUET'; take one in DYNAMODB_JSON or ION");
}

TEST_CASE("a summary says in which format an export is, and if it has items or changes") {
  Summary made = summary();
  CHECK(read_summary(text_of(made))->format == DataFormat::dynamodb_json);
  CHECK_FALSE(read_summary(text_of(made))->is_incremental);
  made.format = DataFormat::ion;
  made.window.emplace();
  CHECK(read_summary(text_of(made))->format == DataFormat::ion);
  CHECK(read_summary(text_of(made))->is_incremental);
}

TEST_CASE("data files are listed one per line, and read back") {
  const std::string text = text_of({{8, "sQMSpEILNgoQmarvDFonGQ==", "af83d6f217c19b8b0fff8023d8ca4716-1",
                                     "p/AWSDynamoDB/01604474914028-a1b2c3d4/data/asdl123dasas.json.gz"},
                                    {0, "m", "e", "k"}});
  CHECK(
      text ==
      R"({"itemCount":8,"md5Checksum":"sQMSpEILNgoQmarvDFonGQ==","etag":"af83d6f217c19b8b0fff8023d8ca4716-1",)"
      R"("dataFileS3Key":"p/AWSDynamoDB/01604474914028-a1b2c3d4/data/asdl123dasas.json.gz"})"
      "\n"
      R"({"itemCount":0,"md5Checksum":"m","etag":"e","dataFileS3Key":"k"})"
      "\n");
  const auto read = read_files(text);
  REQUIRE(read.ok());
  REQUIRE(read->size() == 2);
  CHECK(text_of(*read) == text);
}

TEST_CASE("a line that describes no data file is named") {
  const std::string good = R"({"itemCount":0,"md5Checksum":"m","etag":"e","dataFileS3Key":"k"})";
  for (const char* const bad :
       {"x", "[]", R"({"itemCount":"0","md5Checksum":"m","dataFileS3Key":"k"})",
        R"({"itemCount":0,"dataFileS3Key":"k"})", R"({"itemCount":0,"md5Checksum":"m"})"}) {
    const auto read = read_files(good + "\n\n" + bad);
    REQUIRE_FALSE(read.ok());
    CHECK(read.error() == "line 3 describes no data file of an export");
  }
  CHECK(read_files("\n").value().empty());
}

}  // namespace
}  // namespace dinette::dynamodb::item_files::manifest_test

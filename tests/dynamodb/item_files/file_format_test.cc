#include "dinette/dynamodb/item_files/file_format.h"

#include <optional>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "dinette/base/compression.h"

#include "dynamodb/item_files/text_object.h"

namespace dinette::dynamodb::item_files::file_format_test {
namespace {

using namespace std::string_view_literals;

std::optional<FileFormat> format_of(std::string_view content) {
  test::TextObject object{std::string(content)};
  const auto found = recognise(object);
  INFO(content.substr(0, 80) << (found ? "" : found.error()));
  REQUIRE(found.ok());
  if (!*found) return std::nullopt;
  CHECK_FALSE((*found)->gzip);
  return (*found)->format;
}

std::string refusal(std::string_view content) {
  test::TextObject object{std::string(content)};
  const auto found = recognise(object);
  REQUIRE_FALSE(found.ok());
  return found.error();
}

TEST_CASE("files are recognised by their content") {
  CHECK(format_of(R"({"Item":{"a":{"S":"x"}}})") == FileFormat::export_lines);
  CHECK(format_of("\n {\"Item\": {\n") == FileFormat::export_lines);
  CHECK(format_of(R"({"ConditionExpression":"a","Item":{}})") == FileFormat::export_lines);
  CHECK(format_of(R"({"Metadata":{},"Keys":{"a":{"S":"x"}},"NewImage":{}})") == FileFormat::export_lines);
  CHECK(format_of(R"({"Metadata":{},"Keys":{"a":{"S":"x"}}})") == FileFormat::export_lines);
  CHECK(format_of(R"({"Keys":{"a":{"S":"x"}},"b":1})") == FileFormat::plain_json);
  CHECK(format_of(R"({"Item":{"a":1},"price":2})") == FileFormat::plain_json);
  CHECK(format_of(R"({"id":"a","Items":[{"sku":1}],"Count":1})") == FileFormat::plain_json);
  CHECK(format_of("[{\"id\":1}]") == FileFormat::plain_json);
  CHECK(format_of("\xef\xbb\xbf{\"id\":1}\n") == FileFormat::plain_json);
  CHECK(format_of("[]") == FileFormat::plain_json);
  CHECK(format_of(R"({"Count":0,"Items":[],"ScannedCount":0})") == FileFormat::scan_pages);
  CHECK(format_of(R"({"Items": [{"a": {"S": "x"}}, {)") == FileFormat::scan_pages);
  CHECK(format_of(R"([{"Items": []}])") == FileFormat::scan_pages);
  CHECK(format_of(R"({"RequestItems":{"T":[]}})") == FileFormat::batch_write);
  CHECK(format_of(R"({"Empty":[],"T":[{"DeleteRequest":{"Key":{}}}],"U":[{"PutRequest":{"Item":{}}}]})") ==
        FileFormat::batch_write);
  CHECK(format_of(R"([{"T":[{"PutRequest":{"Item":{}}}]}])") == FileFormat::batch_write);
  CHECK(format_of(R"({"id":"a","requests":[{"PutRequest":{}}]})") == FileFormat::plain_json);
  CHECK(format_of(R"({"Responses":{"T":[]},"UnprocessedKeys":{}})") == FileFormat::batch_get);
  CHECK(format_of(R"({"Responses":{"T":[]},"id":"a"})") == FileFormat::plain_json);
  CHECK(format_of("$ion_1_0 {Item:{a:1}}") == FileFormat::ion);
  CHECK(format_of("{Item:{a:1}}") == FileFormat::ion);
  CHECK(format_of("id,name\n1,x\n") == FileFormat::csv);
  CHECK(format_of("[link](http://a.example)\n") == FileFormat::csv);
  CHECK(format_of("SQLite format 3\0\x04\0"sv) == FileFormat::database);
  CHECK(format_of("") == std::nullopt);
  CHECK(format_of(" \n") == std::nullopt);
  CHECK(format_of("\x7f"
                  "ELF\0\0"sv) == std::nullopt);
}

TEST_CASE("the first object is read up to the length of an item") {
  const std::string many(20 << 20, 'x');
  CHECK(format_of("{\"Items\":[],\"Count\":\"" + many + "\",\"id\":1}") == FileFormat::scan_pages);
}

TEST_CASE("what is packed with gzip is recognised, too") {
  test::TextObject object(base::compress(base::Compression::gzip, "id,name\n"));
  const auto found = recognise(object);
  REQUIRE(found.ok());
  CHECK((*found)->gzip);
  CHECK((*found)->format == FileFormat::csv);
}

TEST_CASE("archives are refused with the command that unpacks them") {
  CHECK(refusal("PK\x03\x04more") == "is a zip archive: first run unzip FILE -d DIR");
  CHECK(refusal("BZh91AY").find("tar -xjf FILE") != std::string::npos);
  CHECK(refusal("\x28\xb5\x2f\xfdx").find("zstd -d") != std::string::npos);
  std::string tar(512, '\0');
  tar.replace(0, 5, "a.txt").replace(257, 5, "ustar");
  CHECK(refusal(tar).find("tar -xf FILE") != std::string::npos);
  CHECK(refusal(base::compress(base::Compression::gzip, tar)).find("tar -xf FILE") != std::string::npos);
  CHECK(refusal("\xff\xfe[\0"sv).find("iconv -f UTF-16") != std::string::npos);
  CHECK(refusal(base::compress(base::Compression::gzip, "SQLite format 3\0"sv)).find("gunzip") !=
        std::string::npos);
  CHECK(refusal("\x1f\x8b broken").starts_with("is damaged: "));
}

TEST_CASE("definitions of tables are not items") {
  for (const std::string_view one :
       {R"({"TableName":"T","KeySchema":[],"AttributeDefinitions":[]})"sv, R"({"Table":{"TableName":"T"}})"sv,
        R"([{"TableName":"T","KeySchema":[]}])"sv,
        R"({"AWSTemplateFormatVersion":"2010-09-09","Resources":{}})"sv})
    CHECK(refusal(one).starts_with("defines tables, and has no items"));
}

}  // namespace
}  // namespace dinette::dynamodb::item_files::file_format_test

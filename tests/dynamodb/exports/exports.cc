#include "dynamodb/exports/exports.h"

#include <sstream>
#include <utility>

#include "dinette/base/base64.h"
#include "dinette/base/compression.h"
#include "dinette/base/md5.h"

namespace test {

std::string md5_of(std::string_view bytes) {
  const dinette::base::Md5Digest digest = dinette::base::md5(bytes);
  return dinette::base::base64_encode({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

Buckets::Buckets() {
  REQUIRE(store->create_bucket("exports").ok());
}

dinette::dynamodb::ServiceOptions Buckets::options(dinette::dynamodb::ServiceOptions others) const {
  others.objects = store.get();
  return others;
}

std::vector<std::string> Buckets::keys(const std::string& bucket) const {
  std::vector<std::string> keys;
  const dinette::objects::Listing listing = store->list(bucket, {}).value();
  for (const dinette::objects::ObjectInfo& object : listing.objects) keys.push_back(object.key);
  return keys;
}

std::string Buckets::read(const std::string& key, const std::string& bucket) const {
  INFO("reading " << key);
  const auto reader = store->open(bucket, key);
  REQUIRE(reader.ok());
  std::string bytes((*reader)->info().size, '\0');
  std::size_t size = 0;
  while (size < bytes.size()) size += (*reader)->read(std::span(bytes).subspan(size)).value();
  return bytes;
}

Exporting::Exporting(const Json& table, dinette::dynamodb::ServiceOptions others)
    : DynamoDb(options(std::move(others))) {
  ok("CreateTable", table);
  DynamoDb::clock().advance(std::chrono::seconds(2));
  recover(*this);
  set_clock(*this, start_of_test + 10'000);
}

Json export_request(const Json& changes) {
  return with(Json{{"TableArn", music_arn}, {"S3Bucket", "exports"}}, changes);
}

Json incremental(double from, double to, std::string_view view) {
  Json specification = {{"ExportFromTime", from}, {"ExportToTime", to}};
  if (!view.empty()) specification["ExportViewType"] = view;
  return {{"ExportType", "INCREMENTAL_EXPORT"}, {"IncrementalExportSpecification", specification}};
}

Json Exporting::begin(const Json& changes) {
  return ok("ExportTableToPointInTime", export_request(changes)).at("ExportDescription");
}

Json Exporting::description(const Json& of) {
  return ok("DescribeExport", {{"ExportArn", of.at("ExportArn")}}).at("ExportDescription");
}

Json Exporting::exported(const Json& changes) {
  const Json begun = begin(changes);
  jobs().run_due();
  return description(begun);
}

ReadExport read_export(const Buckets& buckets, const Json& description) {
  REQUIRE(description.at("ExportStatus") == "COMPLETED");
  ReadExport read;
  const std::string key = description.at("ExportManifest");
  const std::string folder = key.substr(0, key.rfind('/') + 1);
  const std::string summary = buckets.read(key);
  CHECK(buckets.read(folder + "manifest-summary.md5") == md5_of(summary));
  read.summary = Json::parse(summary);
  CHECK(read.summary.at("manifestFilesS3Key") == folder + "manifest-files.json");
  const std::string files = buckets.read(folder + "manifest-files.json");
  CHECK(buckets.read(folder + "manifest-files.md5") == md5_of(files));
  std::size_t items = 0;
  for (const std::string& line : lines_of(files)) {
    const Json file = Json::parse(line);
    read.files.push_back(file);
    const std::string bytes = buckets.read(file.at("dataFileS3Key").get<std::string>());
    CHECK(file.at("md5Checksum") == md5_of(bytes));
    const auto text = dinette::base::decompress(dinette::base::Compression::gzip, bytes, 64 << 20);
    REQUIRE(text.ok());
    const std::vector<std::string> lines = lines_of(text->view());
    CHECK(file.at("itemCount") == lines.size());
    items += lines.size();
    read.lines.insert(read.lines.end(), lines.begin(), lines.end());
  }
  CHECK(read.summary.at("itemCount") == items);
  CHECK(description.at("ItemCount") == items);
  return read;
}

std::map<std::string, Json> items_of(const ReadExport& read) {
  std::map<std::string, Json> items;
  for (const std::string& line : read.lines) {
    const Json item = Json::parse(line).at("Item");
    CHECK(items.emplace(item.at("pk").at("S"), item).second);
  }
  return items;
}

}  // namespace test

#include "dynamodb/bulk/bulk.h"

#include <utility>

#include "dinette/base/compression.h"

namespace test {

namespace {

std::vector<Json> read_lines(std::string_view text) {
  std::vector<Json> lines;
  for (const std::string& line : lines_of(text)) lines.push_back(Json::parse(line));
  return lines;
}

}  // namespace

Bulk::Bulk(dinette::dynamodb::ServiceOptions others, const Json& table,
           std::shared_ptr<dinette::kv::Engine> engine)
    : DynamoDb(options(std::move(others)), std::move(engine)) {
  REQUIRE(store->create_bucket("source").ok());
  REQUIRE(store->create_bucket("reports").ok());
  ok("CreateTable", table);
  DynamoDb::clock().advance(std::chrono::seconds(2));
}

void Bulk::source(const std::string& key, std::string_view bytes) {
  REQUIRE(dinette::objects::put(*store, "source", key, bytes).ok());
}

Json Bulk::begin(const Json& members) {
  return ok("StartBulkPutItems", bulk_request(members)).at("BulkOperationDescription");
}

Json Bulk::description(const Json& of) {
  return ok("DescribeBulkOperation", {{"BulkOperationArn", of.at("BulkOperationArn")}})
      .at("BulkOperationDescription");
}

Json Bulk::ended(const Json& begun) {
  jobs().run_due();
  return description(begun);
}

Json Bulk::numbers() {
  Json numbers = Json::object();
  const Json answer = ok("Scan", {{"TableName", "Music"}});
  for (const Json& item : answer.at("Items"))
    numbers[item.at("pk").at("S").get<std::string>()] = std::stoi(item.at("n").at("N").get<std::string>());
  return numbers;
}

Json bulk_request(const Json& members) {
  Json request = {
      {"TableName", "Music"},
      {"InputS3Configuration", {{"S3Bucket", "source"}, {"InputFormat", "DYNAMODB_JSON"}}},
      {"OutputS3Configuration",
       {{"S3Bucket", "reports"}, {"OutputType", Json::array({"ERROR", "CONDITION_CHECK_FAILURE"})}}}};
  request.merge_patch(members);
  return request;
}

std::string bulk_line(std::string_view pk, int n, const Json& more) {
  Json line = {{"Item", {{"pk", {{"S", pk}}}, {"n", {{"N", std::to_string(n)}}}}}};
  line.update(more);
  return line.dump() + "\n";
}

std::string bulk_lines(int first, int last) {
  std::string text;
  for (int i = first; i < last; ++i) text += bulk_line("k" + std::to_string(i), i);
  return text;
}

Json if_new() {
  return {{"ConditionExpression", "attribute_not_exists(pk)"}};
}

BulkReports read_reports(const Buckets& buckets, const Json& description, const std::string& prefix) {
  const std::string arn = description.at("BulkOperationArn");
  const std::string folder = prefix + "AWSDynamoDB/" + arn.substr(arn.rfind('/') + 1) + "/";
  BulkReports reports;
  CHECK(buckets.read(folder + "_started", "reports").empty());
  const std::string summary = buckets.read(folder + "manifest-summary.json", "reports");
  CHECK(buckets.read(folder + "manifest-summary.md5", "reports") == md5_of(summary));
  reports.summary = Json::parse(summary);
  CHECK(reports.summary.at("bulkOperationArn") == arn);
  CHECK(reports.summary.at("bulkOperationStatus") == description.at("BulkOperationStatus"));
  CHECK(reports.summary.at("processedItemCount") == description.at("ProcessedItemCount"));
  CHECK(reports.summary.at("failedItemCount") == description.at("FailedItemCount"));
  CHECK(reports.summary.at("manifestFilesS3Key") == folder + "manifest-files.json");
  const std::string files = buckets.read(folder + "manifest-files.json", "reports");
  CHECK(buckets.read(folder + "manifest-files.md5", "reports") == md5_of(files));
  std::size_t data_files = 0;
  for (const Json& file : read_lines(files)) {
    ++data_files;
    const std::string key = file.at("dataFileS3Key");
    CHECK(key.starts_with(folder + "data/"));
    const std::string bytes = buckets.read(key, "reports");
    CHECK(file.at("md5Checksum") == md5_of(bytes));
    const auto text = dinette::base::decompress(dinette::base::Compression::gzip, bytes, 64 << 20);
    REQUIRE(text.ok());
    const std::vector<Json> lines = read_lines(text->view());
    CHECK(file.at("itemCount") == lines.size());
    for (const Json& line : lines) {
      CHECK(line.at("outputType") == file.at("outputType"));
      (line.at("outputType") == "ERROR" ? reports.errors : reports.conditions).push_back(line);
    }
  }
  std::size_t written = 0;
  for (const std::string& key : buckets.keys("reports")) written += key.starts_with(folder + "data/") ? 1 : 0;
  CHECK(written == data_files);
  return reports;
}

void check_counts(const Json& operation, int processed, int failed) {
  CHECK(operation.at("ProcessedItemCount") == processed);
  CHECK(operation.at("FailedItemCount") == failed);
}

}  // namespace test

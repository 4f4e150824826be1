#include "dynamodb/imports/imports.h"

#include <utility>

#include <catch2/catch.hpp>

namespace test {

namespace {

dinette::dynamodb::ServiceOptions with_objects(dinette::dynamodb::ServiceOptions options,
                                               dinette::objects::ObjectStore* objects) {
  options.objects = objects;
  return options;
}

}  // namespace

Importer::Importer(dinette::dynamodb::ServiceOptions options, std::shared_ptr<dinette::kv::Engine> engine)
    : db(with_objects(std::move(options), objects.get()), std::move(engine)) {
  REQUIRE(objects->create_bucket("source").ok());
}

void Importer::put(const std::string& key, std::string_view bytes) {
  REQUIRE(dinette::objects::put(*objects, "source", key, bytes).ok());
}

Json Importer::begin(const Json& members) {
  Json request = import_request();
  request.merge_patch(members);
  return db.ok("ImportTable", request).at("ImportTableDescription");
}

Json Importer::described(const Json& begun) {
  db.jobs().run_due();
  return db.ok("DescribeImport", {{"ImportArn", begun.at("ImportArn")}}).at("ImportTableDescription");
}

Json Importer::items(std::string_view table) {
  Json numbers = Json::object();
  const Json answer = db.ok("Scan", {{"TableName", table}});
  for (const Json& item : answer.at("Items"))
    numbers[item.at("pk").at("S").get<std::string>()] = std::stoi(item.at("n").at("N").get<std::string>());
  return numbers;
}

Json import_request() {
  Json table = on_demand();
  table["TableName"] = "New";
  return {{"ClientToken", "token"},
          {"S3BucketSource", {{"S3Bucket", "source"}}},
          {"InputFormat", "DYNAMODB_JSON"},
          {"TableCreationParameters", table}};
}

std::string line(std::string_view pk, int n) {
  return Json{{"Item", {{"pk", {{"S", pk}}}, {"n", {{"N", std::to_string(n)}}}}}}.dump() + "\n";
}

}  // namespace test

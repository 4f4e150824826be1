#include <memory>
#include <string>

#include <catch2/catch.hpp>

#include "support/tables.h"

// docs/service/insights-policies-account.md section 3 and throttling.md section 1.
namespace test::account_quotas_test {
namespace {

dinette::dynamodb::ServiceOptions with_quotas() {
  dinette::dynamodb::ServiceOptions options;
  options.quotas = true;
  return options;
}

Json of_units(std::string_view name, int read, int write) {
  return with(provisioned(name), {{"ProvisionedThroughput", units(read, write)}});
}

}  // namespace

TEST_CASE("DescribeLimits returns what a new account has") {
  DynamoDb db;
  CHECK(db.ok("DescribeLimits", Json::object()) == Json{{"AccountMaxReadCapacityUnits", 80000},
                                                        {"AccountMaxWriteCapacityUnits", 80000},
                                                        {"TableMaxReadCapacityUnits", 40000},
                                                        {"TableMaxWriteCapacityUnits", 40000}});
}

TEST_CASE("with quotas, provisioned tables share the units of their account") {
  DynamoDb db(with_quotas());
  db.ok("CreateTable", of_units("TableA", 40000, 1));
  db.ok("CreateTable", of_units("TableB", 39000, 1));
  CHECK(db.call("CreateTable", of_units("TableC", 1001, 1)).error() == "LimitExceededException");
  db.ok("CreateTable", of_units("TableC", 1000, 1));
  db.ok("CreateTable", on_demand("TableD"));
  const auto update = [&](int read, int write) {
    return db.call("UpdateTable",
                   Json{{"TableName", "TableC"}, {"ProvisionedThroughput", units(read, write)}});
  };
  CHECK(update(1001, 1).error() == "LimitExceededException");
  CHECK(update(1000, 2).status == 200);
  db.ok("DeleteTable", {{"TableName", "TableA"}});
  CHECK(update(1001, 2).status == 200);
}

TEST_CASE("the units of indexes count, those of on-demand tables do not") {
  DynamoDb db(with_quotas());
  Json by_a = index_on("byA", Json::array({key("a", "HASH")}));
  by_a["ProvisionedThroughput"] = units(40000, 1);
  Json table = of_units("TableA", 40000, 1);
  table["AttributeDefinitions"].push_back(attribute("a", "S"));
  table["GlobalSecondaryIndexes"] = Json::array({by_a});
  db.ok("CreateTable", table);
  CHECK(db.call("CreateTable", of_units("TableB", 1, 1)).error() == "LimitExceededException");
  CHECK(db.call("CreateTable", on_demand("TableB")).status == 200);
}

TEST_CASE("the units of an index count when it is added, changed and deleted") {
  DynamoDb db(with_quotas());
  db.ok("CreateTable", of_units("TableA", 40000, 1));
  db.ok("CreateTable", of_units("TableB", 39000, 1));
  const auto update = [&](const Json& action) {
    const Reply reply =
        db.call("UpdateTable", Json{{"TableName", "TableB"},
                                    {"AttributeDefinitions", Json::array({attribute("a", "S")})},
                                    {"GlobalSecondaryIndexUpdates", Json::array({action})}});
    db.jobs().run_due();
    return reply.error();
  };
  const auto create = [&](int read) {
    return update({{"Create", with(index_on("byA", Json::array({key("a", "HASH")})),
                                   {{"ProvisionedThroughput", units(read, 1)}})}});
  };
  const auto change = [&](int read) {
    return update({{"Update", {{"IndexName", "byA"}, {"ProvisionedThroughput", units(read, 1)}}}});
  };
  CHECK(create(1001) == "LimitExceededException");
  CHECK(create(900).empty());
  CHECK(change(1001) == "LimitExceededException");
  CHECK(change(1000).empty());
  CHECK(db.call("CreateTable", of_units("TableC", 1, 1)).error() == "LimitExceededException");
  CHECK(update({{"Delete", {{"IndexName", "byA"}}}}).empty());
  CHECK(db.call("CreateTable", of_units("TableC", 1000, 1)).status == 200);
}

TEST_CASE("an account that has more than its quotas may have less", "[same on every engine]") {
  const std::shared_ptr<dinette::kv::Engine> engine = dinette::kv::make_memory_engine();
  DynamoDb filling({}, engine);
  for (const std::string name : {"TableA", "TableB", "TableC"})
    filling.ok("CreateTable", of_units(name, 40000, 1));
  DynamoDb db(with_quotas(), engine);
  const auto update = [&](int read) {
    return db.call("UpdateTable", Json{{"TableName", "TableC"}, {"ProvisionedThroughput", units(read, 1)}});
  };
  CHECK(update(39000).status == 200);
  CHECK(update(39001).error() == "LimitExceededException");
}

TEST_CASE("each account has its quotas in each region") {
  DynamoDb db(with_quotas());
  const auto create = [&](std::string_view name, const std::string& key, const std::string& region) {
    return db.call(
        "CreateTable", of_units(name, 40000, 1),
        {{"Authorization", "AWS4-HMAC-SHA256 Credential=" + key + "/20261010/" + region +
                               "/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0"},
         {"X-Amz-Date", "20261010T120000Z"}});
  };
  CHECK(create("TableA", "111122223333", "us-east-1").status == 200);
  CHECK(create("TableB", "111122223333", "us-east-1").status == 200);
  CHECK(create("TableC", "111122223333", "us-east-1").error() == "LimitExceededException");
  CHECK(create("TableC", "111122223333", "eu-west-1").status == 200);
  CHECK(create("TableD", "111122223333", "eu-west-1").status == 200);
  CHECK(create("TableE", "444455556666", "us-east-1").status == 200);
}

TEST_CASE("without quotas there are none") {
  DynamoDb db;
  for (const std::string name : {"TableA", "TableB", "TableC"})
    db.ok("CreateTable", of_units(name, 40000, 40000));
}

TEST_CASE("with quotas, an account has 2,500 tables at most", "[same on every engine]") {
  const std::shared_ptr<dinette::kv::Engine> engine = dinette::kv::make_memory_engine();
  DynamoDb filling({}, engine);  // which looks at one table per call
  for (int i = 0; i < 2500; ++i) filling.ok("CreateTable", on_demand("table" + std::to_string(i)));
  DynamoDb db(with_quotas(), engine);
  CHECK(db.call("CreateTable", on_demand("more")).error() == "LimitExceededException");
  db.ok("DeleteTable", {{"TableName", "table0"}});
  CHECK(db.call("CreateTable", on_demand("more")).status == 200);
}

TEST_CASE("a table that is restored or imported counts as a new one") {
  DynamoDb db(with_quotas());
  db.ok("CreateTable", of_units("TableA", 40000, 1));
  const Json backup = db.ok("CreateBackup", {{"TableName", "TableA"}, {"BackupName", "backup"}});
  const Json arn = backup.at("BackupDetails").at("BackupArn");
  const auto restore = [&](std::string_view name) {
    return db.call("RestoreTableFromBackup", {{"TargetTableName", name}, {"BackupArn", arn}});
  };
  const auto import = [&](std::string_view name, int read) {
    return db.call("ImportTable", {{"S3BucketSource", {{"S3Bucket", "bucket"}}},
                                   {"InputFormat", "DYNAMODB_JSON"},
                                   {"ClientToken", "token of " + std::string(name)},
                                   {"TableCreationParameters", of_units(name, read, 1)}});
  };
  CHECK(restore("TableB").status == 200);
  db.jobs().run_due();
  CHECK(restore("TableC").error() == "LimitExceededException");
  CHECK(import("TableD", 1).error() == "LimitExceededException");
  db.ok("DeleteTable", {{"TableName", "TableA"}});
  CHECK(import("TableD", 40000).status == 200);
}

}  // namespace test::account_quotas_test

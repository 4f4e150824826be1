#include "app/tables/apply_tables.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "app/tables/applying_tables.h"
#include "app/tables/dry_run.h"
#include "support/temporary_folder.h"

namespace dinette::app::apply_tables_test {
namespace {

using test::ApplyingTables;
using test::definitions_of;
using test::Json;
using test::node;
using test::table;
using Outcome = AppliedResource::Outcome;
using Words = std::vector<std::string>;

constexpr const char* expiry = R"({"TimeToLiveSpecification":{"AttributeName":"until","Enabled":true}})";
constexpr const char* recovery =
    R"({"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}})";

/// Returns what is called after each call of an operation.
Words calls_after(const Words& called, std::string_view operation) {
  Words next;
  for (std::size_t i = 0; i + 1 < called.size(); ++i) {
    if (called[i] == operation) next.push_back(called[i + 1]);
  }
  return next;
}

// Everything that a table can have.
constexpr const char* rich = R"({
  "KeySchema": [{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
  "AttributeDefinitions": [
    {"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"pk","AttributeType":"S"},
    {"AttributeName":"kind","AttributeType":"S"},{"AttributeName":"size","AttributeType":"N"}],
  "BillingMode": "PROVISIONED",
  "ProvisionedThroughput": {"ReadCapacityUnits":5,"WriteCapacityUnits":3},
  "GlobalSecondaryIndexes": [
    {"IndexName":"by-size","KeySchema":[{"AttributeName":"size","KeyType":"HASH"}],
     "Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["z","a"]},
     "ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":2}},
    {"IndexName":"by-kind","KeySchema":[{"AttributeName":"kind","KeyType":"HASH"}],
     "Projection":{"ProjectionType":"KEYS_ONLY"},
     "ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":1}}],
  "LocalSecondaryIndexes": [
    {"IndexName":"local","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"size","KeyType":"RANGE"}],
     "Projection":{"ProjectionType":"ALL"}}],
  "StreamSpecification": {"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},
  "SSESpecification": {"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"1234abcd-12ab-34cd-56ef-1234567890ab"},
  "TableClass": "STANDARD_INFREQUENT_ACCESS",
  "DeletionProtectionEnabled": true,
  "Tags": [{"Key":"team","Value":"garden"},{"Key":"empty","Value":""}]})";

TEST_CASE("a table is created, gets its items, then what CreateTable has no member for") {
  ApplyingTables to;
  auto plants = table("plants", "{}", {{"UpdateTimeToLive", expiry}, {"UpdateContinuousBackups", recovery}});
  plants.items = {node(R"({"id":{"S":"a"}})"), node(R"({"id":{"S":"b"},"n":{"N":"1.50"}})")};

  const auto made = to.applied(plants);

  CHECK(made.outcome == Outcome::created);
  CHECK(made.parts == Words{"TTL", "point-in-time recovery", "2 items"});
  CHECK(to.operations.called == Words{"DescribeTable", "CreateTable", "DescribeTable", "BatchWriteItem",
                                      "UpdateTimeToLive", "UpdateContinuousBackups"});
  CHECK(to.db.ok("Scan", {{"TableName", "plants"}})["Count"] == 2);
}

TEST_CASE("a table that is created gets the items of the files that are its seeds") {
  ApplyingTables to;
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "plants.json") << R"([{"id": "a"}, {"id": "b", "n": 1.50}])";
  std::ofstream(folder.path() / "beds.json") << R"([{"id": {"S": "x"}}])";
  auto wanted = definitions_of({table("beds"), table("plants")});
  wanted.seeds = {{"plants", folder.path() / "plants.json", false},
                  {"beds", folder.path() / "beds.json", true}};

  const auto made = to.applied(wanted);

  CHECK(made[0].parts == Words{"1 item of other files"});
  CHECK(made[1].parts == Words{"2 items of other files"});
  CHECK(to.db.ok("Scan", {{"TableName", "plants"}})["Count"] == 2);
  to.db.ok("DeleteItem", {{"TableName", "plants"}, {"Key", {{"id", {{"S", "a"}}}}}});
  to.applied(wanted);
  CHECK(to.db.ok("Scan", {{"TableName", "plants"}})["Count"] == 1);
}

TEST_CASE("a table whose seeds cannot be read has failed, and is there") {
  ApplyingTables to;
  auto wanted = definitions_of({table("plants")});
  wanted.seeds = {{"plants", "/nowhere/plants.json", false}};
  const auto made = to.applied(wanted);
  CHECK(made[0].outcome == Outcome::failed);
  REQUIRE(made[0].errors.size() == 1);
  CHECK(made[0].errors[0].find("/nowhere/plants.json") != std::string::npos);
  CHECK(to.names() == Json::array({"plants"}));
}

TEST_CASE("a table that is applied again is unchanged, whatever it has") {
  ApplyingTables to;
  const auto plants =
      table("plants", rich, {{"UpdateTimeToLive", expiry}, {"UpdateContinuousBackups", recovery}});
  const auto made = to.applied(plants);
  CHECK(made.errors == Words{});
  REQUIRE(made.outcome == Outcome::created);
  CHECK(made.parts == Words{"3 indexes", "stream", "TTL", "point-in-time recovery", "2 tags"});

  const auto again = to.applied(plants);
  CHECK(again.outcome == Outcome::unchanged);
  CHECK(again.differences.empty());
  CHECK(is_as_defined(again));
}

TEST_CASE("what a new table has anyway is not asked for: the service refuses to turn off what is off") {
  ApplyingTables to;
  const auto made = to.applied(
      table("plants", R"({"StreamSpecification":{"StreamEnabled":false}})",
            {{"UpdateTimeToLive", R"({"TimeToLiveSpecification":{"AttributeName":"until","Enabled":false}})"},
             {"UpdateContinuousBackups",
              R"({"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":false}})"}}));
  CHECK(made.outcome == Outcome::created);
  CHECK(made.parts.empty());
  CHECK(to.operations.called == Words{"DescribeTable", "CreateTable", "DescribeTable"});
}

TEST_CASE("a table that differs is left alone, and its differences are reported") {
  ApplyingTables to;
  to.applied(table("plants"));
  const auto seen = to.applied(table("plants", R"({"Tags":[{"Key":"team","Value":"garden"}]})"));
  CHECK(seen.outcome == Outcome::differs);
  CHECK(!is_as_defined(seen));
  REQUIRE(seen.differences.size() == 1);
  CHECK(text_of(seen.differences[0], "the table", "the file") ==
        "Tags.team: none in the table, garden in the file");
  CHECK(to.applied(table("plants")).outcome == Outcome::unchanged);
}

TEST_CASE("an update makes a table what its definition says, in both directions") {
  constexpr const char* plain = R"({
    "KeySchema": [{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
    "AttributeDefinitions": [
      {"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"pk","AttributeType":"S"},
      {"AttributeName":"size","AttributeType":"N"},{"AttributeName":"kind","AttributeType":"N"}],
    "BillingMode": "PAY_PER_REQUEST",
    "OnDemandThroughput": {"MaxReadRequestUnits":10},
    "GlobalSecondaryIndexes": [
      {"IndexName":"by-size","KeySchema":[{"AttributeName":"size","KeyType":"HASH"}],
       "Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["a","z"]},
       "OnDemandThroughput":{"MaxWriteRequestUnits":7}},
      {"IndexName":"by-kind","KeySchema":[{"AttributeName":"kind","KeyType":"HASH"}],
       "Projection":{"ProjectionType":"KEYS_ONLY"}},
      {"IndexName":"other","KeySchema":[{"AttributeName":"size","KeyType":"HASH"}],
       "Projection":{"ProjectionType":"ALL"}}],
    "LocalSecondaryIndexes": [
      {"IndexName":"local","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"size","KeyType":"RANGE"}],
       "Projection":{"ProjectionType":"ALL"}}],
    "StreamSpecification": {"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"},
    "Tags": [{"Key":"team","Value":"house"},{"Key":"new","Value":"1"}]})";
  const auto one = table("plants", rich, {{"UpdateTimeToLive", expiry}});
  const auto other = table(
      "plants", plain,
      {{"UpdateTimeToLive", R"({"TimeToLiveSpecification":{"AttributeName":"gone","Enabled":true}})"},
       {"UpdateContinuousBackups",
        R"({"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":7}})"}});
  const bool forward = GENERATE(true, false);
  ApplyingTables to;
  const auto created = to.applied(forward ? one : other);
  CHECK(created.errors == Words{});
  REQUIRE(created.outcome == Outcome::created);

  const auto updated = to.applied(forward ? other : one, {.existing = OnDifference::update});
  CHECK(updated.errors == Words{});
  CHECK(updated.outcome == Outcome::updated);
  CHECK(is_as_defined(updated));

  const auto again = to.applied(forward ? other : one);
  for (const Difference& difference : again.differences) UNSCOPED_INFO(text_of(difference, "table", "file"));
  CHECK(again.outcome == Outcome::unchanged);
}

TEST_CASE("an index with another projection is made again") {
  const auto with = [](const std::string& projection) {
    return table("plants", R"({
      "AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},{"AttributeName":"n","AttributeType":"N"}],
      "GlobalSecondaryIndexes":[{"IndexName":"by-n","KeySchema":[{"AttributeName":"n","KeyType":"HASH"}],
        "Projection":{"ProjectionType":")" +
                               projection + R"("}}]})");
  };
  ApplyingTables to;
  to.applied(with("KEYS_ONLY"));
  CHECK(to.applied(with("ALL"), {.existing = OnDifference::update}).outcome == Outcome::updated);
  CHECK(to.described("plants")["GlobalSecondaryIndexes"][0]["Projection"]["ProjectionType"] == "ALL");
}

TEST_CASE("a period of recovery that the file does not say becomes the service's own") {
  const auto with = [](const std::string& period) {
    return table(
        "plants", "{}",
        {{"UpdateContinuousBackups",
          R"({"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true)" + period + "}}"}});
  };
  ApplyingTables to;
  to.applied(with(R"(,"RecoveryPeriodInDays":10)"));
  CHECK(to.applied(with(""), {.existing = OnDifference::update}).outcome == Outcome::updated);
  CHECK(to.db.ok("DescribeContinuousBackups",
                 {{"TableName", "plants"}})["ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]
                                           ["RecoveryPeriodInDays"] == 35);
}

TEST_CASE("a table is active again before the next change, and gone before it is replaced") {
  ApplyingTables to;
  to.applied(table("plants"));
  to.operations.called.clear();
  to.applied(table("plants", R"({"TableClass":"STANDARD_INFREQUENT_ACCESS","Tags":[{"Key":"a","Value":"b"}],
                                 "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}})"),
             {.existing = OnDifference::update});
  CHECK(calls_after(to.operations.called, "UpdateTable") == Words{"DescribeTable", "DescribeTable"});
  to.operations.called.clear();
  to.applied(table("plants", R"({"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"N"}]})"),
             {.existing = OnDifference::replace});
  CHECK(calls_after(to.operations.called, "DeleteTable") == Words{"DescribeTable"});
}

TEST_CASE("an update refuses what needs a new table, and then changes nothing") {
  ApplyingTables to;
  to.applied(table("plants"));
  to.operations.called.clear();
  const auto refused =
      to.applied(table("plants", R"({"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"N"}],
                          "Tags":[{"Key":"a","Value":"b"}]})"),
                 {.existing = OnDifference::update});
  CHECK(refused.outcome == Outcome::failed);
  CHECK(refused.errors ==
        Words{"AttributeDefinitions.id of a table that exists cannot be changed: that needs a new "
              "table, which dinette tables apply --replace creates, without the items of this one"});
  CHECK(refused.differences.size() == 2);
  CHECK(std::ranges::none_of(to.operations.called, [](const std::string& operation) {
    return operation == "UpdateTable" || operation == "TagResource";
  }));
}

TEST_CASE("a replacement is the new table with the items of the file") {
  ApplyingTables to;
  auto plants = table("plants");
  to.applied(plants);
  to.db.ok("PutItem", {{"TableName", "plants"}, {"Item", {{"id", {{"S", "old"}}}}}});
  plants = table("plants", R"({"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"N"}]})");
  plants.items = {node(R"({"id":{"N":"1"}})")};
  const auto replaced = to.applied(plants, {.existing = OnDifference::replace});
  CHECK(replaced.errors == Words{});
  CHECK(replaced.outcome == Outcome::replaced);
  CHECK(to.db.ok("Scan", {{"TableName", "plants"}})["Items"] == Json::array({{{"id", {{"N", "1"}}}}}));
  CHECK(to.applied(plants, {.existing = OnDifference::replace}).outcome == Outcome::unchanged);
}

TEST_CASE("a table with deletion protection is not replaced") {
  ApplyingTables to;
  to.applied(table("plants", R"({"DeletionProtectionEnabled":true})"));
  const auto refused = to.applied(table("plants"), {.existing = OnDifference::replace});
  CHECK(refused.outcome == Outcome::failed);
  CHECK(refused.errors.size() == 1);
  CHECK(to.names() == Json::array({"plants"}));
}

TEST_CASE("a table that fails does not hinder the others, and the service's reason is passed on") {
  ApplyingTables to;
  const auto made = to.applied(
      definitions_of({table("spare", R"({"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},
                                                  {"AttributeName":"unused","AttributeType":"S"}]})"),
                      table("plants")}));
  REQUIRE(made.size() == 2);
  CHECK(made[0].outcome == Outcome::failed);
  REQUIRE(made[0].errors.size() == 1);
  CHECK_THAT(made[0].errors[0], Catch::StartsWith("CreateTable failed: ValidationException: "));
  CHECK(made[1].outcome == Outcome::created);
}

TEST_CASE("an item that the table refuses is reported, and what follows is done all the same") {
  ApplyingTables to;
  auto plants = table("plants", "{}", {{"UpdateTimeToLive", expiry}});
  plants.items = {node(R"({"other":{"S":"a"}})")};
  const auto made = to.applied(plants);
  CHECK(made.outcome == Outcome::failed);
  REQUIRE(made.errors.size() == 1);
  CHECK(made.errors[0].find("ValidationException") != std::string::npos);
  CHECK(to.db.ok("DescribeTimeToLive",
                 {{"TableName", "plants"}})["TimeToLiveDescription"]["TimeToLiveStatus"] == "ENABLED");
}

TEST_CASE("indexes of vectors are made, left alone, made again and dropped") {
  ApplyingTables to;
  const auto with = [](const std::string& dimensions) {
    return table("plants", R"({"VectorIndexes":[{"IndexName":"near","VectorAttribute":{"AttributeName":"v"},)"
                           R"("Dimensions":)" +
                               dimensions +
                               R"(,"DistanceFunction":"COSINE","Projection":{"ProjectionType":"ALL"}}]})");
  };
  const auto made = to.applied(with("3"));
  CHECK(made.errors == Words{});
  CHECK(made.parts == Words{"1 index"});
  CHECK(to.applied(with("3")).outcome == Outcome::unchanged);
  CHECK(to.applied(with("4")).outcome == Outcome::differs);
  CHECK(to.applied(with("4"), {.existing = OnDifference::update}).outcome == Outcome::updated);
  CHECK(to.described("plants")["VectorIndexes"][0]["Dimensions"] == 4);
  CHECK(to.applied(table("plants"), {.existing = OnDifference::update}).outcome == Outcome::updated);
  CHECK(!to.described("plants").contains("VectorIndexes"));
}

TEST_CASE("what the server does not serve is left out, and named") {
  ApplyingTables to;
  const auto made = to.applied(
      table("plants", "{}", {{"UpdateTableColour", R"({"Colour":"green"})"}, {"UpdateTimeToLive", expiry}}));
  CHECK(made.outcome == Outcome::created);
  CHECK(made.remarks == Words{"UpdateTableColour was left out: the server does not serve it"});
  CHECK(made.parts == Words{"TTL"});
}

TEST_CASE("skipping does not even look at tables that exist") {
  ApplyingTables to;
  to.applied(table("plants"));
  to.operations.called.clear();
  const auto seen = to.applied(table("plants", R"({"TableClass":"STANDARD_INFREQUENT_ACCESS"})"),
                               {.existing = OnDifference::skip});
  CHECK(seen.outcome == Outcome::skipped);
  CHECK(is_as_defined(seen));
  CHECK(to.operations.called == Words{"DescribeTable"});
}

TEST_CASE("pruning deletes the tables that nothing defines, but none if a file has errors") {
  ApplyingTables to;
  to.applied(definitions_of({table("beds"), table("plants"), table("zones")}));
  auto less = definitions_of({table("plants")});
  less.errors.push_back({{}, "table zones is wrong"});
  to.applied(less, {.prune = true});
  CHECK(to.names() == Json::array({"beds", "plants", "zones"}));
  less.errors.clear();
  const auto made = to.applied(less, {.prune = true});
  REQUIRE(made.size() == 3);
  CHECK(made[1].name == "beds");
  CHECK(made[1].outcome == Outcome::deleted);
  CHECK(to.names() == Json::array({"plants"}));
}

TEST_CASE("a dry run makes the calls of a real one, and changes nothing") {
  const OnDifference existing = GENERATE(OnDifference::update, OnDifference::replace);
  ApplyingTables to;
  to.applied(definitions_of({table("beds", R"({"Tags":[{"Key":"a","Value":"b"}]})"), table("zones")}));
  auto wanted = definitions_of({table("beds"), table("plants", "{}", {{"UpdateTimeToLive", expiry}})});
  wanted.tables[1].items = {node(R"({"id":{"S":"a"}})")};
  const ApplySettings settings{.existing = existing, .prune = true};

  Words tried;
  DryRun dry(&to.operations, [&](const TriedCall& call) {
    CHECK(call.service.empty());
    tried.push_back(std::string(call.operation) + " " + std::string(call.input));
  });
  const auto outcomes = to.applied_by(dry, wanted, settings);
  CHECK(to.names() == Json::array({"beds", "zones"}));
  CHECK(to.described("beds")["TableStatus"] == "ACTIVE");

  Words real;
  to.operations.instead = [&](std::string_view operation,
                              std::string_view request) -> std::optional<test::TestOperations::Reply> {
    if (!operation.starts_with("Describe") && !operation.starts_with("List"))
      real.push_back(std::string(operation) + " " + std::string(request));
    return std::nullopt;
  };
  const auto done = to.applied(wanted, settings);
  CHECK(tried == real);
  CHECK(!tried.empty());
  REQUIRE(outcomes.size() == done.size());
  for (std::size_t i = 0; i < done.size(); ++i) CHECK(outcomes[i].outcome == done[i].outcome);
}

TEST_CASE("a dry run without a server creates everything") {
  ApplyingTables to;
  Words tried;
  DryRun dry(nullptr, [&](const TriedCall& call) { tried.emplace_back(call.operation); });
  const auto outcomes = to.applied_by(dry, definitions_of({table("beds")}));
  CHECK(tried == Words{"CreateTable"});
  CHECK(outcomes.front().outcome == Outcome::created);
}

}  // namespace
}  // namespace dinette::app::apply_tables_test

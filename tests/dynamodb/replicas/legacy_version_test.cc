#include <string>

#include <catch2/catch.hpp>

#include "support/tables.h"

// docs/service/global-tables.md section 2.
namespace test::legacy_version_test {
namespace {

const std::string refused = invalid(
    "DynamoDB global tables version 2017.11.29 is not supported. We recommend using DynamoDB global "
    "tables version 2019.11.21, instead of version 2017.11.29 (Legacy).");
const std::string not_found = "Global table not found: Global table with name: 'Music' does not exist.";

Json group(const Json& regions) {
  Json replicas = Json::array();
  for (const Json& region : regions) replicas.push_back({{"RegionName", region}});
  return {{"GlobalTableName", "Music"}, {"ReplicationGroup", replicas}};
}

Json updates(const Json& list) {
  return {{"GlobalTableName", "Music"}, {"ReplicaUpdates", list}};
}

const Json music = {{"GlobalTableName", "Music"}};

}  // namespace

TEST_CASE("the service makes no more global tables of the version 2017.11.29") {
  DynamoDb db;
  check_refused(db, "CreateGlobalTable", group({"us-east-1", "us-west-2"}), refused);
  check_refused(db, "CreateGlobalTable", group(Json::array()),
                invalid("Global table must have atleast one replica"));
  const Reply unknown = db.call("CreateGlobalTable", group({"bad-region"}));
  CHECK(unknown.message().starts_with(
      invalid("1 validation error detected: Value 'bad-region' at 'replicasToAdd.1.member.regionName' "
              "failed to satisfy constraint: Member must satisfy enum value set: [")));
  const Reply newer = db.call("CreateGlobalTable", group({"eu-north-1"}));
  CHECK(newer.message().starts_with(
      invalid("DynamoDB global tables version 2017.11.29 is not supported in this region 'eu-north-1', "
              "supported regions are : [eu-west-2, ")));
}

TEST_CASE("shape errors of the operations of the version 2017.11.29 come first") {
  DynamoDb db;
  CHECK(db.call("CreateGlobalTable",
                group({"us-east-1"})
                    .patch(Json::array({{{"op", "replace"}, {"path", "/GlobalTableName"}, {"value", "x!"}}})))
            .message()
            .starts_with("2 validation errors detected"));
}

TEST_CASE("no table is a global table of the version 2017.11.29") {
  DynamoDb db;
  db.create_table("Music");
  const std::string error = "GlobalTableNotFoundException";
  for (const char* const operation :
       {"DescribeGlobalTable", "DescribeGlobalTableSettings", "UpdateGlobalTableSettings"})
    check_refused(db, operation, music, not_found, error);
  const Json create = {{"Create", {{"RegionName", "us-west-2"}}}};
  const Json remove = {{"Delete", {{"RegionName", "us-west-2"}}}};
  check_refused(db, "UpdateGlobalTable", updates(Json::array({remove})), not_found, error);
  check_refused(db, "UpdateGlobalTable", updates(Json::array({create})), refused);
  CHECK(db.call("UpdateGlobalTable", updates(Json::array({{{"Create", {{"RegionName", "bad-region"}}}}})))
            .message()
            .starts_with(invalid(
                "1 validation error detected: Value 'bad-region' at 'replicasToAdd.1.member.regionName' "
                "failed to satisfy constraint: Member must satisfy enum value set: [")));
  CHECK(db.call("UpdateGlobalTable", updates(Json::array({{{"Delete", {{"RegionName", "eu-north-1"}}}}})))
            .message()
            .starts_with(invalid("DynamoDB global tables version 2017.11.29 is not supported in this region "
                                 "'eu-north-1', supported regions are : [eu-west-2, ")));
  Json both = create;
  both.update(remove);
  check_refused(db, "UpdateGlobalTable", updates(Json::array({both})),
                invalid("A ReplicaUpdate structure cannot contain both a create replica action and a delete "
                        "replica action"));
}

TEST_CASE("ListGlobalTables lists none") {
  DynamoDb db;
  CHECK(db.ok("ListGlobalTables", Json::object()) == Json{{"GlobalTables", Json::array()}});
  CHECK(db.ok("ListGlobalTables", {{"Limit", 1000}, {"RegionName", "us-west-2"}}).at("GlobalTables").empty());
  for (const char* const region : {"", "bad-region"}) {
    const Reply reply = db.call("ListGlobalTables", Json{{"RegionName", region}});
    CHECK(reply.status == 500);
    CHECK(reply.error() == "InternalServerError");
  }
}

}  // namespace test::legacy_version_test

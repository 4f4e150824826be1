#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "dynamodb/replicas/region_clients.h"

// docs/service/global-tables.md section 1, the table of problems.
namespace test::replica_requests_test {
namespace {

Json action(std::string_view kind, std::string_view region, const Json& settings = Json::object()) {
  return {{kind, with({{"RegionName", region}}, settings)}};
}

const std::string existed =
    "Failed to create a the new replica of table with name: ‘Music’ because one or more replicas already "
    "existed as tables.";
const std::string own_region =
    "Cannot add or delete the local region through ReplicaUpdates. Use CreateTable, DeleteTable, or "
    "UpdateTable as required.";

std::string not_part(std::string_view region) {
  return "Update global table operation failed because one or more replicas were not part of the global "
         "table. Please retry the request without these replicas: [" +
         std::string(region) + "].";
}

}  // namespace

TEST_CASE("what a request asks of replicas is checked before the table is looked up") {
  Regions regions;
  const std::vector<std::pair<Json, std::string>> cases = {
      {Json::array({action("Create", east)}), own_region},
      {Json::array({action("Delete", east)}), own_region},
      {Json::array({Json::object()}),
       "There are no actions specified in the Replica Update Action of the request."},
      {Json::array({action("Create", west), action("Create", west)}),
       "Cannot target multiple regions with the same action"},
      {Json::array({action("Create", west), action("Create", ireland)}),
       "Update table operation with more than one create or delete replica actions not allowed"},
      {Json::array({action("Create", west), action("Delete", ireland)}),
       "Update table operation with more than one type of replica actions not allowed."},
  };
  for (const auto& [actions, message] : cases)
    regions.check_refused(east, "UpdateTable", replica_updates(actions), message);
  const Reply unknown = regions.call(east, "UpdateTable", replica_update("Create", "mars-1"));
  CHECK(unknown.message().starts_with(
      "Region mars-1 is not supported. The latest version of global tables are only supported in the "
      "following regions: ["));
  CHECK(regions.call(east, "UpdateTable", replica_update("Create", "")).error() == "AccessDeniedException");
  CHECK(regions.call(east, "UpdateTable", replica_update("Create", west)).error() ==
        "ResourceNotFoundException");
}

TEST_CASE("replicas are changed alone in a request, but for attribute definitions") {
  Regions regions;
  const std::string alone = invalid("Replica modification must be the only operation in the request");
  const Json create = replica_update("Create", west);
  for (const Json& other :
       {Json{{"BillingMode", "PAY_PER_REQUEST"}},
        Json{{"StreamSpecification", {{"StreamEnabled", true}, {"StreamViewType", "KEYS_ONLY"}}}}})
    regions.check_refused(east, "UpdateTable", with(create, other), alone);
  regions.ok(east, "CreateTable", on_demand());
  regions.ok(east, "UpdateTable",
             with(create, {{"AttributeDefinitions", Json::array({attribute("pk", "S")})}}));
}

TEST_CASE("consistency and witnesses alone request nothing") {
  Regions regions;
  const Json table = {{"TableName", "Music"}};
  CHECK(regions.call(east, "UpdateTable", with(table, {{"MultiRegionConsistency", "STRONG"}}))
            .message()
            .starts_with("At least one of ProvisionedThroughput, "));
  CHECK(regions
            .call(east, "UpdateTable",
                  with(table,
                       {{"GlobalTableWitnessUpdates", Json::array({{{"Create", {{"RegionName", ohio}}}}})}}))
            .message()
            .starts_with("At least one of ProvisionedThroughput, "));
}

TEST_CASE("a region has one table of a name") {
  Regions regions;
  regions.create(east, {west});
  regions.check_refused(east, "UpdateTable", replica_update("Create", west), existed);
  regions.create(ireland);
  regions.check_refused(east, "UpdateTable", replica_update("Create", ireland), existed);
}

TEST_CASE("only members are changed and removed") {
  Regions regions;
  regions.create(east, {west});
  for (const char* const kind : {"Update", "Delete"})
    regions.check_refused(east, "UpdateTable", replica_update(kind, ireland), not_part(ireland));
}

TEST_CASE("a provisioned table without auto scaling has no replicas") {
  Regions regions;
  regions.ok(east, "CreateTable", provisioned());
  regions.check_refused(east, "UpdateTable", replica_update("Create", west),
                        "Table write capacity should either be Pay-Per-Request or AutoScaled.");
}

TEST_CASE("a protected replica is not removed") {
  Regions regions;
  regions.create(east, {west});
  regions.ok(west, "UpdateTable", {{"TableName", "Music"}, {"DeletionProtectionEnabled", true}});
  const std::string message =
      "Cannot delete table Music in region us-west-2 because it has deletion protection enabled. Disable "
      "deletion protection first.";
  regions.check_refused(east, "UpdateTable", replica_update("Delete", west), message);
  regions.check_refused(west, "DeleteTable", {{"TableName", "Music"}}, message);
}

TEST_CASE("the region that a replica was made from is not removed within a day") {
  Regions regions;
  regions.create(east, {west});
  const std::string was_source =
      "Replica cannot be deleted because it has acted as a source region for new replica(s) being added to "
      "the table in the last 24 hours.";
  regions.check_refused(west, "UpdateTable", replica_update("Delete", east), was_source);
  regions.check_refused(east, "DeleteTable", {{"TableName", "Music"}}, was_source);
  regions.pass_time(std::chrono::hours(25));
  SECTION("from another region") {
    regions.ok(west, "UpdateTable", replica_update("Delete", east));
  }
  SECTION("by DeleteTable") {
    regions.ok(east, "DeleteTable", {{"TableName", "Music"}});
  }
  regions.until([&] { return regions.describe(east).is_null(); });
}

TEST_CASE("a region may go at once when the replicas that were made from it are gone") {
  Regions regions;
  regions.create(east, {west});
  regions.ok(east, "UpdateTable", replica_update("Delete", west));
  regions.until([&] { return regions.replicas(east).empty(); });
  regions.ok(east, "DeleteTable", {{"TableName", "Music"}});
  CHECK(regions.describe(east).is_null());
}

TEST_CASE("replicas of a table with a key of the customer have keys of their own") {
  Regions regions;
  const Json encrypted = {
      {"SSESpecification", {{"Enabled", true}, {"SSEType", "KMS"}, {"KMSMasterKeyId", "alias/mine"}}}};
  regions.create(east, {}, with(on_demand(), encrypted));
  CHECK(regions.call(east, "UpdateTable", replica_update("Create", west)).error() == "ValidationException");
  regions.ok(east, "UpdateTable", replica_update("Create", west, {{"KMSMasterKeyId", "alias/theirs"}}));
  regions.until([&] { return regions.replicas(east).value(std::string(west), "") == "ACTIVE"; });
  const std::string arn = "arn:aws:kms:us-west-2:000000000000:alias/theirs";
  CHECK(regions.describe(east).at("Replicas").at(0).at("KMSMasterKeyId") == arn);
  CHECK(regions.describe(west).at("SSEDescription").at("KMSMasterKeyArn") == arn);
  CHECK(regions.call(east, "UpdateTable", replica_update("Update", west, {{"KMSMasterKeyId", "alias/x"}}))
            .error() == "ValidationException");
}

TEST_CASE("a regional table takes two of the modes in which settings are replicated") {
  Regions regions;
  regions.create(east);
  const auto with_mode = [](std::string_view mode) {
    return Json{{"TableName", "Music"}, {"GlobalTableSettingsReplicationMode", mode}};
  };
  regions.ok(east, "UpdateTable", with_mode("ENABLED"));
  regions.ok(east, "UpdateTable", with_mode("DISABLED"));
  regions.check_refused(
      east, "UpdateTable", with_mode("ENABLED_WITH_OVERRIDES"),
      "Value 'ENABLED_WITH_OVERRIDES' at 'GlobalTableSettingsReplicationMode' failed to satisfy constraint: "
      "Only ENABLED and DISABLED settings replication are supported for a Regional Table.");
}

}  // namespace test::replica_requests_test

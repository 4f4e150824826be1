#include <chrono>

#include <catch2/catch.hpp>

#include "dynamodb/replicas/region_clients.h"

// docs/service/global-tables.md section 1: replicas are made, changed and removed.
namespace test::replica_states_test {

using namespace std::chrono_literals;

namespace {

constexpr auto delay = 2s;
const Json active_in_west = {{west, "ACTIVE"}};

dinette::dynamodb::ServiceOptions slow() {
  dinette::dynamodb::ServiceOptions options;
  options.state_delay = delay;
  return options;
}

const std::string in_use = "The resource which you are attempting to change is in use.";

}  // namespace

TEST_CASE("a regional table shows nothing of replicas") {
  Regions regions;
  regions.create(east);
  const Json table = regions.describe(east);
  for (const char* const member : {"Replicas", "GlobalTableVersion", "GlobalTableSettingsReplicationMode",
                                   "MultiRegionConsistency", "DisassociationProtectionEnabled"})
    CHECK_FALSE(table.contains(member));
}

TEST_CASE("a replica is a table in the other region, and each lists the other") {
  Regions regions;
  regions.ok(east, "CreateTable", on_demand());
  const Json answer = regions.ok(east, "UpdateTable", replica_update("Create", west)).at("TableDescription");
  CHECK(answer.at("TableStatus") == "UPDATING");
  CHECK(answer.at("Replicas") == Json::array());
  regions.until([&] { return regions.replicas(east) == active_in_west; });
  const Json here = regions.describe(east);
  const Json there = regions.describe(west);
  CHECK(here.at("GlobalTableVersion") == "2019.11.21");
  CHECK(here.at("GlobalTableSettingsReplicationMode") == "ENABLED_WITH_OVERRIDES");
  CHECK_FALSE(here.at("Replicas").at(0).contains("ReplicaArn"));
  CHECK(here.at("DisassociationProtectionEnabled") == true);
  CHECK(regions.replicas(west) == Json{{east, "ACTIVE"}});
  CHECK(there.at("TableArn") == "arn:aws:dynamodb:us-west-2:000000000000:table/Music");
  CHECK(there.at("TableId") != here.at("TableId"));
  CHECK(there.at("KeySchema") == here.at("KeySchema"));
  CHECK(there.at("BillingModeSummary").at("BillingMode") == "PAY_PER_REQUEST");
}

TEST_CASE("replication enables a stream with both images, and leaves another one as it is") {
  Regions regions;
  SECTION("none") {
    regions.create(east, {west});
    CHECK(regions.describe(east).at("StreamSpecification") ==
          Json{{"StreamEnabled", true}, {"StreamViewType", "NEW_AND_OLD_IMAGES"}});
  }
  SECTION("another view type") {
    const Json keys = {{"StreamEnabled", true}, {"StreamViewType", "KEYS_ONLY"}};
    regions.ok(east, "CreateTable", with(on_demand(), {{"StreamSpecification", keys}}));
    const Json before = regions.describe(east).at("LatestStreamArn");
    regions.add_replica(east, west);
    CHECK(regions.describe(east).at("LatestStreamArn") == before);
    CHECK(regions.describe(west).at("StreamSpecification") == keys);
  }
  CHECK(regions.describe(west).at("LatestStreamArn") != regions.describe(east).at("LatestStreamArn"));
  regions.check_refused(west, "UpdateTable",
                        {{"TableName", "Music"}, {"StreamSpecification", {{"StreamEnabled", false}}}},
                        invalid("Disabling Stream is not allowed for a Global Table replica."));
}

TEST_CASE("a replica is CREATING until its time is over") {
  Regions regions(slow());
  regions.ok(east, "CreateTable", on_demand());
  regions.pass_time(delay);
  regions.ok(east, "UpdateTable", replica_update("Create", west));
  regions.until([&] { return !regions.describe(west).is_null(); });
  CHECK(regions.replicas(east) == Json{{west, "CREATING"}});
  CHECK(regions.describe(east).at("TableStatus") == "UPDATING");
  CHECK(regions.describe(west).at("TableStatus") == "CREATING");
  CHECK(regions.call(west, "GetItem", {{"TableName", "Music"}, {"Key", {{"pk", {{"S", "a"}}}}}}).error() ==
        "ResourceNotFoundException");
  CHECK(regions.call(west, "DeleteTable", {{"TableName", "Music"}}).error() == "ResourceInUseException");
  regions.check_refused(east, "UpdateTable", {{"TableName", "Music"}, {"TableClass", "STANDARD"}}, in_use,
                        "ResourceInUseException");
  for (const Json& of_group : {Json{{"DisassociationProtectionEnabled", false}},
                               Json{{"GlobalTableSettingsReplicationMode", "ENABLED"}}})
    regions.check_refused(east, "UpdateTable", with({{"TableName", "Music"}}, of_group), in_use,
                          "ResourceInUseException");
  regions.check_refused(east, "DeleteTable", {{"TableName", "Music"}}, in_use, "ResourceInUseException");
  regions.check_refused(
      east, "UpdateTimeToLive",
      {{"TableName", "Music"}, {"TimeToLiveSpecification", {{"Enabled", true}, {"AttributeName", "t"}}}},
      "Create/Update/Delete of replica is not allowed while the replica is being added to table with name: "
      "‘Music’ in region: ‘us-west-2’.");
  regions.pass_time(delay);
  regions.until([&] { return regions.replicas(east) == active_in_west; });
  CHECK(regions.describe(west).at("TableStatus") == "ACTIVE");
}

TEST_CASE("a replica begins with the items that are there, and shows none of them in its stream") {
  Regions regions;
  regions.create(east);
  for (int i = 0; i < 250; ++i) regions.put(east, song("song" + std::to_string(i), "first"));
  regions.erase(east, "song7");
  regions.add_replica(east, west);
  CHECK(regions.items(west).size() == 249);
  CHECK(regions.items(west) == regions.items(east));
  CHECK(regions.records(west).empty());
}

TEST_CASE("any replica makes further ones, and a late one gets what all regions have written") {
  Regions regions;
  regions.create(east, {west});
  regions.put(east, song("a", "east"));
  regions.put(west, song("b", "west"));
  regions.add_replica(west, ireland);
  regions.put(ireland, song("c", "ireland"));
  regions.settle();
  for (const std::string_view region : {east, west, ireland}) CHECK(regions.items(region).size() == 3);
  CHECK(regions.replicas(east) == Json{{west, "ACTIVE"}, {ireland, "ACTIVE"}});
  CHECK(regions.replicas(ireland) == Json{{east, "ACTIVE"}, {west, "ACTIVE"}});
}

TEST_CASE("a removed replica is deleted with its data, and the last table is regional again") {
  Regions regions(slow());
  regions.ok(east, "CreateTable", on_demand());
  regions.pass_time(delay);
  regions.ok(east, "UpdateTable", replica_update("Create", west));
  regions.until([&] { return !regions.describe(west).is_null(); });
  regions.pass_time(delay);
  regions.until([&] { return regions.replicas(east) == active_in_west; });
  regions.put(west, song("a", "west"));
  regions.settle();
  SECTION("from another region") {
    regions.ok(east, "UpdateTable", replica_update("Delete", west));
  }
  SECTION("by DeleteTable in its own") {
    CHECK(
        regions.ok(west, "DeleteTable", {{"TableName", "Music"}}).at("TableDescription").at("TableStatus") ==
        "DELETING");
  }
  CHECK(regions.replicas(east) == Json{{west, "DELETING"}});
  regions.until([&] { return regions.describe(west).at("TableStatus") == "DELETING"; });
  regions.pass_time(delay);
  regions.until([&] { return regions.replicas(east).empty(); });
  CHECK(regions.describe(west).is_null());
  CHECK_FALSE(regions.describe(east).contains("GlobalTableVersion"));
  CHECK(regions.get(east, "a") == song("a", "west"));
  // The stream stays, and may be disabled now.
  regions.ok(east, "UpdateTable",
             {{"TableName", "Music"}, {"StreamSpecification", {{"StreamEnabled", false}}}});
}

TEST_CASE("a table can be made a replica again after it was removed") {
  Regions regions;
  regions.create(east, {west});
  regions.put(east, song("a", "1"));
  regions.ok(east, "UpdateTable", replica_update("Delete", west));
  regions.until([&] { return regions.replicas(east).empty(); });
  regions.put(east, song("a", "2"));
  regions.add_replica(east, west);
  CHECK(regions.get(west, "a") == song("a", "2"));
}

TEST_CASE("what a removed replica has written last is not lost") {
  Regions regions;
  regions.create(east, {west, ireland});
  regions.cut(west, east);
  regions.put(west, song("a", "west"));
  regions.ok(ireland, "UpdateTable", replica_update("Delete", west));
  regions.until([&] { return !regions.get(ireland, "a").is_null(); });
  CHECK(regions.get(east, "a").is_null());
  CHECK(regions.replicas(ireland).at(std::string(west)) == "DELETING");
  regions.heal();
  regions.until([&] { return !regions.replicas(ireland).contains(west); });
  CHECK(regions.get(east, "a") == song("a", "west"));
}

TEST_CASE("a disassociated replica stays as a regional table with its data") {
  Regions regions;
  regions.create(east, {west});
  regions.put(east, song("a", "east"));
  const Json disassociate =
      replica_update("Disassociate", west, {{"DisassociationMode", "WAIT_FOR_REPLICATION"}});
  CHECK(regions.call(west, "UpdateTable", disassociate).error() == "ValidationException");
  regions.ok(west, "UpdateTable", {{"TableName", "Music"}, {"DisassociationProtectionEnabled", false}});
  CHECK(regions.describe(west).at("DisassociationProtectionEnabled") == false);
  const Json before = regions.describe(west);
  regions.ok(west, "UpdateTable", disassociate);
  regions.until([&] { return regions.replicas(east).empty() && regions.replicas(west).empty(); });
  CHECK(regions.get(west, "a") == song("a", "east"));
  CHECK(regions.describe(west).at("TableArn") == before.at("TableArn"));
  CHECK(regions.describe(west).at("LatestStreamArn") == before.at("LatestStreamArn"));
  CHECK_FALSE(regions.describe(west).contains("GlobalTableVersion"));
  regions.put(east, song("a", "again"));
  CHECK(regions.get(west, "a") == song("a", "east"));
}

TEST_CASE("overrides are described, and cleared by the value of the table") {
  Regions regions;
  const Json ceiling = {{"OnDemandThroughput", {{"MaxReadRequestUnits", 100}}}};
  regions.create(east, {}, with(on_demand(), ceiling));
  regions.ok(east, "UpdateTable",
             replica_update("Create", west,
                            {{"OnDemandThroughputOverride", {{"MaxReadRequestUnits", 50}}},
                             {"TableClassOverride", "STANDARD_INFREQUENT_ACCESS"}}));
  regions.until([&] { return regions.replicas(east) == active_in_west; });
  const auto replica = [&] { return regions.describe(east).at("Replicas").at(0); };
  CHECK(replica().at("OnDemandThroughputOverride") == Json{{"MaxReadRequestUnits", 50}});
  CHECK(replica().at("ReplicaTableClassSummary").at("TableClass") == "STANDARD_INFREQUENT_ACCESS");
  CHECK(regions.describe(west).at("OnDemandThroughput").at("MaxReadRequestUnits") == 50);
  CHECK(regions.describe(west).at("TableClassSummary").at("TableClass") == "STANDARD_INFREQUENT_ACCESS");
  regions.ok(east, "UpdateTable",
             replica_update("Update", west,
                            {{"OnDemandThroughputOverride", {{"MaxReadRequestUnits", 100}}},
                             {"TableClassOverride", "STANDARD"}}));
  CHECK_FALSE(replica().contains("OnDemandThroughputOverride"));
  CHECK_FALSE(replica().contains("ReplicaTableClassSummary"));
}

TEST_CASE("what belongs to the whole group is changed in every region") {
  Regions regions;
  regions.create(east, {west});
  SECTION("global indexes") {
    regions.ok(
        west, "UpdateTable",
        {{"TableName", "Music"},
         {"AttributeDefinitions", Json::array({attribute("v", "S")})},
         {"GlobalSecondaryIndexUpdates", Json::array({{{"Create",
                                                        {{"IndexName", "ByV"},
                                                         {"KeySchema", Json::array({key("v", "HASH")})},
                                                         {"Projection", {{"ProjectionType", "ALL"}}}}}}})}});
    regions.until([&] { return regions.describe(east).contains("GlobalSecondaryIndexes"); });
    CHECK(regions.describe(east).at("GlobalSecondaryIndexes").at(0).at("IndexName") == "ByV");
    for (const std::string_view region : {east, west}) {
      regions.until([&] {
        return regions.describe(region).at("GlobalSecondaryIndexes").at(0).at("IndexStatus") == "ACTIVE";
      });
    }
    regions.put(west, song("a", "x"));
    regions.settle();
    const Json query = {{"TableName", "Music"},
                        {"IndexName", "ByV"},
                        {"KeyConditionExpression", "v = :v"},
                        {"ExpressionAttributeValues", {{":v", {{"S", "x"}}}}}};
    CHECK(regions.ok(east, "Query", query).at("Count") == 1);
  }
  SECTION("time to live") {
    regions.ok(
        east, "UpdateTimeToLive",
        {{"TableName", "Music"}, {"TimeToLiveSpecification", {{"Enabled", true}, {"AttributeName", "t"}}}});
    CHECK(regions.ok(west, "DescribeTimeToLive", {{"TableName", "Music"}})
              .at("TimeToLiveDescription")
              .at("AttributeName") == "t");
  }
  SECTION("the table class") {
    regions.ok(east, "UpdateTable", {{"TableName", "Music"}, {"TableClass", "STANDARD_INFREQUENT_ACCESS"}});
    CHECK(regions.describe(west).at("TableClassSummary").at("TableClass") == "STANDARD_INFREQUENT_ACCESS");
  }
  SECTION("the kind of encryption, with a key for each region") {
    regions.ok(east, "UpdateTable",
               {{"TableName", "Music"}, {"SSESpecification", {{"Enabled", true}, {"SSEType", "KMS"}}}});
    for (const std::string_view region : {east, west}) {
      const Json encryption = regions.describe(region).at("SSEDescription");
      CHECK(encryption.at("SSEType") == "KMS");
      CHECK_THAT(encryption.at("KMSMasterKeyArn").get<std::string>(),
                 Catch::StartsWith("arn:aws:kms:" + std::string(region) + ":"));
    }
  }
  SECTION("not the protection against deletion") {
    regions.ok(east, "UpdateTable", {{"TableName", "Music"}, {"DeletionProtectionEnabled", true}});
    CHECK(regions.describe(west).at("DeletionProtectionEnabled") == false);
  }
}

TEST_CASE("a table is created as a replica of one that is named by its ARN") {
  Regions regions;
  regions.create(east);
  regions.put(east, song("a", "east"));
  const Json request = {{"TableName", "Music"},
                        {"GlobalTableSourceArn", regions.describe(east).at("TableArn")},
                        {"GlobalTableSettingsReplicationMode", "ENABLED"}};
  const Json created = regions.ok(west, "CreateTable", request).at("TableDescription");
  CHECK(created.at("TableStatus") == "CREATING");
  CHECK(created.at("KeySchema") == regions.describe(east).at("KeySchema"));
  regions.until([&] { return regions.replicas(east) == active_in_west; });
  CHECK(regions.get(west, "a") == song("a", "east"));
  CHECK(regions
            .call(ireland, "CreateTable",
                  with(request,
                       {{"GlobalTableSourceArn", "arn:aws:dynamodb:sa-east-1:000000000000:table/Music"}}))
            .error() == "ValidationException");
}

TEST_CASE("where all regions see the same tables, a replica is the table itself") {
  DynamoDb db;
  db.create_table("Music");
  const Json answer = db.ok("UpdateTable", replica_update("Create", west)).at("TableDescription");
  CHECK(answer.at("TableStatus") == "UPDATING");
  CHECK(answer.at("Replicas") == Json::array());
  const Json replicas = describe(db).at("Replicas");
  REQUIRE(replicas.size() == 1);
  CHECK(replicas.at(0).at("RegionName") == west);
  CHECK(replicas.at(0).at("ReplicaStatus") == "ACTIVE");
  db.ok("UpdateTable", replica_update("Delete", west));
  CHECK_FALSE(describe(db).contains("Replicas"));
  db.ok("DeleteTable", {{"TableName", "Music"}});
}

TEST_CASE("where all regions see the same tables, a table without its last replica is regional again") {
  DynamoDb db;
  db.create_table("Music");
  db.ok("UpdateTable", replica_update("Create", west));
  db.ok("UpdateTable", replica_update("Delete", west));
  SECTION("its stream can be disabled") {
    db.ok("UpdateTable", {{"TableName", "Music"}, {"StreamSpecification", {{"StreamEnabled", false}}}});
  }
  SECTION("it takes no setting of replicas") {
    check_refused(
        db, "UpdateTable",
        {{"TableName", "Music"}, {"GlobalTableSettingsReplicationMode", "ENABLED_WITH_OVERRIDES"}},
        "Value 'ENABLED_WITH_OVERRIDES' at 'GlobalTableSettingsReplicationMode' failed to satisfy "
        "constraint: Only ENABLED and DISABLED settings replication are supported for a Regional Table.");
    check_refused(db, "UpdateTable", {{"TableName", "Music"}, {"DisassociationProtectionEnabled", false}},
                  "DisassociationProtectionEnabled is only supported for replicas of global tables with "
                  "eventual consistency.");
  }
  SECTION("its writes are not scaled when it becomes provisioned") {
    db.ok("UpdateTable",
          {{"TableName", "Music"}, {"BillingMode", "PROVISIONED"}, {"ProvisionedThroughput", units(5, 5)}});
    check_refused(db, "UpdateTable", replica_update("Create", west),
                  "Table write capacity should either be Pay-Per-Request or AutoScaled.");
  }
}

TEST_CASE("where all regions see the same tables, a dissolved strong group takes time to live") {
  DynamoDb db;
  db.create_table("Music");
  const auto both = [](const char* action) {
    Json actions = Json::array();
    for (const std::string_view region : {ohio, west})
      actions.push_back({{action, {{"RegionName", region}}}});
    return replica_updates(actions);
  };
  const Json time_to_live = {{"TableName", "Music"},
                             {"TimeToLiveSpecification", {{"Enabled", true}, {"AttributeName", "t"}}}};
  db.ok("UpdateTable", with(both("Create"), {{"MultiRegionConsistency", "STRONG"}}));
  check_refused(db, "UpdateTimeToLive", time_to_live,
                "Time to live is not supported with MultiRegionConsistency set to STRONG.");
  db.ok("UpdateTable", both("Delete"));
  db.ok("UpdateTimeToLive", time_to_live);
}

}  // namespace test::replica_states_test

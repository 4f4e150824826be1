#include <string_view>

#include <catch2/catch.hpp>

#include "dynamodb/replicas/region_clients.h"

// docs/service/global-tables.md section 1: what a replica has instead of the settings of its group.
namespace test::replica_overrides_test {
namespace {

Json ceiling(int units) {
  return {{"MaxReadRequestUnits", units}};
}

/// A table on demand, with an index, that both read at most 100 units.
Json limited() {
  NewIndex index = global_index("ByV", "v");
  index.definition["OnDemandThroughput"] = ceiling(100);
  return with(table_request("Music", "pk", "v", {index}), {{"OnDemandThroughput", ceiling(100)}});
}

Json of_index(const Json& overrides) {
  return {{"GlobalSecondaryIndexes", Json::array({with({{"IndexName", "ByV"}}, overrides)})}};
}

struct Overriding : Regions {
  explicit Overriding(const Json& overrides) {
    Regions::create(east, {}, limited());
    ok(east, "UpdateTable", replica_update("Create", west, overrides));
    until([&] { return replicas(east) == Json{{west, "ACTIVE"}}; });
  }

  /// Returns how a region describes the replica in another one.
  Json replica(std::string_view seen_from, std::string_view region) {
    const Json table = describe(seen_from);
    for (const Json& one : table.at("Replicas")) {
      if (one.at("RegionName") == region) return one;
    }
    return {};
  }
  Json index(std::string_view region) { return describe(region).at("GlobalSecondaryIndexes").at(0); }
};

/// A provisioned group of 5 and 7 units, its index likewise, whose replica in the west reads 9 units.
struct Provisioned : Overriding {
  Provisioned() : Overriding(Json::object()) {
    ok(east, "UpdateTable",
       {{"TableName", "Music"},
        {"BillingMode", "PROVISIONED"},
        {"ProvisionedThroughput", units(5, 7)},
        {"GlobalSecondaryIndexUpdates",
         Json::array({{{"Update", {{"IndexName", "ByV"}, {"ProvisionedThroughput", units(5, 7)}}}}})}});
    const Json nine = {{"ProvisionedThroughputOverride", {{"ReadCapacityUnits", 9}}}};
    ok(east, "UpdateTable", replica_update("Update", west, with(nine, of_index(nine))));
  }
  int reads(std::string_view region) {
    return describe(region).at("ProvisionedThroughput").at("ReadCapacityUnits").get<int>();
  }
  int index_reads(std::string_view region) {
    return index(region).at("ProvisionedThroughput").at("ReadCapacityUnits").get<int>();
  }
};

const Json fifty = {{"OnDemandThroughputOverride", ceiling(50)},
                    {"TableClassOverride", "STANDARD_INFREQUENT_ACCESS"}};

}  // namespace

TEST_CASE("the answer to an update of a replica does not show what it overrides") {
  Overriding regions(Json::object());
  const Json answer =
      regions.ok(east, "UpdateTable", replica_update("Update", west, fifty)).at("TableDescription");
  REQUIRE(answer.at("Replicas").size() == 1);
  for (const char* const member : {"OnDemandThroughputOverride", "ReplicaTableClassSummary"}) {
    CHECK_FALSE(answer.at("Replicas").at(0).contains(member));
    CHECK(regions.replica(east, west).contains(member));
  }
}

TEST_CASE("a replica that overrides settings makes others with those of the group") {
  Overriding regions(fifty);
  regions.add_replica(west, ireland);
  const Json table = regions.describe(ireland);
  CHECK(table.at("OnDemandThroughput").at("MaxReadRequestUnits") == 100);
  CHECK_FALSE(table.contains("TableClassSummary"));
  for (const std::string_view region : {east, ireland}) {
    const Json listed = regions.replica(region, west);
    CHECK(listed.at("OnDemandThroughputOverride") == ceiling(50));
    CHECK(listed.at("ReplicaTableClassSummary").at("TableClass") == "STANDARD_INFREQUENT_ACCESS");
  }
  CHECK_FALSE(regions.replica(west, ireland).contains("OnDemandThroughputOverride"));
}

TEST_CASE("a replica that overrides settings compares others with the group") {
  Overriding regions(fifty);
  regions.ok(west, "UpdateTable", replica_update("Update", east, fifty));
  CHECK(regions.replica(west, east).at("OnDemandThroughputOverride") == ceiling(50));
  CHECK(regions.describe(east).at("OnDemandThroughput").at("MaxReadRequestUnits") == 50);
  const Json inherited = {{"OnDemandThroughputOverride", ceiling(100)}, {"TableClassOverride", "STANDARD"}};
  regions.ok(west, "UpdateTable", replica_update("Update", east, inherited));
  CHECK_FALSE(regions.replica(west, east).contains("OnDemandThroughputOverride"));
  CHECK_FALSE(regions.replica(west, east).contains("ReplicaTableClassSummary"));
  CHECK(regions.describe(east).at("OnDemandThroughput").at("MaxReadRequestUnits") == 100);
  CHECK_FALSE(regions.describe(east).contains("TableClassSummary"));
  CHECK(regions.describe(west).at("OnDemandThroughput").at("MaxReadRequestUnits") == 50);
}

TEST_CASE("a change of the group leaves what a replica overrides, until both are the same") {
  Overriding regions(fifty);
  const bool in_east = GENERATE(true, false);
  const std::string_view changed_in = in_east ? east : west;
  regions.ok(changed_in, "UpdateTable", {{"TableName", "Music"}, {"OnDemandThroughput", ceiling(200)}});
  CHECK(regions.describe(east).at("OnDemandThroughput").at("MaxReadRequestUnits") == 200);
  CHECK(regions.describe(west).at("OnDemandThroughput").at("MaxReadRequestUnits") == 50);
  CHECK(regions.replica(east, west).at("OnDemandThroughputOverride") == ceiling(50));
  regions.ok(changed_in, "UpdateTable", {{"TableName", "Music"}, {"OnDemandThroughput", ceiling(50)}});
  CHECK_FALSE(regions.replica(east, west).contains("OnDemandThroughputOverride"));
  regions.ok(changed_in, "UpdateTable", {{"TableName", "Music"}, {"OnDemandThroughput", ceiling(300)}});
  CHECK(regions.describe(west).at("OnDemandThroughput").at("MaxReadRequestUnits") == 300);
}

TEST_CASE("overrides of an index hold in its region, are merged, and cleared by the value of the group") {
  Overriding regions(of_index({{"OnDemandThroughputOverride", ceiling(40)}}));
  CHECK(regions.index(west).at("OnDemandThroughput").at("MaxReadRequestUnits") == 40);
  CHECK(regions.index(east).at("OnDemandThroughput").at("MaxReadRequestUnits") == 100);
  const Json seven = {{"ProvisionedThroughputOverride", {{"ReadCapacityUnits", 7}}}};
  regions.ok(east, "UpdateTable", replica_update("Update", west, of_index(seven)));
  CHECK(regions.replica(east, west).at("GlobalSecondaryIndexes").at(0) ==
        with({{"IndexName", "ByV"}, {"OnDemandThroughputOverride", ceiling(40)}}, seven));
  regions.ok(east, "UpdateTable",
             replica_update("Update", west, of_index({{"OnDemandThroughputOverride", ceiling(100)}})));
  CHECK(regions.replica(east, west).at("GlobalSecondaryIndexes").at(0) ==
        with({{"IndexName", "ByV"}}, seven));
  CHECK(regions.index(west).at("OnDemandThroughput").at("MaxReadRequestUnits") == 100);
}

TEST_CASE("read units are overridden, and reset by new units of the group") {
  Provisioned regions;
  CHECK(regions.reads(west) == 9);
  CHECK(regions.index_reads(west) == 9);
  CHECK(regions.reads(east) == 5);
  const Json listed = regions.replica(east, west);
  CHECK(listed.at("ProvisionedThroughputOverride") == Json{{"ReadCapacityUnits", 9}});
  CHECK(listed.at("GlobalSecondaryIndexes").at(0).at("ProvisionedThroughputOverride") ==
        Json{{"ReadCapacityUnits", 9}});
  const bool in_east = GENERATE(true, false);
  const std::string_view changed_in = in_east ? east : west;
  SECTION("of the table") {
    regions.ok(changed_in, "UpdateTable", {{"TableName", "Music"}, {"ProvisionedThroughput", units(5, 8)}});
    CHECK(regions.reads(west) == 5);
    CHECK(regions.index_reads(west) == 9);
    CHECK_FALSE(regions.replica(east, west).contains("ProvisionedThroughputOverride"));
    CHECK(regions.describe(west).at("ProvisionedThroughput").at("WriteCapacityUnits") == 8);
  }
  SECTION("of the index") {
    regions.ok(
        changed_in, "UpdateTable",
        {{"TableName", "Music"},
         {"GlobalSecondaryIndexUpdates",
          Json::array({{{"Update", {{"IndexName", "ByV"}, {"ProvisionedThroughput", units(5, 8)}}}}})}});
    CHECK(regions.reads(west) == 9);
    CHECK(regions.index_reads(west) == 5);
    CHECK_FALSE(regions.replica(east, west).contains("GlobalSecondaryIndexes"));
  }
  SECTION("that end with the billing mode") {
    regions.ok(changed_in, "UpdateTable", {{"TableName", "Music"}, {"BillingMode", "PAY_PER_REQUEST"}});
    CHECK_FALSE(regions.replica(east, west).contains("ProvisionedThroughputOverride"));
    CHECK_FALSE(regions.replica(east, west).contains("GlobalSecondaryIndexes"));
    CHECK(regions.reads(west) == 0);
  }
}

}  // namespace test::replica_overrides_test

#include <chrono>
#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "dynamodb/replicas/region_clients.h"

// docs/service/global-tables.md section 3.
namespace test::auto_scaling_test {
namespace {

const Json music = {{"TableName", "Music"}};
const Json disabled = {{"AutoScalingDisabled", true}, {"ScalingPolicies", Json::array()}};

Json policy(double target) {
  return {{"TargetTrackingScalingPolicyConfiguration", {{"TargetValue", target}}}};
}

Json scaling(int least, int most, double target) {
  return {{"MinimumUnits", least}, {"MaximumUnits", most}, {"ScalingPolicyUpdate", policy(target)}};
}

/// A provisioned table with a replica.
struct Provisioned : Regions {
  explicit Provisioned(dinette::dynamodb::ServiceOptions options = {}) : Regions(std::move(options)) {
    Regions::create(east, {west});
    ok(east, "UpdateTable",
       {{"TableName", "Music"}, {"BillingMode", "PROVISIONED"}, {"ProvisionedThroughput", units(5, 7)}});
  }
  Json replica(std::string_view asked, std::string_view region) {
    const Json answer = ok(asked, "DescribeTableReplicaAutoScaling", music).at("TableAutoScalingDescription");
    for (const Json& one : answer.at("Replicas")) {
      if (one.at("RegionName") == region) return one;
    }
    return {};
  }
};

const std::string reads = "ReplicaProvisionedReadCapacityAutoScalingSettings";
const std::string writes = "ReplicaProvisionedWriteCapacityAutoScalingSettings";

}  // namespace

TEST_CASE("a regional table has no auto scaling of replicas") {
  Regions regions;
  const std::string message = "Global table with name: 'Music' does not exist.";
  for (const char* const operation : {"DescribeTableReplicaAutoScaling", "UpdateTableReplicaAutoScaling"})
    regions.check_refused(east, operation, music, message, "ResourceNotFoundException");
  regions.create(east);
  for (const char* const operation : {"DescribeTableReplicaAutoScaling", "UpdateTableReplicaAutoScaling"})
    regions.check_refused(east, operation, music, message, "ResourceNotFoundException");
}

TEST_CASE("all replicas are described, and nothing is scaled on demand") {
  Regions regions;
  regions.create(east, {west});
  const Json answer =
      regions.ok(west, "DescribeTableReplicaAutoScaling", music).at("TableAutoScalingDescription");
  CHECK(answer.at("TableName") == "Music");
  CHECK(answer.at("TableStatus") == "ACTIVE");
  REQUIRE(answer.at("Replicas").size() == 2);
  for (const Json& replica : answer.at("Replicas")) {
    CHECK(replica.at("ReplicaStatus") == "ACTIVE");
    CHECK(replica.at(reads) == disabled);
    CHECK(replica.at(writes) == disabled);
  }
}

TEST_CASE("the writes of a group that becomes provisioned are scaled in every region") {
  Provisioned regions;
  for (const std::string_view region : {east, west}) {
    const Json settings = regions.replica(east, region).at(writes);
    CHECK(settings.at("MinimumUnits") == 7);
    CHECK(settings.at("MaximumUnits") == 40000);
    CHECK(settings.at("ScalingPolicies").at(0) ==
          Json{{"PolicyName", "DynamoDBWriteCapacityUtilization:table/Music"},
               {"TargetTrackingScalingPolicyConfiguration", {{"TargetValue", 70.0}}}});
    CHECK(regions.describe(region).at("ProvisionedThroughput").at("WriteCapacityUnits") == 7);
  }
}

TEST_CASE("reads are scaled in one region, writes in all, and a minimum raises the units") {
  Provisioned regions;
  const Json update = {
      {"TableName", "Music"},
      {"ProvisionedWriteCapacityAutoScalingUpdate", scaling(20, 100, 50)},
      {"ReplicaUpdates",
       Json::array({{{"RegionName", west},
                     {"ReplicaProvisionedReadCapacityAutoScalingUpdate", scaling(9, 90, 60)}}})}};
  const Json answer = regions.ok(east, "UpdateTableReplicaAutoScaling", update);
  CHECK(answer.at("TableAutoScalingDescription").at("Replicas").at(0).at(writes).at("MinimumUnits") == 7);
  for (const std::string_view region : {east, west}) {
    CHECK(regions.replica(west, region).at(writes).at("MinimumUnits") == 20);
    CHECK(regions.describe(region).at("ProvisionedThroughput").at("WriteCapacityUnits") == 20);
  }
  CHECK(regions.replica(east, east).at(reads) == disabled);
  CHECK(regions.replica(east, west).at(reads).at("ScalingPolicies").at(0).at("PolicyName") ==
        "DynamoDBReadCapacityUtilization:table/Music");
  CHECK(regions.describe(west).at("ProvisionedThroughput").at("ReadCapacityUnits") == 9);
  CHECK(regions.describe(east).at("ProvisionedThroughput").at("ReadCapacityUnits") == 5);
}

TEST_CASE("limits and policy come together, and not with a group on demand") {
  Provisioned regions;
  const auto refused = [&](const Json& settings) {
    return regions
               .call(east, "UpdateTableReplicaAutoScaling",
                     with(music, {{"ProvisionedWriteCapacityAutoScalingUpdate", settings}}))
               .error() == "ValidationException";
  };
  CHECK(refused({{"MinimumUnits", 1}, {"MaximumUnits", 2}}));
  CHECK(refused({{"ScalingPolicyUpdate", policy(50)}}));
  CHECK(refused(with(scaling(1, 2, 50), {{"AutoScalingDisabled", true}})));
  regions.ok(east, "UpdateTable", {{"TableName", "Music"}, {"BillingMode", "PAY_PER_REQUEST"}});
  CHECK(refused(scaling(1, 2, 50)));
  regions.ok(east, "UpdateTableReplicaAutoScaling",
             with(music, {{"ProvisionedWriteCapacityAutoScalingUpdate", {{"AutoScalingDisabled", true}}}}));
}

TEST_CASE("the writes of a new index of a provisioned group are scaled") {
  Provisioned regions;
  regions.ok(east, "UpdateTable",
             {{"TableName", "Music"},
              {"AttributeDefinitions", Json::array({attribute("v", "S")})},
              {"GlobalSecondaryIndexUpdates",
               Json::array({{{"Create", with(index_on("ByV", Json::array({key("v", "HASH")})),
                                             {{"ProvisionedThroughput", units(5, 5)}})}}})}});
  for (const std::string_view region : {east, west}) {
    const Json index = regions.replica(east, region).at("GlobalSecondaryIndexes").at(0);
    CHECK(index.at("IndexName") == "ByV");
    const Json settings = index.at("ProvisionedWriteCapacityAutoScalingSettings");
    CHECK(settings.at("MinimumUnits") == 1);
    CHECK(settings.at("MaximumUnits") == 10);
    CHECK(settings.at("ScalingPolicies").at(0).at("TargetTrackingScalingPolicyConfiguration") ==
          Json{{"TargetValue", 70.0}});
  }
}

TEST_CASE("an index that is being created is not scaled by a request") {
  dinette::dynamodb::ServiceOptions slow;
  slow.index_state_delay = std::chrono::seconds(2);
  Provisioned regions(slow);
  const Json scale_index =
      with(music, {{"GlobalSecondaryIndexUpdates",
                    Json::array({{{"IndexName", "ByV"},
                                  {"ProvisionedWriteCapacityAutoScalingUpdate", scaling(2, 20, 50)}}})}});
  const std::string message = "Global table with name: 'Music' does not exist.";
  regions.check_refused(east, "UpdateTableReplicaAutoScaling", scale_index, message,
                        "ResourceNotFoundException");
  regions.ok(east, "UpdateTable",
             {{"TableName", "Music"},
              {"AttributeDefinitions", Json::array({attribute("v", "S")})},
              {"GlobalSecondaryIndexUpdates",
               Json::array({{{"Create", with(index_on("ByV", Json::array({key("v", "HASH")})),
                                             {{"ProvisionedThroughput", units(5, 5)}})}}})}});
  regions.check_refused(east, "UpdateTableReplicaAutoScaling", scale_index, message,
                        "ResourceNotFoundException");
  regions.pass_time(std::chrono::seconds(2));
  regions.until([&] {
    return regions.describe(east).at("GlobalSecondaryIndexes").at(0).at("IndexStatus") == "ACTIVE";
  });
  regions.ok(east, "UpdateTableReplicaAutoScaling", scale_index);
}

TEST_CASE("a policy of another name replaces the one there was") {
  Provisioned regions;
  Json named = scaling(7, 100, 50);
  named["ScalingPolicyUpdate"]["PolicyName"] = "mine";
  regions.ok(east, "UpdateTableReplicaAutoScaling",
             with(music, {{"ProvisionedWriteCapacityAutoScalingUpdate", named}}));
  for (const std::string_view region : {east, west}) {
    const Json policies = regions.replica(east, region).at(writes).at("ScalingPolicies");
    REQUIRE(policies.size() == 1);
    CHECK(policies.at(0).at("PolicyName") == "mine");
  }
}

}  // namespace test::auto_scaling_test

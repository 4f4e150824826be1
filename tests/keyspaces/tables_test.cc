#include <chrono>
#include <string>

#include <catch2/catch.hpp>

#include "keyspaces/fixture.h"

// docs/service-keyspaces/control-plane.md sections 2 and 3; docs/service-keyspaces/ddl.md sections 3 to 6;
// docs/service-keyspaces/capacity.md section 3
namespace test::keyspaces::tables_test {
namespace {

using namespace std::chrono_literals;

const Json name = {{"keyspaceName", "ks"}, {"tableName", "t"}};
const Json one_column = {{"allColumns", {{{"name", "p"}, {"type", "int"}}}},
                         {"partitionKeys", {{{"name", "p"}}}}};

Json with(Json base, const Json& more) {
  base.update(more);
  return base;
}

void create(Keyspaces& k, const Json& more = Json::object()) {
  k.ok("CreateTable", with(with(name, {{"schemaDefinition", one_column}}), more));
}

Json scaling(int target) {
  return {{"minimumUnits", 5},
          {"maximumUnits", 10},
          {"autoScalingDisabled", false},
          {"scalingPolicy",
           {{"targetTrackingScalingPolicyConfiguration",
             {{"targetValue", target},
              {"disableScaleIn", true},
              {"scaleInCooldown", 1},
              {"scaleOutCooldown", 2}}}}}};
}

}  // namespace

TEST_CASE("a table has the schema that the request defines") {
  Keyspaces k;
  const Json schema = {{"allColumns",
                        {{{"name", "p"}, {"type", "text"}},
                         {{"name", "Time"}, {"type", "timestamp"}},
                         {{"name", "s"}, {"type", "int"}},
                         {{"name", "values"}, {"type", "map<text, frozen<list<int>>>"}}}},
                       {"partitionKeys", {{{"name", "p"}}}},
                       {"clusteringKeys", {{{"name", "Time"}, {"orderBy", "DESC"}}}},
                       {"staticColumns", {{{"name", "s"}}}}};
  k.ok("CreateTable", with(name, {{"schemaDefinition", schema}, {"comment", {{"message", "it's"}}}}));
  const Json table = k.ok("GetTable", name);
  CHECK(table.at("schemaDefinition") == schema);
  CHECK(table.at("comment").at("message") == "it's");
  k.session().ok(R"(INSERT INTO t (p, "Time", s, values) VALUES ('a', 0, 1, {'x': [1]}))");
  CHECK(k.session().one("SELECT s FROM t") == "1");
  CHECK(k.refusal("CreateTable", with(name, {{"schemaDefinition", schema}})) ==
        "ConflictException: Cannot add already existing table \"t\" to keyspace \"ks\"");
}

TEST_CASE("settings of a new table are those of CQL") {
  Keyspaces k;
  create(k, {{"capacitySpecification",
              {{"throughputMode", "PROVISIONED"}, {"readCapacityUnits", 3}, {"writeCapacityUnits", 4}}},
             {"pointInTimeRecovery", {{"status", "ENABLED"}}},
             {"defaultTimeToLive", 60},
             {"clientSideTimestamps", {{"status", "ENABLED"}}},
             {"encryptionSpecification", {{"type", "CUSTOMER_MANAGED_KMS_KEY"}, {"kmsKeyIdentifier", "key"}}},
             {"tags", {{{"key", "a"}, {"value", "b"}}}}});
  const Json table = k.ok("GetTable", name);
  CHECK(table.at("capacitySpecification") ==
        Json({{"throughputMode", "PROVISIONED"}, {"readCapacityUnits", 3}, {"writeCapacityUnits", 4}}));
  CHECK(table.at("pointInTimeRecovery").at("earliestRestorableTimestamp") == table.at("creationTimestamp"));
  CHECK(table.at("ttl").at("status") == "ENABLED");
  CHECK(table.at("defaultTimeToLive") == 60);
  CHECK(table.at("clientSideTimestamps").at("status") == "ENABLED");
  CHECK(table.at("encryptionSpecification").at("kmsKeyIdentifier") == "key");
  CHECK(k.session().one("SELECT default_time_to_live FROM system_schema.tables WHERE keyspace_name = 'ks' "
                        "AND table_name = 't'") == "60");
}

TEST_CASE("a table without settings has the defaults of the service") {
  Keyspaces k;
  create(k);
  const Json table = k.ok("GetTable", name);
  CHECK(table.at("capacitySpecification").at("throughputMode") == "PAY_PER_REQUEST");
  CHECK(table.at("capacitySpecification").at("lastUpdateToPayPerRequestTimestamp") ==
        table.at("creationTimestamp"));
  CHECK_FALSE(table.contains("ttl"));
  CHECK_FALSE(table.contains("clientSideTimestamps"));
  CHECK_FALSE(table.contains("latestStreamArn"));
  CHECK(table.at("warmThroughputSpecification") ==
        Json({{"readUnitsPerSecond", 12000}, {"writeUnitsPerSecond", 4000}, {"status", "AVAILABLE"}}));
}

TEST_CASE("UpdateTable changes one setting, or adds columns") {
  Keyspaces k;
  create(k);
  k.ok("UpdateTable", with(name, {{"addColumns", {{{"name", "v"}, {"type", "set<int>"}}}}}));
  k.session().ok("INSERT INTO t (p, v) VALUES (1, {2})");
  k.ok("UpdateTable", with(name, {{"ttl", {{"status", "ENABLED"}}}}));
  k.ok("UpdateTable", with(name, {{"warmThroughputSpecification", {{"readUnitsPerSecond", 20000}}}}));
  CHECK(k.ok("GetTable", name).at("warmThroughputSpecification").at("readUnitsPerSecond") == 20000);
  CHECK(
      k.refusal("UpdateTable", with(name, {{"warmThroughputSpecification", {{"readUnitsPerSecond", 1}}}})) ==
      "ValidationException: Invalid value for custom property 'warm_throughput'.");
  CHECK(k.refusal("UpdateTable",
                  with(name, {{"defaultTimeToLive", 1}, {"pointInTimeRecovery", {{"status", "ENABLED"}}}})) ==
        "ValidationException: UpdateTable changes exactly one setting of a table per request.");
  CHECK(k.refusal("UpdateTable", with(name, {{"autoScalingSpecification", Json::object()}})) ==
        "ValidationException: The setting that UpdateTable changes has no value.");
  CHECK(k.refusal("UpdateTable",
                  with(name, {{"capacitySpecification", {{"throughputMode", "PROVISIONED"}}}})) ==
        "ValidationException: 'PROVISIONED' throughput mode requires 'read_capacity_units' and "
        "'write_capacity_units' to be set using 'capacity_mode' option");
}

TEST_CASE("replicas have read capacity of their own, by the API and by CQL") {
  Keyspaces k;
  k.ok("CreateKeyspace",
       {{"keyspaceName", "wide"},
        {"replicationSpecification",
         {{"replicationStrategy", "MULTI_REGION"}, {"regionList", {"us-east-1", "eu-west-1"}}}}});
  const Json table = {{"keyspaceName", "wide"}, {"tableName", "t"}};
  const auto replica = [](int units) {
    return Json{{"replicaSpecifications", {{{"region", "eu-west-1"}, {"readCapacityUnits", units}}}}};
  };
  const Json capacity = {
      {"throughputMode", "PROVISIONED"}, {"readCapacityUnits", 3}, {"writeCapacityUnits", 4}};
  k.ok(
      "CreateTable",
      with(with(table, {{"schemaDefinition", one_column}, {"capacitySpecification", capacity}}), replica(7)));
  const auto units = [&] {
    const Json shown = k.ok("GetTable", table);
    Json out = Json::object();
    for (const Json& one : shown.at("replicaSpecifications"))
      out[one.at("region").get<std::string>()] = one.at("capacitySpecification").at("readCapacityUnits");
    return out;
  };
  CHECK(units() == Json({{"eu-west-1", 7}, {"us-east-1", 3}}));
  k.ok("UpdateTable", with(table, replica(8)));
  CHECK(units() == Json({{"eu-west-1", 8}, {"us-east-1", 3}}));
  k.session().ok(
      "ALTER TABLE wide.t WITH custom_properties = {'replica_updates': {'us-east-1': {'read_capacity_units': "
      "9}}}");
  CHECK(units() == Json({{"eu-west-1", 8}, {"us-east-1", 9}}));
}

TEST_CASE("how capacity is to scale is kept and shown by both APIs") {
  Keyspaces k;
  create(k, {{"capacitySpecification",
              {{"throughputMode", "PROVISIONED"}, {"readCapacityUnits", 5}, {"writeCapacityUnits", 5}}},
             {"autoScalingSpecification", {{"writeCapacityAutoScaling", scaling(70)}}}});
  k.ok("UpdateTable", with(name, {{"autoScalingSpecification", {{"readCapacityAutoScaling", scaling(50)}}}}));
  Json settings = k.ok("GetTableAutoScalingSettings", name).at("autoScalingSpecification");
  CHECK(settings.at("writeCapacityAutoScaling") == scaling(70));
  CHECK(settings.at("readCapacityAutoScaling") == scaling(50));
  CHECK(k.session().one("SELECT provisioned_read_capacity_autoscaling_update FROM "
                        "system_schema_mcs.autoscaling WHERE keyspace_name = 'ks' AND table_name = 't'") ==
        "{'autoscaling_disabled': false, 'minimum_units': 5, 'maximum_units': 10, 'scaling_policy': "
        "{'target_tracking_scaling_policy_configuration': {'disable_scale_in': true, 'scale_in_cooldown': 1, "
        "'scale_out_cooldown': 2, 'target_value': 50}}}");
  CHECK(k.refusal("CreateTable",
                  with(name, {{"tableName", "u"},
                              {"schemaDefinition", one_column},
                              {"autoScalingSpecification", {{"readCapacityAutoScaling", scaling(50)}}}})) ==
        "ValidationException: AUTOSCALING_SETTINGS require 'PROVISIONED' throughput mode.");
}

TEST_CASE("with a delay of states a table is created, updated and deleted over a while") {
  Keyspaces k({{.state_delay = 1s}});
  create(k);
  CHECK(k.ok("GetTable", name).at("status") == "CREATING");
  CHECK(k.refusal("UpdateTable", with(name, {{"defaultTimeToLive", 1}})) ==
        "ConflictException: Table ks.t is being created, updated or deleted.");
  k.session().advance(1s);
  CHECK(k.ok("GetTable", name).at("status") == "ACTIVE");
  k.ok("UpdateTable", with(name, {{"defaultTimeToLive", 1}}));
  CHECK(k.ok("GetTable", name).at("status") == "UPDATING");
  k.session().advance(1s);
  k.ok("DeleteTable", name);
  CHECK(k.ok("GetTable", name).at("status") == "DELETING");
  CHECK(k.refusal("DeleteTable", name) ==
        "ConflictException: Table ks.t is being created, updated or deleted.");
  k.session().advance(1s);
  CHECK(k.refusal("GetTable", name) == "ResourceNotFoundException: unconfigured table ks.t");
}

TEST_CASE("a table is restored as it was at a moment, without tags and streams") {
  Keyspaces k;
  create(k, {{"pointInTimeRecovery", {{"status", "ENABLED"}}}, {"tags", {{{"key", "a"}, {"value", "b"}}}}});
  k.session().ok("INSERT INTO t (p) VALUES (1)");
  k.session().advance(10s);
  const double moment = 1'795'220'211 + 10;
  k.session().advance(10s);
  k.session().ok("DELETE FROM t WHERE p = 1");
  k.session().ok("INSERT INTO t (p) VALUES (2)");
  const Json restore = {{"sourceKeyspaceName", "ks"},
                        {"sourceTableName", "t"},
                        {"targetKeyspaceName", "ks"},
                        {"targetTableName", "again"},
                        {"restoreTimestamp", moment}};
  CHECK(k.ok("RestoreTable", restore).at("restoredTableARN") ==
        "arn:aws:cassandra:us-east-1:000000000000:/keyspace/ks/table/again");
  CHECK(k.session().run("SELECT p FROM again") == std::vector<std::string>{"1"});
  const Json arn = {{"resourceArn", "arn:aws:cassandra:us-east-1:000000000000:/keyspace/ks/table/again"}};
  CHECK(k.ok("ListTagsForResource", arn).at("tags").empty());
  CHECK(k.refusal("RestoreTable", restore) ==
        "ConflictException: Cannot add already existing table \"again\" to keyspace \"ks\"");
  CHECK(k.refusal("RestoreTable",
                  with(restore, {{"targetTableName", "early"}, {"restoreTimestamp", moment - 60}})) ==
        "ValidationException: The restore timestamp is outside of the recovery window of table ks.t.");
}

TEST_CASE("a table that was dropped is restored, also with its keyspace") {
  Keyspaces k;
  k.ok("CreateKeyspace", {{"keyspaceName", "gone"}});
  const Json recovered = {{"pointInTimeRecovery", {{"status", "ENABLED"}}}};
  create(k, recovered);
  k.ok("CreateTable",
       with({{"keyspaceName", "gone"}, {"tableName", "t"}, {"schemaDefinition", one_column}}, recovered));
  k.session().ok("INSERT INTO t (p) VALUES (1)");
  k.session().ok("INSERT INTO gone.t (p) VALUES (2)");
  k.session().advance(10s);
  k.ok("DeleteTable", name);
  k.ok("DeleteKeyspace", {{"keyspaceName", "gone"}});
  const auto restore = [&](const std::string& keyspace, const std::string& target) {
    k.ok("RestoreTable", {{"sourceKeyspaceName", keyspace},
                          {"sourceTableName", "t"},
                          {"targetKeyspaceName", "ks"},
                          {"targetTableName", target}});
    return k.session().run("SELECT p FROM " + target);
  };
  CHECK(restore("ks", "a") == std::vector<std::string>{"1"});
  CHECK(restore("gone", "b") == std::vector<std::string>{"2"});
}

}  // namespace test::keyspaces::tables_test

#include <string>

#include "definitions/defined.h"

/// Keyspaces and tables of Amazon Keyspaces.
// docs/definitions/terraform.md section 5.
namespace dinette::definitions::terraform_keyspaces_test {
namespace {

using namespace defined;

/// Returns the inputs of what was made, or the errors.
Texts made(const Definitions& read) {
  Texts texts;
  for (const Note& error : read.errors) texts.push_back(error.text);
  for (const KeyspacesResource& resource : read.keyspaces)
    texts.push_back(resource.id + ' ' + to_json(resource.create));
  return texts;
}

Texts made_of_configuration(std::string_view content) {
  return made(read_definitions(content, "main.tf", {}));
}

/// Returns what a plan makes of the table `t` with these values, and of the keyspace `shop`.
Texts made_of_plan(const std::string& values) {
  return made(read_definitions(
      R"({"format_version":"1.2","planned_values":{"root_module":{"resources":[
        {"address":"aws_keyspaces_keyspace.shop","mode":"managed","type":"aws_keyspaces_keyspace","values":{"name":"shop",
         "replication_specification":[{"region_list":["us-east-1"],"replication_strategy":"SINGLE_REGION"}],
         "tags_all":{"a":"b"}}},
        {"address":"aws_keyspaces_table.t","mode":"managed","type":"aws_keyspaces_table","values":{)" +
          values + R"("table_name":"baskets","schema_definition":[{"column":[{"name":"id","type":"int"}],
         "partition_key":[{"name":"id"}],"clustering_key":[],"static_column":[]}]}}]}},
       "configuration":{"root_module":{"resources":[{"address":"aws_keyspaces_table.t","type":"aws_keyspaces_table",
         "name":"t","mode":"managed","expressions":{"keyspace_name":{"references":["aws_keyspaces_keyspace.shop.id",
         "aws_keyspaces_keyspace.shop"]}}}]}}})",
      "plan.json", {}));
}

constexpr const char* keyspace_of_plan =
    R"(aws_keyspaces_keyspace.shop {"replicationSpecification":{"replicationStrategy":"SINGLE_REGION"},)"
    R"("tags":[{"key":"a","value":"b"}],"keyspaceName":"shop"})";

}  // namespace

TEST_CASE("keyspaces and tables of a configuration are inputs of the API", "[definitions]") {
  CHECK(
      made_of_configuration(R"(
    resource "aws_keyspaces_keyspace" "shop" {
      name = "shop"
      replication_specification {
        replication_strategy = "MULTI_REGION"
        region_list          = ["us-east-1", "eu-west-1"]
      }
    }
    resource "aws_keyspaces_table" "baskets" {
      keyspace_name = aws_keyspaces_keyspace.shop.id
      table_name    = "baskets"
      schema_definition {
        column {
          name = "user"
          type = "uuid"
        }
        column {
          name = "day"
          type = "date"
        }
        column {
          name = "name"
          type = "text"
        }
        partition_key {
          name = "user"
        }
        clustering_key {
          name     = "day"
          order_by = "DESC"
        }
        static_column {
          name = "name"
        }
      }
      capacity_specification {
        throughput_mode      = "PROVISIONED"
        read_capacity_units  = "5"
        write_capacity_units = 3
      }
      client_side_timestamps {
        status = "ENABLED"
      }
      point_in_time_recovery {
        status = "ENABLED"
      }
      ttl {
        status = "ENABLED"
      }
      comment {
        message = "of a shop"
      }
      default_time_to_live = 60
      tags = { team = "garden" }
    }
  )") ==
      Texts{
          R"(aws_keyspaces_keyspace.shop {"replicationSpecification":{"replicationStrategy":"MULTI_REGION",)"
          R"("regionList":["us-east-1","eu-west-1"]},"keyspaceName":"shop"})",
          R"(aws_keyspaces_table.baskets {"schemaDefinition":{"allColumns":[{"name":"user","type":"uuid"},)"
          R"({"name":"day","type":"date"},{"name":"name","type":"text"}],"partitionKeys":[{"name":"user"}],)"
          R"("clusteringKeys":[{"name":"day","orderBy":"DESC"}],"staticColumns":[{"name":"name"}]},)"
          R"("capacitySpecification":{"throughputMode":"PROVISIONED","readCapacityUnits":5,)"
          R"("writeCapacityUnits":3},"clientSideTimestamps":{"status":"ENABLED"},"comment":{"message":)"
          R"("of a shop"},"pointInTimeRecovery":{"status":"ENABLED"},"ttl":{"status":"ENABLED"},)"
          R"("defaultTimeToLive":60,"tags":[{"key":"team","value":"garden"}],"keyspaceName":"shop",)"
          R"("tableName":"baskets"})"});
}

TEST_CASE(
    "a keyspace that a plan does not know is found by the reference, and defaults of states are not set",
    "[definitions]") {
  const char* const values = GENERATE("", R"("keyspace_name":"shop",)");
  CHECK(
      made_of_plan(
          std::string(values) +
          R"("default_time_to_live":0,"comment":[{"message":""}],"capacity_specification":)"
          R"([{"read_capacity_units":0,"throughput_mode":"PAY_PER_REQUEST","write_capacity_units":0}],)") ==
      Texts{
          keyspace_of_plan,
          R"(aws_keyspaces_table.t {"schemaDefinition":{"allColumns":[{"name":"id","type":"int"}],)"
          R"("partitionKeys":[{"name":"id"}],"clusteringKeys":[],"staticColumns":[]},"capacitySpecification":)"
          R"({"throughputMode":"PAY_PER_REQUEST"},"keyspaceName":"shop","tableName":"baskets"})"});
}

TEST_CASE("a table whose attributes or keyspace are not known is an error", "[definitions]") {
  const auto with = [](const std::string& keyspace, const std::string& name) {
    return made_of_configuration("resource \"aws_keyspaces_table\" \"t\" {\n  keyspace_name = " + keyspace +
                                 "\n  table_name = " + name + "\n}\n");
  };
  CHECK(with("\"shop\"", "random_pet.x.id") ==
        Texts{"aws_keyspaces_table.t is not literal (random_pet.x.id, which is known only when it is made); "
              "run terraform "
              "plan -out plan && terraform show -json plan > plan.json and read plan.json"});
  CHECK(with("random_pet.x.id", "\"baskets\"") == Texts{"Keyspaces table \".baskets\" has no keyspace"});
  CHECK(with("\"shop\"", "\"baskets\"") == Texts{"Keyspaces table \"shop.baskets\" has no schema"});
}

}  // namespace dinette::definitions::terraform_keyspaces_test

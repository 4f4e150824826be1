#include "app/tables/show/show_tables.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "app/tables/applying_tables.h"
#include "app/tables/normal_form.h"
#include "app/tables/server_tables.h"
#include "app/tables/table_difference.h"

namespace dinette::app::show_tables_test {
namespace {

using test::node;
using test::table;
using Words = std::vector<std::string>;

definitions::TableDefinition plants() {
  auto made =
      table("dev-plants", R"({
    "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
    "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"}],
    "BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":3},
    "GlobalSecondaryIndexes":[{"IndexName":"by-n","KeySchema":[{"AttributeName":"sk","KeyType":"HASH"}],
      "Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["label"]},
      "ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}],
    "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},
    "SSESpecification":{"Enabled":true,"SSEType":"KMS"},
    "Tags":[{"Key":"the team","Value":"bed 1"}]})",
            {{"UpdateTimeToLive", R"({"TimeToLiveSpecification":{"AttributeName":"until","Enabled":true}})"},
             {"UpdateContinuousBackups",
              R"({"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}})"}});
  made.id = "Plants";
  made.items = {node(R"({"pk":{"S":"it's ${x}"},"sk":{"N":"1"}})")};
  return made;
}

TEST_CASE("a template of CloudFormation has its own members for streams and encryption") {
  const auto shown = show_tables({plants()}, TableFormat::cloudformation);
  CHECK(shown.text == R"(AWSTemplateFormatVersion: "2010-09-09"
Resources:
  Plants:
    Type: "AWS::DynamoDB::Table"
    Properties:
      KeySchema:
        - AttributeName: pk
          KeyType: HASH
        - AttributeName: sk
          KeyType: RANGE
      AttributeDefinitions:
        - AttributeName: pk
          AttributeType: S
        - AttributeName: sk
          AttributeType: "N"
      BillingMode: PROVISIONED
      ProvisionedThroughput:
        ReadCapacityUnits: 5
        WriteCapacityUnits: 3
      GlobalSecondaryIndexes:
        - IndexName: by-n
          KeySchema:
            - AttributeName: sk
              KeyType: HASH
          Projection:
            ProjectionType: INCLUDE
            NonKeyAttributes:
              - label
          ProvisionedThroughput:
            ReadCapacityUnits: 1
            WriteCapacityUnits: 1
      StreamSpecification:
        StreamViewType: NEW_IMAGE
      SSESpecification:
        SSEType: KMS
        SSEEnabled: true
      Tags:
        - Key: "the team"
          Value: "bed 1"
      TableName: dev-plants
      TimeToLiveSpecification:
        AttributeName: until
        Enabled: true
      PointInTimeRecoverySpecification:
        PointInTimeRecoveryEnabled: true
)");
  CHECK(shown.left_out == Words{"the table dev-plants: its items cannot be written in this format"});
}

TEST_CASE("Terraform gets a resource per table and per item, with nothing to be replaced in texts") {
  const auto shown = show_tables({plants()}, TableFormat::terraform);
  CHECK(shown.text == R"(resource "aws_dynamodb_table" "Plants" {
  name             = "dev-plants"
  billing_mode     = "PROVISIONED"
  read_capacity    = 5
  write_capacity   = 3
  hash_key         = "pk"
  range_key        = "sk"
  stream_enabled   = true
  stream_view_type = "NEW_IMAGE"

  attribute {
    name = "pk"
    type = "S"
  }

  attribute {
    name = "sk"
    type = "N"
  }

  global_secondary_index {
    name               = "by-n"
    hash_key           = "sk"
    projection_type    = "INCLUDE"
    non_key_attributes = ["label"]
    read_capacity      = 1
    write_capacity     = 1
  }

  ttl {
    enabled        = true
    attribute_name = "until"
  }

  point_in_time_recovery {
    enabled = true
  }

  server_side_encryption {
    enabled = true
  }

  tags = {
    "the team" = "bed 1"
  }
}

resource "aws_dynamodb_table_item" "Plants_1" {
  table_name = aws_dynamodb_table.Plants.name
  hash_key   = aws_dynamodb_table.Plants.hash_key
  range_key  = aws_dynamodb_table.Plants.range_key
  item       = "{\"pk\":{\"S\":\"it's $${x}\"},\"sk\":{\"N\":\"1\"}}"
}
)");
  CHECK(shown.left_out == Words{});
}

TEST_CASE(
    "a policy is a document in CloudFormation, and a stream that is off, and numbers as texts, stay so") {
  const auto shown = show_tables({table("carts", R"({
    "StreamSpecification":{"StreamEnabled":false},"ResourcePolicy":"{}",
    "Tags":[{"Key":"cost","Value":"12"},{"Key":"-","Value":""}]})")},
                                 TableFormat::cloudformation);
  CHECK(shown.text.find("StreamSpecification") == std::string::npos);
  CHECK(shown.text.find("      ResourcePolicy:\n        PolicyDocument: \"{}\"\n") != std::string::npos);
  CHECK(shown.text.find("Value: \"12\"\n") != std::string::npos);
  CHECK(shown.text.find("Key: \"-\"\n") != std::string::npos);
}

TEST_CASE("what follows a table and a format cannot have is left out, and said") {
  const auto carts = table(
      "carts", "{}",
      {{"EnableKinesisStreamingDestination", R"({"StreamArn":"arn:aws:kinesis:us-east-1:0:stream/s"})"}});
  const Words left_out{"the table carts: EnableKinesisStreamingDestination cannot be written in this format"};
  for (const TableFormat format : {TableFormat::cloudformation, TableFormat::workbench})
    CHECK(show_tables({carts}, format).left_out == left_out);
  const auto of_stream =
      table("carts", "{}", {{"PutResourcePolicy", R"({"ResourceArn":"a","Policy":"{}"})"}});
  const auto shown = show_tables({of_stream}, TableFormat::cli);
  CHECK(shown.text.find("put-resource-policy") == std::string::npos);
  CHECK(shown.left_out == Words{"the table carts: PutResourcePolicy cannot be written in this format"});
}

TEST_CASE(
    "a model of NoSQL Workbench has no index of several attributes a key, nor a throughput that counts for "
    "nothing") {
  const auto shown = show_tables({table("carts", R"({"BillingMode":"PAY_PER_REQUEST",
        "ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":0},
        "GlobalSecondaryIndexes":[{"IndexName":"by-period","KeySchema":[
        {"AttributeName":"year","KeyType":"HASH"},{"AttributeName":"month","KeyType":"HASH"}],
        "Projection":{"ProjectionType":"ALL"}}]})")},
                                 TableFormat::workbench);
  CHECK(shown.left_out == Words{"the table carts: the index by-period, whose key has several attributes, "
                                "cannot be written in this format"});
  const auto model = node(shown.text);
  const auto& made = model.find("DataModel")->elements().front();
  CHECK_FALSE(made.has("ProvisionedCapacitySettings"));
  CHECK_FALSE(made.has("GlobalSecondaryIndexes"));
}

TEST_CASE("a command says what is off") {
  const auto shown =
      show_tables({table("carts", R"({"DeletionProtectionEnabled":false})")}, TableFormat::cli);
  CHECK(shown.text.find(" --no-deletion-protection-enabled") != std::string::npos);
}

TEST_CASE("limits of a table on demand are written as a block") {
  const auto shown = show_tables(
      {table("carts", R"({"OnDemandThroughput":{"MaxReadRequestUnits":5,"MaxWriteRequestUnits":6}})")},
      TableFormat::terraform);
  CHECK(shown.text.find(R"(  on_demand_throughput {
    max_read_request_units  = 5
    max_write_request_units = 6
  }
)") != std::string::npos);
}

TEST_CASE("an index whose key has several attributes is written as the newer provider has it") {
  const auto shown =
      show_tables({table("carts", R"({"GlobalSecondaryIndexes":[{"IndexName":"by-period","KeySchema":[
        {"AttributeName":"year","KeyType":"HASH"},{"AttributeName":"month","KeyType":"HASH"}],
        "Projection":{"ProjectionType":"ALL"}}]})")},
                  TableFormat::terraform);
  CHECK(shown.text.find(R"(  global_secondary_index {
    name            = "by-period"
    projection_type = "ALL"

    key_schema {
      attribute_name = "year"
      key_type       = "HASH"
    }

    key_schema {
      attribute_name = "month"
      key_type       = "HASH"
    }
  }
)") != std::string::npos);
}

TEST_CASE("commands of the AWS CLI are quoted for a shell") {
  const auto shown = show_tables({plants()}, TableFormat::cli);
  CHECK(shown.text == R"raw(aws dynamodb create-table \
  --table-name dev-plants \
  --key-schema '[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]' \
  --attribute-definitions '[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"}]' \
  --billing-mode PROVISIONED \
  --provisioned-throughput '{"ReadCapacityUnits":5,"WriteCapacityUnits":3}' \
  --global-secondary-indexes '[{"IndexName":"by-n","KeySchema":[{"AttributeName":"sk","KeyType":"HASH"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["label"]},"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}]' \
  --stream-specification '{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}' \
  --sse-specification '{"Enabled":true,"SSEType":"KMS"}' \
  --tags '[{"Key":"the team","Value":"bed 1"}]'
aws dynamodb wait table-exists --table-name dev-plants
aws dynamodb put-item \
  --table-name dev-plants \
  --item '{"pk":{"S":"it'\''s ${x}"},"sk":{"N":"1"}}'
aws dynamodb update-time-to-live \
  --table-name dev-plants \
  --time-to-live-specification '{"AttributeName":"until","Enabled":true}'
aws dynamodb update-continuous-backups \
  --table-name dev-plants \
  --point-in-time-recovery-specification '{"PointInTimeRecoveryEnabled":true}'
)raw");
}

TEST_CASE("a model of NoSQL Workbench has keys with types, and says what it cannot have") {
  const auto shown = show_tables({plants()}, TableFormat::workbench);
  const auto model = node(shown.text);
  const auto& made = model.find("DataModel")->elements().front();
  CHECK(
      definitions::to_json(*made.find("KeyAttributes")) ==
      R"({"PartitionKey":{"AttributeName":"pk","AttributeType":"S"},"SortKey":{"AttributeName":"sk","AttributeType":"N"}})");
  CHECK(definitions::to_json(*made.find("TableData")) == R"([{"pk":{"S":"it's ${x}"},"sk":{"N":"1"}}])");
  CHECK(definitions::to_json(*made.find("GlobalSecondaryIndexes")) ==
        R"([{"IndexName":"by-n","KeyAttributes":{"PartitionKey":{"AttributeName":"sk","AttributeType":"N"}},)"
        R"("Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["label"]}}])");
  CHECK(shown.left_out.size() == 5);
  CHECK(shown.left_out.front() ==
        "the table dev-plants: StreamSpecification cannot be written in this format");
}

TEST_CASE("JSON is the inputs of CreateTable with what follows them") {
  const auto shown = show_tables({plants()}, TableFormat::json);
  const auto requests = node(shown.text);
  REQUIRE(requests.elements().size() == 1);
  auto again = plants();
  again.create = requests.elements().front();
  again.follow_ups.clear();
  CHECK(normal_form(again) == normal_form(plants()));
}

TEST_CASE("resources get names of their own") {
  auto one = table("a.b");
  auto other = table("a-b");
  const auto shown = show_tables({one, other, table("1st")}, TableFormat::cloudformation);
  for (const char* const name : {"\n  ab:\n", "\n  ab2:\n", "\n  Table1st:\n"})
    CHECK(shown.text.find(name) != std::string::npos);
}

TEST_CASE("what was made of a definition reads back as the same") {
  test::ApplyingTables to;
  REQUIRE(to.applied(plants()).errors == Words{});
  const auto there = server_tables(to.transfer(to.operations), {});
  REQUIRE(there);
  REQUIRE(there->size() == 1);
  CHECK(differences(normal_form(there->front()), normal_form(plants())).empty());
  CHECK(server_tables(to.transfer(to.operations), {"none"}).error() == "there is no table none");
}

}  // namespace
}  // namespace dinette::app::show_tables_test

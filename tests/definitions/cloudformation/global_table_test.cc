#include "definitions/reading.h"

/// AWS::DynamoDB::GlobalTable.
// docs/definitions/cloudformation.md section 2.
namespace dinette::definitions::global_table_test {
namespace {

using reading::Texts;

Definitions read(std::string_view properties, const Surroundings& surroundings = {}) {
  return reading::read(
      "Resources:\n  Things:\n    Type: AWS::DynamoDB::GlobalTable\n    Properties: {TableName: things, "
      "AttributeDefinitions: [{AttributeName: id, AttributeType: S}], "
      "KeySchema: [{AttributeName: id, KeyType: HASH}], " +
          std::string(properties) + "}\n",
      surroundings);
}

}  // namespace

TEST_CASE("The replica in the region is taken, else the first", "[definitions]") {
  constexpr std::string_view replicas =
      "Replicas: [{Region: eu-west-1, TableClass: STANDARD}, {Region: !Ref AWS::Region, TableClass: X}]";
  const Definitions own = read(replicas);
  CHECK(reading::member(reading::table(own, "things"), "TableClass") == R"("X")");
  CHECK(reading::texts(own.warnings) == Texts{"table \"things\": the replica in eu-west-1 is left out"});
  const Definitions first =
      read("Replicas: [{Region: eu-west-1, TableClass: STANDARD}, {Region: eu-west-2}]");
  CHECK(reading::member(reading::table(first, "things"), "TableClass") == R"("STANDARD")");
  CHECK(reading::texts(first.warnings) ==
        Texts{"table \"things\": it has no replica in us-east-1, the one in eu-west-1 is taken",
              "table \"things\": the replica in eu-west-2 is left out"});
  CHECK(reading::texts(read("Replicas: []").errors) == Texts{"table \"things\" has no Replicas"});
}

TEST_CASE("Capacity is of the table and its replica, and begins with the seed or the least",
          "[definitions]") {
  const auto throughput = [](std::string_view settings, std::string_view of_replica) {
    const Definitions definitions =
        read(std::string(settings) + ", Replicas: [{Region: us-east-1, " + std::string(of_replica) + "}]");
    return reading::member(reading::table(definitions, "things"), "ProvisionedThroughput");
  };
  constexpr std::string_view write =
      "WriteProvisionedThroughputSettings: {WriteCapacityAutoScalingSettings: {MinCapacity: 2, MaxCapacity: "
      "9}}";
  CHECK(throughput(write, "ReadProvisionedThroughputSettings: {ReadCapacityUnits: '4'}") ==
        R"({"ReadCapacityUnits":4,"WriteCapacityUnits":2})");
  CHECK(throughput("WriteProvisionedThroughputSettings: {WriteCapacityAutoScalingSettings: {MinCapacity: 2, "
                   "SeedCapacity: 3}}, ReadProvisionedThroughputSettings: {ReadCapacityUnits: 5}",
                   "TableClass: STANDARD") == R"({"ReadCapacityUnits":5,"WriteCapacityUnits":3})");
  CHECK(
      throughput(write,
                 "ReadProvisionedThroughputSettings: {ReadCapacityAutoScalingSettings: {MinCapacity: 6}}") ==
      R"({"ReadCapacityUnits":6,"WriteCapacityUnits":2})");
}

TEST_CASE("Indexes get capacity and insights from the replica's index of that name", "[definitions]") {
  const Definitions definitions = read(
      "GlobalSecondaryIndexes: [{IndexName: a, WriteProvisionedThroughputSettings: "
      "{WriteCapacityAutoScalingSettings: {MinCapacity: 1}}}, {IndexName: b}], "
      "Replicas: [{Region: us-east-1, GlobalSecondaryIndexes: [{IndexName: b, "
      "ContributorInsightsSpecification: "
      "{Enabled: true}}, {IndexName: a, ReadProvisionedThroughputSettings: {ReadCapacityUnits: 2}}]}]");
  const TableDefinition& made = reading::table(definitions, "things");
  CHECK(reading::member(made, "GlobalSecondaryIndexes") ==
        R"([{"IndexName":"a","ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":1}},)"
        R"({"IndexName":"b"}])");
  CHECK(reading::follow_up(made, "UpdateContributorInsights") ==
        R"({"IndexName":"b","ContributorInsightsAction":"ENABLE"})");
  CHECK(reading::texts(definitions.warnings) ==
        Texts{"table \"things\": its capacity does not scale automatically"});
}

TEST_CASE("On-demand limits are of the table and its replica", "[definitions]") {
  const Definitions definitions = read(
      "BillingMode: PAY_PER_REQUEST, WriteOnDemandThroughputSettings: {MaxWriteRequestUnits: 10}, "
      "Replicas: [{Region: us-east-1, ReadOnDemandThroughputSettings: {MaxReadRequestUnits: 20}}]");
  CHECK(reading::member(reading::table(definitions, "things"), "OnDemandThroughput") ==
        R"({"MaxReadRequestUnits":20,"MaxWriteRequestUnits":10})");
}

TEST_CASE("What only a replica has is the table's", "[definitions]") {
  const Definitions definitions = read(
      "BillingMode: PAY_PER_REQUEST, SSESpecification: {SSEEnabled: true}, MultiRegionConsistency: EVENTUAL, "
      "Replicas: [{Region: us-east-1, SSESpecification: {KMSMasterKeyId: alias/a}, "
      "DeletionProtectionEnabled: true, "
      "Tags: [{Key: a, Value: b}], PointInTimeRecoverySpecification: {PointInTimeRecoveryEnabled: true}, "
      "ResourcePolicy: {PolicyDocument: '{}'}, ReplicaStreamSpecification: {}}]");
  const TableDefinition& made = reading::table(definitions, "things");
  CHECK(reading::member(made, "SSESpecification") ==
        R"({"Enabled":true,"KMSMasterKeyId":"alias/a","SSEType":"KMS"})");
  CHECK(reading::member(made, "DeletionProtectionEnabled") == "true");
  CHECK(reading::member(made, "Tags") == R"([{"Key":"a","Value":"b"}])");
  CHECK(reading::member(made, "ResourcePolicy") == R"("{}")");
  CHECK(reading::follow_up(made, "UpdateContinuousBackups") ==
        R"({"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}})");
  CHECK(reading::texts(definitions.warnings) ==
        Texts{"table \"things\": MultiRegionConsistency is left out",
              "table \"things\": ReplicaStreamSpecification is left out"});
}

TEST_CASE("What is between regions is left out with a warning", "[definitions]") {
  for (const std::string property :
       {"GlobalTableSettingsReplicationMode", "GlobalTableSourceArn", "GlobalTableWitnesses"}) {
    const Definitions definitions =
        read("BillingMode: PAY_PER_REQUEST, " + property + ": x, Replicas: [{Region: us-east-1}]");
    CHECK(reading::texts(definitions.warnings) == Texts{"table \"things\": " + property + " is left out"});
    CHECK_FALSE(reading::table(definitions, "things").create.has(property));
  }
}

}  // namespace dinette::definitions::global_table_test

#include "definitions/reading.h"

/// Whole templates: some made for these tests, others modelled on public ones.
// docs/definitions/cloudformation.md sections 1 to 5.
namespace dinette::definitions::inputs_test {
namespace {

using reading::Texts;

Surroundings with_parameters(std::map<std::string, std::string, std::less<>> parameters) {
  Surroundings surroundings;
  surroundings.parameters = std::move(parameters);
  return surroundings;
}

}  // namespace

TEST_CASE("A CloudFormation template", "[definitions]") {
  CHECK(reading::names(reading::read_input("01-cloudformation.yaml")) == Texts{"Sessions"});
  CHECK(reading::texts(reading::read_input("01-cloudformation.yaml").errors) ==
        Texts{"parameters have no value: --param Owner=VALUE; needed by table \"dev-plants-us-east-1\""});

  const Definitions definitions =
      reading::read_input("01-cloudformation.yaml", with_parameters({{"Owner", "ops"}}));
  CHECK(definitions.format == "a CloudFormation template");
  CHECK(reading::texts(definitions.errors).empty());
  CHECK(reading::names(definitions) == Texts{"dev-plants-us-east-1", "Sessions"});
  const TableDefinition& plants = reading::table(definitions, "dev-plants-us-east-1");
  CHECK(plants.id == "PlantsTable");
  CHECK(
      to_json(plants.create) ==
      R"({"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},)"
      R"({"AttributeName":"sk","AttributeType":"S"},{"AttributeName":"height","AttributeType":"N"},)"
      R"({"AttributeName":"bed","AttributeType":"S"}],)"
      R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],)"
      R"("ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":3},)"
      R"("LocalSecondaryIndexes":[{"IndexName":"by-height","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},)"
      R"({"AttributeName":"height","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}],)"
      R"("GlobalSecondaryIndexes":[{"IndexName":"by-bed","KeySchema":[{"AttributeName":"bed","KeyType":"HASH"}],)"
      R"("Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["label"]},)"
      R"("ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":2}}],)"
      R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},)"
      R"("SSESpecification":{"Enabled":true,"SSEType":"KMS",)"
      R"("KMSMasterKeyId":"arn:aws:kms:us-east-1:000000000000:key/Key"},)"
      R"("Tags":[{"Key":"owner","Value":"ops"},{"Key":"stack","Value":"01-cloudformation/dev"}],)"
      R"("TableName":"dev-plants-us-east-1"})");
  CHECK(reading::follow_up(plants, "UpdateTimeToLive") ==
        R"({"TimeToLiveSpecification":{"AttributeName":"expires","Enabled":true}})");
  CHECK(reading::follow_up(plants, "UpdateContinuousBackups") ==
        R"({"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}})");
  CHECK(plants.follow_up("UpdateContributorInsights") == nullptr);
  const TableDefinition& sessions = reading::table(definitions, "Sessions");
  CHECK(reading::member(sessions, "BillingMode") == R"("PAY_PER_REQUEST")");
  CHECK(reading::member(sessions, "AttributeDefinitions") ==
        R"([{"AttributeName":"id","AttributeType":"B"}])");
  REQUIRE(definitions.triggers.size() == 1);
  CHECK(definitions.triggers[0].function == "plant-watcher");
  CHECK(definitions.triggers[0].table == "dev-plants-us-east-1");
  CHECK(to_json(definitions.triggers[0].settings) ==
        R"({"StartingPosition":"TRIM_HORIZON","BatchSize":20,)"
        R"("FilterCriteria":{"Filters":[{"Pattern":"{\"eventName\":[\"INSERT\"]}"}]}})");
  CHECK(reading::texts(definitions.warnings) ==
        Texts{"table \"dev-plants-us-east-1\": its name depends on AWS::Region, here \"us-east-1\"",
              "table \"dev-plants-us-east-1\": \"Key.Arn\" is not known, "
              "\"arn:aws:kms:us-east-1:000000000000:key/Key\" is used instead",
              "table \"dev-plants-us-east-1\": the name of \"Key\" is not known, \"Key\" is used instead",
              "table \"Sessions\": the template gives it no name, so it has one made of its logical ID"});
}

TEST_CASE("A CloudFormation template with another parameter makes other tables", "[definitions]") {
  const Definitions definitions =
      reading::read_input("01-cloudformation.yaml", with_parameters({{"Owner", "ops"}, {"Stage", "prod"}}));
  CHECK(reading::names(definitions) == Texts{"prod-plants-us-east-1", "audit", "Sessions"});
  // The service refuses this table: an index has provisioned throughput.
  const TableDefinition& plants = reading::table(definitions, "prod-plants-us-east-1");
  CHECK(reading::member(plants, "BillingMode") == R"("PAY_PER_REQUEST")");
  CHECK(reading::member(plants, "ProvisionedThroughput").empty());
}

TEST_CASE("A template of CDK", "[definitions]") {
  const Definitions definitions = reading::read_input("02-cdk.template.json");
  CHECK(reading::texts(definitions.errors).empty());
  CHECK(reading::names(definitions) == Texts{"Orders3F1A9C20", "carts"});
  const TableDefinition& orders = reading::table(definitions, "Orders3F1A9C20");
  CHECK(reading::member(orders, "ProvisionedThroughput") ==
        R"({"ReadCapacityUnits":5,"WriteCapacityUnits":5})");
  CHECK(reading::member(orders, "GlobalSecondaryIndexes")
            .find(R"("KeySchema":[{"AttributeName":"year","KeyType":"HASH"},)"
                  R"({"AttributeName":"month","KeyType":"HASH"}])") != std::string::npos);
  CHECK(
      to_json(reading::table(definitions, "carts").create) ==
      R"({"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},)"
      R"({"AttributeName":"owner","AttributeType":"S"}],"BillingMode":"PROVISIONED",)"
      R"("GlobalSecondaryIndexes":[{"IndexName":"by-owner","KeySchema":[{"AttributeName":"owner","KeyType":"HASH"}],)"
      R"("Projection":{"ProjectionType":"KEYS_ONLY"},)"
      R"("ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":2}}],)"
      R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
      R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},)"
      R"("ProvisionedThroughput":{"ReadCapacityUnits":4,"WriteCapacityUnits":6},)"
      R"("DeletionProtectionEnabled":true,"Tags":[{"Key":"team","Value":"shop"}],"TableName":"carts"})");
  CHECK(reading::follow_up(reading::table(definitions, "carts"), "UpdateTimeToLive") ==
        R"({"TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}})");
  CHECK(reading::follow_up(reading::table(definitions, "carts"), "UpdateContinuousBackups") ==
        R"({"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}})");
  REQUIRE(definitions.triggers.size() == 1);
  CHECK(definitions.triggers[0].function == "Fn9270CBC0");
  CHECK(to_json(definitions.triggers[0].settings) == R"({"BatchSize":5,"StartingPosition":"LATEST"})");
  CHECK(reading::texts(definitions.warnings) ==
        Texts{"\"OrdersReplicaeuwest17D0B11AA\", of the type Custom::DynamoDBReplica, is left out",
              "table \"Orders3F1A9C20\": the template gives it no name, so it has one made of its logical ID",
              "table \"carts\": the replica in us-west-2 is left out",
              "table \"carts\": its capacity does not scale automatically"});
}

TEST_CASE("A template of SAM", "[definitions]") {
  const Definitions definitions = reading::read_input("03-sam.yaml");
  CHECK(reading::texts(definitions.errors).empty());
  CHECK(reading::names(definitions) == Texts{"Notes", "03-sam-readings", "bed-North", "bed-South"});
  CHECK(to_json(reading::table(definitions, "Notes").create) ==
        R"({"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],)"
        R"("AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],)"
        R"("SSESpecification":{"Enabled":true},"BillingMode":"PAY_PER_REQUEST","TableName":"Notes"})");
  const TableDefinition& readings = reading::table(definitions, "03-sam-readings");
  CHECK(reading::member(readings, "ProvisionedThroughput") ==
        R"({"ReadCapacityUnits":2,"WriteCapacityUnits":1})");
  CHECK(reading::member(readings, "AttributeDefinitions") ==
        R"([{"AttributeName":"sensor","AttributeType":"N"}])");
  CHECK(reading::member(readings, "SSESpecification") == R"({"Enabled":true})");
  CHECK(reading::member(readings, "Tags") == R"([{"Key":"team","Value":"garden"}])");
  CHECK(reading::follow_up(readings, "UpdateContinuousBackups") ==
        R"({"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}})");
  CHECK(reading::member(reading::table(definitions, "bed-South"), "StreamSpecification") ==
        R"({"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"})");
  REQUIRE(definitions.triggers.size() == 1);
  CHECK(definitions.triggers[0].table == "bed-North");
  CHECK(definitions.triggers[0].function == "Worker");
  CHECK(to_json(definitions.triggers[0].settings) ==
        R"({"StartingPosition":"LATEST","BatchSize":10,"MaximumRetryAttempts":3})");
}

// Modelled on DynamoDB_Secondary_Indexes.json of aws-cloudformation/aws-cloudformation-templates.
TEST_CASE("A template with numbers as parameters", "[definitions]") {
  const Definitions definitions = reading::read_input("books.json", with_parameters({{"Writes", "9"}}));
  CHECK(reading::texts(definitions.errors).empty());
  const TableDefinition& books = reading::table(definitions, "Books");
  CHECK(reading::member(books, "ProvisionedThroughput") ==
        R"({"ReadCapacityUnits":4,"WriteCapacityUnits":9})");
  CHECK(reading::member(books, "GlobalSecondaryIndexes")
            .ends_with(R"("ProvisionedThroughput":{"ReadCapacityUnits":4,"WriteCapacityUnits":9}}])"));
}

// Modelled on DynamoDB_Table.yaml of aws-cloudformation/aws-cloudformation-templates.
TEST_CASE("A template whose key is a parameter", "[definitions]") {
  CHECK(reading::texts(reading::read_input("key-by-parameter.yaml").errors) ==
        Texts{"parameters have no value: --param KeyName=VALUE; needed by table \"Things\""});
  const Definitions definitions =
      reading::read_input("key-by-parameter.yaml", with_parameters({{"KeyName", "yes"}}));
  CHECK(reading::member(reading::table(definitions, "Things"), "AttributeDefinitions") ==
        R"([{"AttributeName":"yes","AttributeType":"N"}])");
}

// Modelled on a public template of a stack in two regions, of which one makes the global table.
TEST_CASE("A template of a global table in the stack of one region", "[definitions]") {
  const Definitions first = reading::read_input("two-regions.yaml");
  CHECK(
      reading::texts(first.errors) ==
      Texts{
          "trigger \"Watcher\": the value that another stack exports as \"watcher-function\" is not known"});
  CHECK(reading::member(reading::table(first, "visits-test"), "Tags") ==
        R"([{"Key":"Name","Value":"visits-test-us-east-1"}])");
  const Definitions second = reading::read_input("two-regions.yaml", reading::in_region("eu-west-1"));
  CHECK(second.tables.empty());
  CHECK(reading::texts(second.errors).empty());
}

// Modelled on examples/2016-10-31/iot_backend of aws/serverless-application-model.
TEST_CASE("A template of SAM that says nothing of its table", "[definitions]") {
  const Definitions definitions = reading::read_input("sam-sensors.yaml");
  CHECK(reading::texts(definitions.errors).empty());
  CHECK(reading::names(definitions) == Texts{"Measured"});
  CHECK(definitions.triggers.empty());
}

// Modelled on a public pattern of windows over a stream.
TEST_CASE("A template of SAM with a window over a stream", "[definitions]") {
  const Definitions definitions = reading::read_input("sam-stream.yaml", reading::in_stack("clicks"));
  CHECK(reading::texts(definitions.errors).empty());
  REQUIRE(definitions.triggers.size() == 1);
  CHECK(definitions.triggers[0].function == "clicks-count");
  CHECK(to_json(definitions.triggers[0].settings) ==
        R"({"BatchSize":10,"StartingPosition":"TRIM_HORIZON","TumblingWindowInSeconds":120,)"
        R"("FunctionResponseTypes":["ReportBatchItemFailures"]})");
}

// Modelled on a public report of a template whose properties were one level too high.
TEST_CASE("A template of SAM with keys at the wrong place", "[definitions]") {
  const Definitions definitions = reading::read_input("sam-misplaced.yaml");
  CHECK(reading::names(definitions) == Texts{"Beds", "trays"});
  CHECK(reading::texts(definitions.warnings) ==
        Texts{"\"Rest\", of the type AWS::Serverless::Application, is left out",
              "table \"Beds\": the template gives it no name, so it has one made of its logical ID",
              "table \"Beds\": TableName is left out, since it is not within Properties",
              "table \"Beds\": PrimaryKey is left out, since it is not within Properties"});
}

// Modelled on integ.table-v2-global and integ.dynamodb-v2.stream-policy of aws/aws-cdk.
TEST_CASE("A table of CDK with replicas in regions of its own", "[definitions]") {
  const Definitions definitions =
      reading::read_input("cdk-three-replicas.template.json", reading::in_region("us-west-2"));
  CHECK(reading::texts(definitions.errors).empty());
  const TableDefinition& ledger = reading::table(definitions, "ledger");
  CHECK(reading::member(ledger, "ProvisionedThroughput") ==
        R"({"ReadCapacityUnits":12,"WriteCapacityUnits":2})");
  CHECK(reading::member(ledger, "TableClass") == R"("STANDARD")");
  CHECK(reading::member(ledger, "SSESpecification") == R"({"Enabled":true,"SSEType":"KMS"})");
  CHECK(reading::member(ledger, "ResourcePolicy").find("arn:aws:iam::000000000000:root") !=
        std::string::npos);
  const std::string indexes = reading::member(ledger, "GlobalSecondaryIndexes");
  CHECK(indexes.find(R"("ProvisionedThroughput":{"ReadCapacityUnits":15,"WriteCapacityUnits":3})") !=
        std::string::npos);
  CHECK(indexes.find(R"("ProvisionedThroughput":{"ReadCapacityUnits":16,"WriteCapacityUnits":7})") !=
        std::string::npos);
  CHECK(reading::follow_up(ledger, "UpdateContributorInsights") ==
        R"({"IndexName":"second","ContributorInsightsAction":"ENABLE"})");
  CHECK(reading::follow_up(ledger, "EnableKinesisStreamingDestination") ==
        R"({"StreamArn":"arn:aws:kinesis:us-west-2:000000000000:stream/Feed0C1D2E3F"})");
}

}  // namespace dinette::definitions::inputs_test

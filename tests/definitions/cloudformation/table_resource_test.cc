#include "definitions/reading.h"

/// AWS::DynamoDB::Table. Properties are those of CloudFormation's resource schema.
// docs/definitions/cloudformation.md section 2.
namespace dinette::definitions::table_resource_test {
namespace {

using reading::Texts;

TableDefinition table(std::string_view properties) {
  const Definitions definitions =
      reading::read(reading::template_with("TableName: things, " + std::string(properties)));
  INFO(properties);
  CHECK(reading::texts(definitions.errors).empty());
  REQUIRE(definitions.tables.size() == 1);
  return definitions.tables.front();
}

Texts warnings(std::string_view properties) {
  return reading::texts(
      reading::read(reading::template_with("TableName: things, " + std::string(properties))).warnings);
}

}  // namespace

TEST_CASE("Members of CreateTable are passed on with their types", "[definitions]") {
  const TableDefinition made = table(
      "ProvisionedThroughput: {ReadCapacityUnits: '5', WriteCapacityUnits: 6}, "
      "OnDemandThroughput: {MaxReadRequestUnits: '7', MaxWriteRequestUnits: 8}, "
      "WarmThroughput: {ReadUnitsPerSecond: 9, WriteUnitsPerSecond: '10'}, "
      "DeletionProtectionEnabled: 'true', TableClass: STANDARD, Tags: [{Key: 1, Value: 02}], "
      "LocalSecondaryIndexes: [{IndexName: lsi, Projection: {ProjectionType: ALL, NonKeyAttributes: []}}], "
      "VectorIndexes: [{IndexName: near}]");
  CHECK(made.id == "Things");
  CHECK(made.place.text() == "template.yaml, line 4");
  CHECK(
      to_json(made.create) ==
      R"({"BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],)"
      R"("KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],)"
      R"("ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":6},)"
      R"("OnDemandThroughput":{"MaxReadRequestUnits":7,"MaxWriteRequestUnits":8},)"
      R"("WarmThroughput":{"ReadUnitsPerSecond":9,"WriteUnitsPerSecond":10},)"
      R"("DeletionProtectionEnabled":true,"TableClass":"STANDARD","Tags":[{"Key":"1","Value":"02"}],)"
      R"("LocalSecondaryIndexes":[{"IndexName":"lsi","Projection":{"ProjectionType":"ALL"}}],)"
      R"("VectorIndexes":[{"IndexName":"near"}],"TableName":"things"})");
  CHECK(made.follow_ups.empty());
}

TEST_CASE("An index may have several partition keys, and insights of its own", "[definitions]") {
  const TableDefinition made = table(
      "GlobalSecondaryIndexes: [{IndexName: gsi, KeySchema: [{AttributeName: a, KeyType: HASH}, "
      "{AttributeName: b, "
      "KeyType: HASH}], ContributorInsightsSpecification: {Enabled: true, Mode: THROTTLED_KEYS}}, "
      "{IndexName: off, ContributorInsightsSpecification: {Enabled: 'false'}}]");
  CHECK(reading::member(made, "GlobalSecondaryIndexes") ==
        R"([{"IndexName":"gsi","KeySchema":[{"AttributeName":"a","KeyType":"HASH"},)"
        R"({"AttributeName":"b","KeyType":"HASH"}]},{"IndexName":"off"}])");
  REQUIRE(made.follow_ups.size() == 1);
  CHECK(
      reading::follow_up(made, "UpdateContributorInsights") ==
      R"({"IndexName":"gsi","ContributorInsightsAction":"ENABLE","ContributorInsightsMode":"THROTTLED_KEYS"})");
}

TEST_CASE("A stream has only a view type, and turns the stream on", "[definitions]") {
  CHECK(reading::member(table("StreamSpecification: {StreamViewType: NEW_IMAGE}"), "StreamSpecification") ==
        R"({"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"})");
  CHECK(warnings("StreamSpecification: {StreamViewType: NEW_IMAGE, ResourcePolicy: {}}") ==
        Texts{"table \"things\": ResourcePolicy of its stream is left out"});
}

TEST_CASE("Encryption with a key is of the type KMS", "[definitions]") {
  CHECK(reading::member(table("SSESpecification: {SSEEnabled: 'true'}"), "SSESpecification") ==
        R"({"Enabled":true})");
  CHECK(reading::member(table("SSESpecification: {SSEEnabled: true, KMSMasterKeyId: alias/a}"),
                        "SSESpecification") ==
        R"({"Enabled":true,"KMSMasterKeyId":"alias/a","SSEType":"KMS"})");
}

TEST_CASE("What CreateTable does not take follows it", "[definitions]") {
  CHECK(reading::follow_up(table("TimeToLiveSpecification: {AttributeName: t, Enabled: 'true'}"),
                           "UpdateTimeToLive") ==
        R"({"TimeToLiveSpecification":{"AttributeName":"t","Enabled":true}})");
  CHECK(
      reading::follow_up(table("PointInTimeRecoverySpecification: {PointInTimeRecoveryEnabled: true, "
                               "RecoveryPeriodInDays: '7'}"),
                         "UpdateContinuousBackups") ==
      R"({"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":7}})");
  CHECK(reading::follow_up(table("ContributorInsightsSpecification: {Enabled: true}"),
                           "UpdateContributorInsights") == R"({"ContributorInsightsAction":"ENABLE"})");
  CHECK(reading::follow_up(table("KinesisStreamSpecification: {StreamArn: 'arn:x', "
                                 "ApproximateCreationDateTimePrecision: MICROSECOND}"),
                           "EnableKinesisStreamingDestination") ==
        R"({"StreamArn":"arn:x","EnableKinesisStreamingConfiguration":)"
        R"({"ApproximateCreationDateTimePrecision":"MICROSECOND"}})");
}

TEST_CASE("What is off already is not turned off", "[definitions]") {
  CHECK(table("TimeToLiveSpecification: {AttributeName: t, Enabled: false}, "
              "PointInTimeRecoverySpecification: {PointInTimeRecoveryEnabled: off}, "
              "ContributorInsightsSpecification: {Enabled: 'no'}")
            .follow_ups.empty());
}

TEST_CASE("AWS::NoValue removes members and elements", "[definitions]") {
  const TableDefinition made = table(
      "TableClass: !Ref AWS::NoValue, Tags: [!Ref AWS::NoValue, {Key: a, Value: {Ref: AWS::NoValue}}], "
      "StreamSpecification: !Ref AWS::NoValue, TimeToLiveSpecification: !Ref AWS::NoValue");
  CHECK(reading::member(made, "TableClass").empty());
  CHECK(reading::member(made, "Tags") == R"([{"Key":"a"}])");
  CHECK(reading::member(made, "StreamSpecification").empty());
  CHECK(made.follow_ups.empty());
}

TEST_CASE("A policy becomes text", "[definitions]") {
  CHECK(
      reading::member(table("ResourcePolicy: {PolicyDocument: {Version: 2012-10-17, Statement: [{Condition: "
                            "{Bool: {a: 'true'}}}]}}"),
                      "ResourcePolicy") ==
      R"("{\"Version\":\"2012-10-17\",\"Statement\":[{\"Condition\":{\"Bool\":{\"a\":\"true\"}}}]}")");
  CHECK(reading::member(table("ResourcePolicy: {PolicyDocument: '{}'}"), "ResourcePolicy") == R"("{}")");
}

TEST_CASE("The key schema of old templates is a map with types", "[definitions]") {
  const Definitions definitions = reading::read(
      "Resources:\n  Old:\n    Type: AWS::DynamoDB::Table\n    Properties:\n      KeySchema:\n"
      "        HashKeyElement: {AttributeName: id, AttributeType: S}\n"
      "        RangeKeyElement: {AttributeName: at, AttributeType: N}\n");
  CHECK(reading::member(reading::table(definitions, "Old"), "KeySchema") ==
        R"([{"AttributeName":"id","KeyType":"HASH"},{"AttributeName":"at","KeyType":"RANGE"}])");
  CHECK(reading::member(reading::table(definitions, "Old"), "AttributeDefinitions") ==
        R"([{"AttributeName":"id","AttributeType":"S"},{"AttributeName":"at","AttributeType":"N"}])");
}

TEST_CASE("What is left out is said, and its functions are not evaluated", "[definitions]") {
  CHECK(warnings("ImportSourceSpecification: {S3BucketSource: {S3Bucket: !ImportValue files}}") ==
        Texts{"table \"things\": its import from S3 is left out, the table is empty"});
  CHECK(warnings("Colour: green") ==
        Texts{"table \"things\": the property Colour is not known and left out"});
}

TEST_CASE("A name that the template does not give is the logical ID", "[definitions]") {
  const Definitions definitions = reading::read(reading::template_with(""));
  CHECK(reading::names(definitions) == Texts{"Things"});
  CHECK(reading::texts(definitions.warnings) ==
        Texts{"table \"Things\": the template gives it no name, so it has one made of its logical ID"});
  const std::string short_id =
      "Resources: {T: {Type: AWS::DynamoDB::Table, Properties: {" + std::string(reading::smallest) + "}}}";
  CHECK(reading::names(reading::read(short_id, reading::in_stack("shop"))) == Texts{"shop-T"});
}

TEST_CASE("The user may name a table, also where others refer to it", "[definitions]") {
  Surroundings surroundings;
  surroundings.names["Things"] = "mine";
  const Definitions definitions =
      reading::read(reading::template_with("Tags: [{Key: own, Value: !Ref Things}]"), surroundings);
  CHECK(definitions.warnings.empty());
  CHECK(reading::member(reading::table(definitions, "mine"), "Tags") == R"([{"Key":"own","Value":"mine"}])");
}

TEST_CASE("A name that depends on the surroundings is a warning", "[definitions]") {
  CHECK(reading::texts(
            reading::read(reading::template_with(
                              "TableName: !Sub '${AWS::StackName}-a', Tags: [{Value: !Ref AWS::Region}]"))
                .warnings) ==
        Texts{"table \"template-a\": its name depends on AWS::StackName, here \"template\""});
}

TEST_CASE("A value that only the service knows is supposed, with a warning", "[definitions]") {
  const std::string text =
      reading::template_with(
          "TableName: things, SSESpecification: {SSEEnabled: true, KMSMasterKeyId: !GetAtt Key.Arn}, "
          "Tags: [{Key: q, Value: !Ref Queue}]") +
      "  Key: {Type: AWS::KMS::Key}\n  Queue: {Type: AWS::SQS::Queue}\n";
  CHECK(reading::texts(reading::read(text).warnings) ==
        Texts{"table \"things\": \"Key.Arn\" is not known, \"arn:aws:kms:us-east-1:000000000000:key/Key\" is "
              "used "
              "instead",
              "table \"things\": the name of \"Key\" is not known, \"Key\" is used instead",
              "table \"things\": the name of \"Queue\" is not known, \"Queue\" is used instead"});
}

TEST_CASE("An identifier that only the service knows may be a part of a name", "[definitions]") {
  const std::string text = reading::template_with("TableName: !Sub 'Todo-${Api.ApiId}-dev'") +
                           "  Api: {Type: AWS::AppSync::GraphQLApi}\n";
  const Definitions definitions = reading::read(text);
  CHECK(definitions.errors.empty());
  CHECK(reading::names(definitions) == Texts{"Todo-Api-dev"});
  CHECK(reading::texts(definitions.warnings) ==
        Texts{"table \"Todo-Api-dev\": \"Api.ApiId\" is not known, \"Api\" is used instead",
              "table \"Todo-Api-dev\": the name of \"Api\" is not known, \"Api\" is used instead"});
}

TEST_CASE("Resources with a false condition are not made", "[definitions]") {
  const std::string text =
      "Conditions: {No: !Equals [a, b], Yes: !Equals [a, a]}\nResources:\n"
      "  First: {Type: AWS::DynamoDB::Table, Condition: No, Properties: !ImportValue x}\n"
      "  Second: {Type: AWS::DynamoDB::Table, Condition: Yes, Properties: {TableName: second, " +
      std::string(reading::smallest) +
      "}}\n"
      "  Third: {Type: AWS::DynamoDB::Table, Condition: Unknown}\n";
  const Definitions definitions = reading::read(text);
  CHECK(reading::names(definitions) == Texts{"second"});
  CHECK(reading::texts(definitions.errors) == Texts{"table \"Third\": there is no condition \"Unknown\""});
}

TEST_CASE("A table with an error does not hide the others", "[definitions]") {
  const Definitions definitions = reading::read(
      "Resources:\n  Wrong: {Type: AWS::DynamoDB::Table, Properties: {TableName: wrong}}\n"
      "  Worse: {Type: AWS::DynamoDB::Table, Properties: [a]}\n"
      "  Long: {Type: AWS::DynamoDB::Table, Properties: {TableName: " +
      std::string(256, 'a') + "}}\n" +
      "  Right: {Type: AWS::DynamoDB::Table, Properties: {TableName: right, " +
      std::string(reading::smallest) +
      "}}\n  Same: {Type: AWS::DynamoDB::Table, Properties: {TableName: right, " +
      std::string(reading::smallest) + "}}\n");
  CHECK(reading::names(definitions) == Texts{"right"});
  CHECK(reading::texts(definitions.errors) ==
        Texts{"table \"wrong\" has no KeySchema", "table \"Worse\": Properties are no map",
              "table \"Long\": TableName is no text of 1 to 255 characters",
              "table \"right\" is defined twice, also at template.yaml, line 5"});
  CHECK(definitions.errors.front().place.text() == "template.yaml, line 2");
}

TEST_CASE("Transforms that are not done are a warning", "[definitions]") {
  CHECK(reading::texts(reading::read(reading::template_with("TableName: things",
                                                            "Transform: [AWS::LanguageExtensions, Own]"))
                           .warnings) == Texts{"the transform Own is not done"});
}

}  // namespace dinette::definitions::table_resource_test

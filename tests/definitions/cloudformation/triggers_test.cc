#include "definitions/reading.h"

/// What calls functions for the records of a stream.
// docs/definitions/cloudformation.md section 5.
namespace dinette::definitions::triggers_test {
namespace {

using reading::Texts;

constexpr std::string_view tables =
    "Parameters: {Late: {Type: Number}, Size: {Type: Number, Default: 7}}\n"
    "Conditions: {Never: !Equals [a, b]}\n"
    "Resources:\n"
    "  Plants: {Type: AWS::DynamoDB::Table, Properties: {TableName: plants, StreamSpecification: "
    "{StreamViewType: "
    "KEYS_ONLY}, BillingMode: PAY_PER_REQUEST, AttributeDefinitions: [{AttributeName: id, AttributeType: "
    "S}], "
    "KeySchema: [{AttributeName: id, KeyType: HASH}]}}\n"
    "  Plain: {Type: AWS::DynamoDB::Table, Properties: {TableName: plain, BillingMode: PAY_PER_REQUEST, "
    "AttributeDefinitions: [{AttributeName: id, AttributeType: S}], KeySchema: [{AttributeName: id, KeyType: "
    "HASH}]}}\n"
    "  Absent: {Type: AWS::DynamoDB::Table, Condition: Never}\n"
    "  Wrong: {Type: AWS::DynamoDB::Table, Properties: {TableName: wrong}}\n"
    "  Queue: {Type: AWS::SQS::Queue}\n"
    "  Fn: {Type: AWS::Lambda::Function, Properties: {FunctionName: on-plant}}\n"
    "  Nameless: {Type: AWS::Lambda::Function}\n";

Definitions mapping(std::string_view properties) {
  Definitions definitions =
      reading::read(std::string(tables) + "  On: {Type: AWS::Lambda::EventSourceMapping, Properties: {" +
                    std::string(properties) + "}}\n");
  std::erase_if(definitions.errors,
                [](const Note& note) { return note.text.starts_with("table \"wrong\""); });
  return definitions;
}

/// Returns table, function and settings of the only trigger; else the error or the warning, or nothing.
std::string trigger(std::string_view properties) {
  const Definitions definitions = mapping(properties);
  if (!definitions.errors.empty()) return "error: " + definitions.errors.front().text;
  if (!definitions.warnings.empty()) return "warning: " + definitions.warnings.front().text;
  if (definitions.triggers.empty()) return "nothing";
  const Trigger& only = definitions.triggers.front();
  CHECK(only.id == "On");
  return only.table + ' ' + only.function + ' ' + to_json(only.settings);
}

}  // namespace

TEST_CASE("A mapping of a table's stream is a trigger", "[definitions]") {
  CHECK(
      trigger("EventSourceArn: !GetAtt Plants.StreamArn, FunctionName: watcher, StartingPosition: LATEST") ==
      R"(plants watcher {"StartingPosition":"LATEST"})");
  CHECK(trigger("EventSourceArn: !Sub '${Plants.StreamArn}', FunctionName: !Ref Fn, BatchSize: !Ref Size") ==
        R"(plants on-plant {"BatchSize":7})");
  CHECK(trigger("EventSourceArn: {'Fn::GetAtt': [Plants, StreamArn]}, FunctionName: !Ref Nameless") ==
        "plants Nameless {}");
  CHECK(trigger("EventSourceArn: !GetAtt Plants.StreamArn, FunctionName: !GetAtt Fn.Arn") ==
        "plants arn:aws:lambda:us-east-1:000000000000:function:on-plant {}");
  CHECK(trigger("EventSourceArn: arn:aws:dynamodb:eu-west-1:111111111111:table/plants/stream/2026, "
                "FunctionName: f") == "plants f {}");
}

TEST_CASE("Settings of a trigger have their types", "[definitions]") {
  CHECK(
      trigger("EventSourceArn: !GetAtt Plants.StreamArn, FunctionName: f, BatchSize: '20', Enabled: 'false', "
              "MaximumBatchingWindowInSeconds: 1, MaximumRecordAgeInSeconds: -1, MaximumRetryAttempts: '3', "
              "ParallelizationFactor: 2, BisectBatchOnFunctionError: yes, TumblingWindowInSeconds: 60, "
              "FunctionResponseTypes: [ReportBatchItemFailures], FilterCriteria: {Filters: [{Pattern: "
              "'{\"a\":[1]}'}]}") ==
      R"(plants f {"BatchSize":20,"Enabled":false,"MaximumBatchingWindowInSeconds":1,)"
      R"("MaximumRecordAgeInSeconds":-1,"MaximumRetryAttempts":3,"ParallelizationFactor":2,)"
      R"("BisectBatchOnFunctionError":true,"TumblingWindowInSeconds":60,)"
      R"("FunctionResponseTypes":["ReportBatchItemFailures"],)"
      R"("FilterCriteria":{"Filters":[{"Pattern":"{\"a\":[1]}"}]}})");
  CHECK(trigger("EventSourceArn: !GetAtt Plants.StreamArn, FunctionName: f, BatchSize: many") ==
        "error: table \"plants\", BatchSize: \"many\" is no integer");
}

TEST_CASE("What templates spell otherwise than Lambda has Lambda's names", "[definitions]") {
  CHECK(trigger("EventSourceArn: !GetAtt Plants.StreamArn, FunctionName: f, Tags: [{Key: team, Value: 1}], "
                "KmsKeyArn: arn:key, DestinationConfig: {OnFailure: {Type: SQS, Destination: arn:queue}}") ==
        R"(plants f {"Tags":{"team":"1"},"DestinationConfig":{"OnFailure":{"Destination":"arn:queue"}},)"
        R"("KMSKeyArn":"arn:key"})");
}

TEST_CASE("Other sources, and tables that are not made, are ignored", "[definitions]") {
  CHECK(trigger("EventSourceArn: !GetAtt Queue.Arn, FunctionName: !ImportValue f") == "nothing");
  CHECK(trigger("EventSourceArn: !GetAtt Absent.StreamArn, FunctionName: f") == "nothing");
  CHECK(trigger("EventSourceArn: !GetAtt Wrong.StreamArn, FunctionName: f") == "nothing");
  CHECK(trigger("FunctionName: f") == "nothing");
}

TEST_CASE("Conditions of what is no trigger of a table are not asked for", "[definitions]") {
  const Definitions definitions = reading::read(
      "Parameters: {Late: {Type: String}}\nConditions: {IsLate: !Equals [!Ref Late, x]}\nResources:\n"
      "  Queue: {Type: AWS::SQS::Queue}\n"
      "  On: {Type: AWS::Lambda::EventSourceMapping, Condition: IsLate, Properties: {FunctionName: f, "
      "EventSourceArn: !GetAtt Queue.Arn}}\n"
      "  Work: {Type: AWS::Serverless::Function, Condition: IsLate, Properties: {Events: {Poll: {Type: "
      "Schedule}}}}\n");
  CHECK(reading::texts(definitions.errors).empty());
  CHECK(reading::texts(definitions.warnings).empty());
}

TEST_CASE("A trigger of a table without a stream is an error", "[definitions]") {
  CHECK(trigger("EventSourceArn: !GetAtt Plain.StreamArn, FunctionName: f") ==
        "error: trigger \"On\": table \"plain\" has no StreamSpecification");
}

TEST_CASE("Triggers are found in the regions of every partition", "[definitions]") {
  for (const std::string region : {"eu-west-1", "cn-north-1", "us-gov-west-1"}) {
    INFO(region);
    const Definitions definitions = reading::read(
        reading::template_with("TableName: things, StreamSpecification: {StreamViewType: "
                               "KEYS_ONLY}") +
            "  Stack: {Type: AWS::CloudFormation::Stack}\n"
            "  On: {Type: AWS::Lambda::EventSourceMapping, Properties: {EventSourceArn: !GetAtt "
            "Things.StreamArn, FunctionName: f}}\n"
            "  Other: {Type: AWS::Lambda::EventSourceMapping, Properties: {EventSourceArn: !GetAtt "
            "Stack.Outputs.StreamArn, FunctionName: f}}\n",
        reading::in_region(region));
    CHECK(reading::texts(definitions.errors).empty());
    REQUIRE(definitions.triggers.size() == 1);
    CHECK(definitions.triggers.front().table == "things");
    const Texts warnings = reading::texts(definitions.warnings);
    const std::string left_out = "trigger \"Other\" is left out: its source is not known";
    CHECK(std::ranges::count(warnings, left_out) == 1);
  }
}

TEST_CASE("A trigger whose source or function is not known is reported", "[definitions]") {
  CHECK(
      trigger("EventSourceArn: !ImportValue stream, FunctionName: f") ==
      "warning: trigger \"On\" is left out: the value that another stack exports as \"stream\" is not known");
  CHECK(trigger("EventSourceArn: !Sub 'arn:${Late}', FunctionName: f") ==
        "warning: trigger \"On\" is left out: its source is not known");
  CHECK(reading::texts(reading::read(reading::template_with("TableName: !Ref Late") +
                                     "  On: {Type: AWS::Lambda::EventSourceMapping, Properties: "
                                     "{EventSourceArn: !GetAtt Things.StreamArn, FunctionName: f}}\n"
                                     "Parameters: {Late: {Type: String}}\n")
                           .warnings) == Texts{"trigger \"On\" is left out: its source is not known"});
  CHECK(trigger("EventSourceArn: arn:aws:dynamodb:x:1:table/elsewhere/stream/1, FunctionName: f") ==
        "warning: trigger \"On\" is left out: its table \"elsewhere\" is not defined here");
  CHECK(trigger("EventSourceArn: !GetAtt Plants.StreamArn") ==
        "error: trigger \"On\": it has no FunctionName");
  CHECK(trigger("EventSourceArn: !GetAtt Plants.StreamArn, FunctionName: f, BatchSize: !Ref Late") ==
        "error: parameters have no value: --param Late=VALUE; needed by trigger \"On\"");
}

TEST_CASE("Events of SAM's functions are triggers", "[definitions]") {
  const Definitions definitions =
      reading::read(std::string(tables) +
                    "  Work: {Type: AWS::Serverless::Function, Properties: {Events: {\n"
                    "    New: {Type: DynamoDB, Properties: {Stream: !GetAtt Plants.StreamArn, "
                    "StartingPosition: LATEST, BatchSize: 3}},\n"
                    "    Late: {Type: DynamoDB, Properties: {Stream: !GetAtt Plants.StreamArn}},\n"
                    "    Poll: {Type: Schedule, Properties: {Schedule: rate(5 minutes)}}}}}\n"
                    "  Never: {Type: AWS::Serverless::Function, Condition: Never, Properties: {Events: {New: "
                    "{Type: DynamoDB, "
                    "Properties: {Stream: !GetAtt Plants.StreamArn, StartingPosition: LATEST}}}}}\n");
  REQUIRE(definitions.triggers.size() == 1);
  CHECK(definitions.triggers[0].id == "WorkNew");
  CHECK(definitions.triggers[0].table == "plants");
  CHECK(definitions.triggers[0].function == "Work");
  CHECK(to_json(definitions.triggers[0].settings) == R"({"StartingPosition":"LATEST","BatchSize":3})");
  CHECK(reading::texts(definitions.errors) ==
        Texts{"table \"wrong\" has no KeySchema",
              "trigger \"WorkLate\": it needs Stream and StartingPosition"});
}

}  // namespace dinette::definitions::triggers_test

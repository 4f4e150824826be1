#include "definitions/reading.h"

/// The template language. What functions do is in the pages `intrinsic-function-reference-*` of
/// CloudFormation's documentation.
// docs/definitions/cloudformation.md section 3.
namespace dinette::definitions::functions_test {
namespace {

using reading::Texts;

/// Returns the value of a tag that has this expression, or the error.
std::string value(std::string_view expression, std::string_view sections = {},
                  const Surroundings& surroundings = {}) {
  const std::string text =
      std::string(sections) +
      "\nResources:\n  Key: {Type: AWS::KMS::Key}\n  Queue: {Type: AWS::SQS::Queue}\n"
      "  Absent: {Type: AWS::SQS::Queue, Condition: Never}\n"
      "  Other:\n    Type: AWS::DynamoDB::Table\n    Properties: {TableName: other, " +
      std::string(reading::smallest) +
      "}\n  Things:\n    Type: AWS::DynamoDB::Table\n    Properties:\n      TableName: things\n" +
      "      AttributeDefinitions: [{AttributeName: id, AttributeType: S}]\n"
      "      KeySchema: [{AttributeName: id, KeyType: HASH}]\n"
      "      Tags:\n        - Key: k\n          Value: " +
      std::string(expression) + "\n";
  const Definitions definitions = reading::read(text, surroundings);
  if (!definitions.errors.empty()) return definitions.errors.front().text;
  const Node* const tags = reading::table(definitions, "things").create.find("Tags");
  const Node* const found = tags == nullptr ? nullptr : tags->elements().front().find("Value");
  return found == nullptr ? "nothing" : found->scalar();
}

constexpr std::string_view conditions =
    "Conditions:\n"
    "  Always: !Equals [a, a]\n"
    "  Never: !Not [!Condition Always]\n"
    "  Both: !And [Condition: Always, Condition: Never]\n"
    "  Either: {'Fn::Or': [{Condition: Always}, {'Fn::Equals': [a, b]}]}\n";

std::string condition(std::string_view definition) {
  return value("!If [Tested, yes, no]", std::string(conditions) + "  Tested: " + std::string(definition));
}

}  // namespace

TEST_CASE("ARNs are of the partition that the region belongs to", "[definitions]") {
  const auto in_china = reading::in_region("cn-north-1");
  CHECK(value("!Ref AWS::Partition", {}, in_china) == "aws-cn");
  CHECK(value("!Ref AWS::URLSuffix", {}, in_china) == "amazonaws.com.cn");
  CHECK(value("!GetAtt Other.Arn", {}, in_china) ==
        "arn:aws-cn:dynamodb:cn-north-1:000000000000:table/other");
  CHECK(value("!Ref AWS::StackId", {}, in_china) ==
        "arn:aws-cn:cloudformation:cn-north-1:000000000000:stack/template/"
        "00000000-0000-0000-0000-000000000000");
  const auto in_govcloud = reading::in_region("us-gov-west-1");
  CHECK(value("!Ref AWS::Partition", {}, in_govcloud) == "aws-us-gov");
  CHECK(value("!Ref AWS::URLSuffix", {}, in_govcloud) == "amazonaws.com");
  CHECK(value("!GetAtt Key.Arn", {}, in_govcloud) == "arn:aws-us-gov:kms:us-gov-west-1:000000000000:key/Key");
}

TEST_CASE("Ref gives parameters, pseudo parameters and names of tables", "[definitions]") {
  constexpr std::string_view parameters = "Parameters: {Owner: {Type: String, Default: ops}}\n";
  CHECK(value("!Ref Owner", parameters) == "ops");
  CHECK(value("{Ref: Owner}", parameters) == "ops");
  CHECK(value("!Ref Other") == "other");
  CHECK(value("!Ref AWS::Region", {}, reading::in_region("eu-west-1")) == "eu-west-1");
  CHECK(value("!Ref AWS::AccountId") == "000000000000");
  CHECK(value("!Ref AWS::Partition") == "aws");
  CHECK(value("!Ref AWS::URLSuffix") == "amazonaws.com");
  CHECK(value("!Ref AWS::StackName") == "template");
  CHECK(value("!Ref AWS::StackName", {}, reading::in_stack("shop")) == "shop");
  CHECK(value("!Ref AWS::StackId")
            .starts_with("arn:aws:cloudformation:us-east-1:000000000000:stack/template/"));
  CHECK(value("!Ref AWS::NoValue") == "nothing");
  CHECK(value("!Ref Nothing") == "table \"things\": there is no parameter or resource \"Nothing\"");
  CHECK(value("!Ref AWS::Nothing") == "table \"things\": there is no parameter or resource \"AWS::Nothing\"");
  CHECK(value("!Ref Absent", conditions) ==
        "table \"things\": \"Absent\" is not created, since its condition is false");
}

TEST_CASE("GetAtt takes a list, or a text that is split at the first dot", "[definitions]") {
  constexpr std::string_view arn = "arn:aws:dynamodb:us-east-1:000000000000:table/other";
  CHECK(value("!GetAtt Other.Arn") == arn);
  CHECK(value("!GetAtt [Other, Arn]") == arn);
  CHECK(value("{'Fn::GetAtt': [Other, Arn]}") == arn);
  CHECK(value("{'Fn::GetAtt': Other.Arn}") == arn);
  CHECK(value("!GetAtt Other.StreamArn").starts_with(std::string(arn) + "/stream/"));
  CHECK(value("!GetAtt Other.Colour") == "table \"things\": \"Other\" has no attribute \"Colour\"");
  CHECK(value("!GetAtt Key.Arn") == "arn:aws:kms:us-east-1:000000000000:key/Key");
  CHECK(value("!GetAtt Queue.Arn") == "arn:aws:sqs:us-east-1:000000000000:Queue");
  CHECK(value("!GetAtt Key.Outputs.Arn") == "arn:aws:kms:us-east-1:000000000000:key/Key");
  CHECK(value("!GetAtt Nothing.Arn") == "table \"things\": there is no parameter or resource \"Nothing\"");
  CHECK(value("!GetAtt Other") == "table \"things\": Fn::GetAtt needs a resource and one of its attributes");
}

TEST_CASE("Sub replaces what is in braces, but not after an exclamation mark", "[definitions]") {
  CHECK(value("!Sub 'a-${AWS::Region}-${Other}-b'") == "a-us-east-1-other-b");
  CHECK(value("!Sub '${Other.Arn}'") == "arn:aws:dynamodb:us-east-1:000000000000:table/other");
  CHECK(value("!Sub 'keep ${!this} and $ {that}'") == "keep ${this} and $ {that}");
  CHECK(value("!Sub ['${A}${B.C}', {A: !Ref Other, B.C: x}]") == "otherx");
  CHECK(value("{'Fn::Sub': ['${A}', {A: {Ref: Other}}]}") == "other");
  CHECK(value("!Sub 'open ${end'") == "open ${end");
  CHECK(value("!Sub '${Nothing}'") == "table \"things\": there is no parameter or resource \"Nothing\"");
  CHECK(value("!Sub ['${A}', {A: [x]}]") == "table \"things\": ${A} is a list");
  CHECK(value("!Sub [a]") == "table \"things\": Fn::Sub needs a text, or a list of a text and a map");
}

TEST_CASE("Join, Select, Split, Length and ToJsonString", "[definitions]") {
  CHECK(value("!Join ['-', [a, !Ref Other, 7]]") == "a-other-7");
  CHECK(value("!Join ['', !Split [',', 'a,b,c']]") == "abc");
  CHECK(value("!Select [1, [a, b]]") == "b");
  CHECK(value("!Select ['0', !Split ['--', 'a--b']]") == "a");
  CHECK(value("!Select [2, [a, b]]") ==
        "table \"things\": Fn::Select needs an index of its list, which has 2 values");
  CHECK(value("!Select [2, !Split [',', 'a,b,']]").empty());
  CHECK(value("!Split ['', 'ab']") == "table \"things\": Fn::Split needs a delimiter that is not empty");
  CHECK(value("!Join [a]") == "table \"things\": Fn::Join needs a delimiter and a list");
  CHECK(value("{'Fn::Length': [a, b, c]}") == "3");
  CHECK(value("{'Fn::ToJsonString': {a: !Ref Other, b: [1]}}") == R"({"a":"other","b":[1]})");
}

TEST_CASE("FindInMap finds a value, or its default", "[definitions]") {
  constexpr std::string_view mappings =
      "Mappings: {Sizes: {us-east-1: {Small: 3, List: [x]}, '0123': {Small: 4}}}\n";
  CHECK(value("!FindInMap [Sizes, !Ref AWS::Region, Small]", mappings) == "3");
  CHECK(value("!FindInMap [Sizes, '0123', Small]", mappings) == "4");
  CHECK(value("!Select [0, !FindInMap [Sizes, us-east-1, List]]", mappings) == "x");
  CHECK(value("!FindInMap [Sizes, us-east-1, Large]", mappings) ==
        "table \"things\": Mappings has no Sizes.us-east-1.Large");
  CHECK(value("!FindInMap [Sizes, us-east-1, Large, DefaultValue: 9]", mappings) == "9");
}

TEST_CASE("ImportValue gives what the user says that another stack exports", "[definitions]") {
  Surroundings surroundings;
  surroundings.imports["shop-owner"] = "ops";
  CHECK(value("!ImportValue shop-owner", {}, surroundings) == "ops");
  CHECK(value("{'Fn::ImportValue': !Sub 'shop-${X}'}", "Parameters: {X: {Default: owner}}", surroundings) ==
        "ops");
  CHECK(value("!ImportValue shop-owner") ==
        "table \"things\": the value that another stack exports as \"shop-owner\" is not known");
}

TEST_CASE("What only the service knows is an error within a table", "[definitions]") {
  CHECK(value("!Transform {Name: AWS::Include}") ==
        "table \"things\": Fn::Transform cannot be evaluated here");
  CHECK(value("!GetAZs ''") == "table \"things\": Fn::GetAZs cannot be evaluated here");
  CHECK(value("'{{resolve:ssm:/owner}}'") ==
        "table \"things\": a dynamic reference ({{resolve:...}}) has no value here");
}

TEST_CASE("If chooses by a condition and evaluates nothing else", "[definitions]") {
  CHECK(value("!If [Always, a, !ImportValue b]", conditions) == "a");
  CHECK(value("{'Fn::If': [Never, !ImportValue a, b]}", conditions) == "b");
  CHECK(value("!If [Both, a, !Ref AWS::NoValue]", conditions) == "nothing");
  CHECK(value("!If [Either, a, b]", conditions) == "a");
  CHECK(value("!If [Unknown, a, b]", conditions) == "table \"things\": there is no condition \"Unknown\"");
  CHECK(value("!If [Always, a]", conditions) ==
        "table \"things\": Fn::If needs the name of a condition and two values");
}

TEST_CASE("Conditions compare texts, and combine each other", "[definitions]") {
  CHECK(condition("!Equals [!Ref AWS::Region, us-east-1]") == "yes");
  CHECK(condition("!Equals ['5', 5]") == "yes");
  CHECK(condition("!Equals [a, A]") == "no");
  CHECK(condition("!Equals [[a], [a]]") == "yes");
  CHECK(condition("!And [Condition: Always, !Not [Condition: Never]]") == "yes");
  CHECK(condition("!And [Condition: Never, Condition: Unknown]") == "no");
  CHECK(condition("!Or [Condition: Always, Condition: Unknown]") == "yes");
  CHECK(condition("!Or [Condition: Never, !Equals [a, b]]") == "no");
  CHECK(condition("!Not [!Or [!Condition Never]]") == "yes");
  CHECK(condition("{Condition: Always}") == "yes");
  CHECK(condition("!Equals [a]") == "table \"things\": Fn::Equals needs two values");
  CHECK(condition("!Not [a]") == "table \"things\": this is no condition");
  CHECK(condition("!Or []") == "table \"things\": Fn::Or needs a list of conditions");
}

TEST_CASE("A cycle is an error", "[definitions]") {
  CHECK(value("!If [A, x, y]", "Conditions: {A: !Not [Condition: B], B: !Or [Condition: A]}") ==
        "table \"things\": the condition \"A\" depends on itself");
  CHECK(value("x", "Conditions: {Never: !Equals [a, b], A: !And [Condition: A]}") == "x");
  const Definitions definitions = reading::read(
      "Resources:\n"
      "  First: {Type: AWS::DynamoDB::Table, Properties: {TableName: !Sub '${Second}-a'}}\n"
      "  Second: {Type: AWS::DynamoDB::Table, Properties: {TableName: !Sub '${First}-b'}}\n");
  CHECK(reading::texts(definitions.errors) ==
        Texts{"table \"First\": the name of \"First\" depends on itself",
              "table \"Second\": the name of \"First\" depends on itself"});
}

TEST_CASE("No template hangs, or exhausts the stack or memory", "[definitions]") {
  std::string chain = "Conditions:\n  C0: !Equals [a, a]\n";
  for (int i = 1; i < 5000; ++i)
    chain += "  C" + std::to_string(i) + ": !Not [Condition: C" + std::to_string(i - 1) + "]\n";
  CHECK(value("!If [C4999, a, b]", chain) == "table \"things\": values and references nest too deeply");

  std::string doubling = "'0123456789'";
  for (int i = 0; i < 20; ++i) doubling = "!Sub ['${a}${a}${a}${a}${a}${a}${a}${a}', {a: " + doubling + "}]";
  CHECK(value(doubling) == "table \"things\": the template makes too many values, or too long ones");

  std::string long_text = "x";
  for (int i = 0; i < 7; ++i) long_text = "!Sub ['${a}${a}${a}${a}${a}${a}${a}${a}', {a: " + long_text + "}]";
  CHECK(value("{'Fn::Length': !Split [x, " + long_text + "]}") ==
        "table \"things\": the template makes too many values, or too long ones");

  std::string commas;
  for (int i = 0; i < 20000; ++i) commas += "a,";
  const std::string parameter = "Parameters: {P: {Type: CommaDelimitedList, Default: '" + commas + "'}}\n";
  std::string uses;
  for (int i = 0; i < 100; ++i) uses += i == 0 ? "!Select [0, !Ref P]" : ", !Select [0, !Ref P]";
  CHECK(value("!Join ['', [" + uses + "]]", parameter) ==
        "table \"things\": the template makes too many values, or too long ones");
}

}  // namespace dinette::definitions::functions_test

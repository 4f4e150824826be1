#include "definitions/reading.h"

// docs/definitions/cloudformation.md sections 3 and 4.
namespace dinette::definitions::parameters_test {
namespace {

using reading::Texts;

std::string template_named(std::string_view parameter, std::string_view expression = "!Ref P") {
  return reading::template_with("TableName: " + std::string(expression),
                                "Parameters: {P: {" + std::string(parameter) + "}}");
}

/// Returns the table's name, or the error.
std::string name(std::string_view parameter, std::map<std::string, std::string, std::less<>> given = {},
                 std::string_view expression = "!Ref P") {
  Surroundings surroundings;
  surroundings.parameters = std::move(given);
  const Definitions definitions = reading::read(template_named(parameter, expression), surroundings);
  return definitions.errors.empty() ? definitions.tables.front().name : definitions.errors.front().text;
}

}  // namespace

TEST_CASE("A parameter has the value that the user gives, else its default", "[definitions]") {
  CHECK(name("Type: String, Default: plants") == "plants");
  CHECK(name("Type: String, Default: plants", {{"P", "trees"}}) == "trees");
  CHECK(name("Type: Number, Default: 0123") == "0123");
  CHECK(name("Type: Number, Default: 123") == "123");
}

TEST_CASE("A parameter with a wrong value is an error", "[definitions]") {
  CHECK(name("Type: Number", {{"P", "many"}}) == "table \"Things\": parameter \"P\": \"many\" is no number");
  CHECK(name("Type: String, AllowedValues: [dev, prod]", {{"P", "qa1"}}) ==
        "table \"Things\": parameter \"P\": \"qa1\" is not among its AllowedValues");
  CHECK(name("Type: Number, AllowedValues: [100, 200]", {{"P", "200"}}) == "200");
}

TEST_CASE("Lists are split at commas", "[definitions]") {
  constexpr std::string_view second = "!Select [1, !Ref P]";
  CHECK(name("Type: CommaDelimitedList, Default: 'one, two ,three'", {}, second) == "two");
  CHECK(name("Type: 'List<Number>', Default: '100,200'", {}, second) == "200");
}

TEST_CASE("Parameters that tables need and nobody gives are one error with all names", "[definitions]") {
  const Definitions definitions = reading::read(
      "Parameters:\n  A: {Type: String}\n  B: {Type: String}\n  C: {Type: String}\n"
      "  S: {Type: 'AWS::SSM::Parameter::Value<String>', Default: /path}\n"
      "Conditions: {IsB: !Equals [!Ref B, x]}\n"
      "Resources:\n"
      "  First: {Type: AWS::DynamoDB::Table, Properties: {TableName: first, Tags: [!Ref S, !Ref A], " +
      std::string(reading::smallest) +
      "}}\n"
      "  Second: {Type: AWS::DynamoDB::Table, Properties: {TableName: !If [IsB, second, third], " +
      std::string(reading::smallest) +
      "}}\n"
      "  Third: {Type: AWS::DynamoDB::Table, Condition: IsB, Properties: {" +
      std::string(reading::smallest) +
      "}}\n"
      "  Fourth: {Type: AWS::DynamoDB::Table, Properties: {" +
      std::string(reading::smallest) +
      "}}\n"
      "  Topic: {Type: AWS::SNS::Topic, Properties: {TopicName: !Ref C}}\n");
  CHECK(reading::names(definitions) == Texts{"Fourth"});
  CHECK(reading::texts(definitions.errors) ==
        Texts{"parameters have no value: --param A=VALUE, --param B=VALUE, --param S=VALUE; "
              "needed by table \"first\", table \"Second\", table \"Third\""});
}

TEST_CASE("A parameter that the template does not have is a warning", "[definitions]") {
  Surroundings surroundings;
  surroundings.parameters["Ownr"] = "ops";
  const Definitions definitions = reading::read(reading::template_with("TableName: things"), surroundings);
  CHECK(reading::texts(definitions.warnings) == Texts{"the template has no parameter \"Ownr\""});
}

}  // namespace dinette::definitions::parameters_test

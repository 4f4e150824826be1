#include "definitions/reading.h"

/// Fn::ForEach of the language extensions.
// docs/definitions/cloudformation.md section 3.
namespace dinette::definitions::for_each_test {
namespace {

using reading::Texts;

std::string loop(std::string_view identifier, std::string_view values, std::string_view id,
                 std::string_view name) {
  return "  Fn::ForEach::" + std::string(identifier) + "Loop:\n    - " + std::string(identifier) +
         "\n    - " + std::string(values) + "\n    - " + std::string(id) +
         ":\n        Type: AWS::DynamoDB::Table\n        Properties: {TableName: " + std::string(name) +
         ", " + std::string(reading::smallest) + "}\n";
}

Definitions read(const std::string& resources, std::string_view sections = {}) {
  return reading::read("Transform: AWS::LanguageExtensions\n" + std::string(sections) + "\nResources:\n" +
                       resources);
}

}  // namespace

TEST_CASE("A loop makes a resource per value, with the value in keys and texts", "[definitions]") {
  const Definitions definitions =
      read(loop("Bed", "[North, South]", "Bed${Bed}", "!Sub 'bed-${Bed}-${AWS::Region}'"));
  CHECK(definitions.errors.empty());
  CHECK(reading::names(definitions) == Texts{"bed-North-us-east-1", "bed-South-us-east-1"});
  CHECK(definitions.tables[1].id == "BedSouth");
}

TEST_CASE("Ref of the identifier gives the value, and &{} its letters and digits", "[definitions]") {
  const Definitions definitions = read(loop("Bed", "['north.1']", "Bed&{Bed}", "!Ref Bed"));
  REQUIRE(definitions.tables.size() == 1);
  CHECK(definitions.tables[0].id == "Bednorth1");
  CHECK(definitions.tables[0].name == "north.1");
  CHECK(reading::names(read(loop("Bed", "[abc]", "B${Bed}", "{Ref: Bed}"))) == Texts{"abc"});
  CHECK(reading::names(read(loop("Bed", "[abc]", "B${Bed}", "'${Beds}-$Bed-{Bed}'"))).empty());
}

TEST_CASE("Values may be a parameter, of a map, or none", "[definitions]") {
  constexpr std::string_view sections =
      "Parameters: {Beds: {Type: CommaDelimitedList, Default: 'one,two'}}\n"
      "Mappings: {M: {us-east-1: {Beds: [three]}}}";
  CHECK(reading::names(read(loop("B", "!Ref Beds", "Bed${B}", "'bed-${B}'"), sections)) ==
        Texts{"bed-one", "bed-two"});
  CHECK(reading::names(read(loop("B", "!FindInMap [M, !Ref AWS::Region, Beds]", "Bed${B}", "'bed-${B}'"),
                            sections)) == Texts{"bed-three"});
  CHECK(read(loop("B", "[]", "Bed${B}", "'bed-${B}'")).tables.empty());
}

TEST_CASE("Loops nest, and may be in conditions and properties", "[definitions]") {
  const Definitions definitions = read(
      "  Fn::ForEach::Outer:\n"
      "    - A\n"
      "    - [x, y]\n"
      "    - Fn::ForEach::Inner:\n"
      "        - B\n"
      "        - ['1', '2']\n"
      "        - T${A}${B}:\n"
      "            Type: AWS::DynamoDB::Table\n"
      "            Condition: Is${A}\n"
      "            Properties:\n"
      "              TableName: 'table-${A}${B}'\n"
      "              AttributeDefinitions: [{AttributeName: id, AttributeType: S}]\n"
      "              KeySchema: [{AttributeName: id, KeyType: HASH}]\n"
      "              ProvisionedThroughput:\n"
      "                Fn::ForEach::Units: [U, [Read, Write], {'${U}CapacityUnits': 3}]\n",
      "Conditions:\n  Fn::ForEach::Each: [C, [x, y], {'Is${C}': !Equals ['${C}', x]}]\n");
  CHECK(reading::texts(definitions.errors).empty());
  CHECK(reading::names(definitions) == Texts{"table-x1", "table-x2"});
  CHECK(reading::member(definitions.tables[0], "ProvisionedThroughput") ==
        R"({"ReadCapacityUnits":3,"WriteCapacityUnits":3})");
}

TEST_CASE("A loop that is wrong is an error, and the other resources remain", "[definitions]") {
  const std::string other = loop("X", "[abc]", "T${X}", "'${X}'");
  const auto error = [&other](std::string_view wrong) {
    const Definitions definitions = read("  Fn::ForEach::Wrong: " + std::string(wrong) + "\n" + other,
                                         "Parameters: {P: {Type: CommaDelimitedList}}");
    CHECK(reading::names(definitions) == Texts{"abc"});
    return definitions.errors.empty() ? std::string() : definitions.errors.front().text;
  };
  CHECK(error("[A, [x]]") == "Fn::ForEach needs an identifier, a list of values and a map");
  CHECK(error("[A, x, {}]") == "Fn::ForEach needs a list of values");
  CHECK(error("[A, [[x]], {}]") == "a value of Fn::ForEach is a list");
  CHECK(error("[A, [x, y], {Same: {}}]") == "\"Same\" is there twice");
  CHECK(error("[A, !Ref P, {}]") == "Fn::ForEach needs a list of values");
}

TEST_CASE("Loops within each other cannot exhaust memory", "[definitions][volume]") {
  std::string body = "{'T${A0}${A1}${A2}${A3}${A4}${A5}': {Type: AWS::SNS::Topic}}";
  for (int i = 0; i < 6; ++i) {
    const std::string number = std::to_string(i);
    std::string values;
    for (int value = 0; value < 30; ++value) values += (value == 0 ? "a" : ", a") + std::to_string(value);
    body = "{'Fn::ForEach::L" + number + "': [A" + number + ", [" + values + "], " + body + "]}";
  }
  const Definitions definitions = reading::read("Resources: " + body);
  CHECK(reading::texts(definitions.errors) == Texts{"the template makes too many values, or too long ones"});
}

}  // namespace dinette::definitions::for_each_test

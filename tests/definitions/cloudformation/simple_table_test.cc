#include "definitions/reading.h"

/// AWS::Serverless::SimpleTable of SAM.
// docs/definitions/cloudformation.md section 2.
namespace dinette::definitions::simple_table_test {
namespace {

using reading::Texts;

Definitions read(std::string_view resource, std::string_view sections = {}) {
  return reading::read("Transform: AWS::Serverless-2016-10-31\n" + std::string(sections) +
                       "\nResources:\n  Things: {Type: AWS::Serverless::SimpleTable" + std::string(resource) +
                       "}\n");
}

std::string create(std::string_view resource, std::string_view sections = {}) {
  const Definitions definitions = read(resource, sections);
  return definitions.errors.empty() ? to_json(definitions.tables.front().create)
                                    : definitions.errors.front().text;
}

}  // namespace

TEST_CASE("A simple table needs no properties", "[definitions]") {
  constexpr std::string_view defaults =
      R"({"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],)"
      R"("AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],)"
      R"("BillingMode":"PAY_PER_REQUEST","TableName":"Things"})";
  CHECK(create("") == defaults);
  CHECK(create(", Properties: {}") == defaults);
}

TEST_CASE("A simple table has one key of the type String, Number or Binary", "[definitions]") {
  CHECK(
      create(
          ", Properties: {PrimaryKey: {Name: n, Type: Number}, ProvisionedThroughput: {ReadCapacityUnits: 1, "
          "WriteCapacityUnits: '2'}}") ==
      R"({"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":2},)"
      R"("KeySchema":[{"AttributeName":"n","KeyType":"HASH"}],)"
      R"("AttributeDefinitions":[{"AttributeName":"n","AttributeType":"N"}],"TableName":"Things"})");
  CHECK(create(", Properties: {PrimaryKey: {Name: b, Type: Binary}}").find(R"("AttributeType":"B")") !=
        std::string::npos);
  CHECK(create(", Properties: {PrimaryKey: {Name: b}}") ==
        "table \"Things\": PrimaryKey needs Name and Type");
  CHECK(create(", Properties: {PrimaryKey: {Name: b, Type: S}}") ==
        "table \"Things\": PrimaryKey has the Type \"S\", not String, Number or Binary");
}

TEST_CASE("Tags of a simple table are a map", "[definitions]") {
  CHECK(reading::member(read(", Properties: {Tags: {team: garden, year: 2026}}").tables.front(), "Tags") ==
        R"([{"Key":"team","Value":"garden"},{"Key":"year","Value":"2026"}])");
}

TEST_CASE("Globals give encryption, of which the table's own members win", "[definitions]") {
  constexpr std::string_view globals =
      "Globals: {SimpleTable: {SSESpecification: {SSEEnabled: true, SSEType: KMS}, TableName: no}}";
  const auto encryption = [&globals](std::string_view resource) {
    return reading::member(read(resource, globals).tables.front(), "SSESpecification");
  };
  CHECK(encryption("") == R"({"Enabled":true,"SSEType":"KMS"})");
  CHECK(encryption(", Properties: {SSESpecification: {SSEEnabled: false}}") ==
        R"({"Enabled":false,"SSEType":"KMS"})");
  CHECK(reading::names(read("", globals)) == Texts{"Things"});
}

TEST_CASE("Keys next to Properties are a warning", "[definitions]") {
  CHECK(reading::texts(read(", TableName: beds, Metadata: {}, Properties: {TableName: things}").warnings) ==
        Texts{"table \"things\": TableName is left out, since it is not within Properties"});
}

}  // namespace dinette::definitions::simple_table_test

#include "definitions/reading.h"

/// Folders that CDK synthesizes. Their layout was seen in those of aws-cdk-lib 2.276.0.
// docs/definitions/cloudformation.md section 6.
namespace dinette::definitions::cloud_assembly_test {
namespace {

using reading::Texts;

/// Reads an assembly whose other files are these.
Definitions read(std::string_view manifest, const std::map<std::string, std::string>& files) {
  Surroundings surroundings;
  surroundings.read_file = [&files](const std::filesystem::path& file) -> std::optional<std::string> {
    const auto found = files.find(file.string());
    return found == files.end() ? std::nullopt : std::optional(found->second);
  };
  return read_definitions(manifest, "cdk.out/manifest.json", surroundings);
}

}  // namespace

TEST_CASE("A folder of CDK is read with its stacks, nested stacks and inner assemblies", "[definitions]") {
  const Definitions definitions = reading::read_input("assembly");
  CHECK(definitions.format == "a cloud assembly of CDK");
  CHECK(reading::texts(definitions.errors).empty());
  CHECK(reading::names(definitions) ==
        Texts{"orders-eu-west-1-111111111111", "orders-eu-west-1-111111111111-lines", "Test-More-table"});
}

TEST_CASE("A stack of an assembly imports what another one exports, in any order", "[definitions]") {
  const Definitions definitions = reading::read_input("assembly");
  REQUIRE(definitions.triggers.size() == 1);
  CHECK(definitions.triggers[0].table == "orders-eu-west-1-111111111111");
  CHECK(definitions.triggers[0].function == "on-order");
}

TEST_CASE("Files of an assembly that are missing are errors", "[definitions]") {
  const Definitions definitions = read(
      R"({"version": "1", "artifacts": {"A": {"type": "aws:cloudformation:stack", "properties": {"templateFile": "A.json"}},
          "B": {"type": "cdk:cloud-assembly", "properties": {"directoryName": "inner"}}}})",
      {});
  REQUIRE(definitions.errors.size() == 2);
  CHECK(definitions.errors[0].place.text() == "cdk.out/A.json");
  CHECK(definitions.errors[0].text == "it cannot be read");
  CHECK(definitions.errors[1].place.text() == "cdk.out/inner/manifest.json");
}

TEST_CASE("An assembly that contains itself is an error", "[definitions]") {
  std::string manifest = R"({"version": "1", "artifacts": {)";
  for (int i = 0; i < 20; ++i) {
    manifest += (i == 0 ? "\"" : ", \"") + std::to_string(i) +
                R"(": {"type": "cdk:cloud-assembly", "properties": {"directoryName": "."}})";
  }
  manifest += "}}";
  std::map<std::string, std::string> files;
  std::string folder = "cdk.out/";
  for (int i = 0; i < 8; ++i) files[(folder += "./") + "manifest.json"] = manifest;
  const Definitions definitions = read(manifest, files);
  REQUIRE_FALSE(definitions.errors.empty());
  CHECK(definitions.errors.back().text == "too many files refer to each other");
}

TEST_CASE("A nested stack that contains itself ends", "[definitions]") {
  std::string text = R"({"Resources": {)";
  for (int i = 0; i < 20; ++i) {
    text += (i == 0 ? "\"S" : ", \"S") + std::to_string(i) +
            R"(": {"Type": "AWS::CloudFormation::Stack", "Metadata":
                   {"aws:asset:path": "self.json", "aws:asset:property": "TemplateURL"}})";
  }
  text += "}}";
  Surroundings surroundings;
  int reads = 0;
  surroundings.read_file = [&text, &reads](const std::filesystem::path&) {
    ++reads;
    return std::optional(text);
  };
  const Definitions definitions = read_definitions(text, "self.json", surroundings);
  CHECK(reads == 500);
  CHECK_FALSE(definitions.warnings.empty());
}

TEST_CASE("All stacks of an assembly together may only do so much work", "[definitions][volume]") {
  std::string artifacts;
  std::map<std::string, std::string> files;
  for (int i = 0; i < 8; ++i) {
    const std::string name = std::to_string(i) + ".json";
    artifacts += (i == 0 ? "\"" : ", \"") + std::to_string(i) +
                 R"(": {"type": "aws:cloudformation:stack", "properties": {"templateFile": ")" + name +
                 R"("}})";
    std::string values;
    for (int value = 0; value < 400; ++value)
      values += (value == 0 ? "\"" : ", \"") + std::to_string(value) + '"';
    files["cdk.out/" + name] = R"({"Resources": {"Fn::ForEach::A": ["A", [)" + values +
                               R"(], {"Fn::ForEach::B": ["B", [)" + values +
                               R"(], {"T${A}x${B}": {"Type": "AWS::SNS::Topic"}}]}]}})";
  }
  const Definitions definitions = read(R"({"version": "1", "artifacts": {)" + artifacts + "}}", files);
  REQUIRE_FALSE(definitions.errors.empty());
  CHECK(definitions.errors.back().text == "the template makes too many values, or too long ones");
}

TEST_CASE("Nested stacks that CDK has not written are not followed", "[definitions]") {
  CHECK(reading::texts(
            reading::read(
                "Resources: {Inner: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: ./a.yaml}}}")
                .warnings) == Texts{"stack \"Inner\" is not followed"});
}

}  // namespace dinette::definitions::cloud_assembly_test

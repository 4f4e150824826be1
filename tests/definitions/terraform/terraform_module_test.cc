#include <filesystem>
#include <fstream>
#include <string>

#include "definitions/defined.h"
#include "support/temporary_folder.h"

// Configurations of several files, in HCL and in JSON: docs/definitions/terraform.md section 4.
namespace dinette::definitions::terraform_module_test {
namespace {

using namespace defined;

constexpr std::string_view module = "terraform-module";

std::filesystem::path file_of(std::string_view name) {
  return std::filesystem::path(DINETTE_DEFINITIONS_INPUTS) / module / name;
}

/// Returns a tag of the table of main.tf.
std::string tag(std::string_view key, const Surroundings& surroundings = {}) {
  const Definitions found = read_input(module, surroundings);
  for (const Node& one : table_in(found, "dev-beds").create.find("Tags")->elements()) {
    if (one.find("Key")->scalar() == key) return one.find("Value")->scalar();
  }
  return "none";
}

struct Module {
  test::TemporaryFolder folder;

  void write(const std::string& name, std::string_view content) const {
    std::ofstream(folder.path() / name) << content;
  }
  Definitions read() const { return read_definitions(folder.path(), {}); }
};

}  // namespace

TEST_CASE("the files of a folder are one configuration", "[definitions]") {
  const Definitions found = read_input(module);
  CHECK(found.format == "a configuration of Terraform");
  CHECK(names_of(found.tables) == Texts{"dev-beds", "dev-beds-north", "dev-beds-south"});
  CHECK(table_in(found, "dev-beds").place.text() == file_of("main.tf").string() + ", line 6");
  CHECK(
      create_in(found, "dev-beds") ==
      R"({"KeySchema":[{"AttributeName":"bed","KeyType":"HASH"}],)"
      R"("AttributeDefinitions":[{"AttributeName":"bed","AttributeType":"S"}],"BillingMode":"PAY_PER_REQUEST",)"
      R"("Tags":[{"Key":"Owner","Value":"ops"},{"Key":"Season","Value":"autumn"},{"Key":"Depth","Value":"20"}],)"
      R"("TableName":"dev-beds"})");
}

TEST_CASE("JSON is read as the blocks that it stands for", "[definitions]") {
  const Definitions found = read_input(module);
  CHECK(
      create_in(found, "dev-beds-north") ==
      R"({"KeySchema":[{"AttributeName":"lot","KeyType":"HASH"}],)"
      R"("AttributeDefinitions":[{"AttributeName":"lot","AttributeType":"S"},)"
      R"({"AttributeName":"year","AttributeType":"N"}],)"
      R"("ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":3},)"
      R"("GlobalSecondaryIndexes":[{"IndexName":"by-year","KeySchema":[{"AttributeName":"year","KeyType":"HASH"}],)"
      R"("Projection":{"ProjectionType":"KEYS_ONLY"},)"
      R"("ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}],)"
      R"("Tags":[{"Key":"Team","Value":"garden"}],"TableName":"dev-beds-north"})");
  CHECK(follow_up_in(found, "dev-beds-north", "UpdateTimeToLive") ==
        R"({"TimeToLiveSpecification":{"AttributeName":"until","Enabled":true}})");
  CHECK(items_in(found, "dev-beds-north") == R"([{"lot":{"S":"x"}}])");
  REQUIRE(found.errors.size() == 1);
  CHECK(
      found.errors[0].text.starts_with("table \"zones\": aws_dynamodb_table.zones is not literal (block "
                                       "\"dynamic\"); run terraform plan"));
  CHECK(found.errors[0].place.text() == file_of("more.tf.json").string() + ", line 24");
}

TEST_CASE("files that override others are left out with a warning, and regions are those of providers",
          "[definitions]") {
  const Definitions found = read_input(module);
  CHECK(texts_of(found.warnings) ==
        Texts{"it is not read, because files of this name change blocks of others",
              "tables of region us-west-2 are made in us-east-1: \"dev-beds-north\", \"dev-beds-south\""});
  CHECK(found.warnings[0].place.text() == file_of("beds_override.tf").string());
}

TEST_CASE("of the values of a variable, the user's counts, then that of the last file", "[definitions]") {
  CHECK(tag("Season") == "autumn");
  Surroundings surroundings;
  surroundings.variable_files = {file_of("winter.tfvars")};
  CHECK(tag("Season", surroundings) == "winter");
  surroundings.parameters["season"] = "none";
  CHECK(tag("Season", surroundings) == "none");
  CHECK(tag("Owner", surroundings) == "ops");
}

TEST_CASE("a file of values may be named for a single file, too", "[definitions]") {
  Surroundings surroundings;
  surroundings.variable_files = {file_of("terraform.tfvars"), file_of("missing.tfvars")};
  const Definitions found = read_definitions(
      "variable \"owner\" {\n}\nresource \"aws_dynamodb_table\" \"t\" {\n  name = \"of-${var.owner}\"\n"
      "  hash_key = \"id\"\n  attribute {\n    name = \"id\"\n    type = \"S\"\n  }\n}\n",
      "main.tf", surroundings);
  CHECK(names_of(found.tables) == Texts{"of-ops"});
  REQUIRE(found.errors.size() == 1);
  CHECK(found.errors[0].place.text() + ": " + found.errors[0].text ==
        file_of("missing.tfvars").string() + ": it cannot be read");
}

TEST_CASE("a variable of another file is not known to one file alone", "[definitions]") {
  const Definitions found = read_input("terraform-module/main.tf");
  REQUIRE(found.errors.size() == 1);
  CHECK(found.errors[0].text.find(
            "(variable \"prefix\" is not declared here; read the folder of its module, or "
            "give it by --param prefix=VALUE)") != std::string::npos);
}

TEST_CASE("a file in JSON is recognised by its blocks", "[definitions]") {
  const Definitions found = read_definitions(
      R"({"resource": [{"aws_dynamodb_table": [{"t": [{"name": "list-of-lists", "hash_key": "id",)"
      R"("attribute": {"name": "id", "type": "S"}}]}]}], "output": {}})",
      "cdk.tf.json", {});
  CHECK(found.format == "a configuration of Terraform in JSON");
  CHECK(names_of(found.tables) == Texts{"list-of-lists"});
  CHECK(read_definitions(R"({"resource": {}, "other": {}})", "x.json", {}).format.empty());
}

TEST_CASE("comments in JSON are not read", "[definitions]") {
  const Definitions found = read_definitions(
      R"json({"resource": {"aws_dynamodb_table": {"t": {"//": "${lower(\"A\")}", "name": "things", "hash_key": "id",)json"
      R"json("attribute": [{"//": {"metadata": {"path": "a"}}, "name": "id", "type": "S"}]}}}})json",
      "cdk.tf.json", {});
  CHECK(found.errors.empty());
  CHECK(names_of(found.tables) == Texts{"things"});
}

TEST_CASE("a variable in JSON has a type, and a value of the user's that is an expression", "[definitions]") {
  Surroundings surroundings;
  surroundings.parameters["names"] = "[\"first\", \"second\"]";
  const Definitions found = read_definitions(
      R"json({"variable": {"names": {"type": "list(string)"}}, "resource": {"aws_dynamodb_table": {"t": {)json"
      R"("name": "${var.names[1]}", "hash_key": "id", "attribute": [{"name": "id", "type": "S"}]}}}})",
      "main.tf.json", surroundings);
  CHECK(names_of(found.tables) == Texts{"second"});
}

TEST_CASE("a file with an error does not hinder the others", "[definitions]") {
  const Module m;
  m.write("a.tf", "locals {\n  a 1\n}\n");
  m.write("b.tf.json", "{\"resource\": ");
  m.write("c.tf",
          "resource \"aws_dynamodb_table\" \"t\" {\n  name = \"things\"\n  hash_key = \"id\"\n"
          "  attribute {\n    name = \"id\"\n    type = \"S\"\n  }\n}\n");
  m.write(".hidden.tf", "locals {\n");
  m.write("notes.txt", "locals {\n");
  const Definitions found = m.read();
  CHECK(names_of(found.tables) == Texts{"things"});
  REQUIRE(found.errors.size() == 2);
  CHECK(found.errors[0].place.text() == (m.folder.path() / "a.tf").string() + ", line 2");
  CHECK(found.errors[1].place.text().starts_with((m.folder.path() / "b.tf.json").string()));
}

TEST_CASE("the files of a folder together are limited", "[definitions]") {
  const Module m;
  const std::string half = "locals {\n  a = \"" + std::string(3 << 20, 'x') + "\"\n}\n";
  m.write("a.tf", half);
  m.write("b.tf", half);
  CHECK(texts_of(m.read().errors) == Texts{"more than 4194304 bytes of configuration"});
  std::string words = "locals {\n  a = [";
  for (int i = 0; i < 150'000; ++i) words += "1,";
  m.write("a.tf", words + "]\n}\n");
  m.write("b.tf", words + "]\n}\n");
  CHECK(texts_of(m.read().errors) == Texts{"more than 500000 words and signs in all files"});
}

}  // namespace dinette::definitions::terraform_module_test

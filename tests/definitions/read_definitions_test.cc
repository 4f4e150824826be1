#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>
#include <sys/stat.h>

#include "dinette/definitions/definitions.h"

#include "definitions/read_file.h"
#include "support/temporary_folder.h"

namespace dinette::definitions::read_definitions_test {
namespace {

std::string only_error(const Definitions& definitions) {
  CHECK(definitions.tables.empty());
  REQUIRE(definitions.errors.size() == 1);
  return definitions.errors.front().place.text() + ": " + definitions.errors.front().text;
}

}  // namespace

TEST_CASE("A file that is no YAML is an error with its line", "[definitions]") {
  CHECK(only_error(read_definitions("a: [1\nb: 2", "file.yaml", {})).starts_with("file.yaml, line 2: "));
}

TEST_CASE("A file of an unknown format is an error that says which formats are known", "[definitions]") {
  CHECK(only_error(read_definitions("a: 1", "file.yaml", {}))
            .starts_with("file.yaml: its format is not known; these are read: "));
}

TEST_CASE("A path that cannot be read is an error that names it", "[definitions]") {
  const test::TemporaryFolder folder;
  CHECK(only_error(read_definitions(folder.path() / "none.yaml", {})) ==
        (folder.path() / "none.yaml").string() + ": it cannot be read");
  CHECK(
      only_error(read_definitions(folder.path(), {})) ==
      folder.path().string() +
          ": the folder has neither a manifest.json, as cloud assemblies of CDK have (cdk.out), nor *.tf, as "
          "modules of Terraform have");
  const auto pipe = folder.path() / "pipe.yaml";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(only_error(read_definitions(pipe, {})) == pipe.string() + ": it cannot be read");
}

TEST_CASE("Only what is in a folder is within it, links followed", "[definitions]") {
  const test::TemporaryFolder folder;
  const auto inner = folder.path() / "inner";
  std::filesystem::create_directories(inner / "deep");
  std::ofstream(folder.path() / "outside") << "x";
  std::ofstream(inner / "deep" / "inside") << "y";
  std::filesystem::create_symlink(folder.path() / "outside", inner / "link");
  CHECK(is_within(inner, inner / "deep" / "inside"));
  CHECK_FALSE(is_within(inner, inner / ".." / "outside"));
  CHECK_FALSE(is_within(inner, inner / "link"));
  CHECK_FALSE(is_within(inner, folder.path() / "inner2"));
  CHECK(read_regular_file(inner / "deep" / "inside") == "y");
}

TEST_CASE("A key twice is a warning, and hinders no table", "[definitions]") {
  const Definitions definitions = read_definitions(
      "Resources:\n"
      "  Orders: {Type: AWS::Serverless::SimpleTable, Properties: {TableName: first, TableName: orders}}\n"
      "  Topic: {Type: AWS::SNS::Topic, Type: AWS::SNS::Topic}\n",
      "t.yaml", {});
  CHECK(definitions.errors.empty());
  REQUIRE(definitions.tables.size() == 1);
  CHECK(definitions.tables[0].name == "orders");
  REQUIRE(definitions.warnings.size() == 2);
  CHECK(definitions.warnings[0].text == "the key \"TableName\" is there twice; its last value is read");
  CHECK(definitions.warnings[0].place.text() == "t.yaml, line 2");
}

}  // namespace dinette::definitions::read_definitions_test

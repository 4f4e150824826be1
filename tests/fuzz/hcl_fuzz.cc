#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "dinette/definitions/definitions.h"

#include "definitions/format.h"
#include "definitions/terraform/configuration.h"
#include "definitions/terraform/terraform.h"

/// Any bytes as a configuration of Terraform, whatever they begin with, and as values of its variables.
namespace dinette::definitions {
namespace {

void expect(bool holds) {
  if (!holds) std::abort();
}

void expect_usable(const Definitions& read) {
  for (const TableDefinition& table : read.tables) {
    expect(table.name.size() >= 3 && !table.id.empty());
    expect(!to_json(table.create).empty());
    for (const Node& item : table.items) expect(item.is_map());
  }
  for (const Note& error : read.errors) expect(!error.text.empty());
}

void read_as_configuration(std::string_view content) {
  Surroundings surroundings;
  surroundings.parameters["given"] = "[\"a\", {b = 1}]";
  Definitions read;
  terraform_configuration_format.read(content, {"main.tf", surroundings}, read);
  expect_usable(read);
}

/// As values of variables, in both syntaxes.
void read_as_values(std::string_view content) {
  const Surroundings surroundings;
  for (const hcl::Syntax syntax : {hcl::Syntax::hcl, hcl::Syntax::json}) {
    Definitions read;
    hcl::ConfigurationFiles files(read);
    files.add_values("a.tfvars", content, syntax);
    files.add_configuration(
        "main.tf", "variable \"a\" {\n}\nresource \"aws_dynamodb_table\" \"t\" {\n  name = var.a\n}\n",
        hcl::Syntax::hcl);
    read_configuration_files(files, {"main.tf", surroundings}, read);
    expect_usable(read);
  }
}

}  // namespace
}  // namespace dinette::definitions

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dinette::definitions::read_as_configuration({reinterpret_cast<const char*>(data), size});
  dinette::definitions::read_as_values({reinterpret_cast<const char*>(data), size});
  return 0;
}

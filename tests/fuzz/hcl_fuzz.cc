#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "dinette/definitions/definitions.h"

#include "definitions/format.h"
#include "definitions/terraform/terraform.h"

/// Any bytes as a configuration of Terraform, whatever they begin with.
namespace dinette::definitions {
namespace {

void expect(bool holds) {
  if (!holds) std::abort();
}

void read_as_configuration(std::string_view content) {
  Surroundings surroundings;
  surroundings.parameters["given"] = "[\"a\", {b = 1}]";
  Definitions read;
  terraform_configuration_format.read(content, {"main.tf", surroundings}, read);
  for (const TableDefinition& table : read.tables) {
    expect(table.name.size() >= 3 && !table.id.empty());
    expect(!to_json(table.create).empty());
    for (const Node& item : table.items) expect(item.is_map());
  }
  for (const Note& error : read.errors) expect(!error.text.empty());
}

}  // namespace
}  // namespace dinette::definitions

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dinette::definitions::read_as_configuration({reinterpret_cast<const char*>(data), size});
  return 0;
}

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "dinette/definitions/definitions.h"

/// Any bytes as a file of table definitions: YAML, JSON, and the formats that are recognised in them. There
/// are neither other files nor an environment.
namespace {

namespace definitions = dinette::definitions;

void expect(bool holds) {
  if (!holds) std::abort();
}

/// What every table that is read must have, so that it can be created.
void expect_usable(const definitions::TableDefinition& table) {
  const definitions::Node* const name = table.create.find("TableName");
  expect(name != nullptr && name->scalar() == table.name);
  expect(table.create.has("KeySchema") && table.create.has("AttributeDefinitions"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view content{reinterpret_cast<const char*>(data), size};
  const definitions::Definitions read = definitions::read_definitions(content, "template.yaml", {});
  for (const definitions::TableDefinition& table : read.tables) expect_usable(table);
  return 0;
}

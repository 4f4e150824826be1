#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/definitions/definitions.h"

/// Any bytes as a service of the Serverless Framework. What follows a line of `%%` is the content of every
/// file that it refers to.
namespace dinette::definitions {
namespace {

void expect(bool holds) {
  if (!holds) std::abort();
}

void read_as_service(std::string_view content) {
  constexpr std::string_view separator = "\n%%\n";
  const std::string_view service = content.substr(0, content.find(separator));
  const std::string other(content.substr(std::min(service.size() + separator.size(), content.size())));
  Surroundings surroundings;
  surroundings.stage = "dev";
  surroundings.environment = [](const std::string& name) {
    return name == "A" ? std::optional(name) : std::nullopt;
  };
  surroundings.read_file = [&other](const std::filesystem::path&) { return std::optional(other); };
  const std::string whole = "service: a\nprovider: {name: aws}\n" + std::string(service);
  const Definitions read = read_definitions(whole, "serverless.yml", surroundings);
  for (const TableDefinition& table : read.tables) {
    expect(table.name.size() >= 3 && !table.id.empty());
    expect(!to_json(table.create).empty());
  }
  for (const Note& error : read.errors) expect(!error.text.empty());
  for (const Trigger& trigger : read.triggers) expect(!trigger.table.empty());
}

}  // namespace
}  // namespace dinette::definitions

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dinette::definitions::read_as_service({reinterpret_cast<const char*>(data), size});
  return 0;
}

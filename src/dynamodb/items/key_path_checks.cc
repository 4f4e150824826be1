#include "dynamodb/items/key_path_checks.h"

#include <algorithm>
#include <string>

namespace dinette::dynamodb {

Answer<void> check_key_paths(const TableSchema& schema, std::span<const std::string_view> reached_into) {
  const auto refuse = [](std::string_view role, std::string_view attribute) {
    return validation(
        "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: " +
        std::string(role) + ": " + std::string(attribute));
  };
  for (const std::string_view attribute : reached_into) {
    if (schema.is_key(attribute)) return refuse("Key", attribute);
    const auto has_as_key = [&](const IndexSchema& index) {
      return !index.vector && index.is_key(attribute);
    };
    if (std::ranges::any_of(schema.indexes(), has_as_key)) return refuse("IndexKey", attribute);
  }
  return {};
}

}  // namespace dinette::dynamodb

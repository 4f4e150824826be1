#include "dynamodb/writes/key_update_checks.h"

#include <string>

namespace dinette::dynamodb {

Answer<void> check_leaves_key_alone(const TableSchema& schema, std::span<const std::string_view> attributes) {
  for (const std::string_view attribute : attributes) {
    if (!schema.is_key(attribute)) continue;
    return invalid("Cannot update attribute " + std::string(attribute) +
                   ". This attribute is part of the key");
  }
  return {};
}

}  // namespace dinette::dynamodb

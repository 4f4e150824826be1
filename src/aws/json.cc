#include "dinette/aws/json.h"

namespace dinette::aws {

std::optional<JsonElement> member_of(JsonObject structure, std::string_view name) {
  std::optional<JsonElement> found;
  for (const auto field : structure) {
    if (field.key == name && !field.value.is_null()) found = field.value;
  }
  return found;
}

}  // namespace dinette::aws

#include "dinette/aws/json.h"

namespace dinette::aws {
namespace {

/// Makes the statics that simdjson keeps for the process before all others, so that they are destroyed after
/// them: a server that is itself a static has threads that read JSON until its destructor ends them.
[[gnu::constructor(101)]] void make_statics_of_simdjson() {
  simdjson::dom::parser parser;
  static_cast<void>(parser.parse(std::string_view("0")));
}

}  // namespace

std::optional<JsonElement> member_of(JsonObject structure, std::string_view name) {
  std::optional<JsonElement> found;
  for (const auto field : structure) {
    if (field.key == name && !field.value.is_null()) found = field.value;
  }
  return found;
}

}  // namespace dinette::aws

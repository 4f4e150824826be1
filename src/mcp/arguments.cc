#include "mcp/arguments.h"

#include <algorithm>
#include <cstddef>

namespace dinette::mcp {
namespace {

using Problem = std::optional<std::string>;

bool has_type(const Json& value, const std::string& type) {
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  if (type == "array") return value.is_array();
  return value.is_object();
}

/// Returns "a string", "an integer"; of several types "a string or a number".
std::string named(const Json& type) {
  if (type.is_array()) {
    std::string all;
    for (const Json& one : type) all += (all.empty() ? "" : " or ") + named(one);
    return all;
  }
  const auto name = type.get<std::string>();
  return (name.find_first_of("aio") == 0 ? "an " : "a ") + name;
}

bool fits_type(const Json& value, const Json& type) {
  if (type.is_string()) return has_type(value, type.get<std::string>());
  return std::ranges::any_of(type, [&](const Json& one) { return has_type(value, one.get<std::string>()); });
}

Problem range_problem(const Json& schema, const Json& value) {
  if (!value.is_number() || !schema.contains("minimum")) return std::nullopt;
  if (value >= schema["minimum"] && value <= schema["maximum"]) return std::nullopt;
  return "must be from " + text_of(schema["minimum"]) + " to " + text_of(schema["maximum"]);
}

Problem value_problem(const Json& schema, const Json& value) {
  if (schema.contains("type") && !fits_type(value, schema["type"])) return "must be " + named(schema["type"]);
  if (schema.contains("enum") && std::ranges::find(schema["enum"], value) == schema["enum"].end())
    return "must be one of " + text_of(schema["enum"]);
  if (value.is_string() && schema.contains("maxLength") &&
      value.get_ref<const std::string&>().size() > schema["maxLength"].get<std::size_t>())
    return "is too long";
  if (value.is_array() && schema.contains("items")) {
    for (const Json& one : value) {
      if (const auto problem = value_problem(schema["items"], one)) return "has an element that " + *problem;
    }
  }
  return range_problem(schema, value);
}

std::string known_names(const Json& properties) {
  std::string names;
  for (const auto& [name, schema] : properties.items()) names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? "it takes none" : "it takes " + names;
}

}  // namespace

std::optional<std::string> argument_problem(const Json& schema, const Json& arguments) {
  const Json& properties = schema["properties"];
  for (const auto& [name, value] : arguments.items()) {
    if (!properties.contains(name)) return "there is no argument '" + name + "'; " + known_names(properties);
    if (value.is_null()) continue;
    if (const auto problem = value_problem(properties[name], value))
      return "the argument '" + name + "' " + *problem;
  }
  for (const Json& name : schema["required"]) {
    const auto found = arguments.find(name.get_ref<const std::string&>());
    if (found == arguments.end() || found->is_null())
      return "the argument '" + name.get<std::string>() + "' is missing";
  }
  return std::nullopt;
}

}  // namespace dinette::mcp

#include "mcp/arguments.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "dinette/base/ascii.h"

#include "mcp/nearest_first.h"

namespace dinette::mcp {
namespace {

using Problem = std::optional<std::string>;

/// Names of worlds and ids of snapshots become parts of paths and headers.
constexpr std::array<const char*, 4> names_in_requests{"world", "name", "from", "id"};
constexpr std::size_t most_name_bytes = 128;

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
  if (value.is_array() && schema.contains("maxItems") && value.size() > schema["maxItems"].get<std::size_t>())
    return "has more than " + text_of(schema["maxItems"]) + " elements";
  if (value.is_array() && schema.contains("items")) {
    for (const Json& one : value) {
      if (const auto problem = value_problem(schema["items"], one)) return "has an element that " + *problem;
    }
  }
  return range_problem(schema, value);
}

std::string known_names(const Json& properties, const std::string& given) {
  std::vector<std::string> all;
  for (const auto& [name, schema] : properties.items()) all.push_back(name);
  if (all.empty()) return "it takes none";
  std::string names;
  for (const std::string& name : nearest_first(std::move(all), given))
    names += (names.empty() ? "it takes " : ", ") + name;
  return names;
}

/// Returns what the schema of an argument says of it, for the end of a sentence.
std::string purpose(const Json& schema) {
  return schema.contains("description") ? ": " + schema["description"].get<std::string>() : "";
}

bool is_name(const std::string& text) {
  const auto allowed = [](char c) { return base::is_word_character(c) || c == '-' || c == '.'; };
  return !text.empty() && text.size() <= most_name_bytes && base::is_word_character(text.front()) &&
         std::ranges::all_of(text, allowed);
}

}  // namespace

std::optional<std::string> argument_problem(const Json& schema, const Json& arguments) {
  const Json& properties = schema["properties"];
  for (const auto& [name, value] : arguments.items()) {
    if (!properties.contains(name))
      return "there is no argument '" + name + "'; " + known_names(properties, name);
    if (value.is_null()) continue;
    if (const auto problem = value_problem(properties[name], value))
      return "the argument '" + name + "' " + *problem + purpose(properties[name]);
  }
  for (const Json& required : schema["required"]) {
    const auto name = required.get<std::string>();
    const auto found = arguments.find(name);
    if (found != arguments.end() && !found->is_null()) continue;
    const Json& wanted = properties[name];
    return "the argument '" + name + "' is missing, " + named(wanted["type"]) + purpose(wanted);
  }
  return std::nullopt;
}

std::optional<std::string> name_problem(const Json& arguments) {
  for (const char* name : names_in_requests) {
    const auto found = arguments.find(name);
    if (found == arguments.end() || found->is_null()) continue;
    if (!is_name(found->get_ref<const std::string&>()))
      return "the argument '" + std::string(name) +
             "' is not a valid name: letters, digits, '-', '_' and '.', up to 128";
  }
  return std::nullopt;
}

}  // namespace dinette::mcp

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "tablestore/search/document.h"

namespace dinette::tablestore::search {
namespace {

using Json = nlohmann::json;

/// Returns true for a whole number that an Integer can be.
bool is_integer(const Json& element) {
  if (!element.is_number_unsigned()) return element.is_number_integer();
  return element.get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()};
}

/// Adds one element of an array. Those of another type than the field's are left out.
void add_element(const Field& field, const Json& element, Document& document);

/// Adds the members of an object that the field has fields for. Each may be an array.
// NOLINTNEXTLINE(misc-no-recursion): as deep as fields may be inside others
void add_members(const Field& field, const Json& object, Document& document) {
  for (const auto& [name, value] : object.items()) {
    const auto member = std::ranges::find(field.fields, std::string_view(name), &Field::own_name);
    if (member == field.fields.end()) continue;
    if (value.is_array()) {
      for (const Json& element : value) add_element(*member, element, document);
    } else {
      add_element(*member, value, document);
    }
  }
}

/// Adds an object. One of a field of type NESTED is a document of its own; those of type JSON are not kept
/// apart (tablestore/search-index.md section 2).
// NOLINTNEXTLINE(misc-no-recursion)
void add_object(const Field& field, const Json& object, Document& document) {
  if (!object.is_object()) return;
  if (field.type == api::FieldType::json) return add_members(field, object, document);
  Document inner;
  add_members(field, object, inner);
  document.nested[field.name].push_back(std::move(inner));
}

// NOLINTNEXTLINE(misc-no-recursion)
void add_element(const Field& field, const Json& element, Document& document) {
  const bool has_objects = field.type == api::FieldType::nested || field.type == api::FieldType::json;
  if (has_objects) return add_object(field, element, document);
  std::optional<FieldValue> value;
  if (element.is_boolean()) {
    value = field_value_of(field, Value::boolean(element.get<bool>()));
  } else if (is_integer(element)) {
    value = field_value_of(field, Value::integer(element.get<std::int64_t>()));
  } else if (element.is_number()) {
    value = field_value_of(field, Value::real(element.get<double>()));
  } else if (element.is_string()) {
    value = field_value_of(field, Value::string(element.get_ref<const std::string&>()));
  }
  if (value) document.values[field.name].push_back(*std::move(value));
}

}  // namespace

std::optional<Vector> read_vector(std::string_view text) {
  const Json content = Json::parse(text, nullptr, false);
  if (!content.is_array()) return std::nullopt;
  Vector vector;
  for (const Json& element : content) {
    if (!element.is_number()) return std::nullopt;
    vector.push_back(element.get<float>());
  }
  return vector;
}

void add_json(const Field& field, std::string_view text, Document& document) {
  const Json content = Json::parse(text, nullptr, false);
  if (content.is_array()) {
    for (const Json& element : content) add_element(field, element, document);
  } else if (content.is_object()) {
    add_element(field, content, document);
  }
}

}  // namespace dinette::tablestore::search

#include <cstdint>
#include <limits>
#include <string>
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

/// Adds an object of a field of type NESTED: it is a document of its own.
void add_object(const Field& field, const Json& object, Document& document) {
  if (!object.is_object()) return;
  Document inner;
  for (const Field& member : field.fields) {
    const auto found = object.find(std::string(member.own_name()));
    if (found == object.end()) continue;
    if (found->is_array()) {
      for (const Json& element : *found) add_element(member, element, inner);
    } else {
      add_element(member, *found, inner);
    }
  }
  document.nested[field.name].push_back(std::move(inner));
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as fields may be inside others
void add_element(const Field& field, const Json& element, Document& document) {
  if (field.type == api::FieldType::nested) return add_object(field, element, document);
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

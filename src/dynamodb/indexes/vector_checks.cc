#include "dynamodb/indexes/vector_checks.h"

#include <cstddef>
#include <string>

#include "dynamodb/api/limits.h"
#include "dynamodb/model/float_vector.h"

namespace dinette::dynamodb {
namespace {

using model::AttributeValue;

std::string type_of(const AttributeValue& value) {
  return std::string(model::type_name(value.type()));
}

/// The full stop is the service's, where others have a colon.
base::Failure<ApiError> refused_vector(const IndexSchema& index, const std::string& sentence) {
  return validation("One or more parameter values were invalid. " + sentence + " IndexName: " + index.name);
}

Answer<void> check_element(const IndexSchema& index, const AttributeValue& element, std::size_t position) {
  const std::string parameter = index.vector->attribute + "[" + std::to_string(position) + "]";
  const auto* number = element.get_if<model::Number>();
  if (!number) {
    return refused_vector(index, "Invalid type for parameter " + parameter +
                                     ", Expected: 32-bit floating point number, Actual: " + type_of(element) +
                                     ".");
  }
  if (model::to_float(*number)) return {};
  const std::string largest = model::largest_float_text;
  return refused_vector(index, "Invalid value for parameter " + parameter +
                                   ", Value: " + model::scientific_text(*number) +
                                   " is outside valid range [-" + largest + ", " + largest + "].");
}

Answer<void> check_vector(const IndexSchema& index, const AttributeValue& value) {
  const std::string& attribute = index.vector->attribute;
  const auto* list = value.get_if<model::List>();
  if (!list) {
    return refused_vector(
        index, "Invalid type for parameter " + attribute + ", Expected: 32-bit floating point number list");
  }
  if (list->size() != index.vector->dimensions) {
    return refused_vector(index, "Invalid size for parameter " + attribute +
                                     ", Expected: " + std::to_string(index.vector->dimensions) +
                                     ", Actual: " + std::to_string(list->size()));
  }
  if (model::is_float_vector(value, list->size())) return {};
  for (std::size_t i = 0; i < list->size(); ++i) DINETTE_CHECK(check_element(index, (*list)[i], i));
  return {};
}

/// Returns the bytes of a text or binary; numbers are never too long.
std::size_t length_in_schema(const AttributeValue& value) {
  if (const auto* text = value.get_if<std::string>()) return text->size();
  if (const auto* binary = value.get_if<model::Binary>()) return binary->bytes.size();
  return 0;
}

Answer<void> check_search_attribute(const IndexSchema& index, const KeyAttribute& attribute,
                                    const AttributeValue& value) {
  if (value.type() != attribute.type) {
    return validation("One or more parameter values were invalid. Attribute '" + attribute.name +
                      "' type mismatch. Expected: " + std::string(model::type_name(attribute.type)) +
                      ", Actual: " + type_of(value) + ". IndexName: " + index.name);
  }
  const std::size_t length = length_in_schema(value);
  if (!attribute.hash) {
    if (length <= model::limits::inline_filter_bytes) return {};
    return invalid("Size limit exceeded for SearchSchema attribute '" + attribute.name + "': maximum " +
                   std::to_string(model::limits::inline_filter_bytes) + " bytes");
  }
  if (length > model::limits::partition_key_bytes) {
    return invalid("Aggregate size for HASH key attributes exceeds the maximum of " +
                   std::to_string(model::limits::partition_key_bytes) + " bytes");
  }
  if (length > 0 || value.type() == model::Type::number) return {};
  return validation(
      "One or more parameter values are not valid. A value specified for a secondary index key is not "
      "supported. The AttributeValue for a key attribute cannot contain an empty " +
      std::string(value.type() == model::Type::string ? "string" : "binary") +
      " value. IndexName: " + index.name + ", IndexKey: " + attribute.name);
}

}  // namespace

Answer<void> check_vectors(const TableSchema& schema, const model::Item& item,
                           base::FunctionRef<bool(std::string_view)> is_written) {
  if (!schema.has_vector_indexes()) return {};
  for (const IndexSchema& index : schema.indexes()) {
    if (!index.vector) continue;
    const AttributeValue* const vector = item.find(index.vector->attribute);
    if (vector && is_written(index.vector->attribute)) DINETTE_CHECK(check_vector(index, *vector));
    for (const KeyAttribute& attribute : index.vector->search) {
      const AttributeValue* const value = item.find(attribute.name);
      if (value && is_written(attribute.name))
        DINETTE_CHECK(check_search_attribute(index, attribute, *value));
    }
  }
  return {};
}

}  // namespace dinette::dynamodb

#include "dynamodb/indexes/schema_words.h"

#include <algorithm>

#include "dynamodb/api/enums.h"

namespace dinette::dynamodb {

const api::AttributeDefinition* find_definition(const Definitions& definitions, std::string_view name) {
  const auto found = std::ranges::find(definitions, name, &api::AttributeDefinition::attribute_name);
  return found == definitions.end() ? nullptr : &*found;
}

std::string in_words(const std::vector<api::KeySchemaElement>& key_schema, const Definitions& first,
                     const Definitions& second) {
  std::string text;
  for (const auto& element : key_schema) {
    const auto* definition = find_definition(first, element.attribute_name);
    if (!definition) definition = find_definition(second, element.attribute_name);
    text += (text.empty() ? "SchemaElement: key{" : ", SchemaElement: key{") + element.attribute_name + ":" +
            std::string(to_string(definition->attribute_type)) + ":" +
            std::string(to_string(element.key_type)) + "}";
  }
  return "Schema:[" + text + "]";
}

std::string in_words(const api::VectorIndex& index) {
  return "VectorIndexSchema:[VectorAttribute: key{" + index.vector_attribute.attribute_name +
         ":L:" + std::to_string(index.dimensions) + "}]";
}

base::Failure<ApiError> redefined(std::string_view existing, std::string_view wanted) {
  return invalid(
      "Attributes cannot be redefined. Please check that your attribute has the same type as previously "
      "defined. Existing schema: " +
      std::string(existing) + " New schema: " + std::string(wanted));
}

}  // namespace dinette::dynamodb

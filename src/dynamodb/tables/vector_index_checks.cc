#include "dynamodb/tables/vector_index_checks.h"

#include <algorithm>
#include <cstddef>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/tables/index_definition_checks.h"

namespace dinette::dynamodb {
namespace {

using api::SearchSchemaElementType;
using SearchSchema = std::vector<api::SearchSchemaElement>;

Answer<void> check_role(const SearchSchema& schema, SearchSchemaElementType role, std::size_t most) {
  const auto count = static_cast<std::size_t>(
      std::ranges::count(schema, role, &api::SearchSchemaElement::search_schema_element_type));
  if (count <= most) return {};
  return invalid("Value '" + std::to_string(count) +
                 "' at 'SearchSchema' failed to satisfy constraint: Member must have " +
                 std::string(to_string(role)) + " count less than or equal to " + std::to_string(most));
}

Answer<void> check_search_schema(const SearchSchema& schema, const KeyNames& defined) {
  DINETTE_CHECK(check_role(schema, SearchSchemaElementType::hash, 1));
  DINETTE_CHECK(check_role(schema, SearchSchemaElementType::inline_filter, model::limits::vector_filters));
  KeyNames names;
  for (const auto& element : schema) {
    if (!names.insert(element.attribute_name).second)
      return invalid("SearchSchema contains a duplicate AttributeName");
  }
  if (std::ranges::includes(defined, names)) return {};
  return invalid("One element in SearchSchema is not defined in attribute definitions");
}

base::Failure<ApiError> conflicting(const std::string& attribute, std::string_view rule) {
  return invalid("Conflicting attribute definition for '" + attribute + "'. " + std::string(rule));
}

}  // namespace

Answer<void> check_vector_attributes(const api::VectorIndex& index, const KeyNames& defined) {
  if (index.search_schema) DINETTE_CHECK(check_search_schema(*index.search_schema, defined));
  const std::string& vector = index.vector_attribute.attribute_name;
  if (!defined.contains(vector)) return {};
  return conflicting(
      vector, "An attribute cannot be defined in AttributeDefinitions when used as a VectorAttribute.");
}

Answer<void> check_vector_definition(const api::VectorIndex& index) {
  DINETTE_CHECK(check_projection(index.projection));
  if (count_projected(index.projection) > model::limits::vector_projected_attributes) {
    return invalid("Number of projected attributes for index " + index.index_name + " exceeds the limit of " +
                   std::to_string(model::limits::vector_projected_attributes));
  }
  if (index.dimensions <= model::limits::vector_dimensions) return {};
  return invalid("Number of dimensions must be between 1 and " +
                 std::to_string(model::limits::vector_dimensions) + " inclusive.");
}

Answer<void> check_same_dimensions(std::span<const api::VectorIndex> indexes) {
  for (const api::VectorIndex& index : indexes) {
    const std::string& attribute = index.vector_attribute.attribute_name;
    const bool differs = std::ranges::any_of(indexes, [&](const api::VectorIndex& other) {
      return other.vector_attribute.attribute_name == attribute && other.dimensions != index.dimensions;
    });
    if (differs) {
      return conflicting(attribute,
                         "All VectorIndexes on the same vector attribute must use the same dimensions.");
    }
  }
  return {};
}

void add_search_names(KeyNames& names, const api::VectorIndex& index) {
  if (!index.search_schema) return;
  for (const auto& element : *index.search_schema) names.insert(element.attribute_name);
}

base::Failure<ApiError> only_on_demand() {
  return invalid("Vector indexes are only supported for PAY_PER_REQUEST tables");
}

}  // namespace dinette::dynamodb

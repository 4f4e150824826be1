#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dynamodb/api/attribute_definition.h"
#include "dynamodb/api/key_schema_element.h"
#include "dynamodb/api/vector_index.h"
#include "dynamodb/request/api_error.h"

/// How messages print the schemas of indexes.
namespace dinette::dynamodb {

using Definitions = std::vector<api::AttributeDefinition>;

/// Returns null if the attribute is not defined.
const api::AttributeDefinition* find_definition(const Definitions& definitions, std::string_view name);

/// Returns `Schema:[SchemaElement: key{a:S:HASH}]`, with types from the first definition. Each attribute must
/// be in one of both.
std::string in_words(const std::vector<api::KeySchemaElement>& key_schema, const Definitions& first,
                     const Definitions& second);
/// Returns `VectorIndexSchema:[VectorAttribute: key{a:L:3}]`.
std::string in_words(const api::VectorIndex& index);

/// Refuses an index that needs an attribute of another type than it has. Both are schemas in words.
base::Failure<ApiError> redefined(std::string_view existing, std::string_view wanted);

}  // namespace dinette::dynamodb

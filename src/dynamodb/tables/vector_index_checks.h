#pragma once

#include <span>
#include <string>

#include "dynamodb/api/search_schema_element.h"
#include "dynamodb/api/vector_index.h"
#include "dynamodb/request/api_error.h"
#include "dynamodb/tables/key_names.h"

/// The rules for the definition of an index of vectors, created with its table or later
/// (docs/service/vector-search.md, "CreateTable rejections" and "UpdateTable rejections").
namespace dinette::dynamodb {

/// Checks the attributes of an index against the definitions of the request: those of its search schema are
/// there, each once and in few enough roles, and its vector is not.
Answer<void> check_vector_attributes(const api::VectorIndex& index, const KeyNames& defined);

/// Checks the projection and the dimensions.
Answer<void> check_vector_definition(const api::VectorIndex& index);

/// Checks that indexes of the same attribute have the same dimensions.
Answer<void> check_same_dimensions(std::span<const api::VectorIndex> indexes);

/// Adds the attributes of its search schema.
void add_search_names(KeyNames& names, const api::VectorIndex& index);

base::Failure<ApiError> only_on_demand();

}  // namespace dinette::dynamodb

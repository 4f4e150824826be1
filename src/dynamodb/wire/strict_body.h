#pragma once

#include "dinette/aws/json.h"

#include "dynamodb/request/api_error.h"

/// SearchVectors has a reader of bodies of its own, which is stricter than that of other operations and words
/// what it refuses otherwise (docs/service/vector-search.md, "SearchVectors"). Its errors name a column of
/// the body; here it is that of the body without white space.
namespace dinette::dynamodb::wire {

/// Refuses members of other JSON types than declared, null among them.
Answer<void> check_search_types(aws::JsonElement body);

/// Refuses a body without a required member. To be called when all members have been read.
Answer<void> check_search_members(aws::JsonElement body);

}  // namespace dinette::dynamodb::wire

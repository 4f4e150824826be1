#pragma once

#include "dynamodb/api/types.h"
#include "dynamodb/ops/api_error.h"

namespace dinette::dynamodb::ops {

/// What the model's constraints cannot say about a new table: billing, keys against definitions, indexes,
/// stream, tags, in this order (facts: tables.md section 2, indexes.md section 1).
Answer<void> check_new_table(const api::CreateTableInput& input);

}  // namespace dinette::dynamodb::ops

#pragma once

#include "dynamodb/api/types.h"
#include "dynamodb/ops/api_error.h"
#include "dynamodb/ops/context.h"

namespace dinette::dynamodb::ops {

/// What the model's constraints cannot say about a new table: billing, keys against definitions, indexes,
/// stream, encryption, tags, in this order (facts: tables.md section 2, indexes.md section 1).
Answer<void> check_new_table(const Context& context, const api::CreateTableInput& input);

}  // namespace dinette::dynamodb::ops

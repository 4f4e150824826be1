#pragma once

#include "dynamodb/api/create_table.h"
#include "dynamodb/request/api_error.h"
#include "dynamodb/request/context.h"

namespace dinette::dynamodb {

/// Checks what the model's constraints do not cover of a new table: billing, keys against definitions,
/// indexes, stream, encryption, tags, in this order (docs/service/tables.md section 2, indexes.md section 1).
Answer<void> check_new_table(const Context& context, const api::CreateTableInput& input);

}  // namespace dinette::dynamodb

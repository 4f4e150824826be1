#pragma once

#include "dynamodb/api/types.h"
#include "dynamodb/ops/api_error.h"

/// The rules about the definition of one index, whether it comes with its table or later (facts: tables.md
/// section 2, indexes.md sections 1 and 4).
namespace dinette::dynamodb::ops {

/// Throughput is given exactly when the billing mode of the table wants it.
Answer<void> check_index_throughput(api::BillingMode mode, const api::GlobalSecondaryIndex& index);

/// One to four HASH elements, then none to four RANGE elements, each attribute once.
Answer<void> check_global_keys(const api::GlobalSecondaryIndex& index);

/// NonKeyAttributes stand beside INCLUDE and nothing else.
Answer<void> check_projection(const api::Projection& projection);

}  // namespace dinette::dynamodb::ops

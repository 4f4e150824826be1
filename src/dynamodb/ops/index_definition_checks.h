#pragma once

#include <cstddef>

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

/// Attributes that the projection names, and whether a table's indexes together may name so many.
std::size_t count_projected(const api::Projection& projection);
Answer<void> check_projected(std::size_t attributes);

}  // namespace dinette::dynamodb::ops

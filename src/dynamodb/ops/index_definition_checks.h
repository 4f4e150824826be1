#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "dynamodb/api/types.h"
#include "dynamodb/ops/api_error.h"
#include "dynamodb/ops/table_throughput.h"

/// The rules for the definition of one index, created with its table or later (facts: tables.md section 2,
/// indexes.md sections 1, 4 and 7).
namespace dinette::dynamodb::ops {

/// Provisioned throughput, on-demand ceilings and warm throughput of a new index fit the table's billing
/// mode.
Answer<void> check_index_throughput(TableRequest request, std::string_view region, api::BillingMode mode,
                                    const api::GlobalSecondaryIndex& index);

/// One to four HASH elements, then none to four RANGE elements, each attribute once.
Answer<void> check_global_keys(const std::vector<api::KeySchemaElement>& key_schema);

/// NonKeyAttributes come with INCLUDE and nothing else, each once.
Answer<void> check_projection(const api::Projection& projection);

/// Returns how many attributes the projection names.
std::size_t count_projected(const api::Projection& projection);
/// The indexes of a table together name no more attributes than they may.
Answer<void> check_projected(std::size_t attributes);

}  // namespace dinette::dynamodb::ops

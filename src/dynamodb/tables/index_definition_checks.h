#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/global_secondary_index.h"
#include "dynamodb/api/key_schema_element.h"
#include "dynamodb/api/projection.h"
#include "dynamodb/request/api_error.h"
#include "dynamodb/tables/table_throughput.h"

/// The rules for the definition of one index, created with its table or later (docs/service/tables.md section
/// 2, indexes.md sections 1, 4 and 7).
namespace dinette::dynamodb {

/// Checks that all kinds of throughput of a new index fit the table's billing
/// mode.
Answer<void> check_index_throughput(TableRequest request, std::string_view region, api::BillingMode mode,
                                    const api::GlobalSecondaryIndex& index);

/// Checks that there are 1 to 4 HASH elements, then 0 to 4 RANGE elements, each attribute once.
Answer<void> check_global_keys(const std::vector<api::KeySchemaElement>& key_schema);

/// Checks that NonKeyAttributes are given only with INCLUDE, each once.
Answer<void> check_projection(const api::Projection& projection);

/// Returns how many attributes the projection names.
std::size_t count_projected(const api::Projection& projection);
/// The indexes of a table together name no more attributes than they may.
Answer<void> check_projected(std::size_t attributes);

}  // namespace dinette::dynamodb

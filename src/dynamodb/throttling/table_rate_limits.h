#pragma once

#include "dynamodb/tables/table_schema.h"
#include "dynamodb/tables/table_state.h"
#include "dynamodb/throttling/rate_limits.h"

namespace dinette::dynamodb::throttling {

/// Returns the limits of a table, or its global index, at a moment, and since when they apply. `bytes` is not
/// set.
RateLimits rate_limits_of(const TableSchema& schema, const IndexSchema* index, codec::Timestamp now);

}  // namespace dinette::dynamodb::throttling

#pragma once

#include "dynamodb/tables/table_schema.h"
#include "dynamodb/tables/table_state.h"
#include "dynamodb/throttling/supply.h"

namespace dinette::dynamodb::throttling {

/// Returns what a table, or its global index, has to give at a moment, and since when. `bytes` are not set.
Supply supply_of(const TableSchema& schema, const IndexSchema* index, codec::Timestamp now);

}  // namespace dinette::dynamodb::throttling

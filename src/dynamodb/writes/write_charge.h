#pragma once

#include <string_view>

#include "dynamodb/items/stored_item.h"
#include "dynamodb/request/api_error.h"
#include "dynamodb/request/charge.h"
#include "dynamodb/request/context.h"
#include "dynamodb/writes/write_plan.h"

namespace dinette::dynamodb {

/// Returns the cost of a write for one index; 0 means that it was not changed.
double units_of(const IndexPlan& plan);

/// Returns the cost of a write of one item, even if it changes nothing (docs/service/capacity.md section 3).
Charge charge_of(const WritePlan& plan);

/// Returns the error of a write that is refused for what is stored, with what that consumes
/// (docs/service/capacity.md section 3).
[[gnu::cold]] ApiError refused_write(ApiError error, const StoredItem& stored);

/// Tells the gate what a write that failed consumed, if anything. `table_name` as the client wrote it.
[[gnu::cold]] void charge_failure(const Context& context, std::string_view table_name, const ApiError& error);

}  // namespace dinette::dynamodb

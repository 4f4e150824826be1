#pragma once

#include <string_view>

#include "dinette/base/clock.h"

#include "dynamodb/api/types.h"
#include "dynamodb/ops/api_error.h"

namespace dinette::dynamodb::ops {

/// Where a table stands at a moment. A transition (CREATING, UPDATING, DELETING) ends by the clock alone, so
/// nothing has to run for a table to become ACTIVE; while it lasts, the settings before it are in force. Only
/// the filling of a new index takes as long as it takes.
struct TableState {
  api::TableStatus status;
  const api::TableSettings& settings;
  bool gone = false;  ///< its deletion is over: the table is there no more
};
TableState state_at(const api::TableRecord& record, codec::Timestamp now);

/// A change of a resource that is not to be changed now; `why` is the sentence behind the colon.
base::Failure<ApiError> still_in_use(std::string_view why);
/// The same of a table in such a state.
base::Failure<ApiError> still_in_use(const api::TableRecord& record, api::TableStatus status);

codec::Timestamp timestamp(base::TimePoint moment);

}  // namespace dinette::dynamodb::ops

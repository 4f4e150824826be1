#pragma once

#include <cstddef>

#include "dynamodb/request/api_error.h"

namespace dinette::dynamodb {

/// Fails with ApiError::must_wait, so that a worker runs the request again, to its end.
base::Failure<ApiError> run_elsewhere();

/// Ends the turn of a request on an event loop (base::may_wait) after `work` units (model/work.h), with
/// run_elsewhere(). For requests whose answer cannot be cut short, and which may take longer than other
/// clients should wait.
Answer<void> check_turn(std::size_t work);

}  // namespace dinette::dynamodb

#pragma once

#include <cstddef>

#include "dynamodb/request/api_error.h"

namespace dinette::dynamodb {

/// Has the request run again where it may wait, and so runs to its end: fails with ApiError::must_wait.
base::Failure<ApiError> run_elsewhere();

/// Ends the turn of a request on an event loop (base::may_wait) after `work` units (model/work.h), with
/// run_elsewhere(). For requests whose answer cannot be cut short, and which may take longer than other
/// clients should wait.
Answer<void> check_turn(std::size_t work);

}  // namespace dinette::dynamodb

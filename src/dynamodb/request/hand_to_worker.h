#pragma once

#include <cstddef>

#include "dynamodb/request/api_error.h"

namespace dinette::dynamodb {

/// Fails with ApiError::must_wait, so that a worker runs the request again, to its end.
base::Failure<ApiError> hand_to_worker();

/// Hands a request that has done more than limits::loop_work units (model/work.h) on an event loop
/// (base::may_wait) to a worker. For requests whose answer cannot be cut short, and which may take longer
/// than other clients should wait.
Answer<void> check_loop_work(std::size_t work);

}  // namespace dinette::dynamodb

#pragma once

#include <span>
#include <string_view>

#include "dinette/aws/json_operation.h"

#include "kinesis/request/api_error.h"
#include "kinesis/request/context.h"

namespace dinette::kinesis::wire {

using Call = aws::JsonCall<Context>;
using ServeFunction = aws::ServeFunction<Context, ApiError>;
using Endpoint = aws::JsonEndpoint<Context, ApiError>;

/// Returns every served operation, and its `X-Amz-Target` at the same position, ascending. scripts/gen_api.py
/// writes them and the next from the specs.
std::span<const Endpoint> endpoints();
std::span<const std::string_view> served_targets();

/// The targets of operations that are not served yet, ascending.
std::span<const std::string_view> planned_targets();

}  // namespace dinette::kinesis::wire

#pragma once

#include <span>
#include <string_view>

#include "dinette/aws/json_operation.h"
#include "dinette/aws/rest_route.h"

#include "lambda/request/api_error.h"
#include "lambda/request/context.h"

namespace dinette::lambda::wire {

using Call = aws::JsonCall<Context>;
using ServeFunction = aws::ServeFunction<Context, ApiError>;
using Endpoint = aws::JsonEndpoint<Context, ApiError>;

/// Returns every served operation; at the same position its name after a prefix, ascending, and the route to
/// it. scripts/gen_api.py writes all three, and the next, from the specs.
std::span<const Endpoint> endpoints();
std::span<const std::string_view> served_targets();
std::span<const aws::RestRoute> routes();

/// The same names of operations that are not served yet.
std::span<const std::string_view> planned_targets();

}  // namespace dinette::lambda::wire

#pragma once

#include <string>
#include <string_view>

#include "dinette/dynamodb/service.h"
#include "dinette/http/message.h"
#include "dinette/tenancy/world_header.h"

namespace dinette::dynamodb {

/// Returns the X-Amz-Target of an operation of DynamoDB or DynamoDB Streams: "DynamoDB_20120810.PutItem".
std::string target_of(std::string_view operation);

/// Calls an operation in this process, without a socket. `request` is its input as JSON, `world` the name of
/// the world that it is for. `explain`: the response says how it was executed (aws::explanation_of).
/// Thread-safe.
http::Response call_locally(Service& service, std::string_view operation, std::string_view request,
                            std::string_view world = tenancy::default_world, bool explain = false);

}  // namespace dinette::dynamodb

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dynamodb/request/api_error.h"

namespace dinette::dynamodb::wire {

/// Returns the error of that type, such as "ThrottlingException", with its status and form. An empty message
/// stands for the service's usual one. Returns nothing if the service has no such error.
std::optional<ApiError> ordered_error(std::string_view type, std::string_view message);

}  // namespace dinette::dynamodb::wire

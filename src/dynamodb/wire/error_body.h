#pragma once

#include <string>
#include <string_view>

#include "dynamodb/request/api_error.h"

namespace dinette::dynamodb::wire {

/// Appends the JSON of an error (docs/service/wire.md section 3).
void append_error(std::string& out, const ApiError& error);

/// The declared error of that name; an internal error for a name that is not declared.
api::ErrorCode error_named(std::string_view name);

}  // namespace dinette::dynamodb::wire

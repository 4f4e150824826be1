#pragma once

#include <string>

#include "dynamodb/request/api_error.h"

namespace dinette::dynamodb::wire {

/// Appends the JSON of an error (docs/service/wire.md section 3).
void append_error(std::string& out, const ApiError& error);

}  // namespace dinette::dynamodb::wire

#pragma once

#include <string>
#include <string_view>

#include "dynamodb/request/api_error.h"
#include "dynamodb/request/context.h"

namespace dinette::dynamodb {

/// Returns the key of the operation (bulk_entry.h), which may not exist, that a request of the caller names
/// by its ARN.
Answer<std::string> key_in_bulk_arn(const Context& context, std::string_view text);

base::Failure<ApiError> bulk_not_found(std::string_view arn);

}  // namespace dinette::dynamodb

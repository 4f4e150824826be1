#pragma once

#include <string>
#include <string_view>

#include "dynamodb/request/api_error.h"
#include "dynamodb/request/context.h"

namespace dinette::dynamodb {

/// Returns the key of the import (import_entry.h), which may not exist, that a request of the caller names by
/// its ARN. `Invalid Import ARN` for another kind of ARN, AccessDeniedException for another account's.
Answer<std::string> key_in_import_arn(const Context& context, std::string_view text);

}  // namespace dinette::dynamodb

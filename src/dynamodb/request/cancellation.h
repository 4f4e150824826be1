#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "dynamodb/request/api_error.h"

namespace dinette::dynamodb {

/// Returns the name that an error has as one of several in an answer, such as `ConditionalCheckFailed`
/// (docs/service/transactions.md section 5, partiql.md section 7).
std::string_view short_code(api::ErrorCode code);

/// Returns a TransactionCanceledException; `reasons` has one entry per action, nullopt for one without fault.
[[gnu::cold]] base::Failure<ApiError> cancelled(std::vector<std::optional<ApiError>> reasons);

/// The same where the action at `index` of `actions` alone is at fault.
[[gnu::cold]] base::Failure<ApiError> cancelled(std::size_t actions, std::size_t index, ApiError reason);

}  // namespace dinette::dynamodb

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dinette/store/scan.h"

#include "dynamodb/request/api_error.h"

namespace dinette::dynamodb {

/// Returns the NextToken of a list of exports, imports or bulk operations, whose next page begins after
/// `position`, a key. `list`: the name of the operation, to tell its tokens from others'.
std::string page_token(std::string_view list, std::string_view position);

/// Returns the position in a token, or an empty one without a token. A ValidationException if it is not one
/// of that list.
Answer<std::string> position_after(std::string_view list, const std::optional<std::string>& token);

/// Returns the keys of the page after `token`, or of the first page without one. A ValidationException
/// if it is not one of that list.
Answer<store::KeyRange> range_after(std::string_view list, const std::optional<std::string>& token);

}  // namespace dinette::dynamodb

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dinette::dynamodb {

/// Returns a NextToken of the form that lists of exports and imports have: where their next page begins.
/// `list`: the name of the operation, to tell its tokens from others'.
std::string page_token(std::string_view list, std::string_view position);

/// Returns the position; nothing if the token is not one of that list.
std::optional<std::string> position_in(std::string_view list, std::string_view token);

}  // namespace dinette::dynamodb

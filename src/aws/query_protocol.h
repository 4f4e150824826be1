#pragma once

#include <optional>
#include <string>
#include <string_view>

/// AWS's query protocol, in which other services are called: a form with an Action, answered in XML.
namespace dinette::aws {

inline constexpr std::string_view query_content_type = "text/xml";

/// Returns the Action of such a call, "?" if it is no name; nothing for another request.
std::optional<std::string> query_action(std::string_view content_type, std::string_view body);

/// Returns a sentence, with a space in front, about what to do instead of such a call; empty if nothing is
/// known.
std::string_view advice_for_action(std::string_view action);

/// Returns the body of an error of the caller. Neither text may need escapes.
std::string query_error(std::string_view code, std::string_view message, std::string_view request_id);

}  // namespace dinette::aws

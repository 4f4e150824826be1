#pragma once

#include <optional>
#include <string_view>

#include "dinette/http/message.h"

namespace dinette::http {

/// The header that names the trace of a request (W3C Trace Context).
inline constexpr std::string_view trace_parent_header = "traceparent";

/// Returns the trace id in a value of this header, 32 lower-case hexadecimal digits; nothing if the value is
/// not what the recommendation allows (Trace Context section 3.2).
std::optional<std::string_view> trace_id_in(std::string_view trace_parent);

/// Returns the trace id of a request; nothing if it has no such header, or more than one.
std::optional<std::string_view> trace_id_of(const Request& request);

}  // namespace dinette::http

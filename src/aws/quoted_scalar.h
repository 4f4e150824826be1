#pragma once

#include <cstdint>
#include <optional>

#include "dinette/aws/json.h"

/// Numbers and booleans in quotation marks, which some clients send and lenient decoders accept.
namespace dinette::aws {

std::optional<std::int64_t> quoted_integer(JsonElement json);
std::optional<double> quoted_number(JsonElement json);
/// Returns what "true" and "false" mean, in any case.
std::optional<bool> quoted_boolean(JsonElement json);

}  // namespace dinette::aws

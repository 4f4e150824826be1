#pragma once

#include <string>
#include <string_view>

#include "dinette/aws/json.h"

namespace dinette::dynamodb::wire {

/// Returns the message of an error for a log that may not show contents of items: the beginning, as long as
/// a line of the log shows it, with "***" in place of what the request has as values of attributes or as
/// literals of a statement. Empty if the request has more than 10,000 such values. Errors repeat nothing of
/// stored items. Names of tables, indexes and attributes, and expressions, stay.
std::string without_items(std::string_view message, aws::JsonElement request);

}  // namespace dinette::dynamodb::wire

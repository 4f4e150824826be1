#pragma once

#include <string_view>

namespace dinette::dynamodb::item_files {

/// Returns true if JSON has such a number: 7, -1.50, 1e3, and not 007, +1 or .5.
bool is_json_number(std::string_view text);

/// Returns true if DynamoDB takes the text as a number, unless it has too many digits: also 007, +1 and .5.
bool is_number_text(std::string_view text);

}  // namespace dinette::dynamodb::item_files

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dinette::dynamodb::item_files {

/// Returns an Ion int, decimal or float as a Number is written in DynamoDB JSON: `6d2` becomes `6E2`. Nothing
/// if it is none of these, or an int in other than decimal digits of more than 128 bits.
std::optional<std::string> number_from_ion(std::string_view text);

/// Returns true if the text begins as an Ion timestamp does: `2007-`, `2007T`.
bool is_ion_timestamp(std::string_view text);

}  // namespace dinette::dynamodb::item_files

#pragma once

#include <map>
#include <string>
#include <string_view>

namespace dinette::definitions::serverless {

/// Returns the variables of a `.env` file: `NAME=value` by line, perhaps after `export`; values may be
/// quoted.
std::map<std::string, std::string, std::less<>> read_dotenv(std::string_view content);

}  // namespace dinette::definitions::serverless

#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "dinette/base/result.h"

namespace dinette::mcp {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

/// Reads a text of at most `depth` levels. A number with more digits than a double keeps becomes what
/// DynamoDB makes of it, {"N": "..."}, so that no digit is lost. The error is a sentence.
base::Result<Json, std::string> read_json(std::string_view text, int depth);

/// Returns the text of a value. What is not UTF-8 is replaced.
std::string text_of(const Json& value);

/// Returns true if a JSON number of this text survives being read as a double.
bool is_exact_number(std::string_view text);

}  // namespace dinette::mcp

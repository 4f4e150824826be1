#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "dinette/base/result.h"

namespace dinette::mcp {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

/// What becomes of a number with more digits than a double keeps.
enum class Digits {
  all,         ///< what DynamoDB makes of it, {"N": "..."}, so that none is lost: for items
  of_doubles,  ///< the nearest double: for what is not of items
};

/// Reads a text of at most `depth` levels. The error is a sentence.
base::Result<Json, std::string> read_json(std::string_view text, int depth, Digits digits = Digits::all);

/// Returns the text of a value. What is not UTF-8 is replaced.
std::string text_of(const Json& value);

/// Returns true if a JSON number of this text survives being read as a double.
bool is_exact_number(std::string_view text);

}  // namespace dinette::mcp

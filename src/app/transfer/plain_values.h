#pragma once

#include <string>

#include "dinette/aws/json.h"

namespace dinette::app {

// Values without their types: numbers keep their digits, sets are lists, bytes are in Base64. What is no
// value throws simdjson::simdjson_error.

/// Appends a value such as {"N":"1"} as plain JSON.
void append_plain_value(std::string& out, aws::JsonElement value);

/// Appends the attributes of an item, or of a map, as one plain JSON object.
void append_plain_object(std::string& out, aws::JsonElement attributes);

/// Appends a value as a cell of CSV (RFC 4180): texts and numbers as they are, others as plain JSON.
void append_cell(std::string& out, aws::JsonElement value);

/// Appends a text as a cell.
void append_text_cell(std::string& out, std::string_view text);

}  // namespace dinette::app

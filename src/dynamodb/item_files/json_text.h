#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/aws/json.h"
#include "dinette/aws/json_writer.h"

/// JSON of which parts are taken over as text. What is not as expected throws simdjson::simdjson_error.
namespace dinette::dynamodb::item_files {

/// Returns `text` with the room after it that simdjson needs to read it in place.
simdjson::padded_string_view with_room(std::string& text);

/// Returns the text of an object.
std::string_view text_of(simdjson::ondemand::object object);

/// Returns the text of a member, which is an object, of the object `text`; empty if there is no such member.
std::string_view object_member_text(std::string& text, std::string_view name);

/// Returns `json` without white space between its tokens.
std::string on_one_line(std::string_view json);

/// Returns the value of a member; empty if there is none, or if it is null or no string.
std::string string_member(aws::JsonElement object, std::string_view name);

void write_text(aws::JsonWriter& json, std::string_view name, std::string_view text);
void write_number(aws::JsonWriter& json, std::string_view name, std::uint64_t number);
void write_raw(aws::JsonWriter& json, std::string_view name, std::string_view value);
/// Writes null if there is no value.
void write_optional(aws::JsonWriter& json, std::string_view name, const std::optional<std::string>& text);

}  // namespace dinette::dynamodb::item_files

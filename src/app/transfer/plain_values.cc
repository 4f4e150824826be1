#include "app/transfer/plain_values.h"

#include <algorithm>
#include <string_view>

#include "dinette/aws/json_writer.h"
#include "dinette/base/ascii.h"

namespace dinette::app {
namespace {

using aws::JsonElement;

/// The service's numbers are JSON; those of others may not be.
bool is_json_number(std::string_view text) {
  simdjson::dom::parser parser;
  JsonElement json;
  return !parser.parse(text.data(), text.size()).get(json) && json.is_number();
}

bool is_small_integer(std::string_view text) {
  constexpr std::size_t most_digits = 15;
  return !text.empty() && text.size() <= most_digits && (text.front() != '0' || text.size() == 1) &&
         std::ranges::all_of(text, base::is_digit);
}

void append_plain_number(std::string& out, std::string_view text) {
  // Larger integers than a machine's are JSON, too, but not to the parser.
  const bool digits_only = std::ranges::all_of(text, base::is_digit) && !text.starts_with('0');
  if (is_small_integer(text) || (digits_only && !text.empty()) || is_json_number(text)) {
    out += text;
  } else {
    aws::append_json_string(out, text);
  }
}

void append_list(std::string& out, aws::JsonArray elements, std::string_view type) {
  out += '[';
  for (const JsonElement element : elements) {
    if (!out.ends_with('[')) out += ',';
    if (type == "L") {
      append_plain_value(out, element);
    } else if (type == "NS") {
      append_plain_number(out, element.get_string());
    } else {
      aws::append_json_string(out, element.get_string());
    }
  }
  out += ']';
}

/// Returns the type of a value, and what it has.
std::pair<std::string_view, JsonElement> take_apart_value(JsonElement value) {
  const aws::JsonObject object = value;
  if (object.size() != 1) throw simdjson::simdjson_error(simdjson::INCORRECT_TYPE);
  const auto field = *object.begin();
  return {field.key, field.value};
}

}  // namespace

void append_plain_value(std::string& out, JsonElement value) {
  const auto parts = take_apart_value(value);
  const std::string_view type = parts.first;
  const JsonElement content = parts.second;
  if (type == "M") return append_plain_object(out, content);
  if (content.is_array()) return append_list(out, aws::JsonArray(content), type);
  if (type == "N") return append_plain_number(out, content.get_string());
  if (type == "NULL") {
    out += "null";
  } else if (type == "BOOL") {
    out += bool(content.get_bool()) ? "true" : "false";
  } else {
    aws::append_json_string(out, content.get_string());
  }
}

void append_plain_object(std::string& out, JsonElement attributes) {
  out += '{';
  bool first = true;
  for (const auto& [name, value] : aws::JsonObject(attributes)) {
    if (!first) out += ',';
    first = false;
    aws::append_json_string(out, name);
    out += ':';
    append_plain_value(out, value);
  }
  out += '}';
}

void append_text_cell(std::string& out, std::string_view text) {
  // An empty text is quoted, since an empty cell is no attribute.
  if (!text.empty() && text.find_first_of("\",\r\n") == std::string_view::npos && text.front() != ' ' &&
      text.back() != ' ') {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) out.append(c == '"' ? 2 : 1, c);
  out += '"';
}

void append_cell(std::string& out, JsonElement value) {
  const auto parts = take_apart_value(value);
  if (parts.first == "S" || parts.first == "N" || parts.first == "B")
    return append_text_cell(out, parts.second.get_string());
  std::string text;
  append_plain_value(text, value);
  append_text_cell(out, text);
}

}  // namespace dinette::app

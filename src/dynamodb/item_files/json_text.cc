#include "dynamodb/item_files/json_text.h"

namespace dinette::dynamodb::item_files {

namespace ondemand = simdjson::ondemand;

simdjson::padded_string_view with_room(std::string& text) {
  text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
  return simdjson::padded_string_view(text.data(), text.size(), text.capacity());
}

std::string_view text_of(ondemand::object object) {
  const std::string_view text = object.raw_json();
  // simdjson counts the white space after it, too.
  return text.substr(0, text.rfind('}') + 1);
}

std::string_view object_member_text(std::string& text, std::string_view name) {
  ondemand::parser parser;
  ondemand::document document = parser.iterate(with_room(text));
  ondemand::object member;
  const auto error = document.find_field_unordered(name).get_object().get(member);
  if (error == simdjson::NO_SUCH_FIELD) return {};
  if (error) throw simdjson::simdjson_error(error);
  return text_of(member);
}

std::string on_one_line(std::string_view json) {
  std::string line(json.size(), '\0');
  std::size_t size = 0;
  if (const auto error = simdjson::minify(json.data(), json.size(), line.data(), size))
    throw simdjson::simdjson_error(error);
  line.resize(size);
  return line;
}

std::string string_member(aws::JsonElement object, std::string_view name) {
  std::string_view text;
  if (object[name].get(text)) return {};
  return std::string(text);
}

void write_text(aws::JsonWriter& json, std::string_view name, std::string_view text) {
  json.key(name);
  json.string(text);
}

void write_number(aws::JsonWriter& json, std::string_view name, std::uint64_t number) {
  json.key(name);
  json.integer(static_cast<std::int64_t>(number));
}

void write_raw(aws::JsonWriter& json, std::string_view name, std::string_view value) {
  json.key(name);
  json.raw(value);
}

void write_optional(aws::JsonWriter& json, std::string_view name, const std::optional<std::string>& text) {
  if (text) return write_text(json, name, *text);
  write_raw(json, name, "null");
}

}  // namespace dinette::dynamodb::item_files

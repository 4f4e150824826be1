#include "dinette/aws/error_form.h"

#include <algorithm>

#include "dinette/aws/json_writer.h"

namespace dinette::aws {
namespace {

std::string in_ascii(std::string_view text) {
  std::string ascii(text);
  std::ranges::replace_if(
      ascii, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, '?');
  return ascii;
}

void append_message(JsonWriter& json, const ErrorForm& form, std::string_view message) {
  if (form.message_key.empty() || message.empty()) return;
  json.key(form.message_key);
  if (is_utf8(message))
    json.string(message);
  else
    json.string(in_ascii(message));
}

}  // namespace

void append_error(std::string& out, const ErrorForm& form, std::string_view message,
                  std::span<const ErrorMember> members) {
  JsonWriter json(out);
  json.begin_object();
  json.key("__type");
  json.string(form.type);
  append_message(json, form, message);
  for (const ErrorMember& member : members) {
    json.key(member.name);
    json.raw(member.json);
  }
  json.end_object();
}

void append_rest_error(std::string& out, const ErrorForm& form, std::string_view message) {
  JsonWriter json(out);
  json.begin_object();
  if (!form.fault.empty()) {
    json.key("Type");
    json.string(form.fault);
  }
  append_message(json, form, message);
  json.end_object();
}

}  // namespace dinette::aws

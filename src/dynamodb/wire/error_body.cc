#include "dynamodb/wire/error_body.h"

#include <algorithm>
#include <string>

#include "dynamodb/codec/json_writer.h"

namespace dinette::dynamodb::wire {
namespace {

/// Sentences repeat headers, which may hold any bytes; answers are UTF-8.
std::string readable(std::string text) {
  const auto beyond_ascii = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
  if (!codec::is_utf8(text)) std::ranges::replace_if(text, beyond_ascii, '?');
  return text;
}

}  // namespace

void append_error(std::string& out, const ApiError& error) {
  const api::ErrorForm& form = api::form_of(error.code);
  codec::JsonWriter json(out);
  json.begin_object();
  json.key("__type");
  json.string(form.type);
  if (!form.message_key.empty() && !error.message.empty()) {
    json.key(error.capital_message ? "Message" : form.message_key);
    json.string(readable(error.message));
  }
  if (error.item) {
    json.key("Item");
    json.raw(*error.item->json);
  }
  json.end_object();
}

api::ErrorCode error_named(std::string_view name) {
  const auto found = std::ranges::find(api::error_forms, name, &api::ErrorForm::name);
  if (found == api::error_forms.end()) return api::ErrorCode::internal_server_error;
  return static_cast<api::ErrorCode>(found - api::error_forms.begin());
}

}  // namespace dinette::dynamodb::wire

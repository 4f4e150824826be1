#include "dynamodb/item_files/ion_text.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "dinette/base/ascii.h"

namespace dinette::dynamodb::item_files {
namespace {

using aws::JsonElement;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool may_begin_identifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

/// Returns true for a name that is a symbol without quotes. `$` and digits would be the number of one.
bool is_identifier(std::string_view name) {
  constexpr std::array<std::string_view, 4> keywords = {"null", "true", "false", "nan"};
  if (name.empty() || !may_begin_identifier(name.front())) return false;
  if (!std::ranges::all_of(name, [](char c) { return may_begin_identifier(c) || is_digit(c); })) return false;
  const bool number = name.front() == '$' && name.size() > 1 && std::ranges::all_of(name.substr(1), is_digit);
  return !number && std::ranges::find(keywords, name) == keywords.end();
}

void append_quoted(std::string& out, std::string_view text, char quote) {
  constexpr unsigned char first_printable = 0x20;
  out += quote;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < first_printable) {
      out += "\\x";
      out += base::lower_hex_digits[byte >> 4];
      out += base::lower_hex_digits[byte & 15];
    } else {
      out += c;
    }
  }
  out += quote;
}

void append_name(std::string& out, std::string_view name) {
  is_identifier(name) ? void(out += name) : append_quoted(out, name, '\'');
}

/// Appends a decimal without zeros at its end, `12.5`, `103.`, `6d2`, as Ion's own writers print it.
void append_decimal(std::string& out, std::string_view number) {
  constexpr std::size_t most_leading_zeros = 5;  // after the point
  if (number.starts_with('-')) {
    out += '-';
    number.remove_prefix(1);
  }
  const std::string_view whole = number.substr(0, number.find('.'));
  const std::string_view fraction = number.substr(std::min(whole.size() + 1, number.size()));
  std::string digits = std::string(whole).append(fraction);
  digits.erase(0, digits.find_first_not_of('0'));
  if (digits.empty()) {
    out += "0.";
    return;
  }
  const std::size_t zeros = digits.size() - 1 - digits.find_last_not_of('0');
  digits.resize(digits.size() - zeros);
  if (zeros > fraction.size()) {
    out.append(digits).append("d").append(std::to_string(zeros - fraction.size()));
    return;
  }
  const std::size_t scale = fraction.size() - zeros;
  if (digits.size() > scale)
    out.append(digits, 0, digits.size() - scale).append(".").append(digits, digits.size() - scale);
  else if (scale - digits.size() <= most_leading_zeros)
    out.append("0.").append(scale - digits.size(), '0').append(digits);
  else
    out.append(digits).append("d-").append(std::to_string(scale));
}

void append_struct(std::string& out, aws::JsonObject attributes);
void append_value(std::string& out, JsonElement typed);

/// Appends `[`, each element, `]`.
template <class Append>
void append_list(std::string& out, JsonElement elements, Append append) {
  out += '[';
  bool first = true;
  const aws::JsonArray list = elements.get_array().value();
  for (const JsonElement element : list) {
    if (!first) out += ',';
    first = false;
    append(element);
  }
  out += ']';
}

void append_scalar(std::string& out, char type, std::string_view text) {
  if (type == 'N') return append_decimal(out, text);
  if (type == 'B') return void(out.append("{{").append(text).append("}}"));
  append_quoted(out, text, '"');
}

void append_value(std::string& out, JsonElement typed) {
  const aws::JsonObject object = typed.get_object().value();
  const auto member = *object.begin();
  const std::string_view type = member.key;
  const JsonElement value = member.value;
  if (type == "NULL") {
    out += "null";
  } else if (type == "BOOL") {
    out += value.get_bool().value() ? "true" : "false";
  } else if (type == "M") {
    append_struct(out, value.get_object().value());
  } else if (type == "L") {
    append_list(out, value, [&](JsonElement element) { append_value(out, element); });
  } else if (type.size() == 2) {
    out.append("$dynamodb_").append(type).append("::");
    append_list(out, value,
                [&](JsonElement element) { append_scalar(out, type.front(), element.get_string().value()); });
  } else {
    append_scalar(out, type.front(), value.get_string().value());
  }
}

void append_struct(std::string& out, aws::JsonObject attributes) {
  out += '{';
  bool first = true;
  for (const auto attribute : attributes) {
    if (!first) out += ',';
    first = false;
    append_name(out, attribute.key);
    out += ':';
    append_value(out, attribute.value);
  }
  out += '}';
}

}  // namespace

void IonText::append_item(std::string& out, std::string_view item) {
  append_struct(out, parser_.parse(item.data(), item.size()).get_object().value());
}

}  // namespace dinette::dynamodb::item_files

#include "dynamodb/request/explanation.h"

#include <array>
#include <cstdint>
#include <cstdio>

#include "dinette/aws/json_writer.h"
#include "dinette/base/utf8.h"

#include "dynamodb/api/limits.h"

namespace dinette::dynamodb {
namespace {

/// For the brackets, and the element that counts what was left out.
constexpr std::size_t bytes_around = 40;

void append_escaped(std::string& out, std::uint32_t unit) {
  std::array<char, 7> text;
  std::snprintf(text.data(), text.size(), "\\u%04x", static_cast<unsigned>(unit & 0xFFFFU));
  out += text.data();
}

/// Returns the JSON, whose strings are in UTF-8, with characters escaped that headers cannot have.
std::string in_ascii(std::string_view json) {
  std::string ascii;
  for (std::size_t i = 0; i < json.size();) {
    const auto lead = static_cast<unsigned char>(json[i++]);
    if (lead < 0x80) {
      if (lead == 0x7F)
        append_escaped(ascii, lead);
      else
        ascii += static_cast<char>(lead);
      continue;
    }
    const unsigned following = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    std::uint32_t point = lead & (0x3FU >> following);
    for (unsigned k = 0; k < following && i < json.size(); ++k)
      point = point << 6U | (static_cast<unsigned char>(json[i++]) & 0x3FU);
    if (point >= 0x10000) {
      append_escaped(ascii, 0xD800 + ((point - 0x10000) >> 10U));
      point = 0xDC00 + ((point - 0x10000) & 0x3FFU);
    }
    append_escaped(ascii, point);
  }
  return ascii;
}

}  // namespace

void Explanation::add(const ExplainedStep& step) {
  std::string text;
  aws::JsonWriter json(text);
  const auto add_text = [&](std::string_view key, std::string_view value) {
    if (value.empty()) return;
    json.key(key);
    json.string(value);
  };
  json.begin_object();
  add_text("Operation", step.operation);
  add_text("TableName", step.table);
  add_text("IndexName", step.index);
  add_text("KeyCondition", base::shortened(step.key_condition, model::limits::explained_condition_bytes));
  json.key("ScannedCount");
  json.integer(static_cast<std::int64_t>(step.looked_at));
  json.key("Count");
  json.integer(static_cast<std::int64_t>(step.returned));
  json.key("CapacityUnits");
  json.floating(step.units);
  json.end_object();
  append(in_ascii(text));
}

void Explanation::append(std::string_view element) {
  const bool fits = elements_.size() + element.size() + 1 + bytes_around <= model::limits::explanation_bytes;
  if (left_out_ > 0 || !fits) {
    ++left_out_;
    return;
  }
  if (!elements_.empty()) elements_ += ',';
  elements_ += element;
}

std::string Explanation::text() const {
  if (!list_) return elements_;
  std::string text = "[" + elements_;
  if (left_out_ > 0) text += ",{\"LeftOut\":" + std::to_string(left_out_) + "}";
  return text + "]";
}

}  // namespace dinette::dynamodb

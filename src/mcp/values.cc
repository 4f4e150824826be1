#include "mcp/values.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "dinette/base/ascii.h"

namespace dinette::mcp {
namespace {

constexpr std::array<std::string_view, 10> type_names{"S",  "N", "B", "SS",   "NS",
                                                      "BS", "L", "M", "BOOL", "NULL"};

/// Returns true if the value is an object with one member, named as a type of DynamoDB.
bool names_type(const Json& value) {
  return value.is_object() && value.size() == 1 &&
         std::ranges::find(type_names, value.begin().key()) != type_names.end();
}

bool is_set(const Json& content) {
  return content.is_array() && !content.empty() &&
         std::ranges::all_of(content, [](const Json& one) { return one.is_string(); });
}

bool fits(std::string_view type, const Json& content) {
  if (type == "S" || type == "B") return content.is_string();
  if (type == "N") return content.is_string() || content.is_number();
  if (type == "L") return content.is_array();
  if (type == "M") return content.is_object();
  if (type == "BOOL" || type == "NULL") return content.is_boolean();
  return is_set(content);
}

bool is_typed(const Json& value) {
  return names_type(value) && fits(value.begin().key(), value.begin().value());
}

Json typed_elements(const Json& list) {
  Json elements = Json::array();
  for (const Json& element : list) elements.push_back(typed_value(element));
  return elements;
}

/// Returns a typed value with what it holds typed as well.
Json completed(const std::string& type, const Json& content) {
  if (type == "L") return {{type, typed_elements(content)}};
  if (type == "M") return {{type, typed_members(content)}};
  if (type == "N" && content.is_number()) return {{type, text_of(content)}};
  return {{type, content}};
}

/// Returns true if the text is a number of JSON that is read back without loss.
bool is_plain_number(const std::string& text) {
  const bool begins = !text.empty() && (text.front() == '-' || base::is_digit(text.front()));
  return begins && is_exact_number(text) && Json::accept(text);
}

}  // namespace

Json typed_value(const Json& value) {
  if (is_typed(value)) return completed(value.begin().key(), value.begin().value());
  if (value.is_string()) return {{"S", value}};
  if (value.is_number()) return {{"N", text_of(value)}};
  if (value.is_boolean()) return {{"BOOL", value}};
  if (value.is_array()) return {{"L", typed_elements(value)}};
  if (value.is_object()) return {{"M", typed_members(value)}};
  return {{"NULL", true}};
}

Json typed_members(const Json& object) {
  Json members = Json::object();
  for (const auto& [name, value] : object.items()) members[name] = typed_value(value);
  return members;
}

Json plain_value(const Json& typed) {
  if (!is_typed(typed)) return typed;
  const std::string& type = typed.begin().key();
  const Json& content = typed.begin().value();
  if (type == "S" || type == "BOOL") return content;
  if (type == "NULL") return nullptr;
  if (type == "N" && content.is_string() && is_plain_number(content.get_ref<const std::string&>()))
    return Json::parse(content.get_ref<const std::string&>());
  if (type == "L") {
    Json list = Json::array();
    for (const Json& element : content) list.push_back(plain_value(element));
    return list;
  }
  if (type != "M") return typed;
  Json members = plain_members(content);
  if (names_type(members)) return {{"M", std::move(members)}};
  return members;
}

Json plain_members(const Json& item) {
  Json members = Json::object();
  for (const auto& [name, value] : item.items()) members[name] = plain_value(value);
  return members;
}

}  // namespace dinette::mcp

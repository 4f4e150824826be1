#include "dynamodb/codec/item_text.h"

#include "dinette/aws/json_writer.h"
#include "dinette/base/base64.h"

namespace dinette::dynamodb::codec {
namespace {

using model::AttributeValue;

void append_scalar(std::string& out, const std::string& text) {
  aws::append_json_string(out, text);
}

void append_scalar(std::string& out, const model::Number& number) {
  out += '"';
  number.append_to(out);
  out += '"';
}

void append_scalar(std::string& out, const model::Binary& binary) {
  out += '"';
  out += base::base64_encode(binary.bytes);
  out += '"';
}

template <class Elements, class Append>
void append_list(std::string& out, const Elements& elements, Append append) {
  out += '[';
  bool first = true;
  for (const auto& element : elements) {
    if (!first) out += ',';
    first = false;
    append(element);
  }
  out += ']';
}

/// Appends the part after the type's name.
struct AppendContent {
  std::string& out;

  void operator()(const std::string& text) const { append_scalar(out, text); }
  void operator()(const model::Number& number) const { append_scalar(out, number); }
  void operator()(const model::Binary& binary) const { append_scalar(out, binary); }
  template <class Member>
  void operator()(const model::SetOf<Member>& set) const {
    append_list(out, set.members, [this](const Member& member) { append_scalar(out, member); });
  }
  void operator()(const model::Map& map) const { append_item(out, map); }
  void operator()(const model::List& list) const {
    append_list(out, list, [this](const AttributeValue& element) { append_value(out, element); });
  }
  void operator()(model::Null) const { out += "true"; }
  void operator()(bool value) const { out += value ? "true" : "false"; }
};

}  // namespace

// Recursion here is bounded by the nesting limit that every stored and every accepted value has passed.
void append_value(std::string& out, const AttributeValue& value) {
  out += "{\"";
  out += model::type_name(value.type());
  out += "\":";
  std::visit(AppendContent{out}, value.alternatives());
  out += '}';
}

void append_attribute(std::string& out, std::string_view name, const AttributeValue& value) {
  aws::append_json_string(out, name);
  out += ':';
  append_value(out, value);
}

void append_item(std::string& out, const model::Item& item) {
  out += '{';
  bool first = true;
  for (const model::Attribute& attribute : item) {
    if (!first) out += ',';
    first = false;
    append_attribute(out, attribute.name, attribute.value);
  }
  out += '}';
}

void write_values(aws::JsonWriter& json, const ValuesInput& values) {
  json.begin_object();
  for (const auto& [placeholder, value] : values.entries) {
    std::string text;
    append_value(text, value);
    json.escaped_key(placeholder);
    json.raw(text);
  }
  json.end_object();
}

ItemText to_text(const model::Item& item) {
  ItemText text;
  append_item(*text.json, item);
  return text;
}

ItemText copy_of(std::string_view text) {
  ItemText copy;
  *copy.json = text;
  return copy;
}

}  // namespace dinette::dynamodb::codec

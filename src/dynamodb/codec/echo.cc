#include "dynamodb/codec/echo.h"

namespace dinette::dynamodb::codec {
namespace {

void append_structure(std::string& out, const spec::Shape& shape, JsonObject fields) {
  out += shape.name;
  out += '(';
  bool first = true;
  for (const spec::Member& member : shape.members) {
    if (!first) out += ", ";
    first = false;
    out += member.path;
    out += '=';
    const auto value = member_of(fields, member.name);
    if (value)
      append_echo(out, *member.shape, *value);
    else
      out += "null";
  }
  out += ')';
}

void append_elements(std::string& out, const spec::Shape& shape, JsonArray elements) {
  out += '[';
  bool first = true;
  for (const JsonElement element : elements) {
    if (!first) out += ", ";
    first = false;
    append_echo(out, *shape.element, element);
  }
  out += ']';
}

}  // namespace

void append_echo(std::string& out, const spec::Shape& shape, JsonElement json) {
  JsonObject fields;
  JsonArray elements;
  std::string_view text;
  if (shape.kind == spec::Kind::structure && json.get(fields) == simdjson::SUCCESS) {
    append_structure(out, shape, fields);
  } else if (shape.kind == spec::Kind::list && json.get(elements) == simdjson::SUCCESS) {
    append_elements(out, shape, elements);
  } else if (json.get(text) == simdjson::SUCCESS) {
    out += text;
  } else {
    out += simdjson::minify(json);
  }
}

}  // namespace dinette::dynamodb::codec

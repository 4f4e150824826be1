#include "aws/echo.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace dinette::aws {
namespace {

class Echo {
 public:
  Echo(std::string& out, Generation generation, std::size_t longest)
      : out_(out), end_(out.size() + longest), older_(generation == Generation::older) {}

  void append(const Shape& shape, JsonElement json) {
    if (shape.kind == Kind::structure) return append_structure(shape, json.get_object().value_unsafe());
    if (shape.kind == Kind::blob) return append_blob(json.get_string().value_unsafe());
    if (shape.kind == Kind::list) return append_elements(*shape.element, json.get_array().value_unsafe());
    if (shape.kind == Kind::integer || shape.kind == Kind::long_integer) return append_integer(json);
    if (!older_) return append_scalar(json);
    if (shape.kind == Kind::map) return append_entries(*shape.element, json.get_object().value_unsafe());
    if (shape.kind == Kind::variant) return append_variant(shape, json.get_object().value_unsafe());
    append_scalar(json);
  }

 private:
  bool full() const { return out_.size() >= end_; }

  /// Calls `append_one(element)` for each, with commas between them.
  template <class Elements, class AppendOne>
  void append_all(char open, const Elements& elements, char close, AppendOne append_one) {
    out_ += open;
    bool first = true;
    for (const auto& element : elements) {
      if (full()) break;
      if (!first) out_ += ", ";
      first = false;
      append_one(element);
    }
    out_ += close;
  }

  /// Appends an integer as it is read, which is without its fraction.
  void append_integer(JsonElement json) {
    double value = 0;
    if (!json.is_double() || json.get(value) != simdjson::SUCCESS) return append_scalar(json);
    out_ += std::to_string(static_cast<std::int64_t>(value));
  }

  /// As Java prints a buffer.
  void append_blob(std::string_view encoded) {
    const std::string size = std::to_string(encoded.size() / 4 * 3);
    out_ += "java.nio.HeapByteBuffer[pos=0 lim=" + size + " cap=" + size + "]";
  }

  void append_structure(const Shape& shape, JsonObject fields) {
    const auto append_named = [&](std::string_view name, std::string_view path) {
      const auto member = std::ranges::find(shape.members, name, &Member::name);
      const auto value = member_of(fields, name);
      out_.append(path).append("=");
      if (value && member != shape.members.end())
        append(*member->shape, *value);
      else
        out_ += "null";
    };
    out_ += shape.name;
    if (shape.echoed.empty()) {
      return append_all('(', shape.members, ')',
                        [&](const Member& member) { append_named(member.name, member.path); });
    }
    append_all('(', shape.echoed, ')',
               [&](const EchoedMember& member) { append_named(member.name, member.path); });
  }

  void append_elements(const Shape& element, JsonArray elements) {
    append_all('[', elements, ']', [&](JsonElement json) { append(element, json); });
  }

  void append_entries(const Shape& element, JsonObject entries) {
    append_all('{', entries, '}', [&](const simdjson::dom::key_value_pair& entry) {
      out_.append(entry.key).append("=");
      append(element, entry.value);
    });
  }

  void append_variant(const Shape& shape, JsonObject fields) {
    out_ += shape.name;
    append_all('(', shape.echoed, ')', [&](const EchoedMember& member) {
      const auto content = member_of(fields, member.name);
      out_.append(member.path).append("=");
      if (content)
        append_content(shape, *content);
      else
        out_ += "null";
    });
  }

  /// Appends the content of a variant: a scalar, scalars or further variants.
  void append_content(const Shape& shape, JsonElement json) {
    JsonArray elements;
    JsonObject entries;
    if (json.get(elements) == simdjson::SUCCESS) {
      append_all('[', elements, ']', [&](JsonElement element) {
        JsonObject fields;
        if (element.get(fields) == simdjson::SUCCESS)
          append_variant(shape, fields);
        else
          append_scalar(element);
      });
    } else if (json.get(entries) == simdjson::SUCCESS) {
      append_entries(shape, entries);
    } else {
      append_scalar(json);
    }
  }

  void append_scalar(JsonElement json) {
    std::string_view text;
    if (json.get(text) == simdjson::SUCCESS)
      out_ += text;
    else
      out_ += simdjson::minify(json);
  }

  std::string& out_;
  std::size_t end_;
  bool older_;
};

}  // namespace

void append_echo(std::string& out, const Shape& shape, JsonElement json, Generation generation,
                 std::size_t longest) {
  Echo(out, generation, longest).append(shape, json);
}

}  // namespace dinette::aws

#include "dinette/aws/mistyped.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "aws/quoted_scalar.h"

namespace dinette::aws {
namespace {

bool is_number_kind(Kind kind) {
  return kind == Kind::integer || kind == Kind::long_integer || kind == Kind::floating ||
         kind == Kind::timestamp;
}

bool is_quoted_scalar(Kind kind, JsonElement json) {
  if (kind == Kind::boolean) return quoted_boolean(json).has_value();
  return is_number_kind(kind) && quoted_number(json).has_value();
}

/// Walks a request along the shapes of its members: never deeper than these are.
class TypeWalk {
 public:
  TypeWalk(std::size_t most, base::FunctionRef<bool(JsonElement json)> fits) : most_(most), fits_(fits) {}

  void walk_members(std::span<const Member> members, JsonElement json, const std::string& path) {
    JsonObject fields;
    if (json.get(fields) != simdjson::SUCCESS) return add(path, false);
    for (const auto field : fields) {
      if (full()) return;
      const auto member = std::ranges::find(members, field.key, &Member::name);
      const bool skipped =
          member == members.end() || field.value.is_null() || (member->or_text && field.value.is_string());
      if (!skipped)
        walk(*member->shape, field.value, path.empty() ? std::string(field.key) : below(path, field.key));
    }
  }

  std::vector<MistypedValue> found() && { return std::move(found_); }

 private:
  static std::string below(const std::string& path, std::string_view name) {
    constexpr std::size_t longest_name = 255;
    return path + "." + std::string(name.substr(0, longest_name));
  }

  void walk(const Shape& shape, JsonElement json, const std::string& path) {
    switch (shape.kind) {
      case Kind::structure:
        return walk_members(shape.members, json, path);
      case Kind::list:
        return walk_elements(shape, json, path);
      case Kind::map:
        return walk_entries(shape, json, path);
      default:
        if (!is_scalar_of(shape.kind, json)) add(path, is_quoted_scalar(shape.kind, json));
    }
  }

  bool is_scalar_of(Kind kind, JsonElement json) const {
    if (kind == Kind::variant) return fits_(json);
    if (kind == Kind::string || kind == Kind::blob) return json.is_string();
    return kind == Kind::boolean ? json.is_bool() : json.is_number();
  }

  void walk_elements(const Shape& shape, JsonElement json, const std::string& path) {
    JsonArray elements;
    if (json.get(elements) != simdjson::SUCCESS) return add(path, false);
    std::size_t position = 0;
    for (const JsonElement element : elements) {
      if (full()) return;
      walk(*shape.element, element, path + "[" + std::to_string(position++) + "]");
    }
  }

  void walk_entries(const Shape& shape, JsonElement json, const std::string& path) {
    JsonObject entries;
    if (json.get(entries) != simdjson::SUCCESS) return add(path, false);
    for (const auto entry : entries) {
      if (full()) return;
      walk(*shape.element, entry.value, below(path, entry.key));
    }
  }

  void add(std::string path, bool quoted) { found_.push_back({std::move(path), quoted}); }
  bool full() const { return found_.size() >= most_; }

  const std::size_t most_;
  const base::FunctionRef<bool(JsonElement json)> fits_;
  std::vector<MistypedValue> found_;
};

}  // namespace

std::vector<MistypedValue> mistyped_values(const Operation& operation, JsonElement request, std::size_t most,
                                           base::FunctionRef<bool(JsonElement json)> fits) {
  TypeWalk walk(most, fits);
  walk.walk_members(operation.input, request, "");
  return std::move(walk).found();
}

}  // namespace dinette::aws

#include "dinette/aws/json_tree.h"

#include <algorithm>
#include <new>

#include "dinette/aws/json.h"

namespace dinette::aws {
namespace {

namespace ondemand = simdjson::ondemand;

/// Each function returns false if the JSON is malformed or nests too deeply.
class TreeReader {
 public:
  explicit TreeReader(std::size_t levels) : levels_(levels) {}

  bool read(ondemand::object object, JsonTree& out) {
    if (levels_ == 0) return false;
    --levels_;
    out.kind = JsonTree::Kind::object;
    for (auto field : object) {
      std::string_view name;
      ondemand::value value;
      if (field.unescaped_key().get(name) != simdjson::SUCCESS) return false;
      out.names.emplace_back(name);
      if (field.value().get(value) != simdjson::SUCCESS || !read(value, out.values.emplace_back()))
        return false;
    }
    ++levels_;
    return true;
  }

 private:
  bool read(ondemand::array array, JsonTree& out) {
    if (levels_ == 0) return false;
    --levels_;
    out.kind = JsonTree::Kind::list;
    for (auto element : array) {
      ondemand::value value;
      if (element.get(value) != simdjson::SUCCESS || !read(value, out.values.emplace_back())) return false;
    }
    ++levels_;
    return true;
  }

  bool read(ondemand::value value, JsonTree& out) {
    ondemand::json_type type;
    if (value.type().get(type) != simdjson::SUCCESS) return false;
    switch (type) {
      case ondemand::json_type::object: {
        ondemand::object object;
        return value.get_object().get(object) == simdjson::SUCCESS && read(object, out);
      }
      case ondemand::json_type::array: {
        ondemand::array array;
        return value.get_array().get(array) == simdjson::SUCCESS && read(array, out);
      }
      case ondemand::json_type::string: {
        std::string_view text;
        out.kind = JsonTree::Kind::string;
        if (value.get_string().get(text) != simdjson::SUCCESS) return false;
        out.text = text;
        return true;
      }
      case ondemand::json_type::number:
        return read_number(value, out);
      case ondemand::json_type::boolean:
        out.kind = JsonTree::Kind::boolean;
        return value.get_bool().get(out.truth) == simdjson::SUCCESS;
      case ondemand::json_type::null:
        return token_of(value) == "null";
      default:
        return false;
    }
  }

  static bool read_number(ondemand::value value, JsonTree& out) {
    out.kind = JsonTree::Kind::number;
    out.text = token_of(value);
    return value.get_double().get(out.number) == simdjson::SUCCESS;
  }

  static std::string_view token_of(ondemand::value& value) {
    const std::string_view token = value.raw_json_token();
    return token.substr(0, token.find_first_of(" \t\r\n"));
  }

  std::size_t levels_;  // that may still begin
};

}  // namespace

const JsonTree* JsonTree::member(std::string_view name) const {
  const auto found = std::find(names.rbegin(), names.rend(), name);
  if (found == names.rend()) return nullptr;
  return &values[static_cast<std::size_t>(names.rend() - found) - 1];
}

std::optional<JsonTree> read_json_tree(std::string_view json, std::size_t levels) {
  const simdjson::padded_string text(json);
  ondemand::parser parser;
  ondemand::document document;
  ondemand::object object;
  JsonTree tree;
  const simdjson::error_code failed = parser.iterate(text).get(document);
  if (failed == simdjson::MEMALLOC) throw std::bad_alloc();
  if (failed != simdjson::SUCCESS || document.get_object().get(object) != simdjson::SUCCESS)
    return std::nullopt;
  // What follows the object would be a location.
  if (!TreeReader(levels).read(object, tree) ||
      document.current_location().error() != simdjson::OUT_OF_BOUNDS)
    return std::nullopt;
  return tree;
}

}  // namespace dinette::aws

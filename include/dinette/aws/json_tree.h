#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dinette::aws {

/// A JSON value whose numbers keep the text that they were written with: 300, 300.0 and 3e2 are three.
struct JsonTree {
  enum class Kind : std::uint8_t { null, boolean, number, string, list, object };

  Kind kind = Kind::null;
  bool truth = false;              ///< of a boolean
  double number = 0;               ///< of a number
  std::string text = {};           ///< of a string, without escapes; of a number, as it is written
  std::vector<std::string> names;  ///< of an object's members; they may repeat
  std::vector<JsonTree> values;    ///< of an object's members, or of a list

  /// Returns the member of an object that counts, the last one of that name; null if there is none.
  const JsonTree* member(std::string_view name) const;
};

/// Reads a JSON object. Returns nothing if it is none, or if it nests more than `levels`, counting itself.
/// Throws std::bad_alloc.
std::optional<JsonTree> read_json_tree(std::string_view json, std::size_t levels);

}  // namespace dinette::aws

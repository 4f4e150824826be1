#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dinette::cql {

/// A value of JSON; numbers as they are written.
struct JsonValue {
  enum class Kind : std::uint8_t { null, boolean, number, string, list, map };

  Kind kind = Kind::null;
  std::string text{};                                        ///< of numbers, booleans and strings
  std::vector<JsonValue> elements{};                         ///< of a list
  std::vector<std::pair<std::string, JsonValue>> members{};  ///< of a map, in their order
};

/// How deep lists and maps may nest.
inline constexpr int most_json_depth = 64;
/// How many values a text may have: more than a row has room for.
inline constexpr std::size_t most_json_values = 1'000'000;

/// Reads the value of JSON that a text begins with: what follows is not looked at, as in Cassandra
/// (docs/service-keyspaces/types.md section 8). Returns nullopt if there is none.
std::optional<JsonValue> read_json(std::string_view text);

}  // namespace dinette::cql

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace dinette::base {

/// Where and why a text is not JSON.
struct JsonError {
  std::size_t line = 1;
  std::size_t column = 1;  ///< in characters
  std::string reason;      ///< "unexpected '}'; expected string literal": nothing of the text
  std::size_t byte = 0;    ///< at which reading failed, from 1

  /// Returns "line 3, column 5".
  std::string place() const;
};

/// Returns the first error; nothing if the text is JSON, however deep it nests. For messages: it costs time.
std::optional<JsonError> find_json_error(std::string_view text);

}  // namespace dinette::base

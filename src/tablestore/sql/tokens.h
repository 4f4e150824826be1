#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tablestore/request/api_error.h"

namespace dinette::tablestore::sql {

struct Token {
  enum class Kind : std::uint8_t { word, name, text, bytes, whole, real, sign, end };

  Kind kind = Kind::end;
  std::string text;       ///< of a word in lower case; of a name and a text without quotes
  std::string written;    ///< as it was written
  std::size_t begin = 0;  ///< where it is in the statement
  std::size_t end = 0;
};

/// Returns the error of a statement that is wrong from here on.
base::Failure<ApiError> syntax_error(std::string_view rest);

/// Divides a statement. The last token is `end`; a semicolon at the end is none.
Answer<std::vector<Token>> read_tokens(std::string_view statement);

}  // namespace dinette::tablestore::sql

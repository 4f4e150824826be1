#pragma once

#include <algorithm>
#include <string_view>

namespace dinette::dynamodb::wire {

/// `text` without the white space of HTTP headers around it.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view white = " \t";
  text.remove_prefix(std::min(text.find_first_not_of(white), text.size()));
  return text.substr(0, text.find_last_not_of(white) + 1);
}

/// Cuts off `rest`, and returns, what stands before the first `mark`; the mark goes, too.
inline std::string_view take_until(std::string_view& rest, char mark) {
  const std::size_t end = std::min(rest.find(mark), rest.size());
  const std::string_view head = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return head;
}

}  // namespace dinette::dynamodb::wire

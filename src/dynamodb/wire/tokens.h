#pragma once

#include <algorithm>
#include <string_view>

namespace dinette::dynamodb::wire {

/// `text` without the white space of HTTP headers around it.
inline std::string_view trimmed(std::string_view text) {
  const auto white = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && white(text.front())) text.remove_prefix(1);
  while (!text.empty() && white(text.back())) text.remove_suffix(1);
  return text;
}

/// Cuts off `rest`, and returns, what comes before the first of `marks`; that mark goes, too.
inline std::string_view take_until_any(std::string_view& rest, std::string_view marks) {
  const std::size_t end = std::min(rest.find_first_of(marks), rest.size());
  const std::string_view head = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return head;
}

/// The same for one mark.
inline std::string_view take_until(std::string_view& rest, char mark) {
  return take_until_any(rest, {&mark, 1});
}

}  // namespace dinette::dynamodb::wire

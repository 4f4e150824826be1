#pragma once

#include <algorithm>
#include <string_view>

namespace dinette::http {

/// Returns `text` without the white space (spaces and tabs) around it.
inline std::string_view trimmed(std::string_view text) {
  const auto white = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && white(text.front())) text.remove_prefix(1);
  while (!text.empty() && white(text.back())) text.remove_suffix(1);
  return text;
}

/// Removes from `rest` the text up to and including the first `mark`, and returns it without the mark.
/// Without a mark that is all of `rest`.
inline std::string_view take_until(std::string_view& rest, char mark) {
  const std::size_t end = std::min(rest.find(mark), rest.size());
  const std::string_view head = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return head;
}

}  // namespace dinette::http

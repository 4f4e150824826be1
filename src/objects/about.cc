#include "objects/about.h"

#include <algorithm>
#include <charconv>

namespace dinette::objects {
namespace {

using std::string;
using std::string_view;

string one_line(string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

string_view take_until(string_view& text, char end) {
  const std::size_t at = std::min(text.find(end), text.size());
  const string_view taken = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return taken;
}

template <class Number>
bool read_number(string_view text, Number& number) {
  const char* const end = text.data() + text.size();
  return !text.empty() && std::from_chars(text.data(), end, number).ptr == end;
}

}  // namespace

string text_of(const About& about) {
  string text = std::to_string(about.state.size) + " " + std::to_string(about.state.modified) + " " +
                one_line(about.etag) + "\n";
  for (const auto& [name, value] : about.headers)
    text.append(one_line(name)).append(": ").append(one_line(value)).append("\n");
  return text.append("\n");
}

std::optional<About> find_about(string_view text, const FileState& state) {
  while (!text.empty()) {
    About about;
    string_view first = take_until(text, '\n');
    const bool read = read_number(take_until(first, ' '), about.state.size) &&
                      read_number(take_until(first, ' '), about.state.modified) && !first.empty();
    about.etag = first;
    for (string_view line = take_until(text, '\n'); !line.empty(); line = take_until(text, '\n')) {
      const string_view name = take_until(line, ':');
      about.headers.emplace_back(name, line.substr(std::min<std::size_t>(1, line.size())));
    }
    if (read && about.state == state) return about;
  }
  return std::nullopt;
}

}  // namespace dinette::objects

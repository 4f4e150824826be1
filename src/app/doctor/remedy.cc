#include "app/doctor/remedy.h"

#include <algorithm>

#include "dinette/base/ascii.h"

namespace dinette::app {
namespace {

bool is_plain(char c) {
  constexpr std::string_view marks = "%+,-./:=@_";
  return base::is_letter(c) || base::is_digit(c) || marks.find(c) != std::string_view::npos;
}

void add_line(std::string& text, const std::string& line) {
  if (!text.empty()) text += '\n';
  text += line;
}

}  // namespace

std::string shell_word(std::string_view text) {
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return std::string(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string text_of(const std::vector<Assignment>& environment) {
  std::string unset;
  std::string set;
  for (const Assignment& one : environment) {
    if (one.value)
      set += " " + one.name + "=" + shell_word(*one.value);
    else
      unset += " " + one.name;
  }
  std::string text;
  if (!unset.empty()) add_line(text, "unset" + unset);
  if (!set.empty()) add_line(text, "export" + set);
  return text;
}

std::string text_of(const Remedy& remedy) {
  std::string text = remedy.command;
  if (const std::string lines = text_of(remedy.environment); !lines.empty()) add_line(text, lines);
  if (remedy.note.empty()) return text;
  return text + (text.empty() ? "" : "   # ") + remedy.note;
}

}  // namespace dinette::app

#include "app/shell_word.h"

#include <algorithm>

#include "dinette/base/ascii.h"

namespace dinette::app {
namespace {

bool is_plain_in_shells(char c) {
  constexpr std::string_view marks = "%+,-./:=@_";
  return base::is_letter(c) || base::is_digit(c) || marks.find(c) != std::string_view::npos;
}

}  // namespace

std::string shell_word(std::string_view text) {
  if (!text.empty() && std::ranges::all_of(text, is_plain_in_shells)) return std::string(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

}  // namespace dinette::app

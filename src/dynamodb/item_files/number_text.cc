#include "dynamodb/item_files/number_text.h"

#include <algorithm>
#include <cstddef>

#include "dinette/base/ascii.h"

namespace dinette::dynamodb::item_files {
namespace {

/// Skips digits at the beginning of `text`. Returns how many there are.
std::size_t skip_digits(std::string_view& text) {
  const auto end = std::ranges::find_if_not(text, base::is_digit);
  const auto count = static_cast<std::size_t>(end - text.begin());
  text.remove_prefix(count);
  return count;
}

bool skip_one_of(std::string_view& text, std::string_view characters) {
  if (text.empty() || characters.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

/// Skips an exponent, if there is one. Returns false if it has no digits.
bool skip_exponent(std::string_view& text) {
  if (!skip_one_of(text, "eE")) return true;
  skip_one_of(text, "+-");
  return skip_digits(text) > 0;
}

}  // namespace

bool is_json_number(std::string_view text) {
  skip_one_of(text, "-");
  const bool zero = text.starts_with('0');
  const std::size_t whole = skip_digits(text);
  if (whole == 0 || (zero && whole > 1)) return false;
  if (skip_one_of(text, ".") && skip_digits(text) == 0) return false;
  return skip_exponent(text) && text.empty();
}

bool is_number_text(std::string_view text) {
  skip_one_of(text, "+-");
  std::size_t digits = skip_digits(text);
  if (skip_one_of(text, ".")) digits += skip_digits(text);
  return digits > 0 && skip_exponent(text) && text.empty();
}

}  // namespace dinette::dynamodb::item_files

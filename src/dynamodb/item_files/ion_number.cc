#include "dynamodb/item_files/ion_number.h"

#include <algorithm>

#include "dinette/base/ascii.h"

namespace dinette::dynamodb::item_files {
namespace {

__extension__ using Magnitude = unsigned __int128;

/// Moves the digits at the beginning of `text`, between which there may be underscores, to `out`. Returns
/// false if there are none.
bool take_digits(std::string_view& text, std::string& out, bool underscores) {
  bool digit_before = false;
  const std::size_t size_before = out.size();
  while (!text.empty()) {
    const bool digit = base::is_digit(text.front());
    const bool between =
        underscores && text.front() == '_' && digit_before && text.size() > 1 && base::is_digit(text[1]);
    if (!digit && !between) break;
    if (digit) out += text.front();
    digit_before = digit;
    text.remove_prefix(1);
  }
  return out.size() > size_before;
}

/// Moves the exponent at the beginning of `text` to `out`. Returns false if there is something else.
bool take_exponent(std::string_view& text, std::string& out) {
  if (text.empty() || std::string_view("dDeE").find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  out += 'E';
  if (text.starts_with('-') || text.starts_with('+')) {
    out += text.front();
    text.remove_prefix(1);
  }
  return take_digits(text, out, false);
}

std::optional<unsigned> digit_value(char c) {
  const std::size_t found = base::lower_hex_digits.find(base::to_lower(c));
  return found == std::string_view::npos ? std::nullopt : std::optional(static_cast<unsigned>(found));
}

/// Converts `digits`, which have no 0x or 0b.
std::optional<std::string> from_base(std::string_view digits, unsigned base) {
  Magnitude value = 0;
  bool digit_before = false;
  for (const char c : digits) {
    if (c == '_' && digit_before) {
      digit_before = false;
      continue;
    }
    const auto digit = digit_value(c);
    if (!digit || *digit >= base || value > (~Magnitude{0} - *digit) / base) return std::nullopt;
    value = value * base + *digit;
    digit_before = true;
  }
  if (!digit_before) return std::nullopt;
  std::string text;
  do {
    text += static_cast<char>('0' + static_cast<char>(value % 10));
    value /= 10;
  } while (value > 0);
  std::ranges::reverse(text);
  return text;
}

}  // namespace

std::optional<std::string> number_from_ion(std::string_view text) {
  std::string out;
  if (text.starts_with('-')) {
    out += '-';
    text.remove_prefix(1);
  }
  if (text.size() > 1 && text[0] == '0' && std::string_view("xXbB").find(text[1]) != std::string_view::npos) {
    const auto magnitude = from_base(text.substr(2), base::to_lower(text[1]) == 'x' ? 16 : 2);
    return magnitude ? std::optional(out + *magnitude) : std::nullopt;
  }
  const bool zero_first = text.starts_with('0');
  std::string whole;
  if (!take_digits(text, whole, true) || (zero_first && whole.size() > 1)) return std::nullopt;
  out += whole;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    std::string fraction;
    if (take_digits(text, fraction, true)) out.append(".").append(fraction);
  }
  if (!text.empty() && (!take_exponent(text, out) || !text.empty())) return std::nullopt;
  return out;
}

bool is_ion_timestamp(std::string_view text) {
  constexpr std::size_t year = 4;
  return text.size() > year && std::ranges::all_of(text.substr(0, year), base::is_digit) &&
         (text[year] == '-' || text[year] == 'T');
}

}  // namespace dinette::dynamodb::item_files

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/ascii.h"

#include "tablestore/api/limits.h"
#include "tablestore/sql/functions.h"

namespace dinette::tablestore::sql {
namespace {

using std::string;
using std::string_view;

/// Returns where each character of a text begins, and its end.
std::vector<std::size_t> characters_of(string_view text) {
  std::vector<std::size_t> places;
  places.reserve(text.size() + 1);
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0U) != 0x80U) places.push_back(i);
  places.push_back(text.size());
  return places;
}

std::int64_t count_characters(string_view text) {
  return std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; });
}

/// Returns `count` characters from one on, which counts from 1, or from the end if it is negative.
string part_of(string_view text, std::int64_t first, std::int64_t count) {
  const auto places = characters_of(text);
  const auto size = static_cast<std::int64_t>(places.size()) - 1;
  const std::int64_t begin = first > 0 ? first - 1 : size + first;
  if (first == 0 || begin < 0 || begin >= size || count <= 0) return {};
  const std::int64_t end = count > size - begin ? size : begin + count;
  const std::size_t from = places[static_cast<std::size_t>(begin)];
  return string(text.substr(from, places[static_cast<std::size_t>(end)] - from));
}

SqlValue concat(Arguments arguments, const Environment&) {
  string all;
  for (const SqlValue& argument : arguments) {
    all += text_of(argument);
    if (all.size() > limits::sql_text_bytes) return {};
  }
  return all;
}

/// NULL separates nothing, and other NULLs are left out.
SqlValue concat_ws(Arguments arguments, const Environment&) {
  if (is_null(arguments[0])) return {};
  const string separator = text_of(arguments[0]);
  string all;
  bool is_first = true;
  for (const SqlValue& argument : arguments.subspan(1)) {
    if (is_null(argument)) continue;
    if (!is_first) all += separator;
    is_first = false;
    all += text_of(argument);
    if (all.size() > limits::sql_text_bytes) return {};
  }
  return all;
}

SqlValue length(Arguments arguments, const Environment&) {
  return static_cast<std::int64_t>(text_of(arguments[0]).size());
}

SqlValue bit_length(Arguments arguments, const Environment&) {
  return static_cast<std::int64_t>(text_of(arguments[0]).size() * 8);
}

SqlValue char_length(Arguments arguments, const Environment&) {
  return count_characters(text_of(arguments[0]));
}

template <char (*change)(char)>
SqlValue changed_case(Arguments arguments, const Environment&) {
  string text = text_of(arguments[0]);
  std::ranges::transform(text, text.begin(), change);
  return bounded(std::move(text));
}

SqlValue substring(Arguments arguments, const Environment&) {
  const auto first = whole_argument(arguments[1]);
  const auto count = arguments.size() > 2 ? whole_argument(arguments[2])
                                          : std::optional(std::numeric_limits<std::int64_t>::max());
  if (!first || !count) return {};
  return bounded(part_of(text_of(arguments[0]), *first, *count));
}

SqlValue left(Arguments arguments, const Environment&) {
  const auto count = whole_argument(arguments[1]);
  return count ? bounded(part_of(text_of(arguments[0]), 1, *count)) : SqlValue();
}

SqlValue right(Arguments arguments, const Environment&) {
  const string text = text_of(arguments[0]);
  const auto count = whole_argument(arguments[1]);
  if (!count) return {};
  const std::int64_t some = std::clamp<std::int64_t>(*count, 0, count_characters(text));
  return bounded(part_of(text, -some, some));
}

enum class Side : std::uint8_t { both, leading, trailing };

string trimmed(string_view text, string_view removed, Side side) {
  if (removed.empty()) return string(text);
  while (side != Side::trailing && text.starts_with(removed)) text.remove_prefix(removed.size());
  while (side != Side::leading && text.ends_with(removed)) text.remove_suffix(removed.size());
  return string(text);
}

/// Of the text, and what is removed.
template <Side side>
SqlValue trim(Arguments arguments, const Environment&) {
  const string removed = arguments.size() > 1 ? text_of(arguments[1]) : " ";
  return bounded(trimmed(text_of(arguments[0]), removed, side));
}

/// Where texts are almost alike, most of what is looked for is compared at each place.
void count_search(std::size_t text, std::size_t wanted, const Environment& environment) {
  constexpr std::size_t compared_at_once = 128;
  if (environment.budget != nullptr) environment.budget->spend_bytes(text * (wanted / compared_at_once));
}

SqlValue replace(Arguments arguments, const Environment& environment) {
  const string text = text_of(arguments[0]);
  const string from = text_of(arguments[1]);
  const string to = text_of(arguments[2]);
  if (from.empty()) return bounded(text);
  if (from.size() > limits::sql_pattern_bytes) return {};
  count_search(text.size(), from.size(), environment);
  string result;
  for (std::size_t at = 0;;) {
    const std::size_t found = text.find(from, at);
    result.append(text, at, found == string::npos ? string::npos : found - at);
    if (found == string::npos) return bounded(std::move(result), environment);
    result += to;
    if (result.size() > limits::sql_text_bytes) return bounded(std::move(result), environment);
    at = found + from.size();
  }
}

/// Returns the place of a text in another one from a character on, from 1; 0 if it is not there.
SqlValue place_of(const SqlValue& part, const SqlValue& whole, std::int64_t from,
                  const Environment& environment) {
  const string text = text_of(whole);
  const string wanted = text_of(part);
  if (wanted.size() > limits::sql_pattern_bytes) return {};
  count_search(text.size(), wanted.size(), environment);
  const auto places = characters_of(text);
  if (from < 1 || from > static_cast<std::int64_t>(places.size())) return std::int64_t{0};
  const std::size_t found = text.find(wanted, places[static_cast<std::size_t>(from - 1)]);
  if (found == string::npos) return std::int64_t{0};
  return count_characters(string_view(text).substr(0, found)) + 1;
}

SqlValue locate(Arguments arguments, const Environment& environment) {
  const auto from = arguments.size() > 2 ? whole_argument(arguments[2]) : std::optional<std::int64_t>(1);
  return from ? place_of(arguments[0], arguments[1], *from, environment) : SqlValue();
}

SqlValue instr(Arguments arguments, const Environment& environment) {
  return place_of(arguments[1], arguments[0], 1, environment);
}

/// Returns how often a text has a part, counted from its begin.
std::int64_t count_parts(string_view text, string_view part) {
  std::int64_t count = 0;
  for (std::size_t at = text.find(part); at != string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

/// Everything before so many delimiters, or, if their number is negative, after so many from the end, of
/// those that are found from the begin on.
SqlValue substring_index(Arguments arguments, const Environment& environment) {
  const string text = text_of(arguments[0]);
  const string delimiter = text_of(arguments[1]);
  const auto count = whole_argument(arguments[2]);
  if (!count || delimiter.size() > limits::sql_pattern_bytes) return {};
  if (delimiter.empty() || *count == 0) return string();
  count_search(text.size(), delimiter.size(), environment);
  const std::int64_t all = count_parts(text, delimiter);
  if (*count > 0 ? *count > all : *count < -all) return bounded(text);
  std::size_t at = text.find(delimiter);
  for (std::int64_t i = *count > 0 ? *count : all + 1 + *count; i > 1; --i)
    at = text.find(delimiter, at + delimiter.size());
  return *count > 0 ? text.substr(0, at) : text.substr(at + delimiter.size());
}

SqlValue repeated(const string& text, std::int64_t count) {
  const auto times = static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0));
  if (text.empty() || times == 0) return string();
  if (times > limits::sql_text_bytes / text.size()) return {};
  const std::size_t size = text.size() * times;
  string all;
  all.reserve(size);
  all = text;
  while (all.size() < size) all.append(all, 0, std::min(all.size(), size - all.size()));
  return all;
}

SqlValue repeat(Arguments arguments, const Environment&) {
  const auto count = whole_argument(arguments[1]);
  return count ? repeated(text_of(arguments[0]), *count) : SqlValue();
}

SqlValue space(Arguments arguments, const Environment&) {
  const auto count = whole_argument(arguments[0]);
  return count ? repeated(" ", *count) : SqlValue();
}

SqlValue reverse(Arguments arguments, const Environment&) {
  const string text = text_of(arguments[0]);
  const auto places = characters_of(text);
  string result;
  for (std::size_t i = places.size() - 1; i > 0; --i)
    result.append(text, places[i - 1], places[i] - places[i - 1]);
  return bounded(std::move(result));
}

/// Fills a text up to so many characters; a longer one is cut.
template <bool at_left>
SqlValue pad(Arguments arguments, const Environment& environment) {
  const string text = text_of(arguments[0]);
  const auto size = whole_argument(arguments[1]);
  if (!size || *size < 0 || *size > static_cast<std::int64_t>(limits::sql_text_bytes)) return {};
  const string filler = text_of(arguments[2]);
  const std::int64_t own = count_characters(text);
  if (own >= *size) return bounded(part_of(text, 1, *size));
  const std::int64_t one = count_characters(filler);
  if (one == 0) return {};
  const std::int64_t missing = *size - own;
  const SqlValue filled = repeated(filler, missing / one);
  if (is_null(filled)) return {};
  const string padding = std::get<string>(filled) + part_of(filler, 1, missing % one);
  return bounded(at_left ? padding + text : text + padding, environment);
}

SqlValue ascii(Arguments arguments, const Environment&) {
  const string text = text_of(arguments[0]);
  return std::int64_t{text.empty() ? 0 : static_cast<unsigned char>(text.front())};
}

SqlValue strcmp(Arguments arguments, const Environment&) {
  const auto order = text_of(arguments[0]) <=> text_of(arguments[1]);
  return std::int64_t{order < 0 ? -1 : order > 0 ? 1 : 0};
}

/// The place of the first argument among the others, from 1.
SqlValue field(Arguments arguments, const Environment&) {
  for (std::size_t i = 1; i < arguments.size(); ++i)
    if (compare(arguments[0], arguments[i]) == 0) return static_cast<std::int64_t>(i);
  return std::int64_t{0};
}

SqlValue elt(Arguments arguments, const Environment&) {
  const auto place = whole_argument(arguments[0]);
  if (!place || *place < 1 || *place >= std::ssize(arguments)) return {};
  return arguments[static_cast<std::size_t>(*place)];
}

SqlValue hex(Arguments arguments, const Environment&) {
  string digits;
  const auto* const real = std::get_if<double>(&arguments[0]);
  const auto* const whole = std::get_if<std::int64_t>(&arguments[0]);
  if (real != nullptr || whole != nullptr) {
    const auto number = static_cast<std::uint64_t>(real != nullptr ? nearest_whole(*real) : *whole);
    std::array<char, 16> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, 16).ptr;
    digits.assign(buffer.data(), end);
  } else {
    const string text = text_of(arguments[0]);
    digits = base::hex({reinterpret_cast<const unsigned char*>(text.data()), text.size()});
  }
  std::ranges::transform(digits, digits.begin(), base::to_upper);
  return bounded(std::move(digits));
}

/// Of a value, and the type as a statement names it, with the length of a CHAR.
SqlValue cast_to_text(Arguments arguments, const Environment&) {
  string text = text_of(arguments[0]);
  const auto most = arguments.size() > 1 ? whole_argument(arguments[1]) : std::nullopt;
  return bounded(most ? part_of(text, 1, *most) : std::move(text));
}

SqlValue cast_to_bytes(Arguments arguments, const Environment&) {
  return Bytes{text_of(arguments[0])};
}

/// Functions that look for something or for characters take longer.
constexpr std::uint8_t weight_of_search = 2;

constexpr std::array known_text_functions{
    Function{"concat", 1, any_number, Returns::text, false, concat},
    Function{"concat_ws", 2, any_number, Returns::text, true, concat_ws},
    Function{"length", 1, 1, Returns::whole, false, length},
    Function{"octet_length", 1, 1, Returns::whole, false, length},
    Function{"bit_length", 1, 1, Returns::whole, false, bit_length},
    Function{"char_length", 1, 1, Returns::whole, false, char_length},
    Function{"character_length", 1, 1, Returns::whole, false, char_length},
    Function{"upper", 1, 1, Returns::text, false, changed_case<base::to_upper>},
    Function{"ucase", 1, 1, Returns::text, false, changed_case<base::to_upper>},
    Function{"lower", 1, 1, Returns::text, false, changed_case<base::to_lower>},
    Function{"lcase", 1, 1, Returns::text, false, changed_case<base::to_lower>},
    Function{"substring", 2, 3, Returns::text, false, substring, weight_of_search},
    Function{"substr", 2, 3, Returns::text, false, substring, weight_of_search},
    Function{"mid", 3, 3, Returns::text, false, substring, weight_of_search},
    Function{"substring_index", 3, 3, Returns::text, false, substring_index, weight_of_search},
    Function{"left", 2, 2, Returns::text, false, left, weight_of_search},
    Function{"right", 2, 2, Returns::text, false, right, weight_of_search},
    Function{"trim", 1, 2, Returns::text, false, trim<Side::both>, weight_of_search},
    Function{"trim leading", 1, 2, Returns::text, false, trim<Side::leading>, weight_of_search},
    Function{"trim trailing", 1, 2, Returns::text, false, trim<Side::trailing>, weight_of_search},
    Function{"ltrim", 1, 1, Returns::text, false, trim<Side::leading>, weight_of_search},
    Function{"rtrim", 1, 1, Returns::text, false, trim<Side::trailing>, weight_of_search},
    Function{"replace", 3, 3, Returns::text, false, replace, weight_of_search},
    Function{"locate", 2, 3, Returns::whole, false, locate, weight_of_search},
    Function{"position", 2, 2, Returns::whole, false, locate, weight_of_search},
    Function{"instr", 2, 2, Returns::whole, false, instr, weight_of_search},
    Function{"repeat", 2, 2, Returns::text, false, repeat},
    Function{"space", 1, 1, Returns::text, false, space},
    Function{"reverse", 1, 1, Returns::text, false, reverse, weight_of_search},
    Function{"lpad", 3, 3, Returns::text, false, pad<true>, weight_of_search},
    Function{"rpad", 3, 3, Returns::text, false, pad<false>, weight_of_search},
    Function{"ascii", 1, 1, Returns::whole, false, ascii},
    Function{"strcmp", 2, 2, Returns::whole, false, strcmp},
    Function{"field", 2, any_number, Returns::whole, true, field},
    Function{"elt", 2, any_number, Returns::text, true, elt},
    Function{"hex", 1, 1, Returns::text, false, hex, weight_of_search},
    Function{"cast char", 1, 2, Returns::text, false, cast_to_text},
    Function{"cast binary", 1, 1, Returns::values, false, cast_to_bytes},
};

}  // namespace

std::span<const Function> text_functions() {
  return known_text_functions;
}

}  // namespace dinette::tablestore::sql

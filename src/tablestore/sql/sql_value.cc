#include "tablestore/sql/sql_value.h"

#include <charconv>
#include <cmath>

namespace dinette::tablestore::sql {
namespace {

double number_at_front(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return std::isfinite(number) ? number : 0;
}

int sign_of(std::partial_ordering order) {
  if (order == 0) return 0;
  return order < 0 ? -1 : 1;
}

const std::string* text_in(const SqlValue& value) {
  if (const auto* const bytes = std::get_if<Bytes>(&value)) return &bytes->content;
  return std::get_if<std::string>(&value);
}

/// Orders two moments, or a moment and a text that can be read as one.
std::optional<int> order_of_moments(const SqlValue& a, const SqlValue& b) {
  if (!std::holds_alternative<Moment>(a) && !std::holds_alternative<Moment>(b)) return std::nullopt;
  const auto left = moment_of(a);
  const auto right = moment_of(b);
  if (!left || !right) return std::nullopt;
  return left->microseconds < right->microseconds ? -1 : left->microseconds > right->microseconds ? 1 : 0;
}

std::size_t character_size(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t size = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  return size < text.size() ? size : text.size();
}

}  // namespace

SqlValue sql_value_of(const Value& value) {
  switch (value.type()) {
    case ValueType::integer:
      return value.as_integer();
    case ValueType::real:
      return value.as_real();
    case ValueType::boolean:
      return value.as_boolean();
    case ValueType::string:
      return std::string(value.bytes());
    case ValueType::binary:
      return Bytes{std::string(value.bytes())};
    default:
      return {};
  }
}

std::optional<double> number_of(const SqlValue& value) {
  if (is_null(value)) return std::nullopt;
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* const real = std::get_if<double>(&value)) return *real;
  if (const auto* const truth = std::get_if<bool>(&value)) return *truth ? 1 : 0;
  if (const auto* const moment = std::get_if<Moment>(&value)) return moment->digits();
  return number_at_front(*text_in(value));
}

std::optional<Moment> moment_of(const SqlValue& value) {
  if (const auto* const moment = std::get_if<Moment>(&value)) return *moment;
  const auto* const text = std::get_if<std::string>(&value);
  return text != nullptr ? read_moment(*text) : std::nullopt;
}

bool is_true(const SqlValue& value) {
  const auto number = number_of(value);
  return number && *number != 0;
}

std::optional<int> compare(const SqlValue& a, const SqlValue& b) {
  if (is_null(a) || is_null(b)) return std::nullopt;
  if (const auto order = order_of_moments(a, b)) return order;
  const std::string* const left = text_in(a);
  const std::string* const right = text_in(b);
  if (left != nullptr && right != nullptr) return sign_of(*left <=> *right);
  const auto* const whole_left = std::get_if<std::int64_t>(&a);
  const auto* const whole_right = std::get_if<std::int64_t>(&b);
  if (whole_left != nullptr && whole_right != nullptr) return sign_of(*whole_left <=> *whole_right);
  return sign_of(*number_of(a) <=> *number_of(b));
}

int order_of(const SqlValue& a, const SqlValue& b) {
  if (is_null(a) || is_null(b)) return static_cast<int>(is_null(b)) - static_cast<int>(is_null(a));
  return *compare(a, b);
}

/// Goes back to the last `%` alone: what an earlier one takes makes no difference.
bool is_like(std::string_view text, std::string_view pattern) {
  constexpr std::size_t none = std::string_view::npos;
  std::size_t at = 0;
  std::size_t place = 0;
  std::size_t any = none;
  std::size_t after_any = 0;
  while (at < text.size()) {
    const bool escaped = place + 1 < pattern.size() && pattern[place] == '\\';
    if (place < pattern.size() && pattern[place] == '%') {
      any = place++;
      after_any = at;
    } else if (place < pattern.size() && pattern[place] == '_') {
      ++place;
      at += character_size(text.substr(at));
    } else if (place < pattern.size() && pattern[place + (escaped ? 1 : 0)] == text[at]) {
      place += escaped ? 2 : 1;
      ++at;
    } else if (any != none) {
      after_any += character_size(text.substr(after_any));
      at = after_any;
      place = any + 1;
    } else {
      return false;
    }
  }
  return pattern.substr(place).find_first_not_of('%') == none;
}

}  // namespace dinette::tablestore::sql

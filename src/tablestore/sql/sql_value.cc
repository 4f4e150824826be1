#include "tablestore/sql/sql_value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "tablestore/sql/budget.h"

namespace dinette::tablestore::sql {
namespace {

double number_at_front(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\n\r"), text.size()));
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
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

/// Returns a value as a moment of a kind: one, or a text that can be read as one.
std::optional<Moment> moment_as(const SqlValue& value, Moment::Kind kind) {
  if (const auto* const moment = std::get_if<Moment>(&value)) return *moment;
  const auto* const text = std::get_if<std::string>(&value);
  if (text == nullptr) return std::nullopt;
  return kind == Moment::Kind::time ? read_time(*text) : read_date(*text);
}

/// Orders two moments, or a moment and a text that can be read as one.
std::optional<int> order_of_moments(const SqlValue& a, const SqlValue& b) {
  const auto* const one = std::get_if<Moment>(std::holds_alternative<Moment>(a) ? &a : &b);
  if (one == nullptr) return std::nullopt;
  const auto left = moment_as(a, one->kind);
  const auto right = moment_as(b, one->kind);
  if (!left || !right) return std::nullopt;
  return left->microseconds < right->microseconds ? -1 : left->microseconds > right->microseconds ? 1 : 0;
}

/// Numbers of 1e15 and more, and those that are very small, have an exponent.
std::string text_of_real(double number) {
  constexpr double large = 1e15;
  constexpr double small = 1e-5;
  const double magnitude = std::abs(number);
  const bool plain = magnitude == 0 || (magnitude >= small && magnitude < large);
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                 plain ? std::chars_format::fixed : std::chars_format::scientific)
                       .ptr;
  std::string text(buffer.data(), end);
  const std::size_t exponent = text.find('e');
  if (exponent == std::string::npos) return text == "-0" ? "0" : text;
  // As 1e20 and 1e-7: neither a plus nor zeros in front.
  std::size_t digits = exponent + 1;
  if (text[digits] == '+') text.erase(digits, 1);
  if (text[digits] == '-') ++digits;
  while (digits + 1 < text.size() && text[digits] == '0') text.erase(digits, 1);
  return text;
}

std::size_t character_size(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t size = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  return size < text.size() ? size : text.size();
}

/// Compares a text with a pattern. Goes back to the last `%` alone: what an earlier one takes makes no
/// difference. That may be from each place of the text after as many comparisons as the pattern is long,
/// which are counted.
class LikeReader {
 public:
  LikeReader(std::string_view text, std::string_view pattern, char escape, Budget* budget)
      : text_(text), pattern_(pattern), escape_(escape), budget_(budget) {}
  LikeReader(const LikeReader&) = delete;
  LikeReader& operator=(const LikeReader&) = delete;
  ~LikeReader() { count(); }

  bool read() {
    while (at_ < text_.size())
      if (!take_one() && !go_back()) return false;
    return pattern_.substr(std::min(place_, pattern_.size())).find_first_not_of('%') == none;
  }

 private:
  static constexpr std::size_t none = std::string_view::npos;

  bool take_one() {
    if (place_ >= pattern_.size()) return false;
    const bool escaped = place_ + 1 < pattern_.size() && pattern_[place_] == escape_;
    if (!escaped && pattern_[place_] == '%') {
      any_ = place_++;
      after_any_ = at_;
    } else if (!escaped && pattern_[place_] == '_') {
      ++place_;
      at_ += character_size(text_.substr(at_));
    } else if (pattern_[place_ + (escaped ? 1 : 0)] == text_[at_]) {
      place_ += escaped ? 2 : 1;
      ++at_;
    } else {
      return false;
    }
    return true;
  }

  /// Lets the last `%` take one character more; false if there is none, or there is too much work.
  bool go_back() {
    if (any_ == none) return false;
    repeated_ += at_ - after_any_;
    constexpr std::size_t counted_at_once = 65'536;
    if (repeated_ >= counted_at_once && count()) return false;
    after_any_ += character_size(text_.substr(after_any_));
    at_ = after_any_;
    place_ = any_ + 1;
    return true;
  }

  /// Returns true if there is too much work.
  bool count() {
    if (budget_ == nullptr) return false;
    budget_->spend_bytes(std::exchange(repeated_, 0));
    return budget_->is_spent();
  }

  const std::string_view text_;
  const std::string_view pattern_;
  const char escape_;
  Budget* const budget_;
  std::size_t at_ = 0;
  std::size_t place_ = 0;
  std::size_t any_ = none;
  std::size_t after_any_ = 0;
  std::size_t repeated_ = 0;  ///< not counted yet
};

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

std::string text_of(const SqlValue& value) {
  if (is_null(value)) return {};
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* const real = std::get_if<double>(&value)) return text_of_real(*real);
  if (const auto* const truth = std::get_if<bool>(&value)) return *truth ? "1" : "0";
  if (const auto* const moment = std::get_if<Moment>(&value)) return text_of(*moment);
  return *text_in(value);
}

std::size_t text_size(const SqlValue& value) {
  const std::string* const text = text_in(value);
  return text != nullptr ? text->size() : 0;
}

std::size_t size_of(const SqlRow& row) {
  std::size_t size = sizeof row + row.size() * sizeof(SqlValue);
  for (const SqlValue& value : row) size += text_size(value);
  return size;
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

bool is_like(std::string_view text, std::string_view pattern, char escape, Budget* budget) {
  return LikeReader(text, pattern, escape, budget).read();
}

}  // namespace dinette::tablestore::sql

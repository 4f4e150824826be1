#include "aws/quoted_scalar.h"

#include <charconv>
#include <cmath>
#include <string_view>

#include "dinette/base/ascii.h"

namespace dinette::aws {
namespace {

std::string_view quoted_text(JsonElement json) {
  return json.is_string() ? json.get_string().value_unsafe() : std::string_view();
}

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(number) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> quoted_integer(JsonElement json) {
  return number_in<std::int64_t>(quoted_text(json));
}

std::optional<double> quoted_number(JsonElement json) {
  const auto number = number_in<double>(quoted_text(json));
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<bool> quoted_boolean(JsonElement json) {
  const std::string_view text = quoted_text(json);
  if (base::equal_ignoring_case(text, "true")) return true;
  if (base::equal_ignoring_case(text, "false")) return false;
  return std::nullopt;
}

}  // namespace dinette::aws

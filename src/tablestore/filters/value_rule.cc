#include "tablestore/filters/value_rule.h"

#include <atomic>
#include <charconv>
#include <exception>
#include <string_view>

#include <boost/regex.hpp>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"

namespace dinette::tablestore {
namespace {

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

struct ValueRule::Pattern {
  explicit Pattern(std::string_view text) : regex(text.data(), text.data() + text.size()) {}

  const boost::regex regex;
  /// Set when matching would have taken too long, about a second: the rule is not tried on further values.
  mutable std::atomic<bool> is_too_slow = false;
};

Answer<ValueRule> ValueRule::read(const api::ValueTransferRule& message) {
  if (message.regex.size() > limits::filter_regex_bytes) return refuse::unreadable_filter();
  ValueRule rule;
  rule.type_ = message.cast_type.value_or(api::CastType::string);
  const bool served = rule.type_ == api::CastType::integer || rule.type_ == api::CastType::double_ ||
                      rule.type_ == api::CastType::string;
  if (!served) return refuse::unreadable_filter();
  try {
    rule.pattern_ = std::make_shared<const Pattern>(message.regex);
  } catch (const std::exception&) {  // no regular expression
    return refuse::unreadable_filter();
  }
  return rule;
}

std::optional<Value> ValueRule::apply(const Value& value) const {
  if (value.type() != ValueType::string || pattern_->is_too_slow) return std::nullopt;
  const std::string_view text = value.bytes();
  boost::cmatch match;
  try {
    if (!boost::regex_search(text.data(), text.data() + text.size(), match, pattern_->regex))
      return std::nullopt;
  } catch (const std::exception&) {
    pattern_->is_too_slow = true;
    return std::nullopt;
  }
  const auto& part = match.size() > 1 ? match[1] : match[0];
  if (!part.matched) return std::nullopt;
  const std::string_view found(part.first, static_cast<std::size_t>(part.length()));
  if (type_ == api::CastType::string) return Value::string(found);
  if (type_ == api::CastType::integer) {
    const auto whole = number_in<std::int64_t>(found);
    return whole ? std::optional(Value::integer(*whole)) : std::nullopt;
  }
  const auto real = number_in<double>(found);
  return real ? std::optional(Value::real(*real)) : std::nullopt;
}

}  // namespace dinette::tablestore

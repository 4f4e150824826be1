#include <algorithm>
#include <cmath>
#include <limits>

#include "dinette/base/bytes.h"

#include "cql/statements/functions.h"
#include "cql/values/numbers.h"
#include "cql/values/to_text.h"

// docs/service-keyspaces/grammar.md section 7.
namespace dinette::cql::statements {
namespace {

bool is_string(Kind kind) {
  return kind == Kind::ascii || kind == Kind::text;
}

bool is_whole(Kind kind) {
  return kind == Kind::tinyint || kind == Kind::smallint || kind == Kind::int_ || kind == Kind::bigint ||
         kind == Kind::counter;
}

std::size_t size_of_whole(Kind kind) {
  return kind == Kind::tinyint ? 1 : kind == Kind::smallint ? 2 : kind == Kind::int_ ? 4 : 8;
}

double double_in(Kind kind, std::string_view value) {
  if (kind == Kind::float_) return static_cast<double>(read_float(value));
  if (kind == Kind::double_) return read_double(value);
  if (kind == Kind::varint) return static_cast<double>(read_varint(value).value_or(0));
  if (kind == Kind::decimal) {
    const auto number = read_decimal(value);
    return number ? double_of(decimal_text(*number)).value_or(0) : 0;
  }
  return static_cast<double>(read_fixed(value));
}

/// As Java narrows: NaN is 0, and what is too large the largest.
std::int64_t whole_of(double number) {
  constexpr auto limits = std::numeric_limits<std::int64_t>();
  if (std::isnan(number)) return 0;
  if (number >= 9223372036854775808.0) return limits.max();
  if (number <= -9223372036854775808.0) return limits.min();
  return static_cast<std::int64_t>(number);
}

std::int64_t whole_in(Kind kind, std::string_view value) {
  if (is_whole(kind)) return read_fixed(value);
  if (kind == Kind::varint) return static_cast<std::int64_t>(read_varint(value).value_or(0));
  if (kind == Kind::decimal) {
    auto number = read_decimal(value).value_or(DecimalNumber{});
    for (; number.scale > 0 && number.unscaled != 0; --number.scale) number.unscaled /= 10;
    // Only the lowest 64 bits stay.
    auto low = static_cast<std::uint64_t>(number.unscaled);
    for (int i = 0; number.scale < 0 && i < 64; ++i, ++number.scale) low *= 10;
    return static_cast<std::int64_t>(number.scale < 0 ? 0 : low);
  }
  return whole_of(double_in(kind, value));
}

/// Java narrows floating numbers to int first.
std::int64_t narrowed(Kind from, Kind to, std::int64_t number) {
  if ((from != Kind::float_ && from != Kind::double_) || to == Kind::bigint) return number;
  return std::clamp<std::int64_t>(number, std::numeric_limits<std::int32_t>::min(),
                                  std::numeric_limits<std::int32_t>::max());
}

base::Failure<Error> decimal_out_of_range() {
  return invalid("Decimal value is out of range.");
}

/// By way of double, also of whole numbers.
Answer<std::string> to_decimal(Kind from, std::string_view value) {
  const double number = double_in(from, value);
  const auto read = decimal_of(double_text(number));
  if (!read.number) return decimal_out_of_range();
  return decimal_bytes(*read.number);
}

Answer<std::string> number_cast(Kind from, Kind to, std::string_view value) {
  if (is_whole(to)) return fixed_bytes(narrowed(from, to, whole_in(from, value)), size_of_whole(to));
  switch (to) {
    case Kind::float_:
      return float_bytes(static_cast<float>(double_in(from, value)));
    case Kind::double_:
      return double_bytes(double_in(from, value));
    case Kind::varint:
      return varint_bytes(whole_in(from, value));
    default:
      return to_decimal(from, value);
  }
}

/// A text of JSON, but for times, which have a T, and decimals, which have no exponent.
Answer<std::string> to_text_value(const Type& from, std::string_view value) {
  // A few bytes could make a text of gigabytes.
  constexpr std::int32_t most_zeros = 1'000;
  if (from.kind == Kind::decimal) {
    const DecimalNumber number = read_decimal(value).value_or(DecimalNumber{});
    if (number.scale > most_zeros || number.scale < -most_zeros) return decimal_out_of_range();
    return value.empty() ? std::string() : plain_decimal_text(number);
  }
  std::string text = value_text(from, value);
  if (from.kind == Kind::timestamp) std::ranges::replace(text, ' ', 'T');
  return text;
}

const Function& conversion(std::string_view name, const Type& from) {
  const auto functions = find_functions(name);
  return *std::ranges::find_if(functions, [&](const Function& one) { return one.arguments[0] == from; });
}

}  // namespace

bool can_cast(const Type& from, const Type& to) {
  if (from == to) return true;
  if (is_number(from.kind)) return is_string(to.kind) || (is_number(to.kind) && to.kind != Kind::counter);
  switch (from.kind) {
    case Kind::ascii:
      return to.kind == Kind::text;
    case Kind::boolean:
    case Kind::inet:
    case Kind::uuid:
    case Kind::time:
      return is_string(to.kind);
    case Kind::timeuuid:
      return is_string(to.kind) || to.kind == Kind::timestamp || to.kind == Kind::date;
    case Kind::timestamp:
      return is_string(to.kind) || to.kind == Kind::date;
    case Kind::date:
      return is_string(to.kind) || to.kind == Kind::timestamp;
    default:
      return false;
  }
}

Answer<std::string> cast_value(const Type& from, const Type& to, std::string_view value) {
  if (from == to) return std::string(value);
  if (is_string(to.kind)) return to_text_value(from, value);
  if (is_number(from.kind)) return number_cast(from.kind, to.kind, value);
  const std::string_view name = to.kind == Kind::date ? "todate" : "totimestamp";
  const Argument argument = value;
  const Function& function = conversion(name, from);
  base::SystemIds ids;
  DINETTE_TRY(auto returned, function.call(function, {base::TimePoint{}, ids}, std::span(&argument, 1)));
  return *std::move(returned);
}

}  // namespace dinette::cql::statements

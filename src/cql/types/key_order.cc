#include "cql/types/key_order.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "dinette/base/bytes.h"

#include "cql/types/parts.h"

namespace dinette::cql {
namespace {

using store::Order;

Order reversed(Order order) {
  return order == Order::ascending ? Order::descending : Order::ascending;
}

/// Bytes as they are, for what has the same length in each value.
void append_fixed(std::string& out, std::string_view bytes, Order order) {
  if (order == Order::ascending) {
    out += bytes;
  } else {
    for (const char byte : bytes) out.push_back(static_cast<char>(~byte));
  }
}

enum class Mark : char { absent = 0, present = 1 };

void append_mark(std::string& out, Mark mark, Order order) {
  append_fixed(out, {reinterpret_cast<const char*>(&mark), 1}, order);
}

std::int64_t signed_number(std::string_view bytes) {
  std::int64_t number = static_cast<signed char>(bytes.front());
  for (const char byte : bytes.substr(1)) number = number * 256 + static_cast<unsigned char>(byte);
  return number;
}

/// Orders all NaN as one, after infinity.
double floating_number(std::string_view bytes) {
  const double number =
      bytes.size() == sizeof(float)
          ? static_cast<double>(std::bit_cast<float>(base::load_big_endian<std::uint32_t>(bytes.data())))
          : std::bit_cast<double>(base::load_big_endian<std::uint64_t>(bytes.data()));
  return std::isnan(number) ? std::numeric_limits<double>::quiet_NaN() : number;
}

/// The 60 bits of time, of which the lowest 32 come first in the value.
std::string time_of(std::string_view uuid) {
  std::string time;
  time.append(1, static_cast<char>(uuid[6] & 0x0F)).append(uuid.substr(7, 1));
  return time.append(uuid.substr(4, 2)).append(uuid.substr(0, 4));
}

void append_timeuuid(std::string& out, std::string_view uuid, Order order) {
  std::string key = time_of(uuid);
  // The rest is compared as signed bytes.
  for (const char byte : uuid.substr(8)) key.push_back(static_cast<char>(byte ^ '\x80'));
  append_fixed(out, key, order);
}

void append_uuid(std::string& out, std::string_view uuid, Order order) {
  const char version = static_cast<char>((uuid[6] >> 4) & 0x0F);
  std::string key(1, version);
  key += version == 1 ? time_of(uuid).append(uuid.substr(8)) : std::string(uuid);
  append_fixed(out, key, order);
}

std::string digits_of(Int128 magnitude) {
  std::string digits;
  for (; magnitude > 0; magnitude /= 10)
    digits.push_back(static_cast<char>('0' + static_cast<int>(magnitude % 10)));
  std::ranges::reverse(digits);
  return digits;
}

/// The number 0.d1d2d3... * 10^exponent: its sign, then exponent and digits, reversed if it is negative.
/// Exponents are those of Java, beyond what store::append_decimal takes.
void append_number(std::string& out, Int128 unscaled, std::int64_t scale, Order order) {
  const int sign = unscaled > 0 ? 1 : unscaled < 0 ? -1 : 0;
  append_fixed(out, std::string(1, static_cast<char>(sign + 1)), order);
  if (sign == 0) return;
  const std::string digits = digits_of(sign < 0 ? -unscaled : unscaled);
  const Order inner = sign < 0 ? reversed(order) : order;
  store::append_int64(out, static_cast<std::int64_t>(digits.size()) - scale, inner);
  store::append_bytes(out, std::string_view(digits).substr(0, digits.find_last_not_of('0') + 1), inner);
}

void append_decimal_key(std::string& out, std::string_view value, Order order) {
  const auto unscaled = read_varint(value.substr(4)).value_or(0);
  append_number(out, unscaled, signed_number(value.substr(0, 4)), order);
}

/// The size of the next part, or a negative one.
std::int32_t next_size(PartReader& in) {
  return in.read_int().value_or(-1);
}

void append_collection(std::string& out, const Type& type, std::string_view value, Order order) {
  PartReader in(value);
  const std::int32_t count = next_size(in);
  for (std::int32_t i = 0; i < count; ++i) {
    append_mark(out, Mark::present, order);
    for (const Type& part : type.arguments) {
      append_key(out, part, in.read(static_cast<std::size_t>(next_size(in))).value_or(""), order);
    }
  }
  append_mark(out, Mark::absent, order);
}

/// A component that is missing at the end is null, and null is first.
void append_components(std::string& out, const Type& type, std::string_view value, Order order) {
  PartReader in(value);
  for (const Type& part : type.arguments) {
    const std::int32_t size = next_size(in);
    append_mark(out, size < 0 ? Mark::absent : Mark::present, order);
    if (size >= 0) append_key(out, part, in.read(static_cast<std::size_t>(size)).value_or(""), order);
  }
}

/// A value that has bytes, of a type that is not of several parts.
void append_scalar(std::string& out, Kind kind, std::string_view value, Order order) {
  switch (kind) {
    case Kind::boolean:
      return append_fixed(out, std::string(1, static_cast<char>(value.front() != 0)), order);
    case Kind::date:
      return append_fixed(out, value, order);
    case Kind::float_:
    case Kind::double_:
      return store::append_double(out, floating_number(value), order);
    case Kind::uuid:
      return append_uuid(out, value, order);
    case Kind::timeuuid:
      return append_timeuuid(out, value, order);
    case Kind::varint:
      return append_number(out, read_varint(value).value_or(0), 0, order);
    case Kind::decimal:
      return append_decimal_key(out, value, order);
    default:  // tinyint, smallint, int, bigint, time, timestamp
      return store::append_int64(out, signed_number(value), order);
  }
}

}  // namespace

void append_key(std::string& out, const Type& type, std::string_view value, Order order) {
  switch (type.kind) {
    case Kind::list:
    case Kind::set:
    case Kind::map:
      return append_collection(out, type, value, order);
    case Kind::tuple:
    case Kind::udt:
      return append_components(out, type, value, order);
    case Kind::custom:
    case Kind::ascii:
    case Kind::blob:
    case Kind::counter:
    case Kind::duration:
    case Kind::inet:
    case Kind::text:
      return store::append_bytes(out, value, order);
    default:
      // A value of no bytes is first.
      append_mark(out, value.empty() ? Mark::absent : Mark::present, order);
      if (!value.empty()) append_scalar(out, type.kind, value, order);
  }
}

std::strong_ordering compare_values(const Type& type, std::string_view a, std::string_view b) {
  std::string key_a;
  std::string key_b;
  append_key(key_a, type, a);
  append_key(key_b, type, b);
  return key_a <=> key_b;
}

}  // namespace dinette::cql

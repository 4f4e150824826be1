#include "cql/values/to_text.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <span>

#include "dinette/base/ascii.h"
#include "dinette/base/bytes.h"

#include "cql/types/parts.h"
#include "cql/values/calendar.h"
#include "cql/values/numbers.h"

namespace dinette::cql {
namespace {

constexpr std::int64_t epoch_day_number = std::int64_t{1} << 31;

std::string hex_text(std::string_view bytes) {
  return base::hex(std::span(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

std::string uuid_text(std::string_view bytes) {
  std::string text = hex_text(bytes);
  for (const std::size_t place : {8U, 13U, 18U, 23U}) text.insert(place, "-");
  return text;
}

/// As Java writes addresses: all groups of digits, of an IPv4 address in a longer one that one alone.
std::string inet_text(std::string_view bytes) {
  constexpr std::size_t size_of_ipv4 = 4;
  constexpr std::string_view mapped("\0\0\0\0\0\0\0\0\0\0\xFF\xFF", 12);
  if (bytes.size() == mapped.size() + size_of_ipv4 && bytes.starts_with(mapped))
    bytes.remove_prefix(mapped.size());
  const bool is_ipv4 = bytes.size() == size_of_ipv4;
  const std::size_t group = is_ipv4 ? 1 : 2;
  std::string text;
  for (std::size_t at = 0; at + group <= bytes.size(); at += group) {
    if (at > 0) text.push_back(is_ipv4 ? '.' : ':');
    const std::uint16_t number = is_ipv4 ? static_cast<unsigned char>(bytes[at])
                                         : base::load_big_endian<std::uint16_t>(bytes.data() + at);
    char digits[8];
    const auto end = std::to_chars(std::begin(digits), std::end(digits), number, is_ipv4 ? 10 : 16).ptr;
    text.append(std::begin(digits), end);
  }
  return text;
}

std::string duration_text(std::string_view bytes) {
  const Duration duration = read_duration(bytes).value_or(Duration{});
  const bool negative = duration.months < 0 || duration.days < 0 || duration.nanoseconds < 0;
  std::string text = negative ? "-" : "";
  const auto append = [&](std::int64_t& left, std::int64_t size, std::string_view unit) {
    const std::int64_t count = left / size;
    left %= size;
    if (count != 0) text.append(std::to_string(count < 0 ? -count : count)).append(unit);
  };
  std::int64_t months = duration.months;
  std::int64_t days = duration.days;
  std::int64_t nanoseconds = duration.nanoseconds;
  append(months, 12, "y");
  append(months, 1, "mo");
  append(days, 1, "d");
  append(nanoseconds, 3'600'000'000'000, "h");
  append(nanoseconds, 60'000'000'000, "m");
  append(nanoseconds, 1'000'000'000, "s");
  append(nanoseconds, 1'000'000, "ms");
  append(nanoseconds, 1'000, "us");
  append(nanoseconds, 1, "ns");
  return text;
}

/// Keys of maps are strings: those of other types are their JSON in quotes.
void append_json_key(std::string& out, const Type& type, std::string_view value) {
  const std::string text = json_text(type, value);
  if (text.starts_with('"')) {
    out += text;
  } else {
    append_json_string(out, text);
  }
}

std::string json_of_collection(const Type& type, std::string_view value) {
  const bool is_map = type.kind == Kind::map;
  PartReader in(value);
  const std::int32_t count = in.read_int().value_or(0);
  std::string out = is_map ? "{" : "[";
  const auto part = [&] {
    return in.read(static_cast<std::size_t>(std::max(in.read_int().value_or(0), 0))).value_or("");
  };
  for (std::int32_t i = 0; i < count && !in.at_end(); ++i) {
    if (i > 0) out += ", ";
    if (is_map) {
      append_json_key(out, type.arguments[0], part());
      out += ": ";
    }
    out += json_text(type.arguments.back(), part());
  }
  return out + (is_map ? "}" : "]");
}

std::string json_of_components(const Type& type, std::string_view value) {
  const bool is_udt = type.kind == Kind::udt;
  PartReader in(value);
  std::string out = is_udt ? "{" : "[";
  for (std::size_t i = 0; i < type.arguments.size(); ++i) {
    if (i > 0) out += ", ";
    if (is_udt) {
      // Names that are not all lower case carry quotes.
      std::string name = type.fields[i];
      for (const char c : type.fields[i]) {
        if (base::to_lower(c) != c) name = "\"" + type.fields[i] + "\"";
      }
      append_json_string(out, name);
      out += ": ";
    }
    const std::int32_t size = in.read_int().value_or(-1);
    const auto part = size < 0 ? std::nullopt : in.read(static_cast<std::size_t>(size));
    out += part ? json_text(type.arguments[i], *part) : "null";
  }
  return out + (is_udt ? "}" : "]");
}

}  // namespace

std::string value_text(const Type& type, std::string_view value) {
  if (value.empty()) return "";
  switch (type.kind) {
    case Kind::ascii:
    case Kind::text:
      return std::string(value);
    case Kind::boolean:
      return value.front() != 0 ? "true" : "false";
    case Kind::tinyint:
    case Kind::smallint:
    case Kind::int_:
    case Kind::bigint:
    case Kind::counter:
      return std::to_string(read_fixed(value));
    case Kind::varint:
      return varint_text(read_varint(value).value_or(0));
    case Kind::decimal:
      return decimal_text(read_decimal(value).value_or(DecimalNumber{}));
    case Kind::float_:
      return float_text(read_float(value));
    case Kind::double_:
      return double_text(read_double(value));
    case Kind::date:
      return date_text(std::int64_t{base::load_big_endian<std::uint32_t>(value.data())} - epoch_day_number);
    case Kind::time:
      return time_text(read_fixed(value));
    case Kind::timestamp:
      return timestamp_text(read_fixed(value));
    case Kind::uuid:
    case Kind::timeuuid:
      return uuid_text(value);
    case Kind::inet:
      return inet_text(value);
    case Kind::duration:
      return duration_text(value);
    default:
      return "0x" + hex_text(value);
  }
}

std::string json_text(const Type& type, std::string_view value) {
  switch (type.kind) {
    case Kind::list:
    case Kind::set:
    case Kind::map:
      return json_of_collection(type, value);
    case Kind::tuple:
    case Kind::udt:
      return json_of_components(type, value);
    case Kind::boolean:
    case Kind::tinyint:
    case Kind::smallint:
    case Kind::int_:
    case Kind::bigint:
    case Kind::counter:
    case Kind::varint:
    case Kind::decimal:
    case Kind::float_:
    case Kind::double_:
      return value.empty() ? "\"\"" : value_text(type, value);
    case Kind::blob:
    case Kind::custom:
      return "\"0x" + hex_text(value) + "\"";
    default:
      break;
  }
  std::string out;
  append_json_string(out, value_text(type, value));
  return out;
}

void append_json_string(std::string& out, std::string_view text) {
  out.push_back('"');
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) {
          out.push_back(c);
        } else {
          out += "\\u00";
          out.push_back(base::lower_hex_digits[static_cast<unsigned char>(c) >> 4]);
          out.push_back(base::lower_hex_digits[c & 15]);
        }
    }
  }
  out.push_back('"');
}

}  // namespace dinette::cql

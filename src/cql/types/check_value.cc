#include "cql/types/check_value.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "dinette/base/ascii.h"
#include "dinette/base/utf8.h"

#include "cql/types/parts.h"

namespace dinette::cql {
namespace {

base::Failure<Error> wrong_length(std::string_view expected, std::string_view bytes) {
  return invalid(std::string(expected) + " (" + std::to_string(bytes.size()) + ")");
}

Answer<void> check_length(std::string_view bytes, std::size_t length, std::string_view expected) {
  if (bytes.size() == length || bytes.empty()) return {};
  return wrong_length(expected, bytes);
}

/// For types of which no bytes are no value.
Answer<void> check_exact_length(std::string_view bytes, std::size_t length, std::string_view expected) {
  if (bytes.size() == length) return {};
  return wrong_length(expected, bytes);
}

Answer<void> check_ascii(std::string_view bytes) {
  const auto wrong = std::ranges::find_if(bytes, [](char c) { return (c & '\x80') != 0; });
  if (wrong == bytes.end()) return {};
  return invalid("Invalid byte for ascii: " + std::to_string(static_cast<signed char>(*wrong)));
}

Answer<void> check_inet(std::string_view bytes) {
  if (bytes.empty() || bytes.size() == 4 || bytes.size() == 16) return {};
  const auto* const first = reinterpret_cast<const unsigned char*>(bytes.data());
  return invalid("Expected 4 or 16 byte inetaddress; got " + base::hex(std::span(first, bytes.size())));
}

Answer<void> check_varint(std::string_view bytes) {
  if (bytes.empty() || read_varint(bytes)) return {};
  return invalid("Varint value is out of range.");
}

Answer<void> check_decimal(std::string_view bytes) {
  if (bytes.empty()) return {};
  if (bytes.size() < 4) return wrong_length("Expected 0 or at least 4 bytes", bytes);
  if (bytes.size() == 4 || read_varint(bytes.substr(4))) return {};
  return invalid("Decimal value is out of range.");
}

Answer<void> check_timeuuid(std::string_view bytes) {
  DINETTE_CHECK(check_length(bytes, 16, "UUID should be 16 or 0 bytes"));
  if (bytes.empty() || (bytes[6] & '\xF0') == 0x10) return {};
  return invalid("Invalid version for TimeUUID type.");
}

bool fits_int(std::int64_t number) {
  return number >= std::numeric_limits<std::int32_t>::min() &&
         number <= std::numeric_limits<std::int32_t>::max();
}

Answer<void> check_duration(std::string_view bytes) {
  if (bytes.size() < 3) return wrong_length("Expected at least 3 bytes for a duration", bytes);
  const auto duration = read_duration(bytes);
  if (!duration) return invalid("Not enough bytes to read a duration");
  const auto [months, days, nanoseconds] = *duration;
  if (!fits_int(months)) {
    return invalid("The duration months must be a 32 bits integer but was: " + std::to_string(months));
  }
  if (!fits_int(days)) {
    return invalid("The duration days must be a 32 bits integer but was: " + std::to_string(days));
  }
  const bool same_sign =
      (months >= 0 && days >= 0 && nanoseconds >= 0) || (months <= 0 && days <= 0 && nanoseconds <= 0);
  if (same_sign) return {};
  return invalid("The duration months, days and nanoseconds must be all of the same sign (" +
                 std::to_string(months) + ", " + std::to_string(days) + ", " + std::to_string(nanoseconds) +
                 ")");
}

std::string_view collection_name(Kind kind) {
  return kind == Kind::list ? "list" : kind == Kind::set ? "set" : "map";
}

Answer<void> check_collection(const Type& type, std::string_view bytes, bool may_have_nulls = false) {
  const std::string name(collection_name(type.kind));
  const auto too_short = [&] { return invalid("Not enough bytes to read a " + name); };
  PartReader in(bytes);
  const auto count = in.read_int();
  if (!count || *count < 0) return too_short();
  for (std::int32_t i = 0; i < *count; ++i) {
    for (const Type& part : type.arguments) {
      const auto size = in.read_int();
      if (!size) return too_short();
      if (*size < 0 && may_have_nulls) continue;
      if (*size < 0) return invalid("null is not supported inside collections");
      const auto value = in.read(static_cast<std::size_t>(*size));
      if (!value) return too_short();
      DINETTE_CHECK(check_value(part, *value));
    }
  }
  if (in.at_end()) return {};
  return invalid("Unexpected extraneous bytes after " + name + " value");
}

/// Returns how many whole parts are left, if there is nothing else.
std::optional<std::size_t> count_rest(PartReader in) {
  std::size_t count = 0;
  for (; !in.at_end(); ++count) {
    const auto size = in.read_int();
    if (!size || (*size > 0 && !in.read(static_cast<std::size_t>(*size)))) return std::nullopt;
  }
  return count;
}

/// Of a tuple or a user-defined type; parts at the end may be missing.
Answer<void> check_components(const Type& type, std::string_view bytes) {
  const bool is_udt = type.kind == Kind::udt;
  const auto part_name = [&](std::size_t i) {
    return std::to_string(i) + (is_udt ? "th field " + type.fields[i] : "th component");
  };
  PartReader in(bytes);
  for (std::size_t i = 0; i < type.arguments.size() && !in.at_end(); ++i) {
    const auto size = in.read_int();
    if (!size) return invalid("Not enough bytes to read size of " + part_name(i));
    if (*size < 0) continue;
    const auto value = in.read(static_cast<std::size_t>(*size));
    if (!value) return invalid("Not enough bytes to read " + part_name(i));
    DINETTE_CHECK(check_value(type.arguments[i], *value));
  }
  if (in.at_end()) return {};
  if (const auto more = count_rest(in)) {
    return invalid(std::string(is_udt ? "UDT" : "Tuple") + " value contained too many fields (expected " +
                   std::to_string(type.arguments.size()) + ", got " +
                   std::to_string(type.arguments.size() + *more) + ")");
  }
  return invalid(is_udt ? "Invalid remaining data after end of UDT value"
                        : "Invalid remaining data after end of tuple value");
}

}  // namespace

Answer<void> check_list_of_in(const Type& list, std::string_view bytes) {
  return check_collection(list, bytes, true);
}

Answer<void> check_value(const Type& type, std::string_view bytes) {
  switch (type.kind) {
    case Kind::custom:
    case Kind::blob:
      return {};
    case Kind::ascii:
      return check_ascii(bytes);
    case Kind::text:
      if (base::is_utf8(bytes)) return {};
      return invalid("String didn't validate.");
    case Kind::boolean:
      return check_length(bytes, 1, "Expected 1 or 0 byte value");
    case Kind::tinyint:
      return check_exact_length(bytes, 1, "Expected 1 byte for a tinyint");
    case Kind::smallint:
      return check_exact_length(bytes, 2, "Expected 2 bytes for a smallint");
    case Kind::int_:
      return check_length(bytes, 4, "Expected 4 or 0 byte int");
    case Kind::bigint:
      return check_length(bytes, 8, "Expected 8 or 0 byte long");
    case Kind::counter:
      return check_exact_length(bytes, 8, "Expected 8 or 0 byte long");
    case Kind::float_:
      return check_length(bytes, 4, "Expected 4 or 0 byte value for a float");
    case Kind::double_:
      return check_length(bytes, 8, "Expected 8 or 0 byte value for a double");
    case Kind::timestamp:
      return check_length(bytes, 8, "Expected 8 or 0 byte long for date");
    case Kind::date:
      return check_exact_length(bytes, 4, "Expected 4 byte long for date");
    case Kind::time:
      return check_exact_length(bytes, 8, "Expected 8 byte long for time");
    case Kind::uuid:
      return check_length(bytes, 16, "UUID should be 16 or 0 bytes");
    case Kind::timeuuid:
      return check_timeuuid(bytes);
    case Kind::inet:
      return check_inet(bytes);
    case Kind::varint:
      return check_varint(bytes);
    case Kind::decimal:
      return check_decimal(bytes);
    case Kind::duration:
      return check_duration(bytes);
    case Kind::list:
    case Kind::set:
    case Kind::map:
      return check_collection(type, bytes);
    case Kind::udt:
    case Kind::tuple:
      return check_components(type, bytes);
  }
  return {};
}

}  // namespace dinette::cql

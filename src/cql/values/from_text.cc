#include "cql/values/from_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include <arpa/inet.h>

#include "dinette/base/ascii.h"
#include "dinette/base/utf8.h"

#include "cql/types/check_value.h"
#include "cql/values/calendar.h"
#include "cql/values/numbers.h"

namespace dinette::cql {
namespace {

constexpr std::int64_t epoch_date = std::int64_t{1} << 31;
constexpr std::int64_t nanoseconds_per_day = 86'400'000'000'000;

std::optional<std::int64_t> integer_of(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

base::Failure<Error> unable(std::string_view what, std::string_view text) {
  return invalid("Unable to make " + std::string(what) + " from '" + std::string(text) + "'");
}

Answer<std::string> whole_number(std::string_view text, std::size_t size, std::string_view what) {
  const auto number = integer_of(text);
  const std::int64_t most =
      size == 8 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t{1} << (8 * size - 1)) - 1;
  if (!number || *number > most || *number < -most - 1) return unable(what, text);
  return fixed_bytes(*number, size);
}

Answer<std::string> varint_value(std::string_view text) {
  const ReadVarint read = varint_of(text);
  if (read.number) return varint_bytes(*read.number);
  if (read.error == NumberError::out_of_range) return invalid("Varint value is out of range.");
  return invalid("unable to make int from '" + std::string(text) + "'");
}

Answer<std::string> decimal_value(std::string_view text) {
  const ReadDecimal read = decimal_of(text);
  if (read.number) return decimal_bytes(*read.number);
  if (read.error == NumberError::out_of_range) return invalid("Decimal value is out of range.");
  return invalid("unable to make BigDecimal from '" + std::string(text) + "'");
}

Answer<std::string> boolean_value(std::string_view text) {
  if (base::equal_ignoring_case(text, "true")) return std::string(1, '\1');
  if (base::equal_ignoring_case(text, "false")) return std::string(1, '\0');
  return invalid("unable to make boolean from '" + std::string(text) + "'");
}

Answer<std::string> blob_value(std::string_view text) {
  if (text.size() >= 2 && text[0] == '0' && base::to_lower(text[1]) == 'x') text.remove_prefix(2);
  if (auto bytes = bytes_of_hex(text)) return *std::move(bytes);
  return invalid("cannot parse '" + std::string(text) + "' as hex bytes");
}

Answer<std::string> uuid_value(std::string_view text, bool time_based) {
  std::string digits(text);
  std::erase(digits, '-');
  auto bytes = bytes_of_hex(digits);
  const bool placed =
      text.size() == 36 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-';
  if (!placed || !bytes || bytes->size() != 16) return unable("UUID", text);
  if (time_based && ((*bytes)[6] & '\xF0') != 0x10) {
    return invalid("TimeUUID supports only version 1 UUIDs");
  }
  return *std::move(bytes);
}

Answer<std::string> inet_value(std::string_view text) {
  const std::string address(text);
  std::string bytes(16, '\0');
  if (inet_pton(AF_INET, address.c_str(), bytes.data()) == 1) return bytes.substr(0, 4);
  if (inet_pton(AF_INET6, address.c_str(), bytes.data()) == 1) return bytes;
  return invalid("Unable to make inet address from '" + address + "'");
}

Answer<std::string> date_value(std::string_view text) {
  if (const auto number = integer_of(text)) {
    if (*number >= 0 && *number < 2 * epoch_date) return fixed_bytes(*number, 4);
    return invalid("Unable to make unsigned int (for date) from: '" + std::string(text) + "'");
  }
  std::string_view rest = text;
  const auto read = take_date(rest);
  const std::int64_t number = read ? days_of(*read) + epoch_date : -1;
  if (rest.empty() && number >= 0 && number < 2 * epoch_date) return fixed_bytes(number, 4);
  return invalid("Unable to coerce '" + std::string(text) + "' to a formatted date (long)");
}

Answer<std::string> time_value(std::string_view text) {
  if (const auto number = integer_of(text)) {
    if (*number >= 0 && *number < nanoseconds_per_day) return fixed_bytes(*number, 8);
    return invalid("Input long out of bounds: " + std::string(text));
  }
  std::string_view rest = text;
  const auto read = take_time(rest);
  if (read && rest.empty()) return fixed_bytes(*read, 8);
  return invalid("Timestamp format must be hh:mm:ss[.fffffffff]");
}

Answer<std::string> timestamp_value(std::string_view text) {
  if (const auto number = integer_of(text)) return fixed_bytes(*number, 8);
  if (const auto read = read_timestamp(text)) return fixed_bytes(*read, 8);
  return invalid("Unable to coerce '" + std::string(text) + "' to a formatted date (long)");
}

Answer<std::string> duration_value(std::string_view text) {
  const auto read = duration_of(text);
  if (!read) return invalid("Unable to convert '" + std::string(text) + "' to a duration");
  return duration_bytes(*read);
}

struct Unit {
  std::string_view name;
  std::int64_t Duration::*member;
  std::int64_t size;
};

/// In the order in which they must follow each other.
constexpr auto units = std::to_array<Unit>({{"y", &Duration::months, 12},
                                            {"mo", &Duration::months, 1},
                                            {"w", &Duration::days, 7},
                                            {"d", &Duration::days, 1},
                                            {"h", &Duration::nanoseconds, 3'600'000'000'000},
                                            {"m", &Duration::nanoseconds, 60'000'000'000},
                                            {"s", &Duration::nanoseconds, 1'000'000'000},
                                            {"ms", &Duration::nanoseconds, 1'000'000},
                                            {"us", &Duration::nanoseconds, 1'000},
                                            {"\xC2\xB5s", &Duration::nanoseconds, 1'000},
                                            {"ns", &Duration::nanoseconds, 1}});

/// Those of ISO 8601 before and after the T.
constexpr auto date_units = std::to_array<std::size_t>({0, 1, 2, 3});
constexpr auto time_units = std::to_array<std::size_t>({4, 5, 6});
constexpr std::string_view date_designators = "YMWD";
constexpr std::string_view time_designators = "HMS";

bool add(Duration& out, const Unit& unit, std::int64_t count) {
  std::int64_t product = 0;
  std::int64_t& member = out.*unit.member;
  return !__builtin_mul_overflow(count, unit.size, &product) &&
         !__builtin_add_overflow(member, product, &member);
}

/// Takes digits from `text`.
std::optional<std::int64_t> take_count(std::string_view& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = integer_of(text.substr(0, digits));
  text.remove_prefix(digits);
  return digits == 0 ? std::nullopt : number;
}

std::optional<Duration> duration_of_units(std::string_view text) {
  Duration out;
  std::size_t next = 0;
  while (!text.empty()) {
    const auto count = take_count(text);
    if (!count) return std::nullopt;
    const std::size_t length = std::min(text.find_first_of("0123456789"), text.size());
    const std::string_view name = text.substr(0, length);
    const auto named = [&](const Unit& unit) { return base::equal_ignoring_case(unit.name, name); };
    const auto unit = std::find_if(units.begin() + static_cast<std::ptrdiff_t>(next), units.end(), named);
    if (unit == units.end() || !add(out, *unit, *count)) return std::nullopt;
    next = static_cast<std::size_t>(unit - units.begin()) + 1;
    text.remove_prefix(length);
  }
  return out;
}

template <std::size_t n>
bool take_designated(std::string_view& text, Duration& out, std::string_view designators,
                     const std::array<std::size_t, n>& members) {
  while (!text.empty() && base::is_digit(text.front())) {
    const auto count = take_count(text);
    if (!count || text.empty()) return false;
    const std::size_t place = designators.find(base::to_upper(text.front()));
    if (place == std::string_view::npos || !add(out, units[members[place]], *count)) return false;
    text.remove_prefix(1);
  }
  return true;
}

/// Takes the digits of a unit from "0001-02-03T04:05:06", and what follows them.
bool take_unit(std::string_view& text, Duration& out, const Unit& unit) {
  const auto count = take_count(text);
  if (!text.empty()) text.remove_prefix(1);
  return count && add(out, unit, *count);
}

/// Of the form "0001-02-03T04:05:06".
std::optional<Duration> duration_of_date(std::string_view text) {
  Duration out;
  for (const std::size_t member : {0U, 1U, 3U, 4U, 5U, 6U}) {
    if (!take_unit(text, out, units[member])) return std::nullopt;
  }
  return out;
}

bool has_form_of_date(std::string_view text) {
  constexpr std::string_view form = "0000-00-00T00:00:00";
  return text.size() == form.size() && std::ranges::equal(text, form, [](char c, char wanted) {
           return wanted == '0' ? base::is_digit(c) : base::to_upper(c) == wanted;
         });
}

std::optional<Duration> duration_of_iso(std::string_view text) {
  if (has_form_of_date(text)) return duration_of_date(text);
  Duration out;
  if (!take_designated(text, out, date_designators, date_units)) return std::nullopt;
  if (!text.empty() && base::to_upper(text.front()) == 'T') {
    text.remove_prefix(1);
    if (!take_designated(text, out, time_designators, time_units)) return std::nullopt;
  }
  if (!text.empty()) return std::nullopt;
  return out;
}

bool fits(const Duration& duration) {
  constexpr auto most = std::numeric_limits<std::int32_t>::max();
  return duration.months <= most && duration.days <= most;
}

}  // namespace

Answer<std::string> value_from_text(const Type& type, std::string_view text) {
  switch (type.kind) {
    case Kind::ascii:
      if (const auto fits = check_value(type, text); !fits)
        return invalid("Invalid ASCII character in string literal: " + fits.error().message);
      return std::string(text);
    case Kind::text: {
      DINETTE_CHECK(check_value(type, text));
      return std::string(text);
    }
    case Kind::tinyint:
      return whole_number(text, 1, "byte");
    case Kind::smallint:
      return whole_number(text, 2, "short");
    case Kind::int_:
      return whole_number(text, 4, "int");
    case Kind::bigint:
    case Kind::counter:
      return whole_number(text, 8, "long");
    case Kind::varint:
      return varint_value(text);
    case Kind::decimal:
      return decimal_value(text);
    case Kind::float_: {
      const auto number = float_of(text);
      if (!number) return unable("float", text);
      return float_bytes(*number);
    }
    case Kind::double_: {
      const auto number = double_of(text);
      if (!number) return unable("double", text);
      return double_bytes(*number);
    }
    case Kind::boolean:
      return boolean_value(text);
    case Kind::blob:
    case Kind::custom:
      return blob_value(text);
    case Kind::uuid:
      return uuid_value(text, false);
    case Kind::timeuuid:
      return uuid_value(text, true);
    case Kind::inet:
      return inet_value(text);
    case Kind::date:
      return date_value(text);
    case Kind::time:
      return time_value(text);
    case Kind::timestamp:
      return timestamp_value(text);
    case Kind::duration:
      return duration_value(text);
    default:
      return invalid("Unable to make " + to_text(type) + " from '" + std::string(text) + "'");
  }
}

std::optional<Duration> duration_of(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  const bool iso = base::to_upper(text.front()) == 'P';
  auto out = iso ? duration_of_iso(text.substr(1)) : duration_of_units(text);
  if (!out || !fits(*out)) return std::nullopt;
  if (negative) out = Duration{-out->months, -out->days, -out->nanoseconds};
  return out;
}

std::optional<std::string> bytes_of_hex(std::string_view digits) {
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(digits.size() / 2);
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    unsigned byte = 0;
    const auto [end, error] = std::from_chars(digits.data() + i, digits.data() + i + 2, byte, 16);
    if (error != std::errc() || end != digits.data() + i + 2) return std::nullopt;
    bytes.push_back(static_cast<char>(byte));
  }
  return bytes;
}

}  // namespace dinette::cql

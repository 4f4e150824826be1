#include "cql/values/from_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include <arpa/inet.h>

#include "dinette/base/ascii.h"
#include "dinette/base/utf8.h"

#include "cql/types/check_value.h"
#include "cql/types/parts.h"
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

/// No text is no bytes, also in timestamp_value (docs/service-keyspaces/types.md section 3).
Answer<std::string> inet_value(std::string_view text) {
  if (text.empty()) return std::string();
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
    return invalid("Unable to make long (for time) from: '" + std::string(text) + "'");
  }
  // Unlike a timestamp it has seconds.
  const bool has_seconds = std::ranges::count(text, ':') == 2;
  std::string_view rest = text;
  const auto read = take_time(rest);
  if (has_seconds && read && rest.empty()) return fixed_bytes(*read, 8);
  return invalid("(TimeType) Unable to coerce '" + std::string(text) + "' to a formatted time (long)");
}

Answer<std::string> timestamp_value(std::string_view text) {
  if (text.empty()) return std::string();
  if (const auto number = integer_of(text)) return fixed_bytes(*number, 8);
  if (const auto read = read_timestamp(text)) return fixed_bytes(*read, 8);
  return invalid("Unable to coerce '" + std::string(text) + "' to a formatted date (long)");
}

struct Unit {
  std::string_view name;
  std::int64_t Duration::*member;
  std::int64_t size;
  std::string_view plural;
};

/// In the order in which they must follow each other.
constexpr auto units = std::to_array<Unit>({{"y", &Duration::months, 12, "years"},
                                            {"mo", &Duration::months, 1, "months"},
                                            {"w", &Duration::days, 7, "weeks"},
                                            {"d", &Duration::days, 1, "days"},
                                            {"h", &Duration::nanoseconds, 3'600'000'000'000, "hours"},
                                            {"m", &Duration::nanoseconds, 60'000'000'000, "minutes"},
                                            {"s", &Duration::nanoseconds, 1'000'000'000, "seconds"},
                                            {"ms", &Duration::nanoseconds, 1'000'000, "milliseconds"},
                                            {"us", &Duration::nanoseconds, 1'000, "microseconds"},
                                            {"ns", &Duration::nanoseconds, 1, "nanoseconds"}});

/// Those of ISO 8601 before and after the T.
constexpr auto date_units = std::to_array<std::size_t>({0, 1, 2, 3});
constexpr auto time_units = std::to_array<std::size_t>({4, 5, 6});
constexpr std::string_view date_designators = "YMWD";
constexpr std::string_view time_designators = "HMS";

base::Failure<Error> no_duration(std::string_view text) {
  return invalid("Unable to convert '" + std::string(text) + "' to a duration");
}

/// Fails with Cassandra's text, which has the bound of months and days for nanoseconds as well
/// (docs/service-keyspaces/types.md section 3).
Answer<void> add(Duration& out, const Unit& unit, std::int64_t count) {
  constexpr std::int64_t most_of_int = std::numeric_limits<std::int32_t>::max();
  const bool is_time = unit.member == &Duration::nanoseconds;
  const std::int64_t most = is_time ? std::numeric_limits<std::int64_t>::max() : most_of_int;
  std::int64_t& member = out.*unit.member;
  if (count > (most - member) / unit.size) {
    const std::string_view total = is_time                            ? "nanoseconds"
                                   : unit.member == &Duration::months ? "months"
                                                                      : "days";
    return invalid("Invalid duration. The total number of " + std::string(total) +
                   " must be less or equal to " + std::to_string(most_of_int));
  }
  member += count * unit.size;
  return {};
}

/// Takes digits from `text`.
std::optional<std::int64_t> take_count(std::string_view& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = integer_of(text.substr(0, digits));
  text.remove_prefix(digits);
  return digits == 0 ? std::nullopt : number;
}

/// Returns the place of a unit by its short name; the end if there is none.
std::size_t unit_named(std::string_view name) {
  constexpr std::string_view other_micro = "\xC2\xB5s";
  const auto is_named = [&](const Unit& unit) {
    return base::equal_ignoring_case(unit.name, name) ||
           (unit.name == "us" && base::equal_ignoring_case(other_micro, name));
  };
  return static_cast<std::size_t>(std::ranges::find_if(units, is_named) - units.begin());
}

/// Fails if a unit does not come after the one before it.
Answer<void> check_order_of_units(std::optional<std::size_t> before, std::size_t unit) {
  const std::string name(units[unit].plural);
  if (!before || *before < unit) return {};
  if (*before == unit) return invalid("Invalid duration. The " + name + " are specified multiple times");
  return invalid("Invalid duration. The " + std::string(units[*before].plural) + " should be after " + name);
}

Answer<Duration> duration_of_units(std::string_view text) {
  Duration out;
  std::optional<std::size_t> before;
  for (std::string_view rest = text; !rest.empty();) {
    const auto count = take_count(rest);
    const std::size_t length = std::min(rest.find_first_of("0123456789"), rest.size());
    const std::size_t unit = unit_named(rest.substr(0, length));
    if (!count || unit == units.size()) return no_duration(text);
    DINETTE_CHECK(check_order_of_units(before, unit));
    DINETTE_CHECK(add(out, units[unit], *count));
    before = unit;
    rest.remove_prefix(length);
  }
  return out;
}

/// Takes what has designators. Returns false if it is malformed.
template <std::size_t n>
Answer<bool> take_designated(std::string_view& text, Duration& out, std::string_view designators,
                             const std::array<std::size_t, n>& members) {
  while (!text.empty() && base::is_digit(text.front())) {
    const auto count = take_count(text);
    if (!count || text.empty()) return false;
    const std::size_t place = designators.find(base::to_upper(text.front()));
    if (place == std::string_view::npos) return false;
    DINETTE_CHECK(add(out, units[members[place]], *count));
    text.remove_prefix(1);
  }
  return true;
}

/// Of the form "0001-02-03T04:05:06", whose digits are at most four.
Answer<Duration> duration_of_date(std::string_view text) {
  Duration out;
  for (const std::size_t member : {0U, 1U, 3U, 4U, 5U, 6U}) {
    DINETTE_CHECK(add(out, units[member], take_count(text).value_or(0)));
    if (!text.empty()) text.remove_prefix(1);
  }
  return out;
}

bool has_form_of_date(std::string_view text) {
  constexpr std::string_view form = "0000-00-00T00:00:00";
  return text.size() == form.size() && std::ranges::equal(text, form, [](char c, char wanted) {
           return wanted == '0' ? base::is_digit(c) : base::to_upper(c) == wanted;
         });
}

/// `text` begins with P.
Answer<Duration> duration_of_iso(std::string_view text) {
  std::string_view rest = text.substr(1);
  if (has_form_of_date(rest)) return duration_of_date(rest);
  Duration out;
  DINETTE_TRY(bool fits, take_designated(rest, out, date_designators, date_units));
  if (fits && !rest.empty() && base::to_upper(rest.front()) == 'T') {
    rest.remove_prefix(1);
    DINETTE_TRY(fits, take_designated(rest, out, time_designators, time_units));
  }
  if (!fits || !rest.empty()) return no_duration(text);
  return out;
}

/// Reads "1y2mo3d", "P1Y2M3DT4H", "-3h". Errors show it without its sign.
Answer<std::string> duration_value(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty()) return no_duration(text);
  const bool iso = base::to_upper(text.front()) == 'P';
  DINETTE_TRY(const Duration read, iso ? duration_of_iso(text) : duration_of_units(text));
  return duration_bytes(negative ? Duration{-read.months, -read.days, -read.nanoseconds} : read);
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

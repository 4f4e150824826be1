#include "dinette/base/iso_time.h"

#include <limits>

#include <catch2/catch.hpp>

#include "dinette/base/time_text.h"

namespace dinette::base::iso_time_test {
namespace {

using namespace std::chrono_literals;

constexpr auto day = std::chrono::sys_days(std::chrono::year(2026) / 1 / 31);
constexpr base::TimePoint quarter_past_eight = day + 8h + 15min;

}  // namespace

TEST_CASE("times are read with a zone, with or without seconds") {
  CHECK(parse_time("2026-01-31T08:15:00Z") == quarter_past_eight);
  CHECK(parse_time("2026-01-31t08:15z") == quarter_past_eight);
  CHECK(parse_time("2026-01-31T08:15:00.250Z") == quarter_past_eight + 250ms);
  CHECK(parse_time("2026-01-31T08:15:07.1234569Z") == quarter_past_eight + 7s + 123456us);
  CHECK(parse_time("2026-01-31T09:45:00+01:30") == quarter_past_eight);
  CHECK(parse_time("2026-01-30T23:15:00-09:00") == quarter_past_eight);
  CHECK(parse_time("1970-01-01T00:00:00Z") == base::earliest_time);
  CHECK(parse_time("9999-12-31T23:59:59.999999Z") == base::latest_time);
  CHECK(parse_time("2024-02-29T00:00:00Z") == std::chrono::sys_days(std::chrono::year(2024) / 2 / 29));
}

TEST_CASE("texts that are not times are refused") {
  for (const char* text : {"",
                           "now",
                           "2026",
                           "2026-01-31",
                           "2026-01-31T08:15:00",
                           "2026-01-31 08:15:00Z",
                           "2026-02-29T00:00:00Z",
                           "2026-13-01T00:00:00Z",
                           "2026-01-32T00:00:00Z",
                           "2026-01-31T24:00:00Z",
                           "2026-01-31T08:60:00Z",
                           "2026-01-31T08:15:60Z",
                           "2026-01-31T08:15:00.Z",
                           "2026-01-31T08:15:00Zx",
                           "2026-01-31T08:15:00+1:00",
                           "2026-01-31T08:15:00+01",
                           "02026-01-31T08:15:00Z",
                           "+2026-01-31T08:15:00Z",
                           "2026-1-31T08:15:00Z",
                           "1969-12-31T23:59:59Z",
                           "1970-01-01T00:00:00+00:01",
                           "9999-12-31T23:59:59-00:01"}) {
    INFO(text);
    CHECK_FALSE(parse_time(text));
  }
}

TEST_CASE("durations are read in weeks, days, hours, minutes and seconds") {
  CHECK(parse_duration("PT25H") == 25h);
  CHECK(parse_duration("P1DT12H30M5S") == 36h + 30min + 5s);
  CHECK(parse_duration("P2W") == 14 * 24h);
  CHECK(parse_duration("PT0.5S") == 500ms);
  CHECK(parse_duration("PT1.5H") == 90min);
  CHECK(parse_duration("-PT1H") == -1h);
  CHECK(parse_duration("PT0S") == 0s);
}

TEST_CASE("texts that are not durations are refused") {
  for (const char* text : {"",
                           "P",
                           "PT",
                           "P1DT",
                           "25H",
                           "PT25",
                           "P1Y",
                           "P1M",
                           "PT1D",
                           "PT1S1M",
                           "PT1H1H",
                           "PT-1H",
                           "PT1,5H",
                           "PT.5S",
                           "PT1.2.3S",
                           "PT1e3S",
                           "PTH",
                           "pt1h",
                           "PT1H ",
                           "--PT1H",
                           "PTinfS",
                           "P10000000W",
                           "PT99999999999999999999999S"}) {
    INFO(text);
    CHECK_FALSE(parse_duration(text));
  }
}

TEST_CASE("numbers of seconds are durations up to ten thousand years") {
  CHECK(duration_of(1.5) == 1500ms);
  CHECK(duration_of(-3600) == -1h);
  CHECK(duration_of(0.0000004) == 0us);
  CHECK_FALSE(duration_of(1e15));
  CHECK_FALSE(duration_of(std::numeric_limits<double>::infinity()));
  CHECK_FALSE(duration_of(std::numeric_limits<double>::quiet_NaN()));
}

TEST_CASE("times are written to the millisecond, and read back") {
  CHECK(base::format_time(quarter_past_eight) == "2026-01-31T08:15:00.000Z");
  CHECK(base::format_time(quarter_past_eight + 7s + 1999us) == "2026-01-31T08:15:07.001Z");
  CHECK(base::format_time(base::earliest_time) == "1970-01-01T00:00:00.000Z");
  CHECK(base::format_time(base::latest_time) == "9999-12-31T23:59:59.999Z");
  CHECK(parse_time(base::format_time(quarter_past_eight + 42ms)) == quarter_past_eight + 42ms);
}

}  // namespace dinette::base::iso_time_test

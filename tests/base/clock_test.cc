#include "dinette/base/clock.h"

#include <chrono>

#include <catch2/catch.hpp>

namespace dinette::base::clock_test {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint start{1'800'000'000s};

}  // namespace

TEST_CASE("an adjustable clock shows the time of its source until it is set") {
  ManualClock source(start);
  const AdjustableClock clock(source);
  CHECK(clock.now() == start);
  source.advance(1us);
  CHECK(clock.now() == start + 1us);
  CHECK(clock.setting() == ClockSetting());
  CHECK(clock.until(start) == 0us);
  CHECK(clock.until(start + 1h) == std::nullopt);  // its source stands still
}

TEST_CASE("an adjustable clock runs on from where it is set, at its rate") {
  ManualClock source(start);
  AdjustableClock clock(source);
  clock.set(start + 24h, 1, false);
  source.advance(1us);
  CHECK(clock.now() == start + 24h + 1us);
  clock.set(start - 24h, 60, false);
  source.advance(1min);
  CHECK(clock.now() == start - 23h);
  clock.set(start, 0.5, false);
  source.advance(1min);
  CHECK(clock.now() == start + 30s);
  clock.set(ClockSetting());
  CHECK(clock.now() == source.now());
}

TEST_CASE("a frozen clock does not move, and shows what it is set to") {
  ManualClock source(start);
  AdjustableClock clock(source);
  clock.set(start + 1h, 2, true);
  source.advance(1h);
  CHECK(clock.now() == start + 1h);
  CHECK(clock.until(start + 1h) == 0us);
  CHECK(clock.until(start + 2h) == std::nullopt);
}

TEST_CASE("clocks of the same setting and source show the same time") {
  ManualClock source(start);
  AdjustableClock clock(source);
  clock.set(start + 1h, 3, false);
  const AdjustableClock copy(source, clock.setting());
  source.advance(12345us);
  CHECK(copy.now() == clock.now());
}

TEST_CASE("a clock that runs fast ends at the latest time") {
  ManualClock source(start);
  AdjustableClock clock(source);
  clock.set(start, 1e6, false);
  source.advance(24h * 365 * 200);
  CHECK(clock.now() == latest_time);
  CHECK(clock.until(latest_time + 1us) == std::nullopt);
}

TEST_CASE("there is no wait for a time that is over, also for the least that there is") {
  const SystemClock system;
  const AdjustableClock clock(system);
  for (const TimePoint over : {TimePoint::min(), TimePoint(), start - 24h * 365}) {
    CHECK(system.until(over) == 0us);
    CHECK(clock.until(over) == 0us);
  }
}

TEST_CASE("the wait for a time is in real time") {
  const SystemClock source;
  AdjustableClock clock(source);
  clock.set(start, 60, false);
  CHECK(clock.until(start) == 0us);
  CHECK(*clock.until(start + 1h) > 59s);
  CHECK(*clock.until(start + 1h) <= 60s + 1us);
  clock.set(start, 1e-9, false);
  CHECK(*clock.until(latest_time) > 24h * 365);  // does not overflow
}

}  // namespace dinette::base::clock_test

#include "dynamodb/throttling/rate_limiters.h"

#include <chrono>

#include <catch2/catch.hpp>

#include "dynamodb/throttling/rate_limiter.h"
#include "dynamodb/throttling/usage_history.h"

// docs/service/throttling.md sections 1 and 3: what tables and indexes have left, and how on-demand ones
// grow.
namespace test::rate_limiters_test {
namespace {

using namespace std::chrono_literals;
using namespace dinette::dynamodb::throttling;
using dinette::base::TimePoint;
using dinette::dynamodb::Axis;
using dinette::dynamodb::Limit;

constexpr TimePoint start{1000h};

RateLimits provisioned(std::int64_t units, TimePoint since = {}) {
  return {.on_demand = false,
          .sides = {RateLimits::Side{Limit::provisioned, units, units},
                    RateLimits::Side{Limit::provisioned, units, units}},
          .since = since};
}

RateLimits on_demand() {
  return {.on_demand = true,
          .sides = {RateLimits::Side{Limit::account, 40'000, 12'000},
                    RateLimits::Side{Limit::account, 40'000, 4'000}}};
}

bool has(RateLimiter& limiter, const RateLimits& limits, double units, TimePoint now) {
  limiter.update(limits, now);
  return !limiter.exceeded(Axis::write, units);
}

}  // namespace

TEST_CASE("provisioned units and maxima save up five minutes, an account one second") {
  CHECK(size_of_bucket(Limit::provisioned, 7) == 2100);
  CHECK(size_of_bucket(Limit::maximum, 7) == 2100);
  CHECK(size_of_bucket(Limit::account, 40'000) == 40'000);
  CHECK(size_of_bucket(Limit::partition, 1'000) == 1'000);
}

TEST_CASE("reads and writes have buckets apart") {
  RateLimiter limiter(provisioned(1), start);
  limiter.take(0, Axis::write, 300, start);
  CHECK(limiter.exceeded(Axis::write, 1) == Limit::provisioned);
  CHECK_FALSE(limiter.exceeded(Axis::read, 300));
}

TEST_CASE("an account gives 40,000 units per second, over all partitions") {
  RateLimiter limiter(on_demand(), start);
  limiter.take(0, Axis::write, 39'999, start);
  CHECK_FALSE(limiter.exceeded(Axis::write, 1));
  limiter.take(0, Axis::write, 1, start);
  CHECK(limiter.exceeded(Axis::write, 1) == Limit::account);
  CHECK(has(limiter, on_demand(), 40'000, start + 1s));
}

TEST_CASE("a bucket fills at the old rate until the new one is in force") {
  const RateLimits slow = provisioned(1);
  RateLimiter limiter(slow, start);
  limiter.take(0, Axis::write, 300, start);
  const RateLimits fast = provisioned(10, start + 60s);
  CHECK_FALSE(has(limiter, fast, 160.5, start + 70s));  // 60 * 1 + 10 * 10
  CHECK(has(limiter, fast, 160, start + 70s));
}

TEST_CASE("a lower rate cuts the bucket to its size") {
  RateLimiter limiter(provisioned(10), start);
  const RateLimits slow = provisioned(1, start + 1s);
  CHECK(has(limiter, slow, 300, start + 1s));
  CHECK_FALSE(has(limiter, slow, 301, start + 1s));
}

TEST_CASE("a full bucket whose rate is raised has what it had") {
  RateLimiter limiter(provisioned(1), start);
  const RateLimits fast = provisioned(10, start + 60s);
  CHECK_FALSE(has(limiter, fast, 301, start + 60s));
  CHECK(has(limiter, fast, 310, start + 61s));
}

TEST_CASE("another kind of limit begins with a full bucket") {
  RateLimiter limiter(provisioned(1), start);
  limiter.take(0, Axis::write, 300, start);
  CHECK(has(limiter, on_demand(), 40'000, start));
  limiter.take(0, Axis::write, 40'000, start);
  RateLimits limited = on_demand();
  limited.sides[1] = {Limit::maximum, 2, 4'000};
  CHECK(has(limiter, limited, 600, start));
  CHECK_FALSE(has(limiter, limited, 601, start));
  CHECK(has(limiter, provisioned(2), 600, start));
}

TEST_CASE("partitions are enough for warm throughput and for the size") {
  CHECK(partitions_for(provisioned(1)) == 1);
  CHECK(partitions_for(provisioned(1000)) == 1);
  CHECK(partitions_for(provisioned(1001)) == 2);
  CHECK(partitions_for(on_demand()) == 4);
  RateLimits limits = on_demand();
  limits.sides[0].warm = 15'001;
  CHECK(partitions_for(limits) == 6);
  constexpr std::uint64_t gigabyte = std::uint64_t{1} << 30;
  limits.bytes = 60 * gigabyte;
  CHECK(partitions_for(limits) == 6);
  limits.bytes += 1;
  CHECK(partitions_for(limits) == 7);
}

TEST_CASE("partitions follow a raised limits, and stay when it falls") {
  RateLimiter limiter(provisioned(1), start);
  limiter.update(provisioned(3'500), start);
  CHECK(limiter.partitions() == 4);
  limiter.update(provisioned(1), start);
  CHECK(limiter.partitions() == 4);
}

TEST_CASE("usage peaks in the minute with the most, once it is half an hour old") {
  UsageHistory usage;
  usage.add(6'000, start);
  usage.add(600, start + 59s);
  usage.add(1'200, start + 1min);
  CHECK(usage.peak(start + 30min + 59s) == 0);
  CHECK(usage.peak(start + 31min) == 110);
  CHECK_FALSE(usage.settled());
  CHECK(usage.peak(start + 32min) == 110);
  CHECK(usage.settled());
}

TEST_CASE("an on-demand table grows for twice its former peak, a provisioned one does not") {
  for (const bool grows : {true, false}) {
    const RateLimits limits = grows ? on_demand() : provisioned(1);
    RateLimiter limiter(limits, start);
    for (auto second = 0s; second < 60s; ++second) limiter.take(0, Axis::write, 3'001, start + second);
    limiter.update(limits, start + 30min);
    CHECK(limiter.partitions() == (grows ? 4 : 1));
    limiter.update(limits, start + 31min);
    CHECK(limiter.partitions() == (grows ? 7 : 1));
  }
}

TEST_CASE("tables and indexes are kept apart") {
  RateLimiters limiters;
  const RateLimits limits = provisioned(1);
  limiters.take({1, 0}, limits, 0, Axis::write, 300, start);
  CHECK(limiters.exceeded({1, 0}, limits, Axis::write, 1, start) == Limit::provisioned);
  CHECK_FALSE(limiters.exceeded({1, 1}, limits, Axis::write, 1, start));
  CHECK_FALSE(limiters.exceeded({2, 0}, limits, Axis::write, 1, start));
  limiters.forget(1);
  CHECK_FALSE(limiters.exceeded({1, 0}, limits, Axis::write, 1, start));
}

TEST_CASE("what is full again is forgotten") {
  RateLimiters limiters;
  const RateLimits limits = provisioned(1);
  for (unsigned table = 0; table < 1000; ++table)
    limiters.take({table, 0}, limits, 0, Axis::write, 1, start + std::chrono::seconds(table));
  CHECK(limiters.size() < 200);
  CHECK(limiters.exceeded({999, 0}, limits, Axis::write, 300, start + 999s) == Limit::provisioned);
}

TEST_CASE("an account calls the control plane 2,500 times per second") {
  RateLimiters limiters;
  for (int i = 0; i < 2500; ++i) CHECK(limiters.take_control_call("a", start));
  CHECK_FALSE(limiters.take_control_call("a", start));
  CHECK(limiters.take_control_call("b", start));
  CHECK_FALSE(limiters.take_control_call("a", start + 399us));
  CHECK(limiters.take_control_call("a", start + 400us));
  CHECK_FALSE(limiters.take_control_call("a", start + 400us));
}

}  // namespace test::rate_limiters_test

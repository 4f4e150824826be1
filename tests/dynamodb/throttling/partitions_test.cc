#include "dynamodb/throttling/partitions.h"

#include <chrono>
#include <cstdint>

#include <catch2/catch.hpp>

// docs/service/throttling.md section 3, "Partitions, adaptive capacity".
namespace test::partitions_test {
namespace {

using namespace std::chrono_literals;
using dinette::base::TimePoint;
using dinette::dynamodb::Axis;
using dinette::dynamodb::throttling::Partitions;

constexpr TimePoint start{1000h};
constexpr std::uint64_t quarter = std::uint64_t{1} << 62;

/// Uses up a second's worth of writes, so that the next look is a refusal.
void exhaust(Partitions& partitions, std::uint64_t hash, TimePoint now) {
  partitions.take(hash, Axis::write, 1000, now);
  CHECK_FALSE(partitions.admit(hash, Axis::write, 1, now));
}

}  // namespace

TEST_CASE("a partition reads 3,000 and writes 1,000 units per second") {
  Partitions partitions(4);
  partitions.take(5, Axis::read, 2999, start);
  CHECK(partitions.admit(5, Axis::read, 1, start));
  partitions.take(5, Axis::read, 1, start);
  CHECK_FALSE(partitions.admit(5, Axis::read, 0.5, start));
  CHECK(partitions.admit(5, Axis::write, 1, start));
  partitions.take(5, Axis::write, 999, start);
  CHECK(partitions.admit(5, Axis::write, 1, start));
  exhaust(partitions, 5, start);
  CHECK(partitions.admit(5, Axis::write, 1, start + 1ms));
  CHECK_FALSE(partitions.admit(5, Axis::write, 1.5, start + 1ms));
  CHECK(partitions.admit(5, Axis::write, 1000, start + 1s));
  CHECK_FALSE(partitions.admit(5, Axis::write, 1001, start + 2s));
}

TEST_CASE("partitions are equal ranges of the hash") {
  Partitions partitions(4);
  exhaust(partitions, 0, start);
  CHECK_FALSE(partitions.admit(quarter - 1, Axis::write, 1, start));
  CHECK(partitions.admit(quarter, Axis::write, 1, start));
  exhaust(partitions, ~std::uint64_t{0}, start);
  CHECK_FALSE(partitions.admit(3 * quarter, Axis::write, 1, start));
  CHECK(partitions.admit(3 * quarter - 1, Axis::write, 1, start));
}

TEST_CASE("partitions grow by halving the widest, and never get fewer") {
  Partitions partitions(1);
  partitions.grow_to(3);
  CHECK(partitions.count() == 3);
  exhaust(partitions, 0, start);
  CHECK_FALSE(partitions.admit(quarter - 1, Axis::write, 1, start));
  CHECK(partitions.admit(quarter, Axis::write, 1, start));
  CHECK(partitions.admit(2 * quarter, Axis::write, 1, start));
  partitions.grow_to(2);
  CHECK(partitions.count() == 3);
}

TEST_CASE("a partition with a refusal in each of five minutes on end is halved") {
  Partitions partitions(4);
  for (auto minute = 0min; minute < 4min; ++minute) exhaust(partitions, 1, start + minute);
  exhaust(partitions, 1, start + 3min + 59s);
  CHECK(partitions.count() == 4);
  exhaust(partitions, 1, start + 4min);
  CHECK(partitions.count() == 5);
  exhaust(partitions, 1, start + 4min);
  CHECK_FALSE(partitions.admit(quarter / 2 - 1, Axis::write, 1, start + 4min));
  CHECK(partitions.admit(quarter / 2, Axis::write, 1, start + 4min));
}

TEST_CASE("a minute without a refusal lets the heat begin again") {
  Partitions partitions(4);
  for (auto minute = 0min; minute < 4min; ++minute) exhaust(partitions, 1, start + minute);
  for (auto minute = 5min; minute < 9min; ++minute) exhaust(partitions, 1, start + minute);
  CHECK(partitions.count() == 4);
  exhaust(partitions, 1, start + 9min);
  CHECK(partitions.count() == 5);
}

TEST_CASE("a hot key ends alone in a partition, with no more than that") {
  Partitions partitions(1);
  constexpr std::uint64_t hot = 0x123456789ABCDEF0;
  for (auto minute = 0min; minute < 10h; ++minute) exhaust(partitions, hot, start + minute);
  CHECK(partitions.count() == 65);
  CHECK(partitions.admit(hot - 1, Axis::write, 1000, start + 10h));
  CHECK(partitions.admit(hot + 1, Axis::write, 1000, start + 10h));
  CHECK_FALSE(partitions.admit(hot, Axis::write, 1001, start + 10h));
}

TEST_CASE("partitions forget what time has made good") {
  Partitions partitions(4);
  partitions.take(1, Axis::write, 10, start);
  CHECK_FALSE(partitions.drop_idle(start));
  CHECK(partitions.drop_idle(start + 1s));
  exhaust(partitions, 1, start);
  CHECK_FALSE(partitions.drop_idle(start + 1s));  // its refusal may be the first of five
  CHECK(partitions.drop_idle(start + 2min));
}

}  // namespace test::partitions_test

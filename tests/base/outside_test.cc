// Clocks and ids.

#include <regex>
#include <set>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"

namespace dinette::base::outside_test {

using namespace std::chrono_literals;

TEST_CASE("manual clock: moves only when told to") {
  const TimePoint start{1'700'000'000s};
  ManualClock clock(start);
  CHECK(clock.now() == start);
  CHECK(clock.now() == start);
  clock.advance(1500us);
  CHECK(clock.now() == start + 1500us);
  clock.set(TimePoint{5s});
  CHECK(clock.now() == TimePoint{5s});
}

TEST_CASE("system clock: reads the system's time") {
  const auto before = std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
  const TimePoint now = SystemClock().now();
  CHECK(before <= now);
  CHECK(now <= std::chrono::system_clock::now());
}

TEST_CASE("ids: the same seed gives the same ids, another seed different ones") {
  SeededIds first(7);
  SeededIds second(7);
  SeededIds other(8);
  CHECK(first.random() == second.random());
  CHECK(first.uuid() == second.uuid());
  CHECK(first.uuid() != other.uuid());
}

TEST_CASE("ids: the form of a UUID") {
  const std::regex uuid_form("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
  SystemIds ids;
  std::set<std::string> seen;
  for (int i = 0; i < 500; ++i) {
    const std::string uuid = ids.uuid();
    CHECK(std::regex_match(uuid, uuid_form));
    CHECK(seen.insert(uuid).second);
  }
}

TEST_CASE("ids: threads share a seeded sequence, and have system sequences of their own") {
  SeededIds seeded(1);
  SystemIds system;
  std::vector<std::vector<std::uint64_t>> drawn(4);
  std::vector<std::thread> threads;
  for (auto& numbers : drawn) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        numbers.push_back(seeded.random());
        numbers.push_back(system.random());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::uint64_t> all;
  for (const auto& numbers : drawn) all.insert(numbers.begin(), numbers.end());
  CHECK(all.size() == 8000);
}

}  // namespace dinette::base::outside_test

#include "kv/latches.h"

#include <atomic>
#include <future>
#include <random>
#include <string>
#include <thread>

#include <catch2/catch.hpp>

#include "support/random_seed.h"

namespace dinette::kv::latches_test {
namespace {

constexpr Deadline passed{};
Deadline far() {
  return std::chrono::steady_clock::now() + std::chrono::minutes(5);
}

}  // namespace

TEST_CASE("latches: exclusive ones are held alone, shared ones together") {
  Latches latches;
  const Lock shared[] = {{"a", Lock::Mode::shared}};
  const Lock exclusive[] = {{"a"}};
  {
    Latches::Hold first;
    Latches::Hold second;
    Latches::Hold third;
    CHECK(latches.acquire(shared, passed, first));
    CHECK(latches.acquire(shared, passed, second));
    CHECK_FALSE(latches.acquire(exclusive, passed, third));
  }
  Latches::Hold first;
  Latches::Hold second;
  CHECK(latches.acquire(exclusive, passed, first));
  CHECK_FALSE(latches.acquire(exclusive, passed, second));
  CHECK_FALSE(latches.acquire(shared, passed, second));
}

TEST_CASE("latches: those acquired before one that times out are released") {
  Latches latches;
  Latches::Hold holder;
  const Lock held[] = {{"c"}};
  REQUIRE(latches.acquire(held, passed, holder));
  Latches::Hold failing;
  const Lock all[] = {{"a"}, {"b"}, {"c"}, {"d"}, {"e"}};
  CHECK_FALSE(latches.acquire(all, passed, failing));
  Latches::Hold others;
  const Lock rest[] = {{"a"}, {"b"}, {"d"}, {"e"}};
  CHECK(latches.acquire(rest, passed, others));
}

TEST_CASE("latches: shared ones do not overtake a waiting exclusive one") {
  Latches latches;
  const Lock shared[] = {{"a", Lock::Mode::shared}};
  const Lock exclusive[] = {{"a"}};
  Latches::Hold late;
  std::future<bool> waiting;
  {
    Latches::Hold first;
    REQUIRE(latches.acquire(shared, far(), first));
    waiting = std::async(std::launch::async, [&] {
      Latches::Hold hold;
      return latches.acquire(exclusive, far(), hold);
    });
    // From the moment it waits, later shared ones are kept out.
    while (true) {
      Latches::Hold second;
      if (!latches.acquire(shared, passed, second)) break;
      std::this_thread::yield();
    }
  }
  CHECK(waiting.get());
  CHECK(latches.acquire(shared, far(), late));
}

TEST_CASE("latches: many threads, many names, no deadlock") {
  Latches latches;
  const std::uint64_t seed = test::random_seed();
  constexpr std::size_t names = 8;
  std::atomic<int> inside[names] = {};
  std::atomic<bool> broken{false};
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      std::mt19937_64 random(seed + thread);
      for (int round = 0; round < 3000; ++round) {
        std::vector<std::string> wanted;
        std::vector<Lock> locks;
        for (int i = 0; i < 3; ++i) wanted.push_back(std::to_string(random() % names));
        for (const std::string& name : wanted) {
          locks.push_back({name, random() % 2 == 0 ? Lock::Mode::shared : Lock::Mode::exclusive});
        }
        Latches::Hold hold;
        if (!latches.acquire(locks, far(), hold)) broken = true;
        for (const Lock& lock : locks) {
          auto& count = inside[lock.name[0] - '0'];
          if (lock.mode == Lock::Mode::exclusive) {
            if (count.fetch_add(1) != 0) broken = true;
            count.fetch_sub(1);
          } else if (count.load() != 0) {
            broken = true;
          }
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK_FALSE(broken);
}

}  // namespace dinette::kv::latches_test

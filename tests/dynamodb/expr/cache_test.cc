#include "dynamodb/expr/cache.h"

#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

namespace dinette::dynamodb::expr::cache_test {
namespace {

TEST_CASE("one text is parsed once for each kind") {
  Cache cache;
  const auto first = cache.parse(Kind::condition, "a = :v", SizeTail::omitted);
  const auto again = cache.parse(Kind::condition, "a = :v", SizeTail::printed);
  const auto other = cache.parse(Kind::filter, "a = :v", SizeTail::omitted);
  REQUIRE((first.ok() && again.ok() && other.ok()));
  CHECK(first->get() == again->get());
  CHECK(first->get() != other->get());
  CHECK(cache.entries() == 2);
  CHECK(cache.bytes() > 0);
}

TEST_CASE("refusals are not kept") {
  Cache cache;
  CHECK_FALSE(cache.parse(Kind::condition, "a = ", SizeTail::omitted).ok());
  CHECK_FALSE(cache.parse(Kind::condition, "", SizeTail::omitted).ok());
  CHECK(cache.parse(Kind::filter, std::string(5000, 'a'), SizeTail::printed).error().message ==
        "Invalid FilterExpression: Expression size has exceeded the maximum allowed size; expression size: "
        "5000");
  CHECK(cache.entries() == 0);
}

TEST_CASE("the cache stays within its count and its bytes") {
  const auto text = [](int i) { return "attribute" + std::to_string(i) + " = :v"; };
  Cache few(Cache::Limits{.entries = 80, .bytes = 1U << 20});
  Cache small(Cache::Limits{.entries = 10'000, .bytes = 64U << 10});
  for (int i = 0; i < 1000; ++i) {
    REQUIRE(few.parse(Kind::condition, text(i), SizeTail::omitted).ok());
    REQUIRE(small.parse(Kind::condition, text(i), SizeTail::omitted).ok());
  }
  CHECK(few.entries() <= 80);
  CHECK(few.entries() > 0);
  CHECK(small.bytes() <= 64U << 10);
  CHECK(small.entries() > 0);
}

TEST_CASE("what is used stays") {
  Cache cache(Cache::Limits{.entries = 80, .bytes = 1U << 20});
  const auto kept = cache.parse(Kind::condition, "a = :v", SizeTail::omitted);
  for (int i = 0; i < 1000; ++i) {
    REQUIRE(cache.parse(Kind::condition, "b" + std::to_string(i) + " = :v", SizeTail::omitted).ok());
    CHECK(cache.parse(Kind::condition, "a = :v", SizeTail::omitted)->get() == kept->get());
  }
}

TEST_CASE("threads share the cache") {
  Cache cache(Cache::Limits{.entries = 64, .bytes = 1U << 20});
  std::vector<std::thread> threads;
  std::vector<int> parsed(4, 0);
  for (std::size_t t = 0; t < parsed.size(); ++t) {
    threads.emplace_back([&cache, &count = parsed[t]] {
      for (int i = 0; i < 2000; ++i) {
        count +=
            cache.parse(Kind::update, "SET a" + std::to_string(i % 100) + " = :v", SizeTail::omitted).ok()
                ? 1
                : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(parsed == std::vector<int>(4, 2000));
  CHECK(cache.entries() <= 64);
}

}  // namespace
}  // namespace dinette::dynamodb::expr::cache_test

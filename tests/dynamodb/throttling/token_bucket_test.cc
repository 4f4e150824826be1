#include "dynamodb/throttling/token_bucket.h"

#include <chrono>
#include <limits>

#include <catch2/catch.hpp>

// docs/service/throttling.md section 3, "Buckets".
namespace test::token_bucket_test {
namespace {

using namespace std::chrono_literals;
using dinette::base::TimePoint;
using dinette::dynamodb::throttling::TokenBucket;

constexpr TimePoint start{1h};

}  // namespace

TEST_CASE("a bucket begins full, gives what it has, and leaves no debt") {
  TokenBucket bucket(1, 300, start);
  CHECK(bucket.full());
  CHECK(bucket.has(300));
  CHECK_FALSE(bucket.has(300.5));
  bucket.take(299.5);
  CHECK(bucket.has(0.5));
  CHECK_FALSE(bucket.has(1));
  bucket.take(351);
  CHECK_FALSE(bucket.has(0.5));
  bucket.refill(start + 500ms);
  CHECK(bucket.has(0.5));
}

TEST_CASE("a bucket refills exactly to the tick, however often it is looked at") {
  TokenBucket bucket(7, 300, start);
  bucket.take(300);
  for (auto passed = 1us; passed <= 142'857us; ++passed) bucket.refill(start + passed);
  CHECK_FALSE(bucket.has(1));  // 0.999999
  bucket.refill(start + 142'858us);
  CHECK(bucket.has(1));
  CHECK_FALSE(bucket.full());
  bucket.refill(start + 43s);
  CHECK(bucket.full());
  CHECK_FALSE(bucket.has(301));
}

TEST_CASE("a clock that is set back neither adds nor takes") {
  TokenBucket bucket(1, 300, start);
  bucket.take(300);
  bucket.refill(start - 1min);
  CHECK_FALSE(bucket.has(0.5));
  bucket.refill(start - 59s);
  CHECK(bucket.has(1));
}

TEST_CASE("a long time fills a large bucket") {
  TokenBucket bucket(40'000, 12'000'000, start);
  bucket.take(12'000'000);
  bucket.refill(TimePoint(std::chrono::microseconds(std::numeric_limits<std::int64_t>::max())));
  CHECK(bucket.full());
}

TEST_CASE("a changed bucket loses what is over its new size") {
  TokenBucket bucket(10, 3000, start);
  bucket.change(1, 300);
  CHECK(bucket.full());
  bucket.take(300);
  bucket.change(10, 3000);
  bucket.refill(start + 1s);
  CHECK(bucket.has(10));
  CHECK_FALSE(bucket.has(10.5));
}

}  // namespace test::token_bucket_test

#include "lambda/pollers/shard_progress.h"

#include <string>

#include <catch2/catch.hpp>

#include "lambda/api/window_progress.h"
#include "lambda/fixture.h"

// docs/service/triggers.md section 2.
namespace test::lambda::shard_progress_test {
namespace {

using dinette::deliveries::Record;
using dinette::lambda::KeptMappings;
using dinette::lambda::ShardProgress;

/// A key whose records fall to a part of so many.
std::string key_of(unsigned part, unsigned parts) {
  for (int i = 0;; ++i) {
    std::string key = std::to_string(i);
    if (dinette::deliveries::part_of(key, parts) == part) return key;
  }
}

Record record(const std::string& number, const std::string& key) {
  Record made;
  made.number = number;
  made.key = key;
  return made;
}

/// A mapping, and what is kept of its progress in one shard.
struct Bench {
  Lambda lambda;
  KeptMappings mappings{lambda.store()};
  const std::string uuid = lambda.map("work");

  ShardProgress open(unsigned parts) {
    const auto kept = mappings.progress_of(uuid).value();
    dinette::lambda::api::MappingProgress first;
    first.uuid = uuid;
    first.shard = "s";
    return {lambda.store(), kept.empty() ? first : kept.front(), parts};
  }
};

}  // namespace

TEST_CASE("each part of a shard goes on where it was") {
  Bench bench;
  ShardProgress progress = bench.open(2);
  REQUIRE(progress.keep(0, {"5", {}}).ok());
  REQUIRE(progress.keep(1, {"7", {}}).ok());
  const ShardProgress again = bench.open(2);
  CHECK(again.of(0).after == "5");
  CHECK(again.of(1).after == "7");
  CHECK_FALSE(again.is_done(record("6", key_of(1, 2))));
}

TEST_CASE("another number of parts misses nothing, and repeats nothing") {
  Bench bench;
  ShardProgress before = bench.open(2);
  REQUIRE(before.keep(0, {"50", {}}).ok());
  REQUIRE(before.keep(1, {"100", {}}).ok());
  const ShardProgress after = bench.open(3);
  for (unsigned part = 0; part < 3; ++part) CHECK(after.of(part).after == "50");
  CHECK(after.is_done(record("50", key_of(0, 2))));
  CHECK_FALSE(after.is_done(record("51", key_of(0, 2))));
  CHECK(after.is_done(record("100", key_of(1, 2))));
  CHECK_FALSE(after.is_done(record("101", key_of(1, 2))));
}

TEST_CASE("a shard is done with the last of its parts") {
  Bench bench;
  ShardProgress progress = bench.open(2);
  REQUIRE(progress.close().ok());
  CHECK(bench.mappings.progress_of(bench.uuid).value().empty());
  REQUIRE(progress.close().ok());
  CHECK(bench.mappings.progress_of(bench.uuid).value().front().closed == true);
}

TEST_CASE("a window that has begun is kept") {
  Bench bench;
  ShardProgress progress = bench.open(1);
  dinette::deliveries::TumblingWindow window;
  window.begin = dinette::base::TimePoint(std::chrono::seconds(60));
  window.end = dinette::base::TimePoint(std::chrono::seconds(120));
  window.state = R"({"sum":3})";
  REQUIRE(progress.keep(0, {"5", window}).ok());
  const auto kept = bench.open(1).of(0).window;
  REQUIRE(kept);
  CHECK(kept->begin == window.begin);
  CHECK(kept->end == window.end);
  CHECK(kept->state == window.state);
  REQUIRE(progress.keep(0, {"6", {}}).ok());
  CHECK_FALSE(bench.open(1).of(0).window);
}

}  // namespace test::lambda::shard_progress_test

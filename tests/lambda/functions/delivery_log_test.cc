#include "dinette/lambda/delivery_log.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

namespace dinette::lambda::delivery_log_test {
namespace {

using Result = DeliveryRecord::Result;

DeliveryRecord delivery(std::string batch, Result result = Result::done, std::string mapping = "m") {
  return {.mapping = std::move(mapping),
          .batch = std::move(batch),
          .result = result,
          .event = std::make_shared<const std::string>("{}")};
}

std::string batches(const DeliveryLog& log, const DeliveryLog::Question& question = {}) {
  std::string text;
  for (const auto& one : log.read(question).deliveries) text += one->batch + " ";
  return text;
}

TEST_CASE("deliveries are numbered, and read from any of them on") {
  DeliveryLog log;
  CHECK(log.read({}).last == 0);
  for (const char* batch : {"a", "b", "c"}) log.add(delivery(batch));
  CHECK(batches(log) == "a b c ");
  CHECK(batches(log, {.after = 1}) == "b c ");
  CHECK(batches(log, {.after = 3}).empty());
  CHECK(batches(log, {.limit = 2}) == "b c ");
  CHECK(log.read({}).last == 3);
  REQUIRE(log.find(2) != nullptr);
  CHECK(log.find(2)->batch == "b");
  CHECK(log.find(4) == nullptr);
}

TEST_CASE("readers choose a mapping, and what has failed") {
  DeliveryLog log;
  log.add(delivery("a", Result::done, "one"));
  log.add(delivery("b", Result::failed, "one"));
  log.add(delivery("c", Result::discarded, "other"));
  CHECK(batches(log, {.mapping = "one"}) == "a b ");
  CHECK(batches(log, {.failed_only = true}) == "b c ");
  CHECK(batches(log, {.mapping = "other", .failed_only = true}) == "c ");
}

TEST_CASE("a function that is not there for long has one entry per batch") {
  DeliveryLog log;
  log.add(delivery("a", Result::unavailable));
  log.add(delivery("b", Result::unavailable));
  log.add(delivery("a", Result::unavailable));
  CHECK(batches(log) == "b a ");
  log.add(delivery("a", Result::failed));
  log.add(delivery("a", Result::unavailable));
  log.add(delivery("a"));
  CHECK(batches(log) == "b a a a a ");
  CHECK(log.read({}).last == 6);
}

TEST_CASE("the oldest deliveries are forgotten, by their number and their size") {
  DeliveryLog log;
  for (std::size_t i = 0; i <= DeliveryLog::most_kept; ++i) log.add(delivery(std::to_string(i)));
  CHECK(log.read({}).deliveries.size() == DeliveryLog::most_kept);
  CHECK(log.find(1) == nullptr);
  auto large = delivery("large");
  large.answer.assign(DeliveryLog::most_bytes_kept, 'x');
  log.add(large);
  CHECK(batches(log) == "large ");
  log.add(delivery("small"));
  CHECK(batches(log) == "small ");
}

}  // namespace
}  // namespace dinette::lambda::delivery_log_test

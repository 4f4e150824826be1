#include "dinette/observe/recent_requests.h"

#include <chrono>
#include <cstdint>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

namespace dinette::observe::recent_requests_test {
namespace {

using namespace std::chrono_literals;
using Steady = RecentRequests::Steady;
using Numbers = std::vector<std::uint64_t>;

RecentRequest request_in(const std::string& world) {
  RecentRequest request;
  request.details.world = world;
  return request;
}

Numbers numbers_of(const RecentRequests::Page& page) {
  Numbers numbers;
  for (const auto& one : page.requests) numbers.push_back(one->number);
  return numbers;
}

/// Keeps requests from the beginning, by a clock that a test moves.
struct Recorded {
  Steady::time_point now{};
  RecentRequests recent{[this] { return now; }};

  Recorded() { recent.read({}); }
  void add(int count, const std::string& world = "default") {
    for (int i = 0; i < count; ++i) recent.add(request_in(world));
  }
};

}  // namespace

TEST_CASE("nothing is kept before the first read") {
  RecentRequests recent;
  CHECK_FALSE(recent.recording());
  recent.add({});
  const auto page = recent.read({});
  CHECK(page.requests.empty());
  CHECK(page.last == 0);
  CHECK(recent.recording());
  recent.add({});
  CHECK(numbers_of(recent.read({})) == Numbers{1});
}

TEST_CASE("a reader continues where the page before ended") {
  Recorded f;
  f.add(5);
  const auto first = f.recent.read({.limit = 2});
  CHECK(numbers_of(first) == Numbers{1, 2});
  CHECK(first.last == 2);
  const auto second = f.recent.read({.after = first.last});
  CHECK(numbers_of(second) == Numbers{3, 4, 5});
  CHECK(second.last == 5);
  CHECK(f.recent.read({.after = 5}).requests.empty());
  CHECK(numbers_of(f.recent.read({.after = 6})) == Numbers{1, 2, 3, 4, 5});
}

TEST_CASE("requests of other worlds are passed over") {
  Recorded f;
  f.add(2, "a");
  f.add(1, "b");
  f.add(1, "a");
  const auto page = f.recent.read({.world = "b"});
  CHECK(numbers_of(page) == Numbers{3});
  CHECK(page.last == 4);
  CHECK(f.recent.read({.limit = 1, .world = "a"}).last == 1);
}

TEST_CASE("the oldest requests make room for new ones, and are counted as missed") {
  Recorded f;
  f.add(RecentRequests::most_kept + 3);
  const auto page = f.recent.read({.after = 1});
  CHECK(page.requests.size() == RecentRequests::most_kept);
  CHECK(page.requests.front()->number == 4);
  CHECK(page.missed == 2);
  CHECK(f.recent.read({.after = 3}).missed == 0);
}

TEST_CASE("bodies are cut, and all together are bounded") {
  Recorded f;
  const BodyText body = BodyText::of(std::string(BodyText::most_bytes + 1, 'x'));
  CHECK(body.text.size() == BodyText::most_bytes);
  CHECK(body.bytes == BodyText::most_bytes + 1);
  CHECK(body.cut());
  CHECK_FALSE(BodyText::of(std::string(BodyText::most_bytes, 'x')).cut());
  for (std::size_t i = 0; i < RecentRequests::most_kept; ++i) {
    RecentRequest request;
    request.request = request.response = body;
    f.recent.add(request);
  }
  const auto kept = f.recent.read({}).requests.size();
  CHECK(kept < RecentRequests::most_bytes_kept / BodyText::most_bytes / 2);
  CHECK(kept > RecentRequests::most_bytes_kept / BodyText::most_bytes / 2 - 32);
}

TEST_CASE("recording ends when there was no read for a while") {
  Recorded f;
  f.add(1);
  f.now += RecentRequests::patience;
  f.add(1);
  CHECK(f.recent.recording());
  f.now += 1s;
  f.add(1);
  CHECK_FALSE(f.recent.recording());
  f.add(1);
  const auto page = f.recent.read({});
  CHECK(page.requests.empty());
  CHECK(page.last == 2);
  f.add(1);
  CHECK(numbers_of(f.recent.read({.after = 2})) == Numbers{3});
}

TEST_CASE("a reader may wait for the next request") {
  Recorded f;
  auto page = std::async(std::launch::async, [&] { return f.recent.read({.wait = 1h}); });
  while (page.wait_for(0s) != std::future_status::ready) f.add(1);
  CHECK_FALSE(page.get().requests.empty());
}

TEST_CASE("readers wait no longer when the server ends") {
  Recorded f;
  auto page = std::async(std::launch::async, [&] { return f.recent.read({.wait = 1h}); });
  f.recent.end_waits();
  CHECK(page.get().requests.empty());
  CHECK(f.recent.read({.wait = 1h}).requests.empty());
}

TEST_CASE("only so many readers wait at a time") {
  Recorded f;
  std::vector<std::future<RecentRequests::Page>> pages;
  for (int i = 0; i <= RecentRequests::most_waiting; ++i)
    pages.push_back(std::async(std::launch::async, [&] { return f.recent.read({.wait = 1h}); }));
  const auto answered = [&] {
    int count = 0;
    for (const auto& page : pages) count += page.wait_for(0s) == std::future_status::ready ? 1 : 0;
    return count;
  };
  while (answered() == 0) std::this_thread::yield();
  CHECK(answered() == 1);
  f.recent.end_waits();
  for (auto& page : pages) CHECK(page.get().requests.empty());
}

TEST_CASE("tables are noted once, and units add up") {
  RequestDetails details;
  details.table("a").read_units += 1.5;
  details.table("b").write_units += 2;
  details.table("a").read_units += 1;
  CHECK(details.tables.size() == 2);
  CHECK(details.read_units() == 2.5);
  CHECK(details.write_units() == 2);
  CHECK_FALSE(details.counts);
  details.add_counts(3, 1);
  details.add_counts(2, 2);
  CHECK(details.counts->scanned == 5);
  CHECK(details.counts->returned == 3);
}

}  // namespace dinette::observe::recent_requests_test

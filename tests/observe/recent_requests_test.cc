#include "dinette/observe/recent_requests.h"

#include <chrono>
#include <cstdint>
#include <future>
#include <string>
#include <string_view>
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
  RecentRequests recent{RecentRequests::usually_kept, [this] { return now; }};

  Recorded() { recent.read({}); }
  void add(int count, const std::string& world = "default") {
    for (int i = 0; i < count; ++i) recent.add(request_in(world));
  }
};

/// Answers requests while nobody reads.
struct Unread {
  RecentRequests recent;
  RequestDetails details;
  Steady::time_point end = Steady::now();

  explicit Unread(std::size_t kept = RecentRequests::usually_kept) : recent(kept) {}

  void answer(std::string_view id, std::string_view response = "") {
    recent.add(AnsweredRequest{.details = details, .end = end, .id = id, .response = response});
    end += 1us;
  }
  std::vector<std::string> ids() {
    std::vector<std::string> all;
    for (const auto& one : recent.read({}).requests) all.push_back(one->id);
    return all;
  }
};

}  // namespace

TEST_CASE("what was answered before the first read is there, with all that was noted of it") {
  Unread f;
  CHECK_FALSE(f.recent.recording());
  CHECK(f.recent.keeping());
  f.details.world = "copy";
  f.details.table("Music") = {"Music", 1.5, 2};
  f.details.table("Odd");
  f.details.add_counts(4, 2);
  f.details.scans = f.details.injected = true;
  f.recent.add(AnsweredRequest{.details = f.details,
                               .end = Steady::now(),
                               .duration = 120us,
                               .status = 400,
                               .id = "ID",
                               .operation = "Scan",
                               .error = "ValidationException",
                               .remote = "127.0.0.1:1",
                               .agent = "Boto3",
                               .trace = "4bf9",
                               .request = "{1}",
                               .response = "{2}"});
  const auto before = std::chrono::system_clock::now();
  const auto page = f.recent.read({});
  CHECK(f.recent.recording());
  REQUIRE(numbers_of(page) == Numbers{1});
  const RecentRequest& one = *page.requests[0];
  CHECK(one.time <= before);
  CHECK(one.time > before - 1h);
  CHECK(one.duration == 120us);
  CHECK(one.status == 400);
  CHECK(one.id + one.operation + one.error == "IDScanValidationException");
  CHECK(one.remote + one.agent + one.trace == "127.0.0.1:1Boto34bf9");
  CHECK(one.request.text + one.response.text == "{1}{2}");
  CHECK(one.details.world == "copy");
  REQUIRE(one.details.tables.size() == 2);
  CHECK(one.details.tables[0].name == "Music");
  CHECK(one.details.tables[0].read_units == 1.5);
  CHECK(one.details.tables[0].write_units == 2);
  CHECK(one.details.tables[1].name == "Odd");
  CHECK(one.details.counts->scanned == 4);
  CHECK(one.details.counts->returned == 2);
  CHECK(one.details.scans);
  CHECK(one.details.injected);
}

TEST_CASE("without readers the last requests are kept, and numbers count the others too") {
  Unread f(3);
  for (int i = 1; i <= 10; ++i) f.answer(std::to_string(i));
  const auto page = f.recent.read({});
  CHECK(numbers_of(page) == Numbers{8, 9, 10});
  CHECK(page.requests.back()->id == "10");
  CHECK(page.missed == 7);
  f.answer("11");
  CHECK(f.ids() == std::vector<std::string>{"8", "9", "10", "11"});
}

TEST_CASE("without readers bodies are cut sooner, and all together are bounded") {
  Unread f;
  const std::string body(BodyText::most_bytes, 'x');
  for (int i = 0; i < 1000; ++i) f.answer(std::to_string(i), body);
  const auto page = f.recent.read({});
  CHECK(page.requests.back()->id == "999");
  CHECK(page.requests.back()->response.text.size() == RequestRings::most_body_bytes);
  CHECK(page.requests.back()->response.bytes == body.size());
  CHECK(page.requests.back()->response.cut());
  // This thread's part of the memory for 200 requests.
  CHECK(page.requests.size() >= 50);
  CHECK(page.requests.size() < 65);
  CHECK(page.last == 1000);
}

TEST_CASE("requests with the longest texts and the most tables are kept, cut") {
  Unread f;
  const std::string text(70'000, 'x');
  f.details.world = text;
  for (int i = 0; i < 300; ++i) f.details.table(text + std::to_string(i));
  for (int i = 0; i < 20; ++i) {
    f.recent.add(AnsweredRequest{.details = f.details,
                                 .end = f.end,
                                 .id = text,
                                 .operation = text,
                                 .error = text,
                                 .remote = text,
                                 .agent = text,
                                 .trace = text,
                                 .request = text,
                                 .response = text});
  }
  const auto page = f.recent.read({});
  REQUIRE_FALSE(page.requests.empty());
  const RecentRequest& one = *page.requests.back();
  CHECK(one.agent.size() == RecentRequest::most_agent_bytes);
  CHECK(one.id == text.substr(0, 255));
  CHECK(one.details.tables.size() == 100);
  CHECK(one.details.tables[99].name == text.substr(0, 255));
  CHECK(one.request.text == text.substr(0, RequestRings::most_body_bytes));
}

TEST_CASE("names that are not of static storage are copied") {
  Unread f;
  {
    const std::string name = "an operation that is not served, and has a long name";
    f.recent.add(AnsweredRequest{.details = f.details, .end = f.end, .operation = name, .is_known = false});
  }
  CHECK(f.recent.read({}).requests.at(0)->operation ==
        "an operation that is not served, and has a long name");
}

TEST_CASE("requests of several threads come in the order of their ends") {
  Unread f;
  const auto answer_on_thread = [&](std::string_view id, Steady::duration later) {
    std::thread([&, id] {
      const RequestDetails none;
      f.recent.add(AnsweredRequest{.details = none, .end = f.end + later, .id = id});
    }).join();
  };
  answer_on_thread("b", 2us);
  answer_on_thread("c", 3us);
  answer_on_thread("a", 1us);
  CHECK(f.ids() == std::vector<std::string>{"a", "b", "c"});
}

TEST_CASE("threads answer while others read") {
  Unread f;
  constexpr int each = 2000;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2 * static_cast<int>(RequestRings::rings); ++i) {
    threads.emplace_back([&] {
      RequestDetails details;
      details.table("Music");
      for (int n = 0; n < each; ++n)
        f.recent.add(AnsweredRequest{.details = details, .end = Steady::now(), .id = "ID", .response = "{}"});
    });
  }
  const auto page = f.recent.read({});
  for (auto& thread : threads) thread.join();
  const auto last = f.recent.read({}).last;
  CHECK(last == threads.size() * each);
  for (const auto& one : page.requests) CHECK(one->id + one->response.text == "ID{}");
}

TEST_CASE("nothing is kept before the first read if that is what is chosen") {
  Unread f(0);
  CHECK_FALSE(f.recent.keeping());
  f.answer("a");
  CHECK(f.recent.read({}).requests.empty());
  CHECK(f.recent.keeping());
  f.answer("b");
  CHECK(f.ids() == std::vector<std::string>{"b"});
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

TEST_CASE("recording in full ends when there was no read for a while, and the last requests stay") {
  Recorded f;
  f.add(RecentRequests::most_kept);
  f.now += RecentRequests::patience;
  f.add(1);
  CHECK(f.recent.recording());
  f.now += 1s;
  f.add(1);
  CHECK_FALSE(f.recent.recording());
  const auto page = f.recent.read({});
  CHECK(page.requests.size() == RecentRequests::usually_kept);
  CHECK(page.last == RecentRequests::most_kept + 2);
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

TEST_CASE("names of tables count as memory") {
  RecentRequest request;
  const std::size_t bytes = request.bytes();
  request.details.table(std::string(1000, 'x'));
  CHECK(request.bytes() >= bytes + 1000);
}

TEST_CASE("details are as new after they were cleared") {
  RequestDetails details;
  details.wants_tables = details.wants_keys = details.wants_changes = true;
  details.world = "w";
  details.table("a").read_units = 1;
  details.add_counts(1, 1);
  details.scans = details.injected = true;
  details.touched.emplace_back();
  details.changes.emplace_back();
  details.clear();
  CHECK_FALSE((details.wants_tables || details.wants_keys || details.wants_changes));
  CHECK_FALSE((details.scans || details.injected || details.counts));
  CHECK((details.world.empty() && details.tables.empty() && details.touched.empty() &&
         details.changes.empty()));
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

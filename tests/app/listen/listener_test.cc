#include "app/listen/listener.h"

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "http/fixture.h"

namespace dinette::app::listener_test {
namespace {

using deliveries::Record;
using deliveries::RecordPage;
using deliveries::Shard;
using deliveries::StartingPosition;
using Result = lambda::DeliveryRecord::Result;

/// A stream in memory.
class Stream final : public deliveries::StreamSource {
 public:
  kv::Result<std::optional<std::vector<Shard>>> shards() override {
    if (is_gone) return std::optional<std::vector<Shard>>();
    return std::optional(listed);
  }
  kv::Result<std::string> place_of(const std::string& shard, StartingPosition position,
                                   base::TimePoint) override {
    const auto& records = content[shard];
    return position == StartingPosition::latest && !records.empty() ? records.back() : std::string();
  }
  kv::Result<RecordPage> read(const std::string& shard, const std::string& after, std::size_t,
                              std::size_t) override {
    RecordPage page{.records = {}, .at_end = true, .closed = closed.contains(shard)};
    for (const std::string& number : content[shard]) {
      if (deliveries::is_before(after, number))
        page.records.push_back({.number = number, .moment = {}, .key = "", .payload = number});
    }
    return page;
  }

  std::vector<Shard> listed{{"a", {}}};
  std::map<std::string, std::vector<std::string>> content;
  std::set<std::string> closed;
  bool is_gone = false;
};

struct ListenerFixture {
  std::mutex mutex;
  std::string posted;
  int status = 200;
  http::Running running{[this](const http::Request& request, http::Response& response) {
    const std::lock_guard lock(mutex);
    posted += request.body;
    response.status = status;
  }};
  Stream stream;
  base::ManualClock clock;
  base::SeededIds ids{1};
  std::vector<Result> shown;
  std::stop_source stop;

  /// Runs a listener; `between` is called between two looks with their count, until it returns false.
  base::Result<ListenEnd, std::string> listen(const std::function<bool(int)>& between,
                                              bool from_beginning = false) {
    int count = 0;
    Listener listener(
        {.source = stream,
         .stream = "arn",
         .place = lambda::read_function_url("http://127.0.0.1:" + std::to_string(running.port) + "/").value(),
         .clock = clock,
         .ids = ids,
         .show = [this](const auto& delivery) { shown.push_back(delivery.result); },
         .wait =
             [&](std::chrono::milliseconds) {
               if (!between(count++)) stop.request_stop();
             },
         .from_beginning = from_beginning});
    return listener.run(stop.get_token());
  }
};

}  // namespace

TEST_CASE_METHOD(ListenerFixture,
                 "what comes after the start is forwarded, of children after their parents") {
  stream.content["a"] = {"1"};
  const auto ended = listen([this](int count) {
    if (count == 0) {
      stream.content["a"] = {"1", "2", "3"};
      stream.closed.insert("a");
      stream.listed.push_back({"b", {"a"}});
      stream.content["b"] = {"4"};
    }
    return posted.find('4') == std::string::npos;
  });
  CHECK(ended.value() == ListenEnd::stopped);
  CHECK(posted == R"({"Records":[2,3]}{"Records":[4]})");
  CHECK(shown == std::vector{Result::done, Result::done});
}

TEST_CASE_METHOD(ListenerFixture, "a listener ends when the stream is gone") {
  stream.is_gone = true;
  const auto ended = listen([](int) { return true; });
  CHECK(ended.value() == ListenEnd::stream_ended);
}

TEST_CASE_METHOD(ListenerFixture, "a listener ends when all shards have ended, after their records") {
  stream.content["a"] = {"1"};
  const auto ended = listen([this](int) {
    stream.content["a"] = {"1", "2"};
    stream.closed.insert("a");
    return true;
  });
  CHECK(ended.value() == ListenEnd::stream_ended);
  CHECK(posted == R"({"Records":[2]})");
}

TEST_CASE_METHOD(ListenerFixture, "a listener can begin with the oldest record") {
  stream.content["a"] = {"1", "2"};
  stream.closed.insert("a");
  CHECK(listen([](int) { return true; }, true).value() == ListenEnd::stream_ended);
  CHECK(posted == R"({"Records":[1,2]})");
}

TEST_CASE("a delivery is said in a line") {
  lambda::DeliveryRecord delivery{.time = base::TimePoint(std::chrono::seconds(1789650449)),
                                  .records = 2,
                                  .duration = std::chrono::milliseconds(12)};
  CHECK(line_of(delivery) == "2026-09-17T13:07:29.000Z  2 records  done in 12 ms");
  delivery.records = 1;
  delivery.result = Result::failed;
  delivery.reason = "the function failed";
  CHECK(line_of(delivery) == "2026-09-17T13:07:29.000Z  1 record  failed: the function failed");
  delivery.result = Result::unavailable;
  CHECK(line_of(delivery) == "2026-09-17T13:07:29.000Z  1 record  not reached: the function failed");
  delivery.result = Result::discarded;
  CHECK(line_of(delivery) == "2026-09-17T13:07:29.000Z  1 record  discarded");
}

}  // namespace dinette::app::listener_test

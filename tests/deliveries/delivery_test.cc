#include "dinette/deliveries/delivery.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

// docs/service/triggers.md sections 2, 3 and 5.
namespace dinette::deliveries::delivery_test {
namespace {

using namespace std::chrono_literals;

constexpr base::TimePoint start{1'000'000s};
constexpr std::string_view shard = "shard";

/// A shard of records 1, 2, 3, ...
class ListedRecords final : public StreamSource {
 public:
  void append(base::TimePoint moment, std::string key = "k", std::string payload = "x") {
    records_.push_back({std::to_string(records_.size() + 1), moment, std::move(key), std::move(payload)});
  }
  void close() { closed_ = true; }
  /// Removes the records up to this one because of their age.
  void remove_up_to(std::string number) { removed_ = std::move(number); }

  kv::Result<std::optional<std::vector<Shard>>> shards() override {
    return std::optional(std::vector<Shard>{{std::string(shard), {}}});
  }
  kv::Result<std::string> place_of(const std::string&, StartingPosition, base::TimePoint) override {
    return std::string();
  }
  kv::Result<RecordPage> read(const std::string&, const std::string& after, std::size_t most,
                              std::size_t) override {
    RecordPage page;
    for (const Record& record : records_) {
      if (!is_before(after, record.number)) continue;
      if (page.records.size() == most) return page;
      page.records.push_back(record);
    }
    page.at_end = true;
    page.closed = closed_;
    return page;
  }
  kv::Result<bool> is_removed(const std::string&, const Record& record) override {
    return !is_before(removed_, record.number);
  }

 private:
  std::vector<Record> records_;
  std::string removed_;
  bool closed_ = false;
};

std::string numbers_of(const Batch& batch) {
  std::string numbers;
  for (const Record& record : batch.records) numbers += (numbers.empty() ? "" : " ") + record.number;
  return numbers;
}

/// Gives the answers of the test, and writes down each call: numbers, then what is special about it.
class ScriptedTarget final : public Target {
 public:
  bool admits(const Record& record) override { return !passed_over.contains(record.number); }

  Verdict deliver(const Batch& batch, const std::stop_token&) override {
    std::string call = numbers_of(batch);
    if (batch.window) {
      call += " [" + batch.window->state + "]";
      if (batch.window->is_final) call += " final";
      if (batch.window->is_early) call += " early";
    }
    calls.push_back(call);
    ids.push_back(batch.id);
    tries.push_back(batch.tries);
    if (answers.empty()) return answer ? answer(batch) : Verdict{};
    Verdict next = answers.front();
    answers.pop_front();
    return next;
  }

  void discard(const Batch& batch, Discard why) override {
    discarded.push_back(numbers_of(batch) + (why == Discard::too_old ? " too old after " : " after ") +
                        std::to_string(batch.tries));
  }

  std::deque<Verdict> answers;                  ///< in order
  std::function<Verdict(const Batch&)> answer;  ///< after them
  std::set<std::string> passed_over;
  std::vector<std::string> calls;
  std::vector<std::string> ids;
  std::vector<int> tries;
  std::vector<std::string> discarded;
};

using Kind = Verdict::Kind;
using Texts = std::vector<std::string>;

Verdict failed() {
  return {.kind = Kind::failed};
}
Verdict partly(std::size_t done) {
  return {.kind = Kind::partly, .done = done};
}
Verdict unavailable() {
  return {.kind = Kind::unavailable};
}

/// One delivery with everything that it works with.
struct Bench {
  base::ManualClock clock{start};
  base::SeededIds ids{1};
  ListedRecords source;
  ScriptedTarget target;
  Progress kept;
  BatchRule batches;
  RetryRule retries;
  Part part{std::string(shard)};
  std::function<bool(const Record&)> is_done = [](const Record&) { return false; };
  bool goes_on = true;
  std::optional<Delivery> delivery;

  void append(int count) {
    for (int i = 0; i < count; ++i) source.append(clock.now());
  }

  /// Runs steps until the delivery waits for something other than the real clock.
  Pause run() {
    if (!delivery) {
      delivery.emplace(DeliverySettings{.source = source,
                                        .target = target,
                                        .clock = clock,
                                        .ids = ids,
                                        .part = part,
                                        .batches = batches,
                                        .retries = retries,
                                        .keep =
                                            [this](const Progress& progress) {
                                              kept = progress;
                                              return kv::Result<void>();
                                            },
                                        .progress = kept,
                                        .is_done = is_done,
                                        .continues = [this] { return goes_on; }});
    }
    for (;;) {
      const auto pause = delivery->step({});
      REQUIRE(pause);
      if (pause->until == Pause::Until::elapsed) note(pause->time);
      if (pause->until != Pause::Until::elapsed && pause->until != Pause::Until::at_once) return *pause;
    }
  }

  void note(std::chrono::milliseconds pause) {
    if (pause == Delivery::rest)
      ++rests;
    else
      pauses.push_back(pause);
  }

  std::vector<std::chrono::milliseconds> pauses;  ///< of real time, except for rests
  int rests = 0;
};

/// Fails a batch that has this record.
auto fails_with(std::string number) {
  return [number](const Batch& batch) {
    const bool has =
        std::ranges::any_of(batch.records, [&](const Record& one) { return one.number == number; });
    return has ? failed() : Verdict{};
  };
}

/// Reports this record as the first that failed, if it is in the batch.
auto reports(std::string number) {
  return [number](const Batch& batch) {
    for (std::size_t i = 0; i < batch.records.size(); ++i) {
      if (batch.records[i].number == number) return partly(i);
    }
    return Verdict{};
  };
}

}  // namespace

TEST_CASE("records are delivered in batches of at most so many") {
  Bench bench;
  bench.batches.records = 2;
  bench.append(5);
  CHECK(bench.run().until == Pause::Until::appended);
  CHECK(bench.target.calls == Texts{"1 2", "3 4", "5"});
  CHECK(bench.kept.after == "5");
}

TEST_CASE("a batch has at most so many bytes, and a longer record is alone") {
  Bench bench;
  bench.batches.bytes = 10;
  for (const std::size_t size : {4, 5, 3, 50, 1}) bench.source.append(start, "k", std::string(size, 'x'));
  bench.run();
  CHECK(bench.target.calls == Texts{"1 2", "3", "4", "5"});
}

TEST_CASE("a delivery goes on after the last record that is done") {
  Bench bench;
  bench.append(3);
  bench.kept.after = "2";
  bench.run();
  CHECK(bench.target.calls == Texts{"3"});
}

TEST_CASE("a batch that is not full waits until its window is over") {
  Bench bench;
  bench.batches = {.records = 2, .window = 20s};
  bench.append(5);
  CHECK(bench.run().moment == start + 20s);
  CHECK(bench.target.calls == Texts{"1 2", "3 4"});
  bench.clock.set(start + 20s);
  bench.run();
  CHECK(bench.target.calls.back() == "5");
}

TEST_CASE("records that are passed over are not delivered, and are done") {
  Bench bench;
  bench.target.passed_over = {"1", "2", "3"};
  bench.append(3);
  bench.run();
  CHECK(bench.target.calls.empty());
  CHECK(bench.kept.after == "3");
}

TEST_CASE("the size of a batch counts the records that are not passed over") {
  Bench bench;
  bench.batches.records = 2;
  bench.target.passed_over = {"2", "4"};
  bench.append(5);
  bench.run();
  CHECK(bench.target.calls == Texts{"1 3", "5"});
}

TEST_CASE("after records were delivered, others are waited for a little, so that they come together") {
  Bench bench;
  bench.batches.records = 2;
  bench.run();
  CHECK(bench.rests == 0);
  bench.append(5);
  bench.run();
  CHECK(bench.target.calls == Texts{"1 2", "3 4", "5"});
  CHECK(bench.rests == 1);
  bench.run();
  CHECK(bench.rests == 1);
}

TEST_CASE("a batch that fails is tried again with the same id after growing pauses") {
  Bench bench;
  bench.append(1);
  for (int i = 0; i < 4; ++i) bench.target.answers.push_back(failed());
  bench.run();
  CHECK(bench.target.calls == Texts{"1", "1", "1", "1", "1"});
  CHECK(bench.target.tries == std::vector<int>{0, 1, 2, 3, 4});
  CHECK(std::set<std::string>(bench.target.ids.begin(), bench.target.ids.end()).size() == 1);
  CHECK(std::ranges::adjacent_find(bench.pauses, std::greater_equal<>()) == bench.pauses.end());
  CHECK(bench.target.discarded.empty());
}

TEST_CASE("a batch is given up after one try more than there are retries") {
  Bench bench;
  bench.retries.retries = GENERATE(0, 2);
  const int tries = *bench.retries.retries + 1;
  bench.batches.records = 2;
  bench.append(3);
  bench.target.answer = fails_with("1");
  bench.run();
  CHECK(std::ranges::count(bench.target.calls, "1 2") == tries);
  CHECK(bench.target.discarded == Texts{"1 2 after " + std::to_string(tries)});
  CHECK(bench.target.calls.back() == "3");
  CHECK(bench.kept.after == "3");
}

TEST_CASE("a target that cannot be reached costs no try") {
  Bench bench;
  bench.retries.retries = 0;
  bench.append(1);
  for (int i = 0; i < 50; ++i) bench.target.answers.push_back(unavailable());
  bench.run();
  CHECK(bench.target.discarded.empty());
  CHECK(bench.target.tries.back() == 0);
  CHECK(*std::ranges::max_element(bench.pauses) == 5s);
}

TEST_CASE("bisecting finds the record that fails as the service does") {
  Bench bench;
  bench.retries = {.retries = 1, .bisects = true};
  bench.append(4);
  bench.target.answer = fails_with("2");
  bench.run();
  CHECK(bench.target.calls == Texts{"1 2 3 4", "1 2", "1", "2", "2", "3 4"});
  CHECK(bench.target.tries == std::vector<int>{0, 0, 0, 0, 1, 0});
  CHECK(bench.target.ids[3] == bench.target.ids[4]);
  CHECK(std::set<std::string>(bench.target.ids.begin(), bench.target.ids.end()).size() == 5);
  CHECK(bench.target.discarded == Texts{"2 after 2"});
  CHECK(bench.pauses.size() == 1);
}

TEST_CASE("of three records, the first half is one") {
  Bench bench;
  bench.retries = {.retries = 0, .bisects = true};
  bench.append(3);
  bench.target.answers = {failed()};
  bench.run();
  CHECK(bench.target.calls == Texts{"1 2 3", "1", "2 3"});
}

TEST_CASE("after a report, the first record that failed comes again with all after it") {
  Bench bench;
  bench.retries.retries = 3;
  bench.batches.records = 3;
  bench.append(6);
  bench.target.answer = reports("6");
  bench.run();
  CHECK(bench.target.calls == Texts{"1 2 3", "4 5 6", "6", "6", "6", "6"});
  CHECK(bench.target.discarded == Texts{"6 after 4"});
}

TEST_CASE("without bisecting, all records from the one that is reported are given up") {
  Bench bench;
  bench.retries.retries = 1;
  bench.append(4);
  bench.target.answer = reports("2");
  bench.run();
  CHECK(bench.target.calls == Texts{"1 2 3 4", "2 3 4", "2 3 4"});
  CHECK(bench.target.discarded == Texts{"2 3 4 after 2"});
}

TEST_CASE("with bisecting, only the record that is reported is given up") {
  Bench bench;
  bench.retries = {.retries = 1, .bisects = true};
  bench.append(4);
  bench.target.answer = reports("2");
  bench.run();
  CHECK(bench.target.calls == Texts{"1 2 3 4", "2 3 4", "2", "2", "3 4"});
  CHECK(bench.target.discarded == Texts{"2 after 2"});
}

TEST_CASE("records that have become too old are given up, and younger ones delivered") {
  Bench bench;
  bench.retries.age = 60s;
  bench.source.append(start - 61s);
  bench.source.append(start - 60s);
  bench.source.append(start);
  bench.run();
  CHECK(bench.target.discarded == Texts{"1 too old after 0"});
  CHECK(bench.target.calls == Texts{"2 3"});
}

TEST_CASE("age is looked at before each try") {
  Bench bench;
  bench.retries.age = 60s;
  bench.append(1);
  bench.target.answer = [&](const Batch&) {
    bench.clock.set(bench.clock.now() + 20s);
    return failed();
  };
  bench.run();
  CHECK(bench.target.calls.size() == 4);
  CHECK(bench.target.discarded == Texts{"1 too old after 4"});
  CHECK(bench.kept.after == "1");
}

TEST_CASE("records become too old while a batch gathers") {
  Bench bench;
  bench.retries.age = 60s;
  bench.batches.window = 300s;
  bench.source.append(start - 30s);
  const Pause pause = bench.run();
  CHECK(pause.moment > start + 30s);
  CHECK(pause.moment < start + 31s);
  bench.clock.set(pause.moment);
  bench.run();
  CHECK(bench.target.discarded == Texts{"1 too old after 0"});
}

TEST_CASE("records that their stream keeps no more are given up, however often they may be tried") {
  Bench bench;
  bench.append(3);
  const Kind kind = GENERATE(Kind::failed, Kind::unavailable);
  bench.target.answer = [&](const Batch& batch) {
    if (batch.records.size() == 1) return Verdict{};
    bench.source.remove_up_to("2");
    return Verdict{.kind = kind};
  };
  bench.run();
  CHECK(bench.target.calls == Texts{"1 2 3", "3"});
  CHECK(bench.target.discarded ==
        Texts{kind == Kind::failed ? "1 2 too old after 1" : "1 2 too old after 0"});
  CHECK(bench.kept.after == "3");
}

TEST_CASE("a delivery ends with its shard") {
  Bench bench;
  bench.batches.window = 300s;
  bench.append(1);
  bench.source.close();
  CHECK(bench.run().until == Pause::Until::done);
  CHECK(bench.target.calls == Texts{"1"});
}

TEST_CASE("a delivery that is not to continue ends after its try") {
  Bench bench;
  bench.append(1);
  bench.target.answer = [&](const Batch&) {
    bench.goes_on = false;
    return failed();
  };
  CHECK(bench.run().until == Pause::Until::done);
  CHECK(bench.kept.after.empty());
}

TEST_CASE("parts of a shard have each record once, and all of a key") {
  std::map<std::string, std::set<unsigned>> parts_of_key;
  std::size_t delivered = 0;
  for (unsigned number = 0; number < 3; ++number) {
    Bench bench;
    bench.part = {std::string(shard), number, 3};
    for (int i = 0; i < 100; ++i) bench.source.append(start, "key" + std::to_string(i % 10));
    bench.target.answer = [&](const Batch& batch) {
      for (const Record& record : batch.records) parts_of_key[record.key].insert(number);
      delivered += batch.records.size();
      return Verdict{};
    };
    bench.run();
    CHECK(bench.kept.after == "100");
  }
  CHECK(delivered == 100);
  CHECK(parts_of_key.size() == 10);
  for (const auto& [key, parts] : parts_of_key) CHECK(parts.size() == 1);
}

TEST_CASE("what another division into parts has delivered is not repeated") {
  Bench bench;
  bench.append(4);
  bench.is_done = [](const Record& record) { return record.number == "2"; };
  bench.run();
  CHECK(bench.target.calls == Texts{"1 3 4"});
}

TEST_CASE("a window has its state in all calls, and a last call without records") {
  Bench bench;
  bench.batches = {.records = 2, .tumbling = 10s};
  bench.append(3);
  int calls = 0;
  bench.target.answer = [&](const Batch&) { return Verdict{.state = std::to_string(++calls)}; };
  CHECK(bench.run().moment == start + 11s);
  CHECK(bench.target.calls == Texts{"1 2 []", "3 [1]"});
  bench.source.append(start + 10s);
  bench.run();
  CHECK(bench.target.calls == Texts{"1 2 []", "3 [1]", " [2] final", "4 []"});
}

TEST_CASE("a window ends by time, by the clock of the world") {
  Bench bench;
  bench.batches.tumbling = 10s;
  bench.append(1);
  bench.target.answers = {{.state = "s"}};
  bench.clock.set(start + 3s);
  bench.run();
  bench.clock.set(start + 11s);
  CHECK(bench.run().until == Pause::Until::appended);
  CHECK(bench.target.calls == Texts{"1 []", " [s] final"});
  CHECK_FALSE(bench.kept.window);
}

TEST_CASE("a window ends with its shard") {
  Bench bench;
  bench.batches.tumbling = 10s;
  bench.append(1);
  bench.source.close();
  bench.target.answers = {{.state = "s"}};
  CHECK(bench.run().until == Pause::Until::done);
  CHECK(bench.target.calls == Texts{"1 []", " [s] final"});
}

TEST_CASE("a window whose state is too large ends early, and the next begins without state") {
  Bench bench;
  bench.batches = {.records = 1, .tumbling = 10s};
  bench.append(2);
  bench.target.answers = {{.state = "large", .too_large = true}};
  bench.run();
  CHECK(bench.target.calls == Texts{"1 []", " [large] final early", "2 []"});
}

TEST_CASE("a window's last call that keeps failing is given up") {
  Bench bench;
  bench.batches.tumbling = 10s;
  bench.retries.retries = 1;
  bench.append(1);
  bench.source.close();
  bench.target.answers = {{.state = "s"}, failed(), failed()};
  CHECK(bench.run().until == Pause::Until::done);
  CHECK(bench.target.discarded == Texts{" after 2"});
}

TEST_CASE("a window's last call is given up when the end of the window is too old") {
  Bench bench;
  bench.batches.tumbling = 10s;
  bench.retries.age = 60s;
  bench.append(1);
  bench.source.close();
  bench.target.answers = {{.state = "s"}};
  bench.target.answer = [&](const Batch&) {
    bench.clock.set(bench.clock.now() + 30s);
    return failed();
  };
  CHECK(bench.run().until == Pause::Until::done);
  CHECK(bench.target.calls == Texts{"1 []", " [s] final", " [s] final", " [s] final"});
  CHECK(bench.target.discarded == Texts{" too old after 3"});
  CHECK_FALSE(bench.kept.window);
}

TEST_CASE("a window's last call is given up when the stream keeps no record of the window") {
  Bench bench;
  bench.batches.tumbling = 10s;
  bench.append(1);
  bench.source.close();
  bench.target.answers = {{.state = "s"}};
  bench.target.answer = [&](const Batch&) {
    bench.source.remove_up_to("1");
    return failed();
  };
  CHECK(bench.run().until == Pause::Until::done);
  CHECK(bench.target.discarded == Texts{" too old after 1"});
}

TEST_CASE("a window continues after a restart") {
  Bench bench;
  bench.batches.tumbling = 10s;
  bench.append(1);
  bench.target.answers = {{.state = "s"}};
  bench.run();
  bench.delivery.reset();
  bench.append(1);
  bench.run();
  CHECK(bench.target.calls == Texts{"1 []", "2 [s]"});
}

}  // namespace dinette::deliveries::delivery_test

#include "dinette/deliveries/lanes.h"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include <catch2/catch.hpp>

namespace dinette::deliveries::lanes_test {
namespace {

using namespace std::chrono_literals;

constexpr base::TimePoint start{1000s};

/// Counts what happens, and waits for it.
class Tally {
 public:
  void add() {
    const std::lock_guard guard(mutex_);
    ++count_;
    changed_.notify_all();
  }
  void wait_for(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return count_ >= count; });
  }
  int count() {
    const std::lock_guard guard(mutex_);
    return count_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

/// A lane whose step is a function.
class FunctionLane final : public Lane {
 public:
  using Step = std::function<kv::Result<Pause>(const std::stop_token&)>;
  explicit FunctionLane(Step step) : step_(std::move(step)) {}
  kv::Result<Pause> step(const std::stop_token& stop) override { return step_(stop); }

 private:
  const Step step_;
};

std::shared_ptr<Lane> lane(FunctionLane::Step step) {
  return std::make_shared<FunctionLane>(std::move(step));
}

/// The clock, the jobs and the lanes of a world.
struct Bench {
  base::ManualClock clock{start};
  base::Jobs jobs{clock};
  Lanes lanes{jobs};
};

}  // namespace

TEST_CASE("a lane runs until it is done") {
  Tally steps;
  Bench bench;
  bench.lanes.add("one", lane([&](const std::stop_token&) {
                    steps.add();
                    return steps.count() < 3 ? Pause{Pause::Until::at_once} : Pause::done();
                  }));
  steps.wait_for(3);
  bench.lanes.stop();
  CHECK(steps.count() == 3);
}

TEST_CASE("a lane that waits for records runs when some are appended") {
  Tally steps;
  Bench bench;
  bench.lanes.add("one", lane([&](const std::stop_token&) {
                    steps.add();
                    return Pause{};
                  }));
  // What was appended before it was looked for is seen by another step, so that nothing is missed.
  steps.wait_for(2);
  int seen = steps.count();
  while (steps.count() == seen) bench.lanes.appended();
  seen = steps.count();
  while (steps.count() == seen) bench.lanes.appended();
  CHECK(bench.lanes.has("one"));
}

TEST_CASE("appending while a lane runs makes it run again") {
  Tally steps;
  Bench bench;
  bench.lanes.add("one", lane([&](const std::stop_token&) {
                    steps.add();
                    if (steps.count() < 100) bench.lanes.appended();
                    return Pause{};
                  }));
  steps.wait_for(100);
}

TEST_CASE("a slow lane delays no other") {
  Tally slow, quick;
  Bench bench;
  bench.lanes.add("slow", lane([&](const std::stop_token& stop) {
                    std::mutex mutex;
                    std::unique_lock lock(mutex);
                    std::condition_variable_any stopped;
                    slow.add();
                    stopped.wait(lock, stop, [] { return false; });
                    return Pause::done();
                  }));
  slow.wait_for(1);
  bench.lanes.add("quick", lane([&](const std::stop_token&) {
                    quick.add();
                    return quick.count() < 10 ? Pause::of(1ms) : Pause{};
                  }));
  quick.wait_for(10);
  CHECK(bench.lanes.is_running());
  bench.lanes.stop();
  CHECK(slow.count() == 1);
}

TEST_CASE("a lane waits for a moment of the world's clock") {
  Tally steps;
  Bench bench;
  bench.lanes.add("one", lane([&](const std::stop_token&) {
                    const bool over = bench.clock.now() >= start + 1h;
                    steps.add();
                    return over ? Pause::done() : Pause::at(start + 1h);
                  }));
  while (bench.jobs.waiting() == 0) steps.wait_for(1);
  bench.clock.set(start + 1h);
  while (bench.lanes.has("one")) bench.jobs.run_due();
  CHECK(steps.count() >= 2);
}

TEST_CASE("a lane that is woken does not wait for the real clock") {
  Tally steps;
  Bench bench;
  bench.lanes.add("one", lane([&](const std::stop_token&) {
                    steps.add();
                    return steps.count() < 2 ? Pause::of(1h) : Pause::done();
                  }));
  steps.wait_for(1);
  bench.lanes.appended();  // does not shorten it
  // Waking it while it runs makes it run again.
  while (bench.lanes.has("one")) bench.lanes.wake("one");
  CHECK(steps.count() >= 2);
}

TEST_CASE("a lane is woken by adding it again") {
  Tally steps;
  Bench bench;
  const auto woken = lane([&](const std::stop_token&) {
    steps.add();
    return steps.count() < 2 ? Pause{Pause::Until::woken} : Pause::done();
  });
  bench.lanes.add("one", woken);
  steps.wait_for(1);
  bench.lanes.add("one", woken);
  steps.wait_for(2);
}

TEST_CASE("a step that fails or throws is repeated") {
  Tally steps;
  Bench bench;
  bench.lanes.add("one", lane([&](const std::stop_token&) -> kv::Result<Pause> {
                    steps.add();
                    if (steps.count() == 1) return base::Failure{kv::Error{kv::ErrorKind::io, "no disk"}};
                    if (steps.count() == 2) throw std::runtime_error("no idea");
                    return Pause::done();
                  }));
  while (bench.lanes.has("one")) bench.lanes.wake("one");
  CHECK(steps.count() >= 3);
}

TEST_CASE("more lanes than threads run in turns") {
  Tally steps;
  Bench bench;
  for (std::size_t i = 0; i < 3 * Lanes::most_threads; ++i) {
    bench.lanes.add(std::to_string(i), lane([&](const std::stop_token&) {
                      steps.add();
                      return Pause::done();
                    }));
  }
  steps.wait_for(3 * static_cast<int>(Lanes::most_threads));
}

TEST_CASE("no step begins after a stop") {
  Tally steps;
  Bench bench;
  bench.lanes.request_stop();
  bench.lanes.add("one", lane([&](const std::stop_token&) {
                    steps.add();
                    return Pause::done();
                  }));
  bench.lanes.stop();
  CHECK(steps.count() == 0);
}

TEST_CASE("lanes that run elsewhere end here, and run here again when they are added again") {
  Tally steps;
  Tally left;
  Bench bench;
  const auto add = [&] {
    bench.lanes.add("one", lane([&](const std::stop_token&) {
                      steps.add();
                      return Pause{Pause::Until::appended};
                    }));
  };
  add();
  steps.wait_for(1);
  bench.lanes.leave_elsewhere([&] { left.add(); });
  CHECK_FALSE(bench.lanes.has("one"));
  const int before = steps.count();
  bench.lanes.appended();
  add();
  bench.lanes.wake("one");
  CHECK_FALSE(bench.lanes.has("one"));
  CHECK(left.count() == 2);
  CHECK(steps.count() == before);
  bench.lanes.do_here();
  add();
  steps.wait_for(before + 1);
  bench.lanes.stop();
}

}  // namespace dinette::deliveries::lanes_test

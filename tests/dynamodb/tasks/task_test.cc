#include "dynamodb/tasks/task.h"

#include <chrono>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>

#include <catch2/catch.hpp>

#include "dinette/base/clock.h"
#include "dinette/base/jobs.h"

// Work that outlives its request: src/dynamodb/tasks/task.h.
namespace test::task_test {
namespace {

using namespace std::chrono_literals;
using dinette::base::Jobs;
using dinette::base::ManualClock;
using dinette::base::TimePoint;
using dinette::dynamodb::most_failures;
namespace kv = dinette::kv;

constexpr TimePoint start{1000s};

/// Fails in its first `failures` steps, by an error or an exception in turn, and then is done.
struct Failing : dinette::dynamodb::Task {
  explicit Failing(int failures, bool ends) : failures_left(failures), can_fail(ends) {}

  std::string name() const override { return "a task of a test"; }

  kv::Result<Jobs::Next> step(const std::stop_token&) override {
    ++steps;
    if (failures_left == 0) return Jobs::done;
    if (--failures_left % 2 == 0) throw std::runtime_error("thrown");
    return dinette::base::Failure{kv::Error{kv::ErrorKind::io, "returned"}};
  }

  kv::Result<bool> fail(const std::string& why) override {
    reason = why;
    return can_fail;
  }

  int failures_left;
  const bool can_fail;
  int steps = 0;
  std::string reason;
};

/// A task on a clock that is stopped, and real time, which the test moves.
struct TaskRun {
  explicit TaskRun(int failures, bool ends = true) : task(std::make_shared<Failing>(failures, ends)) {
    run_task(jobs, dinette::dynamodb::Pace::quick, "a job", task);
  }

  void run_for(std::chrono::seconds seconds) {
    jobs.run_due();
    for (std::chrono::seconds passed{0}; passed < seconds; ++passed) {
      real.advance(1s);
      jobs.run_due();
    }
  }

  ManualClock clock{start};
  ManualClock real{start};
  Jobs jobs{clock, nullptr, &real};
  std::shared_ptr<Failing> task;
};

}  // namespace

TEST_CASE("a task whose step fails is retried a few times at once, then each second of real time") {
  TaskRun few(3);
  few.jobs.run_due();
  CHECK(few.task->steps == 4);
  CHECK(few.jobs.waiting() == 0);

  TaskRun more(10);
  more.jobs.run_due();
  CHECK(more.task->steps == 4);
  more.clock.advance(100h);
  more.jobs.run_due();
  CHECK(more.task->steps == 4);
  more.run_for(7s);
  CHECK(more.task->steps == 11);
  CHECK(more.jobs.waiting() == 0);
  CHECK(more.task->reason.empty());
}

TEST_CASE("a task whose steps keep failing fails, with the last reason") {
  TaskRun endless(1'000'001);
  endless.run_for(std::chrono::seconds(most_failures));
  CHECK(endless.task->steps == most_failures);
  CHECK((endless.task->reason == "returned" || endless.task->reason == "thrown"));
  CHECK(endless.jobs.waiting() == 0);
}

TEST_CASE("a task that the service knows no failure of is retried for ever") {
  TaskRun endless(10 * most_failures, false);
  endless.run_for(std::chrono::seconds(11 * most_failures));
  CHECK(endless.task->failures_left == 0);
  CHECK(endless.jobs.waiting() == 0);
}

}  // namespace test::task_test

#include "dinette/base/jobs.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

namespace dinette::base::jobs_test {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint start{1000s};

/// A step that records its letter and is done.
Jobs::Step note(std::string& notes, char letter) {
  return [&notes, letter](const std::stop_token&) {
    notes += letter;
    return Jobs::done;
  };
}

/// An event that one thread signals and another waits for.
class Event {
 public:
  void happen() {
    const std::lock_guard guard(mutex_);
    happened_ = true;
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return happened_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool happened_ = false;
};

}  // namespace

TEST_CASE("jobs run when due, in the order of their times") {
  ManualClock clock(start);
  Jobs jobs(clock);
  std::string notes;
  jobs.add(start + 2h, note(notes, 'c'));
  jobs.add(start + 1h, note(notes, 'b'));
  jobs.add(Jobs::at_once, note(notes, 'a'));
  jobs.run_due();
  CHECK(notes == "a");
  clock.advance(59min);
  jobs.run_due();
  CHECK(notes == "a");
  clock.advance(1min);
  jobs.run_due();
  CHECK(notes == "ab");
  clock.advance(25h);
  jobs.run_due();
  CHECK(notes == "abc");
  CHECK_FALSE(jobs.run_step());
}

TEST_CASE("jobs of several steps take turns, and jobs that fall due meanwhile run as well") {
  ManualClock clock(start);
  Jobs jobs(clock);
  std::string notes;
  for (const char letter : {'a', 'b'}) {
    jobs.add(Jobs::at_once, [&, letter, left = 3](const std::stop_token&) mutable -> Jobs::Next {
      notes += letter;
      return --left > 0 ? Jobs::Next(Jobs::at_once) : Jobs::done;
    });
  }
  jobs.add(Jobs::at_once, [&](const std::stop_token&) -> Jobs::Next {
    notes += 'c';
    return start + 1h;  // again
  });
  jobs.run_due();
  CHECK(notes == "abcabab");
  clock.advance(1h);
  CHECK(jobs.run_step());
  CHECK(notes == "abcababc");
}

TEST_CASE("a step that throws ends only its own job") {
  ManualClock clock(start);
  Jobs jobs(clock);
  std::string notes;
  jobs.add(Jobs::at_once, [](const std::stop_token&) -> Jobs::Next { throw std::runtime_error("broken"); });
  jobs.add(Jobs::at_once, note(notes, 'a'));
  jobs.run_due();
  CHECK(notes == "a");
}

TEST_CASE("jobs report the time until one is due") {
  ManualClock clock(start);
  Jobs jobs(clock);
  std::string notes;
  CHECK(jobs.until_due() == std::nullopt);
  jobs.add(start + 1h, note(notes, 'a'));
  CHECK(jobs.until_due() == std::nullopt);  // the clock stands still
  clock.advance(1h);
  CHECK(jobs.until_due() == 0us);
  CHECK(jobs.waiting() == 1);
  jobs.run_due();
  CHECK(jobs.waiting() == 0);

  const SystemClock real;
  Jobs real_jobs(real);
  real_jobs.add(real.now() + 1h, note(notes, 'a'));
  CHECK(real_jobs.until_due() > 50min);
  CHECK(real_jobs.until_due() <= 1h);
}

TEST_CASE("a runner runs the jobs of several clocks when they fall due") {
  JobRunner runner;
  const SystemClock real;
  ManualClock still(start);
  Jobs real_jobs(real, &runner);
  Jobs still_jobs(still, &runner);
  Event soon;
  Event later;
  real_jobs.add(real.now() + 1ms, [&](const std::stop_token&) {
    soon.happen();
    return Jobs::done;
  });
  soon.wait();
  still_jobs.add(start + 1h, [&](const std::stop_token&) {
    later.happen();
    return Jobs::done;
  });
  still.advance(1h);
  runner.wake();
  later.wait();
}

/// Runs, and is set without a word.
class SettableClock final : public Clock {
 public:
  TimePoint now() const override { return TimePoint(moment.load()); }
  std::optional<std::chrono::microseconds> until(TimePoint due) const override {
    return std::max(due - now(), 0us);
  }
  std::atomic<std::chrono::microseconds> moment = start.time_since_epoch();
};

TEST_CASE("a runner notices that a clock was set forward, though nobody says so") {
  JobRunner runner(1ms);
  SettableClock clock;
  Jobs jobs(clock, &runner);
  Event ran;
  jobs.add(start + 24h, [&](const std::stop_token&) {
    ran.happen();
    return Jobs::done;
  });
  clock.moment = (start + 25h).time_since_epoch();
  ran.wait();
}

TEST_CASE("run_due waits for the runner's current step") {
  JobRunner runner;
  ManualClock clock(start);
  Jobs jobs(clock, &runner);
  Event begun;
  Event go_on;
  bool finished = false;
  jobs.add(Jobs::at_once, [&](const std::stop_token&) {
    begun.happen();
    go_on.wait();
    finished = true;
    return Jobs::done;
  });
  begun.wait();
  std::thread helper([&] { go_on.happen(); });
  jobs.run_due();
  CHECK(finished);
  helper.join();
}

TEST_CASE("a slow step holds up no other job, and is waited for as others are") {
  JobRunner runner;
  ManualClock clock(start);
  Jobs jobs(clock, &runner);
  Event begun;
  Event other_ran;
  bool finished = false;
  jobs.add_slow(Jobs::at_once, [&](const std::stop_token&) {
    begun.happen();
    other_ran.wait();
    finished = true;
    return Jobs::done;
  });
  begun.wait();
  CHECK(jobs.is_running());
  jobs.add(Jobs::at_once, [&](const std::stop_token&) {
    other_ran.happen();
    return Jobs::done;
  });
  jobs.run_due();
  CHECK(finished);
  CHECK_FALSE(jobs.is_running());
}

TEST_CASE("slow jobs run in the order of their times, among the others, for who runs all") {
  ManualClock clock(start);
  Jobs jobs(clock);
  std::string notes;
  jobs.add_slow(start - 2h, note(notes, 'b'));
  jobs.add(start - 3h, note(notes, 'a'));
  jobs.add(start - 1h, note(notes, 'c'));
  jobs.run_due();
  CHECK(notes == "abc");
}

TEST_CASE("run_until runs what falls due on the way, each at its time, in order") {
  ManualClock clock(start);
  Jobs jobs(clock);
  std::string notes;
  const auto note_time = [&](const std::stop_token&) {
    notes += std::to_string(std::chrono::floor<std::chrono::hours>(clock.now() - start).count()) + " ";
    return Jobs::done;
  };
  jobs.add(start + 9h, note_time);
  jobs.add(start + 2h, [&](const std::stop_token&) {
    jobs.add(start + 1h, note_time);  // overdue
    jobs.add(start + 4h, note_time);
    return Jobs::Next(start + 11h);
  });
  jobs.run_until(start + 10h, [&](TimePoint moment) { clock.set(moment); });
  CHECK(notes == "2 4 9 ");
  CHECK(clock.now() == start + 10h);
  jobs.run_until(start, [&](TimePoint moment) { clock.set(moment); });
  CHECK(clock.now() == start);
  CHECK_FALSE(jobs.run_step());
}

TEST_CASE("run_until skips steps whose effect is over at its end") {
  ManualClock clock(start);
  Jobs jobs(clock);
  std::string hours;
  jobs.add_once(
      "hourly", start,
      [&](const std::stop_token&) {
        hours += std::to_string(std::chrono::floor<std::chrono::hours>(clock.now() - start).count()) + " ";
        return Jobs::Next(clock.now() + 1h);
      },
      3h);
  const auto set = [&](TimePoint moment) { clock.set(moment); };
  CHECK(jobs.run_until(start + 2h, set));
  CHECK(hours == "0 1 2 ");
  hours.clear();
  CHECK(jobs.run_until(start + 876'000h, set));
  CHECK(hours == "875997 875998 875999 876000 ");
  hours.clear();
  CHECK(jobs.run_until(start + 876'001h, set));
  CHECK(hours == "876001 ");
}

TEST_CASE("run_until skips what is added on the way, too") {
  ManualClock clock(start);
  Jobs jobs(clock);
  int steps = 0;
  jobs.add(start + 1h, [&](const std::stop_token&) {
    jobs.add_once(
        "every second", Jobs::at_once,
        [&](const std::stop_token&) {
          ++steps;
          return Jobs::Next(clock.now() + 1s);
        },
        10s);
    return Jobs::done;
  });
  CHECK(jobs.run_until(start + 1000h, [&](TimePoint moment) { clock.set(moment); }));
  CHECK(steps == 11);
}

TEST_CASE("a step that has failed is tried again each second of real time, wherever the clock stands") {
  ManualClock real(start);
  ManualClock clock(start);
  Jobs jobs(clock, nullptr, &real);
  int steps = 0;
  jobs.add(Jobs::at_once, [&](const std::stop_token&) {
    ++steps;
    return Jobs::Next(Jobs::next_try);
  });
  jobs.run_due();
  CHECK(steps == 1);
  CHECK(jobs.waiting() == 1);
  CHECK(jobs.run_until(start + 1000h, [&](TimePoint moment) { clock.set(moment); }));
  CHECK(steps == 1);
  real.advance(1s);
  jobs.run_due();
  CHECK(steps == 2);
  real.set(start - 1h);  // the system's clock is set back
  jobs.run_due();
  CHECK(steps == 3);
}

TEST_CASE("a job that waits for its next try is not put off by one of its name") {
  ManualClock real(start);
  ManualClock clock(start);
  Jobs jobs(clock, nullptr, &real);
  std::string notes;
  jobs.add_once("job", Jobs::at_once, [&](const std::stop_token&) -> Jobs::Next {
    notes += 'a';
    // Added while it runs, for later.
    jobs.add_once("job", start + 1h, note(notes, 'b'));
    return notes.size() < 2 ? Jobs::Next(Jobs::next_try) : Jobs::done;
  });
  jobs.run_due();
  CHECK(jobs.waiting() == 1);
  jobs.add_once("job", Jobs::at_once, note(notes, 'c'));
  jobs.run_due();
  CHECK(notes == "a");
  real.advance(1s);
  jobs.run_due();
  CHECK(notes == "aa");
  clock.advance(1h);
  jobs.run_due();
  CHECK(notes == "aab");
}

TEST_CASE("run_until ends when its runner is stopped, at the time of the last step") {
  JobRunner runner;
  ManualClock clock(start);
  Jobs jobs(clock, &runner);
  int steps = 0;
  std::string stopped;
  jobs.add(start + 1h, [&](const std::stop_token& stop) {
    if (++steps == 3) runner.request_stop();
    stopped += stop.stop_requested() ? "yes " : "no ";
    return Jobs::Next(clock.now() + 1h);
  });
  CHECK_FALSE(jobs.run_until(start + 876'000h, [&](TimePoint moment) { clock.set(moment); }));
  CHECK(stopped == "no no yes ");
  CHECK(clock.now() == start + 3h);
}

TEST_CASE("of two jobs of one name the earlier one runs, also if one ran when the other was added") {
  ManualClock clock(start);
  Jobs jobs(clock);
  std::string notes;
  jobs.add_once("one", start + 2h, note(notes, 'c'));
  jobs.add_once("one", start + 3h, note(notes, 'd'));
  CHECK(jobs.waiting() == 1);
  jobs.add_once("one", start + 1h, note(notes, 'b'));
  CHECK(jobs.waiting() == 1);
  jobs.add_once("one", start, [&](const std::stop_token&) -> Jobs::Next {
    notes += 'a';
    jobs.add_once("one", start + 5h, note(notes, 'f'));
    jobs.add_once("two", start + 2h, note(notes, 'e'));
    if (notes.size() > 1) return Jobs::done;
    return start + 1h;
  });
  CHECK(jobs.waiting() == 1);
  jobs.run_due();
  CHECK(jobs.waiting() == 2);
  clock.advance(4h);
  jobs.run_due();
  CHECK(notes == "aae");
  clock.advance(1h);
  jobs.run_due();
  CHECK(notes == "aaef");
  CHECK(jobs.waiting() == 0);
}

// Each looked at all others once: with so many that would take minutes.
TEST_CASE("a job is found by its name among very many") {
  constexpr int many = 300'000;
  ManualClock clock(start);
  Jobs jobs(clock);
  int steps = 0;
  const auto step = [&](const std::stop_token&) {
    ++steps;
    return Jobs::done;
  };
  for (int i = 0; i < many; ++i) jobs.add_once("job " + std::to_string(i), start + 1h, step);
  for (int i = 0; i < many; ++i) jobs.add_once("job " + std::to_string(i), start, step);
  CHECK(jobs.waiting() == many);
  jobs.run_due();
  CHECK(steps == many);
}

/// Counts how often it is read.
class CountingClock final : public Clock {
 public:
  TimePoint now() const override {
    ++reads;
    return start;
  }
  std::optional<std::chrono::microseconds> until(TimePoint moment) const override {
    ++reads;
    return moment <= start ? std::optional(0us) : std::nullopt;
  }
  mutable std::atomic<int> reads = 0;
};

TEST_CASE("a job of one clock is found without a look at the others") {
  constexpr int clocks = 1'000;
  JobRunner runner;
  const CountingClock others;
  std::vector<std::unique_ptr<Jobs>> waiting;
  std::string notes;
  for (int i = 0; i < clocks; ++i) {
    waiting.push_back(std::make_unique<Jobs>(others, &runner));
    waiting.back()->add(start + 1h, note(notes, 'x'));
  }
  ManualClock clock(start);
  Jobs jobs(clock, &runner);
  const auto run_one = [&] {
    Event ran;
    jobs.add(Jobs::at_once, [&](const std::stop_token&) {
      ran.happen();
      return Jobs::done;
    });
    ran.wait();
  };
  run_one();  // after the others, which were woken once each
  const int before = others.reads;
  for (int i = 0; i < clocks; ++i) run_one();
  CHECK(others.reads == before);
}

TEST_CASE("run_until moves the clock on only when a runner's step has ended") {
  JobRunner runner;
  ManualClock clock(start);
  Jobs jobs(clock, &runner);
  Event begun;
  Event go_on;
  TimePoint seen;
  jobs.add(Jobs::at_once, [&](const std::stop_token&) {
    begun.happen();
    go_on.wait();
    seen = clock.now();
    return Jobs::done;
  });
  begun.wait();
  std::thread helper([&] { go_on.happen(); });
  jobs.run_until(start + 1h, [&](TimePoint moment) { clock.set(moment); });
  helper.join();
  CHECK(seen == start);
  CHECK(clock.now() == start + 1h);
}

TEST_CASE("run_due runs what a step of the runner continues with") {
  constexpr int last = 50'000;  // many, so that the threads meet at every point
  JobRunner runner;
  ManualClock clock(start);
  Jobs jobs(clock, &runner);
  Event begun;
  std::atomic<int> steps = 0;
  jobs.add(Jobs::at_once, [&](const std::stop_token&) -> Jobs::Next {
    if (++steps == 1) begun.happen();
    return steps == last ? Jobs::done : Jobs::Next(Jobs::at_once);
  });
  begun.wait();
  jobs.run_due();
  CHECK(steps == last);
}

TEST_CASE("destroying jobs waits for the current step and drops the rest") {
  JobRunner runner;
  ManualClock clock(start);
  Event begun;
  Event go_on;
  bool finished = false;
  bool other_ran = false;
  auto jobs = std::make_unique<Jobs>(clock, &runner);
  jobs->add(Jobs::at_once, [&](const std::stop_token&) {
    begun.happen();
    go_on.wait();
    finished = true;
    return Jobs::done;
  });
  begun.wait();
  jobs->add(start + 1h, [&](const std::stop_token&) {
    other_ran = true;
    return Jobs::done;
  });
  std::thread helper([&] { go_on.happen(); });
  jobs.reset();
  CHECK(finished);
  clock.advance(1h);
  runner.wake();
  CHECK_FALSE(other_ran);
  helper.join();
}

TEST_CASE("stopping a runner stops the current step") {
  ManualClock clock(start);
  Event begun;
  Event stopped;
  {
    JobRunner runner;
    Jobs jobs(clock, &runner);
    jobs.add(Jobs::at_once, [&](const std::stop_token& stop) {
      begun.happen();
      Event asked;
      const std::stop_callback callback(stop, [&] { asked.happen(); });
      asked.wait();
      stopped.happen();
      return Jobs::done;
    });
    begun.wait();
    runner.stop();
  }
  stopped.wait();
}

TEST_CASE("a job that is unique is added once, and again when it runs, to follow") {
  ManualClock clock(start);
  Jobs jobs(clock);
  std::string notes;
  jobs.add_unique("one", Jobs::at_once, note(notes, 'a'));
  jobs.add_unique("one", Jobs::at_once, note(notes, 'b'));
  jobs.add_unique("two", Jobs::at_once, [&](const std::stop_token&) -> Jobs::Next {
    notes += 'c';
    jobs.add_unique("two", Jobs::at_once, note(notes, 'd'));
    return notes.ends_with("ccc") ? Jobs::done : Jobs::at_once;
  });
  jobs.run_due();
  CHECK(notes == "acccd");
  CHECK(jobs.waiting() == 0);
}

TEST_CASE("jobs that are done elsewhere are not done here") {
  ManualClock clock(start);
  Jobs jobs(clock);
  std::string notes;
  jobs.add(Jobs::at_once, note(notes, 'a'));
  jobs.add_once("b", Jobs::at_once, note(notes, 'b'));
  int left = 0;
  jobs.leave_elsewhere([&] { ++left; });
  CHECK(jobs.waiting() == 0);
  jobs.add(Jobs::at_once, note(notes, 'c'));
  jobs.add_once("b", Jobs::at_once, note(notes, 'd'));
  jobs.add_unique("e", Jobs::at_once, note(notes, 'e'));
  jobs.run_due();
  CHECK(notes.empty());
  CHECK(left == 3);
  jobs.do_here();
  jobs.add_once("b", Jobs::at_once, note(notes, 'f'));
  jobs.run_due();
  CHECK(notes == "f");
  CHECK(left == 3);
}

}  // namespace dinette::base::jobs_test

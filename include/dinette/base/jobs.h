#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/function_ref.h"

/// Background work, done at its due time in small steps.
namespace dinette::base {

class JobRunner;

/// Jobs with due times on one clock. They exist in memory only; code that adds a job for stored data must add
/// it again after a restart. Thread-safe. The clock and the runner must outlive it.
///
///     jobs.add(clock.now() + 24h, [&](const std::stop_token&) { trim(); return Jobs::done; });
class Jobs {
 public:
  /// The result of a step: when to run it again, if at all.
  using Next = std::optional<TimePoint>;
  static constexpr Next done = std::nullopt;
  static constexpr TimePoint at_once = TimePoint::min();  ///< after other jobs that are due

  /// Does a few milliseconds' worth of a job, because other jobs wait for their turn. Returns as soon as
  /// possible when a stop is requested. A step that throws ends its job, and is logged.
  using Step = std::function<Next(const std::stop_token&)>;

  /// Without a runner, jobs run only in run_step(), run_due() and run_until().
  explicit Jobs(const Clock& clock, JobRunner* runner = nullptr);
  /// Waits for the runner's current step, and drops all jobs.
  ~Jobs();
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  /// What `step` refers to must outlive this.
  void add(TimePoint due, Step step);

  /// Adds a job whose steps may take long, because they wait for networks or compress a lot: the runner has a
  /// separate thread for these, so that other jobs do not wait for them.
  void add_slow(TimePoint due, Step step);

  /// Adds a job unless one of that name waits already; then that one runs at the earlier of both times. For
  /// work that determines itself what there is to do. A running job does not count as waiting.
  void add_once(const std::string& name, TimePoint due, Step step);

  /// Runs one step of the job that has been due for longest, slow or not, on this thread. Returns false if
  /// none is due.
  bool run_step(const std::stop_token& stop = {});

  /// Runs all jobs that are due, and all that become due meanwhile, on this thread, and waits for steps on
  /// other threads. For callers that have moved the clock.
  void run_due();

  /// Moves the clock, which must be stopped, to `moment`, and runs on this thread everything that becomes due
  /// on the way, as run_due() does: in the order of the due times, each when the clock reads its due time. If
  /// the clock is past `moment` already, it is set back, after everything that is due has run.
  void run_until(TimePoint moment, FunctionRef<void(TimePoint)> set_clock);

  /// Notifies that the clock was set, or runs at another rate: jobs may be due earlier than was known.
  void clock_changed();

  /// Returns how many jobs wait for their time or their turn.
  std::size_t waiting() const;

  /// Returns true if a step is running, on any thread.
  bool is_running() const;

  /// Returns the real time until a job is due: zero if one is, nothing if there is none, or if the clock is
  /// stopped.
  std::optional<std::chrono::microseconds> until_due() const;

 private:
  friend class JobRunner;

  enum class Pace { quick, slow };
  struct Job {
    Step step;
    std::string name = {};  ///< empty for one that add() added
    Pace pace = Pace::quick;
  };
  using Queue = std::multimap<TimePoint, Job>;

  void add(TimePoint due, Job job);
  bool run_step(std::optional<Pace> pace, const std::stop_token& stop);
  std::optional<std::chrono::microseconds> until_due(std::optional<Pace> pace) const;
  bool is_due() const;
  Queue::node_type take_due(std::optional<Pace> pace);
  void put_back(Queue::node_type job, Next next);
  Queue::iterator find(const std::string& name);
  void insert(Queue::node_type job);

  const Clock& clock_;
  JobRunner* const runner_;
  mutable std::mutex mutex_;
  std::condition_variable idle_;
  Queue queue_;      ///< guarded by mutex_
  int running_ = 0;  ///< steps; guarded by mutex_
};

/// Runs the jobs of many clocks, taking turns: slow ones on one thread, the rest on another. Each thread is
/// started for the first job of its kind, and sleeps while nothing is due. Thread-safe.
class JobRunner {
 public:
  JobRunner() = default;
  ~JobRunner() { stop(); }
  JobRunner(const JobRunner&) = delete;
  JobRunner& operator=(const JobRunner&) = delete;

  /// Checks again what is due. Called when a job was added or a clock was moved.
  void wake();

  /// Asks the running steps to end, and waits for them. No job runs afterwards.
  void stop();

 private:
  friend class Jobs;

  struct Lane {
    const Jobs* current = nullptr;  ///< whose step is running
    bool woken = false;
    std::jthread thread = {};  ///< set with the mutex held, until stopped_
  };

  Lane& lane(Jobs::Pace pace) { return pace == Jobs::Pace::slow ? slow_ : quick_; }
  void wake(Jobs::Pace pace);
  void attach(Jobs& jobs);
  void detach(Jobs& jobs);
  void start(Jobs::Pace pace);
  void run(Jobs::Pace pace, const std::stop_token& stop);
  bool run_round(Jobs::Pace pace, std::unique_lock<std::mutex>& lock, const std::stop_token& stop);
  void sleep(Jobs::Pace pace, std::unique_lock<std::mutex>& lock, const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<Jobs*> attached_;  ///< guarded by mutex_
  bool stopped_ = false;         ///< guarded by mutex_
  Lane quick_;                   ///< guarded by mutex_
  Lane slow_;                    ///< guarded by mutex_
};

}  // namespace dinette::base

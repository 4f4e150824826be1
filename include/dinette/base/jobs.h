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

/// Work that no request waits for: at its time, a small step at a time.
namespace dinette::base {

class JobRunner;

/// Jobs with due times on one clock. They live in memory; whoever adds one for something that is kept also
/// finds it again when the program starts anew. Thread safe. The clock and the runner must outlive it.
///
///     jobs.add(clock.now() + 24h, [&](const std::stop_token&) { trim(); return Jobs::done; });
class Jobs {
 public:
  /// What a step returns: when it is to run again, if at all.
  using Next = std::optional<TimePoint>;
  static constexpr Next done = std::nullopt;
  static constexpr TimePoint at_once = TimePoint::min();  ///< after other jobs that are due

  /// Does a little of a job, some milliseconds' worth, as other jobs wait for their turn. Ends as soon as it
  /// can when a stop is requested. A step that throws ends its job, and is logged.
  using Step = std::function<Next(const std::stop_token&)>;

  /// Without a runner nothing runs but what run_step() and run_due() are asked to.
  explicit Jobs(const Clock& clock, JobRunner* runner = nullptr);
  /// Waits for the runner's step under way, and leaves the rest undone.
  ~Jobs();
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  /// What `step` refers to must outlive this.
  void add(TimePoint due, Step step);

  /// Adds a job whose steps may take long, as they wait for networks or compress much: the runner has another
  /// thread for these, and no other job waits for its turn behind them.
  void add_slow(TimePoint due, Step step);

  /// Adds a job unless one of that name waits already; then that one runs at the earlier of both times. For
  /// work that finds by itself whatever there is to do. A job under way does not wait.
  void add_once(const std::string& name, TimePoint due, Step step);

  /// Runs one step of the job that has been due for longest, slow or not, on this thread. Returns false if
  /// none is due.
  bool run_step(const std::stop_token& stop = {});

  /// Runs all that is due, and all that falls due meanwhile, on this thread, and waits for steps that another
  /// thread is at. For whoever has moved the clock.
  void run_due();

  /// Moves the clock, which must stand still, to `moment`, and runs on this thread everything that falls due
  /// on the way, as run_due() does: in the order of the due times, each when the clock reads its due time. If
  /// the clock is past `moment` already, it is set back, after everything that is due has run.
  void run_until(TimePoint moment, FunctionRef<void(TimePoint)> set_clock);

  /// Notes that the clock was set, or runs at another rate: jobs may be due earlier than was known.
  void clock_changed();

  /// Returns how many jobs wait for their time or their turn.
  std::size_t waiting() const;

  /// Returns true if a step is under way, on whatever thread.
  bool is_running() const;

  /// Returns how long it is, in real time, until a job is due: zero if one is, nothing if there is none, or
  /// if the clock stands still.
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

/// Runs the jobs of many clocks, in turn: on one thread those that are slow, on another one the rest. Each is
/// started for the first job of its kind, and sleeps while nothing is due. Thread safe.
class JobRunner {
 public:
  JobRunner() = default;
  ~JobRunner() { stop(); }
  JobRunner(const JobRunner&) = delete;
  JobRunner& operator=(const JobRunner&) = delete;

  /// Looks again for what is due: for whoever has added a job, or moved a clock.
  void wake();

  /// Asks the steps under way to end, and waits for them. Nothing runs any more.
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

#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "dinette/base/clock.h"
#include "dinette/base/function_ref.h"

/// Background work, done at its due time in small steps.
namespace dinette::base {

class JobRunner;

/// Jobs with due times on one clock. They exist in memory only; code that adds a job for stored data must add
/// it again after a restart. Thread-safe. The clocks and the runner must outlive it.
///
///     jobs.add(clock.now() + 24h, [&](const std::stop_token&) { trim(); return Jobs::done; });
class Jobs {
 public:
  /// The result of a step: when to run it again, if at all.
  using Next = std::optional<TimePoint>;
  static constexpr Next done = std::nullopt;
  static constexpr TimePoint at_once = TimePoint::min();  ///< after other jobs that are due
  /// A second later in real time, for a step that has failed: the clock may be stopped, or moved over years.
  static constexpr TimePoint next_try = TimePoint::max();

  static constexpr std::chrono::microseconds for_ever = std::chrono::microseconds::max();

  /// Does a few milliseconds' worth of a job, because other jobs wait for their turn. Returns as soon as
  /// possible when a stop is requested. A step that throws ends its job, and is logged.
  using Step = std::function<Next(const std::stop_token&)>;

  /// Without a runner, jobs run only in run_step(), run_due() and run_until(). `real_clock`: null if `clock`
  /// shows real time.
  explicit Jobs(const Clock& clock, JobRunner* runner = nullptr, const Clock* real_clock = nullptr);
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
  /// work that determines itself what there is to do. A running job does not count as waiting. `lasts`: the
  /// effect of a step is over after that time, so that run_until() skips steps that are due earlier than that
  /// before its end.
  void add_once(const std::string& name, TimePoint due, Step step,
                std::chrono::microseconds lasts = for_ever);

  /// Adds a job unless one of that name waits; if one runs, the new one follows when that is done. For work
  /// that is found again, by what is stored, while it may be under way.
  void add_unique(const std::string& name, TimePoint due, Step step) {
    add(due, Job{.step = std::move(step), .name = name, .unique = true});
  }
  /// The same for steps that may take long: see add_slow().
  void add_slow_unique(const std::string& name, TimePoint due, Step step) {
    add(due, Job{.step = std::move(step), .name = name, .pace = Pace::slow, .unique = true});
  }

  /// Leaves the jobs to another process: from now on, those that are added are dropped, and `left` is called
  /// instead, which must be brief. Drops those that wait, and returns when no step runs; must not be called
  /// by one.
  void leave_elsewhere(std::function<void()> left);
  /// Does the jobs here again. Those that were left must be added again.
  void do_here();

  /// Runs one step of the job that has been due for longest, slow or not, on this thread. Returns false if
  /// none is due.
  bool run_step(const std::stop_token& stop = {});

  /// Runs all jobs that are due, and all that become due meanwhile, on this thread, and waits for steps on
  /// other threads. For callers that have moved the clock.
  void run_due();

  /// Moves the clock, which must be stopped, to `moment`, and runs on this thread everything that becomes due
  /// on the way, as run_due() does: in the order of the due times, each when the clock reads its due time. If
  /// the clock is past `moment` already, it is set back, after everything that is due has run. Returns false
  /// if the runner was stopped meanwhile; then the clock is where the last step left it.
  bool run_until(TimePoint moment, FunctionRef<void(TimePoint)> set_clock);

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
    std::chrono::microseconds lasts = for_ever;
    bool unique = false;  ///< see add_unique()
    bool failed = false;  ///< due by the real clock
  };
  using Queue = std::multimap<TimePoint, Job>;
  using Names = std::map<std::string_view, Queue::iterator>;  ///< the views are of Job::name
  /// A job that is in no queue, with its entry in names_ if it has a name.
  struct Taken {
    Queue::node_type job;
    Names::node_type name;
  };

  /// A job whose step runs, on the stack of its thread: a list that needs no memory.
  struct Running {
    const Job* job = nullptr;
    Running* next = nullptr;
    Taken follower = {};  ///< of the same name, in its place when it is done
  };

  void add(TimePoint due, Job job);
  bool is_known(Taken& unique);
  bool left_elsewhere();
  bool run_step(std::optional<Pace> pace, const std::stop_token& stop);
  bool run_due(const std::stop_token& stop);
  std::optional<std::chrono::microseconds> until_due(std::optional<Pace> pace) const;
  Queue& queue(const Job& job);
  const Queue* first(std::optional<Pace> pace) const;
  const Queue* first_failed(std::optional<Pace> pace) const;
  const Queue* due(std::optional<Pace> pace) const;
  Taken take(Queue::iterator job);
  Taken take_due(std::optional<Pace> pace, Running& running);
  void put_back(Taken job, Next next, Running& running);
  void insert(Taken job);
  TimePoint after_skipped(TimePoint due, const Job& job) const;
  void begin_move(TimePoint moment);

  const Clock& clock_;
  const Clock& real_clock_;
  JobRunner* const runner_;
  mutable std::mutex mutex_;
  std::condition_variable idle_;
  std::array<Queue, 2> queues_;           ///< one per pace; guarded by mutex_
  std::array<Queue, 2> failed_;           ///< one per pace, by the real clock; guarded by mutex_
  Names names_;                           ///< guarded by mutex_
  Running* first_running_ = nullptr;      ///< guarded by mutex_
  std::function<void()> left_;            ///< where jobs are done elsewhere; guarded by mutex_
  int running_ = 0;                       ///< steps; guarded by mutex_
  std::optional<TimePoint> moves_until_;  ///< the end of run_until(); guarded by mutex_
};

/// Runs the jobs of many clocks, taking turns: slow ones on one thread, the rest on another. Each thread is
/// started for the first job of its kind, and sleeps while nothing is due. Thread-safe.
class JobRunner {
 public:
  /// Looks at each clock at least so often while a job waits for it: the system's clock may be set, or the
  /// machine sleep, unnoticed.
  explicit JobRunner(std::chrono::microseconds longest_sleep = std::chrono::minutes(1))
      : longest_sleep_(longest_sleep) {}
  ~JobRunner() { stop(); }
  JobRunner(const JobRunner&) = delete;
  JobRunner& operator=(const JobRunner&) = delete;

  /// Checks again what is due, on all clocks. Called when one was moved.
  void wake();

  /// Asks the running steps, and run_until(), to end. No step begins afterwards.
  void request_stop() { ending_.request_stop(); }

  /// The same, and waits for the steps of its threads.
  void stop();

 private:
  friend class Jobs;

  using Moment = std::chrono::steady_clock::time_point;
  using Moments = std::array<std::optional<Moment>, 2>;  ///< one per pace

  struct Lane {
    const Jobs* current = nullptr;                ///< whose step is running
    std::set<std::pair<Moment, Jobs*>> agenda{};  ///< when to look for a job that is due, and where
    std::thread thread = {};                      ///< set with the mutex held, until stopped_
  };

  Lane& lane(Jobs::Pace pace) { return lanes_[static_cast<std::size_t>(pace)]; }
  void wake(Jobs& jobs, Jobs::Pace pace);
  void schedule(Jobs& jobs, Jobs::Pace pace, std::optional<Moment> moment);
  void attach(Jobs& jobs);
  void detach(Jobs& jobs);
  void start(Jobs::Pace pace);
  void run(Jobs::Pace pace);
  void run_next(Jobs::Pace pace, std::unique_lock<std::mutex>& lock);

  const std::chrono::microseconds longest_sleep_;
  std::stop_source ending_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<Jobs*, Moments> attached_;  ///< with their places in the agendas; guarded by mutex_
  bool stopped_ = false;               ///< guarded by mutex_
  std::array<Lane, 2> lanes_;          ///< one per pace; guarded by mutex_
};

}  // namespace dinette::base

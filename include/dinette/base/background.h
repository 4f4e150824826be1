#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <stop_token>
#include <thread>

namespace dinette::base {

/// Jobs that go on when the request that began them is answered, a small step at a time. Thread-safe.
class Background {
 public:
  /// Does a little of a job, some milliseconds' worth, as other jobs wait for their turn; whether there is
  /// more to do. Ends as soon as it can when a stop is requested. A step that throws ends its job, and is
  /// logged.
  using Step = std::function<bool(const std::stop_token&)>;

  Background() = default;
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  virtual ~Background() = default;

  /// What a step refers to must outlive this object.
  virtual void add(Step step) = 0;
};

/// Steps of all jobs in turn, on one thread, which is started for the first job. Destruction waits for the
/// step under way and leaves the rest undone.
class BackgroundThread final : public Background {
 public:
  ~BackgroundThread() override;
  void add(Step step) override;

 private:
  void run(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::list<Step> jobs_;  ///< guarded by mutex_
  std::jthread thread_;   ///< guarded by mutex_ until destruction
};

/// For tests: nothing is done until it is asked for. Belongs to one thread.
class ManualBackground final : public Background {
 public:
  void add(Step step) override { jobs_.push_back(std::move(step)); }

  /// One step of one job; whether there was any.
  bool run_step(const std::stop_token& stop = {});
  void run_all() {
    while (run_step()) {
    }
  }

 private:
  std::deque<Step> jobs_;
};

}  // namespace dinette::base

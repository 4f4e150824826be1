#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

namespace dinette::tcp {

/// Threads for work that must not run on an event loop. Each is started when the others are busy, and stays.
/// `run` may be called from several threads at once.
class Workers {
 public:
  explicit Workers(unsigned most);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// Starts `count` threads before there is work. Throws std::system_error if that is impossible.
  void start(unsigned count);
  /// Runs `task` on one of the threads; tasks queue while all are busy. Throws std::system_error, and does
  /// not run `task`, if there is no thread and none can be started.
  void run(std::function<void()> task);
  /// Returns when all tasks have run and the threads have ended. Nothing may be run afterwards.
  void end();

 private:
  struct Finish {
    Workers& workers;
    ~Finish() {
      const std::lock_guard guard(workers.mutex_);
      --workers.tasks_;
    }
  };

  void add_thread();

  const unsigned most_;
  // Not boost::asio::thread_pool, which waits forever if it cannot start its second thread.
  boost::asio::io_context context_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  std::mutex mutex_;
  std::vector<std::thread> threads_;  ///< guarded by mutex_
  std::size_t tasks_ = 0;             ///< running or waiting for a thread; guarded by mutex_
};

}  // namespace dinette::tcp

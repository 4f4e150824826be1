#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

namespace dinette::tcp {

/// Threads for what must not run on an event loop. Each is started when the others have something to do, and
/// stays. `run` may be called from several threads at once.
class Workers {
 public:
  explicit Workers(unsigned most);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// Starts `count` threads before there is work. Throws std::system_error if that is impossible.
  void start(unsigned count);
  /// Runs `task` on one of the threads, in turn if all of them are busy. Throws std::system_error if there is
  /// no thread and none can be started; `task` is then not run.
  void run(std::function<void()> task);
  /// Returns when everything has been run and the threads have ended. Nothing may be run afterwards.
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
  // By hand: a boost::asio::thread_pool waits for ever when it cannot start its second thread.
  boost::asio::io_context context_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  std::mutex mutex_;
  std::vector<std::thread> threads_;  ///< guarded by mutex_
  std::size_t tasks_ = 0;             ///< running or waiting for a thread; guarded by mutex_
};

}  // namespace dinette::tcp

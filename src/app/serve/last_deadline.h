#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace dinette::app {

/// Calls `passed` from a thread of its own unless destroyed within `patience`.
class LastDeadline {
 public:
  LastDeadline(std::chrono::milliseconds patience, std::function<void()> passed);
  ~LastDeadline();
  LastDeadline(const LastDeadline&) = delete;
  LastDeadline& operator=(const LastDeadline&) = delete;

 private:
  void wait(std::chrono::milliseconds patience, const std::function<void()>& passed);

  std::mutex mutex_;
  std::condition_variable ended_;
  bool in_time_ = false;
  std::thread thread_;
};

}  // namespace dinette::app

#include "app/serve/last_deadline.h"

#include <utility>

namespace dinette::app {

LastDeadline::LastDeadline(std::chrono::milliseconds patience, std::function<void()> passed)
    : thread_([this, patience, passed = std::move(passed)] { wait(patience, passed); }) {}

LastDeadline::~LastDeadline() {
  {
    const std::lock_guard lock(mutex_);
    in_time_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

void LastDeadline::wait(std::chrono::milliseconds patience, const std::function<void()>& passed) {
  std::unique_lock lock(mutex_);
  if (!ended_.wait_for(lock, patience, [this] { return in_time_; })) passed();
}

}  // namespace dinette::app

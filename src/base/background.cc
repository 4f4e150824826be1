#include "dinette/base/background.h"

#include <exception>
#include <system_error>
#include <utility>

#include "dinette/base/log.h"

namespace dinette::base {
namespace {

/// Whether the job has more to do.
bool run_guarded(const Background::Step& step) {
  try {
    return step();
  } catch (const std::exception& error) {
    log(LogLevel::error, "a background job failed", {{"reason", error.what()}});
    return false;
  }
}

}  // namespace

BackgroundThread::~BackgroundThread() {
  thread_.request_stop();
}

void BackgroundThread::add(Step step) {
  const std::lock_guard guard(mutex_);
  jobs_.push_back(std::move(step));
  changed_.notify_one();
  if (thread_.joinable()) return;
  try {
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  } catch (const std::system_error& error) {
    // The job stays, and the next one tries again.
    log(LogLevel::error, "no thread for background jobs", {{"reason", error.what()}});
  }
}

void BackgroundThread::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return !jobs_.empty(); }) && !stop.stop_requested()) {
    Step step = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    const bool more = run_guarded(step);
    lock.lock();
    if (more) jobs_.push_back(std::move(step));
  }
}

bool ManualBackground::run_step() {
  if (jobs_.empty()) return false;
  Step step = std::move(jobs_.front());
  jobs_.pop_front();
  if (run_guarded(step)) jobs_.push_back(std::move(step));
  return true;
}

}  // namespace dinette::base

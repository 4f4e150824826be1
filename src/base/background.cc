#include "dinette/base/background.h"

#include <exception>
#include <utility>

#include "dinette/base/log.h"

namespace dinette::base {
namespace {

/// Whether the job has more to do.
bool run_guarded(const Background::Step& step, const std::stop_token& stop) {
  try {
    return step(stop);
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
  } catch (const std::exception& error) {
    // The job stays, and the next one tries again.
    log(LogLevel::error, "no thread for background jobs", {{"reason", error.what()}});
  }
}

void BackgroundThread::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return !jobs_.empty(); }) && !stop.stop_requested()) {
    std::list<Step> job;  // moved over and back without an allocation that could fail
    job.splice(job.begin(), jobs_, jobs_.begin());
    lock.unlock();
    const bool more = run_guarded(job.front(), stop);
    if (!more) job.clear();
    lock.lock();
    jobs_.splice(jobs_.end(), job);
  }
}

bool ManualBackground::run_step(const std::stop_token& stop) {
  if (jobs_.empty()) return false;
  Step step = std::move(jobs_.front());
  jobs_.pop_front();
  if (run_guarded(step, stop)) jobs_.push_back(std::move(step));
  return true;
}

}  // namespace dinette::base

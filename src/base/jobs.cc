#include "dinette/base/jobs.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "dinette/base/log.h"

namespace dinette::base {
namespace {

/// Longer times could overflow in wait_for(); a runner that wakes up early sleeps again.
constexpr std::chrono::microseconds longest_sleep = std::chrono::hours(24);

Jobs::Next run_guarded(const Jobs::Step& step, const std::stop_token& stop) {
  try {
    return step(stop);
  } catch (const std::exception& error) {
    log(LogLevel::error, "a background job failed", {{"reason", error.what()}});
    return Jobs::done;
  }
}

}  // namespace

Jobs::Jobs(const Clock& clock, JobRunner* runner) : clock_(clock), runner_(runner) {
  if (runner_) runner_->attach(*this);
}

Jobs::~Jobs() {
  if (runner_) runner_->detach(*this);
}

void Jobs::add(TimePoint due, Step step) {
  add(due, Job{.step = std::move(step)});
}

void Jobs::add_slow(TimePoint due, Step step) {
  add(due, Job{.step = std::move(step), .pace = Pace::slow});
}

void Jobs::add(TimePoint due, Job job) {
  const Pace pace = job.pace;
  {
    const std::lock_guard guard(mutex_);
    queue_.emplace(due, std::move(job));
  }
  if (runner_) runner_->wake(pace);
}

void Jobs::add_once(const std::string& name, TimePoint due, Step step) {
  {
    const std::lock_guard guard(mutex_);
    const auto waiting = find(name);
    if (waiting != queue_.end() && waiting->first <= due) return;
    if (waiting != queue_.end()) queue_.erase(waiting);
    queue_.emplace(due, Job{.step = std::move(step), .name = name});
  }
  if (runner_) runner_->wake(Pace::quick);
}

Jobs::Queue::iterator Jobs::find(const std::string& name) {
  return std::ranges::find_if(queue_, [&](const auto& job) { return job.second.name == name; });
}

/// Inserts a job. If one of its name was added while it ran, the one due earlier is kept.
void Jobs::insert(Queue::node_type job) {
  if (const std::string& name = job.mapped().name; !name.empty()) {
    const auto waiting = find(name);
    if (waiting != queue_.end() && waiting->first <= job.key()) return;
    if (waiting != queue_.end()) queue_.erase(waiting);
  }
  queue_.insert(std::move(job));
}

/// Must be called with mutex_ held.
bool Jobs::is_due() const {
  return !queue_.empty() && queue_.begin()->first <= clock_.now();
}

// The job is moved out and back without an allocation that could fail.
Jobs::Queue::node_type Jobs::take_due(std::optional<Pace> pace) {
  const std::lock_guard guard(mutex_);
  if (!is_due()) return {};
  const auto next =
      std::ranges::find_if(queue_, [&](const auto& job) { return !pace || job.second.pace == *pace; });
  if (next == queue_.end() || next->first > clock_.now()) return {};
  ++running_;
  return queue_.extract(next);
}

void Jobs::put_back(Queue::node_type job, Next next) {
  const std::lock_guard guard(mutex_);
  --running_;
  idle_.notify_all();
  if (!next) return;
  job.key() = *next == at_once ? clock_.now() : *next;
  insert(std::move(job));
}

bool Jobs::run_step(const std::stop_token& stop) {
  return run_step(std::nullopt, stop);
}

bool Jobs::run_step(std::optional<Pace> pace, const std::stop_token& stop) {
  Queue::node_type job = take_due(pace);
  if (job.empty()) return false;
  const Next next = run_guarded(job.mapped().step, stop);
  put_back(std::move(job), next);
  return true;
}

void Jobs::run_due() {
  while (true) {
    if (run_step()) continue;
    std::unique_lock lock(mutex_);
    // A step on another thread may continue, or add jobs.
    idle_.wait(lock, [this] { return is_due() || running_ == 0; });
    if (!is_due()) return;
  }
}

void Jobs::run_until(TimePoint moment, FunctionRef<void(TimePoint)> set_clock) {
  run_due();
  while (true) {
    TimePoint next;
    {
      const std::lock_guard guard(mutex_);
      if (queue_.empty() || queue_.begin()->first > moment) break;
      next = queue_.begin()->first;
    }
    if (next > clock_.now()) set_clock(next);
    run_due();
  }
  set_clock(moment);
}

void Jobs::clock_changed() {
  if (runner_ && until_due()) runner_->wake();
}

std::size_t Jobs::waiting() const {
  const std::lock_guard guard(mutex_);
  return queue_.size();
}

bool Jobs::is_running() const {
  const std::lock_guard guard(mutex_);
  return running_ > 0;
}

std::optional<std::chrono::microseconds> Jobs::until_due() const {
  return until_due(std::nullopt);
}

std::optional<std::chrono::microseconds> Jobs::until_due(std::optional<Pace> pace) const {
  const std::lock_guard guard(mutex_);
  const auto next =
      std::ranges::find_if(queue_, [&](const auto& job) { return !pace || job.second.pace == *pace; });
  if (next == queue_.end()) return std::nullopt;
  return clock_.until(next->first);
}

void JobRunner::stop() {
  {
    const std::lock_guard guard(mutex_);
    stopped_ = true;
  }
  quick_.thread.request_stop();
  slow_.thread.request_stop();
  if (quick_.thread.joinable()) quick_.thread.join();
  if (slow_.thread.joinable()) slow_.thread.join();
}

void JobRunner::attach(Jobs& jobs) {
  const std::lock_guard guard(mutex_);
  attached_.push_back(&jobs);
}

void JobRunner::detach(Jobs& jobs) {
  std::unique_lock lock(mutex_);
  std::erase(attached_, &jobs);
  changed_.wait(lock, [&] { return quick_.current != &jobs && slow_.current != &jobs; });
}

void JobRunner::wake() {
  wake(Jobs::Pace::quick);
}

void JobRunner::wake(Jobs::Pace pace) {
  const std::lock_guard guard(mutex_);
  quick_.woken = slow_.woken = true;
  changed_.notify_all();
  if (!lane(pace).thread.joinable() && !stopped_) start(pace);
}

void JobRunner::start(Jobs::Pace pace) {
  try {
    lane(pace).thread = std::jthread([this, pace](const std::stop_token& stop) { run(pace, stop); });
  } catch (const std::exception& error) {
    // The jobs stay, and the next one tries again.
    log(LogLevel::error, "no thread for background jobs", {{"reason", error.what()}});
  }
}

void JobRunner::run(Jobs::Pace pace, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    if (!run_round(pace, lock, stop)) sleep(pace, lock, stop);
  }
}

/// Runs a step for each clock that has a job due. Returns true if there was any.
bool JobRunner::run_round(Jobs::Pace pace, std::unique_lock<std::mutex>& lock, const std::stop_token& stop) {
  Lane& own = lane(pace);
  own.woken = false;
  bool ran = false;
  for (std::size_t i = 0; i < attached_.size() && !stop.stop_requested(); ++i) {
    Jobs& jobs = *attached_[i];
    own.current = &jobs;
    lock.unlock();
    ran = jobs.run_step(pace, stop) || ran;
    lock.lock();
    own.current = nullptr;
    changed_.notify_all();
  }
  return ran;
}

void JobRunner::sleep(Jobs::Pace pace, std::unique_lock<std::mutex>& lock, const std::stop_token& stop) {
  std::optional<std::chrono::microseconds> until;
  for (const Jobs* jobs : attached_) {
    const auto own = jobs->until_due(pace);
    if (own && (!until || *own < *until)) until = own;
  }
  const auto woken = [&] { return lane(pace).woken; };
  if (until)
    changed_.wait_for(lock, stop, std::min(*until, longest_sleep), woken);
  else
    changed_.wait(lock, stop, woken);
}

}  // namespace dinette::base

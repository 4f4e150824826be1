#include "dinette/base/jobs.h"

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include "dinette/base/log.h"

namespace dinette::base {
namespace {

constexpr std::chrono::seconds until_next_try{1};

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
  Queue own;
  Taken added{own.extract(own.emplace(due, std::move(job))), {}};
  if (const std::string& name = added.job.mapped().name; !name.empty()) {
    Names names;
    added.name = names.extract(names.emplace(name, own.end()).first);
  }
  {
    const std::lock_guard guard(mutex_);
    insert(std::move(added));
  }
  if (runner_) runner_->wake(*this, pace);
}

void Jobs::add_once(const std::string& name, TimePoint due, Step step, std::chrono::microseconds lasts) {
  add(due, Job{.step = std::move(step), .name = name, .lasts = lasts});
}

/// Returns when a job runs that falls due while the clock is moved. Must be called with mutex_ held.
TimePoint Jobs::after_skipped(TimePoint due, const Job& job) const {
  return moves_until_ && job.lasts != for_ever ? std::max(due, *moves_until_ - job.lasts) : due;
}

/// Inserts a job. If one of its name waits already, the one due earlier is kept. Must be called with mutex_
/// held. Cannot fail.
void Jobs::insert(Taken taken) {
  auto& [job, name] = taken;
  job.key() = after_skipped(job.key(), job.mapped());
  if (!name.empty()) {
    const auto waiting = names_.find(name.key());
    if (waiting != names_.end() && waiting->second->first <= job.key()) return;
    if (waiting != names_.end()) take(waiting->second);
  }
  Queue& queue = this->queue(job.mapped().pace);
  const auto place = queue.insert(std::move(job));
  if (name.empty()) return;
  name.mapped() = place;
  names_.insert(std::move(name));
}

/// Returns the queue whose first job is due first; null if no job waits. Must be called with mutex_ held.
const Jobs::Queue* Jobs::first(std::optional<Pace> pace) const {
  const Queue* found = nullptr;
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    if ((pace && i != static_cast<std::size_t>(*pace)) || queues_[i].empty()) continue;
    if (!found || queues_[i].begin()->first < found->begin()->first) found = &queues_[i];
  }
  return found;
}

/// Must be called with mutex_ held.
bool Jobs::is_due(std::optional<Pace> pace) const {
  const Queue* const queue = first(pace);
  return queue && queue->begin()->first <= clock_.now();
}

// A job is moved out and back without an allocation that could fail.
Jobs::Taken Jobs::take(Queue::iterator job) {
  Taken taken;
  if (!job->second.name.empty()) taken.name = names_.extract(job->second.name);
  taken.job = queue(job->second.pace).extract(job);
  return taken;
}

Jobs::Taken Jobs::take_due(std::optional<Pace> pace) {
  const std::lock_guard guard(mutex_);
  if (!is_due(pace)) return {};
  ++running_;
  return take(queue(first(pace)->begin()->second.pace).begin());
}

void Jobs::put_back(Taken taken, Next next) {
  const std::lock_guard guard(mutex_);
  --running_;
  idle_.notify_all();
  if (!next) return;
  const TimePoint now = clock_.now();
  taken.job.key() = *next == at_once    ? now
                    : *next == next_try ? std::max(now, moves_until_.value_or(now)) + until_next_try
                                        : *next;
  insert(std::move(taken));
}

bool Jobs::run_step(const std::stop_token& stop) {
  return run_step(std::nullopt, stop);
}

bool Jobs::run_step(std::optional<Pace> pace, const std::stop_token& stop) {
  Taken taken = take_due(pace);
  if (taken.job.empty()) return false;
  const Next next = run_guarded(taken.job.mapped().step, stop);
  put_back(std::move(taken), next);
  return true;
}

void Jobs::run_due() {
  run_due(std::stop_token());
}

/// Returns false if it was stopped.
bool Jobs::run_due(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    if (run_step(stop)) continue;
    std::unique_lock lock(mutex_);
    // A step on another thread may continue, or add jobs.
    idle_.wait(lock, [this] { return is_due() || running_ == 0; });
    if (!is_due()) return true;
  }
  return false;
}

/// Skips what will be over at the end of the move.
void Jobs::begin_move(TimePoint moment) {
  const std::lock_guard guard(mutex_);
  moves_until_ = moment;
  std::vector<Taken> skipped;
  for (Queue& queue : queues_) {
    for (auto next = queue.begin(); next != queue.end();) {
      const auto job = next++;
      if (after_skipped(job->first, job->second) > job->first) skipped.push_back(take(job));
    }
  }
  for (Taken& one : skipped) insert(std::move(one));
}

bool Jobs::run_until(TimePoint moment, FunctionRef<void(TimePoint)> set_clock) {
  const std::stop_token stop = runner_ ? runner_->ending_.get_token() : std::stop_token();
  bool reached = run_due(stop);
  if (reached) begin_move(moment);
  while (reached) {
    TimePoint next;
    {
      const std::lock_guard guard(mutex_);
      const Queue* const queue = first(std::nullopt);
      if (!queue || queue->begin()->first > moment) break;
      next = queue->begin()->first;
    }
    if (next > clock_.now()) set_clock(next);
    reached = run_due(stop);
  }
  if (reached) set_clock(moment);
  const std::lock_guard guard(mutex_);
  moves_until_.reset();
  return reached;
}

void Jobs::clock_changed() {
  if (!runner_) return;
  for (const Pace pace : {Pace::quick, Pace::slow}) {
    if (until_due(pace)) runner_->wake(*this, pace);
  }
}

std::size_t Jobs::waiting() const {
  const std::lock_guard guard(mutex_);
  std::size_t count = 0;
  for (const Queue& queue : queues_) count += queue.size();
  return count;
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
  const Queue* const queue = first(pace);
  return queue ? clock_.until(queue->begin()->first) : std::nullopt;
}

void JobRunner::stop() {
  {
    const std::lock_guard guard(mutex_);
    stopped_ = true;
  }
  request_stop();
  for (Lane& lane : lanes_) {
    if (lane.thread.joinable()) lane.thread.join();
  }
}

void JobRunner::attach(Jobs& jobs) {
  const std::lock_guard guard(mutex_);
  attached_.try_emplace(&jobs);
}

void JobRunner::detach(Jobs& jobs) {
  std::unique_lock lock(mutex_);
  for (const Jobs::Pace pace : {Jobs::Pace::quick, Jobs::Pace::slow}) schedule(jobs, pace, std::nullopt);
  attached_.erase(&jobs);
  const auto is_current = [&](const Lane& lane) { return lane.current == &jobs; };
  changed_.wait(lock, [&] { return std::ranges::none_of(lanes_, is_current); });
}

void JobRunner::wake() {
  const std::lock_guard guard(mutex_);
  for (const auto& [jobs, moments] : attached_) {
    for (const Jobs::Pace pace : {Jobs::Pace::quick, Jobs::Pace::slow})
      schedule(*jobs, pace, std::chrono::steady_clock::now());
  }
  changed_.notify_all();
}

void JobRunner::wake(Jobs& jobs, Jobs::Pace pace) {
  const std::lock_guard guard(mutex_);
  schedule(jobs, pace, std::chrono::steady_clock::now());
  changed_.notify_all();
  if (!lane(pace).thread.joinable() && !stopped_) start(pace);
}

/// Changes when these jobs are looked at; nothing: not before the next wake().
void JobRunner::schedule(Jobs& jobs, Jobs::Pace pace, std::optional<Moment> moment) {
  const auto found = attached_.find(&jobs);
  if (found == attached_.end()) return;
  std::optional<Moment>& current = found->second[static_cast<std::size_t>(pace)];
  if (current) lane(pace).agenda.erase({*current, &jobs});
  if (moment) lane(pace).agenda.emplace(*moment, &jobs);
  current = moment;
}

void JobRunner::start(Jobs::Pace pace) {
  try {
    lane(pace).thread = std::thread([this, pace] { run(pace); });
  } catch (const std::exception& error) {
    // The jobs stay, and the next one tries again.
    log(LogLevel::error, "no thread for background jobs", {{"reason", error.what()}});
  }
}

void JobRunner::run(Jobs::Pace pace) {
  const std::stop_token stop = ending_.get_token();
  const auto& agenda = lane(pace).agenda;
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    const auto is_time = [&] {
      return !agenda.empty() && agenda.begin()->first <= std::chrono::steady_clock::now();
    };
    if (is_time())
      run_next(pace, lock);
    else if (agenda.empty())
      changed_.wait(lock, stop, [&] { return !agenda.empty(); });
    else
      changed_.wait_until(lock, stop, agenda.begin()->first, is_time);
  }
}

/// Runs a step of the jobs that come first in the agenda, if one is due, and enters when to look again.
void JobRunner::run_next(Jobs::Pace pace, std::unique_lock<std::mutex>& lock) {
  Lane& own = lane(pace);
  Jobs& jobs = *own.agenda.begin()->second;
  own.current = &jobs;
  lock.unlock();
  jobs.run_step(pace, ending_.get_token());
  lock.lock();
  own.current = nullptr;
  changed_.notify_all();
  if (!attached_.contains(&jobs)) return;
  const auto until = jobs.until_due(pace);
  const auto now = std::chrono::steady_clock::now();
  schedule(jobs, pace, until ? std::optional(now + std::min(*until, longest_sleep_)) : std::nullopt);
}

}  // namespace dinette::base

#include "dinette/base/jobs.h"

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include "dinette/base/background.h"
#include "dinette/base/log.h"

namespace dinette::base {
namespace {

constexpr std::chrono::seconds until_next_try{1};
constexpr std::chrono::milliseconds until_yield{1};

/// Returns the queue whose first job is due first, of all or of one of them; null if it is empty.
template <class Queues>
const typename Queues::value_type* earliest(const Queues& queues, std::optional<std::size_t> only) {
  const typename Queues::value_type* found = nullptr;
  for (std::size_t i = 0; i < queues.size(); ++i) {
    if ((only && i != *only) || queues[i].empty()) continue;
    if (!found || queues[i].begin()->first < found->begin()->first) found = &queues[i];
  }
  return found;
}

/// Returns true if the wait for a next try is over. If the real clock was set back, it is.
bool is_over(TimePoint next_try, TimePoint now) {
  return next_try <= now || next_try > now + until_next_try;
}

Jobs::Next run_guarded(const Jobs::Step& step, const std::stop_token& stop) {
  const BackgroundScope background;
  try {
    return step(stop);
  } catch (const std::exception& error) {
    log(LogLevel::error, "a background job failed", {{"reason", error.what()}});
    return Jobs::done;
  }
}

/// Without it, threads that answer requests wait for the system's next tick, which are milliseconds. After
/// each of many short steps it would be as long a wait for this thread, if the processors are busy.
void let_others_run() {
  thread_local std::chrono::steady_clock::time_point last_yield;
  if (std::chrono::steady_clock::now() - last_yield < until_yield) return;
  std::this_thread::yield();
  last_yield = std::chrono::steady_clock::now();
}

}  // namespace

Jobs::Jobs(const Clock& clock, JobRunner* runner, const Clock* real_clock)
    : clock_(clock), real_clock_(real_clock ? *real_clock : clock), runner_(runner) {
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

bool Jobs::left_elsewhere() {
  std::unique_lock lock(mutex_);
  if (!left_) return false;
  const std::function<void()> left = left_;
  lock.unlock();
  left();
  return true;
}

void Jobs::add(TimePoint due, Job job) {
  if (left_elsewhere()) return;
  const Pace pace = job.pace;
  Queue own;
  Taken added{own.extract(own.emplace(due, std::move(job))), {}};
  if (const std::string& name = added.job.mapped().name; !name.empty()) {
    Names names;
    added.name = names.extract(names.emplace(name, own.end()).first);
  }
  {
    const std::lock_guard guard(mutex_);
    if (added.job.mapped().unique && is_known(added)) return;
    insert(std::move(added));
  }
  if (runner_) runner_->wake(*this, pace);
}

/// Returns true if a job of the new one's name waits, or runs, which the new one then follows. Must be called
/// with mutex_ held.
bool Jobs::is_known(Taken& unique) {
  const std::string& name = unique.job.mapped().name;
  if (names_.contains(name)) return true;
  for (Running* one = first_running_; one != nullptr; one = one->next) {
    if (one->job->name != name) continue;
    one->follower = std::move(unique);
    return true;
  }
  return false;
}

void Jobs::leave_elsewhere(std::function<void()> left) {
  std::array<Queue, 4> dropped;  // destroyed after the lock
  std::unique_lock lock(mutex_);
  left_ = std::move(left);
  idle_.wait(lock, [this] { return running_ == 0; });
  names_.clear();
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    dropped[i].swap(queues_[i]);
    dropped[i + queues_.size()].swap(failed_[i]);
  }
}

void Jobs::do_here() {
  const std::lock_guard guard(mutex_);
  left_ = nullptr;
}

void Jobs::add_once(const std::string& name, TimePoint due, Step step, std::chrono::microseconds lasts) {
  add(due, Job{.step = std::move(step), .name = name, .lasts = lasts});
}

/// Returns when a job runs that falls due while the clock is moved. Must be called with mutex_ held.
TimePoint Jobs::after_skipped(TimePoint due, const Job& job) const {
  return moves_until_ && job.lasts != for_ever ? std::max(due, *moves_until_ - job.lasts) : due;
}

Jobs::Queue& Jobs::queue(const Job& job) {
  return (job.failed ? failed_ : queues_)[static_cast<std::size_t>(job.pace)];
}

/// Inserts a job. If one of its name waits already, the one due earlier is kept, and one that has failed in
/// any case. Must be called with mutex_ held. Cannot fail.
void Jobs::insert(Taken taken) {
  auto& [job, name] = taken;
  const bool failed = job.mapped().failed;
  if (!failed) job.key() = after_skipped(job.key(), job.mapped());
  if (!name.empty()) {
    const auto waiting = names_.find(name.key());
    if (waiting != names_.end()) {
      const auto& [due, other] = *waiting->second;
      if (other.failed || (!failed && due <= job.key())) return;
      take(waiting->second);
    }
  }
  const auto place = queue(job.mapped()).insert(std::move(job));
  if (name.empty()) return;
  name.mapped() = place;
  names_.insert(std::move(name));
}

/// Returns the queue whose first job is due first; null if no job waits, except for those that have failed.
/// Must be called with mutex_ held.
const Jobs::Queue* Jobs::first(std::optional<Pace> pace) const {
  return earliest(queues_, pace ? std::optional(static_cast<std::size_t>(*pace)) : std::nullopt);
}

/// The same of jobs that have failed.
const Jobs::Queue* Jobs::first_failed(std::optional<Pace> pace) const {
  return earliest(failed_, pace ? std::optional(static_cast<std::size_t>(*pace)) : std::nullopt);
}

/// Returns the queue of a job that is due; null if none is. Must be called with mutex_ held.
const Jobs::Queue* Jobs::due(std::optional<Pace> pace) const {
  if (const Queue* const failed = first_failed(pace);
      failed && is_over(failed->begin()->first, real_clock_.now()))
    return failed;
  const Queue* const queue = first(pace);
  return queue && queue->begin()->first <= clock_.now() ? queue : nullptr;
}

// A job is moved out and back without an allocation that could fail.
Jobs::Taken Jobs::take(Queue::iterator job) {
  Taken taken;
  if (!job->second.name.empty()) taken.name = names_.extract(job->second.name);
  taken.job = queue(job->second).extract(job);
  return taken;
}

Jobs::Taken Jobs::take_due(std::optional<Pace> pace, Running& running) {
  const std::lock_guard guard(mutex_);
  const Queue* const queue = due(pace);
  if (!queue) return {};
  Taken taken = take(this->queue(queue->begin()->second).begin());
  running.job = &taken.job.mapped();
  running.next = first_running_;
  first_running_ = &running;
  ++running_;
  return taken;
}

void Jobs::put_back(Taken taken, Next next, Running& running) {
  const std::lock_guard guard(mutex_);
  --running_;
  Running** place = &first_running_;
  while (*place != &running) place = &(*place)->next;
  *place = running.next;
  idle_.notify_all();
  if (left_) return;
  if (!next) {
    if (!running.follower.job.empty()) insert(std::move(running.follower));
    return;
  }
  taken.job.mapped().failed = *next == next_try;
  taken.job.key() = *next == at_once    ? clock_.now()
                    : *next == next_try ? real_clock_.now() + until_next_try
                                        : *next;
  insert(std::move(taken));
}

bool Jobs::run_step(const std::stop_token& stop) {
  return run_step(std::nullopt, stop);
}

bool Jobs::run_step(std::optional<Pace> pace, const std::stop_token& stop) {
  Running running;
  Taken taken = take_due(pace, running);
  if (taken.job.empty()) return false;
  const Next next = run_guarded(taken.job.mapped().step, stop);
  put_back(std::move(taken), next, running);
  let_others_run();
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
    idle_.wait(lock, [this] { return due(std::nullopt) || running_ == 0; });
    if (!due(std::nullopt)) return true;
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
  for (const Queue& queue : failed_) count += queue.size();
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
  const auto regular = queue ? clock_.until(queue->begin()->first) : std::nullopt;
  const Queue* const failed = first_failed(pace);
  if (!failed) return regular;
  const auto again = real_clock_.until(failed->begin()->first);
  return regular && again ? std::min(*regular, *again) : regular ? regular : again;
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
    if (is_time()) {
      run_next(pace, lock);
    } else if (agenda.empty()) {
      changed_.wait(lock, stop, [&] { return !agenda.empty(); });
    } else {
      const Moment first = agenda.begin()->first;  // a copy: the entry may go meanwhile
      changed_.wait_until(lock, stop, first,
                          [&] { return agenda.empty() || agenda.begin()->first < first || is_time(); });
    }
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

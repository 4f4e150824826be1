#include "dinette/deliveries/lanes.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <list>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "dinette/base/background.h"
#include "dinette/base/log.h"

namespace dinette::deliveries {
namespace {

using Moment = std::chrono::steady_clock::time_point;

/// How long a thread waits for work before it ends.
constexpr std::chrono::seconds idle_time{10};
/// How long a lane that has run lets records gather before it looks again. Many small batches cost more than
/// a few large ones, and the first record after a quiet time is delivered at once in any case.
constexpr std::chrono::milliseconds gathering_time{2};
constexpr std::chrono::milliseconds pause_after_failure{1000};

}  // namespace

class Lanes::Impl {
 public:
  explicit Impl(base::Jobs& jobs) : jobs_(jobs) {}
  ~Impl() { stop(); }

  void add(const std::string& name, std::shared_ptr<Lane> lane);
  void wake(const std::string& name);
  bool has(const std::string& name) const;
  bool is_running() const;
  void appended() noexcept;
  void leave_elsewhere(std::function<void()> left);
  void do_here();
  void request_stop();
  void stop();

 private:
  enum class State : std::uint8_t {
    ready,      ///< in ready_
    running,    ///< on a thread
    gathering,  ///< in timed_, then armed
    armed,      ///< until something is appended
    waiting,    ///< until it is woken
    pausing,    ///< in timed_
  };
  struct Entry {
    std::string name;
    std::shared_ptr<Lane> lane;
    State state = State::ready;
    bool armed = false;  ///< something that is appended is seen
    bool again = false;  ///< it was woken, or something was appended, while it ran
    int failures = 0;    ///< in a row
  };
  using Entries = std::map<std::string, Entry>;

  // With mutex_ held.
  void wake(Entry& entry);
  void make_ready(Entry& entry);
  void arm(Entry& entry);
  void add_timed(Entry& entry, std::chrono::milliseconds time);
  void begin_gathering(Entry& entry);
  void take_due(Moment now);
  void run_first(std::unique_lock<std::mutex>& lock);
  void settle(Entry& entry, const Pause& pause);
  void have_threads();
  bool wait_for_work(std::unique_lock<std::mutex>& lock, Moment last_used);
  void join_ended(std::unique_lock<std::mutex>& lock);

  void note_moment(const std::string& name);
  void work(std::list<std::thread>::iterator self);
  static Pause step(Entry& entry, const std::stop_token& stop);
  bool left_elsewhere() const;

  base::Jobs& jobs_;
  std::stop_source stop_;        ///< of the threads
  std::stop_source steps_stop_;  ///< guarded by mutex_
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Entries entries_;                      ///< guarded by mutex_, but for the lane of one that runs
  std::deque<Entry*> ready_;             ///< guarded by mutex_
  std::multimap<Moment, Entry*> timed_;  ///< guarded by mutex_
  std::list<std::thread> threads_;       ///< guarded by mutex_
  std::list<std::thread> ended_;         ///< to be joined; guarded by mutex_
  std::size_t busy_ = 0;                 ///< threads that run a step; guarded by mutex_
  bool watched_ = false;                 ///< a thread waits for the first in timed_; guarded by mutex_
  std::function<void()> left_;           ///< where lanes run elsewhere; guarded by mutex_
  std::atomic<bool> any_armed_{false};
};

void Lanes::Impl::stop() {
  request_stop();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return threads_.empty(); });
  join_ended(lock);
}

void Lanes::Impl::request_stop() {
  stop_.request_stop();
  const std::lock_guard guard(mutex_);
  steps_stop_.request_stop();
  changed_.notify_all();
}

void Lanes::Impl::leave_elsewhere(std::function<void()> left) {
  Entries ended;  // destroyed after the lock
  std::unique_lock lock(mutex_);
  left_ = std::move(left);
  steps_stop_.request_stop();
  changed_.wait(lock, [this] { return busy_ == 0; });
  ended.swap(entries_);
  ready_.clear();
  timed_.clear();
}

void Lanes::Impl::do_here() {
  const std::lock_guard guard(mutex_);
  left_ = nullptr;
  if (!stop_.stop_requested()) steps_stop_ = std::stop_source();
}

bool Lanes::Impl::left_elsewhere() const {
  std::unique_lock lock(mutex_);
  if (!left_) return false;
  const std::function<void()> left = left_;
  lock.unlock();
  left();
  return true;
}

void Lanes::Impl::add(const std::string& name, std::shared_ptr<Lane> lane) {
  if (left_elsewhere()) return;
  const std::lock_guard guard(mutex_);
  const auto [place, added] = entries_.try_emplace(name);
  Entry& entry = place->second;
  if (!added) return wake(entry);
  entry.name = name;
  entry.lane = std::move(lane);
  make_ready(entry);
}

void Lanes::Impl::wake(const std::string& name) {
  if (left_elsewhere()) return;
  const std::lock_guard guard(mutex_);
  if (const auto found = entries_.find(name); found != entries_.end()) wake(found->second);
}

void Lanes::Impl::wake(Entry& entry) {
  if (entry.state == State::gathering || entry.state == State::pausing) {
    const auto is_entry = [&](const auto& one) { return one.second == &entry; };
    timed_.erase(std::find_if(timed_.begin(), timed_.end(), is_entry));
  }
  if (entry.state == State::running)
    entry.again = true;
  else if (entry.state != State::ready)
    make_ready(entry);
}

/// The moment has come that a lane waits for, unless it waits for something else by now.
void Lanes::Impl::note_moment(const std::string& name) {
  const std::lock_guard guard(mutex_);
  const auto found = entries_.find(name);
  if (found == entries_.end()) return;
  Entry& entry = found->second;
  if (entry.state == State::running) entry.again = true;
  if (entry.state == State::armed) make_ready(entry);
}

bool Lanes::Impl::has(const std::string& name) const {
  const std::lock_guard guard(mutex_);
  return entries_.contains(name);
}

bool Lanes::Impl::is_running() const {
  const std::lock_guard guard(mutex_);
  return std::ranges::any_of(entries_, [](const auto& one) { return one.second.state == State::running; });
}

void Lanes::Impl::appended() noexcept {
  if (!any_armed_.load() || !any_armed_.exchange(false)) return;
  try {
    const std::lock_guard guard(mutex_);
    for (auto& [name, entry] : entries_) {
      if (!std::exchange(entry.armed, false)) continue;
      if (entry.state == State::running) entry.again = true;
      if (entry.state == State::armed) make_ready(entry);
    }
  } catch (const std::exception& error) {
    base::log(base::LogLevel::error, "deliveries could not be continued", {{"reason", error.what()}});
  }
}

void Lanes::Impl::make_ready(Entry& entry) {
  ready_.push_back(&entry);
  entry.state = State::ready;
  have_threads();
}

/// From here on, what is appended is seen.
void Lanes::Impl::arm(Entry& entry) {
  entry.armed = true;
  any_armed_ = true;
}

void Lanes::Impl::add_timed(Entry& entry, std::chrono::milliseconds time) {
  timed_.emplace(std::chrono::steady_clock::now() + time, &entry);
  // The thread that waits for the first of them may not know this one.
  if (timed_.begin()->second == &entry) changed_.notify_all();
}

void Lanes::Impl::begin_gathering(Entry& entry) {
  entry.armed = false;
  entry.state = State::gathering;
  add_timed(entry, gathering_time);
}

/// Makes sure that a thread waits for each lane that is ready, and one for the first that will be.
void Lanes::Impl::have_threads() {
  const std::size_t needed = ready_.size() + (timed_.empty() ? 0 : 1);
  changed_.notify_one();
  if (needed <= threads_.size() - busy_ || threads_.size() >= most_threads || stop_.stop_requested()) return;
  const auto self = threads_.emplace(threads_.end());
  try {
    *self = std::thread([this, self] { work(self); });
  } catch (const std::system_error& error) {
    threads_.erase(self);
    if (!threads_.empty()) return;
    base::log(base::LogLevel::error, "deliveries wait, because there is no thread for them",
              {{"reason", error.what()}});
  }
}

void Lanes::Impl::work(std::list<std::thread>::iterator self) {
  std::unique_lock lock(mutex_);
  join_ended(lock);
  Moment last_used = std::chrono::steady_clock::now();
  while (!stop_.stop_requested()) {
    take_due(std::chrono::steady_clock::now());
    if (!ready_.empty() && !left_) {
      run_first(lock);
      last_used = std::chrono::steady_clock::now();
    } else if (!wait_for_work(lock, last_used)) {
      break;
    }
  }
  ended_.splice(ended_.end(), threads_, self);
  if (threads_.empty()) changed_.notify_all();
}

/// Threads that have ended are joined by others: none can join itself.
void Lanes::Impl::join_ended(std::unique_lock<std::mutex>& lock) {
  std::list<std::thread> ended;
  ended.swap(ended_);
  lock.unlock();
  for (std::thread& thread : ended) thread.join();
  lock.lock();
}

void Lanes::Impl::take_due(Moment now) {
  while (!timed_.empty() && timed_.begin()->first <= now) {
    Entry& entry = *timed_.begin()->second;
    timed_.erase(timed_.begin());
    if (entry.state == State::gathering) arm(entry);
    make_ready(entry);
  }
}

/// Returns false if the thread is not needed any more.
bool Lanes::Impl::wait_for_work(std::unique_lock<std::mutex>& lock, Moment last_used) {
  const bool watches = !timed_.empty() && !watched_;
  const Moment end = last_used + idle_time;
  if (!watches && std::chrono::steady_clock::now() >= end) return false;
  // A copy: while this thread waits, others take what is due out of `timed_`.
  const Moment until = watches ? timed_.begin()->first : end;
  if (watches) watched_ = true;
  changed_.wait_until(lock, until);
  if (watches) watched_ = false;
  return true;
}

void Lanes::Impl::run_first(std::unique_lock<std::mutex>& lock) {
  Entry& entry = *ready_.front();
  ready_.pop_front();
  entry.state = State::running;
  entry.again = false;
  ++busy_;
  have_threads();
  const std::stop_token stop = steps_stop_.get_token();
  lock.unlock();
  const Pause pause = step(entry, stop);
  lock.lock();
  --busy_;
  if (left_) return changed_.notify_all();
  settle(entry, pause);
}

Pause Lanes::Impl::step(Entry& entry, const std::stop_token& stop) {
  std::string reason;
  const base::BackgroundScope background;
  try {
    const kv::Result<Pause> pause = entry.lane->step(stop);
    if (pause) {
      entry.failures = 0;
      return *pause;
    }
    reason = pause.error().message;
  } catch (const std::exception& error) {
    reason = error.what();
  }
  if (++entry.failures == 1) {
    base::log(base::LogLevel::warn, "a delivery failed and will be repeated",
              {{"delivery", entry.name}, {"reason", reason}});
  }
  return Pause::of(pause_after_failure);
}

void Lanes::Impl::settle(Entry& entry, const Pause& pause) {
  switch (pause.until) {
    case Pause::Until::at_once:
      make_ready(entry);
      return;
    case Pause::Until::done:
      if (entry.again) return make_ready(entry);
      entries_.erase(entries_.find(entry.name));
      return;
    case Pause::Until::woken:
      if (entry.again) return make_ready(entry);
      entry.state = State::waiting;
      return;
    case Pause::Until::elapsed:
      entry.armed = false;
      entry.state = State::pausing;
      add_timed(entry, pause.time);
      return;
    case Pause::Until::moment:
      jobs_.add_once("delivery " + entry.name, pause.moment,
                     [this, name = entry.name](const std::stop_token&) {
                       note_moment(name);
                       return base::Jobs::done;
                     });
      [[fallthrough]];
    case Pause::Until::appended:
      // It has seen all that there is only if it was armed before its step.
      if (entry.again || !entry.armed) return begin_gathering(entry);
      entry.state = State::armed;
      return;
  }
}

Lanes::Lanes(base::Jobs& jobs) : impl_(std::make_unique<Impl>(jobs)) {}
Lanes::~Lanes() = default;

void Lanes::add(const std::string& name, std::shared_ptr<Lane> lane) {
  impl_->add(name, std::move(lane));
}
void Lanes::wake(const std::string& name) {
  impl_->wake(name);
}
bool Lanes::has(const std::string& name) const {
  return impl_->has(name);
}
bool Lanes::is_running() const {
  return impl_->is_running();
}
void Lanes::appended() noexcept {
  impl_->appended();
}
void Lanes::leave_elsewhere(std::function<void()> left) {
  impl_->leave_elsewhere(std::move(left));
}
void Lanes::do_here() {
  impl_->do_here();
}
void Lanes::request_stop() {
  impl_->request_stop();
}

void Lanes::stop() {
  impl_->stop();
}

}  // namespace dinette::deliveries

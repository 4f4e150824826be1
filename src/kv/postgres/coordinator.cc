#include "kv/postgres/coordinator.h"

#include <algorithm>
#include <utility>

#include "dinette/base/log.h"

namespace dinette::kv::postgres {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds look_interval{50};
/// How often a server says that it is there. It counts as gone after three seconds (dialect.cc).
constexpr std::chrono::milliseconds keep_interval{500};
/// How long it does the work after it has said so: less than three seconds, so that it ends before another
/// begins.
constexpr std::chrono::milliseconds work_time{2500};
constexpr std::chrono::milliseconds unseen_interval{5};
constexpr std::chrono::seconds longest_wait{30};

void warn(const char* what, const Error& error) {
  base::log(base::LogLevel::warn, what, {{"reason", error.message}});
}

base::Failure<Error> timed_out(const char* what) {
  return base::Failure{Error{ErrorKind::timed_out, what}};
}

}  // namespace

Parameters PostgresCoordinator::this_server() const {
  Parameters parameters;
  parameters.number(pool_->server());
  return parameters;
}

Result<std::vector<Rows>> PostgresCoordinator::execute(Statement statement, Parameters parameters) const {
  const Call call{statement, std::move(parameters)};
  return postgres::execute(*pool_, {&call, 1});
}

Result<void> PostgresCoordinator::keep_member(std::int64_t seen) const {
  Parameters parameters = this_server();
  parameters.number(seen);
  DINETTE_CHECK(execute(Statement::keep_member, std::move(parameters)));
  return {};
}

Result<void> PostgresCoordinator::join(Member& member) {
  DINETTE_CHECK(keep_member(0));
  member_ = &member;
  pool_->set_coordinated();
  looker_ = std::jthread([this](const std::stop_token& stop) { look_again_and_again(stop); });
  follower_ = std::jthread([this](const std::stop_token& stop) { follow(stop); });
  return {};
}

void PostgresCoordinator::leave() {
  if (member_ == nullptr) return;
  looker_ = {};
  follower_ = {};
  if (works_) member_->end_work();
  member_ = nullptr;
  const Call calls[] = {{Statement::give_work_up, this_server()}, {Statement::leave_members, this_server()}};
  if (const auto left = postgres::execute(*pool_, calls); !left)
    warn("other servers wait a moment for this one, which ends", left.error());
}

Result<void> PostgresCoordinator::announce(std::uint64_t engine) {
  Parameters changed;
  changed.number(static_cast<std::int64_t>(engine));
  DINETTE_TRY(const auto agreed, execute(Statement::agree_on_change, std::move(changed)));
  const std::int64_t change = agreed.front().int8(0, 0);
  const Moment deadline = steady_clock::now() + longest_wait;
  do {
    Parameters parameters;
    parameters.number(change);
    DINETTE_TRY(const auto unseeing, execute(Statement::count_unseeing, std::move(parameters)));
    if (unseeing.front().int8(0, 0) == 0) return {};
    std::this_thread::sleep_for(unseen_interval);
  } while (steady_clock::now() < deadline);
  return timed_out("a server does not take notice of what has changed");
}

Result<void> PostgresCoordinator::take_work() {
  const Moment deadline = steady_clock::now() + longest_wait;
  std::unique_lock lock(mutex_);
  while (!works_) {
    lock.unlock();
    DINETTE_CHECK(execute(Statement::want_work, this_server()));
    lock.lock();
    if (changed_.wait_for(lock, look_interval, [this] { return works_; })) break;
    if (steady_clock::now() >= deadline)
      return timed_out("the server that does the background work keeps it");
  }
  return {};
}

void PostgresCoordinator::leave_work(std::uint64_t engine) {
  const std::lock_guard guard(mutex_);
  leaving_.insert(engine);
}

std::size_t PostgresCoordinator::servers() const {
  const std::lock_guard guard(mutex_);
  return static_cast<std::size_t>(std::max<std::int64_t>(1, agreed_.servers));
}

void PostgresCoordinator::look_again_and_again(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const auto looked = look();
    if (!looked && !failing_)
      warn("this server does not know what others of the database do", looked.error());
    failing_ = !looked;
    std::unique_lock lock(mutex_);
    changed_.notify_all();  // the right to work may have ended
    changed_.wait_for(lock, stop, look_interval, [] { return false; });
  }
}

Result<void> PostgresCoordinator::look() {
  const Moment now = steady_clock::now();
  if (now >= kept_at_ + keep_interval) {
    std::unique_lock lock(mutex_);
    const std::int64_t seen = seen_;
    const bool works = works_;
    lock.unlock();
    DINETTE_CHECK(keep_member(seen));
    if (works) DINETTE_CHECK(execute(Statement::forget_changes));
  }
  DINETTE_CHECK(leave_work_now());
  DINETTE_TRY(const auto rows, execute(Statement::look_at_members));
  const Rows& row = rows.front();
  const bool is_mine = row.int8(0, 1) == pool_->server();
  const bool is_free = !row.flag(0, 2);
  Agreed agreed{.change = row.int8(0, 0), .number = row.int8(0, 4), .servers = row.int8(0, 5)};
  agreed.wanted = is_mine && row.int8(0, 3) != 0 && row.int8(0, 3) != pool_->server();
  if (is_mine || is_free) DINETTE_CHECK(look_at_work(agreed, is_free, now));
  if (now >= kept_at_ + keep_interval) kept_at_ = now;
  const std::lock_guard guard(mutex_);
  agreed_ = std::move(agreed);
  return {};
}

/// The work is this server's, or free to be taken.
Result<void> PostgresCoordinator::look_at_work(Agreed& agreed, bool is_free, Moment now) {
  bool works = false;
  {
    const std::lock_guard guard(mutex_);
    agreed.works_until = agreed_.works_until;
    works = works_;
  }
  if (agreed.wanted && !works) {  // it was not handed over, because the database was away
    DINETTE_CHECK(execute(Statement::hand_work_over, this_server()));
    return {};
  }
  if (is_free) {
    DINETTE_TRY(const auto taken, execute(Statement::take_free_work, this_server()));
    if (taken.front().size() == 0) return {};
    agreed.works_until = now + work_time;
  } else if (agreed.works_until == Moment() || now >= kept_at_ + keep_interval) {
    DINETTE_TRY(const auto renewed, execute(Statement::renew_work, this_server()));
    agreed.works_until = renewed.front().size() == 1 ? now + work_time : Moment();
  }
  DINETTE_TRY(const auto rows, execute(Statement::left_work));
  const Rows& left = rows.front();
  for (int i = 0; i < left.size(); ++i)
    agreed.left[static_cast<std::uint64_t>(left.int8(i, 0))] = left.int8(i, 1);
  return {};
}

/// Twice: what the work is known by may have been committed after it was left.
Result<void> PostgresCoordinator::leave_work_now() {
  std::unique_lock lock(mutex_);
  std::set<std::uint64_t> engines = left_once_;
  engines.insert(leaving_.begin(), leaving_.end());
  left_once_ = std::exchange(leaving_, {});
  lock.unlock();
  for (const std::uint64_t engine : engines) {
    Parameters world;
    world.number(static_cast<std::int64_t>(engine));
    DINETTE_CHECK(execute(Statement::leave_work, std::move(world)));
  }
  return {};
}

void PostgresCoordinator::follow(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, stop, [this] { return has_news(); });
    if (stop.stop_requested()) return;
    lock.unlock();
    follow_change();
    follow_work();
    lock.lock();
  }
}

bool PostgresCoordinator::may_work() const {
  return !agreed_.wanted && steady_clock::now() < agreed_.works_until;
}

bool PostgresCoordinator::has_news() const {
  return agreed_.change > seen_ || may_work() != works_ ||
         (works_ && (agreed_.number != told_number_ || agreed_.left != found_));
}

/// Returns nothing if some of the changes have been forgotten, or if this server has seen none yet.
Result<std::optional<std::set<std::uint64_t>>> PostgresCoordinator::engines_changed(
    std::int64_t seen, std::int64_t change) const {
  Parameters between;
  between.number(seen).number(change);
  DINETTE_TRY(const auto rows, execute(Statement::changes, std::move(between)));
  const Rows& changes = rows.front();
  if (seen == 0 || changes.size() < change - seen) return std::optional<std::set<std::uint64_t>>();
  std::set<std::uint64_t> engines;
  for (int i = 0; i < changes.size(); ++i) engines.insert(static_cast<std::uint64_t>(changes.int8(i, 0)));
  return std::optional(std::move(engines));
}

void PostgresCoordinator::follow_change() {
  std::unique_lock lock(mutex_);
  const std::int64_t change = agreed_.change;
  const std::int64_t seen = seen_;
  if (change <= seen) return;
  lock.unlock();
  const auto engines = engines_changed(seen, change);
  const auto followed = engines ? member_->changed(*engines) : Result<void>(base::Failure{engines.error()});
  if (!followed) {
    warn("what other servers have changed cannot be read", followed.error());
    std::this_thread::sleep_for(look_interval);
    return;
  }
  if (const auto kept = keep_member(change); !kept) warn("other servers wait for this one", kept.error());
  lock.lock();
  seen_ = change;
}

void PostgresCoordinator::follow_work() {
  std::unique_lock lock(mutex_);
  const bool may = may_work();
  const bool works = works_;
  const std::int64_t number = agreed_.number;
  const bool appended = std::exchange(told_number_, number) != number;
  lock.unlock();
  if (may && !works) return begin_work();
  if (!may && works) return end_work();
  if (works && appended) member_->appended();
  if (works) find_left_work();
}

void PostgresCoordinator::begin_work() {
  // Commits of the server that did it before have ended.
  if (const auto waited = execute(Statement::wait_for_workers); !waited) {
    warn("background work cannot begin", waited.error());
    std::this_thread::sleep_for(look_interval);
    return;
  }
  {
    const std::lock_guard guard(mutex_);
    found_ = agreed_.left;
  }
  member_->begin_work();
  const std::lock_guard guard(mutex_);
  works_ = true;
  changed_.notify_all();
}

void PostgresCoordinator::end_work() {
  member_->end_work();
  {
    const std::lock_guard guard(mutex_);
    works_ = false;
    agreed_.works_until = {};
  }
  if (const auto handed = execute(Statement::hand_work_over, this_server()); !handed)
    warn("another server waits a moment for the background work", handed.error());
}

void PostgresCoordinator::find_left_work() {
  std::unique_lock lock(mutex_);
  const LeftWork left = agreed_.left;
  const LeftWork found = std::exchange(found_, left);
  lock.unlock();
  for (const auto& [engine, count] : left) {
    const auto known = found.find(engine);
    if (known == found.end() || known->second != count) member_->find_work(engine);
  }
}

}  // namespace dinette::kv::postgres

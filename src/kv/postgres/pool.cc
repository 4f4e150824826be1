#include "kv/postgres/pool.h"

#include <algorithm>
#include <utility>

#include "dinette/base/log.h"

namespace dinette::kv::postgres {
namespace {

constexpr std::chrono::milliseconds first_interval{20};
constexpr std::chrono::milliseconds longest_interval{1000};

/// Numbers of servers and commits in one word.
constexpr int bits_of_commits = 40;

/// Spreads numbers over all 64 bits and keeps different ones different (splitmix64), so that the exclusive or
/// of several is as good as random.
std::uint64_t spread(std::uint64_t number) {
  number += 0x9e3779b97f4a7c15u;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9u;
  number = (number ^ (number >> 27)) * 0x94d049bb133111ebu;
  return number ^ (number >> 31);
}

}  // namespace

Pool::Pool(Settings settings) : settings_(std::move(settings)) {
  target_.url = settings_.url;
  target_.read_only = settings_.read_only;
}

std::uint64_t Pool::next_version() {
  const std::uint64_t commit = ++commits_;
  const std::uint64_t number = spread((static_cast<std::uint64_t>(server_) << bits_of_commits) | commit);
  const std::uint64_t even = number & ~std::uint64_t{1};
  return even == 0 ? next_version() : even;
}

SqlResult<Pool::Lease> Pool::lease(Deadline deadline) {
  std::unique_lock lock(mutex_);
  while (true) {
    const auto now = Clock::now();
    if (!idle_.empty()) {
      auto connection = std::move(idle_.back());
      idle_.pop_back();
      return Lease(shared_from_this(), std::move(connection));
    }
    const bool away = failure_.has_value();
    if (away && now - away_since_ > settings_.patience && (trying_ || now < next_attempt_))
      return base::Failure{*failure_};
    const bool may_try = !away || (!trying_ && now >= next_attempt_);
    if (may_try && open_ < settings_.most) {
      ++open_;
      trying_ = away;
      lock.unlock();
      auto connected = connect_with_lane(std::max(deadline, now + first_interval));
      lock.lock();
      trying_ = trying_ && !away;
      if (connected) {
        note_success();
        return Lease(shared_from_this(), std::move(connected).value());
      }
      --open_;
      note_failure(connected.error());
      if (now >= deadline) return base::Failure{*failure_};
      continue;
    }
    if (now >= deadline) {
      if (away) return base::Failure{*failure_};
      return base::Failure{SqlError{"53300", "all connections of this server are in use"}};
    }
    changed_.wait_until(lock, away && !trying_ ? std::min(deadline, next_attempt_) : deadline);
  }
}

std::optional<Pool::Lease> Pool::lease_idle() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty() || 2 * (for_long_ + 1) > settings_.most) return std::nullopt;
  auto connection = std::move(idle_.back());
  idle_.pop_back();
  ++for_long_;
  return std::optional<Lease>(std::in_place, shared_from_this(), std::move(connection), true);
}

SqlResult<std::unique_ptr<Connection>> Pool::connect_with_lane(Deadline deadline) {
  DINETTE_TRY(auto connection, Connection::open(target_, deadline));
  if (server_ == 0) return connection;
  connection->lane = ++lanes_;
  connection->add("insert into dn_lane values (" + std::to_string(server_) + ", " +
                  std::to_string(connection->lane) + ", 0)");
  DINETTE_CHECK(connection->flush(deadline));
  return connection;
}

void Pool::note_success() {
  if (failure_) base::log(base::LogLevel::warn, "the database answers again");
  failure_.reset();
  interval_ = {};
  changed_.notify_all();
}

void Pool::note_failure(const SqlError& error) {
  const auto now = Clock::now();
  if (!failure_) {
    away_since_ = now;
    base::log(base::LogLevel::error, "the database cannot be reached", {{"reason", error.message}});
  }
  failure_ = error;
  interval_ = std::clamp(interval_ * 2, first_interval, longest_interval);
  next_attempt_ = now + interval_;
  changed_.notify_all();
}

void Pool::take_back(std::unique_ptr<Connection> connection, bool for_long) {
  const std::lock_guard lock(mutex_);
  if (for_long) --for_long_;
  if (connection->usable()) {
    idle_.push_back(std::move(connection));
  } else {
    // Others that have been idle since may be dead as well: their users will see, and come back.
    --open_;
  }
  changed_.notify_all();
}

std::optional<std::string> Pool::trouble() const {
  const std::lock_guard lock(mutex_);
  if (!failure_) return std::nullopt;
  return "The database cannot be reached: " + failure_->message;
}

std::size_t Pool::connections() const {
  const std::lock_guard lock(mutex_);
  return open_;
}

}  // namespace dinette::kv::postgres

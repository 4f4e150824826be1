#include "tcp/loop.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "dinette/base/heap.h"
#include "dinette/base/log.h"

#include "tcp/one_thread.h"

namespace dinette::tcp {
namespace {

constexpr std::size_t closed_part = 64;        // of a loop's connections, if the server is full
constexpr std::size_t many_connections = 512;  // enough for trimming the heap to be worthwhile

}  // namespace

ConnectionCount::Ticket ConnectionCount::enter() {
  ++count_;
  return Ticket(this);
}

void ConnectionCount::leave() {
  if (count_.fetch_sub(1) != 1) return;
  // Under the mutex: otherwise a waiter could miss it between its test and its sleep.
  const std::lock_guard lock(mutex_);
  zero_.notify_all();
}

bool ConnectionCount::wait_for_zero(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  return zero_.wait_for(lock, patience, [this] { return count_.load() == 0; });
}

Loop::Loop(Shared& shared)
    : shared_(shared),
      context_(one_thread),
      events_(context_),
      work_(context_.get_executor()),
      timer_(context_),
      now_(shared.options.steady_now()) {
  sweep_later();
}

Loop::~Loop() = default;

void run_all(boost::asio::io_context& context) {
  for (;;) {
    try {
      context.run();
      return;
    } catch (const std::exception& e) {
      base::log(base::LogLevel::error, "event loop: unexpected exception", {{"what", e.what()}});
    }
  }
}

void Loop::adopt(std::shared_ptr<Connection> connection, ConnectionCount::Ticket ticket) {
  Connection& added = *connection;
  added.slot = connections_.size();
  connections_.push_back({std::move(connection), std::move(ticket)});
  most_connections_ = std::max(most_connections_, connections_.size());
  added.start();
  if (draining_) added.drain();
}

void Loop::forget(Connection& connection) {
  const std::size_t slot = connection.slot;
  std::swap(connections_[slot], connections_.back());
  connections_[slot].connection->slot = slot;
  // The caller is a member of the connection and holds its own pointer to it.
  connections_.pop_back();
  --load_;
}

// Iterates backwards: a connection that leaves the list is replaced by the last one. An exception ends one
// connection, not the iteration.
template <class F>
void Loop::for_each_connection(F action) {
  for (std::size_t i = connections_.size(); i-- > 0;) {
    const auto connection = connections_[i].connection;
    try {
      action(*connection);
    } catch (const std::exception& e) {
      connection->cut();
      base::log(base::LogLevel::error, "connection closed by an exception", {{"what", e.what()}});
    }
  }
}

void Loop::sweep() {
  now_ = shared_.options.steady_now();
  for_each_connection([this](Connection& connection) { connection.sweep(now_); });
  relieve();
  trim_heap();
}

void Loop::drain() {
  draining_ = true;
  for_each_connection([](Connection& connection) { connection.drain(); });
}

void Loop::cut_all() {
  for_each_connection([](Connection& connection) { connection.cut(); });
}

// Several at a time, so that a flood of clients does not cost one pass each.
bool Loop::close_idlest() {
  std::vector<std::pair<Idle, std::shared_ptr<Connection>>> idle;
  for (const Kept& kept : connections_) {
    if (const auto waited = kept.connection->idle()) idle.emplace_back(*waited, kept.connection);
  }
  const std::size_t closed = std::min(idle.size(), 1 + connections_.size() / closed_part);
  const auto end = idle.begin() + static_cast<std::ptrdiff_t>(closed);
  std::ranges::nth_element(idle, end, {}, [](const auto& one) { return one.first; });
  std::for_each(idle.begin(), end, [](const auto& one) { one.second->cut(); });
  return closed > 0;
}

void Loop::relieve() {
  const std::size_t limit = shared_.options.limits.held_bytes;
  while (shared_.held > limit && held_ > limit / shared_.loops) {
    const auto largest =
        std::ranges::max_element(connections_, {}, [](const Kept& kept) { return kept.connection->held(); });
    const auto connection = largest->connection;
    connection->give_way();
    if (connection->held() > Held::uncounted_bytes) connection->cut();
  }
}

void Loop::finish() {
  finished_ = true;
  timer_.cancel();
  events_.end();
  work_.reset();
}

/// Memory freed by thousands of connections lies between live blocks, where the allocator would keep it.
void Loop::trim_heap() {
  if (most_connections_ < many_connections || connections_.size() > most_connections_ / 4) return;
  most_connections_ = connections_.size();
  base::trim_heap();
}

void Loop::sweep_later() {
  timer_.expires_after(shared_.options.sweep_interval);
  timer_.async_wait([this](const boost::system::error_code& ec) {
    if (ec || finished_) return;
    sweep_later();  // first, so that a failing sweep is not the last
    sweep();
  });
}

}  // namespace dinette::tcp

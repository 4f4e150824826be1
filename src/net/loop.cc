#include "net/loop.h"

#include <exception>
#include <utility>

#include "dinette/base/log.h"

namespace dinette::net {
namespace {

constexpr int kOneThread = 1;  // Asio's hint: a thread of our own runs each context.

}  // namespace

ConnectionCount::Ticket ConnectionCount::enter(std::size_t limit) {
  const bool there_was_one = count_.fetch_add(1) < limit;
  Ticket ticket(this);
  return there_was_one ? std::move(ticket) : nullptr;
}

void ConnectionCount::leave() {
  if (count_.fetch_sub(1) != 1) return;
  // Under the mutex, or a waiter could test, miss this, and sleep.
  const std::lock_guard lock(mutex_);
  zero_.notify_all();
}

bool ConnectionCount::wait_for_zero(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  return zero_.wait_for(lock, patience, [this] { return count_.load() == 0; });
}

Loop::Loop(Shared& shared)
    : shared_(shared),
      context_(kOneThread),
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
  added.start();
  if (draining_) added.drain();
}

void Loop::forget(Connection& connection) {
  const std::size_t slot = connection.slot;
  std::swap(connections_[slot], connections_.back());
  connections_[slot].connection->slot = slot;
  // The caller is a member of the connection and holds it by a pointer of its own.
  connections_.pop_back();
}

// Connections leave the list while it is walked; the last one then takes the place, so the walk is backwards.
// An exception ends one connection, not the walk.
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
}

void Loop::drain() {
  draining_ = true;
  for_each_connection([](Connection& connection) { connection.drain(); });
}

void Loop::cut_all() {
  for_each_connection([](Connection& connection) { connection.cut(); });
}

void Loop::finish() {
  finished_ = true;
  timer_.cancel();
  work_.reset();
}

void Loop::sweep_later() {
  timer_.expires_after(shared_.options.sweep_interval);
  timer_.async_wait([this](const boost::system::error_code& ec) {
    if (ec || finished_) return;
    sweep_later();  // First: whatever becomes of this sweep, there is a next one.
    sweep();
  });
}

}  // namespace dinette::net

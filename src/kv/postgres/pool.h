#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "dinette/base/function_ref.h"

#include "kv/postgres/connection.h"

namespace dinette::kv::postgres {

/// The connections of this process to one database. Thread-safe.
///
/// While the database is away one thread tries to connect, at growing intervals, and others wait for it until
/// their deadlines. When it has been away for longer than that, they fail at once.
class Pool : public std::enable_shared_from_this<Pool> {
 public:
  struct Settings {
    std::string url;
    std::size_t most = 32;                     ///< connections
    std::chrono::milliseconds patience{5000};  ///< with a database that does not answer
    bool read_only = false;                    ///< nothing is written, and no server writes meanwhile
  };

  /// A connection for one user. Goes back to the pool if it can still be used.
  class Lease {
   public:
    Lease(std::shared_ptr<Pool> pool, std::unique_ptr<Connection> connection, bool for_long = false)
        : pool_(std::move(pool)), connection_(std::move(connection)), for_long_(for_long) {}
    Lease(Lease&&) noexcept = default;
    Lease& operator=(Lease&&) = delete;
    ~Lease() {
      if (connection_) pool_->take_back(std::move(connection_), for_long_);
    }

    Connection& operator*() const { return *connection_; }
    Connection* operator->() const { return connection_.get(); }

   private:
    std::shared_ptr<Pool> pool_;
    std::unique_ptr<Connection> connection_;
    bool for_long_;
  };

  explicit Pool(Settings settings);

  /// Sets the server's number, which the lanes of its connections belong to. Before the first lease.
  void set_server(std::int64_t server) { server_ = server; }
  std::int64_t server() const { return server_; }

  bool is_read_only() const { return settings_.read_only; }

  /// Background work commits only while this server has the right to do it (Coordinator).
  void set_coordinated() { coordinated_ = true; }
  bool coordinated() const { return coordinated_; }

  /// Returns a connection. If `deadline` passes before there is one: the last error of the database, or
  /// SQLSTATE 53300 if all connections are in use.
  SqlResult<Lease> lease(Deadline deadline);
  /// Returns a connection to keep for long, if one is idle and half of all that may be are left to others.
  std::optional<Lease> lease_idle();
  /// Returns a new connection that has no lane, and belongs to the caller.
  SqlResult<std::unique_ptr<Connection>> connect(Deadline deadline) {
    return Connection::open(target_, deadline);
  }

  /// Returns the moment until which a call that begins now waits for the database.
  Deadline patience() const { return std::chrono::steady_clock::now() + settings_.patience; }

  /// How much longer than the database this side waits for it, so that it hears the reason.
  static std::chrono::seconds grace() { return std::chrono::seconds(1); }

  /// Returns a number that no other commit of any server has: a row that has it was written by that commit.
  /// It is even and not 0.
  std::uint64_t next_version();

  /// Returns what is wrong with the database, as far as connections know; nothing if all is well.
  std::optional<std::string> trouble() const;
  /// Returns how many there are.
  std::size_t connections() const;

 private:
  using Clock = std::chrono::steady_clock;

  void take_back(std::unique_ptr<Connection> connection, bool for_long);
  SqlResult<std::unique_ptr<Connection>> connect_with_lane(Deadline deadline);
  void note_success();
  void note_failure(const SqlError& error);

  const Settings settings_;
  Target target_;
  std::int64_t server_ = 0;
  std::atomic<bool> coordinated_ = false;
  std::atomic<std::int32_t> lanes_{0};
  std::atomic<std::uint64_t> commits_{0};

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<Connection>> idle_;  ///< guarded by mutex_, as all that follows
  std::size_t open_ = 0;                           ///< connections, with those that are being made
  std::size_t for_long_ = 0;                       ///< of these, those that lease_idle() has returned
  bool trying_ = false;                            ///< a thread connects to a database that was away
  std::optional<SqlError> failure_;                ///< of the last attempt, if it failed
  Clock::time_point away_since_;
  Clock::time_point next_attempt_;
  std::chrono::milliseconds interval_{0};
};

}  // namespace dinette::kv::postgres

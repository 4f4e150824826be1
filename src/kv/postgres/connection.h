#pragma once

#include <atomic>
#include <bitset>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/kv/engine.h"

#include "kv/postgres/dialect.h"
#include "kv/postgres/parameters.h"
#include "kv/postgres/rows.h"
#include "kv/postgres/sql_error.h"

namespace dinette::kv::postgres {

/// What all connections to a database have in common.
struct Target {
  std::string url;
  bool read_only = false;  ///< a database that refuses writes will do
  /// Something between here and the database forgets prepared statements: none are used from then on.
  std::atomic<bool> forgets_statements = false;
};

/// One connection, in libpq's pipeline mode and never blocking in libpq. Statements are added, sent together
/// with one Sync, and answered in one round trip; if one fails, the rest of the flush is not executed.
/// Belongs to one thread at a time.
class Connection {
 public:
  /// `target` must outlive the connection.
  static SqlResult<std::unique_ptr<Connection>> open(Target& target, Deadline deadline);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Adds a statement to the next flush.
  void add(Statement statement, const Parameters& parameters);
  /// The same without parameters, and not prepared.
  void add(std::string_view text);

  /// Sends what was added and returns what each statement returned. Waits until `deadline`; a connection that
  /// has not answered by then can no longer be used.
  SqlResult<std::vector<Rows>> flush(Deadline deadline);
  /// Sends what was added, at once, and does not wait for it: the next flush does. For statements whose
  /// failure changes nothing, such as the end of a transaction that has only read.
  void flush_without_waiting();

  // The same flush where nothing may wait: begin_flush(), and move_bytes() each time the socket is ready.

  /// Begins to send what was added. Several flushes may be under way, in this order.
  void begin_flush();
  /// Sends and receives what the socket takes and has.
  void move_bytes();
  /// Returns what the statements of the oldest flush returned, or nothing if not all of that has arrived.
  std::optional<SqlResult<std::vector<Rows>>> take_flush();
  int socket() const { return pq().PQsocket(connection_); }
  /// Returns true if the socket is to be waited for until it takes more.
  bool has_unsent() const { return has_unsent_; }

  bool usable() const { return usable_; }
  /// Makes it unusable: it is not known what state it is in.
  void give_up() { usable_ = false; }
  /// Returns true if the last flush said that a synchronous replica may not have the commit.
  bool not_replicated() const { return not_replicated_; }

  /// The row of dn_lane that this connection's commits pass through, and how many did.
  std::int32_t lane = -1;
  std::int64_t operation = 0;

 private:
  /// One command of a pipeline.
  struct Command {
    int prepares = -1;       ///< the statement that it prepares, or -1
    bool discarded = false;  ///< of a flush that was not waited for
    bool ends = false;       ///< a Sync
  };

  Connection(PGconn* connection, Target& target);

  static void take_notice(void* self, const PGresult* notice);
  bool send(bool sent);
  void end_flush(bool discarded);
  void move_out();
  void take_result(Rows::Held result);
  void end_command();
  std::optional<SqlResult<std::vector<Rows>>> end_of_flush();
  SqlError lost(std::string message);

  Target& target_;
  PGconn* connection_;
  std::bitset<statement_count> prepared_;
  std::deque<Command> commands_;  ///< that were sent, or are to be, and are not answered
  // Of the flush that is being received:
  std::vector<Rows> rows_;
  std::size_t statements_ = 0;  ///< that were answered
  std::optional<SqlError> error_;
  bool has_unsent_ = false;
  bool usable_ = true;
  bool not_replicated_ = false;
};

}  // namespace dinette::kv::postgres

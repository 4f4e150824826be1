#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "dinette/base/event_loop.h"
#include "dinette/base/pending.h"

#include "kv/postgres/calls.h"
#include "kv/postgres/connection.h"
#include "kv/postgres/pool.h"

namespace dinette::kv::postgres {

/// A statement that only reads, executed while no thread waits for it. For one thread at a time.
class PendingRead final : public base::Pending {
 public:
  explicit PendingRead(Call call) : call_(std::move(call)) {}

  const Call& call() const { return call_; }
  /// What it has returned; nothing if it is not due or has failed.
  const std::optional<Rows>& rows() const { return rows_; }

  void when_due(std::function<void()> resume) override;
  /// Ends it, with nothing if it has failed.
  void end(std::optional<Rows> rows);

 private:
  const Call call_;
  std::optional<Rows> rows_;
  std::function<void()> resume_;
  bool ended_ = false;
};

/// Executes the reads of requests that an event loop runs, on one connection and without holding the loop up:
/// those of one turn of the loop share a flush, and several flushes are under way. If the connection fails,
/// its reads end with nothing, and so do those that the database has not answered in time. For the loop's
/// thread; ends with it.
class LoopReads : public std::enable_shared_from_this<LoopReads> {
 public:
  /// Returns those of this thread's loop, or null if it runs none.
  static std::shared_ptr<LoopReads> of_this_thread(const std::shared_ptr<Pool>& pool);

  LoopReads(std::shared_ptr<Pool> pool, base::EventLoop& loop) : pool_(std::move(pool)), loop_(loop) {}
  ~LoopReads();

  /// Begins to execute a statement. Returns null if no connection is idle: a thread that waits makes one.
  std::shared_ptr<PendingRead> begin(const Call& call);

 private:
  using Reads = std::vector<std::shared_ptr<PendingRead>>;

  struct Flush {
    Reads reads;
    Deadline deadline;
  };

  bool connect();
  void flush();
  void send();
  void wait();
  void ready(bool in_time);
  void receive();
  void fail();

  const std::shared_ptr<Pool> pool_;
  base::EventLoop& loop_;
  std::optional<Pool::Lease> connection_;
  std::unique_ptr<base::EventLoop::Watch> watch_;  ///< of the connection's socket
  Reads next_;                                     ///< of the flush that this turn of the loop begins
  std::deque<Flush> under_way_;
};

/// Returns what the request of this thread has already read with the same statement; nothing if it has not.
/// Where it may wait (base::may_wait) the rows are taken, so that a second read sees the present.
std::optional<Rows> take_pending(Statement statement, const Parameters& parameters);

/// Begins to read for the request of this thread, which is run again when that is due. Does nothing if it
/// would not be run again, or has begun this already.
void begin_pending(const std::shared_ptr<Pool>& pool, Statement statement, const Parameters& parameters);

}  // namespace dinette::kv::postgres

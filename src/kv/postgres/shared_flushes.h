#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "kv/postgres/pool.h"

namespace dinette::kv::postgres {

/// Reads of several threads in one flush, so that the database and this side are woken once for all of them.
/// A few flushes are under way at once; a thread that comes meanwhile waits, and its read goes along with the
/// next one. Thread-safe.
class SharedFlushes {
 public:
  explicit SharedFlushes(std::shared_ptr<Pool> pool) : pool_(std::move(pool)) {}

  /// Returns what a statement that only reads returns, begun after this call; nothing if its flush failed,
  /// for any of its statements: then the caller executes it alone.
  std::optional<Rows> read(Statement statement, const Parameters& parameters, Deadline deadline);

 private:
  /// A thread with its statement.
  struct Reader {
    enum class State : std::uint8_t { waiting, leads, ended };

    Statement statement;
    const Parameters& parameters;
    State state = State::waiting;
    std::optional<Rows> rows = {};
    std::condition_variable changed = {};
    /// Of the same flush: a chain, so that nothing can fail for want of memory.
    Reader* next = nullptr;
  };

  /// Executes the first reader's statement with those that wait, and lets one that came meanwhile lead.
  void lead(std::unique_lock<std::mutex>& lock, Reader& first, Deadline deadline);
  void execute(Reader& first, Deadline deadline);
  static void flush(Connection& connection, Reader& first, Deadline deadline);

  const std::shared_ptr<Pool> pool_;
  std::mutex mutex_;
  Reader* waiting_ = nullptr;  ///< the last that came; guarded by mutex_, with the states of all
  std::size_t under_way_ = 0;  ///< flushes; guarded by mutex_
};

}  // namespace dinette::kv::postgres

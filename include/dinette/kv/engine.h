#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "dinette/base/function_ref.h"
#include "dinette/kv/error.h"
#include "dinette/kv/value.h"
#include "dinette/kv/write_batch.h"

/// The contract of an ordered key-value engine: byte strings in, byte strings out, compared as unsigned
/// bytes. It has no word for table, row or index. tests/kv/contract.h is this page as a test suite; every
/// engine passes it.
namespace dinette::kv {

inline constexpr std::size_t max_key_size = 10 * 1024;  ///< bytes
/// Bytes. Large, as text may be kept that is fifty times as long as what somebody counts of it.
inline constexpr std::size_t max_value_size = 32 * 1024 * 1024;

/// A position among the keys of a range, in order. At first it is nowhere. Each move says whether it ended on
/// an entry; after `false` or a failure the cursor is nowhere again, and next() and previous() from nowhere
/// stay nowhere. Belongs to one thread at a time; keeps alive whatever it reads from.
class Cursor {
 public:
  Cursor() = default;
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;
  virtual ~Cursor() = default;

  virtual Result<bool> first() = 0;
  virtual Result<bool> last() = 0;
  /// To the first entry of the range at or after `key`.
  virtual Result<bool> seek(std::string_view key) = 0;
  /// To the last entry of the range at or before `key`.
  virtual Result<bool> seek_for_previous(std::string_view key) = 0;
  virtual Result<bool> next() = 0;
  virtual Result<bool> previous() = 0;

  virtual bool valid() const = 0;
  /// Of the entry; only while valid(), and only until the next move.
  virtual std::string_view key() const = 0;
  virtual std::string_view value() const = 0;
  /// The value to keep: shared with the engine where it can be, else a copy.
  virtual Value shared_value() const = 0;
};

/// Something to read from. Every member may be called from several threads at once.
class Reader {
 public:
  Reader() = default;
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  virtual ~Reader() = default;

  virtual Result<std::optional<Value>> get(std::string_view key) const = 0;
  virtual Result<std::unique_ptr<Cursor>> cursor(Range range) const = 0;
};

/// All data as it was at one moment, unmoved by later writes. Cheap enough to take one a request; while it
/// lives, what it sees is not freed, so do not hold it for long. May outlive its engine.
class Snapshot : public Reader {};

/// What the function of transact() reads through and writes to. Reads see what is committed (not the
/// transaction's own batch), as of some moment after the locks were got; the batch is committed when the
/// function says so.
class Transaction : public Reader {
 public:
  virtual WriteBatch& batch() = 0;
};

/// A name that a transaction needs: any byte string, which may be a key or not.
struct Lock {
  enum class Mode : bool { shared, exclusive };

  std::string_view name;
  Mode mode = Mode::exclusive;
};

enum class Decision : bool { abandon, commit };

/// Until when transact() may wait for its locks.
using Deadline = std::chrono::steady_clock::time_point;

/// Every member may be called from several threads at once. Writes are atomic, and once a write has returned,
/// every later read sees it.
class Engine {
 public:
  using Body = base::FunctionRef<Result<Decision>(Transaction&)>;

  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  /// The latest committed value: one fast look-up, for which no snapshot is taken.
  virtual Result<std::optional<Value>> get(std::string_view key) const = 0;

  virtual Result<std::shared_ptr<const Snapshot>> snapshot() const = 0;

  /// Applies the whole batch, or on failure nothing of it (but see ErrorKind::io).
  virtual Result<void> write(const WriteBatch& batch) = 0;

  /// Read, decide, write: two transactions that have a lock in common, held exclusively by at least one of
  /// them, take effect one after the other. The engine chooses how (waiting, or trying again), so `body` may
  /// run more than once and must have no effect but on its Transaction, whose batch is empty at the start of
  /// each run. A transaction that names no lock, and write(), respect nobody's locks. A failure that `body`
  /// returns is handed on, and nothing is written. `body` must not call transact().
  ///
  /// Fails with timed_out when the locks are not to be had by `deadline` (they are tried once in any case),
  /// with conflict when the engine has given up trying again.
  virtual Result<void> transact(std::span<const Lock> locks, Deadline deadline, Body body) = 0;

  /// Whether calls may wait for a disk or a network. If so, they do not belong on a thread that serves
  /// sockets.
  virtual bool may_block() const = 0;

  /// Another engine with the same data, from here on independent of this one.
  virtual Result<std::unique_ptr<Engine>> fork() const = 0;

  /// Makes the data again what `snapshot` saw, which must come from this engine, one it was forked from, or
  /// one forked from it. Transactions that are under way run again.
  virtual Result<void> reset(const Snapshot& snapshot) = 0;
};

}  // namespace dinette::kv

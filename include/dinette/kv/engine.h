#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

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

/// What is at each of several keys.
using Values = std::vector<std::optional<Value>>;

/// Something to read from. Every member may be called from several threads at once.
class Reader {
 public:
  Reader() = default;
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  virtual ~Reader() = default;

  virtual Result<std::optional<Value>> get(std::string_view key) const = 0;
  /// Reads several keys as they are at one moment, in one round trip where there are any. Returns one value
  /// per key, in their order; the same key may be named twice.
  virtual Result<Values> get_many(std::span<const std::string_view> keys) const = 0;
  virtual Result<std::unique_ptr<Cursor>> cursor(Range range) const = 0;
};

/// All data as it was at one moment, unmoved by later writes. Cheap enough to take one a request; while it
/// lives, what it sees is not freed, so do not hold it for long. May outlive its engine.
class Snapshot : public Reader {
 public:
  /// Calls get() for each: right for every snapshot, and to be overridden where a call is a round trip.
  Result<Values> get_many(std::span<const std::string_view> keys) const override;
};

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

/// What a transaction says of itself beforehand. Views: read during the call only.
struct TransactionPlan {
  std::span<const Lock> locks = {};
  /// Keys that the body is going to get(). An engine may fetch them all in one round trip when it has the
  /// locks. The body may read others as well, and need not read these.
  std::span<const std::string_view> reads = {};
};

enum class Decision : bool { abandon, commit };

/// Until when transact() may wait for its locks.
using Deadline = std::chrono::steady_clock::time_point;

/// What an engine can do beyond what all can. It never changes.
struct Capabilities {
  bool may_block = false;  ///< calls may wait for a disk or a network: not for threads that serve sockets
  bool forks = false;      ///< has fork()
  bool resets = false;     ///< has reset()
  bool durable = false;    ///< what was committed outlives the process, however that ends
  bool shared = false;     ///< other engines may write the same data, those of other machines, too
};

/// Every member may be called from several threads at once. Writes are atomic, and once a write has returned,
/// every later read sees it.
class Engine {
 public:
  using Body = base::FunctionRef<Result<Decision>(Transaction&)>;

  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  virtual Capabilities capabilities() const = 0;

  /// The latest committed value: one fast look-up, for which no snapshot is taken.
  virtual Result<std::optional<Value>> get(std::string_view key) const = 0;
  /// The latest committed values, as Reader::get_many.
  virtual Result<Values> get_many(std::span<const std::string_view> keys) const = 0;

  virtual Result<std::shared_ptr<const Snapshot>> snapshot() const = 0;

  /// Applies the whole batch, or on failure nothing of it (but see ErrorKind::io). Returns the number of the
  /// commit if the batch has writes in commit order, else 0: other commits have no number.
  virtual Result<CommitNumber> write(const WriteBatch& batch) = 0;

  /// Read, decide, write: two transactions that have a lock in common, held exclusively by at least one of
  /// them, take effect one after the other. The engine chooses how (waiting, or trying again), so `body` may
  /// run more than once and must have no effect but on its Transaction, whose batch is empty at the start of
  /// each run. A transaction that names no lock, and write(), respect nobody's locks. A failure that `body`
  /// returns is handed on, and nothing is written. `body` must not call transact().
  ///
  ///     const kv::Lock locks[] = {{"account/7"}};
  ///     const std::string_view reads[] = {"account/7", "account/7/limit"};
  ///     engine.transact({.locks = locks, .reads = reads}, deadline, [&](kv::Transaction& transaction)
  ///     {...});
  ///
  /// Returns what write() returns, 0 when `body` abandons. Fails with timed_out when the locks are not to be
  /// had by `deadline` (they are tried once in any case), with conflict when the engine has given up trying
  /// again.
  virtual Result<CommitNumber> transact(const TransactionPlan& plan, Deadline deadline, Body body) = 0;

  /// Another engine with the same data, from here on independent of this one. Its commit numbers go on from
  /// those of this one. Fails with unsupported unless the engine has Capabilities::forks.
  virtual Result<std::unique_ptr<Engine>> fork() const;

  /// Makes the data again what `snapshot` saw, which must come from this engine, one it was forked from, or
  /// one forked from it. Transactions that are under way run again. Commit numbers do not go back: they go on
  /// from the higher one of the engine's and the snapshot's. Fails with unsupported unless the engine has
  /// Capabilities::resets.
  virtual Result<void> reset(const Snapshot& snapshot);
};

}  // namespace dinette::kv

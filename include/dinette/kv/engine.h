#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
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
/// bytes. It knows nothing of tables, rows or indexes. tests/kv/contract.h is this page as a test suite;
/// every engine passes it.
namespace dinette::kv {

inline constexpr std::size_t max_key_size = 16 * 1024;  ///< bytes
/// Bytes. Generous: a 400 KB item of long numbers can be 20 MB of text, and a change record holds two.
inline constexpr std::size_t max_value_size = 64 * 1024 * 1024;

/// A position among the keys of a range, in order. At first it is on no entry. Each move returns true if it
/// ended on an entry; after false or a failure the cursor is on no entry again, and next() and previous()
/// then return false. Belongs to one thread at a time. Keeps alive what it reads from.
class Cursor {
 public:
  Cursor() = default;
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;
  virtual ~Cursor() = default;

  virtual Result<bool> first() = 0;
  virtual Result<bool> last() = 0;
  /// Moves to the first entry of the range at or after `key`.
  virtual Result<bool> seek(std::string_view key) = 0;
  /// Moves to the last entry of the range at or before `key`.
  virtual Result<bool> seek_for_previous(std::string_view key) = 0;
  virtual Result<bool> next() = 0;
  virtual Result<bool> previous() = 0;

  virtual bool valid() const = 0;
  /// The key and the value of the entry. Only while valid(); the views live until the next move.
  virtual std::string_view key() const = 0;
  virtual std::string_view value() const = 0;
  /// Returns the value to keep: shared with the engine if possible, else a copy.
  virtual Value shared_value() const = 0;
};

/// The values at several keys, in their order; nullopt for a key that is absent.
using Values = std::vector<std::optional<Value>>;

/// A source of reads. Every member may be called from several threads at once.
class Reader {
 public:
  Reader() = default;
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  virtual ~Reader() = default;

  virtual Result<std::optional<Value>> get(std::string_view key) const = 0;
  /// Reads several keys as they are at one moment; a remote engine takes one round trip. Returns one value
  /// per key, in their order. The same key may be named twice.
  virtual Result<Values> get_many(std::span<const std::string_view> keys) const = 0;
  virtual Result<std::unique_ptr<Cursor>> cursor(Range range) const = 0;
};

/// All data as it was at one moment, unaffected by later writes. Cheap enough to take one per request. While
/// a snapshot lives, what it sees is not freed, so do not hold it for long. May outlive its engine.
class Snapshot : public Reader {
 public:
  /// Calls get() for each key. An engine whose calls are round trips overrides it.
  Result<Values> get_many(std::span<const std::string_view> keys) const override;
};

/// What the body of transact() reads from and writes to. Reads see what is committed, not the batch of the
/// transaction itself, as of some moment after the locks were acquired. The batch is committed if the body
/// returns Decision::commit.
class Transaction : public Reader {
 public:
  virtual WriteBatch& batch() = 0;
};

/// A name to lock: any byte string, whether it is a key or not.
struct Lock {
  enum class Mode : bool { shared, exclusive };

  std::string_view name;
  Mode mode = Mode::exclusive;
};

/// What Engine::read_set() found, for a decision that transact() is then to commit.
struct ReadSet {
  Values values;                          ///< one per key, in their order
  std::vector<std::uint64_t> versions{};  ///< of the same, by which the engine knows them again; may be empty
};

/// What a transaction declares before it runs. Views: read during the call only.
struct TransactionPlan {
  std::span<const Lock> locks = {};
  /// Keys that the body is going to get(). An engine may fetch them all in one round trip once it has the
  /// locks. The body may read other keys as well, and need not read these.
  std::span<const std::string_view> reads = {};
  /// What read_set() found at exactly these keys before, or null. An engine whose reads are round trips
  /// answers the first run of the body from it, and checks when it commits that nothing of it has changed; if
  /// something has, it reads again and runs the body again. Others read under the locks, and ignore it.
  const ReadSet* read_set = nullptr;
};

enum class Decision : bool { abandon, commit };

/// How long transact() may wait for its locks.
using Deadline = std::chrono::steady_clock::time_point;

/// What an engine can do beyond the contract. It never changes.
struct Capabilities {
  /// Calls may wait for a disk or a network. Where base::may_wait() is false they fail with
  /// ErrorKind::would_block instead.
  bool may_block = false;
  bool forks = false;    ///< has fork()
  bool resets = false;   ///< has reset()
  bool durable = false;  ///< commits outlive the process, however it ends
  bool shared = false;   ///< other engines, also on other machines, may write the same data
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

  /// Returns the latest committed value: one fast look-up that takes no snapshot.
  virtual Result<std::optional<Value>> get(std::string_view key) const = 0;
  /// Returns the latest committed values, as Reader::get_many.
  virtual Result<Values> get_many(std::span<const std::string_view> keys) const = 0;
  /// The same for TransactionPlan::read_set. An engine that verifies versions overrides it.
  virtual Result<ReadSet> read_set(std::span<const std::string_view> keys) const;

  virtual Result<std::shared_ptr<const Snapshot>> snapshot() const = 0;
  /// Returns one of some moment between this call and the first read of it, which a far engine need not be
  /// asked for. Only for keys that are not in commit order: one of these may be missing below another.
  virtual Result<std::shared_ptr<const Snapshot>> snapshot_at_first_read() const { return snapshot(); }

  /// Applies the whole batch, or on failure nothing of it (but see ErrorKind::io). Returns the number of the
  /// commit if the batch has writes in commit order, else 0: other commits have no number. The batch must
  /// have no conditions (WriteBatch::only_if), which need the locks of a transaction.
  virtual Result<CommitNumber> write(const WriteBatch& batch) = 0;

  /// Read, decide, write: two transactions that name the same lock, at least one of them exclusively, take
  /// effect one after the other. The engine chooses how (waiting or retrying), so `body` may run more than
  /// once and must have no effect except on its Transaction, whose batch is empty at the start of each run. A
  /// transaction that names no lock, and write(), ignore all locks. A failure returned by `body` is passed
  /// on, and nothing is written. `body` must not call transact(). Locks may be named in any order:
  /// transactions do not deadlock. Whoever puts keys below a name that is used as a lock, as those of a
  /// table, names that lock: an engine may then erase a range of them while others commit elsewhere.
  ///
  ///     const kv::Lock locks[] = {{"account/7"}};
  ///     const std::string_view reads[] = {"account/7", "account/7/limit"};
  ///     engine.transact({.locks = locks, .reads = reads}, deadline, [&](kv::Transaction& t) {...});
  ///
  /// Returns what write() returns, or 0 if `body` abandons. Fails with timed_out if the locks are not free by
  /// `deadline` (they are tried once in any case), and with conflict if the engine has given up retrying.
  virtual Result<CommitNumber> transact(const TransactionPlan& plan, Deadline deadline, Body body) = 0;

  /// Returns another engine with the same data, independent of this one from here on. Its commit numbers
  /// continue from those of this one. Fails with unsupported unless the engine has Capabilities::forks.
  virtual Result<std::unique_ptr<Engine>> fork() const;

  /// Resets the data to what `snapshot` saw. The snapshot must come from this engine, from one it was forked
  /// from, or from one forked from it. Transactions in progress run again. Commit numbers do not go back:
  /// they continue from the higher number of the engine and the snapshot. Fails with unsupported unless the
  /// engine has Capabilities::resets.
  virtual Result<void> reset(const Snapshot& snapshot);
};

}  // namespace dinette::kv

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/base/waiting.h"
#include "dinette/kv/engine.h"
#include "dinette/store/catalog.h"
#include "dinette/store/placement.h"
#include "dinette/store/row.h"
#include "dinette/store/scan.h"
#include "dinette/store/size.h"
#include "dinette/store/write.h"

/// Tables of rows over an ordered key-value engine: the part that all front ends ("faces") share. To the
/// store a row is bytes.
namespace dinette::store {

/// The properties of a front end that the store needs.
struct Face {
  std::uint8_t id;  ///< first byte of all its keys, from 1 to 255; must never change
  SchemaDecoder decode;
  /// Maximum size of a counted partition. A larger one may shrink.
  std::int64_t max_partition_bytes = std::numeric_limits<std::int64_t>::max();
  /// False if what it keeps as tables is called something else, such as a stream: then no count of tables has
  /// them.
  bool has_tables = true;
};

/// Greater than all positions in a stream.
inline constexpr StreamPosition stream_end{std::numeric_limits<kv::CommitNumber>::max(), 0};

/// How often a slow decision that other writes overtake is repeated before other writes have to wait for it.
inline constexpr int most_unlocked_decisions = 3;

class CachedCatalog;
class History;

struct StoreOptions {
  /// How long a write waits for locks on its rows, and a table change for the writes in progress.
  std::chrono::milliseconds lock_deadline{10'000};
  /// The same on a thread that may not wait (base::may_wait): enough for a commit in progress.
  std::chrono::microseconds brief_lock_deadline{200};
  /// A decision that takes longer than this is slow.
  std::chrono::microseconds quick_decision{1000};
  /// How far back view_at() can look. If non-zero, replaced data is kept for this long; it is released by
  /// later writes and table changes, or by view_at().
  std::chrono::milliseconds history{0};
  /// Called after each commit that appends to streams, or changes a table, by the thread that has committed.
  /// Must be quick, and not throw. May be null.
  std::function<void()> appended = nullptr;

  /// Returns until when an operation that begins now, on this thread, waits for locks.
  kv::Deadline deadline() const {
    const auto now = std::chrono::steady_clock::now();
    return base::may_wait() ? now + lock_deadline : now + brief_lock_deadline;
  }
};

/// The tables of one name space, and the entries that belong to no table. Every member may be called from
/// several threads at once. Several faces, and name spaces of a face, may each have a Store over the same
/// engine; a write may have rows of tables of all name spaces. Engine, clock and ids must outlive it.
///
/// On a thread that may not wait (base::may_wait), writes of rows and the members of the catalog fail with
/// kv::ErrorKind::timed_out if others hold the locks for longer than a commit takes. Nothing is done then.
class Store {
 public:
  Store(kv::Engine& engine, const base::Clock& clock, base::Ids& ids, Face face, StoreOptions options = {},
        std::string name_space = {});
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /// Chosen by the face; "" by default.
  const std::string& name_space() const { return name_space_; }
  Catalog& catalog();
  const base::Clock& clock() const { return clock_; }
  base::Ids& ids() const { return ids_; }
  /// Returns true if calls may wait for a disk or a network (kv::Capabilities::may_block).
  bool may_block() const { return engine_.capabilities().may_block; }

  /// Returns the latest committed row, or nullopt if there is none or the table has been dropped.
  kv::Result<std::optional<kv::Value>> read_row(const Table& table, std::string_view key) const;

  /// Reads all `targets`, calls `decide(rows, changes)`, and commits the changes: all or none, with no other
  /// write of a target in between, and only if each table still has the version given. `decide` is a
  /// DecideRows, but may return anything that converts to bool, such as a base::Result with a reply or the
  /// reason of a refusal; the caller gets it back.
  ///
  ///     const WriteTarget targets[] = {WriteTarget::row(table, payer), WriteTarget::row(table, payee)};
  ///     const auto transfer = [&](const Rows& rows, RowChanges changes) -> base::Result<Receipt, Error> {
  ///       if (!rows[0] || !rows[1]) return base::Failure{Error::no_account};
  ///       changes[0] = ...
  ///     };
  ///     DINETTE_TRY(auto written, store.write(targets, transfer));
  ///     if (written.outcome == WriteOutcome::refused) ... written.decision.error()
  ///
  /// `decide` runs without locks, on all targets as they were at one moment, and again if another write
  /// changed one of them before the commit. If that happens twice, it runs with the targets locked, but a
  /// slow one (StoreOptions::quick_decision) only after `most_unlocked_decisions`, and never on a thread that
  /// may not wait.
  ///
  /// The caller must not name a target twice. The order of the targets does not matter: writes do not
  /// deadlock. Fails with timed_out if other writes hold the targets until `deadline` (by default
  /// deadline()).
  template <class Decide>
  auto write(std::span<const WriteTarget> targets, Decide&& decide,
             std::optional<kv::Deadline> deadline = std::nullopt)
      -> kv::Result<Written<std::invoke_result_t<Decide&, const Rows&, RowChanges>>>;

  /// The same for one row: `decide(const kv::Value* row, RowChange& change)`, where null means no row.
  template <class Decide>
  auto write(const Table& table, std::string_view key, Decide&& decide,
             std::optional<kv::Deadline> deadline = std::nullopt)
      -> kv::Result<Written<std::invoke_result_t<Decide&, const kv::Value*, RowChange&>>>;

  /// Returns until when a write that begins now, on this thread, waits for others. Lock waits use the steady
  /// clock, so a test that moves clock() does not change them.
  kv::Deadline deadline() const { return options_.deadline(); }

  /// Returns the rows and bytes of the table, or of one of its indexes, as the RowChanges counted them.
  kv::Result<Count> count(const Table& table, IndexId index = 0) const;

  /// Returns the bytes of a counted partition; `partition` as Schema::counted_partition returns it.
  kv::Result<std::int64_t> partition_bytes(const Table& table, std::string_view partition) const;

  /// Returns true if something was written through this object, or is about to be.
  bool was_written() const;

  /// Counts the tables of this face, in all name spaces, and their rows. The cost is proportional to the
  /// number of tables.
  kv::Result<Size> size() const;

  /// Counts what this face keeps for some time, in all name spaces. The cost is proportional to the number of
  /// streams, and of tables whose former values are kept.
  kv::Result<KeptHistory> kept_history() const;

  /// Returns an id for a stream of records that writes append to (RowChange::records). A stream belongs to no
  /// table and needs no other preparation; it exists until it is trimmed.
  kv::Result<StreamId> new_stream();
  /// Erases the records of a stream before `before`: all of them for `stream_end`, which ends the stream.
  /// `erased`: how many these are, and their bytes; it is not needed for all.
  kv::Result<void> trim_stream(StreamId stream, StreamPosition before, const Count& erased = {});

  /// Examines up to a few thousand former values of rows, and erases those that are not needed to read the
  /// table at `moment` or later (past_rows.h). Begins after `place`, which an earlier call returned ("" for
  /// the beginning). Returns the place to continue after; nothing at the end.
  kv::Result<std::optional<std::string>> trim_versions(const Table& table, base::TimePoint moment,
                                                       std::string_view place);

  /// Returns a view of the present, for reads of more than one row.
  kv::Result<View> view() const;
  /// The same of some moment between this call and the first read, which may be sooner there.
  kv::Result<View> view_at_first_read() const;

  /// Returns a view of the data as they were at a moment of the clock, or up to a sixteenth of
  /// StoreOptions::history earlier. A moment beyond the history counts as its beginning.
  kv::Result<View> view_at(base::TimePoint moment) const;
  /// Drops the history: later view_at() calls see at least everything written so far.
  void forget_history();

  /// Resets the data of all faces over one engine to what they were in `snapshot` (kv::Engine::reset).
  /// `stores` must be all stores over the engine, at least one, because each keeps tables in memory.
  static kv::Result<void> reset(std::span<Store* const> stores, const kv::Snapshot& snapshot);
  /// The same, if this is the only store over its engine.
  kv::Result<void> reset(const kv::Snapshot& snapshot);

 private:
  kv::Result<WriteEnd> write_decided(std::span<const WriteTarget> targets, DecideRows decide,
                                     std::optional<kv::Deadline> deadline);

  kv::Engine& engine_;
  const base::Clock& clock_;
  base::Ids& ids_;
  Face face_;
  const std::string name_space_;
  StoreOptions options_;
  std::unique_ptr<History> history_;
  std::unique_ptr<CachedCatalog> catalog_;
};

template <class Decide>
auto Store::write(std::span<const WriteTarget> targets, Decide&& decide, std::optional<kv::Deadline> deadline)
    -> kv::Result<Written<std::invoke_result_t<Decide&, const Rows&, RowChanges>>> {
  using Decision = std::invoke_result_t<Decide&, const Rows&, RowChanges>;
  std::optional<Decision> decision;
  const auto decide_and_keep = [&](const Rows& rows, RowChanges changes) {
    return static_cast<bool>(decision.emplace(decide(rows, changes)));
  };
  DINETTE_TRY(const WriteEnd end, write_decided(targets, decide_and_keep, deadline));
  return Written<Decision>{end.outcome, end.target, end.commit, *std::move(decision)};
}

template <class Decide>
auto Store::write(const Table& table, std::string_view key, Decide&& decide,
                  std::optional<kv::Deadline> deadline)
    -> kv::Result<Written<std::invoke_result_t<Decide&, const kv::Value*, RowChange&>>> {
  const WriteTarget target = WriteTarget::row(table, key);
  return write(
      std::span(&target, 1),
      [&](const Rows& rows, RowChanges changes) { return decide(rows[0], changes[0]); }, deadline);
}

}  // namespace dinette::store

#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>

#include "dinette/base/atomic_pointer.h"
#include "dinette/kv/engine.h"

#include "kv/durable/database.h"
#include "kv/memory/numbered_engine.h"

namespace dinette::kv::durable {

/// The entries of a database in memory, from which reads are answered once it is complete. Until then it is
/// filled in the order of the keys, and commits change the part that is filled. Given up when the memory of
/// the process exceeds a limit: then reads go to the database.
///
/// apply(), fill(), fork() and give_up() are called by one thread at a time (Commits::order()); the rest by
/// any.
class ResidentCopy {
 public:
  /// `most_bytes`: of the values and trees of all engines of this process. `database` must outlive the
  /// object, which calls its end_reads() and begin_reads().
  ResidentCopy(const Database& database, std::size_t most_bytes)
      : database_(database), most_bytes_(most_bytes) {}

  /// Returns the copy if it is complete, else null.
  std::shared_ptr<Engine> complete() const {
    return is_complete_.load(std::memory_order_acquire) ? engine_.load() : nullptr;
  }
  /// Returns true if fill() has more to do.
  bool is_filling() const { return is_filling_.load(std::memory_order_acquire); }

  /// Applies what the database has committed.
  void apply(const WriteBatch& batch, CommitNumber number);

  /// Begins to be a copy of the database that another copy is of.
  void start_from(std::unique_ptr<memory::NumberedEngine> copy);
  /// Begins to be filled.
  void start_filling();
  /// Takes over the next entries, about `bytes` of them, from `database`, in which they are as they were
  /// committed last.
  Result<void> fill(const Reader& database, std::size_t bytes);
  /// Returns a copy that is independent of this one, or null if this one is not complete.
  std::unique_ptr<memory::NumberedEngine> fork() const;

  void give_up();

 private:
  bool is_too_large() const;
  void end_filling();
  void begin(std::unique_ptr<memory::NumberedEngine> engine, bool complete);
  /// Returns what `batch` changes of the part that is filled.
  WriteBatch within_filled(const WriteBatch& batch, CommitNumber number) const;

  const Database& database_;
  const std::size_t most_bytes_;
  base::AtomicPointer<memory::NumberedEngine> engine_{nullptr};
  std::atomic<bool> is_complete_{false};
  std::atomic<bool> is_filling_{false};
  std::string filled_to_;  ///< while it is filled: what is before this key is there
};

}  // namespace dinette::kv::durable

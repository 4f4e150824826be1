#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include "dinette/kv/data_folder.h"
#include "dinette/kv/engine.h"

#include "kv/durable/database_folder.h"
#include "kv/durable/inventory.h"
#include "kv/durable/write_failures.h"

namespace dinette::kv::durable {

/// Writes the sentence to the log, as a warning.
void log_notice(std::string_view sentence);

/// What the databases of a data folder share.
struct DatabaseSettings {
  std::shared_ptr<rocksdb::Cache> cache;  ///< of blocks; also charged for what has not been flushed
  std::shared_ptr<rocksdb::WriteBufferManager> write_buffers;
  std::shared_ptr<rocksdb::FileSystem> files;  ///< null: the operating system's
  bool read_only = false;
  /// A copy of the entries is made in memory, which is going to answer reads (Database::end_reads).
  bool resident = false;
  Notice notice = &log_notice;
  std::shared_ptr<WriteFailures> failures = std::make_shared<WriteFailures>();
};

/// Returns settings with a cache of `cache_bytes`.
DatabaseSettings make_database_settings(std::size_t cache_bytes);

/// An open RocksDB database: the keys and values of an engine, and next to them what the engine itself keeps
/// (src/kv/durable/FORMAT.md). Closed by the destructor. Thread-safe.
class Database {
 public:
  /// Opens the database at `folder`, which is held until it is closed. Creates it if there is none, unless
  /// the folder is a kept one.
  static Result<std::shared_ptr<Database>> open(std::shared_ptr<const DatabaseFolder> folder,
                                                const DatabaseSettings& settings);
  /// Replaces the database in `folder`, which is damaged and not open, by one of all data in its files that
  /// can be read.
  static Result<void> rebuild(const std::filesystem::path& folder, const DatabaseSettings& settings);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  rocksdb::DB& db() const { return *db_; }
  rocksdb::ColumnFamilyHandle* entries() const { return entries_; }
  /// Returns where the engine keeps what is not an entry.
  rocksdb::ColumnFamilyHandle* notes() const { return notes_; }

  /// Writes a copy of the database into `folder`, which must not exist: hard links to the files that never
  /// change, and a copy of the log. No commit may be under way.
  Result<void> copy_to(const std::filesystem::path& folder) const;

  /// Says that entries are not read from now on, which makes writes cheaper. At first they are read.
  void end_reads() const { *is_read_ = false; }
  /// Says that entries are read from now on. No commit may be under way. (Reads are always correct, but those
  /// that begin earlier may take very long.)
  void begin_reads() const;

  /// To be called when a write has failed: how the log ends is unknown, and RocksDB refuses all others until
  /// the database is opened again.
  void note_failure(std::string_view reason) const;

 private:
  Database(std::shared_ptr<const DatabaseFolder> folder, std::shared_ptr<WriteFailures> failures)
      : folder_(std::move(folder)), failures_(std::move(failures)) {}

  Result<void> open_files(const DatabaseSettings& settings);
  Result<void> take_inventory(Notice notice, bool read_only);
  Result<void> close();

  const std::shared_ptr<const DatabaseFolder> folder_;  ///< destroyed after the database is closed
  const std::shared_ptr<WriteFailures> failures_;
  std::unique_ptr<Inventory> inventory_;  ///< null if the data are only read
  std::unique_ptr<rocksdb::Env> env_;
  const std::shared_ptr<std::atomic<bool>> is_read_ = std::make_shared<std::atomic<bool>>(true);
  rocksdb::ColumnFamilyHandle* entries_ = nullptr;
  rocksdb::ColumnFamilyHandle* notes_ = nullptr;
  std::unique_ptr<rocksdb::DB> db_;
  rocksdb::SequenceNumber opened_at_ = 0;  ///< the last one then
  mutable std::atomic<bool> has_failed_{false};
};

}  // namespace dinette::kv::durable

#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include "dinette/kv/engine.h"

namespace dinette::kv::durable {

/// What the databases of a data folder share.
struct DatabaseSettings {
  std::shared_ptr<rocksdb::Cache> cache;  ///< of blocks; also charged for what has not been flushed
  std::shared_ptr<rocksdb::WriteBufferManager> write_buffers;
  std::shared_ptr<rocksdb::FileSystem> files;  ///< null: the operating system's
};

/// Returns settings with a cache of `cache_bytes`.
DatabaseSettings make_database_settings(std::size_t cache_bytes);

/// An open RocksDB database: the keys and values of an engine, and next to them what the engine itself keeps
/// (src/kv/durable/FORMAT.md). Closed by the destructor. Thread-safe.
class Database {
 public:
  /// Opens the database in `folder`; creates it if there is none. `holder` is kept until it is closed.
  static Result<std::shared_ptr<Database>> open(const std::filesystem::path& folder,
                                                const DatabaseSettings& settings,
                                                std::shared_ptr<const void> holder);
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

 private:
  Database(std::shared_ptr<const void> holder) : holder_(std::move(holder)) {}

  std::shared_ptr<const void> holder_;  ///< destroyed after the database is closed
  std::unique_ptr<rocksdb::Env> env_;
  rocksdb::ColumnFamilyHandle* entries_ = nullptr;
  rocksdb::ColumnFamilyHandle* notes_ = nullptr;
  std::unique_ptr<rocksdb::DB> db_;
};

}  // namespace dinette::kv::durable

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

namespace dinette::test {

/// A file system for RocksDB over the real one. It can fail, and it knows what the disk would have lost
/// without power. Thread-safe.
class FaultyDisk final : public rocksdb::FileSystemWrapper {
 public:
  FaultyDisk() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}

  const char* Name() const override { return "FaultyDisk"; }

  /// The nth write from now on fails, and those after it; 1 is the next one. 0: none.
  void fail_writes_from(std::uint64_t nth);
  bool has_failed() const;
  /// `action` runs whenever a log is about to be synced. To be set while no file is open.
  void when_logs_sync(std::function<void()> action) { when_logs_sync_ = std::move(action); }
  /// All files end where they were when they were synced last. To be called when no file is open.
  void lose_power();

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* result,
                                    rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override;

 private:
  class File;

  rocksdb::IOStatus count_write();
  void synced(const std::string& path, std::uint64_t size);

  std::function<void()> when_logs_sync_;
  mutable std::mutex mutex_;
  std::uint64_t writes_left_ = 0;                ///< before they fail, plus 1; 0: they do not
  bool failed_ = false;                          ///< guarded by mutex_
  std::map<std::string, std::uint64_t> synced_;  ///< bytes of each file; guarded by mutex_
};

}  // namespace dinette::test

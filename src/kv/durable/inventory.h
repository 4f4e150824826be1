#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "dinette/kv/error.h"

namespace dinette::kv::durable {

/// Which logs and which MANIFEST a database has, and how many bytes they have at least: RocksDB takes a log
/// that is missing for one that never was, and one that is shorter for one that was being written. In a file
/// of the database's folder (FORMAT.md), which is always up to date when the process is killed, and after a
/// loss of power names no file that the disk may not have.
///
/// set(), remove() and close() may be called from several threads at once.
class Inventory {
 public:
  static constexpr const char* file_name = "INVENTORY";

  struct Contents {
    std::map<std::string, std::uint64_t> files = {};  ///< by name: the bytes that it has at least
  };

  /// Returns the inventory in `folder`; none if there is none that can be read.
  static std::optional<Contents> read(const std::filesystem::path& folder);

  /// Replaces the inventory in `folder` by `contents`. `sync`: waits until the disk has it.
  static Result<std::unique_ptr<Inventory>> open(const std::filesystem::path& folder, Contents contents,
                                                 bool sync);

  /// Sets what a file has at least.
  Result<void> set(const std::string& name, std::uint64_t bytes);
  /// Removes a file, and waits until the disk has that.
  Result<void> remove(const std::string& name);
  /// Notes that the files that were set have all the bytes that they have now.
  Result<void> close();

 private:
  Inventory(std::filesystem::path folder, Contents contents)
      : folder_(std::move(folder)), contents_(std::move(contents)) {}

  /// `sync`: waits until the disk has it.
  Result<void> write(bool sync);

  const std::filesystem::path folder_;
  std::mutex mutex_;
  Contents contents_;          ///< guarded by mutex_
  std::set<std::string> set_;  ///< the files of `contents_` that this process writes; guarded by mutex_
  std::size_t size_ = 0;       ///< of the file; guarded by mutex_
};

}  // namespace dinette::kv::durable

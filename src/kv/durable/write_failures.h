#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace dinette::kv::durable {

class Database;

/// What is logged about a database that can no longer be written.
inline constexpr std::string_view write_failed_text =
    "data can no longer be written; reads continue. Repair the disk, or free space, and restart the server";

/// The open databases of a data folder that can no longer be written. Thread-safe.
class WriteFailures {
 public:
  /// `reason`: RocksDB's message.
  void add(const Database& database, std::string_view reason);
  /// To be called before the database is closed.
  void remove(const Database& database);

  /// Returns a sentence for the user; nothing if all can be written. It names no files: everyone may ask for
  /// the health of a server.
  std::optional<std::string> trouble() const;

 private:
  mutable std::mutex mutex_;
  std::map<const Database*, std::string> failed_;  ///< and why; guarded by mutex_
};

}  // namespace dinette::kv::durable

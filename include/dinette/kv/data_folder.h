#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string_view>

#include "dinette/kv/engines.h"

namespace dinette::kv {

/// Is given a sentence for the user.
using Notice = void (*)(std::string_view sentence);

struct DataFolderOptions {
  /// A commit returns only when it is on the disk, and survives a power loss. Otherwise it survives the end
  /// of the process, however it ends, and the operating system writes it to the disk within seconds.
  bool sync = false;
  /// Approximate memory for data, in bytes: a copy that answers all reads while it fits, and RocksDB's cache.
  std::size_t memory_bytes = std::size_t{1} << 30;
  /// If false, there is no such copy.
  bool resident = true;
  /// No file of the folder is written, made or removed, and engines refuse writes.
  bool read_only = false;
  /// What is missing or damaged, so that the folder would be refused, is left out: what can be read is
  /// opened, and a copy of what is left out is kept in the folder.
  bool repair = false;
  /// Gets what happened to the folder that is no reason to refuse it, and what is left out.
  /// Null: a warning in the log.
  Notice notice = nullptr;
};

/// Opens the durable engines in `folder`, which is created if it does not exist; each is a RocksDB database.
/// src/kv/durable/FORMAT.md describes the files. The folder belongs to this process until the result and all
/// its engines, and what they handed out, are destroyed.
///
/// Fails, with a message for the user, if the folder cannot be written, belongs to another process, holds
/// something else, was written by a version of this program with another format, or if anything is missing or
/// damaged that was acknowledged. Never removes a folder of which no process has noted that it is temporary.
Result<std::shared_ptr<Engines>> open_data_folder(const std::filesystem::path& folder,
                                                  const DataFolderOptions& options);

}  // namespace dinette::kv

#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

#include "dinette/kv/engines.h"

namespace dinette::kv {

struct DataFolderOptions {
  /// A commit returns only when the disk has it, and survives a loss of power. Otherwise it survives the end
  /// of the process, however that comes, and the operating system writes it to the disk within seconds.
  bool sync = false;
  /// Bytes of memory, about, for data: a copy that answers all reads as long as it fits, and RocksDB's cache.
  std::size_t memory_bytes = std::size_t{1} << 30;
  /// If false, there is no such copy.
  bool resident = true;
};

/// Opens the durable engines in `folder`, which is made if it does not exist; each is a RocksDB database.
/// src/kv/durable/FORMAT.md describes the files. The folder belongs to this process until the result and all
/// its engines, and what they handed out, are destroyed.
///
/// Fails, with a message for whoever started the program, if the folder cannot be written, belongs to another
/// process, holds something else, or was written by a version of this program that keeps it in another form.
Result<std::shared_ptr<Engines>> open_data_folder(const std::filesystem::path& folder,
                                                  const DataFolderOptions& options);

}  // namespace dinette::kv

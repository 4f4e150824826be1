#pragma once

#include <memory>

#include <rocksdb/file_system.h>

#include "kv/durable/inventory.h"

namespace dinette::kv::durable {

/// Returns `files`, with three differences.
///
/// A database has fewer files open: its folder only while it is synced, and no lock, because the data folder
/// has one.
///
/// A full disk is an error like any other. RocksDB takes it for a state that passes, and continues with the
/// log that it could not write; Debian's library, which is built with assertions, then ends the process.
///
/// `inventory`, unless it is null, learns which logs there are, and how much of each MANIFEST the disk has.
/// It must outlive the result.
std::shared_ptr<rocksdb::FileSystem> make_file_system(std::shared_ptr<rocksdb::FileSystem> files,
                                                      Inventory* inventory);

}  // namespace dinette::kv::durable

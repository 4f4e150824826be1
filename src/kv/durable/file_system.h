#pragma once

#include <memory>

#include <rocksdb/file_system.h>

namespace dinette::kv::durable {

/// Returns `files`, but that a full disk is an error like any other. RocksDB takes it for a state that
/// passes, and continues with the log that it could not write; Debian's library, which is built with
/// assertions, then ends the process.
std::shared_ptr<rocksdb::FileSystem> without_recovery(std::shared_ptr<rocksdb::FileSystem> files);

}  // namespace dinette::kv::durable

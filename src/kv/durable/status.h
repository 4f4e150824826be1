#pragma once

#include <rocksdb/status.h>

#include "dinette/kv/error.h"

namespace dinette::kv::durable {

/// Returns what a call of RocksDB that failed means to callers of an engine.
Error error_of(const rocksdb::Status& status);

inline Result<void> checked(const rocksdb::Status& status) {
  if (status.ok()) [[likely]]
    return {};
  return base::Failure{error_of(status)};
}

}  // namespace dinette::kv::durable

#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "dinette/kv/engine.h"

#include "kv/durable/database.h"

/// Reads from RocksDB. On a thread that may not wait (base::may_wait) they look only at what is in memory,
/// and fail with ErrorKind::would_block if that is not enough.
namespace dinette::kv::durable {

/// Returns the value at `key`; the latest one if there is no `snapshot`.
Result<std::optional<Value>> read(const Database& database, std::string_view key,
                                  const rocksdb::Snapshot* snapshot = nullptr);

/// Returns the values at `keys`, all as they are at one moment.
Result<Values> read_many(const Database& database, std::span<const std::string_view> keys,
                         const rocksdb::Snapshot* snapshot = nullptr);

/// Returns a cursor of the latest state, or of `snapshot`. It keeps `owner`, which keeps both alive.
std::unique_ptr<Cursor> make_cursor(const Database& database, Range range, std::shared_ptr<const void> owner,
                                    const rocksdb::Snapshot* snapshot = nullptr);

std::shared_ptr<const Snapshot> make_snapshot(std::shared_ptr<const Database> database);

}  // namespace dinette::kv::durable

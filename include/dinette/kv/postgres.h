#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "dinette/kv/engines.h"

namespace dinette::kv {

struct PostgresOptions {
  std::size_t connections = 64;              ///< at most, of this process; a snapshot keeps one
  std::chrono::milliseconds patience{5000};  ///< with a database that does not answer, per call
  /// Nothing in the database is written or made, and engines refuse writes: a role that may only read will
  /// do, and so will a replica. No server may write to the database meanwhile.
  bool read_only = false;
};

/// Opens the engines in a PostgreSQL database, version 15 or newer, which several servers may use at the same
/// time. Creates what it needs in the first schema of the search path, unless it only reads. `url`: as libpq
/// has it, such as `postgres://user@host:5432/database?sslmode=verify-full`; libpq's environment and password
/// files count.
///
/// Calls wait for the database: they belong on threads that may wait (base::may_wait). On an event loop they
/// fail with ErrorKind::would_block; reads are begun there, and found when the request runs again
/// (base::PendingWork). While the database is away calls fail with ErrorKind::io within the patience, and go
/// on when it is back.
///
/// Fails, with a message for the user, if the database cannot be reached or used, if it is only to be read
/// and has nothing to be read, or if this program was built without libpq.
Result<std::shared_ptr<Engines>> open_postgres(const std::string& url, const PostgresOptions& options);

}  // namespace dinette::kv

#pragma once

#include <span>
#include <vector>

#include "kv/postgres/pool.h"

namespace dinette::kv::postgres {

/// A statement and its parameters.
struct Call {
  Statement statement;
  Parameters parameters = {};
};

/// Returns what a write fails with if the database is only read.
Error only_read();

/// Executes statements as one transaction, on any connection, within the pool's patience. They may be
/// executed twice. Fails with would_block on a thread that may not wait.
Result<std::vector<Rows>> execute(Pool& pool, std::span<const Call> calls);

}  // namespace dinette::kv::postgres

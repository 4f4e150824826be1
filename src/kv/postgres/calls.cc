#include "kv/postgres/calls.h"

#include <chrono>
#include <utility>

#include "kv/postgres/read_source.h"

namespace dinette::kv::postgres {

Error only_read() {
  return {ErrorKind::unsupported, "the database is only read"};
}

Result<std::vector<Rows>> execute(Pool& pool, std::span<const Call> calls) {
  DINETTE_CHECK(require_waiting());
  const Deadline deadline = pool.patience();
  while (true) {
    auto connection = pool.lease(deadline);
    if (!connection) return base::Failure{kv_error(connection.error())};
    for (const Call& call : calls) (*connection)->add(call.statement, call.parameters);
    auto rows = (*connection)->flush(deadline);
    if (rows) return std::move(rows).value();
    if (!may_repeat(rows.error()) || std::chrono::steady_clock::now() >= deadline)
      return base::Failure{kv_error(rows.error())};
  }
}

}  // namespace dinette::kv::postgres

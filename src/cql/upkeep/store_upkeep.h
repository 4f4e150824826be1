#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string_view>

#include "dinette/base/jobs.h"
#include "dinette/store/store.h"

/// What becomes of stored data as time passes: cells expire, tombstones, records of changes and former values
/// are removed when they are old enough (docs/service-keyspaces/timestamps.md section 6).
namespace dinette::cql::upkeep {

/// What a table lost, as the metrics of the service count it.
struct Removals {
  std::uint64_t expired = 0;     ///< TTLDeletes: one per started KB of a row that expiry has changed
  std::uint64_t tombstones = 0;  ///< SystemReconciliationDeletes
};

/// Receives what was removed of a table, "keyspace.table".
using ReportRemovals = std::function<void(std::string_view table, const Removals& removals)>;

/// Does what is due in a store, or a part of it. Returns when to come back, at the latest in ten days: what
/// is written meanwhile with a time to live is due earlier, and the writer says so.
kv::Result<base::Jobs::Next> keep_store(store::Store& store, const ReportRemovals& report,
                                        const std::stop_token& stop);

}  // namespace dinette::cql::upkeep

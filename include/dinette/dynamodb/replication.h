#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dinette/kv/error.h"
#include "dinette/tenancy/faults.h"
#include "dinette/tenancy/world.h"

/// Global tables: tables that have replicas in several regions of a world (docs/service/global-tables.md).
namespace dinette::dynamodb {

/// How long a change takes to another region, by the world's clock. The same change takes the same time with
/// the same seed.
struct ReplicationLag {
  tenancy::FaultDelay delay;
  std::uint64_t seed = 0;

  friend bool operator==(const ReplicationLag& a, const ReplicationLag& b) {
    return a.seed == b.seed && a.delay.least == b.delay.least && a.delay.most == b.delay.most &&
           a.delay.mean == b.delay.mean;
  }
};

/// What one replica of a table has for another one.
struct ReplicationState {
  std::string table;
  std::string from;  ///< regions
  std::string to;
  std::string status;                                    ///< of the replica in `to`, such as ACTIVE
  bool cut = false;                                      ///< the link between them
  std::uint64_t pending = 0;                             ///< changes that are not there yet
  std::optional<std::chrono::microseconds> behind = {};  ///< the age of the oldest of them
  std::uint64_t applied = 0;                             ///< changes that are there
  std::uint64_t outdated = 0;  ///< changes that lost against a later one, or came twice
};

/// Returns the state of all links between replicas, by table and regions. The cost is proportional to the
/// number of tables, and of changes that are pending.
kv::Result<std::vector<ReplicationState>> replication_states(tenancy::World& world);

}  // namespace dinette::dynamodb

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/dynamodb/service.h"
#include "dinette/store/store.h"
#include "dinette/tenancy/world.h"

#include "dynamodb/api/replica_member.h"
#include "dynamodb/api/table_record.h"

namespace dinette::dynamodb {

/// Makes the table of a new replica, without items, unless it is there. Returns null if another table has its
/// name.
kv::Result<store::TablePointer> make_replica(tenancy::World& world, const api::TableRecord& source,
                                             const api::ReplicaMember& member, const Upkeep& upkeep);

/// Enters the items of the table that a replica is made from, and the versions of those that were deleted.
/// Changes that are made meanwhile come through its log.
class ReplicaFill {
 public:
  ReplicaFill(tenancy::World& world, std::string region) : world_(world), region_(std::move(region)) {}

  /// Enters some more. Returns false at the end.
  kv::Result<bool> step(const store::Table& source, const api::TableRecord& group);

 private:
  static constexpr std::size_t rows_per_step = 100;

  kv::Result<bool> step_through(const store::Table& source, const api::TableRecord& group, store::Area area);
  /// Enters a row, with the record null if it was deleted. Returns false if the table was altered meanwhile.
  kv::Result<bool> enter(const api::TableRecord& group, std::string_view key, kv::Value record,
                         const std::optional<kv::Value>& mark);

  tenancy::World& world_;
  const std::string region_;
  bool rows_done_ = false;
  std::string last_key_;
};

}  // namespace dinette::dynamodb

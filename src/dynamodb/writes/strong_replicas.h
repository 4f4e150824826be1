#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "dinette/store/store.h"
#include "dinette/tenancy/world.h"

#include "dynamodb/request/api_error.h"
#include "dynamodb/request/item_claims.h"
#include "dynamodb/tables/table_schema.h"
#include "dynamodb/writes/write_item.h"

namespace dinette::dynamodb {

/// The other replicas of a table with multi-region strong consistency. A write is carried out in all regions
/// by one commit, so that reads in each of them see it from then on (docs/service/global-tables.md section
/// 1).
class StrongReplicas {
 public:
  /// Opens them; none unless the table is such a one. Fails with InternalServerError if too many regions
  /// cannot be reached: a write needs two of the three.
  static Answer<StrongReplicas> open(tenancy::World& world, const store::Table& table);

  std::size_t size() const { return tables_.size(); }

  /// Fails with ReplicatedWriteConflictException if a request in another region writes the item.
  Answer<void> check_conflicts(const RequestClaims& claims, std::string_view key) const;

  /// Adds the rows of an item, one per replica. `key` must outlive the targets.
  void add_targets(std::string_view key, std::vector<store::WriteTarget>& targets) const;

  /// Does in all replicas what was decided here. `rows` and `changes` have those of the replicas from `first`
  /// on, in the order of add_targets().
  Answer<void> repeat(const WrittenItem& written, std::string_view key, WriteOrigin origin,
                      const store::Rows& rows, store::RowChanges changes, std::size_t first) const;

 private:
  std::vector<store::TablePointer> tables_;
  std::vector<std::shared_ptr<store::Store>> stores_;  ///< of their regions
};

}  // namespace dinette::dynamodb

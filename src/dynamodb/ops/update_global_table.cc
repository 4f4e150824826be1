#include "dynamodb/api/update_global_table.h"

#include <string>

#include "dynamodb/replicas/legacy_version.h"

namespace dinette::dynamodb::ops {

// docs/service/global-tables.md section 2.
Answer<api::UpdateGlobalTableOutput> update_global_table(const Context&,
                                                         api::UpdateGlobalTableInput&& input) {
  bool creates = false;
  for (const api::ReplicaUpdate& update : input.replica_updates) {
    if (update.create && update.delete_) {
      return invalid(
          "A ReplicaUpdate structure cannot contain both a create replica action and a delete replica "
          "action");
    }
  }
  std::size_t number = 0;
  for (const api::ReplicaUpdate& update : input.replica_updates) {
    if (update.delete_) DINETTE_CHECK(check_had_legacy_version(update.delete_->region_name));
    if (!update.create) continue;
    creates = true;
    const std::string place = "replicasToAdd." + std::to_string(++number) + ".member.regionName";
    DINETTE_CHECK(check_legacy_region(update.create->region_name, place));
  }
  if (creates) return legacy_version_refused();
  return no_legacy_table(input.global_table_name);
}

}  // namespace dinette::dynamodb::ops

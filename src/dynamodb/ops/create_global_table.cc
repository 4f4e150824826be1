#include "dynamodb/api/create_global_table.h"

#include <string>

#include "dynamodb/replicas/legacy_version.h"

namespace dinette::dynamodb::ops {

// docs/service/global-tables.md section 2.
Answer<api::CreateGlobalTableOutput> create_global_table(const Context&,
                                                         api::CreateGlobalTableInput&& input) {
  if (input.replication_group.empty()) return invalid("Global table must have atleast one replica");
  std::size_t number = 0;
  for (const api::Replica& replica : input.replication_group) {
    const std::string place = "replicasToAdd." + std::to_string(++number) + ".member.regionName";
    const std::string region = replica.region_name.value_or("");
    DINETTE_CHECK(check_legacy_region(region, place));
    DINETTE_CHECK(check_had_legacy_version(region));
  }
  return legacy_version_refused();
}

}  // namespace dinette::dynamodb::ops

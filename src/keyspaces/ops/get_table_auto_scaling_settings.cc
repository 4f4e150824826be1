#include "keyspaces/api/get_table_auto_scaling_settings.h"

#include "keyspaces/definitions/descriptions.h"
#include "keyspaces/definitions/objects.h"

// docs/service-keyspaces/control-plane.md section 3.
namespace dinette::keyspaces::ops {

Answer<api::GetTableAutoScalingSettingsOutput> get_table_auto_scaling_settings(
    const Context& context, api::GetTableAutoScalingSettingsInput&& input) {
  DINETTE_TRY(const auto table, open_table(context, input.keyspace_name, input.table_name));
  api::GetTableAutoScalingSettingsOutput output;
  output.keyspace_name = table.keyspace;
  output.table_name = table.name;
  output.resource_arn = table.arn;
  output.auto_scaling_specification = scaling_of(table);
  if (table.regions.size() < 2) return output;
  output.replica_specifications.emplace();
  for (const std::string& region : table.regions)
    output.replica_specifications->push_back({region, scaling_of(table)});
  return output;
}

}  // namespace dinette::keyspaces::ops

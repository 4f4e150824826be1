#include "keyspaces/api/get_type.h"

#include "keyspaces/definitions/objects.h"

// docs/service-keyspaces/control-plane.md section 3.
namespace dinette::keyspaces::ops {

Answer<api::GetTypeOutput> get_type(const Context& context, api::GetTypeInput&& input) {
  DINETTE_TRY(const auto type, open_type(context, input.keyspace_name, input.type_name));
  api::GetTypeOutput output;
  output.keyspace_name = type.keyspace;
  output.type_name = type.name;
  output.field_definitions.emplace();
  for (const auto& [name, field_type] : type.fields) output.field_definitions->push_back({name, field_type});
  output.last_modified_timestamp = aws::Timestamp(type.changed);
  output.status = api::TypeStatus::active;
  output.direct_referring_tables = type.referring_tables;
  output.direct_parent_types = type.parent_types;
  output.max_nesting_depth = type.nesting_depth;
  output.keyspace_arn = type.keyspace_arn;
  return output;
}

}  // namespace dinette::keyspaces::ops

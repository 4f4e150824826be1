#include "keyspaces/api/create_keyspace.h"

#include <utility>

#include "keyspaces/definitions/objects.h"
#include "keyspaces/definitions/settings.h"

// docs/service-keyspaces/control-plane.md section 3.
namespace dinette::keyspaces::ops {

Answer<api::CreateKeyspaceOutput> create_keyspace(const Context& context, api::CreateKeyspaceInput&& input) {
  api::ReplicationSpecification replication;
  replication.replication_strategy = api::ReplicationStrategy::single_region;
  if (input.replication_specification) replication = *std::move(input.replication_specification);
  CqlProperties properties;
  DINETTE_TRY(const std::string regions, replication_of(context, replication));
  properties.add("replication", regions);
  if (input.tags) properties.add("tags", map_of(*input.tags));
  DINETTE_CHECK(define(context, "CREATE KEYSPACE " + quoted_name(input.keyspace_name) + properties.cql()));
  DINETTE_TRY(const auto created, open_keyspace(context, input.keyspace_name));
  return api::CreateKeyspaceOutput{created.arn};
}

}  // namespace dinette::keyspaces::ops

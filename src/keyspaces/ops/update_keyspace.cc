#include "keyspaces/api/update_keyspace.h"

#include "keyspaces/definitions/objects.h"
#include "keyspaces/definitions/settings.h"

// docs/service-keyspaces/control-plane.md section 3.
namespace dinette::keyspaces::ops {

Answer<api::UpdateKeyspaceOutput> update_keyspace(const Context& context, api::UpdateKeyspaceInput&& input) {
  DINETTE_TRY(const auto keyspace, open_keyspace(context, input.keyspace_name));
  DINETTE_CHECK(check_active("Keyspace " + keyspace.name, keyspace.status));
  CqlProperties properties;
  DINETTE_TRY(const std::string regions, replication_of(context, input.replication_specification));
  properties.add("replication", regions);
  if (input.client_side_timestamps)
    properties.add("client_side_timestamps", CqlMap().text("status", "ENABLED"));
  DINETTE_CHECK(define(context, "ALTER KEYSPACE " + quoted_name(keyspace.name) + properties.cql()));
  return api::UpdateKeyspaceOutput{keyspace.arn};
}

}  // namespace dinette::keyspaces::ops

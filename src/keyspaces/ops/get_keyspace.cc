#include "keyspaces/api/get_keyspace.h"

#include "keyspaces/definitions/descriptions.h"
#include "keyspaces/definitions/objects.h"

// docs/service-keyspaces/control-plane.md section 3.
namespace dinette::keyspaces::ops {

Answer<api::GetKeyspaceOutput> get_keyspace(const Context& context, api::GetKeyspaceInput&& input) {
  DINETTE_TRY(const auto keyspace, open_keyspace(context, input.keyspace_name));
  return description_of(keyspace);
}

}  // namespace dinette::keyspaces::ops

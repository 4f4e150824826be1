#include "keyspaces/api/delete_keyspace.h"

#include "keyspaces/definitions/cql_text.h"
#include "keyspaces/definitions/objects.h"

// docs/service-keyspaces/control-plane.md section 3.
namespace dinette::keyspaces::ops {

Answer<api::DeleteKeyspaceOutput> delete_keyspace(const Context& context, api::DeleteKeyspaceInput&& input) {
  DINETTE_TRY(const auto keyspace, open_keyspace(context, input.keyspace_name));
  DINETTE_CHECK(check_active("Keyspace " + keyspace.name, keyspace.status));
  DINETTE_CHECK(define(context, "DROP KEYSPACE " + quoted_name(keyspace.name)));
  return api::DeleteKeyspaceOutput();
}

}  // namespace dinette::keyspaces::ops

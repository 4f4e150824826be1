#include "keyspaces/api/delete_type.h"

#include "keyspaces/definitions/cql_text.h"
#include "keyspaces/definitions/objects.h"

// docs/service-keyspaces/control-plane.md section 3.
namespace dinette::keyspaces::ops {

Answer<api::DeleteTypeOutput> delete_type(const Context& context, api::DeleteTypeInput&& input) {
  DINETTE_TRY(const auto type, open_type(context, input.keyspace_name, input.type_name));
  DINETTE_CHECK(define(context, "DROP TYPE " + quoted_name(type.keyspace, type.name)));
  return api::DeleteTypeOutput{type.keyspace_arn, type.name};
}

}  // namespace dinette::keyspaces::ops

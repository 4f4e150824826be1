#include "keyspaces/api/get_table.h"

#include "keyspaces/definitions/descriptions.h"
#include "keyspaces/definitions/objects.h"

// docs/service-keyspaces/control-plane.md section 3.
namespace dinette::keyspaces::ops {

Answer<api::GetTableOutput> get_table(const Context& context, api::GetTableInput&& input) {
  DINETTE_TRY(const auto table, open_table(context, input.keyspace_name, input.table_name));
  return description_of(table);
}

}  // namespace dinette::keyspaces::ops

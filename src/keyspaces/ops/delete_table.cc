#include "keyspaces/api/delete_table.h"

#include "keyspaces/definitions/cql_text.h"
#include "keyspaces/definitions/objects.h"

// docs/service-keyspaces/control-plane.md section 3.
namespace dinette::keyspaces::ops {

Answer<api::DeleteTableOutput> delete_table(const Context& context, api::DeleteTableInput&& input) {
  DINETTE_TRY(const auto table, open_table(context, input.keyspace_name, input.table_name));
  DINETTE_CHECK(check_active("Table " + table.keyspace + "." + table.name, table.status));
  DINETTE_CHECK(define(context, "DROP TABLE " + quoted_name(table.keyspace, table.name)));
  return api::DeleteTableOutput();
}

}  // namespace dinette::keyspaces::ops

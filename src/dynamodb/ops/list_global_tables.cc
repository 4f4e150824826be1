#include "dynamodb/api/list_global_tables.h"

#include "dynamodb/replicas/regions.h"

namespace dinette::dynamodb::ops {

// docs/service/global-tables.md section 2.
Answer<api::ListGlobalTablesOutput> list_global_tables(const Context&, api::ListGlobalTablesInput&& input) {
  // The service's own stumble.
  if (input.region_name && !may_have_replica(*input.region_name))
    return base::Failure{ApiError{api::ErrorCode::internal_server_error, "Internal server error"}};
  api::ListGlobalTablesOutput output;
  output.global_tables.emplace();
  return output;
}

}  // namespace dinette::dynamodb::ops

#include "dynamodb/api/limits.h"
#include "dynamodb/api/operations.h"

namespace dinette::dynamodb::ops {

// A client with endpoint discovery goes on where it is: at the host that it called.
Answer<api::DescribeEndpointsOutput> describe_endpoints(const Context& context,
                                                        api::DescribeEndpointsInput&&) {
  api::DescribeEndpointsOutput output;
  output.endpoints.emplace().push_back({std::string(context.host), model::limits::endpoint_cache_minutes});
  return output;
}

}  // namespace dinette::dynamodb::ops

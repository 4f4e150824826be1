#include "dynamodb/api/describe_endpoints.h"

#include "dinette/aws/json_writer.h"

#include "dynamodb/api/limits.h"

namespace dinette::dynamodb::ops {

// A client with endpoint discovery stays at the host that it called.
Answer<api::DescribeEndpointsOutput> describe_endpoints(const Context& context,
                                                        api::DescribeEndpointsInput&&) {
  const bool shown = !context.host.empty() && aws::is_utf8(context.host);
  const std::string_view host = shown ? context.host : "localhost";
  api::DescribeEndpointsOutput output;
  output.endpoints.emplace().push_back({std::string(host), model::limits::endpoint_cache_minutes});
  return output;
}

}  // namespace dinette::dynamodb::ops

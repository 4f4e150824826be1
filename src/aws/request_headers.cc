#include "aws/request_headers.h"

#include "dinette/aws/json_service.h"
#include "dinette/tenancy/world_header.h"

namespace dinette::aws {
namespace {

/// Stores the first value of a header that is looked for.
template <class Value>
bool take(const http::Header& header, std::string_view name, Value& value) {
  if (header.name.size() != name.size() || !http::same_header_name(header.name, name)) return false;
  value = header.value;
  return true;
}

}  // namespace

RequestHeaders::RequestHeaders(const http::Request& request) {
  constexpr std::size_t around_name_and_value = std::string_view(": \r\n").size();
  // From the last to the first, so that the first of a name stays.
  for (std::size_t i = request.headers.size(); i-- > 0;) {
    const http::Header& header = request.headers[i];
    bytes += header.name.size() + header.value.size() + around_name_and_value;
    take(header, "Host", host) || take(header, "Origin", origin) || take(header, "X-Amz-Target", target) ||
        take(header, "Content-Type", content_type) || take(header, "Accept-Encoding", accept_encoding) ||
        take(header, "Content-Encoding", content_encoding) || take(header, explain_header, explain) ||
        take(header, tenancy::world_header, world);
  }
}

}  // namespace dinette::aws

#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "dinette/http/message.h"

namespace dinette::aws {

/// The headers that are looked for in every request, found in one pass over all of them; empty if absent. The
/// first of a repeated name counts. Views into the request.
struct RequestHeaders {
  explicit RequestHeaders(const http::Request& request);

  std::string_view accept_encoding;
  std::string_view agent;  ///< User-Agent
  std::optional<std::string_view> authorization;
  std::string_view content_encoding;
  std::string_view content_type;
  std::string_view browser_agent;  ///< X-Amz-User-Agent, of SDKs in web pages
  std::string_view explain;
  std::string_view faults;  ///< faults_header
  std::string_view host;
  std::optional<std::string_view> origin;  ///< of a web page that calls
  std::string_view record;                 ///< record_header
  std::optional<std::string_view> target;  ///< X-Amz-Target, which names the operation
  std::string_view trace_parent;           ///< of W3C Trace Context, the first one
  std::optional<std::string_view> world;   ///< tenancy::world_header
  std::size_t bytes = 0;                   ///< of all headers, as they were sent

 private:
  void take(const http::Header& header);
};

}  // namespace dinette::aws

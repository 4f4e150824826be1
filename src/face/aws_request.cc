#include "dinette/face/aws_request.h"

#include <algorithm>
#include <string>

#include "dinette/base/ascii.h"
#include "dinette/http/query_string.h"

namespace dinette::face {
namespace {

constexpr std::string_view header_prefix = "x-amz-";
/// Of both versions of signatures: "AWS4-HMAC-SHA256 ...", "AWS key:...".
constexpr std::string_view scheme = "AWS";

bool has_prefix_of_aws(const http::Header& header) {
  return base::equal_ignoring_case(header.name.substr(0, header_prefix.size()), header_prefix);
}

}  // namespace

bool is_of_aws(const http::Request& request) {
  return request.header("authorization").value_or("").starts_with(scheme) ||
         std::ranges::any_of(request.headers, has_prefix_of_aws);
}

bool is_signed_for(const http::Request& request, std::string_view service) {
  const std::string scope = "/" + std::string(service) + "/aws4_request";
  return request.header("authorization").value_or("").find(scope) != std::string_view::npos ||
         http::percent_decode(request.query()).find(scope) != std::string::npos;
}

}  // namespace dinette::face

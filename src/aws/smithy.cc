#include "dinette/aws/smithy.h"

namespace dinette::aws {
namespace {

/// Takes the last segment off a path.
std::string_view take_last_segment(std::string_view& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return {};
  const std::string_view segment = path.substr(slash + 1);
  path = path.substr(0, slash);
  return segment;
}

/// A browser asks first, without the headers of the request that it will send.
bool is_post_or_its_preflight(const http::Request& request) {
  return request.method == "POST" ||
         (request.method == "OPTIONS" && request.header("Access-Control-Request-Method") == "POST");
}

}  // namespace

std::optional<SmithyPath> read_smithy_path(std::string_view path) {
  SmithyPath call;
  call.operation = take_last_segment(path);
  if (call.operation.empty() || take_last_segment(path) != "operation") return std::nullopt;
  call.service = take_last_segment(path);
  if (call.service.empty() || take_last_segment(path) != "service") return std::nullopt;
  call.prefix = path;
  return call;
}

bool is_smithy_request(const http::Request& request) {
  const auto call = read_smithy_path(request.path());
  if (!call) return false;
  if (request.header(smithy_protocol_header)) return true;
  return call->prefix.empty() && request.query().empty() && is_post_or_its_preflight(request);
}

bool is_smithy_request_of(const http::Request& request, const SmithyService& service) {
  return is_smithy_request(request) && is_name_of(service, read_smithy_path(request.path())->service);
}

bool is_name_of(const SmithyService& service, std::string_view name) {
  if (name == service.name) return true;
  return name.size() == service.name_space.size() + 1 + service.name.size() &&
         name.starts_with(service.name_space) && name.ends_with(service.name) &&
         name[service.name_space.size()] == '.';
}

}  // namespace dinette::aws

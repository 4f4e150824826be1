#include "admin/shortcuts.h"

#include <array>
#include <utility>

#include "dinette/admin/api.h"
#include "dinette/face/aws_request.h"
#include "dinette/http/accept.h"

#include "admin/health.h"
#include "admin/metrics.h"
#include "admin/page.h"

namespace dinette::admin {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> routes_of_shortcuts{
    {{"/health", health_path}, {"/healthz", health_path}, {"/metrics", metrics_path}}};

/// Of what a user opens. Java's URLConnection asks for HTML as well, before pictures: health checks of test
/// suites use it.
bool is_visit(const http::Request& request) {
  if (request.method != "GET" || request.header("Origin")) return false;
  const std::string_view accept = request.header("Accept").value_or("");
  const auto html = http::acceptance_of(accept, "text/html");
  return html.named && html.weight > 0 && !http::acceptance_of(accept, "image/gif").named;
}

bool is_read(const http::Request& request) {
  return request.method == "GET" || request.method == "HEAD";
}

}  // namespace

std::string_view route_path(std::string_view path) {
  for (const auto& [shortcut, route] : routes_of_shortcuts) {
    if (path == shortcut) return route;
  }
  return path;
}

bool is_at_shortcut(const http::Request& request) {
  if (!is_read(request)) return false;           // most requests: those of DynamoDB
  const std::string_view path = request.target;  // with a query, if there is one, and then no shortcut
  const bool is_known = path == icon_shortcut || route_path(path) != path;
  if (!is_known && !(leads_to_page(path) && has_page() && is_visit(request))) return false;
  return !face::is_of_aws(request);
}

}  // namespace dinette::admin

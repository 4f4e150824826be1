#include "dinette/http/cors.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>
#include <boost/algorithm/string/trim.hpp>

#include "dinette/http/local_host.h"

namespace dinette::http {
namespace {

constexpr std::string_view no_origin = "null";  ///< of pages in a sandbox, and of files

/// Returns the host and port of an http or https origin; nothing for others.
std::optional<std::string_view> authority_of(std::string_view origin) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme)) return origin.substr(scheme.size());
  }
  return std::nullopt;
}

/// Returns the host of an http or https origin, "[::1]" with its brackets; nothing for others.
std::optional<std::string_view> web_host(std::string_view origin) {
  const auto authority = authority_of(origin);
  return authority ? host_of(*authority) : std::nullopt;
}

bool is_local(std::string_view origin) {
  if (origin == "file://") return true;
  const auto host = web_host(origin);
  return host && is_local_host(*host);
}

}  // namespace

Cors::Cors(CorsOptions options) : options_(std::move(options)) {
  boost::algorithm::split(listed_, options_.origins, boost::algorithm::is_any_of(","));
  for (std::string& origin : listed_) {
    boost::algorithm::trim(origin);
    boost::algorithm::to_lower(origin);
    if (origin.ends_with('/') && !origin.ends_with("//")) origin.pop_back();
  }
  local_ = std::erase(listed_, "local") > 0;
  all_ = std::erase(listed_, "*") > 0;
  std::erase(listed_, "");
}

std::string_view origin_of(std::string_view url) {
  const auto rest = authority_of(url);
  if (!rest) return {};
  return url.substr(0, url.size() - rest->size() + std::min(rest->find_first_of("/?#"), rest->size()));
}

bool is_own_origin(std::string_view origin, std::string_view host) {
  using boost::algorithm::to_lower_copy;
  const std::string lower = to_lower_copy(std::string(origin));
  const auto authority = authority_of(lower);
  return authority && !authority->empty() && *authority == to_lower_copy(std::string(host));
}

bool Cors::allows(std::string_view origin, std::string_view host) const {
  return allows(origin) || (local_ && is_own_origin(origin, host) && is_address(host_of(host).value_or("")));
}

bool Cors::admits_host(const Request& request) const {
  if (is_safe_from_rebinding(request, options_.safe_domains)) return true;
  const auto host = host_of(request.header("Host").value_or(""));
  return host && !host->empty() && allows("http://" + std::string(*host));
}

bool Cors::allows(std::string_view origin) const {
  if (all_ && origin != no_origin) return true;
  const std::string lower = boost::algorithm::to_lower_copy(std::string(origin));
  if (local_ && is_local(lower)) return true;
  const std::string_view host = web_host(lower).value_or("");
  return std::ranges::any_of(listed_,
                             [&](const std::string& listed) { return listed == lower || listed == host; });
}

void Cors::add_headers(std::string_view origin, Response& response) const {
  if (!all_) response.add_header("Vary", "Origin");
  if (!allows(origin)) return;
  response.add_header("Access-Control-Allow-Origin", all_ ? "*" : origin);
  if (!options_.exposed_headers.empty())
    response.add_header("Access-Control-Expose-Headers", options_.exposed_headers);
}

void Cors::answer_preflight(const Request& request, Response& response) const {
  if (!request.header("Origin")) return;
  if (const auto method = request.header("Access-Control-Request-Method"))
    response.add_header("Access-Control-Allow-Methods", *method);
  if (const auto headers = request.header("Access-Control-Request-Headers"))
    response.add_header("Access-Control-Allow-Headers", *headers);
  response.add_header("Access-Control-Max-Age", std::to_string(options_.preflight_age.count()));
}

}  // namespace dinette::http

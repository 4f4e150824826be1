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

/// Returns the host of an http or https origin, "[::1]" with its brackets; nothing for others.
std::optional<std::string_view> web_host(std::string_view origin) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!origin.starts_with(scheme)) continue;
    origin.remove_prefix(scheme.size());
    return host_of(origin);
  }
  return std::nullopt;
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

bool Cors::allows(std::string_view origin) const {
  if (all_) return true;
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

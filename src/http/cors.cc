#include "dinette/http/cors.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include <arpa/inet.h>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>
#include <boost/algorithm/string/trim.hpp>

#include "dinette/base/ascii.h"

namespace dinette::http {
namespace {

constexpr std::size_t most_port_digits = 5;

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= most_port_digits && std::ranges::all_of(text, base::is_digit);
}

/// Returns the host of an http or https origin, "[::1]" with its brackets; nothing for others.
std::optional<std::string_view> web_host(std::string_view origin) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!origin.starts_with(scheme)) continue;
    origin.remove_prefix(scheme.size());
    const std::size_t colon = origin.find(':', origin.starts_with('[') ? origin.find(']') : 0);
    if (colon != std::string_view::npos && !is_port(origin.substr(colon + 1))) return std::nullopt;
    return origin.substr(0, colon);
  }
  return std::nullopt;
}

bool is_loopback(const std::string& host) {
  in_addr address{};
  if (inet_pton(AF_INET, host.c_str(), &address) != 1) return false;
  return ntohl(address.s_addr) >> 24 == IN_LOOPBACKNET;
}

/// Names under localhost never leave the machine (RFC 6761 section 6.3).
bool is_this_machine(std::string_view host) {
  const auto in_names = [](char c) { return base::is_word_character(c) || c == '-' || c == '.'; };
  if (host == "localhost" || host == "[::1]" || is_loopback(std::string(host))) return true;
  return host.ends_with(".localhost") && std::ranges::all_of(host, in_names);
}

bool is_local(std::string_view origin) {
  if (origin == "file://") return true;
  const auto host = web_host(origin);
  return host && is_this_machine(*host);
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
  if (const auto method = request.header("Access-Control-Request-Method"))
    response.add_header("Access-Control-Allow-Methods", *method);
  if (const auto headers = request.header("Access-Control-Request-Headers"))
    response.add_header("Access-Control-Allow-Headers", *headers);
  response.add_header("Access-Control-Max-Age", std::to_string(options_.preflight_age.count()));
}

}  // namespace dinette::http

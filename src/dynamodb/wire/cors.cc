#include "dynamodb/wire/cors.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include <arpa/inet.h>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>
#include <boost/algorithm/string/trim.hpp>

#include "dinette/base/ascii.h"

namespace dinette::dynamodb::wire {
namespace {

constexpr std::string_view exposed_headers =
    "x-amzn-RequestId,x-amzn-ErrorType,x-amz-request-id,x-amz-id-2,x-amzn-ErrorMessage,Date";
constexpr std::string_view preflight_seconds = "600";
constexpr std::size_t most_port_digits = 5;

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= most_port_digits && std::ranges::all_of(text, base::is_digit);
}

/// Returns the host of an origin of http or https, "[::1]" with its brackets; nothing of another.
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

Cors::Cors(std::string_view origins) {
  boost::algorithm::split(listed_, origins, boost::algorithm::is_any_of(","));
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

void Cors::add_headers(std::string_view origin, net::HttpReply& reply) const {
  reply.add_header("Access-Control-Allow-Origin", all_ ? "*" : origin);
  reply.add_header("Access-Control-Expose-Headers", exposed_headers);
}

void Cors::add_vary(net::HttpReply& reply) const {
  if (!all_) reply.add_header("Vary", "Origin");
}

void Cors::answer_preflight(const net::HttpRequest& request, net::HttpReply& reply) {
  if (const auto method = request.header("Access-Control-Request-Method"))
    reply.add_header("Access-Control-Allow-Methods", *method);
  if (const auto headers = request.header("Access-Control-Request-Headers"))
    reply.add_header("Access-Control-Allow-Headers", *headers);
  reply.add_header("Access-Control-Max-Age", preflight_seconds);
}

}  // namespace dinette::dynamodb::wire

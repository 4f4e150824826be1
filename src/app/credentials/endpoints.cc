#include "app/credentials/endpoints.h"

#include <algorithm>
#include <array>
#include <utility>

#include "dinette/http/local_host.h"

#include "app/called_server.h"
#include "app/credentials/credentials.h"
#include "app/credentials/profile.h"

namespace dinette::app {
namespace {

using base::Failure;

// https://docs.aws.amazon.com/general/latest/gr/rande.html: AWS's partitions, by the beginning of a region.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> partitions{{
    {"cn-", "amazonaws.com.cn"},
    {"eusc-", "amazonaws.eu"},
    {"us-isob-", "sc2s.sgov.gov"},
    {"us-isof-", "csp.hci.ic.gov"},
    {"eu-isoe-", "cloud.adc-e.uk"},
    {"us-iso-", "c2s.ic.gov"},
    {"", "amazonaws.com"},
}};
// Of endpoints that also have IPv6 addresses.
constexpr std::string_view dual_stack_domain = "api.aws";

bool is_url_character(char c) {
  return c > ' ' && c < '\x7f';
}

}  // namespace

base::Result<Endpoint, std::string> read_endpoint(const std::string& url) {
  if (!is_url(url)) return Failure{"'" + url + "' is not a URL that begins with http:// or https://"};
  if (!std::ranges::all_of(url, is_url_character))
    return Failure{"'" + url + "' has characters that no URL has"};
  auto read = http::parse_url(url);
  if (!read) return Failure{"'" + url + "' is not the URL of a server, such as http://127.0.0.1:8000"};
  return Endpoint{std::move(read->server), std::move(read->target)};
}

std::string aws_url(std::string_view service, std::string_view region) {
  const auto* const partition =
      std::ranges::find_if(partitions, [&](const auto& one) { return region.starts_with(one.first); });
  return "https://" + std::string(service) + "." + std::string(region) + "." + std::string(partition->second);
}

bool is_aws_host(std::string_view host) {
  const auto is_below = [host](std::string_view domain) {
    return host.ends_with(domain) && host.size() > domain.size() &&
           host[host.size() - domain.size() - 1] == '.';
  };
  return is_below(dual_stack_domain) ||
         std::ranges::any_of(partitions, [&](const auto& one) { return is_below(one.second); });
}

void verify_certificate(tcp::Remote& server, const ClientSurroundings& settings) {
  const bool literal = server.host.find(':') != std::string::npos;
  server.verify = server.tls && !http::is_local_host(literal ? "[" + server.host + "]" : server.host);
  if (server.verify) server.trusted_file = settings_of(settings).ca_bundle.value;
}

base::Result<Endpoint, std::string> find_endpoint(const ClientSurroundings& settings,
                                                  std::string_view service, std::string_view region,
                                                  std::string_view aws_name) {
  const Profile profile(settings, chosen_profile(settings));
  const ClientSettings known = settings_of(settings);
  const Setting set = known.ignoring ? Setting{} : configured_endpoint(settings, profile, service);
  const std::string url = set ? set.value : aws_url(aws_name.empty() ? service : aws_name, region);
  auto place = read_endpoint(url);
  if (!place) return Failure{set.source + ": " + place.error()};
  verify_certificate(place->server, settings);
  return place;
}

}  // namespace dinette::app

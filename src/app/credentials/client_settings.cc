#include "app/credentials/client_settings.h"

#include <algorithm>
#include <utility>

#include "dinette/base/ascii.h"
#include "dinette/http/tokens.h"

#include "app/credentials/profile.h"

namespace dinette::app {
namespace {

constexpr std::string_view service_id = "dynamodb";

Setting ignoring_endpoints(const ClientSurroundings& surroundings, const Profile& profile) {
  auto set = first_variable(surroundings, {"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"});
  if (!set) set = profile.find("ignore_configured_endpoint_urls");
  return base::equal_ignoring_case(set.value, "true") ? set : Setting{};
}

void add_keys(ClientSettings& settings, const ClientSurroundings& surroundings, const Profile& profile) {
  settings.access_key = first_variable(surroundings, {"AWS_ACCESS_KEY_ID"});
  settings.secret = first_variable(surroundings, {"AWS_SECRET_ACCESS_KEY"});
  settings.session_token = surroundings.variable("AWS_SESSION_TOKEN");
  if (settings.access_key || settings.secret) return;
  settings.access_key = profile.find("aws_access_key_id");
  settings.secret = profile.find("aws_secret_access_key");
  settings.session_token = profile.find("aws_session_token").value;
  settings.other_provider =
      profile.has_other_provider() ||
      first_variable(surroundings, {"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
                                    "AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_WEB_IDENTITY_TOKEN_FILE"});
}

/// Returns true if an entry of NO_PROXY covers a host: "*", the host itself, or a domain that it is in.
bool covers(std::string_view entry, std::string_view host) {
  if (entry == "*") return true;
  entry = entry.substr(0, entry.find(':', entry.starts_with('[') ? entry.find(']') : 0));
  if (entry.starts_with('.')) entry.remove_prefix(1);
  if (entry.empty() || !host.ends_with(entry)) return false;
  return host.size() == entry.size() || host[host.size() - entry.size() - 1] == '.';
}

}  // namespace

Setting first_variable(const ClientSurroundings& surroundings, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (auto value = surroundings.variable(name); !value.empty()) return {std::move(value), name};
  }
  return {};
}

Setting configured_endpoint(const ClientSurroundings& surroundings, const Profile& profile,
                            std::string_view service) {
  // https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
  std::string variable = "AWS_ENDPOINT_URL_" + std::string(service);
  std::ranges::transform(variable, variable.begin(), base::to_upper);
  if (auto set = first_variable(surroundings, {variable.c_str(), "AWS_ENDPOINT_URL"})) return set;
  if (auto set = profile.find_of_service(service, "endpoint_url")) return set;
  return profile.find("endpoint_url");
}

std::string ClientSurroundings::variable(const std::string& name) const {
  const auto found = variables.find(name);
  return found == variables.end() ? "" : found->second;
}

ClientSettings settings_of(const ClientSurroundings& surroundings) {
  ClientSettings settings;
  settings.profile = first_variable(surroundings, {"AWS_PROFILE", "AWS_DEFAULT_PROFILE"});
  if (!settings.profile) settings.profile = {"default", ""};
  const Profile profile(surroundings, settings.profile.value);
  settings.has_profile = profile.exists();
  settings.endpoint = configured_endpoint(surroundings, profile, service_id);
  settings.ignoring = ignoring_endpoints(surroundings, profile);
  if (settings.ignoring) std::swap(settings.endpoint, settings.ignored_endpoint);
  settings.region = first_variable(surroundings, {"AWS_REGION", "AWS_DEFAULT_REGION"});
  if (!settings.region) settings.region = profile.find("region");
  add_keys(settings, surroundings, profile);
  settings.ca_bundle = first_variable(surroundings, {"AWS_CA_BUNDLE"});
  if (!settings.ca_bundle) settings.ca_bundle = profile.find("ca_bundle");
  return settings;
}

Setting proxy_for(const ClientSurroundings& surroundings, std::string_view host, bool tls) {
  const auto proxy =
      tls ? first_variable(surroundings, {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"})
          : first_variable(surroundings, {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"});
  const Setting excepted = first_variable(surroundings, {"no_proxy", "NO_PROXY"});
  std::string_view rest = excepted.value;
  while (!rest.empty()) {
    if (covers(http::trimmed(http::take_until(rest, ',')), host)) return {};
  }
  return proxy;
}

}  // namespace dinette::app

#include "app/credentials/metadata.h"

#include <array>
#include <charconv>
#include <chrono>

#include "dinette/base/ascii.h"
#include "dinette/http/local_host.h"

#include "app/credentials/credential_answers.h"
#include "app/credentials/endpoints.h"
#include "app/credentials/profile.h"
#include "app/credentials/requests.h"

namespace dinette::app {
namespace {

using base::Failure;

constexpr int metadata_success = 200;
constexpr const char* relative_uri = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI";
constexpr const char* full_uri = "AWS_CONTAINER_CREDENTIALS_FULL_URI";
constexpr std::string_view container_host = "http://169.254.170.2";
constexpr std::array<std::string_view, 3> allowed_hosts{"169.254.170.2", "169.254.170.23", "fd00:ec2::23"};
constexpr std::chrono::seconds container_timeout{5};

constexpr const char* instance_host = "http://169.254.169.254";
constexpr const char* instance_host_v6 = "http://[fd00:ec2::254]";
constexpr const char* roles = "/latest/meta-data/iam/security-credentials/";
constexpr unsigned longest_timeout = 60;

/// https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html: keys are not sent in
/// the clear to any other machine.
bool is_allowed(const tcp::Remote& server) {
  if (server.tls) return true;
  for (const std::string_view host : allowed_hosts) {
    if (server.host == host) return true;
  }
  return http::is_local_host(server.host.find(':') == std::string::npos ? server.host
                                                                        : "[" + server.host + "]");
}

base::Result<Endpoint, std::string> container_place(const ClientSurroundings& settings) {
  const std::string relative = settings.variable(relative_uri);
  if (!relative.empty()) {
    if (!relative.starts_with('/'))
      return Failure{std::string(relative_uri) + " does not begin with a slash"};
    return read_endpoint(std::string(container_host) + relative);
  }
  auto place = read_endpoint(settings.variable(full_uri));
  if (!place) return Failure{std::string(full_uri) + ": " + place.error()};
  if (!is_allowed(place->server))
    return Failure{std::string(full_uri) + ": " + place->server.host +
                   " is neither this machine nor a container's agent; use https://"};
  verify_certificate(place->server, settings);
  return place;
}

base::Result<std::string, std::string> container_token(const CredentialSurroundings& surroundings) {
  const std::string file = surroundings.settings.variable("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
  std::string token = surroundings.settings.variable("AWS_CONTAINER_AUTHORIZATION_TOKEN");
  if (!file.empty()) {
    DINETTE_TRY(const std::string text, surroundings.read(file));
    token = without_line_end(text);
  }
  if (token.find_first_of("\r\n") == std::string::npos) return token;
  return Failure{std::string("the container's authorization token has a line break")};
}

FoundCredentials ask_container(const CredentialSurroundings& surroundings) {
  DINETTE_TRY(const Endpoint place, container_place(surroundings.settings));
  DINETTE_TRY(const std::string token, container_token(surroundings));
  http::ClientRequest request{.target = place.target, .headers = "Accept: application/json\r\n"};
  if (!token.empty()) request.headers += "Authorization: " + token + "\r\n";
  DINETTE_TRY(const auto response, send_request(surroundings, place.server, request, container_timeout));
  if (response.status != metadata_success) {
    const std::string refusal = read_refusal(response.body);
    return Failure{"its endpoint refuses: " +
                   (refusal.empty() ? "status " + std::to_string(response.status) : refusal)};
  }
  auto found = read_metadata(response.body);
  if (!found) return Failure{"its endpoint " + found.error()};
  return found;
}

Setting instance_setting(const ClientSurroundings& settings, const char* variable, const char* name) {
  if (auto set = first_variable(settings, {variable})) return set;
  return Profile(settings, chosen_profile(settings)).find(name);
}

base::Result<tcp::Remote, std::string> instance_server(const ClientSurroundings& settings) {
  const Setting endpoint =
      instance_setting(settings, "AWS_EC2_METADATA_SERVICE_ENDPOINT", "ec2_metadata_service_endpoint");
  const Setting mode = instance_setting(settings, "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE",
                                        "ec2_metadata_service_endpoint_mode");
  const bool v6 = base::equal_ignoring_case(mode.value, "IPv6");
  DINETTE_TRY(Endpoint place, read_endpoint(endpoint ? endpoint.value
                                            : v6     ? instance_host_v6
                                                     : instance_host));
  verify_certificate(place.server, settings);
  return place.server;
}

std::chrono::milliseconds instance_timeout(const ClientSurroundings& settings) {
  const std::string text = settings.variable("AWS_METADATA_SERVICE_TIMEOUT");
  unsigned seconds = 0;
  std::from_chars(text.data(), text.data() + text.size(), seconds);
  return std::chrono::seconds(seconds == 0 || seconds > longest_timeout ? 1 : seconds);
}

/// The metadata service of an instance, asked with a token.
class InstanceMetadata {
 public:
  InstanceMetadata(const CredentialSurroundings& surroundings, tcp::Remote server)
      : surroundings_(surroundings),
        server_(std::move(server)),
        timeout_(instance_timeout(surroundings.settings)) {}

  base::Result<void, std::string> begin() {
    DINETTE_TRY(token_, ask({.method = "PUT",
                             .target = "/latest/api/token",
                             .headers = "X-aws-ec2-metadata-token-ttl-seconds: 21600\r\n"}));
    token_ = without_line_end(token_);
    if (!is_one_word(token_)) return Failure{std::string("its metadata service returned no token")};
    return {};
  }

  base::Result<std::string, std::string> get(std::string target) const {
    return ask({.target = std::move(target), .headers = "X-aws-ec2-metadata-token: " + token_ + "\r\n"});
  }

 private:
  base::Result<std::string, std::string> ask(const http::ClientRequest& request) const {
    DINETTE_TRY(auto response, send_request(surroundings_, server_, request, timeout_));
    if (response.status == metadata_success) return std::move(response.body);
    return Failure{request.method + " " + request.target + " got status " + std::to_string(response.status)};
  }

  const CredentialSurroundings& surroundings_;
  const tcp::Remote server_;
  const std::chrono::milliseconds timeout_;
  std::string token_;
};

}  // namespace

std::optional<FoundCredentials> of_container(const CredentialSurroundings& surroundings) {
  if (!first_variable(surroundings.settings, {relative_uri, full_uri})) return std::nullopt;
  auto found = ask_container(surroundings);
  if (!found) return FoundCredentials(Failure{"the container has no credentials: " + found.error()});
  found->source = "the container";
  return found;
}

FoundCredentials of_instance(const CredentialSurroundings& surroundings) {
  if (base::equal_ignoring_case(surroundings.settings.variable("AWS_EC2_METADATA_DISABLED"), "true"))
    return Failure{std::string("AWS_EC2_METADATA_DISABLED is true")};
  DINETTE_TRY(auto server, instance_server(surroundings.settings));
  InstanceMetadata metadata(surroundings, std::move(server));
  DINETTE_CHECK(metadata.begin());
  DINETTE_TRY(const std::string names, metadata.get(roles));
  const std::string role = without_line_end(names.substr(0, names.find('\n')));
  if (!is_one_word(role) || role.find_first_of("/?#") != std::string::npos)
    return Failure{std::string("the instance has no role")};
  DINETTE_TRY(const std::string text, metadata.get(roles + role));
  auto found = read_metadata(text);
  if (!found) return Failure{"its metadata service " + found.error()};
  found->source = "the role of the instance";
  return found;
}

}  // namespace dinette::app

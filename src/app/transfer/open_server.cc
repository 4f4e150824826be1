#include "app/transfer/open_server.h"

#include <utility>

#include "app/address.h"
#include "app/called_server.h"
#include "app/credentials/credential_cache.h"
#include "app/credentials/endpoints.h"
#include "app/transfer/remote_operations.h"

namespace dinette::app {
namespace {

using base::Failure;

constexpr std::string_view of_aws = "aws";
constexpr std::string_view aws_service = "dynamodb";
constexpr std::string_view streams_service = "dynamodb_streams";
constexpr std::string_view streams_host = "streams.dynamodb";

/// Returns "eu-west-1" of "dynamodb.eu-west-1.amazonaws.com"; empty if it is another name.
std::string region_in(std::string_view host) {
  const std::size_t first = host.find('.');
  const std::size_t second = host.find('.', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return {};
  return std::string(host.substr(first + 1, second - first - 1));
}

Failure<std::string> no_region() {
  return Failure{std::string(
      "there is no region: add --region eu-west-1, set AWS_REGION, or set region in the profile")};
}

std::string url_of_place(const tcp::Remote& server) {
  return (server.tls ? "https://" : "http://") + http::host_of(server);
}

/// A server, requests to which the user's credentials sign.
base::Result<OpenedServer, std::string> signed_server(CredentialSurroundings surroundings, tcp::Remote server,
                                                      std::string region, const base::Clock& clock) {
  const auto cache = std::make_shared<CredentialCache>(std::move(surroundings), std::move(region));
  DINETTE_CHECK(cache->identity());
  OpenedServer opened;
  opened.url = url_of_place(server);
  opened.signed_by = cache->source();
  opened.renew = [cache] { cache->forget(); };
  opened.operations = std::make_unique<RemoteOperations>(
      std::move(server), [cache] { return cache->identity(); }, clock);
  return opened;
}

/// A server that takes any credentials, as stand-ins do.
OpenedServer other_server(tcp::Remote server, const std::string& region, const base::Clock& clock) {
  aws::SigningIdentity identity = identity_of_environment();
  if (!region.empty()) identity.region = region;
  OpenedServer opened;
  opened.url = url_of_place(server);
  opened.renew = [] {};
  opened.operations = std::make_unique<RemoteOperations>(std::move(server), std::move(identity), clock);
  return opened;
}

}  // namespace

bool is_server(const std::string& name) {
  return name == of_aws || is_url(name);
}

base::Result<OpenedServer, std::string> open_server(const ServerPlace& place, const base::Clock& clock) {
  auto surroundings = credential_surroundings(clock, place.profile, place.region);
  std::string region = chosen_region(surroundings.settings);
  if (place.name == of_aws) {
    if (region.empty()) return no_region();
    DINETTE_TRY(Endpoint found,
                place.of_streams ? find_endpoint(surroundings.settings, streams_service, region, streams_host)
                                 : find_endpoint(surroundings.settings, aws_service, region));
    return signed_server(std::move(surroundings), std::move(found.server), std::move(region), clock);
  }
  DINETTE_TRY(tcp::Remote server, read_url(place.name));
  verify_certificate(server, surroundings.settings);
  const bool is_of_aws = is_aws_host(server.host);
  if (!is_of_aws && place.profile.empty()) return other_server(std::move(server), place.region, clock);
  if (region.empty()) region = is_of_aws ? region_in(server.host) : "us-east-1";
  if (region.empty()) return no_region();
  return signed_server(std::move(surroundings), std::move(server), std::move(region), clock);
}

}  // namespace dinette::app

#include "app/pull/pull_source.h"

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

/// A source whose requests the user's credentials sign.
base::Result<OpenedSource, std::string> signed_source(CredentialSurroundings surroundings, tcp::Remote server,
                                                      std::string region, const base::Clock& clock) {
  const auto cache = std::make_shared<CredentialCache>(std::move(surroundings), std::move(region));
  DINETTE_CHECK(cache->identity());
  OpenedSource source;
  source.url = url_of_place(server);
  source.signed_by = cache->source();
  source.renew = [cache] { cache->forget(); };
  source.operations = std::make_unique<RemoteOperations>(
      std::move(server), [cache] { return cache->identity(); }, clock);
  return source;
}

/// A source that takes any credentials, as stand-ins do.
OpenedSource other_source(tcp::Remote server, const std::string& region, const base::Clock& clock) {
  aws::SigningIdentity identity = identity_of_environment();
  if (!region.empty()) identity.region = region;
  OpenedSource source;
  source.url = url_of_place(server);
  source.renew = [] {};
  source.operations = std::make_unique<RemoteOperations>(std::move(server), std::move(identity), clock);
  return source;
}

}  // namespace

base::Result<OpenedSource, std::string> open_source(const Options& options, const base::Clock& clock) {
  auto surroundings = credential_surroundings(clock, options.profile, options.source_region);
  std::string region = chosen_region(surroundings.settings);
  if (options.source == of_aws) {
    if (region.empty()) return no_region();
    DINETTE_TRY(Place place, find_endpoint(surroundings.settings, aws_service, region));
    return signed_source(std::move(surroundings), std::move(place.server), std::move(region), clock);
  }
  if (!is_url(options.source))
    return Failure{"--from takes aws, or the URL of a server such as http://127.0.0.1:8000, not '" +
                   options.source + "'; for files and data folders there is dinette import"};
  DINETTE_TRY(tcp::Remote server, read_url(options.source));
  verify_certificate(server, surroundings.settings);
  const bool is_of_aws = is_aws_host(server.host);
  if (!is_of_aws && options.profile.empty())
    return other_source(std::move(server), options.source_region, clock);
  if (region.empty()) region = is_of_aws ? region_in(server.host) : "us-east-1";
  if (region.empty()) return no_region();
  return signed_source(std::move(surroundings), std::move(server), std::move(region), clock);
}

}  // namespace dinette::app

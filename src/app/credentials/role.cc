#include "app/credentials/role.h"

#include <chrono>
#include <utility>
#include <vector>

#include "dinette/aws/sign_request.h"
#include "dinette/http/query_string.h"

#include "app/credentials/credential_answers.h"
#include "app/credentials/endpoints.h"
#include "app/credentials/requests.h"

namespace dinette::app {
namespace {

using base::Failure;

constexpr std::string_view sts = "sts";
constexpr int granted = 200;

using Form = std::vector<std::pair<std::string_view, std::string>>;

std::string body_of(const Form& form) {
  std::string body;
  for (const auto& [name, value] : form) {
    if (value.empty()) continue;
    if (!body.empty()) body += '&';
    body.append(name).append("=").append(http::percent_encode(value));
  }
  return body;
}

Form form_of(std::string action, const RoleRequest& role, base::TimePoint now) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
  return {{"Action", std::move(action)},
          {"Version", "2011-06-15"},
          {"RoleArn", role.arn},
          {"RoleSessionName",
           role.session_name.empty() ? "dinette-pull-" + std::to_string(seconds) : role.session_name},
          {"DurationSeconds", role.duration_seconds},
          {"ExternalId", role.external_id}};
}

FoundCredentials send_to_sts(const CredentialSurroundings& surroundings, const RoleRequest& role,
                             const Form& form, const Credentials* signer) {
  DINETTE_TRY(const Endpoint place, find_endpoint(surroundings.settings, sts, role.region));
  http::ClientRequest request{.method = "POST", .body = body_of(form)};
  request.headers = "Content-Type: application/x-www-form-urlencoded; charset=utf-8\r\n";
  if (signer != nullptr) {
    aws::sign_request_without_target(request, http::host_of(place.server), sts,
                                     {signer->access_key, signer->secret, signer->session_token, role.region},
                                     surroundings.clock.now());
  }
  const std::string what = role.named_by + ": assuming the role " + role.arn + " failed: ";
  const auto response = send_request(surroundings, place.server, request);
  if (!response) return Failure{what + response.error()};
  if (response->status != granted) {
    const std::string refusal = read_refusal(response->body);
    return Failure{what + (refusal.empty() ? "status " + std::to_string(response->status) : refusal)};
  }
  auto found = read_assumed_role(response->body);
  if (!found) return Failure{what + "STS " + found.error()};
  found->source = "the role " + role.arn + " of " + role.named_by;
  return found;
}

}  // namespace

FoundCredentials assume_role(const CredentialSurroundings& surroundings, const RoleRequest& role,
                             const Credentials& signer) {
  return send_to_sts(surroundings, role, form_of("AssumeRole", role, surroundings.clock.now()), &signer);
}

FoundCredentials assume_role_with_web_identity(const CredentialSurroundings& surroundings,
                                               const RoleRequest& role, const std::string& token_file) {
  const auto token = surroundings.read(token_file);
  if (!token) return Failure{role.named_by + ": the token of the web identity: " + token.error()};
  Form form = form_of("AssumeRoleWithWebIdentity", role, surroundings.clock.now());
  form.emplace_back("WebIdentityToken", without_line_end(*token));
  return send_to_sts(surroundings, role, form, nullptr);
}

}  // namespace dinette::app

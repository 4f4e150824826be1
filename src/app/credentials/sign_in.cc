#include "app/credentials/sign_in.h"

#include "dinette/base/ascii.h"
#include "dinette/base/sha1.h"
#include "dinette/http/query_string.h"

#include "app/credentials/credential_answers.h"
#include "app/credentials/endpoints.h"
#include "app/credentials/requests.h"

namespace dinette::app {
namespace {

using base::Failure;

constexpr int portal_success = 200;
constexpr int unauthorized = 401;

struct SignIn {
  std::string cached_as;  ///< the text whose digest is the name of the token's file
  std::string region;
  std::string account;
  std::string role;
};

std::string what_to_do(const Profile& profile) {
  return "; sign in again: aws sso login --profile " + profile.name();
}

base::Result<SignIn, std::string> read_sign_in(const Profile& profile) {
  const std::string session = profile.find("sso_session").value;
  const Setting region = session.empty() ? profile.find("sso_region") : profile.find_of_session("sso_region");
  const Setting url =
      session.empty() ? profile.find("sso_start_url") : profile.find_of_session("sso_start_url");
  SignIn found{session.empty() ? url.value : session, region.value, profile.find("sso_account_id").value,
               profile.find("sso_role_name").value};
  if (!session.empty() && (!region || !url))
    return Failure{"profile " + profile.name() + ": there is no [sso-session " + session +
                   "] with sso_region and sso_start_url; see aws configure sso"};
  if (found.cached_as.empty() || found.region.empty() || found.account.empty() || found.role.empty())
    return Failure{"profile " + profile.name() +
                   " signs in, but lacks sso_start_url, sso_region, sso_account_id or sso_role_name; see aws "
                   "configure sso"};
  if (!is_one_word(found.region) || !is_one_word(found.account) || !is_one_word(found.role))
    return Failure{"profile " + profile.name() +
                   ": sso_region, sso_account_id and sso_role_name have no spaces"};
  return found;
}

base::Result<SignInToken, std::string> find_token(const CredentialSurroundings& surroundings,
                                                  const Profile& profile, const SignIn& sign_in) {
  const std::string path =
      surroundings.home() + "/.aws/sso/cache/" + base::hex(base::sha1(sign_in.cached_as)) + ".json";
  const auto text = surroundings.read(path);
  if (!text) return Failure{"profile " + profile.name() + " has not signed in" + what_to_do(profile)};
  auto token = read_sign_in_token(*text);
  if (!token) return Failure{path + " " + token.error() + what_to_do(profile)};
  if (token->expires <= surroundings.clock.now())
    return Failure{"the sign-in of profile " + profile.name() + " has expired" + what_to_do(profile)};
  return token;
}

}  // namespace

FoundCredentials of_sign_in(const CredentialSurroundings& surroundings, const Profile& profile) {
  DINETTE_TRY(const SignIn sign_in, read_sign_in(profile));
  DINETTE_TRY(const SignInToken token, find_token(surroundings, profile, sign_in));
  DINETTE_TRY(const Endpoint place,
              find_endpoint(surroundings.settings, "sso", sign_in.region, "portal.sso"));
  const http::ClientRequest request{
      .target = "/federation/credentials?role_name=" + http::percent_encode(sign_in.role) +
                "&account_id=" + http::percent_encode(sign_in.account),
      .headers = "x-amz-sso_bearer_token: " + token.token + "\r\n"};
  const auto response = send_request(surroundings, place.server, request);
  if (!response) return Failure{"profile " + profile.name() + ": " + response.error()};
  if (response->status == unauthorized)
    return Failure{"the sign-in of profile " + profile.name() + " is not valid any more" +
                   what_to_do(profile)};
  if (response->status != portal_success) {
    const std::string refusal = read_refusal(response->body);
    return Failure{
        "profile " + profile.name() + ": the role " + sign_in.role + " in account " + sign_in.account +
        " is refused: " + (refusal.empty() ? "status " + std::to_string(response->status) : refusal)};
  }
  auto found = read_role_credentials(response->body);
  if (!found) return Failure{"profile " + profile.name() + ": the portal " + found.error()};
  found->source = "the sign-in of profile " + profile.name();
  return found;
}

}  // namespace dinette::app

#include "app/credentials/profile_credentials.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "app/credentials/credential_answers.h"
#include "app/credentials/metadata.h"
#include "app/credentials/profile.h"
#include "app/credentials/requests.h"
#include "app/credentials/role.h"
#include "app/credentials/sign_in.h"

namespace dinette::app {
namespace {

using base::Failure;
using Found = std::optional<FoundCredentials>;

constexpr std::size_t most_profiles = 16;  ///< that refer to one another

/// Keys that another program has can be brought by the environment.
std::string with_other_program(const std::string& name) {
  return "; let the AWS CLI do that: eval \"$(aws configure export-credentials --profile " + name +
         " --format env)\", and leave out --profile";
}

Found static_keys(const Profile& profile) {
  const Setting key = profile.find("aws_access_key_id");
  if (!key) return std::nullopt;
  const Setting secret = profile.find("aws_secret_access_key");
  if (!secret)
    return Failure{"profile " + profile.name() + " has aws_access_key_id, but no aws_secret_access_key"};
  return Credentials{.access_key = key.value,
                     .secret = secret.value,
                     .session_token = profile.find("aws_session_token").value,
                     .source = "profile " + profile.name()};
}

FoundCredentials of_program(const CredentialSurroundings& surroundings, const Profile& profile,
                            const std::string& command) {
  const std::string what = "credential_process of profile " + profile.name() + " ";
  const auto output = surroundings.run(command);
  if (!output) return Failure{what + output.error()};
  auto found = read_process_output(*output);
  if (!found) return Failure{what + found.error()};
  found->source = "credential_process of profile " + profile.name();
  return found;
}

/// The search through profiles that refer to one another.
class ProfileSearch {
 public:
  explicit ProfileSearch(const CredentialSurroundings& surroundings) : surroundings_(surroundings) {}

  /// `as_source`: of a role; then its own keys count before a role of its own.
  Found find(const std::string& name, bool as_source) {
    const Profile profile(surroundings_.settings, name);
    if (!profile.exists()) return Failure{"there is no profile " + name};
    if (as_source) {
      if (auto keys = static_keys(profile)) return keys;
    }
    if (std::ranges::find(visited_, name) != visited_.end() || visited_.size() == most_profiles)
      return Failure{"the profiles " + visited_.front() + " and " + name + " need each other's credentials"};
    visited_.push_back(name);
    if (const Setting arn = profile.find("role_arn")) return of_role(profile, arn.value);
    if (profile.find("sso_session") || profile.find("sso_start_url"))
      return of_sign_in(surroundings_, profile);
    if (auto keys = static_keys(profile)) return keys;
    if (const Setting program = profile.find("credential_process"))
      return of_program(surroundings_, profile, program.value);
    if (profile.find("login_session"))
      return Failure{"profile " + name + " signs in by aws login, which is not supported" +
                     with_other_program(name)};
    return std::nullopt;
  }

 private:
  RoleRequest request_of(const Profile& profile, const std::string& arn) const {
    const std::string region = chosen_region(surroundings_.settings);
    return {.arn = arn,
            .session_name = profile.find("role_session_name").value,
            .external_id = profile.find("external_id").value,
            .duration_seconds = profile.find("duration_seconds").value,
            .region = region.empty() ? "us-east-1" : region,
            .named_by = "profile " + profile.name()};
  }

  FoundCredentials of_role(const Profile& profile, const std::string& arn) {
    const RoleRequest role = request_of(profile, arn);
    if (const Setting file = profile.find("web_identity_token_file"))
      return assume_role_with_web_identity(surroundings_, role, file.value);
    if (profile.find("mfa_serial"))
      return Failure{"the role of profile " + profile.name() + " needs a code (mfa_serial)" +
                     with_other_program(profile.name())};
    DINETTE_TRY(const Credentials signer, signer_of(profile));
    return assume_role(surroundings_, role, signer);
  }

  FoundCredentials signer_of(const Profile& profile) {
    const std::string other = profile.find("source_profile").value;
    const std::string source = profile.find("credential_source").value;
    if (other.empty() == source.empty())
      return Failure{"profile " + profile.name() +
                     " has a role_arn, and so needs one of source_profile and credential_source"};
    if (!other.empty()) return needed(find(other, true), "source_profile " + other);
    if (source == "Environment") return needed(keys_of_environment(), "credential_source Environment");
    if (source == "EcsContainer")
      return needed(of_container(surroundings_), "credential_source EcsContainer");
    if (source == "Ec2InstanceMetadata") return of_instance(surroundings_);
    return Failure{"credential_source of profile " + profile.name() +
                   " is none of Environment, EcsContainer and Ec2InstanceMetadata"};
  }

  static FoundCredentials needed(Found found, const std::string& what) {
    if (found) return *std::move(found);
    return Failure{what + " has no credentials"};
  }

  Found keys_of_environment() const {
    const ClientSurroundings& settings = surroundings_.settings;
    Credentials found{.access_key = settings.variable("AWS_ACCESS_KEY_ID"),
                      .secret = settings.variable("AWS_SECRET_ACCESS_KEY"),
                      .session_token = settings.variable("AWS_SESSION_TOKEN"),
                      .source = "the environment"};
    if (found.access_key.empty() || found.secret.empty()) return std::nullopt;
    return found;
  }

  const CredentialSurroundings& surroundings_;
  std::vector<std::string> visited_;
};

}  // namespace

std::optional<FoundCredentials> of_profile(const CredentialSurroundings& surroundings,
                                           const std::string& name) {
  return ProfileSearch(surroundings).find(name, false);
}

}  // namespace dinette::app

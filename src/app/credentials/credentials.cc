#include "app/credentials/credentials.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "app/credentials/metadata.h"
#include "app/credentials/profile.h"
#include "app/credentials/profile_credentials.h"
#include "app/credentials/role.h"
#include "app/credentials/run_program.h"

namespace dinette::app {
namespace {

using base::Failure;

constexpr const char* key_variable = "AWS_ACCESS_KEY_ID";
constexpr const char* secret_variable = "AWS_SECRET_ACCESS_KEY";
constexpr const char* token_variable = "AWS_SESSION_TOKEN";

base::Result<std::string, std::string> read_small_file(const std::string& path) {
  std::error_code ignored;
  std::ifstream file(path, std::ios::binary);
  std::string text(most_credential_bytes + 1, '\0');
  if (!file || std::filesystem::is_directory(path, ignored)) return Failure{path + " cannot be read"};
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > most_credential_bytes) return Failure{path + " is too long"};
  return text;
}

std::optional<FoundCredentials> of_environment(const ClientSurroundings& settings) {
  const std::string key = settings.variable(key_variable);
  const std::string secret = settings.variable(secret_variable);
  if (key.empty() && secret.empty()) return std::nullopt;
  if (key.empty() || secret.empty())
    return FoundCredentials(
        Failure{std::string("of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY only one is set")});
  return Credentials{.access_key = key,
                     .secret = secret,
                     .session_token = settings.variable(token_variable),
                     .source = "the environment"};
}

std::optional<FoundCredentials> of_web_identity(const CredentialSurroundings& surroundings) {
  const ClientSurroundings& settings = surroundings.settings;
  const std::string file = settings.variable("AWS_WEB_IDENTITY_TOKEN_FILE");
  const std::string arn = settings.variable("AWS_ROLE_ARN");
  if (file.empty() || arn.empty()) return std::nullopt;
  const std::string region = chosen_region(settings);
  return assume_role_with_web_identity(surroundings,
                                       {.arn = arn,
                                        .session_name = settings.variable("AWS_ROLE_SESSION_NAME"),
                                        .region = region.empty() ? "us-east-1" : region,
                                        .named_by = "the environment"},
                                       file);
}

std::string known_profiles(const ClientSurroundings& settings) {
  std::string names;
  for (const std::string& name : profile_names(settings)) names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? "~/.aws/config and ~/.aws/credentials have no profiles" : "profiles are " + names;
}

std::string nothing_found(const CredentialSurroundings& surroundings, const std::string& of_instance) {
  const std::string profile = chosen_profile(surroundings.settings);
  const bool exists = Profile(surroundings.settings, profile).exists();
  return "there are no credentials for AWS. Tried: the environment (AWS_ACCESS_KEY_ID is not set), profile " +
         profile +
         (exists ? " (has no keys)" : " (does not exist; " + known_profiles(surroundings.settings) + ")") +
         ", the container (AWS_CONTAINER_CREDENTIALS_FULL_URI is not set), the instance (" + of_instance +
         "). Name a profile with --profile, or set one up: aws configure";
}

}  // namespace

CredentialSurroundings credential_surroundings(const base::Clock& clock, const std::string& profile,
                                               const std::string& region) {
  CredentialSurroundings here{
      .settings = surroundings_here(),
      .profile_chosen = !profile.empty(),
      .clock = clock,
      .fetch = [](const tcp::Remote& server, const http::ClientRequest& request,
                  const http::ClientLimits& limits) { return http::fetch(server, request, limits); },
      .run = [](const std::string& command) { return run_program(command); },
      .read = read_small_file};
  if (!profile.empty()) here.settings.variables["AWS_PROFILE"] = profile;
  if (!region.empty()) here.settings.variables["AWS_REGION"] = region;
  return here;
}

std::string chosen_profile(const ClientSurroundings& settings) {
  const Setting set = first_variable(settings, {"AWS_PROFILE", "AWS_DEFAULT_PROFILE"});
  return set ? set.value : "default";
}

std::string chosen_region(const ClientSurroundings& settings) {
  return settings_of(settings).region.value;
}

FoundCredentials find_credentials(const CredentialSurroundings& surroundings) {
  const ClientSurroundings& settings = surroundings.settings;
  if (!surroundings.profile_chosen) {
    if (auto found = of_environment(settings)) return *std::move(found);
    if (auto found = of_web_identity(surroundings)) return *std::move(found);
  }
  const std::string name = chosen_profile(settings);
  const bool named =
      surroundings.profile_chosen || first_variable(settings, {"AWS_PROFILE", "AWS_DEFAULT_PROFILE"});
  if (Profile(settings, name).exists()) {
    if (auto found = of_profile(surroundings, name)) return *std::move(found);
    if (named) return Failure{"profile " + name + " has no credentials, and does not say where they are"};
  } else if (named) {
    return Failure{"there is no profile " + name + "; " + known_profiles(settings)};
  }
  if (auto found = of_container(surroundings)) return *std::move(found);
  auto found = of_instance(surroundings);
  if (!found) return Failure{nothing_found(surroundings, found.error())};
  return found;
}

}  // namespace dinette::app

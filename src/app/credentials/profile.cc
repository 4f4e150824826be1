#include "app/credentials/profile.h"

#include <algorithm>
#include <array>
#include <set>

namespace dinette::app {
namespace {

constexpr std::string_view profile_mark = "profile ";

std::string find_in(const AwsSection& section, const std::string& name) {
  const auto found = section.find(name);
  return found == section.end() ? "" : found->second;
}

AwsSection section_of(const AwsFile& file, const std::string& name) {
  const auto found = file.find(name);
  return found == file.end() ? AwsSection{} : found->second;
}

}  // namespace

Profile::Profile(const ClientSurroundings& surroundings, const std::string& name)
    : name_(name),
      config_(section_of(surroundings.config,
                         name == "default" && !surroundings.config.contains("profile default")
                             ? name
                             : std::string(profile_mark) + name)),
      credentials_(section_of(surroundings.credentials, name)),
      services_(section_of(surroundings.config, "services " + find_in(config_, "services"))),
      session_(section_of(surroundings.config, "sso-session " + find_in(config_, "sso_session"))) {}

Setting Profile::find(const std::string& name) const {
  std::string value = find_in(credentials_, name);
  if (value.empty()) value = find_in(config_, name);
  return value.empty() ? Setting{} : Setting{value, name + " of profile " + name_};
}

Setting Profile::find_of_service(std::string_view service, const std::string& name) const {
  const std::string value = find_in(services_, std::string(service) + "." + name);
  if (value.empty()) return {};
  return {value, name + " of services " + find_in(config_, "services")};
}

Setting Profile::find_of_session(const std::string& name) const {
  const std::string value = find_in(session_, name);
  if (value.empty()) return {};
  return {value, name + " of sso-session " + find_in(config_, "sso_session")};
}

bool Profile::has_other_provider() const {
  return std::ranges::any_of(std::array{"sso_session", "sso_start_url", "credential_process", "role_arn",
                                        "web_identity_token_file", "login_session"},
                             [&](const char* name) {
                               return !find_in(config_, name).empty() || !find_in(credentials_, name).empty();
                             });
}

std::vector<std::string> profile_names(const ClientSurroundings& surroundings) {
  std::set<std::string> names;
  for (const auto& [name, section] : surroundings.credentials) names.insert(name);
  for (const auto& [name, section] : surroundings.config) {
    if (name == "default") names.insert(name);
    if (name.starts_with(profile_mark)) names.insert(name.substr(profile_mark.size()));
  }
  return {names.begin(), names.end()};
}

}  // namespace dinette::app

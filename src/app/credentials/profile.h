#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/credentials/client_settings.h"

namespace dinette::app {

/// The sections of one profile, in both files.
class Profile {
 public:
  Profile(const ClientSurroundings& surroundings, const std::string& name);

  const std::string& name() const { return name_; }
  bool exists() const { return !config_.empty() || !credentials_.empty(); }

  /// Returns a setting of either file; credentials first, as most SDKs.
  Setting find(const std::string& name) const;
  /// Returns a setting of the section of services that the profile names. `service`: "dynamodb", "sts".
  Setting find_of_service(std::string_view service, const std::string& name) const;
  /// Returns a setting of the section of an SSO session that the profile names.
  Setting find_of_session(const std::string& name) const;

  /// Returns true if its keys come from a sign-in, a role or a program.
  bool has_other_provider() const;

 private:
  const std::string name_;
  const AwsSection config_;
  const AwsSection credentials_;
  const AwsSection services_;
  const AwsSection session_;
};

/// Returns the names of the profiles in both files, without those of the other sections.
std::vector<std::string> profile_names(const ClientSurroundings& surroundings);

}  // namespace dinette::app

#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

#include "app/credentials/aws_files.h"

namespace dinette::app {

/// What SDKs of AWS read their settings from.
struct ClientSurroundings {
  std::map<std::string, std::string> variables;  ///< of the environment
  AwsFile config;                                ///< of ~/.aws/config
  AwsFile credentials;                           ///< of ~/.aws/credentials
  std::function<bool(const std::string& path)> is_readable = [](const std::string&) { return true; };

  /// Returns the value of a variable; empty: not set, or set to nothing.
  std::string variable(const std::string& name) const;
};

/// A value, and where it is set: "AWS_REGION", "region of profile default". Empty: not set.
struct Setting {
  std::string value = {};
  std::string source = {};

  explicit operator bool() const { return !value.empty(); }
};

/// Returns the first of the variables that is set.
Setting first_variable(const ClientSurroundings& surroundings, std::initializer_list<const char*> names);

class Profile;

/// Returns the URL of a service, such as "dynamodb" or "sts", that is configured; empty: none.
Setting configured_endpoint(const ClientSurroundings& surroundings, const Profile& profile,
                            std::string_view service);

/// The settings of a client that its code gives none, as most SDKs read them.
struct ClientSettings {
  Setting profile;
  bool has_profile = false;  ///< a file has a section for it
  Setting endpoint;
  Setting ignored_endpoint;  ///< one that is configured, but must not be used
  Setting ignoring;          ///< what forbids it
  Setting region;
  Setting access_key;
  Setting secret;
  std::string session_token;
  bool other_provider = false;  ///< keys come from a sign-in, a role or a program
  Setting ca_bundle;
};

/// Returns what programs started by this one would see. A file that is missing or has more than a megabyte
/// counts as empty.
ClientSurroundings surroundings_here();

ClientSettings settings_of(const ClientSurroundings& surroundings);

/// Returns the proxy that the AWS CLI and boto3 would take for a host; empty: none.
Setting proxy_for(const ClientSurroundings& surroundings, std::string_view host, bool tls);

}  // namespace dinette::app

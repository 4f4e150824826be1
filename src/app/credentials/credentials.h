#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/base/result.h"
#include "dinette/http/client.h"

#include "app/credentials/client_settings.h"

namespace dinette::app {

/// Keys that sign requests. Never to be logged.
struct Credentials {
  std::string access_key;
  std::string secret;
  std::string session_token = {};               ///< empty: none
  std::optional<base::TimePoint> expires = {};  ///< none: never, or not known
  std::string source = {};                      ///< where they are from, for the user: "profile prod"
};

/// What credentials are found with, so that tests can answer. The settings are those of the user, with what
/// options override.
struct CredentialSurroundings {
  using Fetch = std::function<base::Result<http::ClientResponse, http::ClientError>(
      const tcp::Remote& server, const http::ClientRequest& request, const http::ClientLimits& limits)>;

  ClientSurroundings settings;
  bool profile_chosen = false;  ///< by an option: keys of the environment do not count
  const base::Clock& clock;
  Fetch fetch;
  /// Returns what a command line prints. The error is a sentence without what it printed.
  std::function<base::Result<std::string, std::string>(const std::string& command)> run;
  /// Returns what is in a small file. The error is a sentence.
  std::function<base::Result<std::string, std::string>(const std::string& path)> read;

  std::string home() const { return settings.variable("HOME"); }
};

/// The same for this process. `profile` and `region`: of options; empty: none. `clock` must outlive it.
CredentialSurroundings credential_surroundings(const base::Clock& clock, const std::string& profile,
                                               const std::string& region);

/// Finds credentials as the SDKs of AWS do: keys of the environment, a web identity of the environment, the
/// profile (a role, a web identity, a sign-in, keys, a program), the container, the instance. The first that
/// is configured counts: if it fails, so does the call. The error is a sentence for the user: what was tried,
/// and what to do. It has no secrets.
base::Result<Credentials, std::string> find_credentials(const CredentialSurroundings& surroundings);

/// What several ways of finding them need.
using FoundCredentials = base::Result<Credentials, std::string>;

/// Most bytes of a response or a file that has credentials.
inline constexpr std::size_t most_credential_bytes = 256 * 1024;

/// Returns the profile that counts: "default" unless it is chosen.
std::string chosen_profile(const ClientSurroundings& settings);

/// Returns the region that counts; empty: none is configured.
std::string chosen_region(const ClientSurroundings& settings);

}  // namespace dinette::app

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dinette/base/clock.h"

#include "app/credentials/client_settings.h"
#include "app/doctor/observed_server.h"
#include "app/doctor/remedy.h"

namespace dinette::app {

struct Finding {
  std::string what;  ///< is wrong
  std::string why;   ///< it matters
  Remedy remedy;
};

using Findings = std::vector<Finding>;

/// Returns the URL that was probably meant, without what no client may send to: "http://localhost:8000" of
/// "localhost:8000" and of "http://localhost:8000/path"; empty if that is no URL, either.
std::string repaired_url(const std::string& endpoint);

/// The server that clients are to call.
struct Subject {
  std::string named = {};                  ///< its URL, if the user has named it; else empty
  std::string url = {};                    ///< its URL: that one, the clients', or the best guess
  std::optional<tcp::Remote> server = {};  ///< the URL's parts, if it can be read
};

/// Returns what is wrong with settings, whatever the server.
Findings settings_findings(const ClientSurroundings& surroundings, const ClientSettings& settings,
                           const Subject& subject);

/// What is known about a server and what else is there.
struct Examination {
  std::string url;
  tcp::Remote server;
  ObservedServer observed;
  std::vector<std::pair<std::string, ServerKind>> elsewhere =
      {};                                       ///< URLs where something answers as DynamoDB
  base::TimePoint now;                          ///< by this machine
  std::vector<std::string> own_addresses = {};  ///< of this machine
  bool in_container = false;                    ///< this machine is one
  std::uint16_t free_port = 8000;               ///< nothing listens there
  long process = 0;         ///< the Dinette on this machine that listens at the URL; 0: not known
  std::string folder = {};  ///< for files that are made here
};

/// Returns what is wrong between settings and a server.
Findings server_findings(const ClientSettings& settings, const Examination& examination);

}  // namespace dinette::app

#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dinette/base/clock.h"

#include "app/doctor/client_settings.h"
#include "app/doctor/observed_server.h"

namespace dinette::app {

struct Finding {
  std::string what;  ///< is wrong
  std::string why;   ///< it matters
  std::string todo;  ///< what to type, or to change
};

using Findings = std::vector<Finding>;

/// Returns what is wrong with settings, whatever the server. `url`: the server that clients are to call;
/// empty: the one that the settings name. `server`: its parts, if it can be read.
Findings settings_findings(const ClientSurroundings& surroundings, const ClientSettings& settings,
                           const std::string& url, const std::optional<tcp::Remote>& server);

/// What is known about a server and what else is there.
struct Examination {
  std::string url;
  tcp::Remote server;
  ObservedServer observed;
  std::vector<std::pair<std::string, ServerKind>> elsewhere;  ///< URLs where something answers as DynamoDB
  base::TimePoint now;                                        ///< by this machine
};

/// Returns what is wrong between settings and a server.
Findings server_findings(const ClientSettings& settings, const Examination& examination);

}  // namespace dinette::app

#include "app/doctor/run_doctor.h"

#include <array>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

#include <unistd.h>

#include "app/address.h"
#include "app/doctor/findings.h"
#include "app/remote_operations.h"

namespace dinette::app {
namespace {

constexpr const char* default_url = "http://127.0.0.1:8000";

/// Where DynamoDB's stand-ins listen by default.
constexpr std::array<std::uint16_t, 6> usual_ports{8000, 4566, 4567, 5000, 8001, 8080};

std::string contents_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

ClientSurroundings surroundings_here() {
  ClientSurroundings here;
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string_view text = *one;
    const auto equals = text.find('=');
    if (equals != std::string_view::npos)
      here.variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  const auto path_of = [&](const char* variable, const char* name) {
    const std::string set = here.variable(variable);
    return set.empty() ? here.variable("HOME") + "/.aws/" + name : set;
  };
  here.config = read_aws_file(contents_of(path_of("AWS_CONFIG_FILE", "config")));
  here.credentials = read_aws_file(contents_of(path_of("AWS_SHARED_CREDENTIALS_FILE", "credentials")));
  here.is_readable = [](const std::string& path) { return access(path.c_str(), R_OK) == 0; };
  return here;
}

/// Returns the identity of a client, with what every server takes where it has none.
aws::SigningIdentity identity_of(const ClientSettings& settings) {
  const auto either = [](const Setting& setting, const char* fallback) {
    return setting ? setting.value : std::string(fallback);
  };
  return {.access_key = either(settings.access_key, "dinette"),
          .secret = either(settings.secret, "dinette"),
          .session_token = settings.session_token,
          .region = either(settings.region, "us-east-1")};
}

Examination examine(const std::string& url, const tcp::Remote& server, const ClientSettings& settings) {
  const base::SystemClock clock;
  Examination found{url, server, observe(server, identity_of(settings), clock), {}, clock.now()};
  if (found.observed.contact != Contact::no_connection) return found;
  for (const std::uint16_t port : usual_ports) {
    if (port == server.port) continue;
    if (const auto kind = kind_on({.host = server.host, .port = port}))
      found.elsewhere.emplace_back(url_of(server.host, port, false), *kind);
  }
  return found;
}

std::string from(const Setting& setting) {
  if (!setting) return "none";
  return setting.value + (setting.source.empty() ? "" : " (" + setting.source + ")");
}

void print(const std::string& url, const ClientSettings& settings, const Findings& findings) {
  std::cout << "server      " << url << "\n"
            << "endpoint    " << from(settings.endpoint) << "\n"
            << "profile     " << from(settings.profile) << "\n"
            << "region      " << from(settings.region) << "\n"
            << "access key  " << from(settings.access_key) << "\n";
  int number = 0;
  for (const Finding& finding : findings) {
    std::cout << "\n"
              << ++number << ". " << finding.what << "\n   " << finding.why << "\n\n     " << finding.todo
              << "\n";
  }
  if (findings.empty()) std::cout << "\nall is well\n";
}

}  // namespace

base::Result<void, std::string> run_doctor(const Options& options) {
  const ClientSurroundings surroundings = surroundings_here();
  const ClientSettings settings = settings_of(surroundings);
  std::string url = options.source.empty() ? settings.endpoint.value : options.source;
  if (url.empty()) url = default_url;
  std::optional<tcp::Remote> server;
  if (is_url(url)) {
    if (auto read = read_url(url)) server = *std::move(read);
  }
  if (!server && !options.source.empty())
    return base::Failure{"'" + url + "' is not the URL of a server, such as " + default_url};
  if (server) {
    server->verify = true;
    server->trusted_file = settings.ca_bundle.value;
  }
  Findings findings = settings_findings(surroundings, settings, options.source, server);
  if (server) {
    for (Finding& finding : server_findings(settings, examine(url, *server, settings)))
      findings.push_back(std::move(finding));
  }
  print(url, settings, findings);
  if (findings.empty()) return {};
  return base::Failure{"found " + std::to_string(findings.size()) +
                       (findings.size() == 1 ? " problem" : " problems")};
}

}  // namespace dinette::app

#include "app/doctor/run_doctor.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "dinette/http/local_host.h"
#include "dinette/http/tokens.h"

#include "app/address.h"
#include "app/called_server.h"
#include "app/doctor/findings.h"
#include "app/doctor/listening_dinettes.h"

namespace dinette::app {
namespace {

constexpr const char* default_url = "http://127.0.0.1:8000";

/// Where DynamoDB's stand-ins listen by default.
constexpr std::array<std::uint16_t, 6> usual_ports{8000, 4566, 4567, 5000, 8001, 8080};

/// A remedy may reveal what it was hidden by; more than this are not related.
constexpr int most_rounds = 6;

struct Diagnosis {
  ClientSettings settings = {};
  std::string url = {};
  Findings findings = {};
};

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

/// Returns the URL of a Dinette on this machine, with what it serves there; nothing if it does not answer.
std::optional<std::string> url_of_running(const ListeningDinette& dinette) {
  const std::string host(reachable(dinette.address));
  for (const bool tls : {false, true}) {
    if (kind_on({.host = host, .port = dinette.port, .tls = tls})) return url_of(host, dinette.port, tls);
  }
  return std::nullopt;
}

/// Returns what answers as DynamoDB on this machine or on the usual ports of a host; Dinettes first.
std::vector<std::pair<std::string, ServerKind>> search(const tcp::Remote& server,
                                                       const std::vector<ListeningDinette>& dinettes) {
  std::vector<std::pair<std::string, ServerKind>> found;
  for (const ListeningDinette& one : dinettes) {
    const bool listed = std::ranges::any_of(
        found, [&](const auto& other) { return other.first.ends_with(":" + std::to_string(one.port)); });
    if (listed) continue;  // both addresses of one server
    if (const auto url = url_of_running(one)) found.emplace_back(*url, ServerKind::dinette);
  }
  for (const std::uint16_t port : usual_ports) {
    if (port == server.port) continue;
    const std::string url = url_of(server.host, port, false);
    if (const auto kind = kind_on({.host = server.host, .port = port}))
      if (*kind != ServerKind::dinette || found.empty()) found.emplace_back(url, *kind);
  }
  return found;
}

std::uint16_t find_free_port() {
  constexpr std::uint16_t first = 8000;
  constexpr std::uint16_t last = 8099;
  for (std::uint16_t port = first; port < last; ++port) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
    if (!tcp::Stream::connect({.host = "localhost", .port = port}, deadline)) return port;
  }
  return last;
}

bool is_container() {
  std::error_code ignored;
  return std::filesystem::exists("/.dockerenv", ignored) ||
         std::filesystem::exists("/run/.containerenv", ignored);
}

Examination examine(const Subject& subject, const ClientSettings& settings,
                    const std::vector<ListeningDinette>& dinettes) {
  const base::SystemClock clock;
  const tcp::Remote& server = *subject.server;
  Examination found{.url = subject.url,
                    .server = server,
                    .observed = observe(server, identity_of(settings), clock),
                    .now = clock.now(),
                    .own_addresses = http::own_addresses(),
                    .in_container = is_container()};
  const ObservedServer& observed = found.observed;
  if (observed.contact == Contact::answered && observed.kind == ServerKind::dinette) return found;
  found.elsewhere = search(server, dinettes);
  found.free_port = find_free_port();
  std::error_code ignored;
  found.folder = std::filesystem::current_path(ignored).string();
  const auto process = std::ranges::find(dinettes, server.port, &ListeningDinette::port);
  if (process != dinettes.end()) found.process = process->process;
  return found;
}

std::string from(const Setting& setting) {
  if (!setting) return "none";
  return setting.value + (setting.source.empty() ? "" : " (" + setting.source + ")");
}

void print(std::ostream& out, const Diagnosis& diagnosis) {
  const ClientSettings& settings = diagnosis.settings;
  out << "server      " << diagnosis.url << "\n"
      << "endpoint    " << from(settings.endpoint) << "\n"
      << "profile     " << from(settings.profile) << "\n"
      << "region      " << from(settings.region) << "\n"
      << "access key  " << from(settings.access_key) << "\n";
  int number = 0;
  for (const Finding& finding : diagnosis.findings) {
    out << "\n" << ++number << ". " << finding.what << "\n   " << finding.why << "\n";
    const std::string todo = text_of(finding.remedy);
    for (std::string_view rest = todo; !rest.empty();)
      out << (rest.size() == todo.size() ? "\n" : "") << "     " << http::take_until(rest, '\n') << "\n";
  }
  if (diagnosis.findings.empty()) out << "\nall is well\n";
}

/// Returns the server that is to be examined.
Subject subject_of(const ClientSettings& settings, const std::string& named,
                   const std::vector<ListeningDinette>& dinettes) {
  Subject subject{.named = named, .url = named.empty() ? settings.endpoint.value : named};
  if (!is_url(subject.url) || !read_url(subject.url)) {
    const std::string repaired = subject.url.empty() ? "" : repaired_url(subject.url);
    subject.url = repaired;
    for (const ListeningDinette& one : dinettes) {
      if (!subject.url.empty()) break;
      subject.url = url_of_running(one).value_or("");
    }
    if (subject.url.empty()) subject.url = default_url;
  }
  subject.server = *read_url(subject.url);
  subject.server->verify = true;
  subject.server->trusted_file = settings.ca_bundle.value;
  return subject;
}

Diagnosis diagnose(const ClientSurroundings& surroundings, const std::string& named) {
  const auto dinettes = listening_dinettes();
  Diagnosis diagnosis{.settings = settings_of(surroundings)};
  const Subject subject = subject_of(diagnosis.settings, named, dinettes);
  diagnosis.url = subject.url;
  diagnosis.findings = settings_findings(surroundings, diagnosis.settings, subject);
  for (Finding& finding : server_findings(diagnosis.settings, examine(subject, diagnosis.settings, dinettes)))
    diagnosis.findings.push_back(std::move(finding));
  return diagnosis;
}

void apply(const std::vector<Assignment>& changes, std::map<std::string, std::string>& variables) {
  for (const Assignment& one : changes) {
    if (one.value)
      variables[one.name] = *one.value;
    else
      variables.erase(one.name);
  }
}

/// Returns what is to be set and unset to come from some variables to others.
std::vector<Assignment> changes_between(const std::map<std::string, std::string>& before,
                                        const std::map<std::string, std::string>& after) {
  std::vector<Assignment> changes;
  for (const auto& [name, value] : before) {
    if (!after.contains(name)) changes.push_back({name, std::nullopt});
  }
  for (const auto& [name, value] : after) {
    const auto old = before.find(name);
    if (old == before.end() || old->second != value) changes.push_back({name, value});
  }
  return changes;
}

/// Follows the remedies that are settings alone, and prints these settings. Returns what is left to be found.
Diagnosis fix_environment(ClientSurroundings surroundings, const std::string& named) {
  const auto before = surroundings.variables;
  Diagnosis diagnosis = diagnose(surroundings, named);
  for (int round = 1; round < most_rounds; ++round) {
    const auto last = surroundings.variables;
    for (const Finding& finding : diagnosis.findings) {
      if (finding.remedy.command.empty()) apply(finding.remedy.environment, surroundings.variables);
    }
    if (surroundings.variables == last) break;
    diagnosis = diagnose(surroundings, named);
  }
  const std::string lines = text_of(changes_between(before, surroundings.variables));
  std::cout << lines << (lines.empty() ? "" : "\n") << std::flush;
  return diagnosis;
}

}  // namespace

base::Result<void, std::string> run_doctor(const Options& options) {
  const std::string& named = options.source;
  if (!named.empty() && (!is_url(named) || !read_url(named)))
    return base::Failure{"'" + named + "' is not the URL of a server, such as " + default_url};
  const ClientSurroundings surroundings = surroundings_here();
  const Diagnosis diagnosis =
      options.fix_env ? fix_environment(surroundings, named) : diagnose(surroundings, named);
  if (!options.fix_env || !diagnosis.findings.empty())
    print(options.fix_env ? std::cerr : std::cout, diagnosis);
  const std::size_t count = diagnosis.findings.size();
  if (count == 0) return {};
  return base::Failure{"found " + std::to_string(count) + (count == 1 ? " problem" : " problems")};
}

}  // namespace dinette::app

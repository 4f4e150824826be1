#include "app/doctor/findings.h"

#include <algorithm>
#include <chrono>

#include "dinette/base/ascii.h"
#include "dinette/http/local_host.h"
#include "dinette/http/tokens.h"
#include "dinette/tcp/address.h"

#include "app/address.h"
#include "app/called_server.h"
#include "app/shell_word.h"

namespace dinette::app {
namespace {

constexpr const char* endpoint_variable = "AWS_ENDPOINT_URL_DYNAMODB";
constexpr const char* certificate_file = "dinette.pem";
// A signature is valid for this long before and after its time.
constexpr std::chrono::minutes signature_minutes{15};
constexpr std::uint16_t least_free_port = 1024;  // those below need rights
constexpr std::size_t account_digits = 12;

Remedy set_endpoint(const std::string& url, std::string note = "") {
  return {"", {{endpoint_variable, url}}, std::move(note)};
}

/// Sets both keys: SDKs take a pair from one place.
std::vector<Assignment> keys_for(const std::string& access_key) {
  return {{"AWS_ACCESS_KEY_ID", access_key}, {"AWS_SECRET_ACCESS_KEY", "any"}};
}

std::vector<Assignment> region_for(const std::string& region) {
  return {{"AWS_REGION", region}, {"AWS_DEFAULT_REGION", region}};
}

std::string with_scheme(const std::string& url, const std::string& scheme) {
  return scheme + url.substr(url.find("://"));
}

bool is_of_aws(const std::string& host) {
  return host.ends_with(".amazonaws.com") || host.ends_with(".amazonaws.com.cn") ||
         host.ends_with(".api.aws");
}

/// Returns a host as it is in URLs.
std::string in_url(const std::string& host) {
  return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

bool is_local(const std::string& host) {
  return http::is_local_host(in_url(host));
}

std::optional<tcp::Remote> remote_of(const std::string& url) {
  if (!is_url(url)) return std::nullopt;
  auto read = read_url(url);
  return read ? std::optional(*read) : std::nullopt;
}

/// Returns "AWS_REGION names a, but AWS_DEFAULT_REGION b" and so on.
class SettingsCheck {
 public:
  SettingsCheck(const ClientSurroundings& surroundings, const ClientSettings& settings,
                const Subject& subject)
      : surroundings_(surroundings), settings_(settings), subject_(subject) {}

  Findings run() && {
    check_profile();
    check_endpoint();
    check_region();
    check_keys();
    check_authorities();
    check_proxy();
    return std::move(findings_);
  }

 private:
  void add(std::string what, std::string why, Remedy remedy) {
    findings_.push_back({std::move(what), std::move(why), std::move(remedy)});
  }

  void check_profile() {
    const Setting& profile = settings_.profile;
    if (settings_.has_profile || profile.source.empty()) return;
    add(profile.source + " names the profile '" + profile.value + "', which neither file has.",
        "SDKs and the AWS CLI fail before they send anything.",
        {"", {{profile.source, std::nullopt}}, "or: aws configure --profile " + shell_word(profile.value)});
  }

  void check_endpoint() {
    const Setting& endpoint = settings_.endpoint;
    if (settings_.ignored_endpoint) return add_ignored_endpoint();
    if (!endpoint) {
      add("No endpoint is configured.",
          "Clients whose code names no endpoint call the real DynamoDB, with your real keys if there are "
          "any.",
          set_endpoint(subject_.url));
    } else if (!remote_of(endpoint.value)) {
      add("The endpoint '" + endpoint.value + "' (" + endpoint.source + ") is not the URL of a server.",
          is_url(endpoint.value) ? "Nothing may follow the port: requests for a path do not reach DynamoDB."
                                 : "SDKs refuse it: it must begin with http:// or https://.",
          set_endpoint(subject_.url));
    } else if (!subject_.named.empty() && !is_same_server(endpoint.value)) {
      add("Clients are configured to call " + endpoint.value + " (" + endpoint.source + "), not " +
              subject_.named + ".",
          "They do not see the tables of that server.", set_endpoint(subject_.named));
    }
  }

  void add_ignored_endpoint() {
    const Setting& ignoring = settings_.ignoring;
    const bool of_environment = ignoring.source.starts_with("AWS_");
    add(ignoring.source + " makes clients ignore the endpoint " + settings_.ignored_endpoint.value + " (" +
            settings_.ignored_endpoint.source + ").",
        "Clients whose code names no endpoint call the real DynamoDB.",
        of_environment ? Remedy{"", {{ignoring.source, std::nullopt}}}
                       : Remedy{"",
                                {{"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "false"}},
                                "or remove ignore_configured_endpoint_urls from the profile"});
  }

  bool is_same_server(const std::string& endpoint) const {
    const auto other = remote_of(endpoint);
    const auto& server = subject_.server;
    if (!other || !server || other->port != server->port || other->tls != server->tls) return false;
    return other->host == server->host || (is_local(other->host) && is_local(server->host));
  }

  void check_region() {
    const std::string region = surroundings_.variable("AWS_REGION");
    const std::string fallback = surroundings_.variable("AWS_DEFAULT_REGION");
    if (!settings_.region) {
      add("No region is configured.",
          "SDKs refuse to send requests without one, though a local server accepts any.",
          {"", region_for("us-east-1")});
    } else if (!region.empty() && !fallback.empty() && region != fallback) {
      add("AWS_REGION is " + region + " and AWS_DEFAULT_REGION is " + fallback + ".",
          "boto3 reads only the second, most others the first: with --isolate region they see different "
          "tables.",
          {"", {{"AWS_DEFAULT_REGION", region}}});
    }
  }

  void check_keys() {
    const Setting& key = settings_.access_key;
    const Setting& secret = settings_.secret;
    if (key && secret) return;
    if (key || secret) {
      add((key ? key : secret).source + " is set, but its other half is not.",
          "SDKs fail with partial credentials before they send anything.",
          {"", key ? keys_for(key.value)
                   : std::vector<Assignment>{{"AWS_ACCESS_KEY_ID", "any"},
                                             {"AWS_SECRET_ACCESS_KEY", secret.value}}});
    } else if (!settings_.other_provider) {
      add("There are no access keys.",
          "SDKs sign every request, and fail without keys; a local server accepts any.",
          {"", keys_for("any")});
    }
  }

  void check_authorities() {
    const Setting& file = settings_.ca_bundle;
    if (!file || surroundings_.is_readable(file.value)) return;
    const bool of_environment = file.source == "AWS_CA_BUNDLE";
    add("The file of certificates " + file.value + " (" + file.source + ") cannot be read.",
        "The AWS CLI and boto3 fail on every https endpoint.",
        of_environment
            ? Remedy{"", {{file.source, std::nullopt}}, "or name a file that can be read"}
            : Remedy{"", {}, "remove ca_bundle from the profile, or name a file that can be read"});
  }

  void check_proxy() {
    const auto& server = subject_.server;
    if (!server || !is_local(server->host)) return;
    const std::string host = in_url(server->host);
    const Setting proxy = proxy_for(surroundings_, host, server->tls);
    if (!proxy) return;
    const std::string before =
        surroundings_.variable(surroundings_.variable("no_proxy").empty() ? "NO_PROXY" : "no_proxy");
    std::string hosts = (before.empty() ? "" : before + ",") + "localhost,127.0.0.1,::1,[::1]";
    if (host != "localhost" && host != "127.0.0.1" && host != "[::1]") hosts += "," + host;
    add(proxy.source + " sends requests for " + server->host + " to " + proxy.value + ".",
        "The proxy cannot reach this machine's ports by that name: the AWS CLI and boto3 get its errors "
        "instead of answers.",
        {"", {{"NO_PROXY", hosts}, {"no_proxy", hosts}}});
  }

  const ClientSurroundings& surroundings_;
  const ClientSettings& settings_;
  const Subject& subject_;
  Findings findings_;
};

bool is_this_machine(const Examination& examination) {
  const std::string& host = examination.server.host;
  return is_local(host) || is_every_network(host) ||
         std::ranges::find(examination.own_addresses, host) != examination.own_addresses.end();
}

std::string place_of(const Examination& examination) {
  return tcp::host_and_port(examination.server.host, examination.server.port);
}

/// Starts a Dinette on a port that is free, or leads to one that runs.
Remedy use_another(const Examination& examination) {
  for (const auto& [url, kind] : examination.elsewhere) {
    if (kind == ServerKind::dinette) return set_endpoint(url);
  }
  const std::string port = std::to_string(examination.free_port);
  Remedy remedy = set_endpoint("http://127.0.0.1:" + port);
  remedy.command = "dinette --port " + port;
  return remedy;
}

/// Starts a Dinette where clients look for it.
Remedy start_there(const Examination& examination) {
  const tcp::Remote& server = examination.server;
  if (is_this_machine(examination) && server.port < least_free_port) return use_another(examination);
  Remedy remedy{"dinette --port " + std::to_string(server.port)};
  const bool usual =
      server.host == "127.0.0.1" || server.host == "::1" ||
      (is_local(server.host) && server.host.find_first_not_of("0123456789.") != std::string::npos);
  if (!usual) remedy.command += " --host ::";
  if (server.tls) remedy.command += " --tls-self-signed " + std::string(certificate_file);
  if (!is_this_machine(examination)) {
    remedy.note = "on that machine";
  } else if (examination.in_container) {
    remedy.note =
        "this is a container: a server in another one needs --host ::, and its name takes the place of " +
        server.host;
  } else {
    remedy.note =
        "or publish the port of its container, where it needs --host ::, as the image has: docker run -p " +
        std::to_string(server.port) + ":8000";
  }
  return remedy;
}

Finding no_server_listens(const Examination& examination) {
  const std::string place = place_of(examination);
  if (examination.elsewhere.empty())
    return {"No server listens on " + place + ".", "Clients fail to connect.", start_there(examination)};
  const auto& [url, kind] = examination.elsewhere.front();
  const auto other = remote_of(url);
  const bool same_port = other && other->port == examination.server.port && is_this_machine(examination);
  return {"No server listens on " + place + ", but " + name_of(kind) + " answers at " + url + ".",
          "Clients fail to connect.",
          set_endpoint(url, same_port ? "or start it with --host ::, which is every address" : "")};
}

Finding unknown_host(const Examination& examination) {
  const tcp::Remote& server = examination.server;
  const std::string meant = url_of("localhost", server.port, server.tls);
  return {"The host name " + server.host + " cannot be resolved on this machine.",
          "Names of containers, such as those of a compose file, are known only to other containers of their "
          "network.",
          set_endpoint(examination.elsewhere.empty() ? meant : examination.elsewhere.front().first,
                       "the port that its container publishes (ports: in the compose file)")};
}

/// Returns who calls only the first address of a name.
std::string callers_of(const ReachedAddress& address, const std::vector<ReachedAddress>& all) {
  const auto is_ipv4 = [](const ReachedAddress& one) { return one.address.find(':') == std::string::npos; };
  const auto first_ipv4 = std::ranges::find_if(all, is_ipv4);
  std::string callers;
  if (address.address == all.front().address) callers = "Node.js 17 to 19";
  if (first_ipv4 != all.end() && address.address == first_ipv4->address)
    callers += std::string(callers.empty() ? "" : ", ") + "older Node.js and Java's own HTTP client";
  return callers.empty() ? "some" : callers;
}

/// Finds that a name has an address at which nothing listens, though another one answers.
std::optional<Finding> address_finding(const Examination& examination) {
  const auto& addresses = examination.observed.addresses;
  const auto dead = std::ranges::find(addresses, false, &ReachedAddress::connects);
  const auto living = std::ranges::find(addresses, true, &ReachedAddress::connects);
  if (dead == addresses.end() || living == addresses.end()) return std::nullopt;
  const tcp::Remote& server = examination.server;
  return Finding{"The name " + server.host + " is " + dead->address + " as well as " + living->address +
                     ", and no server listens on " + tcp::host_and_port(dead->address, server.port) + ".",
                 "Clients differ in the address that they call: " + callers_of(*dead, addresses) +
                     " call only " + dead->address + ", and fail.",
                 set_endpoint(url_of(living->address, server.port, server.tls),
                              "or start the server with --host localhost, or --host ::")};
}

Finding untrusted(const ClientSettings& settings, const Examination& examination) {
  const std::string& url = examination.url;
  const PresentedCertificate& certificate = examination.observed.certificate;
  const std::string trusted = settings.ca_bundle ? " by " + settings.ca_bundle.value : "";
  Finding finding{
      "The certificate of " + url + " is not trusted" + trusted + ".", "SDKs refuse the connection.", {}};
  if (certificate.expired) {
    finding.what = "The certificate of " + url + " is no longer valid.";
    finding.remedy = {"dinette --tls-self-signed", {}, "or another certificate that is valid"};
  } else if (!certificate.for_host) {
    finding.what = "The certificate of " + url + " is for another host.";
    finding.remedy = certificate.for_localhost && is_this_machine(examination)
                         ? set_endpoint(url_of("localhost", examination.server.port, true))
                         : Remedy{"dinette --tls-cert FILE --tls-key FILE",
                                  {},
                                  "a certificate for " + examination.server.host};
  } else if (certificate.self_signed) {
    const std::string file = examination.folder + "/" + certificate_file;
    const std::string place = place_of(examination);
    finding.remedy.command =
        examination.observed.offers_certificate
            ? "curl --silent --insecure --output " + shell_word(file) + " " +
                  url_of(examination.server.host, examination.server.port, true) + "/_dinette/certificate.pem"
            : "openssl s_client -connect " + place + " </dev/null | openssl x509 -out " + shell_word(file);
    finding.remedy.environment = {{"AWS_CA_BUNDLE", file}, {"NODE_EXTRA_CA_CERTS", file}};
  } else {
    finding.remedy = {"export AWS_CA_BUNDLE=authority.pem NODE_EXTRA_CA_CERTS=authority.pem",
                      {},
                      "the certificate of the authority that signed the server's"};
  }
  return finding;
}

Finding silent(const Examination& examination) {
  Remedy remedy{"", {}, "restart the server: it is stopped, in a debugger, or hangs"};
  if (examination.process != 0)
    remedy = {"kill -CONT " + std::to_string(examination.process), {}, "if it is stopped, else restart it"};
  return {"The server at " + examination.url + " accepts connections but does not respond.",
          "Clients wait until they time out.", std::move(remedy)};
}

std::optional<Finding> contact_finding(const ClientSettings& settings, const Examination& examination) {
  switch (examination.observed.contact) {
    case Contact::answered:
      return std::nullopt;
    case Contact::unknown_host:
      return unknown_host(examination);
    case Contact::no_connection:
      return no_server_listens(examination);
    case Contact::wants_tls:
      return Finding{"The server at " + examination.url + " serves TLS, and is called without it.",
                     "Clients get a closed connection.", set_endpoint(with_scheme(examination.url, "https"))};
    case Contact::wants_plain:
      return Finding{"The server at " + examination.url + " does not serve TLS.",
                     "Clients fail in the handshake.", set_endpoint(with_scheme(examination.url, "http"))};
    case Contact::untrusted:
      return untrusted(settings, examination);
    case Contact::silent:
      return silent(examination);
    case Contact::no_http:
      break;
  }
  return Finding{"What listens at " + examination.url + " does not answer in HTTP.", "It is not DynamoDB.",
                 use_another(examination)};
}

std::optional<Finding> kind_finding(const Examination& examination) {
  const ServerKind kind = examination.observed.kind;
  if (is_of_aws(examination.server.host)) {
    return Finding{examination.url + " is the real DynamoDB.",
                   "Tests would change real data, and cost money.", use_another(examination)};
  }
  if (kind == ServerKind::dinette) return std::nullopt;
  return Finding{"At " + examination.url + " there is " + name_of(kind) + ".",
                 kind == ServerKind::no_dynamodb
                     ? "Clients get answers that they cannot read."
                     : "It has no worlds, clocks or faults, and some responses differ.",
                 use_another(examination)};
}

bool is_about_time(const ObservedServer& observed) {
  return observed.error_message.find("expired") != std::string::npos ||
         observed.error_message.find("not yet current") != std::string::npos;
}

std::optional<Finding> clock_finding(const Examination& examination) {
  const ObservedServer& observed = examination.observed;
  if (!observed.date || observed.kind == ServerKind::no_dynamodb) return std::nullopt;
  const auto ahead = std::chrono::duration_cast<std::chrono::minutes>(*observed.date - examination.now);
  if (std::chrono::abs(ahead) < signature_minutes && !is_about_time(observed)) return std::nullopt;
  return Finding{
      "The clocks of this machine and of the server differ by " + std::to_string(std::abs(ahead.count())) +
          " minutes.",
      "Where signatures are verified, they are valid for 15 minutes. (The clock of a world, which tests may "
      "move, does not matter.)",
      {"sudo timedatectl set-ntp true", {}, "on the machine whose clock is wrong"}};
}

std::optional<Finding> refusal_finding(const ClientSettings& settings, const Examination& examination) {
  const ObservedServer& observed = examination.observed;
  if (observed.error_type.empty() || is_about_time(observed) || observed.kind == ServerKind::no_dynamodb)
    return std::nullopt;
  if (observed.error_type == "UnrecognizedClientException") {
    return Finding{"The server verifies signatures, and does not know the access key '" +
                       settings.access_key.value + "', or has another secret for it.",
                   "Every request is refused.",
                   {"export AWS_ACCESS_KEY_ID=... AWS_SECRET_ACCESS_KEY=...",
                    {},
                    "a pair of the file of --credentials"}};
  }
  if (observed.error_type == "InvalidSignatureException") {
    return Finding{"The server verifies signatures, and the secret of the access key '" +
                       settings.access_key.value + "' differs from the server's.",
                   "Every request is refused.",
                   {"export AWS_SECRET_ACCESS_KEY=...", {}, "that of the file of --credentials"}};
  }
  const std::string refusal = "ListTables is refused: " + observed.error_type +
                              (observed.error_message.empty() ? "" : ": " + observed.error_message);
  if (observed.faults > 0) {
    return Finding{refusal,
                   "Faults that were ordered may be the reason.",
                   {"curl --silent --request DELETE " + examination.url + "/_dinette/faults"}};
  }
  return Finding{refusal,
                 "Other requests will be refused as well.",
                 {"dinette --log-level info", {}, "the log has a line per request"}};
}

std::string counted(std::uint64_t tables) {
  return std::to_string(tables) + (tables == 1 ? " table" : " tables");
}

/// Returns the keys and the region that see the tables of a tenant: "000000000000/eu-west-1", or a part of
/// that.
std::vector<Assignment> settings_for(const ClientSettings& settings, const std::string& tenant) {
  const auto slash = tenant.find('/');
  const std::string account = tenant.substr(0, slash);
  const std::string region = slash == std::string::npos ? "" : tenant.substr(slash + 1);
  const bool other_region = !region.empty() && region != settings.region.value;
  const bool own_account = settings.access_key.value.size() == account_digits &&
                           std::ranges::all_of(settings.access_key.value, base::is_digit);
  const bool other_account =
      !account.empty() && (own_account ? settings.access_key.value != account : !other_region);
  std::vector<Assignment> changes;
  if (other_account) changes = keys_for(account);
  if (other_region) {
    for (Assignment& one : region_for(region)) changes.push_back(std::move(one));
  }
  return changes;
}

/// Finds that the tables are in another world than the one that these keys and this region see.
std::optional<Finding> world_finding(const ClientSettings& settings, const ObservedServer& observed) {
  if (!observed.error_type.empty()) return std::nullopt;
  for (const ObservedWorld& world : observed.worlds) {
    if (world.fork && world.name == settings.access_key.value) {
      return Finding{
          "The access key '" + world.name + "' (" + settings.access_key.source +
              ") is the name of a fork, and selects it.",
          "Clients see the " + counted(world.tables) + " of that fork, not those of the default world.",
          {"", keys_for("any"), "unless the fork is what you want"}};
    }
  }
  if (observed.tables > 0) return std::nullopt;
  const auto found = std::ranges::find_if(
      observed.worlds, [](const ObservedWorld& world) { return world.tables > 0 && !world.fork; });
  if (found == observed.worlds.end()) return std::nullopt;
  return Finding{"With this access key and region (" + settings.region.value + ") there are no tables, but " +
                     counted(found->tables) + " in the world " + found->name + ".",
                 "The server separates accounts or regions (--isolate).",
                 {"", settings_for(settings, found->name), "or start Dinette without --isolate"}};
}

}  // namespace

std::string repaired_url(const std::string& endpoint) {
  std::string_view rest = http::trimmed(endpoint);
  const auto scheme_end = rest.find("://");
  std::string scheme = "http";
  if (scheme_end != std::string_view::npos) {
    if (base::equal_ignoring_case(rest.substr(0, scheme_end), "https")) scheme = "https";
    rest.remove_prefix(scheme_end + 3);
  }
  rest = rest.substr(0, rest.find_first_of("/?#"));
  rest.remove_prefix(rest.rfind('@') + 1);
  std::string url = scheme + "://" + std::string(rest);
  return remote_of(url) ? url : "";
}

Findings settings_findings(const ClientSurroundings& surroundings, const ClientSettings& settings,
                           const Subject& subject) {
  return SettingsCheck(surroundings, settings, subject).run();
}

Findings server_findings(const ClientSettings& settings, const Examination& examination) {
  Findings findings;
  if (auto finding = contact_finding(settings, examination)) {
    findings.push_back(*std::move(finding));
  } else {
    for (auto& one :
         {kind_finding(examination), clock_finding(examination), refusal_finding(settings, examination),
          world_finding(settings, examination.observed)}) {
      if (one) findings.push_back(*one);
    }
  }
  if (auto finding = address_finding(examination)) findings.push_back(*std::move(finding));
  return findings;
}

}  // namespace dinette::app

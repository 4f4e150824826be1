#include "app/doctor/findings.h"

#include <algorithm>
#include <chrono>

#include "dinette/http/local_host.h"
#include "dinette/tcp/address.h"

#include "app/remote_operations.h"

namespace dinette::app {
namespace {

constexpr const char* suggested_url = "http://127.0.0.1:8000";
// A signature is valid for this long before and after its time.
constexpr std::chrono::minutes signature_minutes{15};

std::string shown_url(const std::string& url) {
  return url.empty() ? suggested_url : url;
}

std::string set_endpoint(const std::string& url) {
  return "export AWS_ENDPOINT_URL_DYNAMODB=" + shown_url(url);
}

std::string with_scheme(const std::string& url, const std::string& scheme) {
  return scheme + url.substr(url.find("://"));
}

bool is_of_aws(const std::string& host) {
  return host.ends_with(".amazonaws.com") || host.ends_with(".amazonaws.com.cn") ||
         host.ends_with(".api.aws");
}

/// Returns "AWS_REGION names a, but AWS_DEFAULT_REGION b" and so on.
class SettingsCheck {
 public:
  SettingsCheck(const ClientSurroundings& surroundings, const ClientSettings& settings,
                const std::string& url, const std::optional<tcp::Remote>& server)
      : surroundings_(surroundings), settings_(settings), url_(url), server_(server) {}

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
  void add(std::string what, std::string why, std::string todo) {
    findings_.push_back({std::move(what), std::move(why), std::move(todo)});
  }

  void check_profile() {
    if (settings_.has_profile || settings_.profile.source.empty()) return;
    add(settings_.profile.source + " names the profile '" + settings_.profile.value +
            "', which neither file has.",
        "SDKs and the AWS CLI fail before they send anything.",
        "unset " + settings_.profile.source + "   # or: aws configure --profile " + settings_.profile.value);
  }

  void check_endpoint() {
    const Setting& endpoint = settings_.endpoint;
    if (settings_.ignored_endpoint) {
      add(settings_.ignoring.source + " makes clients ignore the endpoint " +
              settings_.ignored_endpoint.value + " (" + settings_.ignored_endpoint.source + ").",
          "Clients whose code names no endpoint call the real DynamoDB.",
          settings_.ignoring.source.starts_with("AWS_")
              ? "unset " + settings_.ignoring.source
              : "remove ignore_configured_endpoint_urls from the profile");
    } else if (!endpoint) {
      add("No endpoint is configured.",
          "Clients whose code names no endpoint call the real DynamoDB, with your real keys if there are "
          "any.",
          set_endpoint(url_));
    } else if (!read_endpoint(endpoint.value)) {
      add("The endpoint '" + endpoint.value + "' (" + endpoint.source + ") is not the URL of a server.",
          "SDKs refuse it: it needs a scheme and a host, and nothing after the port.", set_endpoint(url_));
    } else if (!url_.empty() && !is_same_server(endpoint.value)) {
      add("Clients are configured to call " + endpoint.value + " (" + endpoint.source + "), not " + url_ +
              ".",
          "They do not see the tables of that server.", set_endpoint(url_));
    }
  }

  static std::optional<tcp::Remote> read_endpoint(const std::string& url) {
    if (!is_url(url)) return std::nullopt;
    auto read = read_url(url);
    return read ? std::optional(*read) : std::nullopt;
  }

  bool is_same_server(const std::string& endpoint) const {
    const auto other = read_endpoint(endpoint);
    if (!other || !server_ || other->port != server_->port || other->tls != server_->tls) return false;
    return other->host == server_->host ||
           (http::is_local_host(other->host) && http::is_local_host(server_->host));
  }

  void check_region() {
    const std::string region = surroundings_.variable("AWS_REGION");
    const std::string fallback = surroundings_.variable("AWS_DEFAULT_REGION");
    if (!settings_.region) {
      add("No region is configured.",
          "SDKs refuse to send requests without one, though a local server accepts any.",
          "export AWS_REGION=us-east-1 AWS_DEFAULT_REGION=us-east-1");
    } else if (!region.empty() && !fallback.empty() && region != fallback) {
      add("AWS_REGION is " + region + " and AWS_DEFAULT_REGION is " + fallback + ".",
          "boto3 reads only the second, most others the first: with --isolate region they see different "
          "tables.",
          "export AWS_DEFAULT_REGION=" + region);
    }
  }

  void check_keys() {
    const Setting& key = settings_.access_key;
    const Setting& secret = settings_.secret;
    if (key && secret) return;
    if (key || secret) {
      add((key ? key : secret).source + " is set, but its other half is not.",
          "SDKs fail with partial credentials before they send anything.",
          key ? "export AWS_SECRET_ACCESS_KEY=any" : "export AWS_ACCESS_KEY_ID=any");
    } else if (!settings_.other_provider) {
      add("There are no access keys.",
          "SDKs sign every request, and fail without keys; a local server accepts any.",
          "export AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any");
    }
  }

  void check_authorities() {
    if (!settings_.ca_bundle || surroundings_.is_readable(settings_.ca_bundle.value)) return;
    add("The file of certificates " + settings_.ca_bundle.value + " (" + settings_.ca_bundle.source +
            ") cannot be read.",
        "The AWS CLI and boto3 fail on every https endpoint.", "ls -l " + settings_.ca_bundle.value);
  }

  void check_proxy() {
    if (!server_ || !http::is_local_host(server_->host)) return;
    const Setting proxy = proxy_for(surroundings_, server_->host, server_->tls);
    if (!proxy) return;
    const std::string before =
        surroundings_.variable(surroundings_.variable("no_proxy").empty() ? "NO_PROXY" : "no_proxy");
    const std::string hosts = (before.empty() ? "" : before + ",") + "localhost,127.0.0.1,::1";
    add(proxy.source + " sends requests for " + server_->host + " to " + proxy.value + ".",
        "The proxy cannot reach this machine's ports by that name: the AWS CLI and boto3 get its errors "
        "instead of answers.",
        "export NO_PROXY=" + hosts + " no_proxy=" + hosts);
  }

  const ClientSurroundings& surroundings_;
  const ClientSettings& settings_;
  const std::string& url_;
  const std::optional<tcp::Remote>& server_;
  Findings findings_;
};

Finding no_server_listens(const Examination& examination) {
  const std::string place = tcp::host_and_port(examination.server.host, examination.server.port);
  if (!examination.elsewhere.empty()) {
    const auto& [url, kind] = examination.elsewhere.front();
    return {"No server listens on " + place + ", but " + name_of(kind) + " answers at " + url + ".",
            "Clients fail to connect.", set_endpoint(url)};
  }
  return {"No server listens on " + place + ".", "Clients fail to connect.",
          "dinette --port " + std::to_string(examination.server.port) +
              "   # in a container publish the port, and add --host ::"};
}

Finding untrusted(const ClientSettings& settings, const Examination& examination) {
  const std::string file = settings.ca_bundle ? " by " + settings.ca_bundle.value : "";
  return {"The certificate of " + examination.url + " is not trusted" + file + ", or is for another host.",
          "SDKs refuse the connection.",
          "export AWS_CA_BUNDLE=certificate.pem NODE_EXTRA_CA_CERTS=certificate.pem   # the file of "
          "--tls-cert; or call "
          "http:// and start Dinette without TLS"};
}

std::optional<Finding> contact_finding(const ClientSettings& settings, const Examination& examination) {
  switch (examination.observed.contact) {
    case Contact::answered:
      return std::nullopt;
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
      return Finding{"The server at " + examination.url + " accepts connections but does not respond.",
                     "Clients wait until they time out.",
                     "check the server: is it stopped, or in a debugger?"};
    case Contact::no_http:
      break;
  }
  return Finding{"What listens at " + examination.url + " does not answer in HTTP.", "It is not DynamoDB.",
                 "dinette --port 8000   # and: " + set_endpoint("")};
}

std::optional<Finding> kind_finding(const Examination& examination) {
  const ServerKind kind = examination.observed.kind;
  if (is_of_aws(examination.server.host)) {
    return Finding{examination.url + " is the real DynamoDB.",
                   "Tests would change real data, and cost money.", set_endpoint("")};
  }
  if (kind == ServerKind::dinette) return std::nullopt;
  return Finding{"At " + examination.url + " there is " + name_of(kind) + ".",
                 kind == ServerKind::no_dynamodb
                     ? "Clients get answers that they cannot read."
                     : "It has no worlds, clocks or faults, and some responses differ.",
                 "dinette --port 8001   # a free port; then: " + set_endpoint("http://127.0.0.1:8001")};
}

bool is_about_time(const ObservedServer& observed) {
  return observed.error_message.find("expired") != std::string::npos ||
         observed.error_message.find("not yet current") != std::string::npos;
}

std::optional<Finding> clock_finding(const Examination& examination) {
  const ObservedServer& observed = examination.observed;
  if (!observed.date) return std::nullopt;
  const auto ahead = std::chrono::duration_cast<std::chrono::minutes>(*observed.date - examination.now);
  if (std::chrono::abs(ahead) < signature_minutes && !is_about_time(observed)) return std::nullopt;
  return Finding{
      "The clocks of this machine and of the server differ by " + std::to_string(std::abs(ahead.count())) +
          " minutes.",
      "Where signatures are verified, they are valid for 15 minutes. (The clock of a world, which tests may "
      "move, does not matter.)",
      "sudo timedatectl set-ntp true   # on the machine whose clock is wrong"};
}

std::optional<Finding> refusal_finding(const ClientSettings& settings, const ObservedServer& observed) {
  if (observed.error_type.empty() || is_about_time(observed) || observed.kind == ServerKind::no_dynamodb)
    return std::nullopt;
  if (observed.error_type == "UnrecognizedClientException") {
    return Finding{
        "The server verifies signatures, and does not know the access key '" + settings.access_key.value +
            "', or has another secret for it.",
        "Every request is refused.",
        "export AWS_ACCESS_KEY_ID=... AWS_SECRET_ACCESS_KEY=...   # a pair of the file of --credentials"};
  }
  if (observed.error_type == "InvalidSignatureException") {
    return Finding{"The server verifies signatures, and the secret of the access key '" +
                       settings.access_key.value + "' differs from the server's.",
                   "Every request is refused.",
                   "export AWS_SECRET_ACCESS_KEY=...   # that of the file of --credentials"};
  }
  return Finding{"ListTables is refused: " + observed.error_type +
                     (observed.error_message.empty() ? "" : ": " + observed.error_message),
                 "Other requests will be refused as well.",
                 "dinette --log-level info   # the log has a line per request"};
}

std::string counted(std::uint64_t tables) {
  return std::to_string(tables) + (tables == 1 ? " table" : " tables");
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
          "export AWS_ACCESS_KEY_ID=any   # unless the fork is what you want"};
    }
  }
  if (observed.tables > 0) return std::nullopt;
  const auto found = std::ranges::find_if(
      observed.worlds, [](const ObservedWorld& world) { return world.tables > 0 && !world.fork; });
  if (found == observed.worlds.end()) return std::nullopt;
  const auto slash = found->name.find('/');
  const std::string region = slash == std::string::npos ? "" : found->name.substr(slash + 1);
  return Finding{
      "With this access key and region (" + settings.region.value + ") there are no tables, but " +
          counted(found->tables) + " in the world " + found->name + ".",
      "The server separates accounts or regions (--isolate).",
      region.empty() || region == settings.region.value
          ? "export AWS_ACCESS_KEY_ID=...   # a key of that account; or start Dinette without --isolate"
          : "export AWS_REGION=" + region + " AWS_DEFAULT_REGION=" + region +
                "   # or start Dinette without --isolate"};
}

}  // namespace

Findings settings_findings(const ClientSurroundings& surroundings, const ClientSettings& settings,
                           const std::string& url, const std::optional<tcp::Remote>& server) {
  return SettingsCheck(surroundings, settings, url, server).run();
}

Findings server_findings(const ClientSettings& settings, const Examination& examination) {
  if (auto finding = contact_finding(settings, examination)) return {*std::move(finding)};
  Findings findings;
  for (auto& finding :
       {kind_finding(examination), clock_finding(examination),
        refusal_finding(settings, examination.observed), world_finding(settings, examination.observed)}) {
    if (finding) findings.push_back(*finding);
  }
  return findings;
}

}  // namespace dinette::app

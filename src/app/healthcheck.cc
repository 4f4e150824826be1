#include "app/healthcheck.h"

#include <string_view>

#include "dinette/http/client.h"
#include "dinette/tcp/address.h"

#include "app/address.h"

namespace dinette::app {
namespace {

constexpr int healthy_status = 200;
constexpr int bad_request_status = 400;
constexpr int unavailable_status = 503;
constexpr std::size_t most_body_bytes = 64 * 1024;

std::string explain(http::ClientError error, std::chrono::milliseconds patience) {
  switch (error) {
    case http::ClientError::unreachable:
      return "does not answer; is it running on that port?";
    case http::ClientError::untrusted:  // certificates are not verified
    case http::ClientError::no_tls:
      return "does not accept TLS; omit --tls?";
    case http::ClientError::timed_out:
      return "accepts connections, but does not answer within " + std::to_string(patience.count()) + " ms";
    case http::ClientError::broken:
    case http::ClientError::not_http:
      return "does not answer in HTTP; is another program on that port?";
    case http::ClientError::too_large:
      return "is unhealthy: its response is too large";
  }
  return "is not well";
}

/// Returns true if the error, or the answer, could be that of a server that expects TLS.
bool could_want_tls(const base::Result<http::ClientResponse, http::ClientError>& response) {
  if (response) return response->status == bad_request_status;  // as OpenSSL 3.5 answers
  return response.error() == http::ClientError::broken || response.error() == http::ClientError::not_http;
}

/// Returns true if the server speaks TLS, whatever it then answers.
bool speaks_tls(const base::Result<http::ClientResponse, http::ClientError>& with_tls) {
  if (with_tls) return true;
  switch (with_tls.error()) {
    case http::ClientError::unreachable:
    case http::ClientError::no_tls:
    case http::ClientError::timed_out:
      return false;
    default:
      return true;
  }
}

}  // namespace

base::Result<std::string, std::string> check_health(const HealthcheckTarget& target,
                                                    std::chrono::milliseconds patience) {
  const std::string host(reachable(target.host));
  const std::string server = "the server at " + tcp::host_and_port(host, target.port) + " ";
  const auto failed = [&](const std::string& why) { return base::Failure{server + why}; };
  const auto asked = [&](const char* method, bool tls) {
    return http::fetch({.host = host, .port = target.port, .tls = tls}, {.method = method},
                       {.timeout = patience, .body_bytes = most_body_bytes});
  };
  // OPTIONS always gets 200. GET does not if the server was started as DynamoDB Local.
  const auto response = asked("OPTIONS", target.tls);
  if (!target.tls && could_want_tls(response) && speaks_tls(asked("OPTIONS", true)))
    return failed("does not answer in HTTP; does it need --tls?");
  if (!response) return failed(explain(response.error(), patience));
  if (response->status != healthy_status) return failed("is unhealthy: " + response->status_line);
  const auto health = asked("GET", target.tls);
  if (!health) return failed(explain(health.error(), patience));
  if (health->status == unavailable_status) return failed("is unhealthy: " + health->body);
  return server + "is healthy";
}

}  // namespace dinette::app

#include "dinette/http/client.h"

#include <latch>
#include <string>

#include <catch2/catch.hpp>

#include "http/canned.h"
#include "http/fixture.h"

namespace dinette::http::client_test {
namespace {

using namespace std::chrono_literals;

/// A handler that echoes the request.
void describe(const Request& request, Response& response) {
  response.content_type = "text/plain";
  response.body = request.secure ? "secure " : "plain ";
  response.body.append(request.method).append(" ").append(request.target).append(" ").append(request.body);
  for (const Header& header : request.headers) {
    if (header.name != "Host")
      response.body.append("\n").append(header.name).append("=").append(header.value);
  }
  if (request.path() == "/status") response.status = std::stoi(std::string(request.query()));
}

std::string text_of(ClientError error) {
  switch (error) {
    case ClientError::unreachable:
      return "unreachable";
    case ClientError::no_tls:
      return "no TLS";
    case ClientError::untrusted:
      return "untrusted";
    case ClientError::timed_out:
      return "timed out";
    case ClientError::broken:
      return "broken";
    case ClientError::not_http:
      return "not HTTP";
    case ClientError::too_large:
      return "too large";
  }
  return "";
}

std::string failure(const tcp::Remote& server, const ClientRequest& request = {},
                    const ClientLimits& limits = {}) {
  const auto response = fetch(server, request, limits);
  return response ? "none: " + response->status_line : text_of(response.error());
}

ServerOptions with_tls(bool tls) {
  ServerOptions options;
  if (tls) options.tcp.listen.tls.emplace();
  return options;
}

TEST_CASE("a certificate is verified if that is asked for") {
  Running running(&describe, with_tls(true));
  CHECK(failure({.port = running.port, .tls = true}).starts_with("none: "));
  CHECK(failure({.port = running.port, .tls = true, .verify = true}) == "untrusted");
  CHECK(failure({.port = running.port, .tls = true, .verify = true, .trusted_file = "/nowhere.pem"}) ==
        "untrusted");
}

TEST_CASE("a default port is not named") {
  CHECK(host_of(tcp::Remote{.host = "a.example", .port = 443, .tls = true}) == "a.example");
  CHECK(host_of(tcp::Remote{.host = "a.example", .port = 443}) == "a.example:443");
  CHECK(host_of(tcp::Remote{.host = "::1", .port = 80}) == "[::1]");
  CHECK(host_of(tcp::Remote{.host = "::1", .port = 8000}) == "[::1]:8000");
}

TEST_CASE("a request is answered, over plain connections and TLS") {
  const bool tls = GENERATE(false, true);
  Running running(&describe, with_tls(tls));
  const tcp::Remote server{.port = running.port, .tls = tls};
  const std::string scheme = tls ? "secure " : "plain ";
  const auto got = fetch(server, {});
  REQUIRE(got.ok());
  CHECK(got->status == 200);
  CHECK(got->status_line == "HTTP/1.1 200 OK");
  CHECK(got->header("content-type") == "text/plain");
  CHECK_FALSE(got->header("Content-Encoding"));
  CHECK(got->body == scheme + "GET / \nConnection=close");
  CHECK(fetch({.host = "localhost", .port = running.port, .tls = tls}, {}).ok());
  const auto put =
      fetch(server, {.method = "PUT", .target = "/a?b", .headers = "X-A: 1\r\nX-B: 2\r\n", .body = "body"});
  REQUIRE(put.ok());
  CHECK(put->body == scheme + "PUT /a?b body\nConnection=close\nContent-Length=4\nX-A=1\nX-B=2");
}

TEST_CASE("a response is returned whatever its status") {
  Running running(&describe);
  for (const int status : {200, 404, 418, 503}) {
    const auto response = fetch({.port = running.port}, {.target = "/status?" + std::to_string(status)});
    REQUIRE(response.ok());
    CHECK(response->status == status);
  }
}

TEST_CASE("a response to HEAD has no body") {
  Running running(&describe);
  const auto response = fetch({.port = running.port}, {.method = "HEAD"});
  REQUIRE(response.ok());
  CHECK(response->header("Content-Length") != "0");
  CHECK(response->body.empty());
}

TEST_CASE("large bodies are sent and received") {
  const bool tls = GENERATE(false, true);
  Running running([](const Request& request, Response& response) { response.body = request.body; },
                  with_tls(tls));
  const std::string body(10'000'000, 'x');
  const auto response = fetch({.port = running.port, .tls = tls}, {.method = "POST", .body = body});
  REQUIRE(response.ok());
  CHECK(response->body == body);
}

TEST_CASE("a response that is too large is refused") {
  Running running([](const Request& request, Response& response) {
    if (request.path() == "/head") response.add_header("X-Long", std::string(1000, 'x'));
    response.body.assign(1000, 'x');
  });
  const tcp::Remote server{.port = running.port};
  CHECK(fetch(server, {}, {.body_bytes = 1000}).ok());
  CHECK(failure(server, {}, {.body_bytes = 999}) == "too large");
  CHECK(fetch(server, {.target = "/head"}, {.header_bytes = 2000}).ok());
  CHECK(failure(server, {.target = "/head"}, {.header_bytes = 1000}) == "too large");
  // The size is not announced.
  const Canned chunked("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n400\r\n" +
                           std::string(1024, 'x') + "\r\n0\r\n\r\n",
                       tcp::Ending::none);
  CHECK(failure({.port = chunked.port()}, {}, {.body_bytes = 1000}) == "too large");
  const Canned endless("HTTP/1.1 200 OK\r\n\r\n" + std::string(10'000, 'x'), tcp::Ending::none);
  CHECK(failure({.port = endless.port()}, {}, {.body_bytes = 1000}) == "too large");
}

TEST_CASE("a response that does not arrive in time is abandoned") {
  const bool tls = GENERATE(false, true);
  std::latch done(1);
  ServerOptions options = with_tls(tls);
  options.tcp.threads = 1;
  Running running([&](const Request&, Response&) { done.wait(); }, std::move(options));
  CHECK(failure({.port = running.port, .tls = tls}, {}, {.timeout = 100ms}) == "timed out");
  // The only loop is busy in the handler, so there is no handshake either.
  CHECK(failure({.port = running.port, .tls = tls}, {}, {.timeout = 1ms}) == "timed out");
  done.count_down();
}

TEST_CASE("a partial response is an error") {
  const std::string half = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf";
  for (const std::string& answer : {half, half.substr(0, 20), std::string("HTT")}) {
    const Canned stuck(answer, tcp::Ending::none);
    CHECK(failure({.port = stuck.port()}, {}, {.timeout = 100ms}) == "timed out");
    const Canned cut(answer, tcp::Ending::close);
    CHECK(failure({.port = cut.port()}) == "broken");
  }
  const Canned silent("", tcp::Ending::close);
  CHECK(failure({.port = silent.port()}) == "broken");
}

TEST_CASE("a server that speaks another protocol is detected immediately") {
  for (const char* greeting : {"SSH-2.0-OpenSSH_9.2\r\n", "HTTPS", "\x15\x03\x01"}) {
    const Canned other(greeting, tcp::Ending::none);
    CHECK(failure({.port = other.port()}) == "not HTTP");
  }
  const Canned wrong("HTTP/1.1 2000 OK\r\n\r\n", tcp::Ending::none);
  CHECK(failure({.port = wrong.port()}) == "not HTTP");
}

TEST_CASE("servers with and without TLS are distinguished") {
  Running plain(&describe);
  CHECK(failure({.port = plain.port, .tls = true}) == "no TLS");
  Running tls(&describe, with_tls(true));
  // Since version 3.5, OpenSSL answers a request without TLS in HTTP.
  CHECK_THAT(failure({.port = tls.port}, {.method = "OPTIONS"}),
             Catch::Matches("broken|none: HTTP/1\\.[01] 400 .*"));
}

TEST_CASE("a missing server is unreachable") {
  std::uint16_t port = 0;
  {
    const Canned gone("", tcp::Ending::close);
    port = gone.port();
  }
  CHECK(failure({.port = port}) == "unreachable");
}

TEST_CASE("a response counts even if it arrives before the whole request is sent") {
  ServerOptions options;
  options.limits.body_bytes = 1000;
  Running running(&describe, std::move(options));
  const auto response =
      fetch({.port = running.port}, {.method = "POST", .body = std::string(8'000'000, 'x')});
  REQUIRE(response.ok());
  CHECK(response->status == 413);
}

TEST_CASE("requests are sent as HTTP/1.1") {
  const Canned server("HTTP/1.1 204 No Content\r\n\r\n", tcp::Ending::none);
  const auto response =
      fetch({.port = server.port()}, {.method = "DELETE", .target = "/x", .headers = "A: 1\r\n"});
  REQUIRE(response.ok());
  CHECK(response->status_line == "HTTP/1.1 204 No Content");
  CHECK(server.request() == "DELETE /x HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()) +
                                "\r\nConnection: close\r\nA: 1\r\n\r\n");
}

}  // namespace
}  // namespace dinette::http::client_test

#include "app/healthcheck.h"

#include <chrono>
#include <latch>
#include <string>

#include <catch2/catch.hpp>

#include "dinette/http/server.h"

#include "http/canned.h"

namespace dinette::app::healthcheck_test {
namespace {

constexpr std::chrono::seconds patience{60};

// A server that sends the same status to every request.
class Answering {
 public:
  explicit Answering(int status, bool tls = false)
      : server_(options(tls),
                [status](const http::Request&, http::Response& reply) { reply.status = status; }) {
    const auto started = server_.start();
    REQUIRE(started.ok());
    port_ = *started;
  }

  std::uint16_t port() const { return port_; }

 private:
  static http::ServerOptions options(bool tls) {
    http::ServerOptions options;
    options.tcp.threads = 1;
    if (tls) options.tcp.listen.tls = tcp::TlsOptions{};
    return options;
  }

  http::Server server_;
  std::uint16_t port_ = 0;
};

std::string failure(const HealthcheckTarget& target, std::chrono::milliseconds time = patience) {
  const auto checked = check_health(target, time);
  REQUIRE_FALSE(checked.ok());
  const auto prefix = "the server at 127.0.0.1:" + std::to_string(target.port) + " ";
  REQUIRE(checked.error().starts_with(prefix));
  return checked.error().substr(prefix.size());
}

TEST_CASE("a server that responds with 200 is healthy") {
  for (const bool tls : {false, true}) {
    const Answering server(200, tls);
    for (const char* host : {"127.0.0.1", "localhost", "0.0.0.0", "::"}) {
      const auto checked = check_health({host, server.port(), tls}, patience);
      REQUIRE(checked.ok());
      const std::string shown = host == std::string("localhost") ? host : "127.0.0.1";
      CHECK(*checked == "the server at " + shown + ":" + std::to_string(server.port()) + " is healthy");
    }
  }
}

TEST_CASE("other statuses are unhealthy") {
  const Answering server(500);
  CHECK(failure({"127.0.0.1", server.port()}) == "is unhealthy: HTTP/1.1 500 Internal Server Error");
}

TEST_CASE("a server that sends a long response is not ours") {
  http::Server server(
      {}, [](const http::Request&, http::Response& response) { response.body.assign(1 << 20, 'x'); });
  const auto port = server.start();
  REQUIRE(port.ok());
  CHECK(failure({"127.0.0.1", *port}) == "is unhealthy: its response is too large");
}

TEST_CASE("the wrong scheme is explained") {
  const Answering plain(200);
  CHECK(failure({"127.0.0.1", plain.port(), true}) == "does not accept TLS; omit --tls?");
  const Answering tls(200, true);
  CHECK(failure({"127.0.0.1", tls.port(), false}) == "does not answer in HTTP; does it need --tls?");
  // So do servers that expect TLS and answer in HTTP nevertheless, among them OpenSSL 3.5; this one does not.
  const Answering refusing(400);
  CHECK(failure({"127.0.0.1", refusing.port(), false}) == "is unhealthy: HTTP/1.1 400 Bad Request");
  const Answering refusing_tls(400, true);
  CHECK(failure({"127.0.0.1", refusing_tls.port(), true}) == "is unhealthy: HTTP/1.1 400 Bad Request");
}

TEST_CASE("a server of another protocol is not asked for TLS") {
  const http::Canned other("SSH-2.0-other\r\n", tcp::Ending::none, "");
  CHECK(failure({"127.0.0.1", other.port()}) == "does not answer in HTTP; is another program on that port?");
}

TEST_CASE("timeouts and other protocols are distinguished") {
  std::latch done(1);
  http::ServerOptions options;
  options.tcp.threads = 1;
  http::Server server(options, [&](const http::Request&, http::Response&) { done.wait(); });
  const auto port = server.start();
  REQUIRE(port.ok());
  CHECK(failure({"127.0.0.1", *port}, std::chrono::milliseconds(1)) ==
        "accepts connections, but does not answer within 1 ms");
  // The only loop is busy in the handler, so there is no handshake either.
  CHECK(failure({"127.0.0.1", *port, true}, std::chrono::milliseconds(1)) ==
        "accepts connections, but does not answer within 1 ms");
  done.count_down();
}

TEST_CASE("a missing server is unhealthy") {
  std::uint16_t port = 0;
  {
    const Answering gone(200);
    port = gone.port();
  }
  CHECK(failure({"127.0.0.1", port}) == "does not answer; is it running on that port?");
}

}  // namespace
}  // namespace dinette::app::healthcheck_test

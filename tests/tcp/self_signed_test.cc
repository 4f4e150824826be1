#include "dinette/tcp/self_signed.h"

#include <chrono>
#include <ctime>
#include <fstream>
#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "dinette/tcp/stream.h"

#include "support/temporary_folder.h"
#include "tcp/fixture.h"

namespace dinette::tcp::self_signed_test {
namespace {

constexpr std::time_t day = 24 * 60 * 60;

/// Connects as a client that trusts one certificate.
base::Result<Stream, StreamError> connect(std::uint16_t port, const std::string& host,
                                          const std::string& trusted) {
  const ::test::TemporaryFolder folder;
  const std::string file = folder.path() / "trusted.pem";
  std::ofstream(file) << trusted;
  return Stream::connect({.host = host, .port = port, .tls = true, .verify = true, .trusted_file = file},
                         std::chrono::steady_clock::now() + std::chrono::minutes(1));
}

TEST_CASE("a self-signed certificate is valid for a year, and since the day before") {
  const std::time_t now = 1'800'000'000;
  const auto made = make_self_signed(now);
  REQUIRE(made);
  CHECK(made->certificate.starts_with("-----BEGIN CERTIFICATE-----\n"));
  CHECK(made->key.starts_with("-----BEGIN PRIVATE KEY-----\n"));
  CHECK(expiry_of(made->certificate) == now + 365 * day);
  CHECK_FALSE(expiry_of(made->key));
  CHECK_FALSE(expiry_of(""));
}

TEST_CASE("two certificates differ") {
  const auto one = make_self_signed(0);
  const auto other = make_self_signed(0);
  REQUIRE((one && other));
  CHECK(one->certificate != other->certificate);
  CHECK(one->key != other->key);
}

TEST_CASE(
    "a client that is given the certificate trusts the server by its names on this machine, and no other") {
  const auto made = make_self_signed(std::time(nullptr));
  const auto other = make_self_signed(std::time(nullptr));
  REQUIRE((made && other));
  ServerOptions options = with_tls();
  options.addresses = {"127.0.0.1", "127.0.0.2"};
  options.tls->self_signed = *made;
  Running running(std::move(options));
  CHECK(connect(running.port, "127.0.0.1", made->certificate).ok());
  CHECK(connect(running.port, "localhost", made->certificate).ok());
  for (const auto& refused : {connect(running.port, "127.0.0.2", made->certificate),
                              connect(running.port, "127.0.0.1", other->certificate)}) {
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error() == StreamError::untrusted);
  }
}

TEST_CASE("a key that does not belong to the certificate is refused") {
  ServerOptions options = with_tls();
  options.tls->self_signed = {make_self_signed(0)->certificate, make_self_signed(0)->key};
  Stage stage;
  FramesFactory factory(stage);
  Server server(std::move(options), factory);
  const auto started = server.start();
  REQUIRE_FALSE(started.ok());
  CHECK(started.error().starts_with("Cannot use a self-signed TLS certificate ("));
}

}  // namespace
}  // namespace dinette::tcp::self_signed_test

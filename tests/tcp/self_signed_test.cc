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

TEST_CASE("what a certificate is for can be read") {
  const std::string certificate = make_self_signed(0)->certificate;
  for (const char* host : {"localhost", "127.0.0.1", "::1"}) CHECK(is_for_host(certificate, host));
  for (const char* host : {"127.0.0.2", "db.localhost", "::2", ""})
    CHECK_FALSE(is_for_host(certificate, host));
  CHECK(is_self_signed(certificate));
  CHECK_FALSE(is_self_signed(""));
  CHECK_FALSE(is_for_host("", "localhost"));
}

TEST_CASE("a client can have the certificate that a server presents") {
  Running running(with_tls());
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  const auto secure = Stream::connect({.port = running.port, .tls = true}, deadline);
  REQUIRE(secure.ok());
  CHECK(is_for_host(secure->certificate(), "localhost"));
  Running plain;
  const auto insecure = Stream::connect({.port = plain.port}, deadline);
  REQUIRE(insecure.ok());
  CHECK(insecure->certificate().empty());
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
  options.listen.addresses = {"127.0.0.1", "127.0.0.2"};
  options.listen.tls->self_signed = *made;
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
  options.listen.tls->self_signed = {make_self_signed(0)->certificate, make_self_signed(0)->key};
  Stage stage;
  FramesFactory factory(stage);
  Server server(std::move(options), factory);
  const auto started = server.start();
  REQUIRE_FALSE(started.ok());
  CHECK(started.error().starts_with("Cannot use a self-signed TLS certificate ("));
}

}  // namespace
}  // namespace dinette::tcp::self_signed_test

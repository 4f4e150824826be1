#include "app/server_settings.h"

#include <catch2/catch.hpp>

#include "app/parsed.h"

namespace dinette::app::server_settings_test {
namespace {

TEST_CASE("requests have threads of their own only where they may block") {
  CHECK(server_settings({}, false).workers == 0);
  CHECK(server_settings({}, true).workers > 0);
}

TEST_CASE("TLS is served with a certificate from files or one made at start") {
  CHECK_FALSE(server_settings({}, false).tls);
  CHECK(server_settings(parsed({"--tls-self-signed"}), false).tls->certificate_file.empty());
  const auto own = server_settings(parsed({"--tls-cert", "c.pem", "--tls-key", "k.pem"}), false).tls;
  REQUIRE(own);
  CHECK(own->certificate_file == "c.pem");
  CHECK(own->key_file == "k.pem");
}

}  // namespace
}  // namespace dinette::app::server_settings_test

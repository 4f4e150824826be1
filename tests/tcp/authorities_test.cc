#include "tcp/authorities.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>

#include "support/temporary_folder.h"

namespace dinette::tcp::authorities_test {
namespace {

using test::TemporaryFolder;

TEST_CASE("authorities of other distributions are looked for only where OpenSSL has none of its own") {
  const TemporaryFolder folder;
  const std::string missing = folder.path() / "missing";
  const std::string present = folder.path() / "bundle.pem";
  std::ofstream(present) << "certificates";
  const std::array files{missing.c_str(), present.c_str()};

  CHECK(other_authorities(missing.c_str(), missing.c_str(), files) == present);
  CHECK(other_authorities(present.c_str(), missing.c_str(), files).empty());
  CHECK(other_authorities(missing.c_str(), folder.path().c_str(), files).empty());
  CHECK(other_authorities(missing.c_str(), missing.c_str(), std::array{missing.c_str()}).empty());
}

TEST_CASE("a file of authorities that the user has chosen is not replaced") {
  const TemporaryFolder folder;
  const std::string missing = folder.path() / "missing";
  const std::string present = folder.path() / "bundle.pem";
  std::ofstream(present) << "certificates";
  for (const char* name : {"SSL_CERT_FILE", "SSL_CERT_DIR"}) {
    setenv(name, "/nowhere", 1);
    CHECK(other_authorities(missing.c_str(), missing.c_str(), std::array{present.c_str()}).empty());
    unsetenv(name);
  }
}

}  // namespace
}  // namespace dinette::tcp::authorities_test

#include "tcp/authorities.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <catch2/catch.hpp>

#include "support/temporary_folder.h"

namespace dinette::tcp::authorities_test {
namespace {

using test::TemporaryFolder;

/// A variable of the environment that is not set, or has a value, until the end of a test.
class Variable {
 public:
  explicit Variable(const char* name, const char* value = nullptr) : name_(name) {
    const char* const before = std::getenv(name);
    if (before != nullptr) before_ = before;
    set(value);
  }
  ~Variable() { set(before_ ? before_->c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const char* value) const { value == nullptr ? unsetenv(name_) : setenv(name_, value, 1); }

  const char* name_;
  std::optional<std::string> before_;
};

TEST_CASE("authorities of other distributions are looked for only where OpenSSL has none of its own") {
  const Variable no_file("SSL_CERT_FILE");
  const Variable no_folder("SSL_CERT_DIR");
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
    const Variable no_file("SSL_CERT_FILE");
    const Variable no_folder("SSL_CERT_DIR");
    const Variable chosen(name, "/nowhere");
    CHECK(other_authorities(missing.c_str(), missing.c_str(), std::array{present.c_str()}).empty());
  }
}

}  // namespace
}  // namespace dinette::tcp::authorities_test

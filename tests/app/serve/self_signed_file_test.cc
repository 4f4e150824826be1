#include "app/serve/self_signed_file.h"

#include <ctime>
#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>

#include "support/temporary_folder.h"

namespace dinette::app::self_signed_file_test {
namespace {

namespace fs = std::filesystem;

constexpr std::time_t now = 1'800'000'000;
constexpr std::time_t day = 24 * 60 * 60;

struct Folder {
  ::test::TemporaryFolder folder;
  const std::string file = folder.path() / "dinette.pem";
  const std::string key_file = file + ".key";

  tcp::SelfSigned kept(std::time_t when = now) const {
    auto kept = keep_self_signed(file, when);
    INFO((kept.ok() ? "" : kept.error()));
    REQUIRE(kept.ok());
    return *std::move(kept);
  }
  std::string failure() const {
    const auto kept = keep_self_signed(file, now);
    REQUIRE_FALSE(kept.ok());
    return kept.error();
  }
};

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("the certificate is kept, and the next start has the same") {
  const Folder f;
  const auto first = f.kept();
  CHECK(text_of(f.file) == first.certificate);
  CHECK(text_of(f.key_file) == first.key);
  const auto second = f.kept(now + 300 * day);
  CHECK(second.certificate == first.certificate);
  CHECK(second.key == first.key);
  CHECK(std::distance(fs::directory_iterator(f.folder.path()), {}) == 2);
}

TEST_CASE("only the owner may read the key") {
  const Folder f;
  f.kept();
  CHECK(fs::status(f.key_file).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("a certificate that ends soon is replaced") {
  const Folder f;
  const auto first = f.kept();
  const auto second = f.kept(now + 360 * day);
  CHECK(second.certificate != first.certificate);
  CHECK(text_of(f.file) == second.certificate);
  CHECK(text_of(f.key_file) == second.key);
}

TEST_CASE("files of others are left alone") {
  const Folder f;
  std::ofstream(f.file) << "something else";
  CHECK(f.failure() == "--tls-self-signed " + f.file + ": there is " + f.file + ", but not " + f.key_file +
                           ". Remove it, or name another file.");
  std::ofstream(f.key_file) << "a key";
  CHECK(f.failure() == "--tls-self-signed " + f.file + ": it holds no certificate. Name another file.");
  CHECK(text_of(f.file) == "something else");
  CHECK(text_of(f.key_file) == "a key");
  fs::remove(f.file);
  CHECK(f.failure() == "--tls-self-signed " + f.file + ": there is " + f.key_file + ", but not " + f.file +
                           ". Remove it, or name another file.");
}

TEST_CASE("a file that cannot be written is named") {
  const ::test::TemporaryFolder folder;
  const std::string file = folder.path() / "gone/dinette.pem";
  const auto kept = keep_self_signed(file, now);
  REQUIRE_FALSE(kept.ok());
  CHECK(kept.error() == "cannot write the certificate's file " + file + ".key: No such file or directory");
}

}  // namespace
}  // namespace dinette::app::self_signed_file_test

#include "app/serve/credentials.h"

#include <cstdlib>
#include <fstream>
#include <string>

#include <catch2/catch.hpp>
#include <unistd.h>

namespace dinette::app::credentials_test {
namespace {

// A temporary file.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content) {
    const int descriptor = mkstemp(path_.data());
    REQUIRE(descriptor >= 0);
    close(descriptor);
    std::ofstream(path_) << content;
  }
  ~TemporaryFile() { unlink(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_ = "/tmp/dinette-credentials-XXXXXX";
};

std::string refusal(const std::string& content) {
  const TemporaryFile file(content);
  const auto keys = read_credentials(file.path());
  REQUIRE_FALSE(keys.ok());
  const auto& error = keys.error();
  const auto prefix = "credentials file " + file.path() + ": ";
  REQUIRE(error.starts_with(prefix));
  return error.substr(prefix.size());
}

TEST_CASE("a credentials file of the AWS tools is read") {
  const TemporaryFile file(
      "[default]\naws_access_key_id = AKIA1\naws_secret_access_key=s3/cr+et=\n\n"
      "; a comment\n[ci]\naws_access_key_id=AKIA2\naws_secret_access_key=two\naws_session_token=t\n"
      "aws_account_id=123456789012\n");
  const auto keys = read_credentials(file.path());
  REQUIRE(keys.ok());
  REQUIRE(keys->size() == 2);
  CHECK(keys->at("AKIA1").secret == "s3/cr+et=");
  CHECK(keys->at("AKIA1").session_token.empty());
  CHECK(keys->at("AKIA2").session_token == "t");
  CHECK(keys->at("AKIA2").account == "123456789012");
}

TEST_CASE("errors in a credentials file are reported with their place") {
  CHECK(refusal("") == "there is no profile in it, such as [default]");
  CHECK(refusal("[a]\naws_access_key_id=x\n") == "profile [a] has no aws_secret_access_key");
  CHECK(refusal("[a]\naws_secret_access_key=x\n") == "profile [a] has no aws_access_key_id");
  CHECK(refusal("[a]\naws_access_key_id=x\naws_secret_access_key=y\naws_account_id=7\n") ==
        "profile [a] has an aws_account_id that is not twelve digits");
  const std::string key = "aws_access_key_id=x\naws_secret_access_key=y\n";
  CHECK(refusal("[a]\n" + key + "[b]\n" + key) == "profile [b] has the access key of another profile");
  CHECK(refusal("[a]\nnonsense\n").starts_with("line 2: "));
}

TEST_CASE("a missing credentials file is named") {
  CHECK(read_credentials("/nowhere/keys").error() ==
        "cannot read the credentials file /nowhere/keys: No such file or directory");
  CHECK(read_credentials("/").error() == "cannot read the credentials file /: Is a directory");
}

}  // namespace
}  // namespace dinette::app::credentials_test

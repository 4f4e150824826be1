#include "dinette/aws/sign_request.h"

#include <chrono>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/aws/authenticator.h"
#include "dinette/http/tokens.h"

namespace dinette::aws::sign_request_test {
namespace {

constexpr base::TimePoint moment = std::chrono::sys_days(std::chrono::year(2026) / 1 / 31);

/// Returns the request as a server receives it.
base::Result<Caller, AuthError> judge(const http::ClientRequest& sent, std::string_view secret,
                                      std::string_view token = "") {
  std::vector<http::Header> headers{{"Host", "localhost:8000"}};
  for (std::string_view rest = sent.headers; !rest.empty();) {
    std::string_view line = http::take_until(rest, '\n');
    const std::string_view name = http::take_until(line, ':');
    line.remove_suffix(1);
    headers.push_back({name, http::trimmed(line)});
  }
  const base::ManualClock clock(moment);
  AuthOptions options{.mode = AuthMode::verify};
  options.credentials["key"] = {std::string(secret), std::string(token), ""};
  const auto caller = Authenticator("dynamodb", options, clock)
                          .authenticate({.method = sent.method,
                                         .target = sent.target,
                                         .headers = headers,
                                         .body = sent.body,
                                         .remote = ""});
  if (!caller) return base::Failure{caller.error()};
  return **caller;
}

TEST_CASE("a signed request is accepted by who has the secret") {
  http::ClientRequest request{.method = "POST", .headers = "Content-Type: x\r\n", .body = "{}"};
  sign_request(request, "localhost:8000", "T.Operation", "dynamodb", {"key", "secret", "", "eu-west-1"},
               moment);
  const auto caller = judge(request, "secret");
  REQUIRE(caller.ok());
  CHECK(caller->region == "eu-west-1");
  CHECK(caller->access_key == "key");
  CHECK_FALSE(judge(request, "other").ok());
  request.body = "{ }";
  CHECK_FALSE(judge(request, "secret").ok());
}

TEST_CASE("a session's token is signed, too") {
  http::ClientRequest request{.method = "POST"};
  sign_request(request, "localhost:8000", "T.Operation", "dynamodb", {"key", "secret", "token", "us-east-1"},
               moment);
  CHECK(judge(request, "secret", "token").ok());
  CHECK(request.headers.find("SignedHeaders=host;x-amz-date;x-amz-security-token;x-amz-target,") !=
        std::string::npos);
}

}  // namespace
}  // namespace dinette::aws::sign_request_test

#include "cql/wire/log_in.h"

#include <string>
#include <utility>

#include <catch2/catch.hpp>

// docs/service-keyspaces/protocol.md sections 10 and 11.
namespace dinette::cql::wire::log_in_test {

TEST_CASE("signatures are those of the public vector") {
  const SignedLogIn log_in{.access_key = "UserID-1", .date = "2020-06-09T22:41:51.000Z", .signature = {}};
  CHECK(log_in_signature(log_in, "91703fdc2ef562e19fbdab0f58e42fe5", "us-west-2", "UserSecretKey-1") ==
        "7f3691c18a81b8ce7457699effbfae5b09b4e0714ab38c1292dbdf082c9ddd87");
}

TEST_CASE("a signature is asked for with a nonce of 32 characters, and checked") {
  const base::ManualClock clock(std::chrono::sys_days(std::chrono::year(2026) / 2 / 3));
  const ServiceOptions options{.log_in = {.mode = LogInOptions::Mode::verify,
                                          .keys = {{"AK", {.secret = "SK", .account = "111122223333"}}}}};
  LogIn log_in(options, clock);
  auto step = log_in.take(std::string_view("SigV4\0\0", 7));
  REQUIRE(step.ok());
  const std::string token = std::get<Challenge>(*step).token;
  REQUIRE(token.starts_with("nonce="));
  REQUIRE(token.size() == 38);
  const std::string date = "2026-02-03T00:00:10.000Z";
  const std::string right = log_in_signature({"AK", date, {}}, token.substr(6), "us-east-1", "SK");
  const auto answered = [&](const std::string& signature) {
    LogIn copy = log_in;
    return copy.take("signature=" + signature + ",access_key=AK,amzdate=" + date + ",session_token=x");
  };
  const auto accepted = answered(right);
  REQUIRE(accepted.ok());
  CHECK(std::get<Caller>(*accepted).account == "111122223333");
  CHECK(answered(std::string(64, '0')).error().message == "Authentication failure: Invalid signature");
  // A signature is right for fifteen minutes.
  for (const auto& [moment, is_right] :
       {std::pair("2026-02-02T23:45:00.000Z", true), std::pair("2026-02-02T23:44:59.999Z", false),
        std::pair("2026-02-03T00:15:01.000Z", false)}) {
    const std::string signature = log_in_signature({"AK", moment, {}}, token.substr(6), "us-east-1", "SK");
    LogIn copy = log_in;
    CHECK(copy.take("signature=" + signature + ",access_key=AK,amzdate=" + moment).ok() == is_right);
  }
}

TEST_CASE("users of the service name their account, and malformed tokens are refused") {
  const base::ManualClock clock;
  const ServiceOptions options{.log_in = {.mode = LogInOptions::Mode::any}};
  const auto taken = [&](std::string_view token) { return LogIn(options, clock).take(token); };
  const auto user = taken(std::string_view("\0alice-at-111122223333\0x", 24));
  REQUIRE(user.ok());
  CHECK(std::get<Caller>(*user).account == "111122223333");
  CHECK(taken(std::string_view("\0user\0", 6)).error().message == "Password must not be null");
  CHECK(taken("").error().message == "Authentication ID must not be null");
  CHECK(taken(std::string_view("\0\0x", 3)).error().code == ErrorCode::bad_credentials);
}

}  // namespace dinette::cql::wire::log_in_test

#include "dinette/aws/authenticator.h"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

namespace dinette::aws::authenticator_test {
namespace {

using namespace std::chrono_literals;

// The signatures below were computed by botocore 1.29 for this key, moment and request.
constexpr std::string_view access_key = "AKIAEXAMPLE";
constexpr std::string_view secret_key = "wJalrXUtnFEMI/K7MDENG";
constexpr std::string_view session_token = "the/token+1=";
constexpr auto moment = std::chrono::sys_days(std::chrono::year(2026) / 1 / 31) + 8h + 15min;

const std::string header_signature = "f827070ef45cb35482865182cda4c35dc66bd06aa1a3ee38d96a9e153287ff56";
const std::string token_signature = "558ec395dbda15d0202c93f09c1c96f48548116311af73a5fb1198f911efb5f9";
const std::string query_signature = "f6d6bdd339b63a8c3821b4ba6de4036d3e186e4f1cfe722d2083ebae090a3ebe";
const std::string query_token_signature = "06f1fc50d486b6f9f80a88bc29dbcdf377f2d74f8b4f52ece2a2c7ad80737ee2";

const AuthError mismatch{
    AuthProblem::invalid_signature,
    "The request signature we calculated does not match the signature you provided. Check your "
    "AWS Secret Access Key and signing method. Consult the service documentation for details."};
const AuthError unrecognized{AuthProblem::unrecognized_client,
                             "The security token included in the request is invalid."};

const AuthError nonconforming{AuthProblem::incomplete_signature,
                              "The request signature does not conform to AWS standards."};

// A request whose parts a case can change before it is sent.
struct Request {
  std::string target = "/";
  std::string body = R"({"Limit":1})";
  std::vector<std::pair<std::string, std::string>> headers = {
      {"Host", "localhost:8000"},
      {"Content-Type", "application/x-amz-json-1.0"},
      {"X-Amz-Target", "DynamoDB_20120810.ListTables"},
      {"X-Two-Spaces", "a  b"},
  };

  void set(const std::string& name, const std::string& value) {
    std::erase_if(headers, [&](const auto& header) { return header.first == name; });
    headers.emplace_back(name, value);
  }
};

base::Result<Caller, AuthError> ask(const Authenticator& authenticator, const Request& request) {
  std::vector<http::Header> headers;
  for (const auto& [name, value] : request.headers) headers.push_back({name, value});
  http::Request http;
  http.method = "POST";
  http.target = request.target;
  http.headers = headers;
  http.body = request.body;
  const auto caller = authenticator.authenticate(http);
  if (!caller) return base::Failure{caller.error()};
  return **caller;
}

std::string authorization(const std::string& signature, const std::string& extra = "",
                          const std::string& scope = "20260131/eu-west-2/dynamodb/aws4_request") {
  return "AWS4-HMAC-SHA256 Credential=" + std::string(access_key) + "/" + scope +
         ", SignedHeaders=content-type;host;x-amz-date;" + extra +
         "x-amz-target;x-two-spaces, Signature=" + signature;
}

Request signed_request() {
  Request request;
  request.set("X-Amz-Date", "20260131T081500Z");
  request.set("Authorization", authorization(header_signature));
  return request;
}

Request signed_with_token() {
  Request request = signed_request();
  request.set("X-Amz-Security-Token", std::string(session_token));
  request.set("Authorization", authorization(token_signature, "x-amz-security-token;"));
  return request;
}

Request presigned(const std::string& signature, const std::string& token = "") {
  Request request;
  request.body.clear();
  request.target =
      "/?Limit=1&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAEXAMPLE%2F20260131%2Feu-west-2"
      "%2Fdynamodb%2Faws4_request&X-Amz-Date=20260131T081500Z&X-Amz-Expires=60&X-Amz-SignedHeaders="
      "content-type%3Bhost%3Bx-amz-target%3Bx-two-spaces" +
      token + "&X-Amz-Signature=" + signature;
  return request;
}

// An authenticator with the credentials of the example.
struct Fixture {
  explicit Fixture(AuthMode mode, std::string_view token = "", std::string account = "")
      : clock(moment),
        authenticator("dynamodb",
                      {.mode = mode,
                       .credentials = {{std::string(access_key),
                                        {std::string(secret_key), std::string(token), account}}}},
                      clock) {}

  AuthError refusal(const Request& request) const {
    const auto answer = ask(authenticator, request);
    REQUIRE_FALSE(answer.ok());
    return answer.error();
  }
  Caller caller(const Request& request) const {
    const auto answer = ask(authenticator, request);
    if (!answer.ok()) FAIL(answer.error().message);
    return *answer;
  }

  base::ManualClock clock;
  Authenticator authenticator;
};

TEST_CASE("mode none needs no credentials") {
  const Fixture f(AuthMode::none);
  CHECK(f.caller({}) == Caller{"", "000000000000", "us-east-1"});
  CHECK(f.caller(signed_request()) == Caller{"AKIAEXAMPLE", "000000000000", "eu-west-2"});
  CHECK(f.caller(presigned("wrong")) == Caller{"AKIAEXAMPLE", "000000000000", "eu-west-2"});

  Request broken;
  broken.set("Authorization", "Bearer x");
  CHECK(f.caller(broken) == Caller{"", "000000000000", "us-east-1"});
}

TEST_CASE("mode none tells callers apart, whatever it remembers of the one before") {
  const Fixture f(AuthMode::none);
  const Fixture of_account(AuthMode::none, "", "123456789012");
  const auto named = [](const Fixture& fixture, const std::string& credential, const std::string& signature) {
    Request request;
    request.set("Authorization", "AWS4-HMAC-SHA256 " + credential + ", Signature=" + signature);
    return fixture.caller(request);
  };
  const std::string mine = "Credential=AKIAEXAMPLE/20260131/eu-west-2/dynamodb/aws4_request";
  const std::string digits(64, 'a');
  const Caller known{"AKIAEXAMPLE", "000000000000", "eu-west-2"};
  CHECK(named(f, mine, digits) == known);
  CHECK(named(f, mine, std::string(64, '0')) == known);
  CHECK(named(of_account, mine, digits) == Caller{"AKIAEXAMPLE", "123456789012", "eu-west-2"});
  CHECK(named(f, mine, digits) == known);

  // What is as long as a signature may say something else.
  const std::string other = "aaa,Credential=other/20260131/eu-west-1/dynamodb/aws4_request,a=";
  REQUIRE(other.size() == digits.size());
  CHECK(named(f, mine, other) == Caller{"other", "000000000000", "eu-west-1"});
  CHECK(named(f, mine, digits) == known);
  CHECK(named(f, "Credential=AKIAOTHERRR/20260131/eu-west-2/dynamodb/aws4_request", digits).access_key ==
        "AKIAOTHERRR");
  const std::string slashes = "a/20260131/eu-west-1/dynamodb/aws4_request";
  const std::string value = std::string(64 - slashes.size(), 'a') + slashes;
  CHECK(named(f, "Credential=,Credential=Signature", digits).access_key.empty());
  Request odd;
  odd.set("Authorization", "AWS4-HMAC-SHA256 Credential=Signature=" + digits);
  CHECK(f.caller(odd).access_key.empty());
  odd.set("Authorization", "AWS4-HMAC-SHA256 Credential=Signature=" + value);
  CHECK(f.caller(odd).region == "eu-west-1");
}

TEST_CASE("of several credentials the last that says something counts, in every mode") {
  Request request;
  request.set("X-Amz-Date", "20260131T081500Z");
  request.set(
      "Authorization",
      "AWS4-HMAC-SHA256 Credential=first/20260131/eu-west-1/dynamodb/aws4_request, "
      "Credential=AKIAEXAMPLE/20260131/eu-west-2/dynamodb/aws4_request, Credential=, SignedHeaders=host, "
      "Signature=0");
  for (const AuthMode mode : {AuthMode::none, AuthMode::present})
    CHECK(Fixture(mode).caller(request) == Caller{"AKIAEXAMPLE", "000000000000", "eu-west-2"});
}

TEST_CASE("the region of a caller is one that can be in an ARN") {
  const Fixture f(AuthMode::none);
  Request request = signed_request();
  for (const std::string region : {"", "a:b", "a b"}) {
    request.set("Authorization", authorization("x", "", "20260131/" + region + "/dynamodb/aws4_request"));
    CHECK(f.caller(request).region == "us-east-1");
  }
  request.set("Authorization", authorization("x", "", "20260131/local/dynamodb/aws4_request"));
  CHECK(f.caller(request).region == "local");
}

TEST_CASE("the account comes from the credentials, then from a numeric access key, then from the default") {
  CHECK(Fixture(AuthMode::none, "", "210987654321").caller(signed_request()).account == "210987654321");

  Request numeric = signed_request();
  numeric.set("Authorization",
              "AWS4-HMAC-SHA256 Credential=123456789012/20260131/us-west-2/dynamodb/aws4_request, "
              "SignedHeaders=host, Signature=0");
  CHECK(Fixture(AuthMode::none).caller(numeric) == Caller{"123456789012", "123456789012", "us-west-2"});

  base::ManualClock clock(moment);
  const Authenticator other("dynamodb", {.default_account = "111122223333", .default_region = "eu-north-1"},
                            clock);
  CHECK(*ask(other, {}) == Caller{"", "111122223333", "eu-north-1"});
  CHECK(ask(other, signed_request())->account == "111122223333");
}

TEST_CASE("a request without any signature misses its token") {
  const AuthError missing{AuthProblem::missing_token, "Request is missing Authentication Token"};
  CHECK(Fixture(AuthMode::present).refusal({}) == missing);
  CHECK(Fixture(AuthMode::verify).refusal({}) == missing);
}

TEST_CASE("a request is signed in the header or in the query, not both") {
  Request both = presigned(query_signature);
  both.set("Authorization", authorization(header_signature));
  CHECK(
      Fixture(AuthMode::present).refusal(both) ==
      AuthError{AuthProblem::invalid_signature,
                "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header."});
}

TEST_CASE("an incomplete Authorization header names what it lacks, in the service's order") {
  const Fixture f(AuthMode::present);
  const std::string credential = "Authorization header requires 'Credential' parameter. ";
  const std::string signature = "Authorization header requires 'Signature' parameter. ";
  const std::string headers = "Authorization header requires 'SignedHeaders' parameter. ";
  const std::string date =
      "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ";
  const auto message = [&](const std::string& header, bool with_date) {
    Request request;
    request.set("Authorization", header);
    if (with_date) request.set("Date", "Sat, 31 Jan 2026 08:15:00 GMT");
    const AuthError error = f.refusal(request);
    CHECK(error.problem == AuthProblem::incomplete_signature);
    return error.message;
  };
  const std::string scope = "Credential=a/20260131/us-east-1/dynamodb/aws4_request";
  CHECK(message("AWS4-HMAC-SHA256", false) ==
        credential + signature + headers + date + "Authorization=AWS4-HMAC-SHA256");
  CHECK(message("AWS4-HMAC-SHA256 " + scope, false) ==
        signature + headers + date + "Authorization=AWS4-HMAC-SHA256");
  CHECK(message("AWS4-HMAC-SHA256 " + scope + ", Signature=1", true) ==
        headers + "Authorization=AWS4-HMAC-SHA256");
  CHECK(message("AWS4-HMAC-SHA256 " + scope + ",SignedHeaders=host,Signature=1", false) ==
        date + "Authorization=AWS4-HMAC-SHA256");
  CHECK(message("Bearer of,bad=news", true) == credential + signature + headers + "Authorization=Bearer");
  CHECK(message("", true) == credential + signature + headers + "Authorization=");
  CHECK(message("AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature=1", true) ==
        "Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got "
        "'a/b'");
}

TEST_CASE("an incomplete query string names what it lacks") {
  Request request;
  request.target = "/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20260131T081500Z";
  CHECK(Fixture(AuthMode::present).refusal(request) ==
        AuthError{
            AuthProblem::incomplete_signature,
            "AWS query-string parameters must include 'X-Amz-Credential'. AWS query-string parameters must "
            "include 'X-Amz-Signature'. AWS query-string parameters must include 'X-Amz-SignedHeaders'. "
            "Re-examine the query-string parameters."});
}

TEST_CASE("mode present does not look at the signature itself") {
  const Fixture f(AuthMode::present);
  Request request = signed_request();
  request.body = "something else";
  CHECK(f.caller(request) == Caller{"AKIAEXAMPLE", "000000000000", "eu-west-2"});
  CHECK(f.caller(presigned("0")).region == "eu-west-2");
}

TEST_CASE("a right signature is accepted in both forms") {
  const Fixture f(AuthMode::verify);
  const Caller expected{"AKIAEXAMPLE", "000000000000", "eu-west-2"};
  CHECK(f.caller(signed_request()) == expected);
  CHECK(f.caller(signed_request()) == expected);  // By the cached key.
  CHECK(f.caller(presigned(query_signature)) == expected);
}

TEST_CASE("whatever is signed cannot be changed") {
  const Fixture f(AuthMode::verify);
  Request request = signed_request();
  SECTION("body") {
    request.body += " ";
  }
  SECTION("header") {
    request.set("X-Amz-Target", "DynamoDB_20120810.DeleteTable");
  }
  SECTION("query") {
    request.target = "/?a=b";
  }
  SECTION("path") {
    request.target = "/x";
  }
  SECTION("signature") {
    request.set("Authorization", authorization("0" + header_signature.substr(1)));
  }
  SECTION("length of the signature") {
    request.set("Authorization", authorization(header_signature + "0"));
  }
  SECTION("list of headers") {
    request.set("Authorization", authorization(header_signature, "x-amz-security-token;"));
  }
  SECTION("presigned query") {
    request = presigned(query_signature);
    request.target.replace(request.target.find("Limit=1"), 7, "Limit=2");
  }
  CHECK(f.refusal(request) == mismatch);
}

TEST_CASE("headers that are not signed may change, and runs of spaces do not matter") {
  const Fixture f(AuthMode::verify);
  Request request = signed_request();
  request.set("User-Agent", "anything");
  request.set("X-Two-Spaces", "a b");
  CHECK(f.caller(request).access_key == access_key);
}

TEST_CASE("an unknown key is not recognized") {
  const Fixture f(AuthMode::verify);
  Request request = signed_request();
  std::string header = authorization(header_signature);
  request.set("Authorization", header.replace(header.find(access_key), access_key.size(), "AKIAUNKNOWN"));
  CHECK(f.refusal(request) == unrecognized);
}

TEST_CASE("a session token must be the one on file") {
  const Fixture f(AuthMode::verify, session_token);
  CHECK(f.caller(signed_with_token()).access_key == access_key);
  CHECK(f.caller(presigned(query_token_signature, "&X-Amz-Security-Token=the%2Ftoken%2B1%3D")).access_key ==
        access_key);
  CHECK(f.refusal(signed_request()) == unrecognized);
  Request other = signed_with_token();
  other.set("X-Amz-Security-Token", "the/token+2=");
  CHECK(f.refusal(other) == unrecognized);
  CHECK(Fixture(AuthMode::verify).refusal(signed_with_token()) == unrecognized);
}

TEST_CASE("a signature is good for fifteen minutes before and after its moment") {
  Fixture f(AuthMode::verify);
  f.clock.set(moment + 15min);
  CHECK(f.caller(signed_request()).access_key == access_key);
  f.clock.set(moment - 15min);
  CHECK(f.caller(signed_request()).access_key == access_key);

  f.clock.set(moment + 15min + 1s);
  CHECK(f.refusal(signed_request()) ==
        AuthError{
            AuthProblem::skewed_time,
            "Signature expired: 20260131T081500Z is now earlier than 20260131T081501Z (20260131T083001Z - 15 "
            "min.)"});
  CHECK(f.refusal(presigned(query_signature)).message.starts_with("Signature expired: "));
  f.clock.set(moment - 15min - 1s);
  CHECK(f.refusal(signed_request()) == AuthError{AuthProblem::skewed_time,
                                                 "Signature not yet current: 20260131T081500Z is still later "
                                                 "than 20260131T081459Z (20260131T075959Z "
                                                 "+ 15 min.)"});
}

TEST_CASE("a presigned request is good for as long as it says") {
  Fixture f(AuthMode::verify);
  f.clock.set(moment + 60s);
  CHECK(f.caller(presigned(query_signature)).access_key == access_key);
  f.clock.set(moment + 61s);
  CHECK(f.refusal(presigned(query_signature)) ==
        AuthError{
            AuthProblem::skewed_time,
            "Signature expired: 20260131T081500Z is now earlier than 20260131T081501Z (20260131T081601Z - 1 "
            "min.)"});
}

Request presigned_for(const std::string& seconds) {
  Request request = presigned("0");
  request.target.replace(request.target.find("X-Amz-Expires=60"), 16, "X-Amz-Expires=" + seconds);
  return request;
}

TEST_CASE("a presigned request may be good for a second to seven days") {
  Fixture f(AuthMode::verify);
  f.clock.set(moment + std::chrono::days(7));
  CHECK(f.refusal(presigned_for("604800")) == mismatch);  // Which is checked later.
  CHECK(f.refusal(presigned_for("604799")).message.ends_with(" - 604799 sec.)"));
  for (const std::string seconds : {"", "0", "-1", "604801", "60s", "1e3", "99999999999999999999"}) {
    INFO(seconds);
    CHECK(f.refusal(presigned_for(seconds)) == nonconforming);
  }
}

TEST_CASE("a signature by another algorithm is not computed") {
  const Fixture f(AuthMode::verify);
  for (const std::string algorithm : {"AWS4-HMAC-SHA1", "AWS4-ECDSA-P256-SHA256", "aws4-hmac-sha256"}) {
    Request request = signed_request();
    std::string header = authorization(header_signature);
    request.set("Authorization", header.replace(0, header.find(' '), algorithm));
    CHECK(f.refusal(request) == nonconforming);
    request = presigned(query_signature);
    request.target.replace(request.target.find("AWS4-HMAC-SHA256"), 16, algorithm);
    CHECK(f.refusal(request) == nonconforming);
  }
}

TEST_CASE("a header that is signed twice over is not looked for") {
  const Fixture f(AuthMode::verify);
  Request request = signed_request();
  request.set("Authorization", authorization(header_signature, "host;"));
  CHECK(f.refusal(request) == nonconforming);
}

TEST_CASE("the scope must be that of the service and the day") {
  const Fixture f(AuthMode::verify);
  const auto message = [&](const std::string& scope) {
    Request request = signed_request();
    request.set("Authorization", authorization(header_signature, "", scope));
    return f.refusal(request).message;
  };
  CHECK(message("20260131/eu-west-2/s3/aws4_request") ==
        "Credential should be scoped to correct service: 'dynamodb'. ");
  CHECK(message("20260131/a:b/dynamodb/aws4_request") ==
        "Credential should be scoped to a valid region, not 'a:b'. ");
  CHECK(message("20260131/eu-west-2/dynamodb/aws5_request") ==
        "Credential should be scoped with a valid terminator: 'aws4_request', not 'aws5_request'.");
  CHECK(message("20260130/eu-west-2/dynamodb/aws4_request") ==
        "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: "
        "'20260130' != "
        "'20260131', from '20260131T081500Z'.");
  CHECK(message("20260131/eu-west-1/dynamodb/aws4_request") == mismatch.message);
}

// docs/service/wire.md section 5; the whole text is one that the service sent in 2013.
TEST_CASE("all that is wrong with a scope is in one message") {
  const Fixture f(AuthMode::verify);
  Request request = signed_request();
  request.set("Authorization", authorization(header_signature, "", "b/c:c/d/e"));
  CHECK(
      f.refusal(request) ==
      AuthError{
          AuthProblem::invalid_signature,
          "Credential should be scoped to a valid region, not 'c:c'. Credential should be scoped to correct "
          "service: 'dynamodb'. Credential should be scoped with a valid terminator: 'aws4_request', not "
          "'e'. Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: "
          "'b' != '20260131', from '20260131T081500Z'."});
}

TEST_CASE("the date is checked before the scope") {
  Fixture f(AuthMode::verify);
  for (const std::string scope :
       {"20260130/eu-west-2/dynamodb/aws4_request", "20260131/a:b/dynamodb/aws4_request",
        "20260131/eu-west-2/s3/aws4_request"}) {
    Request request = signed_request();
    request.set("Authorization", authorization(header_signature, "", scope));
    f.clock.set(moment + 16min);
    CHECK(f.refusal(request).message.starts_with("Signature expired: "));
    f.clock.set(moment - 16min);
    CHECK(f.refusal(request).message.starts_with("Signature not yet current: "));
    f.clock.set(moment);
    CHECK(f.refusal(request).message.find("Credential") != std::string::npos);
  }
}

TEST_CASE("the parts of an Authorization header are separated by commas, spaces, or both") {
  const Fixture f(AuthMode::verify);
  for (const std::string separator : {",", " ", ", ", " , ", ",  ", "\t", ",,"}) {
    INFO("'" << separator << "'");
    Request request = signed_request();
    std::string header = authorization(header_signature);
    for (std::size_t at = 0; (at = header.find(", ", at)) != std::string::npos; at += separator.size())
      header.replace(at, 2, separator);
    request.set("Authorization", header);
    CHECK(f.caller(request).access_key == access_key);
  }
}

// Otherwise a request could be replayed as another operation.
TEST_CASE("a signature that does not cover the target is refused, in both forms") {
  const Fixture f(AuthMode::verify);
  const AuthError refused{AuthProblem::invalid_signature,
                          "'X-Amz-Target' must be a 'SignedHeader' in the AWS Authorization."};
  Request request = signed_request();
  request.set("Authorization",
              "AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/20260131/eu-west-2/dynamodb/aws4_request, "
              "SignedHeaders=host;x-amz-date, Signature=" +
                  header_signature);
  CHECK(f.refusal(request) == refused);
  request = presigned(query_signature);
  request.target.replace(request.target.find("%3Bx-amz-target"), 15, "");
  CHECK(f.refusal(request) == refused);
}

TEST_CASE("a request without a target need not sign one") {
  const Fixture f(AuthMode::verify);
  Request request = signed_request();
  std::erase_if(request.headers, [](const auto& header) { return header.first == "X-Amz-Target"; });
  request.set("Authorization",
              "AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/20260131/eu-west-2/dynamodb/aws4_request, "
              "SignedHeaders=host;x-amz-date, Signature=" +
                  header_signature);
  CHECK(f.refusal(request) == mismatch);
}

TEST_CASE("a date that is none, and a signature that does not cover the host, are refused") {
  const Fixture f(AuthMode::verify);
  Request request = signed_request();
  request.set("X-Amz-Date", "yesterday");
  CHECK(f.refusal(request) == AuthError{AuthProblem::incomplete_signature,
                                        "Date must be in ISO-8601 'basic format'. Got 'yesterday'. See "
                                        "http://en.wikipedia.org/wiki/ISO_8601"});
  request = signed_request();
  request.set("Authorization",
              "AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/20260131/eu-west-2/dynamodb/aws4_request, "
              "SignedHeaders=x-amz-date, Signature=" +
                  header_signature);
  CHECK(f.refusal(request).message ==
        "'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.");
}

}  // namespace
}  // namespace dinette::aws::authenticator_test

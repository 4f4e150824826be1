#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "s3/fixture.h"

namespace test::access_test {
namespace {

using namespace dinette;

bool owns(std::string_view target, const s3::Headers& headers, std::string_view method = "GET") {
  std::vector<http::Header> views;
  for (const auto& [name, value] : headers) views.push_back({name, value});
  return s3::Service::owns({.method = method, .target = target, .headers = views, .body = "", .remote = ""});
}

TEST_CASE("Requests of S3 are told from those of other services") {
  const std::string credential = "AWS4-HMAC-SHA256 Credential=key/20260131/us-east-1/";
  CHECK(owns("/bucket", {}));
  CHECK(owns("/bucket/key?a", {}));
  CHECK(owns("/", {{"Authorization", credential + "s3/aws4_request, SignedHeaders=host"}}));
  CHECK(owns("/?X-Amz-Credential=key%2F20260131%2Fus-east-1%2Fs3%2Faws4_request", {}));
  CHECK(owns("/", {{"Host", "bucket.s3.localhost"}}));
  CHECK_FALSE(owns("/", {}));
  CHECK_FALSE(owns("/?a", {}));
  CHECK_FALSE(owns("/", {{"Authorization", credential + "dynamodb/aws4_request, SignedHeaders=host"}}));
  CHECK_FALSE(owns("/path", {{"X-Amz-Target", "DynamoDB_20120810.ListTables"}}, "POST"));
}

TEST_CASE("Web pages of other origins are refused") {
  s3::Fixture s3;
  s3.fill({"v"});
  const auto evil = s3.send("GET", "/bucket/v", "", {{"Origin", "https://evil.example"}});
  CHECK(evil.status == 403);
  CHECK(evil.code() == "AccessForbidden");
  CHECK(s3.send("DELETE", "/bucket/v", "", {{"Origin", "https://evil.example"}}).status == 403);
  const auto local = s3.send("GET", "/bucket/v", "", {{"Origin", "http://localhost:3000"}});
  CHECK(local.status == 200);
  CHECK(local.header("Access-Control-Allow-Origin") == "http://localhost:3000");
  CHECK(s3.send("OPTIONS", "/bucket/v", "",
                {{"Origin", "http://localhost:3000"}, {"Access-Control-Request-Method", "PUT"}})
            .status == 200);
  CHECK(s3.send("OPTIONS", "/bucket/v", "", {{"Origin", "https://evil.example"}}).status == 403);
}

TEST_CASE("Hosts that may have been rebound are refused") {
  s3::Fixture s3;
  s3.fill({"v"});
  for (const char* const host : {"127.0.0.1:8000", "[::1]:8000", "localhost", "dinette:8000",
                                 "host.docker.internal", "bucket.localhost"})
    CHECK(s3.send_to(host, "GET", "/bucket/v").status != 403);
  const auto refused = s3.send_to("evil.example:8000", "GET", "/bucket/v");
  CHECK(refused.status == 403);
  CHECK(refused.code() == "AccessDenied");
  s3::Fixture admitted({.cors_origins = "local,our.example"});
  CHECK(admitted.send_to("our.example:8000", "GET", "/").status == 200);
}

TEST_CASE("Signatures are asked for if the server asks for them") {
  s3::Fixture s3({.auth = {.mode = aws::AuthMode::verify, .credentials = {{"key", {"secret", "", ""}}}}});
  CHECK(s3.send("GET", "/").code() == "AccessDenied");
  const auto code = [&](const std::string& key, const char* date) {
    return s3
        .send("GET", "/", "",
              {{"Authorization",
                "AWS4-HMAC-SHA256 Credential=" + key +
                    "/20260131/us-east-1/s3/aws4_request, SignedHeaders=host;x-amz-date, Signature=0"},
               {"x-amz-date", date}})
        .code();
  };
  CHECK(code("key", "20260131T080000Z") == "SignatureDoesNotMatch");
  CHECK(code("other", "20260131T080000Z") == "InvalidAccessKeyId");
  CHECK(code("key", "20260131T070000Z") == "RequestTimeTooSkewed");
}

}  // namespace
}  // namespace test::access_test

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

TEST_CASE("requests of S3 are distinguished from those of other services") {
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

TEST_CASE("web pages of other origins are refused") {
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

TEST_CASE("hosts that may have been rebound are refused") {
  s3::Fixture s3;
  s3.fill({"v"});
  for (const char* const host :
       {"127.0.0.1:8000", "[::1]:8000", "localhost", "192.0.2.2:8000", "host.docker.internal",
        "bucket.localhost", "localhost.localstack.cloud:4566", "bucket.s3.us-east-1.amazonaws.com"})
    CHECK(s3.send_to(host, "GET", "/bucket/v").status != 403);
  // Names that any machine of the network may have, called from this machine: tests/http/local_host_test.cc.
  for (const char* const host : {"dinette:8000", "nas.local", "", "a b"})
    CHECK(s3.send_to(host, "GET", "/bucket/v").status == 403);
  const auto refused = s3.send_to("evil.example:8000", "GET", "/bucket/v");
  CHECK(refused.status == 403);
  CHECK(refused.code() == "AccessDenied");
  s3::Fixture admitted({.cors_origins = "local,our.example"});
  CHECK(admitted.send_to("our.example:8000", "GET", "/").status == 200);
}

TEST_CASE("what only programs send is served whatever the host is") {
  s3::Fixture s3;
  s3.fill({"v"});
  const std::string credential =
      "AWS4-HMAC-SHA256 Credential=key/20260131/us-east-1/s3/aws4_request, Signature=0";
  for (const char* const host : {"dinette.ns:8000", "dinette.ns.svc:8000", "dinette:8000", ""}) {
    INFO(host);
    const s3::Headers signed_by_program{{"Host", host}, {"Authorization", credential}};
    CHECK(s3.send_exactly("GET", "/bucket/v", "", signed_by_program).status == 200);
    CHECK(s3.send_exactly("GET", "/bucket/v?X-Amz-Signature=0", "", {{"Host", host}}).status == 200);
    CHECK(s3.send_exactly("PUT", "/bucket/w", "w", {{"Host", host}}).status == 200);  // pages send an Origin
    CHECK(s3.send_exactly("GET", "/bucket/v", "", {{"Host", host}}).status == 403);
    // A page of a rebound name can claim a signature, but not hide its browser.
    for (const auto& mark : s3::Headers{{"Accept-Language", "en"}, {"User-Agent", "Mozilla/5.0"}}) {
      s3::Headers page = signed_by_program;
      page.push_back(mark);
      CHECK(s3.send_exactly("GET", "/bucket/v", "", page).status == 403);
    }
  }
}

TEST_CASE("a browser runs nothing that a bucket holds in the origin of the server") {
  s3::Fixture s3;
  s3.fill({"page.html"});
  for (const auto& [method, target] :
       s3::Headers{{"GET", "/bucket/page.html"},
                   {"HEAD", "/bucket/page.html"},
                   {"GET", "/bucket/none"},
                   {"GET", "/bucket?list-type=2"},
                   {"GET", "/"},
                   {"PUT", "/bucket/other"},
                   {"POST", "/bucket/page.html"},
                   {"GET", "/bucket/page.html?response-content-type=text/html"}}) {
    INFO(method << " " << target);
    const auto response = s3.send(method, target);
    CHECK(response.header("Content-Security-Policy") == "sandbox");
    CHECK(response.header("X-Content-Type-Options") == "nosniff");
  }
  const auto refused = s3.send("GET", "/bucket/page.html", "", {{"Origin", "https://evil.example"}});
  CHECK(refused.header("Content-Security-Policy") == "sandbox");
  const auto range = s3.send("GET", "/bucket/page.html", "", {{"Range", "bytes=0-1"}});
  CHECK(range.status == 206);
  CHECK(range.header("Content-Security-Policy") == "sandbox");
}

TEST_CASE("objects are shown in pages that may call, and of the same site") {
  s3::Fixture s3;
  s3.fill({"v"});
  const auto policy = [&](const char* page) {
    return s3.send("GET", "/bucket/v", "", {{"Referer", page}}).header("Cross-Origin-Resource-Policy");
  };
  CHECK(policy("http://localhost:3000/app") == "cross-origin");
  CHECK(policy("https://evil.example/") == "same-site");
  CHECK(s3.send("GET", "/bucket/v").header("Cross-Origin-Resource-Policy") == "same-site");
}

TEST_CASE("an object becomes no service worker") {
  s3::Fixture s3;
  s3.fill({"worker.js"});
  const auto response = s3.send("GET", "/bucket/worker.js", "", {{"Service-Worker", "script"}});
  CHECK(response.status == 403);
  CHECK(response.code() == "AccessDenied");
}

TEST_CASE("pages without an origin may not call, whatever --cors says") {
  for (const char* const origins : {"local", "*"}) {
    s3::Fixture s3({.cors_origins = origins});
    s3.fill({"v"});
    CHECK(s3.send("GET", "/bucket/v", "", {{"Origin", "null"}}).code() == "AccessForbidden");
    CHECK(s3.send("POST", "/bucket/v", "", {{"Origin", "null"}}).code() == "AccessForbidden");
  }
}

TEST_CASE("signatures are asked for if the server asks for them") {
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

// The example of the Amazon S3 API Reference, "Signature calculations for the authorization header:
// transferring payload in multiple chunks".
TEST_CASE("chunks have signatures of their own") {
  s3::Fixture s3({.auth = {.mode = aws::AuthMode::verify,
                           .credentials = {{"AKIAIOSFODNN7EXAMPLE",
                                            {"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "", ""}}}}});
  s3.clock.set(std::chrono::sys_days(std::chrono::year(2013) / 5 / 24));
  REQUIRE(s3.store->create_bucket("examplebucket").ok());
  const s3::Headers headers{
      {"Host", "s3.amazonaws.com"},
      {"x-amz-date", "20130524T000000Z"},
      {"x-amz-storage-class", "REDUCED_REDUNDANCY"},
      {"Authorization",
       "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
       "SignedHeaders=content-encoding;content-length;host;x-amz-content-sha256;x-amz-date;"
       "x-amz-decoded-content-length;x-amz-storage-class,"
       "Signature=4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9"},
      {"x-amz-content-sha256", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"},
      {"Content-Encoding", "aws-chunked"},
      {"x-amz-decoded-content-length", "66560"},
      {"Content-Length", "66824"}};
  const auto put = [&](char first) {
    std::string large(65'536, 'a');
    large.front() = first;
    const std::string body =
        "10000;chunk-signature=ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648\r\n" + large +
        "\r\n400;chunk-signature=0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497\r\n" +
        std::string(1'024, 'a') +
        "\r\n0;chunk-signature=b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9\r\n\r\n";
    return s3.send_exactly("PUT", "/examplebucket/chunkObject.txt", body, headers);
  };
  CHECK(put('b').code() == "SignatureDoesNotMatch");
  CHECK(put('a').status == 200);
  const auto listing = s3.store->list("examplebucket", {});
  REQUIRE(listing->objects.size() == 1);
  CHECK(listing->objects.front().size == 66'560);
}

}  // namespace
}  // namespace test::access_test

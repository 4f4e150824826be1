#include "dinette/s3/service.h"

#include <string>

#include <catch2/catch.hpp>

#include "dinette/base/base64.h"

#include "s3/error.h"
#include "s3/fixture.h"
#include "support/captured_log.h"

namespace test::service_test {
namespace {

using namespace dinette;

TEST_CASE("each request has ids of its own, of which the second repeats the first") {
  s3::Fixture s3;
  std::string last;
  for (const char* const target : {"/", "/none", "/none/key"}) {
    const auto response = s3.send("GET", target);
    const std::string id = response.header("x-amz-request-id");
    const auto host_id = base::base64_decode(response.header("x-amz-id-2"));
    REQUIRE(host_id);
    REQUIRE(host_id->size() == 16);
    std::string digits;
    for (std::size_t i = 0; i < 8; ++i) {
      constexpr const char* hex = "0123456789ABCDEF";
      const auto byte = static_cast<unsigned char>((*host_id)[i]);
      digits += {hex[byte >> 4], hex[byte & 15]};
    }
    CHECK(id == digits);
    CHECK(id != last);
    last = id;
  }
  const auto refused = s3.send("GET", "/none");
  CHECK(refused.element("RequestId") == refused.header("x-amz-request-id"));
  CHECK(refused.element("HostId") == refused.header("x-amz-id-2"));
}

TEST_CASE("a request that may not wait is handed on, with nothing done") {
  s3::Fixture s3;
  s3.fill({});
  const http::Header host{"Host", "localhost"};
  http::Request request{.method = "PUT",
                        .target = "/bucket/key",
                        .headers = {&host, 1},
                        .body = "v",
                        .remote = "127.0.0.1:4000",
                        .may_wait = false};
  http::Response response;
  s3.service.handle(request, response);
  CHECK(response.must_wait);
  CHECK_FALSE(s3.store->open("bucket", "key").ok());
  request.may_wait = true;
  response.clear();
  s3.service.handle(request, response);
  CHECK_FALSE(response.must_wait);
  CHECK(s3.store->open("bucket", "key").ok());
}

TEST_CASE("a request that is too large is refused in the form of S3") {
  s3::Fixture s3;
  http::Response response;
  s3.service.refuse({.method = "PUT", .target = "/bucket/key", .headers = {}, .body = "", .remote = ""},
                    response);
  CHECK(response.status == 400);
  CHECK(response.body.find("<Code>EntityTooLarge</Code>") != std::string::npos);
  CHECK(response.headers.find("x-amz-request-id: ") != std::string::npos);
  CHECK(response.headers.find("Content-Security-Policy: sandbox") != std::string::npos);
}

TEST_CASE("a request is logged with its target, its status and its error") {
  CapturedLog log(base::LogLevel::info);
  s3::Fixture s3;
  s3.fill({});
  s3.send("PUT", "/bucket/key", "v");
  s3.send("GET", "/bucket/none");
  const std::string lines = log.text();
  CHECK_THAT(lines, Catch::Contains("s3 method=PUT target=/bucket/key status=200 microseconds="));
  CHECK_THAT(lines, Catch::Contains("s3 method=GET target=/bucket/none status=404 error=NoSuchKey "
                                    "error_message=\"The specified key does not exist.\" "));
}

TEST_CASE("a request without a signature is for a bucket that exists, or calls S3 by its name") {
  s3::Fixture s3;
  const auto is_for_bucket = [&](std::string_view target, std::string_view host = "localhost:8000") {
    const http::Header header{"Host", host};
    return s3.service.has_bucket_of(
        {.method = "GET", .target = target, .headers = {&header, 1}, .body = "", .remote = ""});
  };
  CHECK_FALSE(is_for_bucket("/bucket"));
  CHECK_FALSE(is_for_bucket("/health", "bucket.localhost:8000"));
  s3.fill({});
  CHECK(is_for_bucket("/bucket"));
  CHECK(is_for_bucket("/bucket/key"));
  CHECK(is_for_bucket("/health", "bucket.localhost:8000"));
  CHECK(is_for_bucket("/", "bucket.localhost:8000"));
  CHECK(is_for_bucket("/health", "s3.localhost:8000"));
  CHECK(is_for_bucket("/health", "other.s3.localhost"));
  CHECK_FALSE(is_for_bucket("/"));
  CHECK_FALSE(is_for_bucket("/health"));
}

TEST_CASE("errors of the store that the caller did not cause are logged, and are internal errors") {
  CapturedLog log(base::LogLevel::warn);
  CHECK(s3::error_of({objects::ErrorKind::no_such_object, "there is no such object"}).code ==
        s3::Code::no_such_key);
  CHECK(log.text().empty());
  for (const objects::ErrorKind kind : {objects::ErrorKind::failed, objects::ErrorKind::stopped}) {
    CHECK(s3::error_of({kind, "the disk is full"}).code == s3::Code::internal_error);
    CHECK_THAT(log.text(), Catch::Contains("the disk is full"));
  }
}

}  // namespace
}  // namespace test::service_test

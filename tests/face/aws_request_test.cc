#include "dinette/face/aws_request.h"

#include <array>

#include <catch2/catch.hpp>

namespace dinette::face::aws_request_test {
namespace {

constexpr const char* signature =
    "AWS4-HMAC-SHA256 Credential=k/20260131/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0";

/// Has the result of `asked` for a request with one header.
template <typename Asked>
auto with_header(const char* name, const char* value, Asked asked) {
  const std::array<http::Header, 1> headers{http::Header{name, value}};
  return asked(
      http::Request{.method = "GET", .target = "/key", .headers = headers, .body = "", .remote = ""});
}

bool is_signed_for_s3(const char* target) {
  return is_signed_for({.method = "GET", .target = target, .headers = {}, .body = "", .remote = ""}, "s3");
}

}  // namespace

TEST_CASE("requests of AWS clients have a signature or a header of AWS") {
  CHECK(with_header("Authorization", signature, is_of_aws));
  CHECK(with_header("authorization", "AWS key:signature", is_of_aws));
  CHECK(with_header("X-Amz-Date", "20260131T080000Z", is_of_aws));
  CHECK(with_header("x-amz-content-sha256", "UNSIGNED-PAYLOAD", is_of_aws));
  CHECK_FALSE(with_header("Authorization", "Bearer token", is_of_aws));
  CHECK_FALSE(with_header("X-Am", "", is_of_aws));
}

TEST_CASE("a signature names its service, in the header or the query") {
  const auto for_service = [](const char* service) {
    return with_header("authorization", signature,
                       [=](const http::Request& request) { return is_signed_for(request, service); });
  };
  CHECK(for_service("s3"));
  CHECK_FALSE(for_service("dynamodb"));
  CHECK_FALSE(for_service("3"));
  CHECK(is_signed_for_s3("/?X-Amz-Credential=k%2F20260131%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Expires=9"));
  CHECK(is_signed_for_s3("/?X-Amz-Credential=k%2f20260131%2fus-east-1%2fs3%2faws4_request"));
  CHECK(is_signed_for_s3("/?X-Amz-Credential=k/20260131/us-east-1/s3/aws4_request"));
  CHECK_FALSE(is_signed_for_s3("/?X-Amz-Credential=k/20260131/us-east-1/dynamodb/aws4_request"));
  CHECK_FALSE(is_signed_for_s3("/s3/aws4_request"));
}

}  // namespace dinette::face::aws_request_test

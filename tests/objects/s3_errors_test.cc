#include "dinette/objects/s3_errors.h"

#include <optional>

#include <catch2/catch.hpp>

namespace test::s3_errors_test {
namespace {

using namespace dinette::objects;

TEST_CASE("what a store fails with comes back from another S3 as the same") {
  for (const ErrorKind kind : {ErrorKind::no_such_bucket, ErrorKind::no_such_object, ErrorKind::bucket_exists,
                               ErrorKind::bucket_not_empty, ErrorKind::invalid_bucket, ErrorKind::invalid_key,
                               ErrorKind::access_denied, ErrorKind::failed}) {
    const S3Error& error = s3_error(kind);
    CAPTURE(error.name);
    CHECK(kind_of_s3_error(error.name) == kind);
  }
}

TEST_CASE("S3 answers a store that is stopped with its internal error") {
  CHECK(s3_error(ErrorKind::stopped).code == S3Code::internal_error);
  CHECK(s3_error(ErrorKind::failed).code == S3Code::internal_error);
}

TEST_CASE("callers that S3 does not know are denied access") {
  CHECK(s3_error(ErrorKind::access_denied).name == "AccessDenied");
  CHECK(kind_of_s3_error("InvalidAccessKeyId") == ErrorKind::access_denied);
  CHECK(kind_of_s3_error("SignatureDoesNotMatch") == ErrorKind::access_denied);
}

TEST_CASE("other errors of S3 are nothing special to a store") {
  CHECK(kind_of_s3_error("NoSuchUpload") == std::nullopt);
  CHECK(kind_of_s3_error("SlowDown") == std::nullopt);
}

}  // namespace
}  // namespace test::s3_errors_test

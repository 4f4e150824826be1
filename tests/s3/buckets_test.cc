#include <string>

#include <catch2/catch.hpp>

#include "s3/fixture.h"

namespace test::buckets_test {
namespace {

using namespace dinette;

TEST_CASE("buckets are created, found, listed and deleted") {
  s3::Fixture s3;
  CHECK(s3.send("HEAD", "/bucket").status == 404);
  CHECK(s3.send("DELETE", "/bucket").code() == "NoSuchBucket");
  CHECK(s3.send("GET", "/bucket?location").code() == "NoSuchBucket");

  const auto created = s3.send("PUT", "/bucket");
  CHECK(created.status == 200);
  CHECK(created.header("Location") == "/bucket");
  CHECK(s3.send("HEAD", "/bucket").status == 200);
  CHECK(s3.send("HEAD", "/bucket").header("x-amz-bucket-region") == "us-east-1");
  CHECK(s3.send("PUT", "/bucket/").code() == "BucketAlreadyOwnedByYou");
  // In us-east-1, S3 lets the owner create a bucket again (API Reference, "CreateBucket").
  CHECK(s3.send("PUT", "/bucket", "",
                {{"Authorization", "AWS4-HMAC-SHA256 Credential=k/20260131/us-east-1/s3/x"}})
            .status == 200);

  REQUIRE(s3.send("PUT", "/another").status == 200);
  const auto list = s3.send("GET", "/");
  CHECK(list.status == 200);
  CHECK(list.elements("Name") == "another bucket ");
  CHECK(list.element("CreationDate") == "2026-01-31T08:00:00.000Z");
  CHECK(s3.send("GET", "/?prefix=an").elements("Name") == "another ");

  REQUIRE(s3.send("PUT", "/bucket/key", "v").status == 200);
  CHECK(s3.send("DELETE", "/bucket").code() == "BucketNotEmpty");
  REQUIRE(s3.send("DELETE", "/bucket/key").status == 204);
  CHECK(s3.send("DELETE", "/bucket").status == 204);
  CHECK(s3.send("GET", "/").elements("Name") == "another ");
}

TEST_CASE("a bucket's name and configuration are checked") {
  s3::Fixture s3;
  const auto bad_name = s3.send("PUT", "/Bad_Name");
  CHECK(bad_name.status == 400);
  CHECK(bad_name.code() == "InvalidBucketName");
  CHECK(s3.send("PUT", "/bucket", "<Create").code() == "MalformedXML");
  CHECK(s3.send("PUT", "/bucket", "<Other/>").code() == "MalformedXML");
  CHECK(s3.send("PUT", "/bucket",
                "<CreateBucketConfiguration xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                "<LocationConstraint>eu-west-1</LocationConstraint></CreateBucketConfiguration>")
            .status == 200);
  CHECK(s3.send("GET", "/bucket?location").body.ends_with("doc/2006-03-01/\"></LocationConstraint>"));
  CHECK(s3.send("GET", "/bucket?versioning").body.ends_with("doc/2006-03-01/\"></VersioningConfiguration>"));
}

TEST_CASE("settings of buckets are absent, and cannot be made") {
  s3::Fixture s3;
  REQUIRE(s3.send("PUT", "/bucket").status == 200);
  CHECK(s3.send("GET", "/bucket?policy").code() == "NoSuchBucketPolicy");
  CHECK(s3.send("GET", "/bucket?policy").status == 404);
  CHECK(s3.send("GET", "/bucket?cors").code() == "NoSuchCORSConfiguration");
  CHECK(s3.send("GET", "/bucket?tagging").code() == "NoSuchTagSet");
  CHECK(s3.send("GET", "/nobucket?tagging").code() == "NoSuchBucket");
  for (const char* const target : {"/bucket?policy", "/bucket?cors", "/bucket?acl", "/bucket/key?tagging"}) {
    const auto refused = s3.send("PUT", target, "x");
    CHECK(refused.status == 501);
    CHECK(refused.code() == "NotImplemented");
  }
  CHECK(s3.send("GET", "/bucket?versions").code() == "NotImplemented");
  CHECK(s3.send("PATCH", "/bucket/key").code() == "MethodNotAllowed");
  CHECK(s3.send("PUT", "/").code() == "MethodNotAllowed");
}

TEST_CASE("a host may name the bucket") {
  s3::Fixture s3;
  CHECK(s3.send_to("my.bucket.s3.localhost:8000", "PUT", "/").status == 200);
  CHECK(s3.send_to("my.bucket.s3.eu-west-1.amazonaws.com", "PUT", "/a/key", "v").status == 200);
  CHECK(s3.send_to("S3.localhost", "GET", "/my.bucket/a/key").body == "v");
  CHECK(s3.send_to("my.bucket.s3-eu-west-1.amazonaws.com", "GET", "/a/key").body == "v");
  CHECK(s3.send_to("my.bucket.localhost:8000", "GET", "/a/key").body == "v");
  CHECK(s3.send_to("my.bucket.localhost:8000", "GET", "/?list-type=2").elements("Key") == "a/key ");
  // Not of a bucket: path style.
  CHECK(s3.send_to("dinette.localhost:8000", "GET", "/my.bucket/a/key").body == "v");
  CHECK(s3.send_to("dinette.localhost:8000", "GET", "/").elements("Name") == "my.bucket ");
  CHECK(s3.send_to("new.localhost:8000", "PUT", "/").status == 200);
  CHECK(s3.send_to("127.0.0.1", "HEAD", "/new").status == 200);
}

TEST_CASE("keys are percent-decoded, whether the path or the host names the bucket") {
  s3::Fixture s3;
  s3.fill({});
  CHECK(s3.send_to("bucket.s3.localhost", "PUT", "/a%20b/%C3%A4+", "v").status == 200);
  CHECK(s3.send("GET", "/bucket/a%20b/%C3%A4+").body == "v");
  CHECK(s3.send("GET", "/bucket?list-type=2").elements("Key") == "a b/\u00E4+ ");
}

}  // namespace
}  // namespace test::buckets_test

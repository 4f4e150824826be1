#include <chrono>
#include <string>

#include <catch2/catch.hpp>

#include "s3/fixture.h"

namespace test::objects_test {
namespace {

using namespace dinette;

const std::string md5_of_v = "\"9e3669d19b675bd57058fd4664205d2a\"";

TEST_CASE("objects are put, read and deleted") {
  s3::Fixture s3;
  CHECK(s3.send("PUT", "/bucket/key", "v").code() == "NoSuchBucket");
  s3.fill({});
  const auto put = s3.send("PUT", "/bucket/a/k%C3%A4%20y", "v",
                           {{"Content-Type", "text/plain"},
                            {"x-amz-meta-Owner", "me"},
                            {"Content-Encoding", "gzip,aws-chunked"},
                            {"x-amz-content-sha256", "UNSIGNED-PAYLOAD"}});
  CHECK(put.code() == "IncompleteBody");  // aws-chunked it is not
  const auto right = s3.send("PUT", "/bucket/a/k%C3%A4%20y", "v",
                             {{"Content-Type", "text/plain"}, {"x-amz-meta-Owner", "me"}});
  CHECK(right.status == 200);
  CHECK(right.header("ETag") == md5_of_v);
  CHECK(right.header("x-amz-request-id").size() == 16);

  const auto got = s3.send("GET", "/bucket/a/k%C3%A4%20y");
  CHECK(got.status == 200);
  CHECK(got.body == "v");
  CHECK(got.header("ETag") == md5_of_v);
  CHECK(got.header("content-type") == "text/plain");
  CHECK(got.header("x-amz-meta-owner") == "me");
  CHECK(got.header("Last-Modified") == "Sat, 31 Jan 2026 08:00:00 GMT");
  CHECK(s3.send("GET", "/bucket/a/k%C3%A4%20y?response-content-type=a/b&X-Amz-Signature=0")
            .header("content-type") == "a/b");

  const auto head = s3.send("HEAD", "/bucket/a/k%C3%A4%20y");
  CHECK(head.status == 200);
  CHECK(head.body.empty());
  CHECK(head.header("ETag") == md5_of_v);

  CHECK(s3.send("DELETE", "/bucket/a/k%C3%A4%20y").status == 204);
  CHECK(s3.send("DELETE", "/bucket/a/k%C3%A4%20y").status == 204);
  const auto gone = s3.send("GET", "/bucket/a/k%C3%A4%20y");
  CHECK(gone.status == 404);
  CHECK(gone.body.starts_with(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message>"
      "<Key>a/k\u00E4 y</Key><RequestId>"));
  CHECK(s3.send("HEAD", "/bucket/a").status == 404);
  CHECK(s3.send("HEAD", "/bucket/a").body.empty());
  CHECK(s3.send("PUT", "/bucket/" + std::string(1025, 'k'), "v").code() == "KeyTooLongError");
}

TEST_CASE("large objects are read in pieces") {
  s3::Fixture s3;
  s3.fill({});
  std::string large;
  for (int i = 0; i < 400'000; ++i) large += std::to_string(i) + " ";
  REQUIRE(objects::put(*s3.store, "bucket", "large", large).ok());
  CHECK((s3.send("GET", "/bucket/large").body == large));
  const auto part = s3.send("GET", "/bucket/large", "", {{"Range", "bytes=100-2000099"}});
  CHECK(part.status == 206);
  CHECK((part.body == large.substr(100, 2'000'000)));
  CHECK(part.header("Content-Range") == "bytes 100-2000099/" + std::to_string(large.size()));
  CHECK(s3.send("HEAD", "/bucket/large", "", {{"Range", "bytes=0-0"}}).status == 206);
  const auto beyond = s3.send("GET", "/bucket/large", "", {{"Range", "bytes=9000000-"}});
  CHECK(beyond.status == 416);
  CHECK(beyond.code() == "InvalidRange");
}

TEST_CASE("reads and writes have conditions") {
  s3::Fixture s3;
  s3.fill({"v"});
  const auto status = [&](const char* method, const char* name, const std::string& value) {
    return s3.send(method, "/bucket/v", "v", {{name, value}}).status;
  };
  CHECK(status("GET", "If-Match", md5_of_v) == 200);
  CHECK(status("GET", "If-Match", "\"x\", " + md5_of_v) == 200);
  CHECK(status("GET", "If-Match", "\"x\"") == 412);
  CHECK(status("GET", "If-None-Match", md5_of_v) == 304);
  CHECK(status("GET", "If-None-Match", "\"x\"") == 200);
  CHECK(status("GET", "If-Modified-Since", "Sat, 31 Jan 2026 08:00:00 GMT") == 304);
  CHECK(status("GET", "If-Modified-Since", "Sat, 31 Jan 2026 07:59:59 GMT") == 200);
  CHECK(status("GET", "If-Unmodified-Since", "Sat, 31 Jan 2026 07:59:59 GMT") == 412);
  CHECK(status("HEAD", "If-Unmodified-Since", "Sat, 31 Jan 2026 08:00:00 GMT") == 200);
  CHECK(s3.send("GET", "/bucket/v", "", {{"If-None-Match", md5_of_v}}).body.empty());

  CHECK(status("PUT", "If-None-Match", "*") == 412);
  CHECK(s3.send("PUT", "/bucket/new", "v", {{"If-None-Match", "*"}}).status == 200);
  CHECK(s3.send("PUT", "/bucket/new", "v", {{"If-None-Match", "*"}}).code() == "PreconditionFailed");
  CHECK(status("PUT", "If-Match", md5_of_v) == 200);
  CHECK(status("PUT", "If-Match", "\"x\"") == 412);
  CHECK(s3.send("PUT", "/bucket/none", "v", {{"If-Match", "\"x\""}}).code() == "NoSuchKey");
}

TEST_CASE("what a body is said to be must be true") {
  s3::Fixture s3;
  s3.fill({});
  const auto code = [&](const char* name, const std::string& value) {
    return s3.send("PUT", "/bucket/key", "v", {{name, value}}).code();
  };
  CHECK(code("Content-MD5", "njZp0ZtnW9VwWP1GZCBdKg==") == "(none)");
  CHECK(code("Content-MD5", "njZp0ZtnW9VwWP1GZCBdKw==") == "BadDigest");
  CHECK(code("Content-MD5", "njZp") == "InvalidDigest");
  CHECK(code("x-amz-checksum-crc32", "CMhbDw==") == "BadDigest");
  CHECK(code("x-amz-content-sha256", "4c94485e0c21ae6c41ce1dfe7b6bfaceea5ab68e40a2476f50208e526f506080") ==
        "(none)");
  CHECK(code("x-amz-content-sha256", "0c94485e0c21ae6c41ce1dfe7b6bfaceea5ab68e40a2476f50208e526f506080") ==
        "XAmzContentSHA256Mismatch");
  const auto kept = s3.send("PUT", "/bucket/key", "123456789", {{"x-amz-checksum-crc32c", "4waSgw=="}});
  CHECK(kept.header("x-amz-checksum-crc32c") == "4waSgw==");
  CHECK(s3.send("GET", "/bucket/key").header("x-amz-checksum-crc32c") == "(none)");
  const s3::Headers mode{{"x-amz-checksum-mode", "ENABLED"}};
  CHECK(s3.send("GET", "/bucket/key", "", mode).header("x-amz-checksum-crc32c") == "4waSgw==");
  const s3::Headers part{{"x-amz-checksum-mode", "ENABLED"}, {"Range", "bytes=0-1"}};
  CHECK(s3.send("GET", "/bucket/key", "", part).header("x-amz-checksum-crc32c") == "(none)");
}

TEST_CASE("bodies arrive in chunks") {
  s3::Fixture s3;
  s3.fill({});
  const s3::Headers unsigned_trailer{{"x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER"},
                                     {"Content-Encoding", "gzip,aws-chunked"},
                                     {"x-amz-decoded-content-length", "9"},
                                     {"x-amz-trailer", "x-amz-checksum-crc32"}};
  CHECK(s3.send("PUT", "/bucket/key", "9\r\n123456789\r\n0\r\nx-amz-checksum-crc32:y/Q5Jg==\r\n\r\n",
                unsigned_trailer)
            .status == 200);
  CHECK(s3.send("GET", "/bucket/key").body == "123456789");
  CHECK(s3.send("GET", "/bucket/key").header("content-encoding") == "gzip");
  CHECK(s3.send("PUT", "/bucket/key", "9\r\n123456789\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n",
                unsigned_trailer)
            .code() == "BadDigest");
  CHECK(s3.send("PUT", "/bucket/key", "8\r\n12345678\r\n0\r\n\r\n", unsigned_trailer).code() ==
        "IncompleteBody");
  CHECK(s3.send("PUT", "/bucket/key", "9\r\n12345678", unsigned_trailer).code() == "IncompleteBody");
}

TEST_CASE("objects are copied") {
  s3::Fixture s3;
  s3.fill({});
  REQUIRE(s3.send("PUT", "/bucket/v", "v", {{"Content-Type", "a/b"}}).status == 200);
  const auto copied = s3.send("PUT", "/bucket/copy", "", {{"x-amz-copy-source", "/bucket/v"}});
  CHECK(copied.status == 200);
  CHECK(copied.element("ETag") == "&quot;9e3669d19b675bd57058fd4664205d2a&quot;");
  CHECK(s3.send("GET", "/bucket/copy").header("content-type") == "a/b");
  const s3::Headers replaces{
      {"x-amz-copy-source", "bucket/v"}, {"x-amz-metadata-directive", "REPLACE"}, {"Content-Type", "c/d"}};
  CHECK(s3.send("PUT", "/bucket/v", "", replaces).status == 200);
  CHECK(s3.send("GET", "/bucket/v").header("content-type") == "c/d");
  const auto code = [&](const char* source) {
    return s3.send("PUT", "/bucket/v", "", {{"x-amz-copy-source", source}}).code();
  };
  CHECK(code("bucket/v") == "InvalidRequest");
  CHECK(code("bucket/none") == "NoSuchKey");
  CHECK(code("none/v") == "NoSuchBucket");
  CHECK(code("bucket") == "InvalidArgument");
}

TEST_CASE("objects are deleted together") {
  s3::Fixture s3;
  s3.fill({"a", "b", "c&d"});
  const auto deleted = s3.send("POST", "/bucket?delete",
                               "<Delete><Object><Key>a</Key></Object><Object><Key>c&amp;d</Key></Object>"
                               "<Object><Key>none</Key></Object></Delete>");
  CHECK(deleted.status == 200);
  CHECK(deleted.elements("Key") == "a c&amp;d none ");
  CHECK(s3.send("POST", "/bucket?delete", "<Delete><Quiet>true</Quiet><Object><Key>b</Key></Object></Delete>")
            .elements("Key")
            .empty());
  CHECK(s3.store->list("bucket", {})->objects.empty());
  CHECK(s3.send("POST", "/bucket?delete", "<Delete>").code() == "MalformedXML");
  CHECK(s3.send("POST", "/none?delete", "<Delete/>").code() == "NoSuchBucket");
}

// Amazon S3 API Reference, GetObject: "You must sign the request when using these parameters".
TEST_CASE("headers are replaced only in requests that are signed") {
  s3::Fixture s3;
  s3.fill({"v"});
  for (const char* const header : {"cache-control", "content-disposition", "content-encoding",
                                   "content-language", "content-type", "expires"}) {
    for (const char* const method : {"GET", "HEAD"}) {
      const std::string target = "/bucket/v?response-" + std::string(header) + "=text/html";
      const auto refused = s3.send(method, target);
      CHECK(refused.status == 400);
      CHECK(refused.header(header) != "text/html");
      CHECK(s3.send(method, target + "&X-Amz-Signature=0").header(header) == "text/html");
      CHECK(s3.send(method, target, "", {{"Authorization", "AWS4-HMAC-SHA256 Signature=0"}}).header(header) ==
            "text/html");
    }
  }
  const auto refused = s3.send("GET", "/bucket/v?response-content-type=text/html");
  CHECK(refused.code() == "InvalidRequest");
  CHECK(refused.element("Message") ==
        "Request specific response headers cannot be used for anonymous GET requests.");
}

TEST_CASE("a key that is not UTF-8 is refused, in XML that is") {
  s3::Fixture s3;
  s3.fill({"v"});
  for (const char* const method : {"PUT", "GET", "DELETE", "POST"}) {
    const auto refused = s3.send(method, "/bucket/a%FFb", "x");
    CHECK(refused.status == 400);
    CHECK(refused.code() == "InvalidURI");
    CHECK(refused.element("Message") == "Couldn't parse the specified URI.");
    CHECK(refused.element("Key") == "a\uFFFDb");
  }
  CHECK(s3.send("GET", "/bu%FFcket").element("BucketName") == "bu\uFFFDcket");
  CHECK(s3.send("GET", "/bucket?prefix=%FF").element("Prefix") == "\uFFFD");
}

// RFC 9110, section 13.2.2.
TEST_CASE("a condition on the ETag counts instead of one on the date") {
  s3::Fixture s3;
  s3.fill({"v"});
  const auto status = [&](const s3::Headers& headers) {
    return s3.send("GET", "/bucket/v", "", headers).status;
  };
  const std::string before = "Sat, 31 Jan 2026 07:59:59 GMT";
  const std::string then = "Sat, 31 Jan 2026 08:00:00 GMT";
  CHECK(status({{"If-Match", md5_of_v}, {"If-Unmodified-Since", before}}) == 200);
  CHECK(status({{"If-None-Match", "\"x\""}, {"If-Modified-Since", then}}) == 200);
  CHECK(status({{"If-None-Match", md5_of_v}, {"If-Modified-Since", before}}) == 304);
  CHECK(status({{"If-Match", "*"}}) == 200);
  CHECK(status({{"If-None-Match", "*"}}) == 304);
  CHECK(status({{"If-None-Match", "\"x\" , " + md5_of_v}}) == 304);
  CHECK(s3.send("PUT", "/bucket/v", "v", {{"If-None-Match", md5_of_v}}).code() == "NotImplemented");
}

TEST_CASE("conditions on dates go by whole seconds, and what is no date is ignored") {
  s3::Fixture s3;
  s3.clock.advance(std::chrono::milliseconds(900));
  s3.fill({"v"});
  const auto status = [&](const char* name, const char* value) {
    return s3.send("GET", "/bucket/v", "", {{name, value}}).status;
  };
  CHECK(status("If-Modified-Since", "Sat, 31 Jan 2026 08:00:00 GMT") == 304);
  CHECK(status("If-Unmodified-Since", "Sat, 31 Jan 2026 08:00:00 GMT") == 200);
  for (const char* const date :
       {"", "yesterday", "2026-01-31T09:00:00Z", "Sat, 31 Jan 2026 09:00:00 GMT+1"}) {
    CHECK(status("If-Modified-Since", date) == 200);
    CHECK(status("If-Unmodified-Since", date) == 200);
  }
}

TEST_CASE("an object is read with the headers that it was put with") {
  s3::Fixture s3;
  s3.fill({"plain"});
  const s3::Headers kept{{"cache-control", "no-cache"},
                         {"content-disposition", "attachment"},
                         {"content-encoding", "br"},
                         {"content-language", "de"},
                         {"content-type", "a/b"},
                         {"expires", "Thu, 01 Jan 2026 00:00:00 GMT"},
                         {"x-amz-website-redirect-location", "/other"},
                         {"x-amz-meta-a", "1"}};
  s3::Headers sent = kept;
  sent.emplace_back("X-Other", "x");
  sent.emplace_back("x-amz-meta-empty", "");
  sent.emplace_back("x-amz-meta-b", "a\x01");
  REQUIRE(s3.send("PUT", "/bucket/k", "v", sent).status == 200);
  const auto got = s3.send("GET", "/bucket/k");
  for (const auto& [name, value] : kept) {
    INFO(name);
    CHECK(got.header(name) == value);
  }
  CHECK(got.headers.find("other: x") == std::string::npos);
  CHECK(got.headers.find("x-amz-meta-empty") == std::string::npos);
  CHECK(got.headers.find("x-amz-meta-b") == std::string::npos);
  CHECK(got.header("Accept-Ranges") == "bytes");
  CHECK(s3.send("GET", "/bucket/plain").header("content-type") == "binary/octet-stream");
  // Nobody who makes a link can add headers to the response.
  const auto split = s3.send("GET", "/bucket/plain?response-content-type=a%0D%0AX-Evil:1&X-Amz-Signature=0");
  CHECK(split.status == 200);
  CHECK(split.headers.find("X-Evil") == std::string::npos);
}

TEST_CASE("versions and parts of objects are not served") {
  s3::Fixture s3;
  s3.fill({"v"});
  for (const char* const method : {"GET", "HEAD", "DELETE"})
    CHECK(s3.send(method, "/bucket/v?versionId=1").status == 501);
  CHECK(s3.send("GET", "/bucket/v?partNumber=1").code() == "NotImplemented");
  CHECK(s3.send("GET", "/bucket/v").body == "v");
}

TEST_CASE("objects have no tags") {
  s3::Fixture s3;
  s3.fill({"v"});
  CHECK(s3.send("GET", "/bucket/v?tagging").body.ends_with("><TagSet></TagSet></Tagging>"));
  CHECK(s3.send("GET", "/bucket/none?tagging").code() == "NoSuchKey");
}

TEST_CASE("the source of a copy is percent-encoded, and may name the version that there is") {
  s3::Fixture s3;
  s3.fill({"a b/c"});
  std::string large;
  for (int i = 0; i < 100'000; ++i) large += std::to_string(i);
  REQUIRE(objects::put(*s3.store, "bucket", "large", large).ok());
  const auto copy = [&](const char* source) {
    return s3.send("PUT", "/bucket/copy", "", {{"x-amz-copy-source", source}});
  };
  for (const char* const source :
       {"bucket/a%20b/c", "/bucket%2Fa%20b%2Fc", "bucket/a%20b/c?versionId=null"}) {
    INFO(source);
    CHECK(copy(source).status == 200);
    CHECK(s3.send("GET", "/bucket/copy").body == "a b/c");
  }
  CHECK(copy("bucket/large").element("LastModified") == "2026-01-31T08:00:00.000Z");
  CHECK((s3.send("GET", "/bucket/copy").body == large));
  for (const char* const source : {"", "/", "bucket/", "/bucket"})
    CHECK(copy(source).code() == "InvalidArgument");
}

TEST_CASE("a copy has the metadata of its source, or those of the request") {
  s3::Fixture s3;
  s3.fill({});
  REQUIRE(s3.send("PUT", "/bucket/v", "v", {{"x-amz-meta-a", "1"}}).status == 200);
  const auto copied = [&](const char* directive) {
    const s3::Headers headers{
        {"x-amz-copy-source", "bucket/v"}, {"x-amz-metadata-directive", directive}, {"x-amz-meta-b", "2"}};
    REQUIRE(s3.send("PUT", "/bucket/copy", "", headers).status == 200);
    const auto got = s3.send("GET", "/bucket/copy");
    return got.header("x-amz-meta-a") + " " + got.header("x-amz-meta-b");
  };
  CHECK(copied("COPY") == "1 (none)");
  CHECK(copied("REPLACE") == "(none) 2");
  CHECK(copied("replace") == "(none) 2");
}

TEST_CASE("at most a thousand objects are deleted together") {
  s3::Fixture s3;
  s3.fill({"k"});
  const auto request = [](int objects) {
    std::string text = "<Delete><Quiet>true</Quiet>";
    for (int i = 0; i < objects; ++i) text += "<Object><Key>k</Key></Object>";
    return text + "</Delete>";
  };
  CHECK(s3.send("POST", "/bucket?delete", request(1001)).code() == "MalformedXML");
  CHECK(s3.send("GET", "/bucket/k").status == 200);
  CHECK(s3.send("POST", "/bucket?delete", request(1000)).status == 200);
  CHECK(s3.send("GET", "/bucket/k").status == 404);
  CHECK(s3.send("POST", "/bucket?delete", "<Other/>").code() == "MalformedXML");
  CHECK(
      s3.send("POST", "/bucket?delete", "<Delete/>", {{"Content-MD5", "njZp0ZtnW9VwWP1GZCBdKg=="}}).code() ==
      "BadDigest");
}

}  // namespace
}  // namespace test::objects_test

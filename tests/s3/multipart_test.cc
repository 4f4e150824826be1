#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "s3/fixture.h"

namespace test::multipart_test {
namespace {

using namespace dinette;

const std::string large(5 * 1024 * 1024, 'x');

std::string part(int number, std::string etag) {
  return "<Part><PartNumber>" + std::to_string(number) + "</PartNumber><ETag>" + std::move(etag) +
         "</ETag></Part>";
}

std::string whole(const std::string& parts) {
  return "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">" + parts +
         "</CompleteMultipartUpload>";
}

struct Upload {
  Upload() {
    s3.fill({});
    id = s3.send("POST", "/bucket/key?uploads", "", {{"Content-Type", "a/b"}}).element("UploadId");
  }

  std::string target(const std::string& more = "") const { return "/bucket/key?uploadId=" + id + more; }
  std::string put(int number, const std::string& bytes) {
    return s3.send("PUT", target("&partNumber=" + std::to_string(number)), bytes).header("ETag");
  }

  s3::Fixture s3;
  std::string id;
};

TEST_CASE("an object is uploaded in parts") {
  Upload upload;
  s3::Fixture& s3 = upload.s3;
  const std::string second = upload.put(2, "last");
  const std::string first = upload.put(1, large);
  const auto listed = s3.send("GET", upload.target());
  CHECK(listed.elements("PartNumber") == "1 2 ");
  CHECK(listed.elements("Size") == std::to_string(large.size()) + " 4 ");
  CHECK(s3.send("GET", upload.target("&part-number-marker=1")).elements("PartNumber") == "2 ");
  CHECK(s3.send("GET", "/bucket?uploads").elements("Key") == "key ");
  CHECK(s3.send("GET", "/bucket/key").status == 404);

  const auto completed = s3.send("POST", upload.target(), whole(part(1, first) + part(2, second)));
  CHECK(completed.status == 200);
  // MD5 of both MD5s.
  CHECK(completed.element("ETag") == "&quot;17926787918b1239bb06a4a5ef4fcc07-2&quot;");
  const auto object = s3.send("GET", "/bucket/key");
  CHECK((object.body == large + "last"));
  CHECK(object.header("content-type") == "a/b");
  CHECK(s3.send("GET", "/bucket?uploads").elements("Key").empty());
  CHECK(s3.send("POST", upload.target(), whole(part(1, first))).code() == "NoSuchUpload");
  CHECK((*s3.store->scratch())->list("parts", {})->objects.empty());
}

TEST_CASE("parts are checked") {
  Upload upload;
  s3::Fixture& s3 = upload.s3;
  const std::string etag = upload.put(1, "small");
  const auto code = [&](const std::string& body) { return s3.send("POST", upload.target(), body).code(); };
  REQUIRE(upload.put(2, "small") == etag);
  CHECK(code(whole(part(1, etag) + part(2, etag))) == "EntityTooSmall");
  CHECK(code(whole(part(2, etag) + part(1, etag))) == "InvalidPartOrder");
  CHECK(code(whole(part(3, etag))) == "InvalidPart");
  CHECK(code(whole(part(1, "x"))) == "InvalidPart");
  CHECK(code(whole("")) == "MalformedXML");
  CHECK(code("<Other/>") == "MalformedXML");
  CHECK(s3.send("PUT", upload.target("&partNumber=0"), "").code() == "InvalidArgument");
  CHECK(s3.send("PUT", upload.target("&partNumber=10001"), "").code() == "InvalidArgument");
  CHECK(s3.send("PUT", "/bucket/key?uploadId=x&partNumber=1", "").code() == "NoSuchUpload");
  CHECK(s3.send("PUT", "/bucket/other?partNumber=1&uploadId=" + upload.id, "").code() == "NoSuchUpload");
  CHECK(s3.send("POST", "/none/key?uploads").code() == "NoSuchBucket");
  CHECK(code(whole(part(2, etag))) == "(none)");
}

TEST_CASE("an upload is aborted") {
  Upload upload;
  upload.put(1, "v");
  CHECK(upload.s3.send("DELETE", upload.target()).status == 204);
  CHECK(upload.s3.send("DELETE", upload.target()).code() == "NoSuchUpload");
  CHECK((*upload.s3.store->scratch())->list("parts", {})->objects.empty());
}

TEST_CASE("parts are listed in pages") {
  Upload upload;
  for (const int number : {1, 2, 3, 7, 10'000}) upload.put(number, "v");
  const auto first = upload.s3.send("GET", upload.target("&max-parts=2"));
  CHECK(first.elements("PartNumber") == "1 2 ");
  CHECK(first.element("NextPartNumberMarker") == "2");
  CHECK(first.element("MaxParts") == "2");
  CHECK(first.element("IsTruncated") == "true");
  const auto last = upload.s3.send("GET", upload.target("&max-parts=3&part-number-marker=2"));
  CHECK(last.elements("PartNumber") == "3 7 10000 ");
  CHECK(last.element("IsTruncated") == "false");
  CHECK(upload.s3.send("GET", upload.target("&max-parts=x")).code() == "InvalidArgument");
  CHECK(upload.s3.send("GET", upload.target()).element("MaxParts") == "1000");
}

TEST_CASE("uploads are listed by key and id, in pages") {
  s3::Fixture s3;
  s3.fill({});
  CHECK(s3.send("PUT", "/other").status == 200);
  CHECK(s3.send("POST", "/other/key?uploads").status == 200);
  std::vector<std::string> ids;
  for (const char* const key : {"b", "a/1", "a/2", "a", "b"})
    ids.push_back(s3.send("POST", std::string("/bucket/") + key + "?uploads").element("UploadId"));
  const auto list = [&](const std::string& more) { return s3.send("GET", "/bucket?uploads" + more); };
  CHECK(list("").elements("Key") == "a a/1 a/2 b b ");
  CHECK(list("").element("IsTruncated") == "false");
  CHECK(list("").element("MaxUploads") == "1000");
  CHECK(list("&prefix=a/").elements("Key") == "a/1 a/2 ");
  CHECK(list("&delimiter=/").elements("Key") == "a b b ");
  CHECK(list("&delimiter=/").elements("Prefix") == " a/ ");
  const auto first = list("&max-uploads=4");
  CHECK(first.elements("Key") == "a a/1 a/2 b ");
  CHECK(first.element("IsTruncated") == "true");
  CHECK(first.element("NextKeyMarker") == "b");
  const std::string id = first.element("NextUploadIdMarker");
  CHECK(id == std::min(ids[0], ids[4]));
  CHECK(list("&key-marker=b&upload-id-marker=" + id).elements("UploadId") == std::max(ids[0], ids[4]) + " ");
  CHECK(list("&key-marker=a/1").elements("Key") == "a/2 b b ");
  CHECK(list("&key-marker=b").elements("Key").empty());
  const auto prefix = list("&delimiter=/&max-uploads=2");
  CHECK(prefix.element("NextKeyMarker") == "a/");
  CHECK(list("&delimiter=/&key-marker=a/").elements("Key") == "b b ");
}

// S3 deletes a bucket with uploads (ceph/ceph pull request 15630, scality/cloudserver pull request 1591), and
// one of the same name has none (basho/riak_cs issue 475).
TEST_CASE("uploads end with their bucket") {
  Upload upload;
  upload.put(1, "v");
  CHECK(upload.s3.send("DELETE", "/bucket").status == 204);
  CHECK((*upload.s3.store->scratch())->list("parts", {})->objects.empty());
  CHECK(upload.s3.send("PUT", "/bucket").status == 200);
  CHECK(upload.s3.send("GET", "/bucket?uploads").elements("Key").empty());
  CHECK(upload.s3.send("PUT", upload.target("&partNumber=1"), "v").code() == "NoSuchUpload");
}

TEST_CASE("uploads end after a week") {
  Upload upload;
  upload.put(1, "v");
  upload.s3.clock.advance(std::chrono::days(7) - std::chrono::seconds(1));
  CHECK(upload.s3.send("GET", "/bucket?uploads").elements("Key") == "key ");
  CHECK(upload.s3.send("GET", upload.target()).status == 200);
  upload.s3.clock.advance(std::chrono::seconds(1));
  CHECK(upload.s3.send("GET", "/bucket?uploads").elements("Key").empty());
  CHECK(upload.s3.send("GET", upload.target()).code() == "NoSuchUpload");
  CHECK(upload.s3.send("POST", "/bucket/other?uploads").status == 200);
  CHECK((*upload.s3.store->scratch())->list("parts", {})->objects.empty());
}

TEST_CASE("when there are ten thousand uploads the oldest ends") {
  Upload upload;
  upload.put(1, "v");
  upload.s3.clock.advance(std::chrono::seconds(1));
  for (int i = 0; i < 9'999; ++i) upload.s3.send("POST", "/bucket/other?uploads");
  CHECK(upload.s3.send("GET", upload.target()).status == 200);
  upload.s3.send("POST", "/bucket/other?uploads");
  CHECK(upload.s3.send("GET", upload.target()).code() == "NoSuchUpload");
  CHECK((*upload.s3.store->scratch())->list("parts", {})->objects.empty());
  const auto page = upload.s3.send("GET", "/bucket?uploads");
  CHECK(page.elements("Key").size() == 1'000 * std::string("other ").size());
  CHECK(page.element("IsTruncated") == "true");
}

TEST_CASE("a part is copied from an object") {
  Upload upload;
  REQUIRE(objects::put(*upload.s3.store, "bucket", "source", "0123456789").ok());
  const auto copied =
      upload.s3.send("PUT", upload.target("&partNumber=1"), "",
                     {{"x-amz-copy-source", "/bucket/source"}, {"x-amz-copy-source-range", "bytes=2-4"}});
  CHECK(copied.status == 200);
  std::string etag = copied.element("ETag");
  CHECK(upload.s3.send("POST", upload.target(), whole(part(1, etag))).status == 200);
  CHECK(upload.s3.send("GET", "/bucket/key").body == "234");
}

TEST_CASE("an upload is completed only if its conditions hold, and continues otherwise") {
  Upload upload;
  s3::Fixture& s3 = upload.s3;
  const std::string etag = upload.put(1, "v");
  REQUIRE(objects::put(*s3.store, "bucket", "key", "old").ok());
  const auto complete = [&](const s3::Headers& headers) {
    return s3.send("POST", upload.target(), whole(part(1, etag)), headers);
  };
  CHECK(complete({{"If-None-Match", "*"}}).code() == "PreconditionFailed");
  CHECK(complete({{"If-Match", "\"x\""}}).code() == "PreconditionFailed");
  CHECK(s3.send("GET", upload.target()).elements("PartNumber") == "1 ");
  CHECK(s3.send("GET", "/bucket/key").body == "old");
  CHECK(complete({{"If-Match", "*"}}).status == 200);
  CHECK(s3.send("GET", "/bucket/key").body == "v");
}

TEST_CASE("a completed upload says where its object is") {
  Upload upload;
  const std::string etag = upload.put(1, "v");
  const auto completed = upload.s3.send("POST", upload.target(), whole(part(1, etag)));
  CHECK(completed.element("Location") == "http://localhost:8000/bucket/key");
  CHECK(completed.element("Bucket") == "bucket");
  CHECK(completed.element("Key") == "key");
  const std::string id = upload.s3.send("POST", "/bucket/a%20b/c?uploads").element("UploadId");
  const std::string target = "/bucket/a%20b/c?uploadId=" + id;
  REQUIRE(upload.s3.send("PUT", target + "&partNumber=1", "v").status == 200);
  const auto other = upload.s3.send("POST", target, whole(part(1, etag)));
  CHECK(other.element("Location") == "http://localhost:8000/bucket/a%20b/c");
  CHECK(other.element("Key") == "a b/c");
}

TEST_CASE("a part is replaced by a later one of its number") {
  Upload upload;
  const std::string first = upload.put(1, "first");
  const std::string second = upload.put(1, "second");
  CHECK(upload.s3.send("GET", upload.target()).elements("Size") == "6 ");
  CHECK(upload.s3.send("POST", upload.target(), whole(part(1, first))).code() == "InvalidPart");
  CHECK(upload.s3.send("POST", upload.target(), whole(part(1, second))).status == 200);
  CHECK(upload.s3.send("GET", "/bucket/key").body == "second");
}

TEST_CASE("parts that are not chosen go with the upload") {
  Upload upload;
  const std::string etag = upload.put(2, "v");
  upload.put(1, "w");
  upload.put(3, "x");
  CHECK(upload.s3.send("POST", upload.target(), whole(part(2, etag))).status == 200);
  CHECK(upload.s3.send("GET", "/bucket/key").body == "v");
  CHECK((*upload.s3.store->scratch())->list("parts", {})->objects.empty());
}

TEST_CASE("the bytes of a part are checked, and their checksums answered") {
  Upload upload;
  const auto put = [&](const char* checksum) {
    return upload.s3.send("PUT", upload.target("&partNumber=1"), "123456789",
                          {{"x-amz-checksum-crc32c", checksum}});
  };
  CHECK(put("AAAAAA==").code() == "BadDigest");
  CHECK(upload.s3.send("GET", upload.target()).elements("PartNumber").empty());
  CHECK(put("4waSgw==").header("x-amz-checksum-crc32c") == "4waSgw==");
}

TEST_CASE("a part is copied from a whole object, or from bytes that the object has") {
  Upload upload;
  REQUIRE(objects::put(*upload.s3.store, "bucket", "source", "0123456789").ok());
  const auto copy = [&](const char* source, const char* range) {
    return upload.s3.send("PUT", upload.target("&partNumber=1"), "",
                          {{"x-amz-copy-source", source}, {"x-amz-copy-source-range", range}});
  };
  CHECK(copy("/bucket/source", "bytes=10-12").code() == "InvalidRange");
  CHECK(copy("/bucket/none", "bytes=0-1").code() == "NoSuchKey");
  CHECK(upload.s3.send("GET", upload.target()).elements("Size").empty());
  const auto whole_object = copy("/bucket/source", "");
  CHECK(whole_object.element("LastModified") == "2026-01-31T08:00:00.000Z");
  CHECK(whole_object.element("ETag") == "&quot;781e5e245d69b566979b86e28d23f2c7&quot;");
  CHECK(upload.s3.send("GET", upload.target()).elements("Size") == "10 ");
}

TEST_CASE("a page of no parts or uploads has no end to continue from") {
  Upload upload;
  upload.put(1, "v");
  const auto parts = upload.s3.send("GET", upload.target("&max-parts=0"));
  CHECK(parts.element("IsTruncated") == "false");
  CHECK(parts.element("NextPartNumberMarker") == "(none)");
  CHECK(parts.element("PartNumberMarker") == "0");
  const auto uploads = upload.s3.send("GET", "/bucket?uploads&max-uploads=0");
  CHECK(uploads.element("IsTruncated") == "false");
  CHECK(uploads.element("NextKeyMarker") == "(none)");
  CHECK(uploads.elements("UploadId").empty());
}

TEST_CASE("uploads are listed with what was asked for, and when they began") {
  Upload upload;
  REQUIRE(upload.s3.send("POST", "/bucket/a%20b/c?uploads").status == 200);
  const auto list = [&](const std::string& more) { return upload.s3.send("GET", "/bucket?uploads" + more); };
  CHECK(list("").element("Initiated") == "2026-01-31T08:00:00.000Z");
  CHECK(list("").element("EncodingType") == "(none)");
  CHECK(list("").element("Delimiter") == "(none)");
  const auto encoded = list("&encoding-type=url&prefix=a%20");
  CHECK(encoded.elements("Key") == "a%20b/c ");
  CHECK(encoded.element("Prefix") == "a%20");
  CHECK(encoded.element("EncodingType") == "url");
  const auto folders = list("&delimiter=/&max-uploads=1");
  CHECK(folders.element("NextKeyMarker") == "a b/");
  CHECK(folders.element("NextUploadIdMarker").empty());
  CHECK(folders.element("Delimiter") == "/");
  // Without a key there is no upload to continue after.
  CHECK(list("&upload-id-marker=~").elements("Key") == "a b/c key ");
}

}  // namespace
}  // namespace test::multipart_test

#include <string>

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

TEST_CASE("An object is uploaded in parts") {
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

TEST_CASE("Parts are checked") {
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

TEST_CASE("An upload is aborted") {
  Upload upload;
  upload.put(1, "v");
  CHECK(upload.s3.send("DELETE", upload.target()).status == 204);
  CHECK(upload.s3.send("DELETE", upload.target()).code() == "NoSuchUpload");
  CHECK((*upload.s3.store->scratch())->list("parts", {})->objects.empty());
}

TEST_CASE("A part is copied from an object") {
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

}  // namespace
}  // namespace test::multipart_test

#include <string>

#include <catch2/catch.hpp>

#include "s3/fixture.h"

namespace test::listings_test {
namespace {

using namespace dinette;

TEST_CASE("listings have pages, prefixes and delimiters") {
  s3::Fixture s3;
  s3.fill({"a", "a/1", "a/2", "b/1", "b/2", "c", "d e&"});
  const auto list = [&](const std::string& query) { return s3.send("GET", "/bucket?list-type=2" + query); };

  const auto all = list("");
  CHECK(all.elements("Key") == "a a/1 a/2 b/1 b/2 c d e&amp; ");
  CHECK(all.element("KeyCount") == "7");
  CHECK(all.element("IsTruncated") == "false");
  CHECK(all.element("LastModified") == "2026-01-31T08:00:00.000Z");
  CHECK(all.element("ETag") == "&quot;0cc175b9c0f1b6a831c399e269772661&quot;");
  CHECK(all.element("Size") == "1");
  CHECK(list("&encoding-type=url").elements("Key") == "a a/1 a/2 b/1 b/2 c d%20e%26 ");
  CHECK(list("&start-after=b/1").elements("Key") == "b/2 c d e&amp; ");
  CHECK(list("&prefix=a/").elements("Key") == "a/1 a/2 ");
  CHECK(list("&max-keys=0").element("IsTruncated") == "false");
  CHECK(list("&max-keys=x").code() == "InvalidArgument");
  CHECK(list("&encoding-type=x").code() == "InvalidArgument");
  CHECK(list("&continuation-token=x").code() == "InvalidArgument");
  CHECK(s3.send("GET", "/none?list-type=2").code() == "NoSuchBucket");
  CHECK(s3.send("GET", "/none?list-type=2&max-keys=0").code() == "NoSuchBucket");

  const auto folders = list("&delimiter=/");
  CHECK(folders.elements("Key") == "a c d e&amp; ");
  CHECK(folders.elements("Prefix") == " a/ b/ ");  // the first one is the request's

  std::string seen;
  std::string token;
  for (int page = 0; page < 5; ++page) {
    const auto answer = list("&delimiter=/&max-keys=1" + token);
    seen += answer.elements("Key") + answer.elements("Prefix");
    CHECK(answer.element("IsTruncated") == (page < 4 ? "true" : "false"));
    token = "&continuation-token=" + answer.element("NextContinuationToken");
  }
  CHECK(seen == "a   a/  b/ c  d e&amp;  ");
}

TEST_CASE("the older listing continues after a marker") {
  s3::Fixture s3;
  s3.fill({"a/1", "a/2", "b/1", "c"});
  const auto first = s3.send("GET", "/bucket?delimiter=/&max-keys=1");
  CHECK(first.elements("Prefix") == " a/ ");
  CHECK(first.element("NextMarker") == "a/");
  const auto second = s3.send("GET", "/bucket?delimiter=/&max-keys=1&marker=a/");
  CHECK(second.elements("Prefix") == " b/ ");
  CHECK(second.element("Marker") == "a/");
  CHECK(s3.send("GET", "/bucket?marker=a/2").elements("Key") == "b/1 c ");
  CHECK(s3.send("GET", "/bucket?max-keys=2").element("NextMarker") == "(none)");
  CHECK(s3.send("GET", "/bucket?max-keys=2").element("IsTruncated") == "true");
}

TEST_CASE("a common prefix of many objects is one line") {
  s3::Fixture s3;
  s3.fill({"z"});
  for (int i = 0; i < 2500; ++i)
    REQUIRE(objects::put(*s3.store, "bucket", "a/" + std::to_string(i), "").ok());
  const auto answer = s3.send("GET", "/bucket?list-type=2&delimiter=/");
  CHECK(answer.elements("Prefix") == " a/ ");
  CHECK(answer.elements("Key") == "z ");
  const auto page = s3.send("GET", "/bucket?list-type=2&max-keys=5000");
  CHECK(page.element("KeyCount") == "1000");
  CHECK(page.element("MaxKeys") == "1000");
  CHECK(page.element("IsTruncated") == "true");
}

TEST_CASE("a listing repeats what it was asked for") {
  s3::Fixture s3;
  s3.fill({"a b/1", "a b/2", "c"});
  const auto list = [&](const std::string& query) { return s3.send("GET", "/bucket?list-type=2" + query); };
  const auto encoded = list("&delimiter=/&prefix=a%20&encoding-type=url");
  CHECK(encoded.element("Name") == "bucket");
  CHECK(encoded.elements("Prefix") == "a%20 a%20b/ ");
  CHECK(encoded.element("Delimiter") == "/");
  CHECK(encoded.element("EncodingType") == "url");
  CHECK(encoded.element("StartAfter") == "(none)");
  CHECK(encoded.element("ContinuationToken") == "(none)");
  CHECK(encoded.element("NextContinuationToken") == "(none)");
  CHECK(list("").element("Delimiter") == "(none)");
  CHECK(list("").element("EncodingType") == "(none)");
  CHECK(list("").element("StorageClass") == "STANDARD");
  CHECK(list("&start-after=a%20b/1").element("StartAfter") == "a b/1");
  const std::string token = list("&max-keys=2").element("NextContinuationToken");
  const auto second = list("&start-after=a&continuation-token=" + token);
  CHECK(second.elements("Key") == "c ");
  CHECK(second.element("ContinuationToken") == token);
}

TEST_CASE("the owner of objects is listed if it is asked for, and always in the older listing") {
  s3::Fixture s3;
  s3.fill({"a"});
  CHECK(s3.send("GET", "/bucket?list-type=2").element("Owner") == "(none)");
  CHECK(s3.send("GET", "/bucket?list-type=2&fetch-owner=false").element("Owner") == "(none)");
  CHECK(s3.send("GET", "/bucket?list-type=2&fetch-owner=true").element("DisplayName") == "dinette");
  CHECK(s3.send("GET", "/bucket").element("DisplayName") == "dinette");
}

TEST_CASE("the number of keys on a page is a whole number") {
  s3::Fixture s3;
  s3.fill({"a", "b"});
  for (const char* const limit : {"-1", "1.5", "1x", "99999999999999999999", " 1"})
    CHECK(s3.send("GET", "/bucket?list-type=2&max-keys=" + std::string(limit)).code() == "InvalidArgument");
  CHECK(s3.send("GET", "/bucket?list-type=2&max-keys=").element("MaxKeys") == "1000");
}

}  // namespace
}  // namespace test::listings_test

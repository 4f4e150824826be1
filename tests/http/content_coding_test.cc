#include "dinette/http/content_coding.h"

#include <string>

#include <catch2/catch.hpp>

// RFC 9110 section 12.5.3. For malformed headers see tests/dynamodb/wire/compression_test.cc.
namespace dinette::http::content_coding_test {
namespace {

using base::Compression;

TEST_CASE("codings have names") {
  CHECK(coding_named("gzip") == Compression::gzip);
  CHECK(coding_named("GZIP") == Compression::gzip);
  CHECK(coding_named("deflate") == Compression::zlib);
  for (const char* other : {"", "x-gzip", "br", "identity", "gzip "}) CHECK_FALSE(coding_named(other));
  CHECK(coding_name(Compression::gzip) == "gzip");
  CHECK(coding_name(Compression::zlib) == "deflate");
}

TEST_CASE("the coding that the client prefers is chosen") {
  for (const char* gzip : {"gzip", "gzip, deflate", "deflate;q=0.4, gzip;q=0.5", "*", "br, gzip;q=0.1",
                           "deflate;q=0, *", "GZIP ; q=1"}) {
    INFO(gzip);
    CHECK(chosen_coding(gzip) == Compression::gzip);
  }
  for (const char* zlib : {"deflate", "deflate, gzip", "gzip;q=0.4, deflate;q=0.5", "gzip;q=0, *"}) {
    INFO(zlib);
    CHECK(chosen_coding(zlib) == Compression::zlib);
  }
  for (const char* none : {"", "identity", "br", "gzip;q=0", "*;q=0", "gzip;q=0.000, deflate;q=0"}) {
    INFO(none);
    CHECK_FALSE(chosen_coding(none));
  }
}

TEST_CASE("a response is compressed for a client that wants it") {
  const std::string text(10'000, 'x');
  Response response;
  response.body = text;
  CHECK_FALSE(compress_for("br", response));
  CHECK(response.body == text);
  CHECK(response.headers.empty());
  CHECK(compress_for("deflate", response));
  CHECK(response.headers == "Content-Encoding: deflate\r\n");
  const auto unpacked = base::decompress(Compression::zlib, response.body, text.size());
  REQUIRE(unpacked.ok());
  CHECK(unpacked->view() == text);
}

}  // namespace
}  // namespace dinette::http::content_coding_test

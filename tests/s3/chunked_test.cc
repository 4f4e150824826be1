#include "s3/chunked.h"

#include <string>

#include <catch2/catch.hpp>

namespace test::chunked_test {
namespace {

using dinette::s3::read_chunked;

TEST_CASE("chunks, their signatures and trailers are read") {
  const std::string body =
      "3;chunk-signature=ab\r\nabc\r\nA;chunk-signature=cd\r\n0123456789\r\n0;chunk-signature=ef\r\n"
      "X-Amz-Checksum-CRC32: AAAA\r\nx-other:b\r\n\r\n";
  const auto read = read_chunked(body);
  REQUIRE(read);
  CHECK(read->joined() == "abc0123456789");
  REQUIRE(read->chunks.size() == 3);
  CHECK(read->chunks[1].signature == "cd");
  CHECK(read->chunks[2].signature == "ef");
  CHECK(read->trailer("x-amz-checksum-crc32") == "AAAA");
  CHECK(read->trailer("none") == std::nullopt);
}

TEST_CASE("a last empty line may be missing") {
  CHECK(read_chunked("0\r\n"));
  CHECK(read_chunked("0\r\n\r\n"));
  CHECK(read_chunked("0\r\na:b")->trailer("a") == "b");
}

TEST_CASE("what is not whole is refused") {
  for (const char* const body : {"", "1", "1\r\n", "1\r\na", "1\r\na\r\n", "1\r\nab\r\n0\r\n", "x\r\n",
                                 "-1\r\n", "\r\n", "ffffffffffffffffff\r\n", "ffffffffffffffff\r\na\r\n"}) {
    CAPTURE(body);
    CHECK_FALSE(read_chunked(body));
  }
}

}  // namespace
}  // namespace test::chunked_test

#include "s3/range.h"

#include <string>

#include <catch2/catch.hpp>

namespace test::range_test {
namespace {

using namespace dinette;

/// Returns "begin+size", "ignored" or "refused", for an object of 10 bytes.
std::string read(const char* header, std::uint64_t size = 10) {
  const auto range = s3::read_range(header, size);
  if (!range) return range.error().code == s3::Code::invalid_range ? "refused" : "other";
  return *range ? std::to_string((*range)->begin) + "+" + std::to_string((*range)->size) : "ignored";
}

TEST_CASE("one range of bytes is read") {
  CHECK(read("bytes=0-0") == "0+1");
  CHECK(read("bytes=2-4") == "2+3");
  CHECK(read("bytes=2-") == "2+8");
  CHECK(read("bytes=2-99999999") == "2+8");
  CHECK(read("bytes=-3") == "7+3");
  CHECK(read("bytes=-30") == "0+10");
}

TEST_CASE("ranges outside are refused, others are ignored") {
  for (const char* const header : {"bytes=10-", "bytes=10-11", "bytes=-0"}) CHECK(read(header) == "refused");
  CHECK(read("bytes=0-", 0) == "refused");
  CHECK(read("bytes=-1", 0) == "refused");
  for (const char* const header : {"", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=4-2",
                                   "bytes=1-2,4-5", "items=0-1", "bytes=99999999999999999999-", "bytes= 1-2"})
    CHECK(read(header) == "ignored");
}

}  // namespace
}  // namespace test::range_test

#include "s3/checksums.h"

#include <catch2/catch.hpp>

namespace test::checksums_test {
namespace {

// Check values of the CRC catalogue ("123456789"), and of FIPS 180-4 ("abc").
TEST_CASE("checksums are those of their catalogues") {
  using dinette::s3::checksum;
  CHECK(checksum("crc32", "123456789") == "y/Q5Jg==");
  CHECK(checksum("crc32c", "123456789") == "4waSgw==");
  CHECK(checksum("crc64nvme", "123456789") == "rosUhgp5mIg=");
  CHECK(checksum("sha1", "abc") == "qZk+NkcGgWq6PiVxeFDCbJzQ2J0=");
  CHECK(checksum("sha256", "abc") == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
  CHECK(checksum("md5", "abc") == std::nullopt);
}

}  // namespace
}  // namespace test::checksums_test

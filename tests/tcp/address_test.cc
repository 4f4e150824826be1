#include "dinette/tcp/address.h"

#include <catch2/catch.hpp>

namespace dinette::tcp::address_test {
namespace {

TEST_CASE("addresses are written as in URLs") {
  CHECK(host_and_port("127.0.0.1", 8000) == "127.0.0.1:8000");
  CHECK(host_and_port("localhost", 0) == "localhost:0");
  CHECK(host_and_port("::1", 65535) == "[::1]:65535");
}

}  // namespace
}  // namespace dinette::tcp::address_test

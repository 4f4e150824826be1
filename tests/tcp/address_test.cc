#include "dinette/tcp/address.h"

#include <algorithm>

#include <catch2/catch.hpp>

namespace dinette::tcp::address_test {
namespace {

TEST_CASE("addresses are written as in URLs") {
  CHECK(host_and_port("127.0.0.1", 8000) == "127.0.0.1:8000");
  CHECK(host_and_port("localhost", 0) == "localhost:0");
  CHECK(host_and_port("::1", 65535) == "[::1]:65535");
}

TEST_CASE("a name has the addresses of the system's resolver, each once") {
  const auto of_localhost = addresses_of("localhost");
  CHECK(std::ranges::count(of_localhost, "127.0.0.1") == 1);
  CHECK(addresses_of("127.0.0.1") == std::vector<std::string>{"127.0.0.1"});
  CHECK(addresses_of("::1") == std::vector<std::string>{"::1"});
  CHECK(addresses_of("no such name").empty());
}

}  // namespace
}  // namespace dinette::tcp::address_test

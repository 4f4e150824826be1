#include "dinette/base/network.h"

#include <catch2/catch.hpp>

namespace dinette::base::network_test {

TEST_CASE("a network has the addresses that begin with its bits") {
  const auto network = Network::of("203.0.113.64/26");
  REQUIRE(network);
  CHECK(network->has("203.0.113.64"));
  CHECK(network->has("203.0.113.127"));
  CHECK_FALSE(network->has("203.0.113.128"));
  CHECK_FALSE(network->has("203.0.113"));
  CHECK_FALSE(network->has("::ffff:203.0.113.64"));
  CHECK(Network::of("0.0.0.0/0")->has("198.51.100.1"));
  CHECK(Network::of("2001:db8::/33")->has("2001:db8:7fff::1"));
  CHECK_FALSE(Network::of("2001:db8::/33")->has("2001:db8:8000::1"));
}

TEST_CASE("texts that are no network") {
  for (const char* text :
       {"", "/", "1.2.3/24", "1.2.3.4/", "1.2.3.4/33", "1.2.3.4/1234", "1.2.3.4/a", "::/129"})
    CHECK_FALSE(Network::of(text));
}

}  // namespace dinette::base::network_test

#include "dinette/tenancy/region_links.h"

#include <chrono>

#include <catch2/catch.hpp>

namespace dinette::tenancy::region_links_test {

using namespace std::chrono_literals;

TEST_CASE("links are whole and clocks right until a test says otherwise") {
  RegionLinks links;
  CHECK_FALSE(links.is_cut("us-east-1", "us-west-2"));
  CHECK(links.skew_of("us-east-1") == 0s);
  CHECK(links.setting() == RegionSetting());
}

TEST_CASE("a link is cut in one direction, and a clock is wrong in one region") {
  RegionLinks links;
  const RegionSetting setting{.cut = {{"us-east-1", "us-west-2"}}, .skews = {{"us-east-1", 5s}}};
  links.replace(setting);
  CHECK(links.setting() == setting);
  CHECK(links.is_cut("us-east-1", "us-west-2"));
  CHECK_FALSE(links.is_cut("us-west-2", "us-east-1"));
  CHECK(links.skew_of("us-east-1") == 5s);
  CHECK(links.skew_of("us-west-2") == 0s);
  links.replace({});
  CHECK_FALSE(links.is_cut("us-east-1", "us-west-2"));
  CHECK(links.skew_of("us-east-1") == 0s);
}

}  // namespace dinette::tenancy::region_links_test

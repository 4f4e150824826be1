#include "dinette/aws/region.h"

#include <catch2/catch.hpp>

namespace dinette::aws::region_test {

TEST_CASE("a region belongs to a partition") {
  for (const char* region : {"us-east-1", "eu-west-2", "local", "", "us-government-1", "cn"}) {
    INFO(region);
    CHECK(partition_of(region) == "aws");
  }
  for (const char* region : {"cn-north-1", "cn-northwest-1"}) CHECK(partition_of(region) == "aws-cn");
  for (const char* region : {"us-gov-east-1", "us-gov-west-1"}) CHECK(partition_of(region) == "aws-us-gov");
}

}  // namespace dinette::aws::region_test

#include "dinette/aws/arn.h"

#include <catch2/catch.hpp>

namespace dinette::aws::arn_test {

TEST_CASE("an ARN has five parts before its resource, which may have colons") {
  const auto arn = parse_arn("arn:aws:sqs:eu-west-1:123456789012:a:b/c");
  REQUIRE(arn);
  CHECK(arn->partition == "aws");
  CHECK(arn->service == "sqs");
  CHECK(arn->region == "eu-west-1");
  CHECK(arn->account == "123456789012");
  CHECK(arn->resource == "a:b/c");
}

TEST_CASE("a region belongs to a partition") {
  for (const char* region : {"us-east-1", "eu-west-2", "local", "", "us-government-1", "cn"}) {
    INFO(region);
    CHECK(partition_of(region) == "aws");
  }
  for (const char* region : {"cn-north-1", "cn-northwest-1"}) CHECK(partition_of(region) == "aws-cn");
  for (const char* region : {"us-gov-east-1", "us-gov-west-1"}) CHECK(partition_of(region) == "aws-us-gov");
}

TEST_CASE("parts of an ARN may be empty") {
  const auto arn = parse_arn("arn:::::");
  REQUIRE(arn);
  CHECK(arn->partition.empty());
  CHECK(arn->resource.empty());
}

TEST_CASE("what lacks a part is no ARN") {
  for (const char* text : {"", "arn", "arn:", "arn:aws:sqs:eu-west-1:123456789012", "ARN:::::", "name"}) {
    INFO(text);
    CHECK_FALSE(parse_arn(text));
  }
}

}  // namespace dinette::aws::arn_test

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

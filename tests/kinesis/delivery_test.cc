#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/kinesis/put_records.h"

#include "kinesis/fixture.h"

namespace test::kinesis::delivery_test {
namespace {

using namespace std::chrono_literals;
using Strings = std::vector<std::string>;
using Reason = dinette::kinesis::PutFailure::Reason;

const std::string arn = "arn:aws:kinesis:us-east-1:000000000000:stream/clicks";

}  // namespace

TEST_CASE("another service finds a stream by its ARN, and puts records into it") {
  Kinesis k({.state_delay = 2s});
  k.create("clicks", 2);
  CHECK_FALSE(dinette::kinesis::find_stream(k.world(), "", arn).value()->writable);
  const dinette::kinesis::RecordToPut records[] = {{"b", "one"}, {"a", "two"}, {"b", "three"}};
  const auto early = dinette::kinesis::put_records(k.world(), "", arn, records);
  REQUIRE_FALSE(early.ok());
  CHECK(early.error().reason == Reason::no_stream);
  k.advance(2s);
  const auto found = dinette::kinesis::find_stream(k.world(), "", arn).value();
  REQUIRE(found);
  CHECK(found->writable);
  CHECK(found->name == "clicks");
  CHECK(found->account == "000000000000");
  CHECK(found->region == "us-east-1");
  REQUIRE(dinette::kinesis::put_records(k.world(), "", arn, records).ok());
  CHECK(k.read_shard("clicks", shard(0)) == Strings{"two"});
  CHECK(k.read_shard("clicks", shard(1)) == Strings{"one", "three"});
}

TEST_CASE("a stream that does not exist and a record that is too large are different failures") {
  Kinesis k;
  k.create("clicks");
  for (const std::string& other :
       {std::string("arn:aws:kinesis:us-east-1:000000000000:stream/taps"), std::string("none"),
        std::string("arn:aws:kinesis:us-east-1:111111111111:stream/clicks")})
    CHECK_FALSE(dinette::kinesis::find_stream(k.world(), "", other).value());
  const std::string large(1024 * 1024, 'x');
  const dinette::kinesis::RecordToPut records[] = {{"a", large}};
  const auto refused = dinette::kinesis::put_records(k.world(), "", arn, records);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().reason == Reason::refused);
  CHECK_FALSE(dinette::kinesis::find_stream(k.world(), "eu-west-1", arn).value());
}

}  // namespace test::kinesis::delivery_test

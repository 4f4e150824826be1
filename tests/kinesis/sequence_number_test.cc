#include "kinesis/streams/sequence_number.h"

#include <string>

#include <catch2/catch.hpp>

#include "kinesis/streams/hash_key.h"

// docs/service/kinesis-data-streams.md section 3.
namespace test::kinesis::sequence_number_test {

using dinette::kinesis::HashKey;
using dinette::kinesis::SequenceNumber;
using dinette::kinesis::StreamPlace;

TEST_CASE("sequence numbers have 56 digits, in the order of their places") {
  const SequenceNumber number{1'791'633'600, {{7, 3}, 1}, 12};
  CHECK(number.text().size() == 56);
  std::string last;
  for (const StreamPlace place :
       {StreamPlace{{0, 0}, 0}, StreamPlace{{0, 0}, 1}, StreamPlace{{0, 1}, 0}, StreamPlace{{1, 0}, 0},
        StreamPlace{{1, 0xFFFFFFFF}, 0xFFFF}, StreamPlace{{0x7FFFFFFFFFFFFFFF, 0}, 0}}) {
    const std::string text = SequenceNumber{1'791'633'600, place, 4'000'000'000}.text();
    CHECK(text.size() == 56);
    CHECK(text > last);
    last = text;
    const auto parsed = SequenceNumber::parse(text);
    REQUIRE(parsed);
    CHECK(parsed->place == place);
    CHECK(parsed->created == 1'791'633'600);
    CHECK(parsed->shard == 4'000'000'000);
  }
}

TEST_CASE("other texts are no sequence numbers") {
  const std::string good = SequenceNumber{1'791'633'600, {{7, 3}, 0}, 0}.text();
  for (const std::string& text :
       {std::string(), std::string("0"), std::string("1"), good + "0", good.substr(1), "-" + good,
        good.substr(0, 55) + "x", std::string(129, '9'), "9" + good})
    CHECK_FALSE(SequenceNumber::parse(text));
}

TEST_CASE("hash keys are numbers of 128 bits") {
  CHECK(HashKey::of_partition_key("a").text() == "16955237001963240173058271559858726497");
  CHECK(HashKey::parse("340282366920938463463374607431768211455") == HashKey::greatest());
  CHECK_FALSE(HashKey::parse("340282366920938463463374607431768211456"));
  CHECK_FALSE(HashKey::parse(""));
  CHECK_FALSE(HashKey::parse("1x"));
  const HashKey carry{1, ~std::uint64_t{0}};
  CHECK(carry.next() == HashKey{2, 0});
  CHECK(carry.next().previous() == carry);
}

}  // namespace test::kinesis::sequence_number_test

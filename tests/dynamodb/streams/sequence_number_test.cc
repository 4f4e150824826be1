#include "dynamodb/streams/sequence_number.h"

#include <limits>
#include <random>

#include <catch2/catch.hpp>

#include "support/random_seed.h"

// docs/service/streams.md section 3.
namespace dinette::dynamodb::sequence_number_test {

using store::StreamPosition;

TEST_CASE("a sequence number: 21 to 40 digits, without leading zeros, that grow with the position") {
  CHECK(SequenceNumber().text() == "100000000000000000000");
  CHECK(SequenceNumber::of({1, 0}).text() == "100000000000001048576");
  CHECK(SequenceNumber::of({1, 0}) > SequenceNumber());
  const SequenceNumber last = SequenceNumber::of(
      {std::numeric_limits<std::uint64_t>::max(), std::numeric_limits<std::uint32_t>::max()});
  CHECK(last.text().size() == 40);
}

TEST_CASE("a sequence number: text that is none") {
  for (const std::string& text :
       {std::string(), std::string(20, '1'), std::string(41, '1'), std::string(21, 'd'),
        "-" + std::string(21, '1'), std::string(20, '1') + "x"}) {
    CHECK_FALSE(SequenceNumber::parse(text));
  }
  CHECK(SequenceNumber::parse(std::string(40, '9')) > SequenceNumber::of(StreamPosition{1, 1}));
}

TEST_CASE("a sequence number: finds its record, and the next one") {
  std::mt19937_64 random(test::random_seed());
  for (int i = 0; i < test::rounds_of(10'000); ++i) {
    const StreamPosition position{random() >> (random() % 64), static_cast<std::uint32_t>(random() >> 33)};
    const SequenceNumber number = SequenceNumber::of(position);
    const auto read = SequenceNumber::parse(number.text());
    CAPTURE(number.text());
    REQUIRE(read);
    CHECK(*read == number);
    CHECK(number.at() == position);
    CHECK(number.after() == position.next());
    CHECK(number.next().at() == position.next());
    CHECK(number.next() < SequenceNumber::of(position.next()));
  }
}

}  // namespace dinette::dynamodb::sequence_number_test

// Encoded keys against the values that they encode (tests/store/key_codec_test.cc has the encoding by
// itself).

#include <algorithm>
#include <compare>
#include <random>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "dynamodb/api/limits.h"
#include "dynamodb/items/item_key.h"
#include "dynamodb/model/attribute_value.h"
#include "support/random_seed.h"

namespace test::key_order_test {
namespace {

using namespace dinette::dynamodb;
using model::AttributeValue;
using model::Number;

const int rounds = dinette::test::rounds_of(50'000);

std::string encoded(const AttributeValue& value) {
  std::string key;
  append_key_component(key, value);
  return key;
}

std::strong_ordering compare_bytes(std::string_view a, std::string_view b) {
  return a.compare(b) <=> 0;  // as unsigned bytes
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  int between(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }
  bool chance(int one_in) { return between(1, one_in) == 1; }

  /// Of any size, sign and precision, as text: what a client sends.
  Number number() {
    using namespace model::limits;
    if (chance(50)) return Number();
    const int digits = chance(3) ? number_digits : between(1, number_digits);
    std::string text;
    for (int i = 0; i < digits; ++i)
      text += static_cast<char>('0' + (chance(3) ? 9 * between(0, 1) : between(0, 9)));
    text.front() = static_cast<char>('0' + between(1, 9));
    // Of its first digit; half of the numbers lie close together.
    const int magnitude = chance(2) ? between(-2, 2) : between(number_min_magnitude, number_max_magnitude);
    const std::string exponent = std::to_string(magnitude - digits + 1);
    return Number::parse((chance(2) ? "-" : "") + text + "e" + exponent).value();
  }

  /// A number that differs from `other` by one in its last digit or the digit behind it, if there is one.
  Number near(const Number& other) {
    const auto step = Number::make(chance(2), 1, other.exponent() - between(0, 1));
    const auto sum = step ? add(other, *step) : step;
    return sum ? *sum : negate(other);
  }

  /// Few different bytes, those of which an encoding might make something among them.
  std::string bytes() {
    static constexpr std::string_view letters(
        "\0\x01\x7F\x80\xFE\xFF"
        "a",
        7);
    std::string text;
    for (int size = between(0, 5); size > 0; --size) text += letters[static_cast<std::size_t>(between(0, 6))];
    return text;
  }

 private:
  std::mt19937_64 engine_;
};

TEST_CASE("encoded keys order as the numbers do") {
  Random random(dinette::test::random_seed());
  for (int i = 0; i < rounds; ++i) {
    const Number a = random.number();
    const Number b = random.chance(2) ? random.near(a) : random.number();
    const auto order = compare_bytes(encoded(AttributeValue(a)), encoded(AttributeValue(b)));
    if (order != (a <=> b)) FAIL(a.to_string() << " and " << b.to_string());
  }
}

TEST_CASE("encoded keys order as the numbers do at every magnitude and both signs") {
  using namespace model::limits;
  const std::string nines(number_digits, '9');
  const std::string one = "1" + std::string(number_digits - 2, '0') + "1";
  std::string last = encoded(AttributeValue(Number()));
  std::string last_negative = last;
  for (int magnitude = number_min_magnitude; magnitude <= number_max_magnitude; ++magnitude) {
    const std::string exponent = "e" + std::to_string(magnitude - number_digits + 1);
    for (const std::string& text : {"1e" + std::to_string(magnitude), one + exponent, nines + exponent}) {
      CAPTURE(text);
      const std::string key = encoded(AttributeValue(Number::parse(text).value()));
      const std::string negative = encoded(AttributeValue(Number::parse("-" + text).value()));
      CHECK(last < key);
      CHECK(negative < last_negative);
      last = key;
      last_negative = negative;
    }
  }
}

TEST_CASE("one number has one encoded key, however it is written") {
  const auto key = [](std::string_view text) { return encoded(AttributeValue(Number::parse(text).value())); };
  for (const char* text : {"100", "1e2", "+100.00", "0.1E3", "00100"}) CHECK(key(text) == key("100"));
  for (const char* text : {"-0", "0.00", "0e5"}) CHECK(key(text) == key("0"));
}

TEST_CASE("encoded keys order as strings and binaries do, by their unsigned bytes") {
  Random random(dinette::test::random_seed());
  for (int i = 0; i < rounds; ++i) {
    const std::string a = random.bytes();
    const std::string b = random.chance(3) ? a + random.bytes() : random.bytes();
    const auto strings = compare_bytes(encoded(AttributeValue(a)), encoded(AttributeValue(b)));
    const auto binaries =
        compare_bytes(encoded(AttributeValue(model::Binary{a})), encoded(AttributeValue(model::Binary{b})));
    CAPTURE(a, b);
    REQUIRE(strings == compare_bytes(a, b));
    REQUIRE(binaries == compare_bytes(a, b));
  }
}

}  // namespace

}  // namespace test::key_order_test

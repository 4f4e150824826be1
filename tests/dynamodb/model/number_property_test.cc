// Numbers against big integers: every number is a whole multiple of 10^-unit_exponent.

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>
#include <catch2/catch.hpp>

#include "dynamodb/model/number.h"
#include "support/random_seed.h"

namespace dinette::dynamodb::model::number_property_test {
namespace {

using boost::multiprecision::cpp_int;

constexpr int unit_exponent = -170;  // below the last of 38 digits of the smallest number
const int rounds = dinette::test::rounds_of(100'000);

cpp_int units(const Number& number) {
  cpp_int value(number.coefficient());
  value *= boost::multiprecision::pow(cpp_int(10), static_cast<unsigned>(number.exponent() - unit_exponent));
  return number.negative() ? -value : value;
}

/// What must come of an exact result: its units, or the problem.
struct Expected {
  cpp_int units;
  std::optional<NumberProblem> problem;
};

Expected judge(const cpp_int& result) {
  if (result == 0) return {result, std::nullopt};
  auto digits = cpp_int(abs(result)).str();
  const int magnitude = static_cast<int>(digits.size()) - 1 + unit_exponent;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (magnitude > Number::max_magnitude) return {result, NumberProblem::overflow};
  if (magnitude < Number::min_magnitude) return {result, NumberProblem::underflow};
  if (digits.size() > Number::max_digits) return {result, NumberProblem::overflow};
  return {result, std::nullopt};
}

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : engine_(seed) {}

  int between(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }

  /// Digits with long runs of 9 and 0, where carries and borrows travel.
  std::string digits(int count) {
    std::string text(static_cast<std::size_t>(count), '0');
    for (auto& digit : text) {
      const int kind = between(0, 9);
      digit = kind < 4 ? '9' : kind < 7 ? '0' : static_cast<char>('0' + between(0, 9));
    }
    return text;
  }

  Number number() {
    for (;;) {
      const auto text = digits(between(1, 38));
      const int exponent = between(-175, 130);
      const auto parsed =
          Number::parse((between(0, 1) != 0 ? "-" : "") + text + "e" + std::to_string(exponent));
      if (parsed) return *parsed;
    }
  }

  /// A number whose digits overlap or touch those of `other`.
  Number near(const Number& other) {
    for (;;) {
      const auto text = digits(between(1, 38));
      const int exponent = other.exponent() + between(-40, 40);
      const auto parsed =
          Number::parse((between(0, 1) != 0 ? "-" : "") + text + "e" + std::to_string(exponent));
      if (parsed) return *parsed;
    }
  }

  /// A spelling of `number` other than the canonical one.
  std::string spelled(const Number& number) {
    cpp_int coefficient(number.coefficient());
    auto text = coefficient.str() + std::string(static_cast<std::size_t>(between(0, 20)), '0');
    const int zeros = static_cast<int>(text.size() - coefficient.str().size());
    const int fraction = between(0, static_cast<int>(text.size()));
    text.insert(text.size() - static_cast<std::size_t>(fraction), ".");
    text.insert(0, static_cast<std::size_t>(between(0, 3)), '0');
    const auto sign = number.negative() ? "-" : between(0, 1) != 0 ? "+" : "";
    return sign + text + (between(0, 1) != 0 ? "E" : "e") +
           std::to_string(number.exponent() - zeros + fraction);
  }

 private:
  std::mt19937_64 engine_;
};

bool agrees(const dinette::base::Result<Number, NumberProblem>& got, const Expected& expected) {
  if (!got) return expected.problem == got.error();
  return !expected.problem && units(*got) == expected.units;
}

}  // namespace

TEST_CASE("sums and differences agree with big integers", "[number][property]") {
  Generator random(dinette::test::random_seed());
  int refused = 0;
  for (int i = 0; i < rounds; ++i) {
    const auto a = random.number();
    const auto b = random.near(a);
    const auto sum = add(a, b);
    const auto difference = subtract(a, b);
    if (!agrees(sum, judge(units(a) + units(b))) || !agrees(difference, judge(units(a) - units(b)))) {
      FAIL(a.to_string() << " and " << b.to_string());
    }
    if (!sum) ++refused;
  }
  CHECK(refused > rounds / 20);  // both outcomes are met
  CHECK(refused < rounds);
}

TEST_CASE("the canonical form and any other spelling read back as the number", "[number][property]") {
  Generator random(dinette::test::random_seed());
  for (int i = 0; i < rounds; ++i) {
    const auto number = random.number();
    const auto text = number.to_string();
    const auto other = number.is_zero() ? "0.0" : random.spelled(number);
    for (const auto generation : {Generation::current, Generation::older}) {
      if (Number::parse(text, generation).value() != number) FAIL(text);
      if (Number::parse(other, generation).value() != number) FAIL(other << " for " << text);
    }
    if (text.find_first_of("eE+") != std::string::npos) FAIL(text);
  }
}

TEST_CASE("order agrees with big integers", "[number][property]") {
  Generator random(dinette::test::random_seed());
  for (int i = 0; i < rounds; ++i) {
    const auto a = random.number();
    const auto b = i % 2 == 0 ? random.near(a) : random.number();
    const auto expected = units(a).compare(units(b)) <=> 0;
    if ((a <=> b) != expected || (a == b) != (expected == 0)) FAIL(a.to_string() << " and " << b.to_string());
  }
}

}  // namespace dinette::dynamodb::model::number_property_test

#include <array>
#include <regex>
#include <string>

#include <catch2/catch.hpp>

#include "dinette/aws/shape.h"

namespace test::pattern_steps_test {
namespace {

using dinette::aws::longest_with_steps;
using dinette::aws::matches;
using dinette::aws::PatternStep;

constexpr auto any = PatternStep::any_number;

bool is_a(char c) {
  return c == 'a';
}
bool is_b(char c) {
  return c == 'b';
}
bool is_either(char c) {
  return is_a(c) || is_b(c);
}

/// Calls `visit` for all texts of a and b of up to eight characters.
template <class Visit>
void for_each_text(Visit visit) {
  for (std::size_t size = 0; size <= 8; ++size) {
    for (unsigned bits = 0; bits < 1U << size; ++bits) {
      std::string text;
      for (std::size_t i = 0; i < size; ++i) text += (bits >> i & 1) != 0 ? 'b' : 'a';
      visit(text);
    }
  }
}

template <std::size_t count>
void compare(const std::array<PatternStep, count>& steps, const char* expression) {
  const std::regex regex(expression);
  for_each_text([&](const std::string& text) {
    INFO(expression << " " << text);
    CHECK(matches(steps, text) == std::regex_match(text, regex));
  });
}

}  // namespace

TEST_CASE("steps match what the regular expression matches") {
  compare(std::array<PatternStep, 1>{{{is_a, 2, 3}}}, "a{2,3}");
  compare(std::array<PatternStep, 3>{{{is_a, 1, any}, {is_either, 0, any}, {is_b, 1, 1}}}, "a+[ab]*b");
  compare(std::array<PatternStep, 3>{{{is_either, 0, 2}, {is_a, 1, 2}, {is_b, 2, any}}},
          "[ab]{0,2}a{1,2}b{2,}");
  compare(std::array<PatternStep, 4>{{{is_a, 0, 1}, {is_b, 0, 1}, {is_a, 0, 1}, {is_either, 2, 3}}},
          "a?b?a?[ab]{2,3}");
  compare(std::array<PatternStep, 0>{}, "");
}

TEST_CASE("a text that is longer than any that an API declares matches nothing") {
  const std::array<PatternStep, 1> steps{{{is_a, 0, any}}};
  CHECK(matches(steps, std::string(longest_with_steps, 'a')));
  CHECK_FALSE(matches(steps, std::string(longest_with_steps + 1, 'a')));
}

}  // namespace test::pattern_steps_test

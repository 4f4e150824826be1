#include "dinette/base/result.h"

#include <memory>
#include <string>

#include <catch2/catch.hpp>

namespace dinette::base::result_test {
namespace {

enum class Code { full, gone };

struct Refusal {
  Code code;
  std::string sentence;
};

/// An error of a lower layer, from which one of this layer can be made.
struct Fault {
  std::string sentence;
  operator Refusal() && { return {Code::gone, "found: " + std::move(sentence)}; }
};

const std::string long_sentence(100, 'x');

Result<std::string, Refusal> refuse() {
  return Failure{Refusal{Code::full, long_sentence}};
}

Result<int, Refusal> pass_on() {
  DINETTE_TRY(const std::string text, refuse());
  return static_cast<int>(text.size());
}

Result<void, Refusal> pass_on_without_value() {
  DINETTE_CHECK(pass_on());
  return {};
}

Result<void, Fault> meet_fault() {
  return Failure{Fault{"a fault"}};
}

Result<std::string, Refusal> translate() {
  DINETTE_CHECK(meet_fault());
  return std::string();
}

}  // namespace

TEST_CASE("a failure passes through functions that return other values") {
  const auto passed = pass_on_without_value();
  REQUIRE_FALSE(passed);
  CHECK(passed.error().code == Code::full);
  CHECK(passed.error().sentence == long_sentence);
}

TEST_CASE("an error becomes that of the layer above on its way") {
  CHECK(translate().error().sentence == "found: a fault");
}

TEST_CASE("a copy of a result has an error of its own") {
  auto first = refuse();
  auto second = first;
  first.error().sentence = "changed";
  CHECK(second.error().sentence == long_sentence);
  second = first;
  CHECK(second.error().sentence == "changed");
  second = std::string("a value");
  CHECK(*second == "a value");
  CHECK(first.error().sentence == "changed");
}

TEST_CASE("a result that was moved away can be copied, assigned to and destroyed") {
  auto first = refuse();
  const auto second = std::move(first);
  CHECK(second.error().sentence == long_sentence);
  auto third = first;  // NOLINT(bugprone-use-after-move)
  third = second;
  CHECK(third.error().sentence == long_sentence);
}

TEST_CASE("a value that cannot be copied is moved out") {
  Result<std::unique_ptr<int>, Refusal> made = std::make_unique<int>(7);
  CHECK(*std::move(made).value() == 7);
}

TEST_CASE("an enumerator is an error without memory of its own") {
  const Result<void, Code> failed = Failure{Code::gone};
  CHECK(failed.error() == Code::gone);
  CHECK(sizeof(Result<void, Code>) <= sizeof(void*));
  CHECK(sizeof(Result<void*, Refusal>) == 2 * sizeof(void*));
}

}  // namespace dinette::base::result_test

#include "dynamodb/model/value_checks.h"

#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "dynamodb/api/limits.h"

namespace dinette::dynamodb::model::value_checks_test {
namespace {

const std::string prefix = "One or more parameter values were invalid: ";

template <class T>
std::string refused(Checked<T> result) {
  REQUIRE_FALSE(result.ok());
  return std::move(result).error();
}

std::vector<Binary> binaries(const std::vector<std::string>& bytes) {
  std::vector<Binary> all;
  for (const auto& one : bytes) all.push_back(Binary{one});
  return all;
}

const std::string zero(1, '\0');

/// A scalar inside `levels` lists and maps by turns.
AttributeValue wrapped(int levels) {
  AttributeValue value(true);
  for (int i = 0; i < levels; ++i) {
    value = i % 2 == 0 ? AttributeValue(List{value}) : AttributeValue(Map::from_unsorted({{"m", value}}));
  }
  return value;
}

}  // namespace

TEST_CASE("a set keeps its members in order", "[value]") {
  CHECK(make_string_set({"c", "", "b"}, Generation::current)->members ==
        std::vector<std::string>{"", "b", "c"});
  CHECK(make_string_set({"a", "b"}, Generation::current)->members == std::vector<std::string>{"a", "b"});
  CHECK(make_string_set({""}, Generation::older)->members == std::vector<std::string>{""});
  CHECK(make_binary_set(binaries({"\xff", ""}), Generation::current)->members == binaries({"", "\xff"}));
  CHECK(read_number_set({"10", "9", "-1"}, Generation::current)->members ==
        std::vector<Number>{Number(-1), Number(9), Number(10)});
}

TEST_CASE("an empty set is refused", "[value]") {
  for (const auto generation : {Generation::current, Generation::older}) {
    CHECK(refused(make_string_set({}, generation)) == prefix + "An string set  may not be empty");
    CHECK(refused(read_number_set({}, generation)) == prefix + "An number set  may not be empty");
    CHECK(refused(make_number_set(std::vector<Number>{}, generation)) ==
          prefix + "An number set  may not be empty");
    CHECK(refused(make_binary_set({}, generation)) == prefix + "Binary sets should not be empty");
  }
}

TEST_CASE("equal members of a set are refused and listed", "[value]") {
  CHECK(refused(make_string_set({"b", "a", "b"}, Generation::current)) ==
        prefix + R"(Input collection ["a", "b", "b"] contains duplicates.)");
  CHECK(refused(make_string_set({"b", "a", "b"}, Generation::older)) ==
        prefix + "Input collection [b, a, b] contains duplicates.");
  CHECK(refused(make_string_set({"c", "a", "a", "d", "b"}, Generation::current)) ==
        prefix + R"(Input collection ["a", "c", "a", "d", "b"] contains duplicates.)");
  CHECK(refused(make_string_set({"", ""}, Generation::current)) ==
        prefix + R"(Input collection ["", ""] contains duplicates.)");

  CHECK(refused(make_binary_set(binaries({"\xff", zero, zero}), Generation::current)) ==
        prefix + R"(Input collection ["AA==","/w==","AA=="]of type BS contains duplicates.)");
  CHECK(refused(make_binary_set(binaries({"\xff", zero, zero}), Generation::older)) ==
        prefix + "Input collection [/w==, AA==, AA==]of type BS contains duplicates.");

  CHECK(refused(read_number_set({"2", "1", "2"}, Generation::current)) ==
        prefix + "Input collection contains duplicates.");
  CHECK(refused(read_number_set({"1", "1.0"}, Generation::older)) == "Input collection contains duplicates");
}

TEST_CASE("a bad number in a set is refused ahead of equal members", "[value]") {
  CHECK(refused(read_number_set({"1", "1", "x"}, Generation::current)) ==
        "The parameter cannot be converted to a numeric value: x");
  CHECK(refused(read_number_set({""}, Generation::current)) ==
        "The parameter cannot be converted to a numeric value: ");
  CHECK(refused(read_number_set({""}, Generation::older)) ==
        "The parameter cannot be converted to a numeric value");
}

TEST_CASE("NULL is true or refused", "[value]") {
  CHECK(make_null(true).ok());
  CHECK(refused(make_null(false)) == prefix + "Null attribute value types must have the value of true");
}

TEST_CASE("a number is read or refused in a sentence", "[value]") {
  CHECK(*read_number("1.50", Generation::current) == Number::parse("1.5").value());
  CHECK(refused(read_number("1e2147483647", Generation::older)) ==
        "Number underflow. Attempting to store a number with magnitude smaller than supported range");
}

TEST_CASE("a value has at most 32 levels", "[value]") {
  CHECK_FALSE(nests_too_deep(wrapped(0)));
  CHECK_FALSE(nests_too_deep(wrapped(31)));
  CHECK(nests_too_deep(wrapped(32)));
  CHECK(nests_too_deep(wrapped(40)));
  CHECK_FALSE(nests_too_deep(Map::from_unsorted({{"a", wrapped(31)}, {"b", wrapped(1)}})));
  CHECK(nests_too_deep(Map::from_unsorted({{"a", wrapped(1)}, {"b", wrapped(32)}})));
}

TEST_CASE("a key attribute is neither empty nor too long", "[value]") {
  const std::string empty =
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
      "contain an empty ";
  const auto text = [](std::size_t bytes) { return AttributeValue(std::string(bytes, 'x')); };
  const auto binary = [](std::size_t bytes) { return AttributeValue(Binary{std::string(bytes, 'x')}); };
  CHECK(refused(check_key_value("pk", text(0), KeyRole::partition)) == empty + "string value. Key: pk");
  CHECK(refused(check_key_value("sk", binary(0), KeyRole::sort)) == empty + "binary value. Key: sk");

  CHECK(check_key_value("pk", text(limits::partition_key_bytes), KeyRole::partition).ok());
  CHECK(check_key_value("sk", binary(limits::sort_key_bytes), KeyRole::sort).ok());
  CHECK(check_key_value("sk", AttributeValue(Number(0)), KeyRole::sort).ok());
  CHECK(refused(check_key_value("pk", text(2049), KeyRole::partition)) ==
        prefix + "Size of hashkey has exceeded the maximum size limit of2048 bytes");
  CHECK(refused(check_key_value("sk", binary(1025), KeyRole::sort)) ==
        prefix + "Aggregated size of all range keys has exceeded the size limit of 1024 bytes");
}

}  // namespace dinette::dynamodb::model::value_checks_test

#include "dynamodb/model/value_relations.h"

#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

namespace dinette::dynamodb::model::value_relations_test {
namespace {

AttributeValue text(std::string value) {
  return AttributeValue(std::move(value));
}
AttributeValue number(std::string_view value) {
  return AttributeValue(Number::parse(value).value());
}
AttributeValue binary(std::string bytes) {
  return AttributeValue(Binary{std::move(bytes)});
}
AttributeValue texts(std::vector<std::string> members) {
  return AttributeValue(StringSet{std::move(members)});
}
AttributeValue numbers(std::vector<Number> members) {
  return AttributeValue(NumberSet{std::move(members)});
}

}  // namespace

TEST_CASE("begins_with is a prefix within one type", "[value]") {
  CHECK(begins_with(text("abc"), text("ab")));
  CHECK(begins_with(text("abc"), text("")));
  CHECK(begins_with(binary("\x01\x02"), binary("\x01")));
  CHECK_FALSE(begins_with(text("abc"), text("b")));
  CHECK_FALSE(begins_with(text("a"), text("ab")));
  CHECK_FALSE(begins_with(text("abc"), binary("ab")));
  CHECK_FALSE(begins_with(number("12"), number("1")));
  CHECK_FALSE(begins_with(texts({"a"}), texts({"a"})));
}

TEST_CASE("contains looks into text, binaries, sets and lists", "[value]") {
  CHECK(contains(text("abc"), text("bc")));
  CHECK(contains(binary("\x01\x02\x03"), binary("\x02\x03")));
  CHECK(contains(texts({"", "a"}), text("")));
  CHECK(contains(numbers({Number(1), Number(2)}), number("1.0")));
  CHECK(contains(AttributeValue(BinarySet{{Binary{"x"}}}), binary("x")));
  CHECK(contains(AttributeValue(List{text("a"), AttributeValue(List{number("1")})}),
                 AttributeValue(List{number("1.0")})));
  CHECK_FALSE(contains(text("abc"), text("cb")));
  CHECK_FALSE(contains(text("1"), number("1")));
  CHECK_FALSE(contains(binary("ab"), text("a")));
  CHECK_FALSE(contains(texts({"a"}), binary("a")));
  CHECK_FALSE(contains(AttributeValue(List{text("1")}), number("1")));
  CHECK_FALSE(contains(number("12"), number("1")));
  CHECK_FALSE(contains(AttributeValue(Map::from_unsorted({{"a", text("b")}})), text("a")));
}

TEST_CASE("size() counts UTF-16 units, bytes and elements", "[value]") {
  CHECK(element_count(text("é")) == 1U);
  CHECK(element_count(text("\U0001F600")) == 2U);
  CHECK(element_count(binary("é")) == 2U);
  CHECK(element_count(texts({"a", "b"})) == 2U);
  CHECK(element_count(numbers({Number(1)})) == 1U);
  CHECK(element_count(AttributeValue(BinarySet{{Binary{"abc"}}})) == 1U);
  CHECK(element_count(AttributeValue(List{text("abc"), text("d")})) == 2U);
  CHECK(element_count(AttributeValue(Map::from_unsorted({{"a", text("bcd")}}))) == 1U);
  CHECK_FALSE(element_count(number("12")).has_value());
  CHECK_FALSE(element_count(AttributeValue()).has_value());
  CHECK_FALSE(element_count(AttributeValue(true)).has_value());
}

TEST_CASE("sets of one type are united and subtracted", "[value]") {
  CHECK(unite(texts({"a", "c"}), texts({"b", "c"})) == texts({"a", "b", "c"}));
  CHECK(unite(numbers({Number(1)}), numbers({Number(-1)})) == numbers({Number(-1), Number(1)}));
  CHECK(difference(texts({"", "a"}), texts({"", "z"})) == texts({"a"}));
  CHECK(difference(texts({"a"}), texts({"a"})) == texts({}));
  CHECK_FALSE(unite(texts({"a"}), numbers({Number(1)})).has_value());
  CHECK_FALSE(difference(text("a"), texts({"a"})).has_value());
  CHECK_FALSE(unite(AttributeValue(List{}), AttributeValue(List{})).has_value());
}

}  // namespace dinette::dynamodb::model::value_relations_test

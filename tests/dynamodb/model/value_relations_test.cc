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
bool contains(const AttributeValue& value, const AttributeValue& part) {
  Work work;
  return model::contains(value, part, work);
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

TEST_CASE("equal is what == is", "[value]") {
  const Map map = Map::from_unsorted({{"a", number("1")}, {"b", AttributeValue(List{text("x")})}});
  const std::vector<AttributeValue> values = {
      text("a"),
      text("b"),
      text(""),
      number("1"),
      number("2"),
      binary("a"),
      binary("b"),
      texts({"a", "b"}),
      texts({"a", "c"}),
      texts({"a"}),
      numbers({Number(1), Number(2)}),
      numbers({Number(1), Number(3)}),
      AttributeValue(BinarySet{{Binary{"a"}}}),
      AttributeValue(BinarySet{{Binary{"b"}}}),
      AttributeValue(map),
      AttributeValue(Map::from_unsorted({{"a", number("1")}, {"b", AttributeValue(List{text("y")})}})),
      AttributeValue(Map::from_unsorted({{"a", number("1")}, {"c", AttributeValue(List{text("x")})}})),
      AttributeValue(Map()),
      AttributeValue(List{text("a"), AttributeValue(map)}),
      AttributeValue(List{text("a"), AttributeValue(List{text("a")})}),
      AttributeValue(List{text("a")}),
      AttributeValue(List()),
      AttributeValue(Null{}),
      AttributeValue(true),
      AttributeValue(false),
  };
  Work work;
  for (const AttributeValue& a : values) {
    for (const AttributeValue& b : values) CHECK(equal(a, AttributeValue(b), work) == (a == b));
  }
}

TEST_CASE("what is compared and searched is charged, to the place where it is found", "[value]") {
  constexpr std::size_t count = 100'000;
  const auto units = [](auto ask) {
    Work work;
    ask(work);
    return work.units();
  };
  const AttributeValue list(List(count, text("x")));
  const AttributeValue same(List(count, text("x")));
  const AttributeValue longer(List(count + 1, text("x")));
  const AttributeValue nested(List{list});
  const std::size_t whole = units([&](Work& work) { CHECK(equal(list, same, work)); });
  CHECK(whole >= count / 4);
  CHECK(units([&](Work& work) { CHECK(equal(nested, AttributeValue(List{same}), work)); }) >= whole);
  CHECK(units([&](Work& work) { CHECK_FALSE(equal(list, longer, work)); }) == 0);
  CHECK(units([&](Work& work) { CHECK_FALSE(contains(list, text("y"), work)); }) >= whole);
  CHECK(units([&](Work& work) { CHECK(contains(list, text("x"), work)); }) == 0);
  const std::string large(1'000'000, 'a');
  CHECK(units([&](Work& work) { CHECK_FALSE(contains(text(large), text("b"), work)); }) >= 100'000);
  CHECK(units([&](Work& work) { CHECK(equal(text("a"), text("a"), work)); }) == 0);
}

}  // namespace dinette::dynamodb::model::value_relations_test

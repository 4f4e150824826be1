#include "dynamodb/model/attribute_value.h"

#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

namespace dinette::dynamodb::model::attribute_value_test {
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
AttributeValue list(List elements) {
  return AttributeValue(std::move(elements));
}

std::vector<std::string> names(const Map& map) {
  std::vector<std::string> all;
  for (const auto& attribute : map) all.push_back(attribute.name);
  return all;
}

}  // namespace

TEST_CASE("types have the names of the wire", "[value]") {
  for (const auto* name : {"S", "N", "B", "SS", "NS", "BS", "M", "L", "NULL", "BOOL"}) {
    CHECK(type_name(type_from_name(name).value()) == name);
  }
  CHECK_FALSE(type_from_name("s").has_value());
  CHECK_FALSE(type_from_name("").has_value());
  CHECK(type_name(text("x").type()) == "S");
  CHECK(type_name(number("1").type()) == "N");
  CHECK(type_name(binary("x").type()) == "B");
  CHECK(type_name(AttributeValue(StringSet{{"a"}}).type()) == "SS");
  CHECK(type_name(AttributeValue(NumberSet{{Number(1)}}).type()) == "NS");
  CHECK(type_name(AttributeValue(BinarySet{{Binary{"a"}}}).type()) == "BS");
  CHECK(type_name(AttributeValue(Map()).type()) == "M");
  CHECK(type_name(AttributeValue(List()).type()) == "L");
  CHECK(type_name(AttributeValue().type()) == "NULL");
  CHECK(type_name(AttributeValue(true).type()) == "BOOL");
}

TEST_CASE("values are equal by type and content", "[value]") {
  CHECK(number("1") == number("1.0"));
  CHECK(text("6") != number("6"));
  CHECK(text("a") != binary("a"));
  CHECK(AttributeValue(true) != AttributeValue(false));
  CHECK(list({number("1"), text("a")}) == list({number("1.00"), text("a")}));
  CHECK(list({number("1"), text("a")}) != list({text("a"), number("1")}));
  CHECK(list({AttributeValue(NumberSet{{Number(1)}})}) == list({AttributeValue(NumberSet{{Number(1)}})}));
  CHECK(Map::from_unsorted({{"a", text("1")}, {"b", text("2")}}) ==
        Map::from_unsorted({{"b", text("2")}, {"a", text("1")}}));
  CHECK(Map::from_unsorted({{"a", text("1")}}) != Map::from_unsorted({{"a", text("2")}}));
}

TEST_CASE("text, binary and number have an order, nothing else has", "[value]") {
  CHECK(compare(text("a"), text("ab")) == std::strong_ordering::less);
  CHECK(compare(text("z"), text("é")) == std::strong_ordering::less);  // by UTF-8 bytes
  CHECK(compare(text("a"), text("a")) == std::strong_ordering::equal);
  CHECK(compare(number("-5"), number("0")) == std::strong_ordering::less);
  CHECK(compare(number("10"), number("9")) == std::strong_ordering::greater);
  const std::vector<std::string> ascending = {"\x01", "\x01\x02", "\x02", "\x7f", "\x80", "\xff"};
  for (std::size_t i = 1; i < ascending.size(); ++i) {
    CHECK(compare(binary(ascending[i - 1]), binary(ascending[i])) == std::strong_ordering::less);
  }
  CHECK_FALSE(compare(text("1"), number("1")).has_value());
  CHECK_FALSE(compare(AttributeValue(true), AttributeValue(false)).has_value());
  CHECK_FALSE(compare(AttributeValue(), AttributeValue()).has_value());
  CHECK_FALSE(compare(list({}), list({})).has_value());
}

TEST_CASE("a set finds its members", "[value]") {
  const StringSet set{{"", "a", "c"}};
  CHECK(set.contains(""));
  CHECK(set.contains("c"));
  CHECK_FALSE(set.contains("b"));
  CHECK(NumberSet{{Number(-1), Number(10)}}.contains(Number::parse("1e1").value()));
  CHECK_FALSE(BinarySet{}.contains(Binary{"x"}));
}

TEST_CASE("sizes are those that the service counts", "[value]") {
  CHECK(size_in_bytes(text("é")) == 2);
  CHECK(size_in_bytes(text("")) == 0);
  CHECK(size_in_bytes(binary(std::string(5, '\0'))) == 5);
  CHECK(size_in_bytes(number("1234")) == 3);
  CHECK(size_in_bytes(AttributeValue(false)) == 1);
  CHECK(size_in_bytes(AttributeValue()) == 1);
  CHECK(size_in_bytes(AttributeValue(StringSet{{"", "a", "bcd"}})) == 4);
  CHECK(size_in_bytes(AttributeValue(NumberSet{{Number(1), Number(123)}})) == 5);
  CHECK(size_in_bytes(AttributeValue(BinarySet{{Binary{"ab"}}})) == 2);
  CHECK(size_in_bytes(list({})) == 3);
  CHECK(size_in_bytes(list({text("ab"), AttributeValue(true)})) == 3 + 1 + 2 + 1 + 1);
  CHECK(size_in_bytes(AttributeValue(Map())) == 3);
  CHECK(size_in_bytes(AttributeValue(Map::from_unsorted({{"key", text("ab")}, {"k", list({})}}))) ==
        3 + (1 + 3 + 2) + (1 + 1 + 3));
  CHECK(size_in_bytes(Map::from_unsorted({{"key", text("ab")}, {"ké", number("100.5")}})) == 3 + 2 + 3 + 4);
}

TEST_CASE("a map keeps each name once, ascending by bytes", "[value]") {
  auto map = Map::from_unsorted({{"b", text("1")},
                                 {"é", text("2")},
                                 {"a", text("3")},
                                 {"b", text("4")},
                                 {"", text("5")},
                                 {"b", text("6")}});
  CHECK(names(map) == std::vector<std::string>{"", "a", "b", "é"});
  CHECK(*map.find("b") == text("6"));
  CHECK(Map::from_unsorted({{"a", text("1")}, {"a", text("2")}}) == Map::from_unsorted({{"a", text("2")}}));
  CHECK(names(Map::from_unsorted({{"a", text("1")}, {"b", text("2")}})) ==
        std::vector<std::string>{"a", "b"});
  CHECK(Map::from_unsorted({}).empty());

  CHECK(map.find("c") == nullptr);
  CHECK(map.set("c", number("7")) == number("7"));
  CHECK(map.set("a", number("8")) == number("8"));
  CHECK(names(map) == std::vector<std::string>{"", "a", "b", "c", "é"});
  CHECK(map.erase("b"));
  CHECK_FALSE(map.erase("b"));
  CHECK_FALSE(map.contains("b"));
  CHECK(map.size() == 4);
}

TEST_CASE("attributes come into a map and go from it together", "[value]") {
  auto map = Map::from_unsorted({{"b", text("1")}, {"d", text("2")}, {"f", text("3")}});
  std::vector<Attribute> one = {{"c", text("4")}};
  map.insert(one);
  CHECK(names(map) == std::vector<std::string>{"b", "c", "d", "f"});
  std::vector<Attribute> several = {{"a", text("5")}, {"e", text("6")}, {"g", text("7")}};
  map.insert(several);
  CHECK(names(map) == std::vector<std::string>{"a", "b", "c", "d", "e", "f", "g"});
  CHECK(*map.find("e") == text("6"));
  CHECK(*map.find("b") == text("1"));
  map.erase(std::vector<std::string_view>{"d"});
  map.erase(std::vector<std::string_view>{"a", "c", "g"});
  CHECK(names(map) == std::vector<std::string>{"b", "e", "f"});
  CHECK(*map.find("f") == text("3"));
}

}  // namespace dinette::dynamodb::model::attribute_value_test

#include "mcp/values.h"

#include <string>

#include <catch2/catch.hpp>

namespace dinette::mcp::values_test {
namespace {

Json read(const std::string& text) {
  auto value = read_json(text, 100);
  REQUIRE(value.ok());
  return *std::move(value);
}

std::string typed(const std::string& plain) {
  return typed_value(read(plain)).dump();
}

std::string plain(const std::string& typed) {
  return plain_value(read(typed)).dump();
}

TEST_CASE("plain JSON becomes typed values") {
  CHECK(typed(R"("a")") == R"({"S":"a"})");
  CHECK(typed("5") == R"({"N":"5"})");
  CHECK(typed("-0.25") == R"({"N":"-0.25"})");
  CHECK(typed("18446744073709551615") == R"({"N":"18446744073709551615"})");
  CHECK(typed("true") == R"({"BOOL":true})");
  CHECK(typed("null") == R"({"NULL":true})");
  CHECK(typed(R"([1,"a"])") == R"({"L":[{"N":"1"},{"S":"a"}]})");
  CHECK(typed(R"({"a":{"b":1}})") == R"({"M":{"a":{"M":{"b":{"N":"1"}}}}})");
  CHECK(typed("{}") == R"({"M":{}})");
}

TEST_CASE("values of DynamoDB stay as they are, wherever they are") {
  for (const std::string value : {R"({"S":"a"})", R"({"N":"1.50"})", R"({"B":"AP8="})", R"({"SS":["a"]})",
                                  R"({"NS":["1"]})", R"({"BS":["AP8="]})", R"({"BOOL":false})",
                                  R"({"NULL":true})", R"({"L":[{"S":"a"}]})", R"({"M":{"a":{"N":"1"}}})"})
    CHECK(typed(value) == value);
  CHECK(typed(R"({"a":{"SS":["x"]},"b":1})") == R"({"M":{"a":{"SS":["x"]},"b":{"N":"1"}}})");
  CHECK(typed(R"({"L":[1,{"B":""}]})") == R"({"L":[{"N":"1"},{"B":""}]})");
  CHECK(typed(R"({"N":5})") == R"({"N":"5"})");
}

TEST_CASE("an object that only looks like a value of DynamoDB is a map") {
  CHECK(typed(R"({"S":1})") == R"({"M":{"S":{"N":"1"}}})");
  CHECK(typed(R"({"SS":[]})") == R"({"M":{"SS":{"L":[]}}})");
  CHECK(typed(R"({"SS":[1]})") == R"({"M":{"SS":{"L":[{"N":"1"}]}}})");
  CHECK(typed(R"({"S":"a","N":"1"})") == R"({"M":{"N":{"S":"1"},"S":{"S":"a"}}})");
  CHECK(typed(R"({"M":{"S":{"S":"a"}}})") == R"({"M":{"S":{"S":"a"}}})");
}

TEST_CASE("no digit of a number is lost") {
  CHECK(typed("0.12345678901234567890123456789012345678") ==
        R"({"N":"0.12345678901234567890123456789012345678"})");
  CHECK(typed("123456789012345678901234567890") == R"({"N":"123456789012345678901234567890"})");
  CHECK(typed("1000000000000000000000") == R"({"N":"1e+21"})");
  CHECK(plain(R"({"N":"123456789012345"})") == "123456789012345");
  CHECK(plain(R"({"N":"1234567890123456"})") == R"({"N":"1234567890123456"})");
  CHECK(plain(R"({"N":"0.000123"})") == "0.000123");
}

TEST_CASE("what is shown is read back as the same value") {
  for (const std::string value :
       {R"({"S":""})", R"({"N":"-7"})", R"({"N":"1.5"})", R"({"B":"AP8="})", R"({"SS":["a","b"]})",
        R"({"BOOL":true})", R"({"NULL":true})", R"({"L":[{"S":"a"},{"M":{}}]})", R"({"M":{"S":{"S":"a"}}})",
        R"({"M":{"NULL":{"BOOL":true}}})", R"({"M":{"a":{"M":{"M":{"M":{}}}}}})",
        R"({"N":"99999999999999999999999999999999999999"})"}) {
    INFO(value);
    CHECK(typed(plain(value)) == value);
  }
  CHECK(plain(R"({"M":{"S":{"S":"a"}}})") == R"({"M":{"S":"a"}})");
}

TEST_CASE("what is not a value of DynamoDB is shown as it is") {
  CHECK(plain(R"({"N":"true"})") == R"({"N":"true"})");
  CHECK(plain(R"({"X":1})") == R"({"X":1})");
}

TEST_CASE("numbers that are not of items are doubles") {
  CHECK(read_json("0.12345678901234567", 1, Digits::of_doubles)->is_number_float());
  CHECK(read_json("0.12345678901234567", 1)->is_object());
}

TEST_CASE("JSON is read up to a depth") {
  CHECK(read_json("[[1]]", 2).ok());
  CHECK(read_json("[[1]]", 1).error() == "nests deeper than 1 levels");
  CHECK(read_json("[1", 2).error() == "is not valid JSON");
  CHECK(read_json("[1] x", 2).error() == "is not valid JSON");
  CHECK(read(R"({"a":1,"b":{"c":[2,"x"]},"a":3})").dump() == R"({"a":3,"b":{"c":[2,"x"]}})");
}

}  // namespace
}  // namespace dinette::mcp::values_test

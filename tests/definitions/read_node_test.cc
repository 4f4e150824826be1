#include "dinette/definitions/read_node.h"

#include <string>

#include <catch2/catch.hpp>

/// Facts of YAML are those of YAML 1.2, but for merge keys, which are of 1.1 and used by serverless files.
namespace dinette::definitions::read_node_test {
namespace {

Node read(std::string_view text) {
  auto node = read_node(text, "file.yaml");
  if (!node) FAIL(node.error().text());
  return *node;
}

std::string json_of(std::string_view text) {
  return to_json(read(text));
}

std::string error_of(std::string_view text, const ReadLimits& limits = {}) {
  const auto node = read_node(text, "file.yaml", limits);
  return node ? "none: " + to_json(*node) : node.error().text();
}

}  // namespace

TEST_CASE("Scalars of YAML have the types that JSON has, all others are text", "[definitions]") {
  CHECK(json_of("a: [true, FALSE, null, ~, 12, -1.5e3]") == R"({"a":[true,false,null,null,12,-1.5e3]})");
  CHECK(json_of("a: [yes, on, N, 007, 1., .5, 0x1F, 1_000]") ==
        R"({"a":["yes","on","N","007","1.",".5","0x1F","1_000"]})");
  CHECK(json_of("a: ['12', \"true\", 'null']") == R"({"a":["12","true","null"]})");
  CHECK(json_of("123456789012345678901234567890: 9007199254740993") ==
        R"({"123456789012345678901234567890":9007199254740993})");
}

TEST_CASE("Numbers of JSON keep their digits", "[definitions]") {
  CHECK(json_of(R"({"a": [1.10, 123456789012345678901234567890, -5]})") ==
        R"({"a":[1.10,123456789012345678901234567890,-5]})");
}

TEST_CASE("Values know their lines", "[definitions]") {
  const Node yaml = read("Resources:\n  Orders:\n    Type: x\n");
  CHECK(yaml.find("Resources", "Orders", "Type")->place().text() == "file.yaml, line 3");
  const Node json = read("{\n  \"a\": {\n    \"b\": [1,\n 2]}}");
  CHECK(json.find("a", "b")->elements()[1].place().line == 4);
}

TEST_CASE("Short tags are kept on scalars, lists and maps", "[definitions]") {
  const Node node = read("a: !Sub '${x}'\nb: !GetAtt [T, Arn]\nc: !If {d: 1}\ne: plain\n");
  CHECK(node.find("a")->tag() == "Sub");
  CHECK(node.find("b")->tag() == "GetAtt");
  CHECK(node.find("c")->tag() == "If");
  CHECK(node.find("e")->tag().empty());
}

TEST_CASE("Aliases and merge keys are resolved, and what a map has itself wins", "[definitions]") {
  CHECK(json_of("base: &b {x: 1, y: 2}\nuse: {<<: *b, y: 3}\nagain: *b") ==
        R"({"base":{"x":1,"y":2},"use":{"y":3,"x":1},"again":{"x":1,"y":2}})");
  CHECK(json_of("a: &a {x: 1}\nb: &b {x: 2, z: 4}\nc:\n  <<: [*a, *b]\n") ==
        R"({"a":{"x":1},"b":{"x":2,"z":4},"c":{"x":1,"z":4}})");
}

TEST_CASE("A key twice, a list as a key, and what does not parse are errors with their lines",
          "[definitions]") {
  CHECK(error_of("a: 1\na: 2\n") == "file.yaml, line 2: the key \"a\" is there twice");
  CHECK(error_of("{\"a\": 1,\n \"a\": 2}") == "file.yaml, line 2: the key \"a\" is there twice");
  CHECK(error_of("? [a]\n: 1\n") == "file.yaml, line 1: a list or a map cannot be a key");
  CHECK(error_of("a: [1,\n").starts_with("file.yaml, line "));
  CHECK(error_of("{\"a\":\n nothing}").starts_with("file.yaml, line 2: "));
  CHECK(error_of("a: &a [*a]") == "file.yaml, line 1: an alias is used within its own anchor");
  CHECK(error_of("") == "file.yaml: there is nothing in it");
}

TEST_CASE("Of a key twice the last value can be read", "[definitions]") {
  for (const char* const text :
       {"a: 1\nb: {c: 2, c: 3}\na: 4\n", "{\"a\": 1,\n\"b\": {\"c\": 2, \"c\": 3},\n\"a\": 4}"}) {
    RepeatedKeys repeated;
    const auto node = read_node(text, "file.yaml", {}, &repeated);
    REQUIRE(node.ok());
    CHECK(to_json(*node) == R"({"b":{"c":3},"a":4})");
    REQUIRE(repeated.size() == 2);
    CHECK(repeated[0].text() == "file.yaml, line 2: the key \"c\" is there twice");
    CHECK(repeated[1].text() == "file.yaml, line 3: the key \"a\" is there twice");
  }
  RepeatedKeys repeated;
  const auto merged =
      read_node("a: &a {x: 1}\nb: {<<: *a, y: 2, <<: *a, y: 3}\n", "file.yaml", {}, &repeated);
  REQUIRE(merged.ok());
  CHECK(to_json(*merged) == R"({"a":{"x":1},"b":{"y":3,"x":1}})");
  std::string many = "{";
  for (int i = 0; i < 100'000; ++i) many += "\"" + std::to_string(i % 50'000) + "\": 1, ";
  RepeatedKeys most;
  CHECK(read_node(many + "\"z\": 1}", "file.yaml", {}, &most).ok());
  CHECK(most.size() == 100);
}

TEST_CASE("No file exhausts the stack or memory", "[definitions]") {
  CHECK(error_of(std::string(100'000, '[')) == "file.yaml, line 1: values nest deeper than 100 levels");
  std::string maps;
  for (int i = 0; i < 20'000; ++i) maps += "{a: ";
  CHECK(error_of("a: " + maps) == "file.yaml, line 1: values nest deeper than 100 levels");
  std::string sequences;
  for (int i = 0; i < 20'000; ++i) sequences += "- ";
  CHECK(error_of(sequences + "x") == "file.yaml, line 1: values nest deeper than 100 levels");
  CHECK(error_of("a: [1, 2, 3]", {.nodes = 3}) == "file.yaml, line 1: there are more than 3 values");
  CHECK(error_of("a: 12345", {.bytes = 4}) == "file.yaml: it has more than 4 bytes");

  std::string doubling = "a0: &a0 [x, x]\n";
  for (int i = 1; i < 60; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    doubling += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before + ", " + before + "]\n";
  }
  CHECK_THAT(error_of(doubling), Catch::Contains("there are more than 1000000 values"));
  std::string deeper = "a0: &a0 [x]\n";
  for (int i = 1; i < 200; ++i) {
    deeper += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) + "]\n";
  }
  CHECK_THAT(error_of(deeper), Catch::Contains("values nest deeper than 100 levels"));
}

TEST_CASE("Values are written as JSON", "[definitions]") {
  Node node;
  node.set("t", Node::text("a\"b\\\n\x01"));
  node.set("n", Node::number("1.10"));
  node.set("l", Node::list({Node::boolean(true), Node()}));
  CHECK(to_json(node) == R"({"t":"a\"b\\\u000a\u0001","n":1.10,"l":[true,null]})");
}

}  // namespace dinette::definitions::read_node_test

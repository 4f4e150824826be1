#include "mcp/arguments.h"

#include <string>

#include <catch2/catch.hpp>

namespace dinette::mcp::arguments_test {
namespace {

std::string problem(const std::string& arguments) {
  const Json schema = Json::parse(R"({
    "properties": {"name": {"type": "string", "maxLength": 5}, "few": {"type": "array", "maxItems": 2}, "limit": {"type": "integer", "minimum": 1, "maximum": 9},
                   "when": {"type": ["string", "number"]}, "kind": {"enum": ["a", "b"]}, "on": {"type": "boolean"},
                   "list": {"type": "array", "items": {"type": "string"}}, "map": {"type": "object"}},
    "required": ["name"]})");
  return argument_problem(schema, Json::parse(arguments)).value_or("");
}

TEST_CASE("arguments are held to the schema of their tool") {
  CHECK(problem(R"({"name":"x","limit":9,"when":1.5,"kind":"b","on":true,"list":["a"],"map":{}})").empty());
  CHECK(problem(R"({"name":"x","limit":null})").empty());
  CHECK(problem("{}") == "the argument 'name' is missing, a string");
  CHECK(problem(R"({"name":null})") == "the argument 'name' is missing, a string");
  CHECK(problem(R"({"name":1})") == "the argument 'name' must be a string");
  CHECK(problem(R"({"name":"123456"})") == "the argument 'name' is too long");
  CHECK(problem(R"({"name":"x","limit":"5"})") == "the argument 'limit' must be an integer");
  CHECK(problem(R"({"name":"x","limit":1.5})") == "the argument 'limit' must be an integer");
  CHECK(problem(R"({"name":"x","limit":0})") == "the argument 'limit' must be from 1 to 9");
  CHECK(problem(R"({"name":"x","limit":10})") == "the argument 'limit' must be from 1 to 9");
  CHECK(problem(R"({"name":"x","when":true})") == "the argument 'when' must be a string or a number");
  CHECK(problem(R"({"name":"x","kind":"c"})") == R"(the argument 'kind' must be one of ["a","b"])");
  CHECK(problem(R"({"name":"x","list":[1]})") == "the argument 'list' has an element that must be a string");
  CHECK(problem(R"({"name":"x","map":[]})") == "the argument 'map' must be an object");
  CHECK(problem(R"({"nmae":"x"})") ==
        "there is no argument 'nmae'; it takes name, map, few, kind, limit, list, on, when");
  CHECK(problem(R"({"name":"x","few":[1,2]})").empty());
  CHECK(problem(R"({"name":"x","few":[1,2,3]})") == "the argument 'few' has more than 2 elements");
}

TEST_CASE("a problem with an argument ends with what its schema says of it") {
  const Json schema = Json::parse(R"({"properties": {"key": {"type": "object", "description": "The key."}},
                                      "required": ["key"]})");
  CHECK(argument_problem(schema, Json::object()) == "the argument 'key' is missing, an object: The key.");
  CHECK(argument_problem(schema, {{"key", 1}}) == "the argument 'key' must be an object: The key.");
}

}  // namespace
}  // namespace dinette::mcp::arguments_test

#include "aws/rest_call.h"

#include <array>
#include <random>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/random_seed.h"

namespace test::rest_call_test {
namespace {

namespace aws = dinette::aws;
using Json = nlohmann::json;

using Kind = aws::QueryMember::Kind;
constexpr std::array<aws::QueryMember, 3> page_members{
    {{"Marker", "Marker"}, {"MaxItems", "MaxItems", Kind::number}, {"color", "Colors", Kind::texts}}};
constexpr std::array<aws::RestRoute, 4> routes{{
    {.method = "POST", .path = "/2030-01-01/lofts", .status = 201},
    {.method = "GET", .path = "/2030-01-01/lofts", .query = page_members},
    {.method = "GET", .path = "/2030-01-01/lofts/{Loft}"},
    {.method = "PUT", .path = "/2030-01-01/lofts/{Loft}/pigeons/{Ring}", .status = 202},
}};

std::unique_ptr<aws::RestCall> call_of(std::string_view method, std::string_view target) {
  return aws::RestCall::of({.method = method, .target = target, .headers = {}, .body = {}, .remote = {}},
                           routes);
}

/// Returns the position of the route, or -1.
int route_of(std::string_view method, std::string_view target) {
  const auto call = call_of(method, target);
  return call ? static_cast<int>(call->operation()) : -1;
}

std::string merged(std::string_view method, std::string_view target, std::string_view body = {}) {
  const auto call = call_of(method, target);
  REQUIRE(call);
  const std::string text(call->merge(body));
  CHECK(call->input() == text);
  return text;
}

}  // namespace

TEST_CASE("a method and a path lead to an operation, also with a slash at the end") {
  CHECK(route_of("POST", "/2030-01-01/lofts") == 0);
  CHECK(route_of("POST", "/2030-01-01/lofts/") == 0);
  CHECK(route_of("GET", "/2030-01-01/lofts?MaxItems=5") == 1);
  CHECK(route_of("GET", "/2030-01-01/lofts/?MaxItems=5") == 1);
  CHECK(route_of("GET", "/2030-01-01/lofts/a") == 2);
  CHECK(route_of("GET", "/2030-01-01/lofts/a/") == 2);
  CHECK(route_of("PUT", "/2030-01-01/lofts/a/pigeons/b") == 3);
  CHECK(call_of("POST", "/2030-01-01/lofts")->status() == 201);
  CHECK(call_of("GET", "/2030-01-01/lofts/a")->status() == 200);
}

TEST_CASE("other methods and paths lead nowhere") {
  for (const char* path : {"", "/", "//", "/2030-01-01", "/2030-01-01/", "/2030-01-01/lofts//",
                           "/2030-01-01//lofts", "/2030-01-01/loft", "/2030-01-01/loftss", "2030-01-01/lofts",
                           "/2030-01-01/lofts/a/b", "/2030-01-01/lofts/a/pigeons", "/2030-01-01/lofts/a//"}) {
    INFO(path);
    CHECK(route_of("GET", path) == -1);
  }
  CHECK(route_of("PUT", "/2030-01-01/lofts//pigeons/b") == -1);
  CHECK(route_of("post", "/2030-01-01/lofts") == -1);
  CHECK(route_of("DELETE", "/2030-01-01/lofts/a") == -1);
}

TEST_CASE("members of path and query are added to the body, where they count more than its own") {
  CHECK(merged("GET", "/2030-01-01/lofts/a") == R"({"Loft":"a"})");
  CHECK(merged("GET", "/2030-01-01/lofts/a", "{}") == R"({"Loft":"a"})");
  CHECK(merged("GET", "/2030-01-01/lofts/a", " {\n} \r\n") == "{\n\"Loft\":\"a\"}");
  CHECK(merged("PUT", "/2030-01-01/lofts/a/pigeons/b", R"({"Grams":5})") ==
        R"({"Grams":5,"Loft":"a","Ring":"b"})");
  CHECK(Json::parse(merged("GET", "/2030-01-01/lofts/a", R"({"Loft":"of the body"})")).at("Loft") == "a");
  CHECK(merged("POST", "/2030-01-01/lofts?MaxItems=5", R"({"Grams":5})") == R"({"Grams":5})");
  CHECK(merged("POST", "/2030-01-01/lofts").empty());
}

TEST_CASE("labels and values of the query are decoded, and written as JSON") {
  CHECK(Json::parse(merged("GET", "/2030-01-01/lofts/a%22%5C%2Fb")).at("Loft") == "a\"\\/b");
  CHECK(merged("GET", "/2030-01-01/lofts?MaxItems=5&Marker=x%3D%26y&Other=1&Marker=2") ==
        R"({"Marker":"x=&y","MaxItems":5})");
  CHECK(merged("GET", "/2030-01-01/lofts?Other=1").empty());
}

TEST_CASE("a list is a parameter per element, which may have another name") {
  CHECK(merged("GET", "/2030-01-01/lofts?color=a%22b&Marker=x&color=&color=c") ==
        R"({"Marker":"x","Colors":["a\"b","","c"]})");
}

TEST_CASE("a number of the query that is no JSON integer stays a text, which the decoder refuses") {
  const auto max_items = [](const std::string& text) {
    return Json::parse(merged("GET", "/2030-01-01/lofts?MaxItems=" + text)).at("MaxItems");
  };
  CHECK(max_items("-1") == -1);
  CHECK(max_items("0") == 0);
  for (const char* text : {"", "-", "x", "1x", "07", "1.5", "1e3", "+1", "1000000000000000000000"}) {
    INFO(text);
    CHECK(max_items(text) == text);
  }
}

TEST_CASE("a body that is no JSON object stays none") {
  for (const char* body :
       {"[]", "5", "\"}", "\"x}", "}", "{]}", "[1}", "5}", "{\"a\":1,}", "{,}", "{} {}", "{}}", "{\"a\":{}",
        "{\"a\":\"b}", "{\"a\":[1}", "{\"a\"}", "{\"a\":}", "{\"a\":1", "null"}) {
    INFO(body);
    const Json json = Json::parse(merged("GET", "/2030-01-01/lofts/a", body), nullptr, false);
    CHECK_FALSE(json.is_object());
  }
}

TEST_CASE("random bodies are objects after the merge if, and only if, they were before") {
  std::mt19937_64 random(dinette::test::random_seed());
  constexpr std::string_view letters = "{}[]\",: \\a1";
  for (int i = dinette::test::rounds_of(100'000); i > 0; --i) {
    std::string body;
    for (auto length = random() % 9; length > 0; --length) body += letters[random() % letters.size()];
    if (body.find_first_not_of(' ') == std::string::npos) continue;
    const Json before = Json::parse(body, nullptr, false);
    const Json after = Json::parse(merged("GET", "/2030-01-01/lofts/%22", body), nullptr, false);
    INFO(body);
    REQUIRE(before.is_object() == after.is_object());
    if (!after.is_object()) continue;
    Json expected = before;
    expected["Loft"] = "\"";
    REQUIRE(after == expected);
  }
}

}  // namespace test::rest_call_test

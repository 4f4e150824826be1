#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>
#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "admin/fixture.h"

// tests/protocol/admin_test.py checks what the server answers against the specification.
namespace dinette::admin::routes_test {
namespace {

using Names = std::set<std::pair<std::string, std::string>>;

Names names_in_specification() {
  Names names;
  const TestJson spec = TestJson::parse(std::ifstream(DINETTE_ADMIN_SPEC));
  for (const auto& [path, methods] : spec.at("paths").items()) {
    for (const auto& [method, operation] : methods.items()) {
      std::string upper = method;
      std::ranges::transform(upper, upper.begin(), [](char c) { return static_cast<char>(std::toupper(c)); });
      names.emplace(upper, path);
    }
  }
  return names;
}

}  // namespace

TEST_CASE("the routes are those of the specification") {
  Names names;
  for (const RouteName& route : routes()) names.emplace(route.method, route.path);
  CHECK(names == names_in_specification());
}

bool owns(std::string_view path) {
  return Api::owns({.method = "GET", .target = path, .headers = {}, .body = "", .remote = ""});
}

TEST_CASE("the parameters of routes are those of the specification") {
  const TestJson spec = TestJson::parse(std::ifstream(DINETTE_ADMIN_SPEC));
  const TestJson& shared = spec.at("components").at("parameters");
  for (const RouteName& route : routes()) {
    if (route.parameters == "*") continue;  // of other programs
    std::string method(route.method);
    std::ranges::transform(method, method.begin(), [](char c) { return static_cast<char>(std::tolower(c)); });
    const TestJson& operation = spec.at("paths").at(std::string(route.path)).at(method);
    std::string declared;
    for (TestJson parameter : operation.value("parameters", TestJson::array())) {
      if (const std::string name = parameter.value("$ref", ""); !name.empty())
        parameter = shared.at(name.substr(name.rfind('/') + 1));
      if (parameter.at("in") != "query") continue;
      declared += (declared.empty() ? "" : ",") + parameter.at("name").get<std::string>();
    }
    INFO(route.method << " " << route.path);
    CHECK(declared == route.parameters);
  }
}

TEST_CASE("an unknown parameter is refused, and nothing is done") {
  Fixture f;
  f.put("", "kept");
  const Response misspelt = f.send("POST", "/_dinette/reset?wrold=other");
  CHECK(misspelt.status == 400);
  CHECK(misspelt.message() == "The parameter 'wrold' is unknown here; known are: world.");
  CHECK(f.read("") == "kept");
  CHECK(f.send("GET", "/_dinette/worlds?limit=1").message() == "The parameter 'limit' is unknown here.");
  CHECK(f.send("GET", "/_dinette/requests?after=0&since=1").message() ==
        "The parameter 'since' is unknown here; known are: after, wait, limit, world.");
  CHECK(f.send("GET", "/_dinette/requests?after%2Cwait=1").status == 400);
  CHECK(f.send("GET", "/_dinette/health?t=1").status == 200);
}

TEST_CASE("every path is one that the API owns, and paths of DynamoDB are not") {
  for (const RouteName& route : routes()) CHECK(owns(route.path));
  CHECK_FALSE(owns("/"));
  CHECK_FALSE(owns("/_dinettes"));
  CHECK_FALSE(owns("/shell/"));
}

TEST_CASE("other paths get 404, other methods 405 and the methods that there are") {
  Fixture f;
  for (const char* path :
       {"/_dinette/clocks", "/_dinette/clock/", "/_dinette/clock/x", "/_dinette/worlds/a/b",
        "/_dinette/snapshots/snapshot-1/restore/", "/_localstack/init"}) {
    INFO(path);
    const Response response = f.send("GET", path);
    CHECK(response.status == 404);
    CHECK(response.code() == "NotFound");
  }
  const Response response = f.send("DELETE", "/_dinette/clock");
  CHECK(response.status == 405);
  CHECK(response.headers.find("Allow: GET, PUT\r\n") != std::string::npos);
}

}  // namespace dinette::admin::routes_test

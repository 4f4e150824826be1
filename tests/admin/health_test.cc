#include <string>

#include <catch2/catch.hpp>

#include "admin/fixture.h"

namespace dinette::admin::health_test {
namespace {

constexpr const char* elsewhere = "192.0.2.7:40000";

}  // namespace

TEST_CASE("health is a word, for every program, whatever it calls the server and without a token") {
  Fixture f({.token = "secret"});
  for (const char* path : {"/_dinette/health", "/health", "/healthz"}) {
    for (const char* method : {"GET", "HEAD"}) {
      INFO(method << " " << path);
      const Response response = f.send(method, path, "", {{"Host", "dinette:8000"}}, elsewhere);
      CHECK(response.status == 200);
      CHECK(response.body == "healthy\n");
    }
    CHECK(f.send("GET", path, "", {{"Origin", "https://evil.example"}}, elsewhere).status == 403);
    CHECK(f.send("POST", path).status == 405);
  }
}

}  // namespace dinette::admin::health_test

#include <vector>

#include <catch2/catch.hpp>

#include "admin/fixture.h"

namespace dinette::admin::contributors_test {

TEST_CASE("the keys that insights of a world have counted are listed by rule") {
  Fixture f({.contributors = [](tenancy::World&) {
    return std::vector<observe::ContributorRule>{
        {.rule = "PKC", .table = "T", .index = "", .keys = {{"pk = a", 3, 1}}},
        {.rule = "PKT", .table = "T", .index = "byA"}};
  }});
  CHECK(f.ok("GET", "/_dinette/contributors") == TestJson::parse(R"({"world": "default", "rules": [
      {"rule": "PKC", "table": "T", "keys": [{"key": "pk = a", "count": 3, "atMostOver": 1}]},
      {"rule": "PKT", "table": "T", "index": "byA", "keys": []}]})"));
}

TEST_CASE("a world that is not there has no contributors") {
  Fixture f;
  CHECK(f.send("GET", "/_dinette/contributors?world=nowhere").status == 400);
}

}  // namespace dinette::admin::contributors_test

#include <string>

#include <catch2/catch.hpp>

#include "dinette/base/waiting.h"

#include "lambda/fixture.h"
#include "support/engines.h"

namespace test::lambda::worlds_test {
namespace {

std::size_t mappings(Lambda& l, const Headers& headers = {}) {
  return l.list({}, headers).json().at("EventSourceMappings").size();
}

Headers of_region(const std::string& region) {
  return {{"Authorization", "AWS4-HMAC-SHA256 Credential=any/20261010/" + region +
                                "/lambda/aws4_request, SignedHeaders=host, Signature=0"}};
}

}  // namespace

TEST_CASE("a fork has the mappings of its origin, and goes on by itself") {
  Lambda l;
  const std::string uuid = l.map("work");
  REQUIRE(l.worlds().add_fork("copy", l.world().image().value()).ok());
  const Headers in_fork = {{"X-Dinette-World", "copy"}};
  l.remove(uuid);
  CHECK(l.get(uuid).status == 404);
  CHECK(l.get(uuid, in_fork).status == 200);
  REQUIRE(l.worlds().reset("copy").ok());
  CHECK(mappings(l, in_fork) == 0);
}

TEST_CASE("regions have mappings and streams of their own if they are isolated, and else share them") {
  for (const bool isolated : {false, true}) {
    Lambda l({{.isolation = {.regions = isolated}}});
    l.map("work");
    CHECK(mappings(l, of_region("eu-west-1")) == (isolated ? 0 : 1));
    CHECK(l.create(mapping_of("other"), of_region("eu-west-1")).status == 202);
    CHECK(l.streams.last_name_space() == (isolated ? "eu-west-1" : ""));
    CHECK(mappings(l) == (isolated ? 1 : 2));
    CHECK(l.list("FunctionName=work", of_region("eu-west-1")).json().at("EventSourceMappings").size() ==
          (isolated ? 0 : 1));
  }
}

TEST_CASE("mappings are found again in the data, in every region") {
  const auto engine = make_test_engine();
  std::string uuid;
  {
    Lambda l({{.isolation = {.regions = true}}}, engine);
    uuid = l.map("work");
    l.create(mapping_of("other"), of_region("eu-west-1"));
  }
  Lambda l({{.isolation = {.regions = true}}}, engine);
  CHECK(l.get(uuid).json().at("State") == "Enabled");
  CHECK(mappings(l, of_region("eu-west-1")) == 1);
  CHECK(l.world().stores(3).size() == 3);  // those of "" and of two regions
}

TEST_CASE("a mapping is no table of its world") {
  Lambda l({{.isolation = {.regions = true}}});
  l.map("work");
  CHECK(l.world().size().value().tables == 0);
}

}  // namespace test::lambda::worlds_test

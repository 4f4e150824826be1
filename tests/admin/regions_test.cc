#include <chrono>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "admin/fixture.h"

namespace dinette::admin::regions_test {
namespace {

using namespace std::chrono_literals;

const std::string path = "/_dinette/regions";

}  // namespace

TEST_CASE("links are whole and clocks right until they are set, and again after an empty setting") {
  Fixture f;
  const TestJson nothing = {{"world", "default"},
                            {"cut", TestJson::array()},
                            {"skews", TestJson::object()},
                            {"replication", TestJson::array()}};
  CHECK(f.ok("GET", path) == nothing);
  const std::string setting =
      R"({"cut": [{"from": "us-east-1", "to": "eu-west-1"}], "skews": {"eu-west-1": 5, "us-east-1": "-PT1M"}})";
  const TestJson set = f.ok("PUT", path, setting);
  CHECK(set.at("cut") == TestJson::array({{{"from", "us-east-1"}, {"to", "eu-west-1"}}}));
  CHECK(set.at("skews") == TestJson{{"eu-west-1", 5.0}, {"us-east-1", -60.0}});
  CHECK(f.ok("GET", path) == set);
  CHECK(f.worlds.pick("").value()->links().is_cut("us-east-1", "eu-west-1"));
  CHECK(f.ok("PUT", path, "{}") == nothing);
}

TEST_CASE("the links of a fork are its own") {
  Fixture f;
  f.ok("PUT", path, R"({"cut": [{"from": "a", "to": "b"}]})");
  f.ok("POST", "/_dinette/worlds", R"({"name": "fork"})");
  CHECK(f.ok("GET", path + "?world=fork").at("cut").empty());
  f.ok("PUT", path, R"({"world": "fork", "skews": {"a": 1}})");
  CHECK(f.ok("GET", path).at("skews").empty());
}

TEST_CASE("the links between replicas are listed") {
  ApiOptions options;
  options.replica_links = [](tenancy::World&) {
    return std::vector<ReplicaLink>{
        {"Music", "us-east-1", "eu-west-1", "ACTIVE", true, 3, 2500ms, 7, 1},
        {"Music", "eu-west-1", "us-east-1", "ACTIVE", false, 0, std::nullopt, 2, 0}};
  };
  Fixture f(std::move(options));
  const TestJson links = f.ok("GET", path).at("replication");
  CHECK(links.at(0) == TestJson{{"table", "Music"},
                                {"from", "us-east-1"},
                                {"to", "eu-west-1"},
                                {"status", "ACTIVE"},
                                {"cut", true},
                                {"pending", 3},
                                {"applied", 7},
                                {"outdated", 1},
                                {"secondsBehind", 2.5}});
  CHECK_FALSE(links.at(1).contains("secondsBehind"));
}

TEST_CASE("a setting of regions that cannot be is refused, and changes nothing") {
  Fixture f;
  for (const char* const body :
       {R"({"cut": {}})", R"({"cut": ["us-east-1"]})", R"({"cut": [{"from": "us-east-1"}]})",
        R"({"cut": [{"from": "a", "to": "b", "both": true}]})", R"({"skews": []})",
        R"({"cut": [{"from": "a", "to": "a"}]})", R"({"skews": {"": 1}})",
        R"({"skews": {"us-east-1": "soon"}})", R"({"skews": {"us-east-1": "P20Y"}})", R"({"links": []})"}) {
    INFO(body);
    CHECK(f.send("PUT", path, body).status == 400);
  }
  CHECK(f.ok("GET", path).at("cut").empty());
}

}  // namespace dinette::admin::regions_test

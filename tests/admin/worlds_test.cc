#include <string>

#include <catch2/catch.hpp>

#include "admin/fixture.h"

namespace dinette::admin::worlds_test {
namespace {

using namespace std::chrono_literals;

const std::string worlds_path = "/_dinette/worlds";

}  // namespace

TEST_CASE("a fork has the data and the clock of its origin, and is independent from there on") {
  Fixture f;
  f.put("", "before");
  f.ok("PUT", "/_dinette/clock", R"({"advance": 3600})");
  CHECK(f.ok("POST", worlds_path, R"({"name": "copy"})") == TestJson{{"name", "copy"}, {"ttl", nullptr}});
  CHECK(f.ok("GET", worlds_path + "/copy").at("items") == 1);
  CHECK(f.ok("GET", "/_dinette/clock?world=copy").at("now") == "2026-01-31T09:00:00.000Z");
  f.put("", "after!");
  CHECK(f.read("copy") == "before");
  f.put("copy", "other");
  CHECK(f.read("") == "after!");
  f.ok("POST", worlds_path, R"({"from": "copy", "name": "copy2"})");
  CHECK(f.read("copy2") == "other");
}

TEST_CASE("a world says which regions have tables, if those are kept apart") {
  Fixture f;
  const auto world = f.worlds.find("");
  REQUIRE(world->store(Fixture::face_id, "us-west-2")->catalog().create("table", "schema").value());
  REQUIRE(world->store(Fixture::face_id, "eu-west-1")->catalog().create("table", "schema").value());
  REQUIRE(world->store(Fixture::face_id, "eu-west-1")->catalog().create("other", "schema").value());
  static_cast<void>(world->store(Fixture::face_id, "ap-south-1"));
  const TestJson described = f.ok("GET", std::string(worlds_path) + "/default");
  CHECK(described.at("tables") == 3);
  CHECK(described.at("regions") == TestJson::parse(R"([{"name": "eu-west-1", "tables": 2},
                                                       {"name": "us-west-2", "tables": 1}])"));
}

TEST_CASE("forks that are not named are named, and names are taken once") {
  Fixture f;
  f.ok("POST", worlds_path, R"({"name": "world-1"})");
  CHECK(f.ok("POST", worlds_path).at("name") == "world-2");
  CHECK(f.send("POST", worlds_path, R"({"name": "world-2"})").status == 409);
}

TEST_CASE("only names that can be access keys and parts of paths are admitted") {
  Fixture f;
  for (const std::string name :
       {"", "default", "snapshot-9", ".", "..", "-a", "a/b", "a b", "a%", "\xC3\xA4"}) {
    INFO(name);
    CHECK(f.send("POST", worlds_path, TestJson{{"name", name}}.dump()).status == 400);
  }
  CHECK(f.send("POST", worlds_path, TestJson{{"name", std::string(129, 'a')}}.dump()).status == 400);
  CHECK(f.send("POST", worlds_path, TestJson{{"name", std::string(128, 'a')}}.dump()).status == 201);
  CHECK(f.send("POST", worlds_path, R"({"name": "_A.b-9"})").status == 201);
}

TEST_CASE("worlds are listed with what they hold, and found by name") {
  Fixture f;
  f.put("", "1");
  f.put("", "22", "second");
  f.put("123456789012", "tenant");
  f.ok("POST", worlds_path, R"({"name": "copy", "ttl": 60})");
  const TestJson all = f.ok("GET", worlds_path).at("worlds");
  REQUIRE(all.size() == 3);
  CHECK(all[0] == TestJson{{"name", "default"},
                           {"tables", 1},
                           {"items", 2},
                           {"bytes", 3},
                           {"fork", false},
                           {"ttl", nullptr},
                           {"regions", TestJson::array()}});
  CHECK(all[1].at("name") == "123456789012");
  CHECK(all[1].at("fork") == false);
  CHECK(all[2] == TestJson{{"name", "copy"},
                           {"tables", 1},
                           {"items", 2},
                           {"bytes", 3},
                           {"fork", true},
                           {"ttl", 60},
                           {"regions", TestJson::array()}});
  CHECK(f.ok("GET", worlds_path + "/copy") == all[2]);
  CHECK(f.ok("GET", worlds_path + "/default") == all[0]);
  CHECK(f.send("GET", worlds_path + "/nothing").status == 404);
}

TEST_CASE("a tenant's world has any name, which paths encode") {
  Fixture f;
  f.put("123456789012/eu-west-1", "tenant");
  CHECK(f.ok("GET", worlds_path + "/123456789012%2Feu-west-1").at("items") == 1);
}

TEST_CASE("a world is dropped, but for the default one") {
  Fixture f;
  f.ok("POST", worlds_path, R"({"name": "copy"})");
  CHECK(f.ok("DELETE", worlds_path + "/copy") == TestJson{{"deleted", "copy"}});
  const Response gone = f.send("DELETE", worlds_path + "/copy");
  CHECK(gone.status == 404);
  CHECK(gone.message() ==
        "The world 'copy' was dropped at 2026-01-31T08:00:00.000Z. POST /_dinette/worlds forks it again.");
  CHECK(f.send("GET", worlds_path + "/copy").message() == gone.message());
  CHECK(f.send("GET", "/_dinette/clock?world=copy").message() == gone.message());
  f.ok("POST", worlds_path, R"({"name": "copy"})");
  f.ok("DELETE", worlds_path + "/copy");
  f.ok("POST", "/_dinette/reset");
  CHECK(f.send("GET", worlds_path + "/copy").message() == "There is no world 'copy'.");
  const Response refused = f.send("DELETE", worlds_path + "/default");
  CHECK(refused.status == 400);
  CHECK(refused.message().find("/_dinette/reset") != std::string::npos);
  const Response nameless = f.send("DELETE", worlds_path + "/");  // as of a variable without a value
  CHECK(nameless.status == 404);
  CHECK(nameless.message() == "There is no world ''.");
}

TEST_CASE("a reset empties one world, and gives it real time") {
  Fixture f;
  f.put("", "1");
  f.ok("POST", worlds_path, R"({"name": "copy"})");
  f.ok("PUT", "/_dinette/clock?world=copy", R"({"advance": 3600, "frozen": true})");
  CHECK(f.ok("POST", "/_dinette/reset", R"({"world": "copy"})") == TestJson{{"reset", "copy"}});
  CHECK(f.read("copy").empty());
  CHECK(f.ok("GET", worlds_path + "/copy").at("tables") == 0);
  CHECK(f.ok("GET", "/_dinette/clock?world=copy").at("now") == "2026-01-31T08:00:00.000Z");
  CHECK(f.read("") == "1");
  CHECK(f.worlds.find_fork("copy"));
  f.ok("POST", "/_dinette/reset?world=default");
  CHECK(f.read("").empty());
  CHECK(f.worlds.find("copy"));
  CHECK(f.send("POST", "/_dinette/reset?world=nothing").status == 400);
  CHECK_FALSE(f.worlds.find("nothing"));
}

TEST_CASE("a reset without a world empties the default one and drops the others, as Moto's does") {
  const std::string path = GENERATE("/_dinette/reset", "/moto-api/reset");
  Fixture f;
  f.put("", "1");
  f.ok("POST", worlds_path, R"({"name": "copy"})");
  f.put("123456789012", "tenant");
  f.ok("POST", path);
  CHECK(f.read("").empty());
  CHECK(f.worlds.names().empty());
  CHECK_FALSE(f.worlds.find_fork("copy"));
  CHECK(f.ok("GET", worlds_path).at("worlds").size() == 1);
}

TEST_CASE("a fork that is not used for its time is dropped") {
  Fixture f;
  f.ok("POST", worlds_path, R"({"name": "used", "ttl": 60})");
  f.ok("POST", worlds_path, R"({"name": "unused", "ttl": 60})");
  f.ok("POST", worlds_path, R"({"name": "stays"})");
  f.ok("PUT", "/_dinette/clock", R"({"advance": 3600})");  // only real time counts
  f.worlds.jobs().run_due();
  CHECK(f.worlds.names().size() == 3);
  f.real_clock.advance(59s);
  CHECK(f.worlds.find_fork("used"));
  f.real_clock.advance(1s);
  f.worlds.jobs().run_due();
  CHECK(f.worlds.names() == std::vector<std::string>{"stays", "used"});
  f.real_clock.advance(59s);
  f.worlds.jobs().run_due();
  CHECK(f.worlds.names() == std::vector<std::string>{"stays"});
}

TEST_CASE("times to live are whole seconds") {
  Fixture f;
  for (const char* ttl : {"0", "-1", "1.5", "1e9", "\"60\"", "true"}) {
    INFO(ttl);
    CHECK(f.send("POST", worlds_path, R"({"ttl": )" + std::string(ttl) + "}").status == 400);
  }
}

TEST_CASE("a fork of nothing gets 400") {
  Fixture f;
  CHECK(f.send("POST", worlds_path, R"({"from": "nothing"})").message() == "There is no world 'nothing'.");
  CHECK(f.send("POST", worlds_path, R"({"from": "snapshot-1"})").message() ==
        "There is no snapshot 'snapshot-1'.");
  CHECK(f.send("POST", worlds_path, R"({"from": 1})").status == 400);
}

}  // namespace dinette::admin::worlds_test

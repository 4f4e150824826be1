#include <string>

#include <catch2/catch.hpp>

#include "admin/fixture.h"

namespace dinette::admin::clock_test {
namespace {

using namespace std::chrono_literals;

const std::string clock_path = "/_dinette/clock";

std::string now_of(Fixture& f, const std::string& world = "default") {
  return f.ok("GET", clock_path + "?world=" + world).at("now");
}

}  // namespace

TEST_CASE("a clock follows real time until it is set") {
  Fixture f;
  CHECK(f.ok("GET", clock_path) == TestJson{{"world", "default"},
                                            {"now", "2026-01-31T08:00:00.000Z"},
                                            {"epochMilliseconds", 1769846400000},
                                            {"frozen", false},
                                            {"rate", 1.0}});
  f.real_clock.advance(1500ms);
  CHECK(now_of(f) == "2026-01-31T08:00:01.500Z");
}

TEST_CASE("a clock is set to a time or advanced, and continues from there") {
  Fixture f;
  CHECK(f.ok("PUT", clock_path, R"({"now": "2030-06-01T00:00:00Z"})").at("now") ==
        "2030-06-01T00:00:00.000Z");
  f.real_clock.advance(1s);
  CHECK(now_of(f) == "2030-06-01T00:00:01.000Z");
  CHECK(f.ok("PUT", clock_path, R"({"advance": "PT25H"})").at("now") == "2030-06-02T01:00:01.000Z");
  CHECK(f.ok("PUT", clock_path, R"({"advance": 0.25})").at("now") == "2030-06-02T01:00:01.250Z");
  CHECK(f.ok("PUT", clock_path, R"({"now": 1769846400.5})").at("now") == "2026-01-31T08:00:00.500Z");
}

TEST_CASE("a clock can stand still, and run at another pace") {
  Fixture f;
  CHECK(f.ok("PUT", clock_path, R"({"frozen": true})").at("frozen") == true);
  f.real_clock.advance(1h);
  CHECK(now_of(f) == "2026-01-31T08:00:00.000Z");
  f.ok("PUT", clock_path, R"({"advance": 60})");  // still frozen
  f.real_clock.advance(1h);
  CHECK(now_of(f) == "2026-01-31T08:01:00.000Z");
  CHECK(f.ok("PUT", clock_path, R"({"rate": 60, "frozen": false})").at("rate") == 60.0);
  f.real_clock.advance(1s);
  CHECK(now_of(f) == "2026-01-31T08:02:00.000Z");
}

TEST_CASE("while a clock is moved, others see how far it is, and get 409 if they change it") {
  Fixture f;
  int steps = 0;
  f.worlds.find("")->jobs().add(Fixture::start + 1h, [&](const std::stop_token&) {
    ++steps;
    CHECK(f.ok("GET", clock_path) == TestJson{{"world", "default"},
                                              {"now", "2026-01-31T09:00:00.000Z"},
                                              {"epochMilliseconds", 1769850000000},
                                              {"frozen", false},
                                              {"rate", 1.0},
                                              {"movingTo", "2026-02-01T09:00:00.000Z"}});
    const Response refused = f.send("PUT", clock_path, R"({"frozen": true})");
    CHECK(refused.status == 409);
    CHECK(refused.message() ==
          "Another request is changing the clock of this world; try again when it has ended.");
    return base::Jobs::done;
  });
  const TestJson moved = f.ok("PUT", clock_path, R"({"advance": "PT25H"})");
  CHECK(moved.at("now") == "2026-02-01T09:00:00.000Z");
  CHECK_FALSE(moved.contains("movingTo"));
  CHECK(steps == 1);
}

TEST_CASE("clocks of worlds are independent") {
  Fixture f;
  f.ok("POST", "/_dinette/worlds", R"({"name": "one"})");
  f.ok("PUT", clock_path, R"({"world": "one", "advance": 3600})");
  CHECK(now_of(f, "one") == "2026-01-31T09:00:00.000Z");
  CHECK(now_of(f) == "2026-01-31T08:00:00.000Z");
  const Response by_header =
      f.send("GET", clock_path, "", {{"Host", "localhost"}, {"X-Dinette-World", "one"}});
  CHECK(by_header.json().at("world") == "one");
}

TEST_CASE("everything that is due by the new time has run before the answer, each job at its time") {
  Fixture f;
  std::string ran;
  const auto world = f.worlds.pick("").value();
  const auto note = [&](std::string name, base::Jobs::Next next) {
    return [&ran, world = world.get(), name, next](const std::stop_token&) mutable {
      const auto hours = std::chrono::floor<std::chrono::hours>(world->clock().now() - Fixture::start);
      ran += name + std::to_string(hours.count()) + " ";
      return std::exchange(next, base::Jobs::done);
    };
  };
  world->jobs().add(Fixture::start + 20h, note("late", base::Jobs::done));
  world->jobs().add(Fixture::start + 2h, note("twice", Fixture::start + 5h));
  world->jobs().add(Fixture::start + 1h, [&](const std::stop_token&) {
    ran += "adds ";
    world->jobs().add(Fixture::start + 3h, note("added", base::Jobs::done));
    return base::Jobs::done;
  });
  world->jobs().add(Fixture::start + 26h, note("not-yet", base::Jobs::done));
  f.ok("PUT", clock_path, R"({"advance": "PT25H"})");
  CHECK(ran == "adds twice2 added3 twice5 late20 ");
  f.ok("PUT", clock_path, R"({"advance": "PT1H"})");
  CHECK(ran == "adds twice2 added3 twice5 late20 not-yet26 ");
}

TEST_CASE("a clock that is set back lets jobs wait for their time again") {
  Fixture f;
  int ran = 0;
  const auto world = f.worlds.pick("").value();
  const auto note = [&](const std::stop_token&) {
    ++ran;
    return base::Jobs::done;
  };
  world->jobs().add(Fixture::start + 1h, note);
  world->jobs().add(Fixture::start + 3h, note);
  f.ok("PUT", clock_path, R"({"advance": 7200})");
  CHECK(ran == 1);
  CHECK(f.ok("PUT", clock_path, R"({"advance": "-PT2H"})").at("now") == "2026-01-31T08:00:00.000Z");
  f.ok("PUT", clock_path, R"({"advance": 7200})");
  CHECK(ran == 1);
  f.ok("PUT", clock_path, R"({"advance": 3600})");
  CHECK(ran == 2);
}

TEST_CASE("impossible changes of a clock get 400 and change nothing") {
  Fixture f;
  for (const char* body :
       {"{}", R"({"now": "tomorrow"})", R"({"now": true})", R"({"now": -1})", R"({"now": 1e300})",
        R"({"advance": "1 day"})", R"({"advance": []})", R"({"advance": -1e11})", R"({"advance": 3e11})",
        R"({"now": 0, "advance": 1})", R"({"frozen": 1})", R"({"rate": 0})", R"({"rate": -1})",
        R"({"rate": 1e7})", R"({"rate": "2"})", R"({"nwo": 0})", R"({"world": "nothing", "advance": 1})",
        R"({"world": "", "advance": 1})", R"({"world": 1, "advance": 1})"}) {
    INFO(body);
    const Response response = f.send("PUT", clock_path, body);
    CHECK(response.status == 400);
    CHECK(response.code() == "BadRequest");
    CHECK_FALSE(response.message().empty());
  }
  CHECK(now_of(f) == "2026-01-31T08:00:00.000Z");
}

}  // namespace dinette::admin::clock_test

#include <chrono>
#include <memory>
#include <string>

#include <catch2/catch.hpp>

#include "dinette/kv/data_folder.h"
#include "dinette/tenancy/worlds.h"

#include "store/store_fixture.h"
#include "support/temporary_folder.h"

namespace dinette::tenancy::kept_worlds_test {
namespace {

using namespace store;

using std::chrono::hours;
using std::chrono::seconds;

/// A server whose worlds are kept in a folder, and which can be stopped and started again.
struct Fixture {
  ::test::TemporaryFolder folder;
  base::ManualClock clock{base::TimePoint(hours(10'000))};
  base::SeededIds ids{1};
  std::unique_ptr<Worlds> worlds = open();

  std::unique_ptr<Worlds> open() {
    WorldsOptions options;
    options.engines = kv::open_data_folder(folder.path(), {}).value();
    options.faces = {{test_face}};
    options.run_jobs = false;
    return Worlds::open(std::move(options), clock, ids).value();
  }
  void restart() {
    worlds.reset();
    worlds = open();
  }

  void create_table(std::string_view world, std::string_view name) {
    REQUIRE(worlds->pick(world).value()->store(test_face.id).catalog().create(name, "schema").ok());
  }
  bool has_table(std::string_view world, std::string_view name) {
    const auto found = worlds->find(world);
    return found && found->store(test_face.id).catalog().open(name).value() != nullptr;
  }
  void fork(std::string_view name, std::optional<seconds> ttl = std::nullopt) {
    const WorldImage image = worlds->find("")->image().value();
    REQUIRE(worlds->add_fork(name, image, ttl).value() != nullptr);
  }
};

TEST_CASE("worlds are found again after a restart") {
  Fixture f;
  f.create_table("", "default");
  f.create_table("tenant", "theirs");
  f.fork("fork");
  f.create_table("fork", "of the fork");
  f.restart();
  CHECK(f.has_table("", "default"));
  CHECK(f.has_table("tenant", "theirs"));
  CHECK(f.has_table("fork", "default"));
  CHECK(f.has_table("fork", "of the fork"));
  CHECK_FALSE(f.has_table("", "of the fork"));
  CHECK(f.worlds->forks() == 1);
  CHECK(f.worlds->find_fork("fork") != nullptr);
  CHECK(f.worlds->find_fork("tenant") == nullptr);
}

TEST_CASE("worlds that were dropped or reset stay so after a restart") {
  Fixture f;
  f.create_table("", "table");
  f.create_table("tenant", "table");
  f.fork("fork");
  SECTION("one is dropped") {
    REQUIRE(f.worlds->drop("fork").value());
    f.restart();
    CHECK(f.worlds->find("fork") == nullptr);
    CHECK(f.has_table("", "table"));
  }
  SECTION("the default one is reset") {
    REQUIRE(f.worlds->reset("").ok());
    f.restart();
    CHECK_FALSE(f.has_table("", "table"));
    CHECK(f.has_table("fork", "table"));
  }
  SECTION("everything is reset") {
    REQUIRE(f.worlds->reset_all().ok());
    f.restart();
    CHECK_FALSE(f.has_table("", "table"));
    CHECK(f.worlds->names().empty());
  }
  SECTION("one is restored from an image") {
    {
      const WorldImage image = f.worlds->find("")->image().value();
      f.create_table("", "later");
      REQUIRE(f.worlds->restore("", image).ok());
    }
    f.restart();
    CHECK(f.has_table("", "table"));
    CHECK_FALSE(f.has_table("", "later"));
  }
}

TEST_CASE("a fork that is not used is dropped, also when it was opened again") {
  Fixture f;
  f.fork("short", seconds(60));
  f.fork("long");
  f.clock.advance(seconds(50));
  f.restart();
  f.worlds->jobs().run_due();
  CHECK(f.worlds->forks() == 2);
  f.clock.advance(seconds(70));
  f.worlds->jobs().run_due();
  CHECK(f.worlds->names() == std::vector<std::string>{"long"});
  f.restart();
  CHECK(f.worlds->names() == std::vector<std::string>{"long"});
}

TEST_CASE("the clock of a world is found again") {
  Fixture f;
  const auto now = [&](std::string_view world) { return f.worlds->find(world)->clock().now(); };
  const base::TimePoint start = f.clock.now();
  SECTION("standing still") {
    REQUIRE(f.worlds->find("")->change_clock({.advance = hours(5), .frozen = true}).value() ==
            ClockOutcome::changed);
    f.clock.advance(hours(1));
    f.restart();
    CHECK(now("") == start + hours(5));
  }
  SECTION("running, so many times as fast, also while the server did not run") {
    REQUIRE(f.worlds->find("")->change_clock({.advance = hours(5), .rate = 10}).value() ==
            ClockOutcome::changed);
    f.worlds.reset();
    f.clock.advance(hours(1));
    f.worlds = f.open();
    CHECK(now("") == start + hours(15));
  }
  SECTION("of a fork") {
    REQUIRE(f.worlds->find("")->change_clock({.advance = hours(5), .frozen = true}).value() ==
            ClockOutcome::changed);
    f.fork("fork");
    REQUIRE(f.worlds->find("")->change_clock({.advance = hours(5)}).value() == ClockOutcome::changed);
    f.restart();
    CHECK(now("fork") == start + hours(5));
    CHECK(now("") == start + hours(10));
  }
}

TEST_CASE("what is in name spaces is found again, and no other is kept") {
  Fixture f;
  {
    const auto world = f.worlds->pick("").value();
    REQUIRE(world->store(test_face.id, "written")->catalog().create("table", "schema").value());
    static_cast<void>(world->store(test_face.id, "read"));
  }
  f.restart();
  const auto stores = f.worlds->find("")->stores(test_face.id);
  REQUIRE(stores.size() == 2);
  CHECK(stores[0]->name_space().empty());
  CHECK(stores[1]->name_space() == "written");
  CHECK(stores[1]->catalog().open("table").value() != nullptr);
}

TEST_CASE("the world that an earlier program made for a region is found by its name, as a fork is") {
  Fixture f;
  f.create_table("123456789012/eu-west-1", "table");
  f.create_table("123456789012", "table");
  f.restart();
  CHECK(f.worlds->find_fork("123456789012/eu-west-1") != nullptr);
  CHECK(f.has_table("123456789012/eu-west-1", "table"));
  CHECK(f.worlds->find_fork("123456789012") == nullptr);
}

}  // namespace
}  // namespace dinette::tenancy::kept_worlds_test

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include <catch2/catch.hpp>

#include "dinette/base/background.h"
#include "dinette/kv/postgres.h"
#include "dinette/tenancy/upkeep.h"
#include "dinette/tenancy/worlds.h"

#include "kv/postgres_cluster.h"
#include "store/store_fixture.h"

/// Several servers with the same worlds, in one PostgreSQL.
namespace dinette::tenancy::shared_worlds_test {
namespace {

using namespace store;

using std::chrono::hours;
using std::chrono::seconds;

/// A database that each test has for itself.
std::string new_database() {
  static int count = 0;
  const std::string name = "worlds_" + std::to_string(++count);
  dinette::test::postgres_cluster().sql("create database " + name, "postgres");
  return dinette::test::postgres_cluster().url(name);
}

template <class Condition>
void wait_until(Condition holds) {
  while (!holds()) std::this_thread::yield();
}

struct Server {
  explicit Server(const std::string& url) {
    WorldsOptions options;
    options.engines = kv::open_postgres(url, dinette::test::patient()).value();
    options.faces = {{test_face, [this](World& world) { resume(world); }}};
    worlds = Worlds::open(std::move(options), clock, ids).value();
  }

  /// Finds the work that is to be done: it counts itself, in the table's name.
  void resume(World& world) {
    ++looked;
    store::Store& store = world.store(test_face.id);
    run_upkeep(store, world.jobs(), "work", base::Jobs::at_once,
               [this](const auto&) -> kv::Result<base::Jobs::Next> {
                 ++done;
                 return base::Jobs::done;
               });
  }

  std::shared_ptr<World> world(std::string_view name = "") { return worlds->find(name); }
  void create_table(std::string_view name) {
    REQUIRE(world()->store(test_face.id).catalog().create(name, "schema").ok());
  }
  bool has_table(std::string_view world_name, std::string_view name) {
    const auto found = world(world_name);
    return found && found->store(test_face.id).catalog().open(name).value() != nullptr;
  }

  std::atomic<int> looked = 0;
  std::atomic<int> done = 0;
  base::SystemClock clock;
  base::SeededIds ids{1};
  std::unique_ptr<Worlds> worlds;
};

struct TwoServers {
  const std::string url = new_database();
  std::unique_ptr<Server> first = std::make_unique<Server>(url);
  std::unique_ptr<Server> second = std::make_unique<Server>(url);
};

TEST_CASE("a clock that one server has moved is moved on all of them") {
  TwoServers two;
  const base::TimePoint moment = two.first->clock.now() + hours(100);
  for (Server* const server : {two.second.get(), two.first.get()}) {
    REQUIRE(server->world()->change_clock({.now = moment, .frozen = true}).value() == ClockOutcome::changed);
    CHECK(two.first->world()->clock().now() == moment);
    CHECK(two.second->world()->clock().now() == moment);
  }
  REQUIRE(two.first->world()->change_clock({.advance = hours(1)}).value() == ClockOutcome::changed);
  CHECK(two.second->world()->clock().now() == moment + hours(1));
  const Server third(two.url);
  CHECK(third.worlds->find("")->clock().now() == moment + hours(1));
}

TEST_CASE("the server that moves a clock does what is due on the way") {
  TwoServers two;
  const base::TimePoint start = two.first->clock.now();
  for (Server* const server : {two.second.get(), two.first.get(), two.second.get()}) {
    const auto world = server->world();
    REQUIRE(world->change_clock({.now = start, .frozen = true}).ok());
    int done = 0;
    world->jobs().add(start + hours(1), [&](const std::stop_token&) {
      ++done;
      return base::Jobs::done;
    });
    REQUIRE(world->change_clock({.advance = hours(2)}).ok());
    CHECK(done == 1);
  }
}

TEST_CASE("worlds that one server makes, replaces or drops are so on all of them") {
  TwoServers two;
  two.first->create_table("ours");
  CHECK(two.second->has_table("", "ours"));

  REQUIRE(two.second->worlds->pick("tenant").ok());
  CHECK(two.first->world("tenant") != nullptr);
  const WorldImage image = two.second->world()->image().value();
  REQUIRE(two.second->worlds->add_fork("fork", image).value() != nullptr);
  CHECK(two.first->has_table("fork", "ours"));
  CHECK(two.first->worlds->forks() == 1);
  CHECK(two.first->worlds->add_fork("fork", image).value() == nullptr);

  REQUIRE(two.first->worlds->reset("").ok());
  CHECK_FALSE(two.second->has_table("", "ours"));
  CHECK(two.second->has_table("fork", "ours"));
  REQUIRE(two.first->worlds->restore("", image).ok());
  CHECK(two.second->has_table("", "ours"));

  REQUIRE(two.second->worlds->drop("fork").value());
  CHECK(two.first->world("fork") == nullptr);
  CHECK(two.first->worlds->dropped_at("fork").has_value());
  REQUIRE(two.first->worlds->reset_all().ok());
  CHECK(two.second->worlds->names().empty());
}

TEST_CASE("a world that several servers make at once is one world") {
  TwoServers two;
  for (int i = 0; i < 5; ++i) {
    const std::string name = "tenant " + std::to_string(i);
    std::thread other([&] { REQUIRE(two.second->worlds->pick(name).ok()); });
    REQUIRE(two.first->worlds->pick(name).ok());
    other.join();
    REQUIRE(two.first->world(name)->store(test_face.id).catalog().create("table", "schema").ok());
    CHECK(two.second->has_table(name, "table"));
  }
}

TEST_CASE("one server does the background work, and another when that one is gone") {
  const std::string url = new_database();
  auto first = std::make_unique<Server>(url);
  wait_until([&] { return first->done > 0; });
  const auto second = std::make_unique<Server>(url);
  REQUIRE(second->worlds->pick("tenant").ok());
  CHECK(second->looked == 0);
  CHECK(second->done == 0);
  first.reset();
  wait_until([&] { return second->done > 0; });
  wait_until([&] { return second->looked >= 2; });  // in both worlds
}

TEST_CASE("work that is left to the server that does it is found there") {
  const std::string url = new_database();
  const auto first = std::make_unique<Server>(url);
  wait_until([&] { return first->done > 0; });
  const auto second = std::make_unique<Server>(url);
  const int before = first->looked;
  second->world()->jobs().add(base::Jobs::at_once, [](const std::stop_token&) -> base::Jobs::Next {
    FAIL("it is done elsewhere");
    return base::Jobs::done;
  });
  wait_until([&] { return first->looked > before; });
  CHECK(second->looked == 0);
}

TEST_CASE("a step of a server that does not do the work any more commits nothing") {
  TwoServers two;
  REQUIRE(two.first->world()->change_clock({.frozen = true}).ok());
  const auto world = two.second->world();
  const base::BackgroundScope as_a_step;
  kv::WriteBatch batch;
  batch.put("late", kv::Value("1"));
  const auto written = world->engine().write(batch);
  REQUIRE_FALSE(written.ok());
  CHECK(written.error().message == "another server does the background work now");
  CHECK(two.first->world()->engine().write(batch).ok());
}

TEST_CASE("fault rules are those of all servers, and count what all of them do") {
  TwoServers two;
  std::vector<FaultRule> rules;
  rules.push_back({.operation = "PutItem",
                   .table = "t",
                   .key = {{"id", "S", "7"}},
                   .nth = 2,
                   .times = 2,
                   .effect = {.phase = FaultEffect::Phase::after,
                              .error = "InternalServerError",
                              .message = "sorry",
                              .delay = {seconds(0), seconds(0), seconds(0)},
                              .drop = true,
                              .unprocessed = {1, 3},
                              .unprocessed_share = 0.5}});
  rules.push_back({.operation = "GetItem", .probability = 0.5, .seed = 5});
  REQUIRE(two.first->world()->replace_faults(rules).ok());
  const FaultTarget targets[] = {{"t", {{"id", "S", "7"}}}};
  const auto hit = [&](Server& server) {
    return server.world()->faults().next({"PutItem", targets}).has_value();
  };
  CHECK(two.second->world()->faults().any());
  CHECK_FALSE(hit(*two.second));
  CHECK(hit(*two.first));
  CHECK(hit(*two.second));
  CHECK_FALSE(hit(*two.first));
  const auto listed = two.second->world()->faults().list();
  REQUIRE(listed.size() == 2);
  CHECK(listed[0].matched == 4);
  CHECK(listed[0].fired == 2);
  CHECK(listed[0].rule.key == rules[0].key);
  CHECK(listed[0].rule.effect.unprocessed == rules[0].effect.unprocessed);
  CHECK(listed[0].rule.effect.drop);
  CHECK(listed[1].rule.probability == 0.5);

  const WorldImage image = two.first->world()->image().value();
  REQUIRE(two.first->worlds->add_fork("fork", image).value() != nullptr);
  CHECK_FALSE(two.first->world("fork")->faults().any());
  CHECK_FALSE(two.second->world("fork")->faults().any());

  REQUIRE(two.second->world()->replace_faults({}).ok());
  CHECK_FALSE(two.first->world()->faults().any());
}

TEST_CASE("the setting of regions is that of all servers, also of one that starts later") {
  TwoServers two;
  const RegionSetting setting{.cut = {{"us-east-1", "eu-west-1"}}, .skews = {{"eu-west-1", seconds(5)}}};
  for (Server* const server : {two.second.get(), two.first.get()}) {
    REQUIRE(server->world()->replace_regions(setting).ok());
    for (Server* const asked : {two.first.get(), two.second.get()}) {
      RegionLinks& links = asked->world()->links();
      CHECK(links.is_cut("us-east-1", "eu-west-1"));
      CHECK_FALSE(links.is_cut("eu-west-1", "us-east-1"));
      CHECK(links.skew_of("eu-west-1") == seconds(5));
    }
    const Server third(two.url);
    CHECK(third.worlds->find("")->links().setting() == setting);
    REQUIRE(server->world()->replace_regions({}).ok());
    CHECK(two.first->world()->links().setting() == RegionSetting());
    CHECK(two.second->world()->links().setting() == RegionSetting());
  }
}

TEST_CASE("forks and restored worlds begin with whole links on all servers") {
  TwoServers two;
  REQUIRE(two.first->world()->replace_regions({.cut = {{"us-east-1", "eu-west-1"}}, .skews = {}}).ok());
  const WorldImage image = two.second->world()->image().value();
  REQUIRE(two.first->worlds->add_fork("fork", image).value() != nullptr);
  REQUIRE(two.first->worlds->restore("tenant", image).ok());
  for (Server* const server : {two.first.get(), two.second.get()}) {
    CHECK(server->world("fork")->links().setting() == RegionSetting());
    CHECK(server->world("tenant")->links().setting() == RegionSetting());
    CHECK(server->world()->links().is_cut("us-east-1", "eu-west-1"));
  }
}

TEST_CASE("name spaces that one server has made are found by the others") {
  TwoServers two;
  const auto made = two.first->world()->store(test_face.id, "eu-west-1");
  REQUIRE(made->catalog().create("table", "schema").ok());
  const auto world = two.second->world();
  world->find_name_spaces();
  REQUIRE(world->stores(test_face.id).size() == 2);
  const auto found = world->name_spaces().value();
  REQUIRE(found.size() == 1);
  CHECK(found[0].name == "eu-west-1");
  CHECK(found[0].tables == 1);
}

TEST_CASE("an image that one server keeps is there for all, also after its end, and is no world") {
  TwoServers two;
  two.first->create_table("before");
  const base::TimePoint moment = two.first->clock.now() + hours(100);
  REQUIRE(two.first->world()->change_clock({.now = moment, .frozen = true}).ok());
  const std::uint64_t number =
      two.first->worlds->keep_image("a note", two.first->world()->image().value()).value();
  two.first->create_table("after");
  REQUIRE(two.first->world()->change_clock({.advance = hours(1)}).ok());
  two.first.reset();
  two.first = std::make_unique<Server>(two.url);
  for (Server* const server : {two.first.get(), two.second.get()}) {
    CHECK(server->worlds->names().empty());
    const auto images = server->worlds->kept_images().value();
    REQUIRE(images.size() == 1);
    CHECK(images[0].number == number);
    CHECK(images[0].note == "a note");
  }

  const auto image = two.second->worlds->kept_image(number).value();
  REQUIRE(image);
  REQUIRE(two.second->worlds->restore("", *image).ok());
  CHECK(two.first->has_table("", "before"));
  CHECK_FALSE(two.first->has_table("", "after"));
  CHECK(two.first->world()->clock().now() == moment);

  REQUIRE(two.first->worlds->reset_all().ok());
  CHECK(two.second->worlds->kept_images().value().size() == 1);
  REQUIRE(two.first->worlds->forget_image(number).value());
  CHECK_FALSE(two.second->worlds->forget_image(number).value());
  CHECK_FALSE(two.second->worlds->kept_image(number).value());
}

TEST_CASE("a fork with a time to live stays while any server uses it") {
  base::ManualClock clock{base::TimePoint(hours(500'000))};
  base::SeededIds ids{1};
  const std::string url = new_database();
  const auto open = [&] {
    WorldsOptions options;
    options.engines = kv::open_postgres(url, dinette::test::patient()).value();
    options.faces = {{test_face}};
    return Worlds::open(std::move(options), clock, ids).value();
  };
  const auto first = open();
  REQUIRE(first->find("")->change_clock({}).ok());  // it does the background work now
  const auto second = open();
  const WorldImage image = first->find("")->image().value();
  REQUIRE(first->add_fork("fork", image, seconds(10)).value() != nullptr);
  const auto after = [&](int time) {
    clock.advance(seconds(time));
    second->jobs().run_due();
    first->jobs().run_due();
  };
  after(8);
  CHECK(second->find_fork("fork") != nullptr);
  after(3);  // 11 seconds after its last use by the first
  after(6);
  CHECK(first->names().size() == 1);
  after(10);
  CHECK(first->names().empty());
  CHECK(second->names().empty());
}

TEST_CASE("a server knows how many there are") {
  const std::string url = new_database();
  const Server first(url);
  wait_until([&] { return first.worlds->find("")->servers() == 1; });
  {
    const Server second(url);
    wait_until([&] { return first.worlds->find("")->servers() == 2; });
  }
  wait_until([&] { return first.worlds->find("")->servers() == 1; });
}

}  // namespace
}  // namespace dinette::tenancy::shared_worlds_test

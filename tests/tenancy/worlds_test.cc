#include "dinette/tenancy/worlds.h"

#include <atomic>
#include <chrono>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/kv/memory.h"

#include "kv/live_memory.h"
#include "store/store_fixture.h"
#include "support/faulty_engine.h"

namespace dinette::tenancy::worlds_test {
namespace {

using namespace store;

/// Worlds in memory of the test face, whose `resume` records the worlds that it was called for.
struct Fixture {
  base::ManualClock clock;
  base::SeededIds ids{1};
  std::mutex resumed_mutex;
  std::vector<World*> resumed;  ///< guarded by resumed_mutex
  Worlds worlds{options(), clock, ids};

  WorldsOptions options() {
    WorldsOptions options;
    options.faces = {{test_face, [this](World& world) {
                        const std::lock_guard guard(resumed_mutex);
                        resumed.push_back(&world);
                      }}};
    options.many_worlds = 3;
    options.remembered_forks = 4;
    options.run_jobs = false;
    return options;
  }

  Store& store(std::string_view world) { return worlds.pick(world).value()->store(test_face.id); }

  void put(std::string_view world, std::string_view text, std::string_view key = "row") {
    TablePointer table = store(world).catalog().open("table").value();
    if (!table) table = store(world).catalog().create("table", "schema").value();
    const auto decide = [&](const kv::Value*, RowChange& change) {
      change.row = RowChange::Row::put;
      change.value = kv::Value(text);
      return true;
    };
    REQUIRE(store(world).write(*table, make_key(key), decide).value().outcome == WriteOutcome::applied);
  }

  /// Returns the text of the row; "" for no row or no table.
  std::string read(std::string_view world) {
    const TablePointer table = store(world).catalog().open("table").value();
    if (!table) return "";
    const auto row = store(world).read_row(*table, make_key("row")).value();
    return row ? std::string(row->view()) : "";
  }
};

}  // namespace

TEST_CASE("worlds share nothing") {
  Fixture f;
  f.put("", "default");
  f.put("one", "1");
  CHECK(f.read("") == "default");
  CHECK(f.read("one") == "1");
  CHECK(f.read("two").empty());
  CHECK(f.worlds.names() == std::vector<std::string>{"one", "two"});
}

TEST_CASE("a fork has the data of its origin, and is independent from there on") {
  Fixture f;
  f.put("", "before");
  REQUIRE(f.worlds.fork("", "copy").ok());
  f.put("", "after");
  CHECK(f.read("copy") == "before");
  f.put("copy", "other");
  CHECK(f.read("") == "after");
  CHECK(f.read("copy") == "other");

  REQUIRE(f.worlds.fork("copy", "").ok());  // and back again
  CHECK(f.read("") == "other");
}

TEST_CASE("a world keeps the state of a front end in memory, and forks and resets begin without it") {
  struct State final : FaceState {
    int number = 0;
  };
  Fixture f;
  const auto state = [&f](std::string_view world) -> State& {
    const auto make = []() -> std::unique_ptr<FaceState> { return std::make_unique<State>(); };
    return static_cast<State&>(f.worlds.pick(world).value()->state(test_face.id, make));
  };
  state("").number = 1;
  CHECK(state("").number == 1);
  CHECK(state("tenant").number == 0);
  REQUIRE(f.worlds.fork("", "fork").ok());
  CHECK(state("fork").number == 0);
  REQUIRE(f.worlds.reset("").ok());
  CHECK(state("").number == 0);
}

TEST_CASE("a world that is reset or dropped is empty, and its memory is freed") {
  Fixture f;
  const auto values = kv::Value::live_buffers();
  f.put("", "default");
  f.put("one", "1");
  REQUIRE(f.worlds.reset("").ok());
  CHECK(f.read("").empty());
  CHECK(f.read("one") == "1");
  CHECK(f.worlds.drop("one").value());
  CHECK_FALSE(f.worlds.drop("one").value());
  CHECK(f.worlds.names().empty());
  f.put("", "again");
  CHECK(f.worlds.drop("").value());  // there is always a default one
  CHECK(f.read("").empty());
  CHECK(kv::Value::live_buffers() == values);
}

TEST_CASE("a request that has picked a world stays in it") {
  Fixture f;
  f.put("", "old");
  const std::shared_ptr<World> picked = f.worlds.pick("").value();
  REQUIRE(f.worlds.reset("").ok());
  f.put("", "new");
  Store& store = picked->store(test_face.id);
  const TablePointer table = store.catalog().open("table").value();
  REQUIRE(table);
  CHECK(store.read_row(*table, make_key("row")).value()->view() == "old");
}

TEST_CASE("jobs of a world are its own, and end with it") {
  Fixture f;
  bool ran = false;
  f.worlds.pick("one").value()->jobs().add(base::Jobs::at_once, [&](const std::stop_token&) {
    ran = true;
    return base::Jobs::done;
  });
  f.worlds.pick("").value()->jobs().run_due();
  CHECK_FALSE(ran);
  REQUIRE(f.worlds.reset("one").ok());
  f.worlds.pick("one").value()->jobs().run_due();
  CHECK_FALSE(ran);
}

TEST_CASE("steps under way are asked to end when all worlds end") {
  const base::SystemClock clock;
  base::SystemIds ids;
  std::latch begun{2};
  std::atomic<int> ended{0};
  {
    Worlds worlds({}, clock, ids);
    const auto step = [&](const std::stop_token& stop) {
      begun.count_down();
      std::latch asked{1};
      const std::stop_callback callback(stop, [&] { asked.count_down(); });
      asked.wait();
      ++ended;
      return base::Jobs::done;
    };
    worlds.pick("").value()->jobs().add_slow(base::Jobs::at_once, step);
    worlds.pick("one").value()->jobs().add(base::Jobs::at_once, step);
    begun.wait();
  }
  CHECK(ended == 2);
}

TEST_CASE("each new world, forks included, is searched for unfinished work") {
  Fixture f;
  CHECK(f.resumed == std::vector{f.worlds.pick("").value().get()});
  REQUIRE(f.worlds.fork("", "copy").ok());
  CHECK(f.resumed.back() == f.worlds.pick("copy").value().get());
  CHECK(f.resumed.size() == 2);
}

TEST_CASE("worlds that never had a table make room for others") {
  Fixture f;
  f.put("kept", "1");
  for (int i = 0; i < 100; ++i) (void)f.worlds.pick("world " + std::to_string(i)).value();
  CHECK(f.worlds.names().size() <= 4);
  CHECK(f.read("kept") == "1");
}

/// Engines in memory that count the calls of each.
class CountedEngines final : public kv::Engines {
 public:
  kv::Capabilities capabilities() const override { return memory_->capabilities(); }
  kv::Result<std::shared_ptr<kv::Engine>> make() override {
    auto engine = std::make_shared<test::FaultyEngine>(memory_->make().value());
    made.push_back(engine);
    return std::shared_ptr<kv::Engine>(std::move(engine));
  }
  std::vector<Kept> kept() const override { return {}; }
  kv::Result<std::shared_ptr<kv::Engine>> open(std::string_view) override { return make(); }
  kv::Result<void> keep(std::string_view, std::string_view, const kv::Engine&) override { return {}; }
  kv::Result<void> forget(std::string_view) override { return {}; }

  /// Returns the calls of the first `count` engines.
  int calls(std::size_t count) const {
    int calls = 0;
    for (std::size_t i = 0; i < count; ++i) calls += made[i]->plan().calls();
    return calls;
  }
  std::vector<std::shared_ptr<test::FaultyEngine>> made;

 private:
  const std::shared_ptr<kv::Engines> memory_ = kv::make_memory_engines();
};

TEST_CASE("a new world does not look at all others, however many there are") {
  constexpr int tenants = 100;
  const auto engines = std::make_shared<CountedEngines>();
  base::ManualClock clock;
  base::SeededIds ids{1};
  WorldsOptions options;
  options.engines = engines;
  options.faces = {{test_face}};
  options.many_worlds = 3;
  options.run_jobs = false;
  Worlds worlds(std::move(options), clock, ids);
  for (int i = 0; i < tenants; ++i) {
    Store& store = worlds.pick("tenant " + std::to_string(i)).value()->store(test_face.id);
    REQUIRE(store.catalog().create("table", "schema").ok());
  }
  const int before = engines->calls(tenants);
  for (int i = 0; i < tenants; ++i) REQUIRE(worlds.pick("new " + std::to_string(i)).ok());
  CHECK(engines->calls(tenants) - before <= tenants);  // each was looked at once, in all
  CHECK(worlds.names().size() <= tenants + 8);
}

TEST_CASE("forks stay, though they never had a table") {
  Fixture f;
  REQUIRE(f.worlds.add_fork("fork", f.worlds.pick("").value()->image().value()).value());
  for (int i = 0; i < 100; ++i) (void)f.worlds.pick("world " + std::to_string(i)).value();
  CHECK(f.worlds.find_fork("fork"));
}

TEST_CASE("only forks are found as forks") {
  Fixture f;
  f.put("tenant", "1");
  CHECK_FALSE(f.worlds.find_fork("tenant"));
  const WorldImage image = f.worlds.pick("tenant").value()->image().value();
  CHECK_FALSE(f.worlds.add_fork("tenant", image).value());
  CHECK_FALSE(f.worlds.add_fork("", image).value());
  REQUIRE(f.worlds.add_fork("fork", image).value());
  CHECK(f.worlds.forks() == 1);
  CHECK_FALSE(f.worlds.find_fork("tenant"));
  CHECK(f.worlds.find_fork("fork") == f.worlds.pick("fork").value());
  CHECK(f.read("fork") == "1");
  REQUIRE(f.worlds.reset("fork").ok());
  REQUIRE(f.worlds.find_fork("fork"));
  CHECK(f.read("fork").empty());
  REQUIRE(f.worlds.restore("fork", image).ok());
  CHECK(f.worlds.find_fork("fork"));
  CHECK(f.read("fork") == "1");
  CHECK(f.worlds.drop("fork").value());
  CHECK(f.worlds.forks() == 0);
  CHECK_FALSE(f.worlds.find_fork("fork"));
}

TEST_CASE("it is remembered when a fork was dropped, until there is one of its name again") {
  Fixture f;
  const WorldImage image = f.worlds.pick("").value()->image().value();
  REQUIRE(f.worlds.add_fork("kept", image).value());
  REQUIRE(f.worlds.add_fork("dropped", image).value());
  REQUIRE(f.worlds.add_fork("unused", image, std::chrono::seconds(60)).value());
  CHECK_FALSE(f.worlds.dropped_at("dropped"));
  const base::TimePoint first = f.clock.now();
  REQUIRE(f.worlds.drop("dropped").value());
  f.clock.advance(std::chrono::seconds(60));
  f.worlds.jobs().run_due();
  CHECK(f.worlds.dropped_at("dropped") == first);
  CHECK(f.worlds.dropped_at("unused") == f.clock.now());
  for (const char* name : {"kept", "never", ""}) CHECK_FALSE(f.worlds.dropped_at(name));
  REQUIRE(f.worlds.add_fork("dropped", image).value());
  CHECK_FALSE(f.worlds.dropped_at("dropped"));
  REQUIRE(f.worlds.drop("dropped").value());
  CHECK(f.worlds.dropped_at("dropped") == f.clock.now());
}

TEST_CASE("worlds of tenants are not remembered") {
  Fixture f;
  (void)f.worlds.pick("tenant").value();
  REQUIRE(f.worlds.drop("tenant").value());
  CHECK_FALSE(f.worlds.dropped_at("tenant"));
}

TEST_CASE("a reset of all remembers the forks that it drops, and no earlier ones") {
  Fixture f;
  const WorldImage image = f.worlds.pick("").value()->image().value();
  REQUIRE(f.worlds.add_fork("earlier", image).value());
  REQUIRE(f.worlds.drop("earlier").value());
  REQUIRE(f.worlds.add_fork("fork", image).value());
  REQUIRE(f.worlds.reset_all().ok());
  CHECK(f.worlds.dropped_at("fork"));
  CHECK_FALSE(f.worlds.dropped_at("earlier"));
  REQUIRE(f.worlds.reset_all().ok());
  CHECK_FALSE(f.worlds.dropped_at("fork"));
}

TEST_CASE("only the latest dropped forks are remembered") {
  Fixture f;
  const WorldImage image = f.worlds.pick("").value()->image().value();
  const auto drop = [&](const std::string& name) {
    REQUIRE(f.worlds.add_fork(name, image).value());
    REQUIRE(f.worlds.drop(name).value());
  };
  for (int i = 0; i < 5; ++i) drop("fork" + std::to_string(i));
  drop("fork3");  // the latest again
  drop("fork5");
  drop("fork6");
  const auto remembered = [&](int i) { return f.worlds.dropped_at("fork" + std::to_string(i)).has_value(); };
  for (const int i : {0, 1, 2}) CHECK_FALSE(remembered(i));
  for (const int i : {3, 4, 5, 6}) CHECK(remembered(i));
}

TEST_CASE("an image has the clock of its world, and a new world has real time") {
  Fixture f;
  REQUIRE(
      f.worlds.pick("").value()->change_clock({.advance = std::chrono::hours(1), .frozen = true}).value() ==
      ClockOutcome::changed);
  REQUIRE(f.worlds.fork("", "copy").ok());
  const base::TimePoint later = f.clock.now() + std::chrono::hours(1);
  CHECK(f.worlds.pick("copy").value()->clock().now() == later);
  f.clock.advance(std::chrono::seconds(1));
  CHECK(f.worlds.pick("copy").value()->clock().now() == later);
  REQUIRE(f.worlds.reset("copy").ok());
  CHECK(f.worlds.pick("copy").value()->clock().now() == f.clock.now());
}

TEST_CASE("while a clock is moved others see its setting and its end, and cannot change it") {
  Fixture f;
  const std::shared_ptr<World> world = f.worlds.pick("").value();
  const base::TimePoint begin = world->clock().now();
  const auto end = begin + std::chrono::hours(5);
  int steps = 0;
  world->jobs().add(begin + std::chrono::hours(1), [&](const std::stop_token&) {
    ++steps;
    const ClockState state = world->clock_state();
    CHECK(state.now == begin + std::chrono::hours(1));
    CHECK(state.moving_to == end);
    CHECK_FALSE(state.frozen);
    CHECK(world->image().value().clock.frozen == false);
    CHECK(world->change_clock({.frozen = true}).value() == ClockOutcome::busy);
    return base::Jobs::done;
  });
  CHECK(world->change_clock({.now = end}).value() == ClockOutcome::changed);
  CHECK(steps == 1);
  CHECK(world->clock_state().now == end);
  CHECK_FALSE(world->clock_state().moving_to);
  CHECK(world->change_clock({.frozen = true}).value() == ClockOutcome::changed);
  CHECK(world->clock_state().frozen);
  CHECK(world->change_clock({.advance = std::chrono::hours(9'000 * 8'766)}).value() ==
        ClockOutcome::out_of_range);
  CHECK(world->change_clock({.frozen = false}).value() == ClockOutcome::changed);
}

TEST_CASE("a move of a clock ends when the process is to end, and the clock goes on from there") {
  base::ManualClock clock;
  base::SeededIds ids{1};
  WorldsOptions options;
  options.faces = {{test_face}};
  Worlds worlds(std::move(options), clock, ids);
  const std::shared_ptr<World> world = worlds.pick("").value();
  int steps = 0;
  world->jobs().add(clock.now() + std::chrono::hours(1), [&](const std::stop_token&) {
    if (++steps == 3) worlds.request_stop();
    return base::Jobs::Next(world->clock().now() + std::chrono::hours(1));
  });
  CHECK(world->change_clock({.advance = std::chrono::hours(876'000)}).value() == ClockOutcome::stopped);
  CHECK(steps == 3);
  const ClockState state = world->clock_state();
  CHECK(state.now == base::TimePoint(std::chrono::hours(3)));
  CHECK_FALSE(state.frozen);
  CHECK_FALSE(state.moving_to);
}

TEST_CASE("a clock that is set back forgets the history that is now in the future") {
  base::ManualClock clock(base::TimePoint(std::chrono::hours(1000)));
  base::SeededIds ids{1};
  const WorldFace faces[] = {{test_face}};
  World world(std::shared_ptr(kv::make_memory_engine()), clock, ids, faces,
              {.history = std::chrono::milliseconds(1000)}, nullptr);
  Store& store = world.store(test_face.id);
  const TablePointer table = store.catalog().create("table", "schema").value();
  const auto put = [](const kv::Value*, RowChange& change) {
    change.row = RowChange::Row::put;
    change.value = kv::Value("row");
    return true;
  };
  REQUIRE(store.write(*table, make_key("row"), put).ok());
  REQUIRE(world.change_clock({.advance = -std::chrono::hours(1)}).value() == ClockOutcome::changed);
  const View view = store.view_at(world.clock().now()).value();
  CHECK(view.read(*table, make_key("row")).value());
}

TEST_CASE("the size of a world is that of all tables of all faces") {
  Fixture f;
  CHECK(f.worlds.pick("").value()->size().value().tables == 0);
  for (int i = 0; i < 3; ++i) {
    const std::string number = std::to_string(i);
    const auto store = f.worlds.pick("").value()->store(test_face.id, "name space " + number);
    REQUIRE(store->catalog().create("table" + number, "schema").value());
  }
  f.put("", "row");
  CHECK(f.worlds.pick("").value()->size().value().tables == 4);
}

TEST_CASE("a fork and a snapshot have all name spaces, and a reset none") {
  Fixture f;
  const auto tables = [&](const std::shared_ptr<World>& world, std::string_view name_space) {
    return world->store(test_face.id, name_space)->catalog().list("", 10).value().size();
  };
  const std::shared_ptr<World> world = f.worlds.pick("").value();
  REQUIRE(world->store(test_face.id, "a")->catalog().create("table", "schema").value());
  REQUIRE(world->store(test_face.id, "b")->catalog().create("table", "schema").value());
  const auto fork = f.worlds.add_fork("fork", world->image().value()).value();
  REQUIRE(fork->store(test_face.id, "b")->catalog().create("of the fork", "schema").value());
  CHECK(tables(fork, "a") == 1);
  CHECK(tables(fork, "b") == 2);
  CHECK(tables(world, "b") == 1);
  CHECK(fork->stores(test_face.id).size() == 3);
  REQUIRE(f.worlds.reset("").ok());
  CHECK(tables(f.worlds.pick("").value(), "a") == 0);
}

TEST_CASE("of a thousand name spaces, those stay to which something was written, or that are in use") {
  Fixture f;
  const std::shared_ptr<World> world = f.worlds.pick("").value();
  REQUIRE(world->store(test_face.id, "written")->catalog().create("table", "schema").value());
  const std::shared_ptr<Store> in_use = world->store(test_face.id, "in use");
  const std::weak_ptr<Store> unused = world->store(test_face.id, "unused");
  CHECK(unused.lock());
  for (int i = 0; i < 1000; ++i) static_cast<void>(world->store(test_face.id, std::to_string(i)));
  CHECK_FALSE(unused.lock());
  CHECK(world->store(test_face.id, "in use") == in_use);
  CHECK(world->store(test_face.id, "written")->catalog().open("table").value() != nullptr);
  CHECK(world->stores(test_face.id).size() == 2);
}

TEST_CASE("nothing is left of worlds that are dropped, reset, restored, or unused for their time") {
  const std::int64_t nodes = kv::live_memory.nodes;
  const std::int64_t buffers = kv::live_memory.buffers;
  {
    Fixture f;
    for (int i = 0; i < 3000; ++i) f.put("", "row", "row" + std::to_string(i));
    const std::int64_t full = kv::live_memory.buffers;
    {
      const WorldImage image = f.worlds.pick("").value()->image().value();
      for (int i = 0; i < 100; ++i) {
        const std::string name = "fork" + std::to_string(i);
        const bool brief = i % 2 == 0;
        REQUIRE(f.worlds.add_fork(name, image, brief ? std::optional(std::chrono::seconds(60)) : std::nullopt)
                    .value());
        f.put(name, "changed");
      }
      CHECK(kv::live_memory.buffers < full + 100 * 20);  // they share what they have not changed
      f.clock.advance(std::chrono::seconds(60));
      f.worlds.jobs().run_due();
      CHECK(f.worlds.forks() == 50);
      for (int i = 1; i < 100; i += 4) CHECK(f.worlds.drop("fork" + std::to_string(i)).value());
      REQUIRE(f.worlds.restore("fork3", image).ok());
      (void)f.worlds.reset("fork7");
      (void)f.worlds.reset_all();
    }
    f.put("", "again");
  }  // waits for the thread that frees memory
  CHECK(kv::live_memory.nodes == nodes);
  CHECK(kv::live_memory.buffers == buffers);
}

TEST_CASE("worlds are picked, forked, reset and dropped by several threads at once") {
  constexpr int rounds = 300;
  Fixture f;
  f.put("", "row");
  const WorldImage image = f.worlds.pick("").value()->image().value();
  const auto reader = [&] {
    for (int i = 0; i < rounds; ++i) {
      for (const std::string name : {"", "fork"}) {
        if (const auto world = f.worlds.find(name)) (void)world->size().value();
      }
    }
  };
  const auto writer = [&] {
    for (int i = 0; i < rounds; ++i) {
      (void)f.worlds.reset("");
      (void)f.worlds.restore("", image).ok();
      (void)f.worlds.add_fork("fork", image, std::chrono::seconds(60)).ok();
      (void)f.worlds.list();
      (void)f.worlds.drop("fork");
    }
  };
  {
    const std::jthread threads[] = {std::jthread(reader), std::jthread(reader), std::jthread(writer),
                                    std::jthread(writer)};
  }
  CHECK(f.worlds.forks() == 0);
  CHECK(f.read("") == "row");
}

TEST_CASE("a world that is replaced is freed by a job, after its last request") {
  const base::SystemClock clock;
  base::SeededIds ids{1};
  WorldsOptions options;
  options.faces = {{test_face}};
  Worlds worlds(std::move(options), clock, ids);

  std::promise<std::thread::id> freed;
  const auto watched = [&](World& world) {
    // A job that never runs keeps this until its world is freed.
    std::shared_ptr<void> sign(nullptr, [&](void*) { freed.set_value(std::this_thread::get_id()); });
    world.jobs().add(base::latest_time, [sign](const std::stop_token&) { return base::Jobs::done; });
  };
  std::shared_ptr<World> picked = worlds.pick("").value();
  watched(*picked);
  REQUIRE(worlds.reset("").ok());
  CHECK(worlds.pick("").value() != picked);
  auto freed_by = freed.get_future();
  CHECK(freed_by.wait_for(std::chrono::seconds(0)) == std::future_status::timeout);
  picked.reset();
  CHECK(freed_by.get() != std::this_thread::get_id());
}

TEST_CASE("a world that is in use is not dropped") {
  Fixture f;
  const std::shared_ptr<World> picked = f.worlds.pick("picked").value();
  for (int i = 0; i < 100; ++i) (void)f.worlds.pick("world " + std::to_string(i)).value();
  CHECK(f.worlds.pick("picked").value() == picked);
}

}  // namespace dinette::tenancy::worlds_test

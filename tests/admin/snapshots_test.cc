#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "admin/fixture.h"

namespace dinette::admin::snapshots_test {
namespace {

using namespace std::chrono_literals;

/// Engines in memory that several servers share.
class SharedEngines final : public kv::Engines {
 public:
  kv::Capabilities capabilities() const override {
    return {.may_block = true, .forks = true, .durable = true, .shared = true};
  }
  kv::Result<std::shared_ptr<kv::Engine>> make() override { return memory_->make(); }
  std::vector<Kept> kept() const override {
    std::vector<Kept> all{{"", "", 0}};  // the default world
    for (const auto& [name, one] : kept_) all.push_back({name, one.note, one.number});
    return all;
  }
  kv::Result<std::shared_ptr<kv::Engine>> open(std::string_view name) override {
    return kept_.at(std::string(name)).engine;
  }
  kv::Result<void> keep(std::string_view, std::string_view, const kv::Engine&) override { return {}; }
  kv::Result<bool> keep_new(std::string_view name, std::string_view note, const kv::Engine& engine) override {
    kept_[std::string(name)] = {std::string(note), last_, engine.fork().value()};
    return true;
  }
  kv::Result<void> forget(std::string_view name) override {
    kept_.erase(std::string(name));
    return {};
  }
  /// Asked for once per engine that is going to be kept.
  std::uint64_t number_of(const kv::Engine&) const override { return last_ += 10; }

 private:
  struct One {
    std::string note;
    std::uint64_t number = 0;
    std::shared_ptr<kv::Engine> engine;
  };

  std::shared_ptr<kv::Engines> memory_ = kv::make_memory_engines();
  mutable std::uint64_t last_ = 0;
  std::map<std::string, One> kept_;
};

}  // namespace

TEST_CASE("a snapshot brings back the data and the clock of its world") {
  Fixture f;
  f.put("", "before");
  CHECK(f.ok("POST", "/_dinette/snapshots") ==
        TestJson{{"id", "snapshot-1"}, {"world", "default"}, {"createdAt", "2026-01-31T08:00:00.000Z"}});
  f.put("", "after");
  f.ok("PUT", "/_dinette/clock", R"({"advance": 3600})");
  f.real_clock.advance(1s);
  for (int times = 0; times < 2; ++times) {
    CHECK(f.ok("POST", "/_dinette/snapshots/snapshot-1/restore") ==
          TestJson{{"restored", "snapshot-1"}, {"world", "default"}});
    CHECK(f.read("") == "before");
    CHECK(f.ok("GET", "/_dinette/clock").at("now") == "2026-01-31T08:00:01.000Z");
    f.put("", "again");
  }
}

TEST_CASE("a snapshot is restored to the world that the request names, which stays a fork") {
  Fixture f;
  f.put("", "before");
  f.ok("POST", "/_dinette/worlds", R"({"name": "copy"})");
  f.ok("POST", "/_dinette/snapshots");
  f.put("copy", "other");
  f.put("", "after");
  f.ok("POST", "/_dinette/snapshots/snapshot-1/restore", R"({"world": "copy"})");
  CHECK(f.read("copy") == "before");
  CHECK(f.read("") == "after");
  CHECK(f.worlds.find_fork("copy"));
}

TEST_CASE("a snapshot outlives its world, and can be forked") {
  Fixture f;
  f.ok("POST", "/_dinette/worlds", R"({"name": "copy"})");
  f.put("copy", "kept");
  f.ok("POST", "/_dinette/snapshots", R"({"world": "copy"})");
  f.ok("POST", "/_dinette/reset");
  f.ok("POST", "/_dinette/worlds", R"({"from": "snapshot-1", "name": "next"})");
  CHECK(f.read("next") == "kept");
  CHECK(f.send("POST", "/_dinette/snapshots/snapshot-1/restore").message() ==
        "The world 'copy' was dropped at 2026-01-31T08:00:00.000Z. POST /_dinette/worlds forks it again.");
}

TEST_CASE("snapshots are listed in order until they are deleted, and ids are not used again") {
  Fixture f;
  for (int i = 0; i < 11; ++i) f.ok("POST", "/_dinette/snapshots");
  CHECK(f.ok("DELETE", "/_dinette/snapshots/snapshot-11") == TestJson{{"deleted", "snapshot-11"}});
  CHECK(f.ok("POST", "/_dinette/snapshots").at("id") == "snapshot-12");
  const TestJson all = f.ok("GET", "/_dinette/snapshots").at("snapshots");
  REQUIRE(all.size() == 11);
  CHECK(all[1].at("id") == "snapshot-2");
  CHECK(all[10].at("id") == "snapshot-12");
}

TEST_CASE("servers that share their worlds share their snapshots") {
  const auto engines = std::make_shared<SharedEngines>();
  Fixture first({}, engines);
  Fixture second({}, engines);
  first.put("", "before");
  const TestJson taken = first.ok("POST", "/_dinette/snapshots");
  CHECK(taken ==
        TestJson{{"id", "snapshot-10"}, {"world", "default"}, {"createdAt", "2026-01-31T08:00:00.000Z"}});
  const TestJson later = second.ok("POST", "/_dinette/snapshots");
  for (Fixture* const f : {&first, &second})
    CHECK(f->ok("GET", "/_dinette/snapshots").at("snapshots") == TestJson::array({taken, later}));
  second.ok("POST", "/_dinette/snapshots/snapshot-10/restore");
  CHECK(second.read("") == "before");
  second.ok("POST", "/_dinette/worlds", R"({"from": "snapshot-10", "name": "copy"})");
  CHECK(second.read("copy") == "before");
  CHECK(second.send("POST", "/_dinette/snapshots/snapshot-11/restore").status == 404);
  second.ok("DELETE", "/_dinette/snapshots/snapshot-10");
  CHECK(first.send("DELETE", "/_dinette/snapshots/snapshot-10").status == 404);
  CHECK(first.send("POST", "/_dinette/snapshots/snapshot-10/restore").status == 404);
  CHECK(first.ok("GET", "/_dinette/snapshots").at("snapshots") == TestJson::array({later}));
}

TEST_CASE("ids of no snapshot get 404") {
  Fixture f;
  f.ok("POST", "/_dinette/snapshots");
  for (const char* id :
       {"snapshot-2", "snapshot-01", "snapshot-", "snapshot-1x", "1", "snapshot-99999999999999999999"}) {
    INFO(id);
    CHECK(f.send("DELETE", "/_dinette/snapshots/" + std::string(id)).status == 404);
    CHECK(f.send("POST", "/_dinette/snapshots/" + std::string(id) + "/restore").status == 404);
  }
}

}  // namespace dinette::admin::snapshots_test

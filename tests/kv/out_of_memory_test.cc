#include <new>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/kv/memory.h"

#include "kv/live_memory.h"
#include "kv/memory/tree.h"
#include "support/failing_new.h"

namespace dinette::kv::memory::out_of_memory_test {
namespace {

struct Live {
  std::int64_t nodes = live_memory.nodes;
  std::int64_t buffers = live_memory.buffers;
  bool operator==(const Live&) const = default;
};

/// While this lives, every next allocation fails once.
struct FailNextAllocation {
  FailNextAllocation() { test::failing_allocation = 1; }
  ~FailNextAllocation() { test::failing_allocation = 0; }
};

void fill(Tree& tree, int keys) {
  Garbage garbage;
  for (int key = 0; key < keys; ++key) tree.put(std::to_string(key), Value("1"), garbage);
}

void put_aside(Garbage& garbage, int values) {
  for (int i = 0; i < values; ++i) garbage.add(Value("1").detach());
}

}  // namespace

TEST_CASE("out of memory: garbage is freed without a list of what is left") {
  const Live before;
  {
    Tree tree;
    fill(tree, 20'000);
    Garbage garbage;
    tree.clear(garbage);
    for (bool done = false; !done;) {
      const FailNextAllocation failing;
      done = garbage.free_some(10);
    }
    CHECK(Live() == before);
  }
  CHECK(Live() == before);
}

TEST_CASE("out of memory: garbage that cannot be taken over is neither lost nor freed twice") {
  const Live before;
  {
    Garbage taking;
    put_aside(taking, 50);
    Garbage given;
    put_aside(given, 50);
    {
      const FailNextAllocation failing;
      CHECK_THROWS_AS(taking.add(given), std::bad_alloc);
    }
    CHECK(Live().buffers == before.buffers + 100);
    Garbage empty;
    {
      const FailNextAllocation failing;
      empty.add(given);
    }
    CHECK(given.empty());
    CHECK(Live().buffers == before.buffers + 100);
  }
  CHECK(Live() == before);
}

TEST_CASE("out of memory: a commit takes place as a whole, whichever of its allocations fails") {
  const auto engine = make_memory_engine();
  const auto write = [&](int round) {
    WriteBatch batch;
    for (int i = 0; i < 300; ++i) {
      const std::string key = std::to_string(i * round % 997);
      if (i % 3 == 0)
        batch.erase(key);
      else
        batch.put(key, Value(std::to_string(round)));
    }
    batch.erase_range({"5", "55"});
    batch.add("counter", {1});
    return engine->write(batch);
  };
  REQUIRE(write(1).ok());
  int round = 1;
  for (bool reached = true; reached;) {
    INFO("allocation " << ++round);
    const auto before = engine->snapshot().value();  // so that everything that is changed is copied first
    test::failing_allocation = round;
    // Before the commit itself a failed allocation is only an exception.
    bool written = false;
    try {
      written = write(round).ok();
    } catch (const std::bad_alloc&) {
    }
    reached = test::failing_allocation == 0;
    test::failing_allocation = 0;
    const auto entries_of = [](const Reader& reader) {
      std::vector<std::pair<std::string, std::string>> entries;
      const auto cursor = reader.cursor({}).value();
      for (bool more = cursor->first().value(); more; more = cursor->next().value())
        entries.emplace_back(cursor->key(), cursor->value());
      return entries;
    };
    const auto after = entries_of(*engine->snapshot().value());
    REQUIRE((after != entries_of(*before)) == written);
  }
  CHECK(round > 100);
}

}  // namespace dinette::kv::memory::out_of_memory_test

#include <new>
#include <string>

#include <catch2/catch.hpp>

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

/// Until the end of its life every next allocation fails, once.
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

TEST_CASE("out of memory: what nobody needs is freed without a list of what is left") {
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

}  // namespace dinette::kv::memory::out_of_memory_test

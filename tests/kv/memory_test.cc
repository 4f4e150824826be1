#include "dinette/kv/memory.h"

#include <fstream>
#include <string>

#include <catch2/catch.hpp>
#include <unistd.h>

#include "kv/engine_calls.h"
#include "kv/live_memory.h"
#include "support/no_more_threads.h"

namespace dinette::kv::memory_test {
namespace {

void fill(Engine& engine, int first, int last) {
  WriteBatch batch;
  for (int i = first; i < last; ++i) batch.put("k" + std::to_string(i), Value("value"));
  test::write(engine, batch);
}

#if defined(__GLIBC__) && !defined(DINETTE_SANITIZED)
std::size_t resident_bytes() {
  std::size_t pages = 0;
  std::size_t resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}
#endif

}  // namespace

// The sanitizers have allocators of their own.
#if defined(__GLIBC__) && !defined(DINETTE_SANITIZED)
TEST_CASE("memory: single deletes give memory back to the operating system, even between live values") {
  constexpr int rows = 24'000;
  const std::string bytes(1000, 'v');
  auto engine = make_memory_engine();
  for (int i = 0; i < rows; ++i) test::put(*engine, {{"k" + std::to_string(i), bytes}});
  const Value living(bytes);  // above the others, so that the heap does not shrink by itself
  const std::size_t full = resident_bytes();
  for (int i = 0; i < rows; ++i) {
    WriteBatch batch;
    batch.erase("k" + std::to_string(i));
    test::write(*engine, batch);
  }
  engine.reset();  // waits for the thread that frees memory
  CHECK(resident_bytes() + rows * bytes.size() * 3 / 4 < full);
}
#endif

TEST_CASE("memory: nothing is left of an engine, its forks and its snapshots") {
  const std::int64_t nodes = live_memory.nodes;
  const std::int64_t buffers = live_memory.buffers;
  {
    const auto engine = make_memory_engine();
    fill(*engine, 0, 50'000);
    const auto snapshot = engine->snapshot().value();
    const auto fork = std::move(engine->fork()).value();
    WriteBatch batch;
    batch.erase_range({"k2", "k7"});
    test::write(*engine, batch);
    fill(*engine, 20'000, 30'000);
    fill(*fork, 40'000, 60'000);
    REQUIRE(engine->reset(*snapshot).ok());
    fill(*engine, 0, 10);
  }
  CHECK(live_memory.nodes == nodes);
  CHECK(live_memory.buffers == buffers);
}

TEST_CASE("memory: a large range is freed at once if no thread can be started") {
  const auto engine = make_memory_engine();
  fill(*engine, 0, 50'000);
  const std::int64_t buffers = live_memory.buffers;
  WriteBatch batch;
  batch.erase_range({});
  const dinette::test::NoMoreThreads none;
  test::write(*engine, batch);
  CHECK(live_memory.buffers == buffers - 50'000);
}

TEST_CASE("memory: snapshots and forks of any size copy nothing") {
  const auto engine = make_memory_engine();
  fill(*engine, 0, 50'000);
  const std::int64_t nodes = live_memory.nodes;
  const auto snapshot = engine->snapshot().value();
  const auto fork = std::move(engine->fork()).value();
  REQUIRE(engine->reset(*snapshot).ok());
  CHECK(live_memory.nodes == nodes);
}

TEST_CASE("memory: a reset accepts only snapshots of its own kind") {
  struct Strange final : Snapshot {
    Result<std::optional<Value>> get(std::string_view) const override { return std::optional<Value>(); }
    Result<std::unique_ptr<Cursor>> cursor(Range) const override { return std::unique_ptr<Cursor>(); }
  };
  const auto reset = make_memory_engine()->reset(Strange());
  REQUIRE(!reset.ok());
  CHECK(reset.error().kind == ErrorKind::unsupported);
}

TEST_CASE("memory: a reset in the middle of a transaction makes it run again") {
  const auto engine = make_memory_engine();
  test::put(*engine, {{"a", "old"}});
  const auto snapshot = engine->snapshot().value();
  test::put(*engine, {{"a", "new"}});
  int runs = 0;
  const Lock locks[] = {{"a"}};
  const auto done = engine->transact(
      {.locks = locks}, test::far_deadline(), [&](Transaction& transaction) -> Result<Decision> {
        transaction.batch().put("b", Value(test::get(transaction, "a").value()));
        if (runs++ == 0) DINETTE_CHECK(engine->reset(*snapshot));
        return Decision::commit;
      });
  CHECK(done.ok());
  CHECK(runs == 2);
  CHECK(test::all(*engine) == test::Entries{{"a", "old"}, {"b", "old"}});
}

}  // namespace dinette::kv::memory_test

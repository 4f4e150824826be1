#include "support/faulty_engine.h"

#include <catch2/catch.hpp>

#include "dinette/kv/memory.h"

#include "kv/contract.h"
#include "kv/engine_calls.h"

namespace dinette::test::faulty_engine_test {
namespace {

std::unique_ptr<kv::Engine> make_twice_engine() {
  auto engine = std::make_unique<FaultyEngine>(kv::make_memory_engine());
  engine->run_transactions_twice(true);
  return engine;
}

}  // namespace

DINETTE_KV_CONTRACT("faulty engine that runs transactions twice", make_twice_engine)

TEST_CASE("faulty engine: the nth call fails, once, and leaves nothing") {
  FaultyEngine engine(kv::make_memory_engine());
  put(engine, {{"a", "1"}});
  kv::WriteBatch batch;
  batch.put("a", kv::Value("2"));
  batch.put("b", kv::Value("2"));

  SECTION("a write") {
    engine.plan().fail(EngineCall::commit, 2, kv::ErrorKind::io);
    put(engine, {{"c", "1"}});
    const auto written = engine.write(batch);
    REQUIRE(!written.ok());
    CHECK(written.error().kind == kv::ErrorKind::io);
    CHECK(all(engine) == Entries{{"a", "1"}, {"c", "1"}});
  }
  SECTION("a transaction, at its commit or at a read") {
    for (const auto call : {EngineCall::commit, EngineCall::get}) {
      engine.plan().fail(call, 1, kv::ErrorKind::conflict);
      const kv::Lock locks[] = {{"a"}};
      const auto done = engine.transact({.locks = locks}, far_deadline(),
                                        [](kv::Transaction& transaction) -> kv::Result<kv::Decision> {
                                          transaction.batch().put("a", kv::Value("2"));
                                          DINETTE_CHECK(transaction.get("a"));
                                          return kv::Decision::commit;
                                        });
      REQUIRE(!done.ok());
      CHECK(done.error().kind == kv::ErrorKind::conflict);
      CHECK(all(engine) == Entries{{"a", "1"}});
    }
  }
  SECTION("reads and moves") {
    engine.plan().fail(EngineCall::get, 1, kv::ErrorKind::io);
    CHECK(!engine.get("a").ok());
    engine.plan().fail(EngineCall::snapshot, 1, kv::ErrorKind::io);
    CHECK(!engine.snapshot().ok());
    const auto cursor = std::move(engine.snapshot().value()->cursor({})).value();
    engine.plan().fail(EngineCall::cursor_move, 1, kv::ErrorKind::io);
    CHECK(!cursor->first().ok());
    CHECK_FALSE(cursor->valid());
    CHECK(cursor->first().value());
  }
  CHECK(engine.plan().spent());
  CHECK(engine.write(batch).ok());
  CHECK(get(engine, "b") == "2");
}

}  // namespace dinette::test::faulty_engine_test

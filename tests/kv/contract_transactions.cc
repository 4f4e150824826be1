#include <thread>

#include <catch2/catch.hpp>

#include "kv/contract.h"
#include "kv/engine_calls.h"

namespace dinette::test::kv_contract {

using namespace kv;

namespace {

constexpr Deadline passed{};

Result<CommitNumber> transact(Engine& engine, std::initializer_list<Lock> locks, Engine::Body body,
                              Deadline deadline = far_deadline()) {
  return engine.transact({.locks = {locks.begin(), locks.size()}}, deadline, body);
}

/// Returns true if another thread gets `lock` at once.
bool is_free(Engine& engine, Lock lock) {
  bool got = false;
  std::thread([&] {
    const auto done = transact(
        engine, {lock}, [](Transaction&) -> Result<Decision> { return Decision::abandon; }, passed);
    got = done.ok();
    if (!got && done.error().kind != ErrorKind::timed_out) throw std::runtime_error(done.error().message);
  }).join();
  return got;
}

}  // namespace

void transactions(Subject subject) {
  const auto engine = subject.make();
  put(*engine, {{"a", "1"}, {"b", "1"}});
  const Entries before = all(*engine);

  SECTION("what is decided to be committed is") {
    const auto done = transact(*engine, {{"a"}}, [](Transaction& transaction) -> Result<Decision> {
      DINETTE_TRY(const auto value, transaction.get("a"));
      transaction.batch().put("a", Value::join({value->view(), "2"}));
      transaction.batch().put("c", Value("2"));
      return Decision::commit;
    });
    CHECK(done.ok());
    CHECK(all(*engine) == Entries{{"a", "12"}, {"b", "1"}, {"c", "2"}});
  }
  SECTION("what is abandoned leaves nothing") {
    const auto done = transact(*engine, {{"a"}}, [](Transaction& transaction) -> Result<Decision> {
      transaction.batch().put("a", Value("2"));
      return Decision::abandon;
    });
    CHECK(done.ok());
    CHECK(all(*engine) == before);
  }
  SECTION("a failure of the body is passed on and leaves nothing") {
    const auto done = transact(*engine, {{"a"}}, [](Transaction& transaction) -> Result<Decision> {
      transaction.batch().put("a", Value("2"));
      return base::Failure{Error{ErrorKind::corrupt, "so it is"}};
    });
    REQUIRE(!done.ok());
    CHECK(done.error().kind == ErrorKind::corrupt);
    CHECK(done.error().message == "so it is");
    CHECK(all(*engine) == before);
  }
  SECTION("a batch beyond the limits leaves nothing") {
    const auto done = transact(*engine, {{"a"}}, [](Transaction& transaction) -> Result<Decision> {
      transaction.batch().put("a", Value("2"));
      transaction.batch().put(std::string(max_key_size + 1, 'k'), Value("2"));
      return Decision::commit;
    });
    REQUIRE(!done.ok());
    CHECK(done.error().kind == ErrorKind::too_large);
    CHECK(all(*engine) == before);
  }
  SECTION("its reads see what is committed, not its own batch") {
    const auto done = transact(*engine, {{"a"}}, [&](Transaction& transaction) -> Result<Decision> {
      transaction.batch().put("a", Value("2"));
      CHECK(get(transaction, "a") == "1");
      CHECK(forward(transaction) == before);
      CHECK(forward(transaction, {"b", ""}) == Entries{{"b", "1"}});
      return Decision::commit;
    });
    CHECK(done.ok());
  }
  SECTION("it reads several keys in one call, declared or not, present or absent") {
    const std::string_view declared[] = {"a", "none", "a"};
    const auto done = engine->transact(
        {.reads = declared}, far_deadline(), [&](Transaction& transaction) -> Result<Decision> {
          transaction.batch().put("a", Value("2"));
          CHECK(get(transaction, "a") == "1");
          CHECK(get(transaction, "b") == "1");
          CHECK(get(transaction, "none") == std::nullopt);
          CHECK(get_many(transaction, {"none", "b", "a"}) == Texts{std::nullopt, "1", "1"});
          return Decision::commit;
        });
    CHECK(done.ok());
    CHECK(get(*engine, "a") == "2");
  }
  SECTION("changes take effect only if their conditions hold before the batch") {
    using Presence = WriteBatch::Presence;
    const auto done = transact(*engine, {{"a"}}, [](Transaction& transaction) -> Result<Decision> {
      WriteBatch& batch = transaction.batch();
      const auto put_if = [&](std::string_view key, std::string_view on, Presence presence) {
        const std::size_t first = batch.size();
        batch.put(key, Value("2"));
        batch.add("count", {1});
        batch.only_if(first, on, presence);
      };
      batch.put("c", Value("2"));
      put_if("absent c", "c", Presence::absent);
      put_if("present c", "c", Presence::present);
      put_if("absent b", "b", Presence::absent);
      batch.erase("a");
      put_if("present b", "b", Presence::present);
      return Decision::commit;
    });
    CHECK(done.ok());
    const auto counted = engine->get("count").value();
    CHECK(read_counter(counted->view(), 0) == 2);
    CHECK(get_many(*engine, {"a", "b", "c"}) == Texts{std::nullopt, "1", "2"});
    CHECK(get_many(*engine, {"absent c", "present c"}) == Texts{"2", std::nullopt});
    CHECK(get_many(*engine, {"absent b", "present b"}) == Texts{std::nullopt, "2"});
  }
  SECTION("a batch without a transaction has no conditions") {
    WriteBatch batch;
    batch.put("a", Value("2"));
    batch.only_if(0, "a", WriteBatch::Presence::present);
    const auto done = engine->write(batch);
    REQUIRE(!done.ok());
    CHECK(done.error().kind == ErrorKind::unsupported);
    CHECK(all(*engine) == before);
  }
  SECTION("what another write has replaced since the read set was read is not taken for current") {
    const std::string_view reads[] = {"a", "none"};
    const ReadSet read_set = engine->read_set(reads).value();
    REQUIRE(read_set.values.size() == 2);
    CHECK(read_set.values[0]->view() == "1");
    CHECK_FALSE(read_set.values[1]);
    const bool replaced = GENERATE(false, true);
    if (replaced) put(*engine, {{"a", "another"}});
    const Lock locks[] = {{"a"}};
    const auto done = engine->transact({.locks = locks, .reads = reads, .read_set = &read_set},
                                       far_deadline(), [](Transaction& transaction) -> Result<Decision> {
                                         DINETTE_TRY(const auto value, transaction.get("a"));
                                         transaction.batch().put("a", Value::join({value->view(), "2"}));
                                         return Decision::commit;
                                       });
    CHECK(done.ok());
    CHECK(get(*engine, "a") == (replaced ? "another2" : "12"));
  }
  SECTION("a lock may be named twice, and in both modes") {
    const auto done = transact(*engine, {{"a", Lock::Mode::shared}, {"a"}, {"a"}},
                               [](Transaction&) -> Result<Decision> { return Decision::abandon; });
    CHECK(done.ok());
  }
  SECTION("without locks it does not wait") {
    const auto done = transact(
        *engine, {},
        [](Transaction& transaction) -> Result<Decision> {
          transaction.batch().erase("a");
          return Decision::commit;
        },
        passed);
    CHECK(done.ok());
    CHECK(all(*engine) == Entries{{"b", "1"}});
  }
  SECTION("locks are held by one, or shared, and released afterwards") {
    for (const auto mode : {Lock::Mode::shared, Lock::Mode::exclusive}) {
      const auto done = transact(*engine, {{"a", mode}, {"b"}}, [&](Transaction&) -> Result<Decision> {
        CHECK_FALSE(is_free(*engine, {"a"}));
        CHECK_FALSE(is_free(*engine, {"b"}));
        CHECK_FALSE(is_free(*engine, {"b", Lock::Mode::shared}));
        if (mode == Lock::Mode::exclusive) CHECK_FALSE(is_free(*engine, {"a", Lock::Mode::shared}));
        return Decision::abandon;
      });
      CHECK(done.ok());
      CHECK(is_free(*engine, {"a"}));
      CHECK(is_free(*engine, {"b"}));
    }
  }
  SECTION(
      "a waiting transaction gets the lock when it is free, and its declared reads see what was committed") {
    std::thread waiting;
    std::optional<std::string> seen;
    const auto done = transact(*engine, {{"a"}}, [&](Transaction& transaction) -> Result<Decision> {
      if (!waiting.joinable()) {
        waiting = std::thread([&] {
          const Lock locks[] = {{"a"}};
          const std::string_view reads[] = {"a"};
          const auto read = [&](Transaction& second) -> Result<Decision> {
            seen = get(second, "a");
            return Decision::abandon;
          };
          (void)engine->transact({.locks = locks, .reads = reads}, far_deadline(), read);
        });
      }
      transaction.batch().put("a", Value("2"));
      return Decision::commit;
    });
    waiting.join();
    CHECK(done.ok());
    CHECK(seen == "2");
  }
}

}  // namespace dinette::test::kv_contract

#include <memory>
#include <optional>
#include <string>

#include <catch2/catch.hpp>

#include "dinette/base/pending.h"
#include "dinette/base/waiting.h"

#include "kv/engine_calls.h"
#include "kv/holding_engine.h"
#include "kv/poll_loop.h"
#include "kv/postgres_cluster.h"
#include "kv/postgres_relay.h"

// Reads that an event loop begins, while no thread waits for them (kv/postgres/pending_reads.h).
namespace dinette::test::postgres_pending_test {

using namespace kv;

namespace {

struct Database {
  explicit Database(const PostgresOptions& options = patient())
      : engines(open_postgres(relay.url(), options).value()), engine(engines->make().value()) {
    put(*engine, {{"a", "1"}, {"b", "2"}});
  }

  PostgresRelay relay{postgres_cluster().sockets()};
  const std::shared_ptr<Engines> engines;
  const std::shared_ptr<Engine> engine;
};

/// A request of an event loop.
class Request {
 public:
  explicit Request(const Engine& engine) : engine_(engine) {}

  /// Runs it on the loop. Returns the value, or nothing if it has to wait.
  std::optional<std::string> run(std::string_view key = "a") { return run_where(false, key); }
  /// Runs it on a thread that may wait.
  std::optional<std::string> run_waiting(std::string_view key = "a") { return run_where(true, key); }

  /// Runs it on the loop until it has begun to read: not while all connections are in use by other threads of
  /// the engines.
  void begin(std::string_view key = "a") {
    do {
      CHECK(run(key) == std::nullopt);
    } while (!waits());
  }

  /// Returns true if it has begun something, and notes when that is due.
  bool waits() {
    const auto pending = work_.next_to_await();
    if (pending) pending->when_due([this] { due = true; });
    return pending != nullptr;
  }

  bool due = false;

 private:
  std::optional<std::string> run_where(bool may_wait, std::string_view key) {
    const base::WaitingScope waiting(may_wait);
    const base::PendingWorkScope scope(work_);
    const auto value = engine_.get(key);
    if (!value) {
      CHECK(value.error().kind == ErrorKind::would_block);
      return std::nullopt;
    }
    return std::string((*value)->view());
  }

  const Engine& engine_;
  base::PendingWork work_;
};

}  // namespace

TEST_CASE("PostgreSQL: a read on an event loop is begun, and found when the request runs again") {
  Database database;
  PollLoop::run([&](PollLoop& loop) {
    Request request(*database.engine);
    request.begin();
    loop.run_until(request.due);
    CHECK(request.run() == "1");
    CHECK(request.run() == "1");
    CHECK_FALSE(request.waits());
    SECTION("and so is the next") {
      request.begin("b");
      request.due = false;
      loop.run_until(request.due);
      CHECK(request.run("a") == "1");
      CHECK(request.run("b") == "2");
    }
  });
}

TEST_CASE("PostgreSQL: reads of one turn of an event loop share a round trip") {
  Database database;
  PollLoop::run([&](PollLoop& loop) {
    Request first(*database.engine);
    Request second(*database.engine);
    Request earlier(*database.engine);
    earlier.begin();
    loop.run_until(earlier.due);  // the loop has its connection
    first.begin("a");
    second.begin("b");
    CHECK(loop.actions() == 1);
    loop.run_until(second.due);
    CHECK(first.run("a") == "1");
    CHECK(second.run("b") == "2");
  });
}

TEST_CASE("PostgreSQL: a later turn of an event loop does not wait for the answer to an earlier one") {
  Database database;
  PollLoop::run([&](PollLoop& loop) {
    Request first(*database.engine);
    Request second(*database.engine);
    first.begin("a");
    loop.run_actions();
    second.begin("b");
    loop.run_actions();
    loop.run_until(second.due);
    CHECK(first.due);
    CHECK(first.run("a") == "1");
    CHECK(second.run("b") == "2");
  });
}

TEST_CASE("PostgreSQL: what an event loop has read serves one read of a thread that may wait") {
  Database database;
  PollLoop::run([&](PollLoop& loop) {
    Request request(*database.engine);
    request.begin();
    loop.run_until(request.due);
    put(*database.engine, {{"a", "new"}});
    CHECK(request.run_waiting() == "1");
    CHECK(request.run_waiting() == "new");
  });
}

TEST_CASE("PostgreSQL: a read whose connection ends is left to a thread that may wait") {
  Database database;
  PollLoop::run([&](PollLoop& loop) {
    std::optional<Request> request;
    do {  // until it is this connection that was cut, and not one of the engines' own threads
      request.emplace(*database.engine);
      request->begin();
      database.relay.cut_next(PostgresRelay::Cut::before);
      loop.run_until(request->due);
    } while (request->run());
    CHECK_FALSE(request->waits());
    CHECK(request->run_waiting() == "1");
    SECTION("and the next is begun on another connection") {
      Request next(*database.engine);
      next.begin();
      loop.run_until(next.due);
      CHECK(next.run() == "1");
    }
  });
}

TEST_CASE("PostgreSQL: a read that the database does not answer in time is left to a thread that may wait") {
  Database database;
  PollLoop::run([&](PollLoop& loop) {
    Request request(*database.engine);
    request.begin();
    loop.run_actions();
    loop.end_waits();
    CHECK(request.due);
    CHECK(request.run() == std::nullopt);
    CHECK_FALSE(request.waits());
    CHECK(request.run_waiting() == "1");
  });
}

TEST_CASE("PostgreSQL: event loops leave half of the connections to threads") {
  PostgresOptions options = patient();
  options.connections = 1;
  Database database(options);
  PollLoop::run([&](PollLoop&) {
    Request request(*database.engine);
    CHECK(request.run() == std::nullopt);
    CHECK_FALSE(request.waits());
    CHECK(request.run_waiting() == "1");
  });
}

TEST_CASE("PostgreSQL: many keys are not read on an event loop") {
  Database database;
  PollLoop::run([&](PollLoop&) {
    const std::vector<std::string_view> keys(26, "a");
    base::PendingWork work;
    const base::PendingWorkScope scope(work);
    const base::WaitingScope waiting(false);
    CHECK(database.engine->get_many(keys).error().kind == ErrorKind::would_block);
    CHECK(database.engine->read_set(keys).error().kind == ErrorKind::would_block);
    CHECK(work.next_to_await() == nullptr);
    do {
      CHECK_FALSE(database.engine->get_many(std::span(keys).first(25)).ok());
    } while (work.next_to_await() == nullptr);
    CHECK_FALSE(work.needs_waiting());
    CHECK_FALSE(database.engine->read_set(std::span(keys).first(25)).ok());
    CHECK(work.needs_waiting());
  });
}

}  // namespace dinette::test::postgres_pending_test

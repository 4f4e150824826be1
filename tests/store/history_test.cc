#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "store/store_fixture.h"
#include "support/random_seed.h"

namespace dinette::store::history_test {

using namespace std::chrono_literals;

namespace {

struct PastFixture {
  std::unique_ptr<test::FaultyEngine> engine = std::make_unique<test::FaultyEngine>(kv::make_memory_engine());
  base::ManualClock clock{base::TimePoint(1h)};
  base::SeededIds ids{1};
  Store store{*engine, clock, ids, test_face, {.history = 160ms}};
  TablePointer table = store.catalog().create("t", "schema").value();

  void write_now(std::string_view bytes) { write(store, *table, make_key("p"), bytes); }

  /// Returns the text of the row that long ago.
  std::string ago(std::chrono::milliseconds age) const {
    const View view = store.view_at(clock.now() - age).value();
    const auto row = view.read(*table, make_key("p")).value();
    return row ? std::string(row->view()) : "none";
  }
};

}  // namespace

TEST_CASE_METHOD(PastFixture, "history: a look back sees the past, and a write only from its moment on") {
  CHECK(ago(0ms) == "none");
  write_now("1");
  CHECK(ago(0ms) == "1");
  CHECK(ago(1ms) == "none");
  clock.advance(100ms);
  CHECK(ago(99ms) == "1");
  CHECK(ago(100ms) == "1");
  CHECK(ago(101ms) == "none");
  write_now("2");
  CHECK(ago(0ms) == "2");
  CHECK(ago(1ms) == "1");
  CHECK(ago(101ms) == "none");
  clock.advance(1h);
  CHECK(ago(160ms) == "2");
}

TEST_CASE_METHOD(PastFixture,
                 "history: after the clock is set back, a look back sees what was written before") {
  write_now("1");
  clock.advance(100ms);
  write_now("2");
  clock.advance(-1h);
  CHECK(ago(0ms) == "2");
  CHECK(ago(160ms) == "2");
  write_now("3");
  CHECK(ago(0ms) == "3");
  CHECK(ago(1ms) == "2");
}

TEST_CASE_METHOD(PastFixture,
                 "history: under constant writes a view is at most a sixteenth of the span too old") {
  for (int i = 0; i < 1000; ++i) {
    write_now(std::to_string(i));
    clock.advance(1ms);
  }
  // The write number i was made 1000 - i milliseconds ago.
  for (const int age : {5, 80, 150}) {
    const int seen = std::stoi(ago(std::chrono::milliseconds(age)));
    CHECK(seen <= 1000 - age);
    CHECK(seen >= 1000 - age - 11);
  }
}

TEST_CASE_METHOD(PastFixture, "history: what is beyond the span is released") {
  const auto before = kv::Value::live_buffers();
  for (int i = 0; i < 1000; ++i) {
    write_now(std::to_string(i));
    clock.advance(100ms);
  }
  CHECK(kv::Value::live_buffers() - before < 20);
}

TEST_CASE_METHOD(PastFixture, "history: a write has the moment of its commit, however long it has waited") {
  write_now("1");
  clock.advance(10ms);
  engine->before_transactions([&](kv::Deadline) { clock.advance(100ms); });
  write_now("2");
  CHECK(ago(0ms) == "2");
  CHECK(ago(1ms) == "1");
  CHECK(ago(100ms) == "1");
  CHECK(ago(111ms) == "none");
}

TEST_CASE_METHOD(PastFixture, "history: a transaction that runs again is one commit") {
  engine->run_transactions_twice(true);
  write_now("1");
  clock.advance(10ms);
  write_now("2");
  clock.advance(10ms);
  CHECK(ago(0ms) == "2");
  CHECK(ago(11ms) == "1");
}

TEST_CASE_METHOD(PastFixture, "history: a look back releases what is beyond the span") {
  const auto before = kv::Value::live_buffers();
  for (int i = 0; i < 10; ++i) {
    write_now(std::to_string(i));
    clock.advance(10ms);
  }
  CHECK(kv::Value::live_buffers() - before >= 10);
  clock.advance(160ms);
  CHECK(ago(160ms) == "9");
  CHECK(kv::Value::live_buffers() - before < 5);
}

TEST_CASE_METHOD(PastFixture, "history: table changes are commits like others") {
  const std::string text(1000, 'x');
  for (int i = 0; i < 100; ++i) {
    write(store, *table, make_key(std::to_string(i)), text);
    clock.advance(1ms);
  }
  const auto filled = kv::Value::live_buffers();
  SECTION("a dropped table is visible for the span, and no longer") {
    REQUIRE(store.catalog().drop(*table).value());
    clock.advance(10ms);
    const auto rows_ago = [&](std::chrono::milliseconds age) {
      return store.view_at(clock.now() - age).value().count(*table).value().rows;
    };
    CHECK(rows_ago(11ms) == 100);
    CHECK(rows_ago(9ms) == 0);
    clock.advance(1h);
    CHECK(rows_ago(160ms) == 0);
    CHECK(kv::Value::live_buffers() < filled - 90);
  }
  SECTION("other changes release what is beyond the span") {
    REQUIRE(store.catalog().drop(*table).value());
    clock.advance(1h);
    const TablePointer other = store.catalog().create("u", "schema").value();
    clock.advance(1h);
    const auto described_anew = [](const Table&) { return std::optional(TableUpdate("other")); };
    REQUIRE(store.catalog().update(*other, described_anew).value());
    CHECK(kv::Value::live_buffers() < filled - 90);
  }
}

TEST_CASE_METHOD(PastFixture, "history: a look back never sees what was written later") {
  constexpr int writers = 3;
  const auto stamp = [&] { return std::to_string(clock.now().time_since_epoch().count()); };
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (int writer = 0; writer < writers; ++writer) {
    threads.emplace_back([&, key = make_key(std::to_string(writer))] {
      while (!done) {
        write(store, *table, key, stamp());
      }
    });
  }
  threads.emplace_back([&] {
    while (!done) {
      const TablePointer other = store.catalog().create("u", "schema").value();
      (void)store.catalog().drop(*other);
    }
  });
  int late = 0;
  for (int look = 0; look < test::rounds_of(2'000); ++look) {
    clock.advance(1ms);  // here alone, so that no moment falls out of the span
    const base::TimePoint moment = clock.now() - std::chrono::milliseconds(look % 3);
    const View view = store.view_at(moment).value();
    for (int writer = 0; writer < writers; ++writer) {
      const auto row = view.read(*table, make_key(std::to_string(writer))).value();
      if (row && std::stoll(std::string(row->view())) > moment.time_since_epoch().count()) ++late;
    }
  }
  done = true;
  for (std::thread& thread : threads) thread.join();
  CHECK(late == 0);
}

TEST_CASE_METHOD(PastFixture, "history: a reset forgets it") {
  const auto empty = engine->snapshot().value();
  write_now("1");
  clock.advance(10ms);
  REQUIRE(store.reset(*empty).ok());
  CHECK(ago(10ms) == "none");
  CHECK(ago(0ms) == "none");
}

}  // namespace dinette::store::history_test

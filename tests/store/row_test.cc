#include "dinette/store/row.h"

#include <algorithm>
#include <thread>

#include <catch2/catch.hpp>

#include "store/store_fixture.h"

namespace dinette::store::row_test {

using test::EngineCall;

TEST_CASE_METHOD(StoreFixture, "row: put, read, replace, erase") {
  const TablePointer table = make_table("t");
  const std::string key = make_key("p", "s");
  CHECK(read(store, *table, key) == std::nullopt);
  CHECK(write(store, *table, key, "1") == WriteOutcome::applied);
  CHECK(read(store, *table, key) == "1");
  CHECK(read(store, *table, make_key("p", "t")) == std::nullopt);

  const auto replaced = store.write_row(*table, key, [](const kv::Value* current) -> RowDecision {
    return put_row(std::string(current->view()) + "2", false);
  });
  CHECK(replaced.value() == WriteOutcome::applied);
  CHECK(read(store, *table, key) == "12");

  const auto erased = store.write_row(*table, key, [](const kv::Value*) -> RowDecision {
    RowChange change;
    change.row = RowChange::Row::erase;
    return change;
  });
  CHECK(erased.value() == WriteOutcome::applied);
  CHECK(read(store, *table, key) == std::nullopt);
}

TEST_CASE_METHOD(StoreFixture, "row: a refusal changes nothing") {
  const TablePointer table = make_table("t");
  write(store, *table, make_key("p"), "1");
  const auto before = everything();
  std::string reason;
  const auto outcome = store.write_row(*table, make_key("p"), [&](const kv::Value* current) -> RowDecision {
    reason = "there is " + std::string(current->view());
    return std::nullopt;
  });
  CHECK(outcome.value() == WriteOutcome::refused);
  CHECK(reason == "there is 1");
  CHECK(everything() == before);
}

TEST_CASE_METHOD(StoreFixture, "row: index entries, expiry and counters leave with it") {
  const TablePointer table = make_table("t");
  const kv::Value shared("row");
  const auto with_everything = [&](const kv::Value*) -> RowDecision {
    RowChange change = put_row("row");
    change.entries = {{Area::of_index(1), make_key("i1"), shared, {1, 3}},
                      {Area::of_index(2), make_key("i2"), shared, {1, 4}},
                      {Area::expiry(), make_key("e"), kv::Value("")}};
    return change;
  };
  REQUIRE(store.write_row(*table, make_key("p"), with_everything).value() == WriteOutcome::applied);
  const View view = store.view().value();
  CHECK(view.read(*table, make_key("i1"), Area::of_index(1)).value()->view() == "row");
  CHECK(view.read(*table, make_key("i2"), Area::of_index(2)).value()->view() == "row");
  CHECK(view.read(*table, make_key("e"), Area::expiry()).value()->view().empty());
  CHECK_FALSE(view.read(*table, make_key("i1"), Area::of_index(2)).value());
  CHECK(view.count(*table).value() == Count{1, 3});
  CHECK(view.count(*table, 1).value() == Count{1, 3});
  CHECK(view.count(*table, 2).value() == Count{1, 4});
  CHECK(view.count(*table, 3).value() == Count{});

  SECTION("and are changed with it") {
    const auto outcome = store.write_row(*table, make_key("p"), [&](const kv::Value*) -> RowDecision {
      RowChange change;
      change.row = RowChange::Row::erase;
      change.entries = {{Area::of_index(1), make_key("i1"), {}, {-1, -3}},
                        {Area::expiry(), make_key("e"), {}}};
      change.count = {-1, -3};
      return change;
    });
    CHECK(outcome.value() == WriteOutcome::applied);
    const View after = store.view().value();
    CHECK_FALSE(after.read(*table, make_key("p")).value());
    CHECK_FALSE(after.read(*table, make_key("i1"), Area::of_index(1)).value());
    CHECK(after.read(*table, make_key("i2"), Area::of_index(2)).value());
    CHECK(after.count(*table).value() == Count{});
    CHECK(after.count(*table, 1).value() == Count{});
    CHECK(view.count(*table).value() == Count{1, 3});
    CHECK(store.count(*table).value() == Count{});
  }
  SECTION("and go when the table goes") {
    REQUIRE(store.catalog().drop(*table).value());
    CHECK(everything().size() == 1);  // the last table id
  }
}

TEST_CASE_METHOD(StoreFixture, "row: ranges are erased before anything else of the change is written") {
  const TablePointer table = make_table("t");
  for (const char* sort : {"1", "2", "3"}) write(store, *table, make_key("p", sort), sort);
  const std::string other = make_key("q", "1");
  write(store, *table, other, "other");
  const auto replace = [&](const kv::Value*) -> RowDecision {
    RowChange change = put_row("row", false);
    change.entries = {{Area::rows(), make_key("p", "2"), kv::Value("entry")},
                      {Area::of_index(1), make_key("i"), kv::Value(""), {1, 1}}};
    change.erased_ranges = {{Area::rows(), KeyRange::of_prefix(make_partition("p"))},
                            {Area::of_index(1), {}, {-1, -1}}};
    return change;
  };
  for (int i = 0; i < 2; ++i) {
    REQUIRE(store.write_row(*table, make_key("p", "1"), replace).value() == WriteOutcome::applied);
    CHECK(read(store, *table, make_key("p", "1")) == "row");
    CHECK(read(store, *table, make_key("p", "2")) == "entry");
    CHECK(read(store, *table, make_key("p", "3")) == std::nullopt);
    CHECK(read(store, *table, other) == "other");
    CHECK(store.view().value().read(*table, make_key("i"), Area::of_index(1)).value().has_value());
    CHECK(store.count(*table, 1).value() == Count{});
  }
}

TEST_CASE_METHOD(StoreFixture, "row: entries that depend on whether they are there") {
  using When = KeyWrite::When;
  const TablePointer table = make_table("t");
  const auto write_entry = [&](const char* value, Count count, When when) {
    const auto outcome = store.write_row(*table, make_key("p"), [&](const kv::Value*) -> RowDecision {
      RowChange change;
      change.entries = {
          {Area::of_index(1), make_key("i"), value ? kv::Value(value) : kv::Value(), count, when}};
      return change;
    });
    REQUIRE(outcome.value() == WriteOutcome::applied);
  };
  const auto entry = [&] {
    const auto value = store.view().value().read(*table, make_key("i"), Area::of_index(1)).value();
    return value ? std::string(value->view()) : "none";
  };
  write_entry(nullptr, {-1, -1}, When::present);
  CHECK(store.count(*table, 1).value() == Count{});
  write_entry("1", {1, 1}, When::absent);
  CHECK(entry() == "1");
  write_entry("2", {1, 1}, When::absent);
  CHECK(entry() == "1");
  CHECK(store.count(*table, 1).value() == Count{1, 1});
  write_entry(nullptr, {-1, -1}, When::present);
  CHECK(entry() == "none");
  CHECK(store.count(*table, 1).value() == Count{});
}

TEST_CASE_METHOD(StoreFixture, "row: a decision is made with nothing locked") {
  const TablePointer table = make_table("t");
  const std::string key = make_key("p");
  int writes_in_between = 0;
  // Were the row or the table locked, the writes in here would wait for ever.
  const auto decide = [&](const kv::Value* current) -> RowDecision {
    if (writes_in_between == 0) {
      ++writes_in_between;
      CHECK(current == nullptr);
      CHECK(write(store, *table, key, "1") == WriteOutcome::applied);
    }
    return put_row(current ? std::string(current->view()) + "2" : "first", current == nullptr);
  };
  CHECK(store.write_row(*table, key, decide).value() == WriteOutcome::applied);
  CHECK(read(store, *table, key) == "12");
  CHECK(store.count(*table).value().rows == 1);
}

TEST_CASE_METHOD(StoreFixture, "row: when the engine fails nothing is left behind") {
  const TablePointer table = make_table("t");
  write(store, *table, make_key("p"), "1");
  const auto before = everything();
  const auto failing_write = [&] {
    return store.write_row(*table, make_key("p"), [](const kv::Value*) -> RowDecision {
      RowChange change = put_row("2");
      change.entries = {{Area::of_index(1), make_key("i"), kv::Value("2")}};
      return change;
    });
  };
  for (const kv::ErrorKind kind : {kv::ErrorKind::io, kv::ErrorKind::conflict, kv::ErrorKind::timed_out}) {
    // The row, then twice the stamp and the row: a transaction runs twice here.
    for (int nth = 1; nth <= 5; ++nth) {
      engine.plan().fail(EngineCall::get, nth, kind);
      const auto failed = failing_write();
      REQUIRE(!failed.ok());
      CHECK(failed.error().kind == kind);
      CHECK(engine.plan().spent());
    }
    engine.plan().fail(EngineCall::commit, 1, kind);
    CHECK(!failing_write().ok());
    CHECK(everything() == before);
  }
}

TEST_CASE_METHOD(StoreFixture,
                 "row: a write by an old version of the table is told so, and nothing is written") {
  const TablePointer old = make_table("t");
  write(store, *old, make_key("p"), "1");
  SECTION("altered") {
    REQUIRE(
        store.catalog().update(*old, [](const Table&) { return std::optional<std::string>("new"); }).ok());
    const auto before = everything();
    CHECK(write(store, *old, make_key("p"), "2") == WriteOutcome::table_changed);
    CHECK(everything() == before);
    const TablePointer current = store.catalog().open("", "t").value();
    CHECK(current->version == 2);
    CHECK(write(store, *current, make_key("p"), "2") == WriteOutcome::applied);
  }
  SECTION("dropped") {
    REQUIRE(store.catalog().drop(*old).value());
    const auto before = everything();
    CHECK(write(store, *old, make_key("p"), "2") == WriteOutcome::table_changed);
    CHECK(read(store, *old, make_key("p")) == std::nullopt);
    CHECK(everything() == before);
  }
  SECTION("dropped and made again") {
    REQUIRE(store.catalog().drop(*old).value());
    const TablePointer current = make_table("t");
    CHECK(write(store, *old, make_key("p"), "2") == WriteOutcome::table_changed);
    CHECK(read(store, *current, make_key("p")) == std::nullopt);
  }
  SECTION("altered by another server over the same data") {
    Store other(engine, clock, ids, test_face);
    REQUIRE(
        other.catalog().update(*old, [](const Table&) { return std::optional<std::string>("new"); }).ok());
    CHECK(store.catalog().open("", "t").value()->version == 1);
    CHECK(write(store, *old, make_key("p"), "2") == WriteOutcome::table_changed);
    CHECK(store.catalog().open("", "t").value()->version == 2);
  }
}

TEST_CASE_METHOD(StoreFixture, "rows: several rows of several tables, all or none") {
  const TablePointer first = make_table("first");
  const TablePointer second = make_table("second");
  write(store, *first, make_key("a"), "1");
  const std::string a = make_key("a");
  const std::string b = make_key("b");
  const RowTarget targets[] = {{first.get(), a}, {second.get(), a}, {first.get(), b}};
  const auto decide = [](RowReader& rows) -> std::optional<std::vector<RowChange>> {
    std::vector<RowChange> changes(3);
    changes[0].row = RowChange::Row::erase;
    changes[0].count = {-1, 0};
    changes[1] = put_row(rows.row(0)->view());
    changes[2] = put_row(rows.row(1) == nullptr && rows.row(2) == nullptr ? "new" : "old");
    return changes;
  };
  SECTION("all") {
    CHECK(store.write_rows(targets, decide).value() == WriteOutcome::applied);
    CHECK(read(store, *first, a) == std::nullopt);
    CHECK(read(store, *second, a) == "1");
    CHECK(read(store, *first, b) == "new");
    CHECK(store.count(*first).value().rows == 1);
    CHECK(store.count(*second).value().rows == 1);
  }
  SECTION("none, as decided") {
    const auto before = everything();
    const auto refused =
        store.write_rows(targets, [](RowReader&) { return std::optional<std::vector<RowChange>>(); });
    CHECK(refused.value() == WriteOutcome::refused);
    CHECK(everything() == before);
  }
  SECTION("none, since a table has changed") {
    REQUIRE(store.catalog().drop(*second).value());
    const auto before = everything();
    CHECK(store.write_rows(targets, decide).value() == WriteOutcome::table_changed);
    CHECK(everything() == before);
  }
  SECTION("none, since the engine failed") {
    const auto before = everything();
    // Three stamps and three rows, twice.
    for (int nth = 1; nth <= 12; ++nth) {
      engine.plan().fail(EngineCall::get, nth, kv::ErrorKind::io);
      CHECK(!store
                 .write_rows(targets,
                             [&](RowReader& rows) -> std::optional<std::vector<RowChange>> {
                               for (std::size_t i = 0; i < 3; ++i) (void)rows.row(i);
                               return std::vector<RowChange>(3);
                             })
                 .ok());
      CHECK(engine.plan().spent());
    }
    engine.plan().fail(EngineCall::commit, 1, kv::ErrorKind::io);
    CHECK(!store.write_rows(targets, decide).ok());
    CHECK(everything() == before);
  }
}

TEST_CASE_METHOD(StoreFixture, "rows: writers of different rows of a table do not wait for each other") {
  const TablePointer table = make_table("t");
  const std::string key = make_key("a");
  const RowTarget targets[] = {{table.get(), key}};
  // Not a decision to imitate: it looks aside, to see that the way is free.
  const auto outcome = store.write_rows(targets, [&](RowReader&) {
    std::thread([&] { (void)write(store, *table, make_key("b"), "beside"); }).join();
    CHECK(read(store, *table, make_key("b")) == "beside");
    return std::optional(std::vector<RowChange>{put_row("row")});
  });
  CHECK(outcome.value() == WriteOutcome::applied);
}

TEST_CASE_METHOD(StoreFixture, "rows: who does not get a row within the deadline is told so") {
  const TablePointer table = make_table("t");
  const std::string key = make_key("a");
  Store impatient(engine, clock, ids, test_face, {.lock_deadline = std::chrono::milliseconds(0)});
  // A decision about several rows is made with all of them locked.
  const RowTarget targets[] = {{table.get(), key}};
  const auto outcome = store.write_rows(targets, [&](RowReader&) {
    std::thread([&] {
      const auto failed = impatient.write_row(*table, key, [](const kv::Value*) { return RowDecision(); });
      if (failed.ok() || failed.error().kind != kv::ErrorKind::timed_out) std::abort();
    }).join();
    return std::optional(std::vector<RowChange>{put_row("row")});
  });
  CHECK(outcome.value() == WriteOutcome::applied);
}

namespace {

/// What becomes of a decision that other writes overtake as long as its row is not locked.
struct Overtaken {
  kv::Result<WriteOutcome> outcome;
  int decisions = 0;
  int overtaken = 0;
};

Overtaken write_overtaken(Store& store, const Table& table, const std::string& key) {
  Overtaken result{WriteOutcome::refused};
  // Not a decision to imitate: it overtakes itself.
  result.outcome = store.write_row(table, key, [&](const kv::Value*) -> RowDecision {
    ++result.decisions;
    const auto other = store.write_row(
        table, key,
        [&](const kv::Value* current) {
          return RowDecision(put_row("other " + std::to_string(result.decisions), current == nullptr));
        },
        kv::Deadline{});
    if (other.ok()) ++result.overtaken;
    return put_row("last", false);
  });
  return result;
}

}  // namespace

TEST_CASE_METHOD(StoreFixture, "rows: a decision that is overtaken is made again with nothing locked") {
  engine.run_transactions_twice(false);
  const TablePointer table = make_table("t");
  const std::string key = make_key("a");
  const auto store_with = [&](std::chrono::microseconds quick) {
    return std::make_unique<Store>(engine, clock, ids, test_face, StoreOptions{.quick_decision = quick});
  };
  SECTION("a quick one twice, then with the row locked") {
    const base::WaitingScope waiting(GENERATE(true, false));
    const Overtaken done = write_overtaken(*store_with(std::chrono::hours(1)), *table, key);
    CHECK(done.outcome.value() == WriteOutcome::applied);
    CHECK(done.overtaken == 2);
    CHECK(done.decisions == 3);
    CHECK(read(store, *table, key) == "last");
  }
  SECTION("a slow one a few times more") {
    const Overtaken done = write_overtaken(*store_with(std::chrono::microseconds(0)), *table, key);
    CHECK(done.outcome.value() == WriteOutcome::applied);
    CHECK(done.overtaken == most_unlocked_decisions);
    CHECK(done.decisions == most_unlocked_decisions + 1);
    CHECK(read(store, *table, key) == "last");
  }
  SECTION("a slow one on a thread that may not wait twice, and then not at all") {
    const base::WaitingScope waiting(false);
    const Overtaken done = write_overtaken(*store_with(std::chrono::microseconds(0)), *table, key);
    REQUIRE_FALSE(done.outcome.ok());
    CHECK(done.outcome.error().kind == kv::ErrorKind::timed_out);
    CHECK(done.overtaken == 2);
    CHECK(done.decisions == 2);
    CHECK(read(store, *table, key) == "other 2");
  }
}

TEST_CASE_METHOD(StoreFixture, "rows: a thread that may not wait does not, and nothing is done") {
  const TablePointer table = make_table("t");
  const std::string a = make_key("a");
  const std::string b = make_key("b");
  const RowTarget targets[] = {{table.get(), a}};
  std::optional<kv::ErrorKind> failure;
  std::optional<WriteOutcome> beside;
  const auto held = store.write_rows(targets, [&](RowReader&) {
    std::thread([&] {
      const base::WaitingScope waiting(false);
      const auto decide = [](const kv::Value*) { return RowDecision(put_row("new")); };
      failure = store.write_row(*table, a, decide).error().kind;
      beside = store.write_row(*table, b, decide).value();
    }).join();
    return std::optional(std::vector<RowChange>{put_row("held")});
  });
  CHECK(held.value() == WriteOutcome::applied);
  CHECK(failure == kv::ErrorKind::timed_out);
  CHECK(beside == WriteOutcome::applied);
  CHECK(read(store, *table, a) == "held");
}

TEST_CASE_METHOD(StoreFixture, "rows: tables that come and go under the writers leave no orphans") {
  std::atomic<bool> stop{false};
  std::vector<std::thread> writers;
  for (int thread = 0; thread < 3; ++thread) {
    writers.emplace_back([&, thread] {
      for (int i = 0; !stop; ++i) {
        const auto table = store.catalog().open("", "t");
        if (!table.ok() || table.value() == nullptr) continue;
        (void)write(store, **table, make_key(std::to_string(thread), std::to_string(i)), "row");
      }
    });
  }
  for (int round = 0; round < 100; ++round) {
    const TablePointer table = make_table("t");
    while (store.count(*table).value().rows < 5) std::this_thread::yield();
    (void)store.catalog().drop(*table);
  }
  stop = true;
  for (std::thread& writer : writers) writer.join();
  CHECK(everything().size() == 1);  // the last table id
}

TEST_CASE_METHOD(StoreFixture, "rows: no increment is lost, and the counters are right, with many writers") {
  const TablePointer table = make_table("t");
  constexpr int rounds = 200;
  std::vector<std::thread> writers;
  for (int thread = 0; thread < 4; ++thread) {
    writers.emplace_back([&] {
      for (int i = 0; i < rounds; ++i) {
        (void)store.write_row(
            *table, make_key(std::to_string(i % 3)), [](const kv::Value* current) -> RowDecision {
              const int before = current == nullptr ? 0 : std::stoi(std::string(current->view()));
              RowChange change = put_row(std::to_string(before + 1), current == nullptr);
              change.count.bytes = 1;
              return change;
            });
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  int sum = 0;
  for (int i = 0; i < 3; ++i) sum += std::stoi(read(store, *table, make_key(std::to_string(i))).value());
  CHECK(sum == 4 * rounds);
  CHECK(store.count(*table).value() == Count{3, 4 * rounds});
}

}  // namespace dinette::store::row_test

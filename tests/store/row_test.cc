#include "dinette/store/row.h"

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

  const auto replaced = store.write(*table, key, [](const kv::Value* current, RowChange& change) {
    change = put_row(std::string(current->view()) + "2", false);
    return true;
  });
  CHECK(replaced.value().outcome == WriteOutcome::applied);
  CHECK(read(store, *table, key) == "12");

  const auto erased = store.write(*table, key, [](const kv::Value*, RowChange& change) {
    change.row = RowChange::Row::erase;
    return true;
  });
  CHECK(erased.value().outcome == WriteOutcome::applied);
  CHECK(read(store, *table, key) == std::nullopt);
}

TEST_CASE_METHOD(StoreFixture, "row: a refusal changes nothing") {
  const TablePointer table = make_table("t");
  write(store, *table, make_key("p"), "1");
  const auto before = everything();
  std::string reason;
  const auto written = store.write(*table, make_key("p"), [&](const kv::Value* current, RowChange&) {
    reason = "there is " + std::string(current->view());
    return false;
  });
  CHECK(written.value().outcome == WriteOutcome::refused);
  CHECK(reason == "there is 1");
  CHECK(everything() == before);
}

TEST_CASE_METHOD(StoreFixture, "row: index entries, expiry and counters are committed with it") {
  const TablePointer table = make_table("t");
  const kv::Value shared("row");
  const auto with_everything = [&](const kv::Value*, RowChange& change) {
    change = put_row("row");
    change.entries = {{Area::of_index(1), make_key("i1"), shared, {1, 3}},
                      {Area::of_index(2), make_key("i2"), shared, {1, 4}},
                      {Area::expiry(), make_key("e"), kv::Value("")}};
    return true;
  };
  REQUIRE(store.write(*table, make_key("p"), with_everything).value().outcome == WriteOutcome::applied);
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
    const auto written = store.write(*table, make_key("p"), [&](const kv::Value*, RowChange& change) {
      change.row = RowChange::Row::erase;
      change.entries = {{Area::of_index(1), make_key("i1"), {}, {-1, -3}},
                        {Area::expiry(), make_key("e"), {}}};
      change.count = {-1, -3};
      return true;
    });
    CHECK(written.value().outcome == WriteOutcome::applied);
    const View after = store.view().value();
    CHECK_FALSE(after.read(*table, make_key("p")).value());
    CHECK_FALSE(after.read(*table, make_key("i1"), Area::of_index(1)).value());
    CHECK(after.read(*table, make_key("i2"), Area::of_index(2)).value());
    CHECK(after.count(*table).value() == Count{});
    CHECK(after.count(*table, 1).value() == Count{});
    CHECK(view.count(*table).value() == Count{1, 3});
    CHECK(store.count(*table).value() == Count{});
  }
  SECTION("and are dropped with the table") {
    REQUIRE(store.catalog().drop(*table).value());
    CHECK(everything().size() == 1);  // the last table id
  }
}

TEST_CASE_METHOD(StoreFixture, "row: ranges are erased before the rest of the change is written") {
  const TablePointer table = make_table("t");
  for (const char* sort : {"1", "2", "3"}) write(store, *table, make_key("p", sort), sort);
  const std::string other = make_key("q", "1");
  write(store, *table, other, "other");
  const auto replace = [&](const kv::Value*, RowChange& change) {
    change = put_row("row", false);
    change.entries = {{Area::rows(), make_key("p", "2"), kv::Value("entry")},
                      {Area::of_index(1), make_key("i"), kv::Value(""), {1, 1}}};
    change.erased_ranges = {{Area::rows(), KeyRange::of_prefix(make_partition("p"))},
                            {Area::of_index(1), {}, {-1, -1}}};
    return true;
  };
  for (int i = 0; i < 2; ++i) {
    REQUIRE(store.write(*table, make_key("p", "1"), replace).value().outcome == WriteOutcome::applied);
    CHECK(read(store, *table, make_key("p", "1")) == "row");
    CHECK(read(store, *table, make_key("p", "2")) == "entry");
    CHECK(read(store, *table, make_key("p", "3")) == std::nullopt);
    CHECK(read(store, *table, other) == "other");
    CHECK(store.view().value().read(*table, make_key("i"), Area::of_index(1)).value().has_value());
    CHECK(store.count(*table, 1).value() == Count{});
  }
}

TEST_CASE_METHOD(StoreFixture, "row: entries that are written only if present or absent") {
  using When = KeyWrite::When;
  const TablePointer table = make_table("t");
  const auto write_entry = [&](const char* value, Count count, When when) {
    const auto written = store.write(*table, make_key("p"), [&](const kv::Value*, RowChange& change) {
      change.entries = {
          {Area::of_index(1), make_key("i"), value ? kv::Value(value) : kv::Value(), count, when}};
      return true;
    });
    REQUIRE(written.value().outcome == WriteOutcome::applied);
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

TEST_CASE_METHOD(StoreFixture, "row: if the engine fails nothing is written") {
  const TablePointer table = make_table("t");
  write(store, *table, make_key("p"), "1");
  const auto before = everything();
  const auto failing_write = [&] {
    return store.write(*table, make_key("p"), [](const kv::Value*, RowChange& change) {
      change = put_row("2");
      change.entries = {{Area::of_index(1), make_key("i"), kv::Value("2")}};
      return true;
    });
  };
  for (const kv::ErrorKind kind : {kv::ErrorKind::io, kv::ErrorKind::conflict, kv::ErrorKind::timed_out}) {
    // The row, then twice the stamp and the row, because a transaction runs twice here.
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

TEST_CASE_METHOD(
    StoreFixture,
    "row: a write through an old version of the table ends with table_changed, and nothing is written") {
  const TablePointer old = make_table("t");
  write(store, *old, make_key("p"), "1");
  SECTION("altered") {
    REQUIRE(
        store.catalog().update(*old, [](const Table&) { return std::optional<std::string>("new"); }).ok());
    const auto before = everything();
    CHECK(write(store, *old, make_key("p"), "2") == WriteOutcome::table_changed);
    CHECK(everything() == before);
    const TablePointer current = store.catalog().open("t").value();
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
  SECTION("dropped and created again") {
    REQUIRE(store.catalog().drop(*old).value());
    const TablePointer current = make_table("t");
    CHECK(write(store, *old, make_key("p"), "2") == WriteOutcome::table_changed);
    CHECK(read(store, *current, make_key("p")) == std::nullopt);
  }
  SECTION("altered by another server over the same data") {
    Store other(engine, clock, ids, test_face);
    REQUIRE(
        other.catalog().update(*old, [](const Table&) { return std::optional<std::string>("new"); }).ok());
    CHECK(store.catalog().open("t").value()->version == 1);
    CHECK(write(store, *old, make_key("p"), "2") == WriteOutcome::table_changed);
    CHECK(store.catalog().open("t").value()->version == 2);
  }
}

}  // namespace dinette::store::row_test

#include "dinette/store/scan.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include <catch2/catch.hpp>

#include "store/store_fixture.h"
#include "support/random_seed.h"

namespace dinette::store::scan_test {
namespace {

std::vector<std::string> values(RowCursor cursor, std::size_t limit = 1'000'000) {
  std::vector<std::string> result;
  while (result.size() < limit && cursor.next().value()) result.emplace_back(cursor.value());
  return result;
}

}  // namespace

TEST_CASE_METHOD(StoreFixture, "scan: the rows of a partition, both ways, in bounds") {
  const TablePointer table = make_table("t");
  for (const char* sort : {"a", "b", "ba", "c"}) write(store, *table, make_key("p", sort), sort);
  for (const char* partition : {"o", "q", "pp", ""}) write(store, *table, make_key(partition, "b"), "other");
  const View view = store.view().value();
  const KeyRange partition = KeyRange::of_prefix(make_partition("p"));
  const auto scan = [&](const KeyRange& range, Direction direction) {
    return values(std::move(view.scan(*table, Area::rows(), range, direction)).value());
  };
  using Strings = std::vector<std::string>;
  CHECK(scan(partition, Direction::forward) == Strings{"a", "b", "ba", "c"});
  CHECK(scan(partition, Direction::backward) == Strings{"c", "ba", "b", "a"});

  std::string begins_with_b = make_partition("p");
  append_bytes_prefix(begins_with_b, "b");
  CHECK(scan(KeyRange::of_prefix(begins_with_b), Direction::forward) == Strings{"b", "ba"});

  KeyRange rest = partition;
  rest.start_after(make_key("p", "b"), Direction::forward);
  CHECK(scan(rest, Direction::forward) == Strings{"ba", "c"});
  rest = partition;
  rest.start_after(make_key("p", "bb"), Direction::backward);  // an absent key
  CHECK(scan(rest, Direction::backward) == Strings{"ba", "b", "a"});
  CHECK(scan(KeyRange::of_prefix(make_partition("none")), Direction::forward).empty());
}

TEST_CASE_METHOD(StoreFixture,
                 "scan: keys are returned as they were built, and areas and tables are separate") {
  const TablePointer table = make_table("t");
  const TablePointer neighbour = make_table("u");
  write(store, *neighbour, make_key("p"), "neighbour");
  REQUIRE(store
              .write(*table, make_key("p"),
                     [](const kv::Value*, RowChange& change) {
                       change = put_row("row");
                       change.entries = {{Area::of_index(1), make_key("i"), kv::Value("1")},
                                         {Area::of_index(2), make_key("i"), kv::Value("2")},
                                         {Area::expiry(), make_key("e"), kv::Value("3")}};
                       return true;
                     })
              .ok());
  const View view = store.view().value();
  const std::pair<Area, std::pair<std::string, std::string>> expected[] = {
      {Area::rows(), {make_key("p"), "row"}},
      {Area::of_index(1), {make_key("i"), "1"}},
      {Area::of_index(2), {make_key("i"), "2"}},
      {Area::expiry(), {make_key("e"), "3"}},
  };
  for (const auto& [area, entry] : expected) {
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      RowCursor cursor = std::move(view.scan(*table, area, {}, direction)).value();
      REQUIRE(cursor.next().value());
      CHECK(cursor.key() == entry.first);
      CHECK(cursor.value() == entry.second);
      CHECK(cursor.shared_value().view() == entry.second);
      CHECK_FALSE(cursor.next().value());
    }
  }
  CHECK(values(std::move(view.scan(*table, Area::of_index(3), {}, Direction::forward)).value()).empty());
}

TEST_CASE_METHOD(StoreFixture,
                 "scan: segments together see each row once, in pages, while writers continue") {
  const TablePointer table = make_table("t");
  std::mt19937_64 random(test::random_seed());
  std::set<std::string> expected;
  for (int i = 0; i < 500; ++i) {
    const std::string name = std::to_string(random() % 300) + "/" + std::to_string(i);
    write(store, *table, make_key(name.substr(0, name.find('/')), name), name);
    expected.insert(name);
  }
  for (const std::uint32_t segments : {1u, 3u, 8u}) {
    std::vector<std::string> seen;
    for (std::uint32_t segment = 0; segment < segments; ++segment) {
      KeyRange range = KeyRange::of_segment(segment, segments);
      while (true) {
        const View view = store.view().value();
        RowCursor cursor = std::move(view.scan(*table, Area::rows(), range, Direction::forward)).value();
        ScanBudget budget({.rows_looked_at = 1 + random() % 20});
        while (!budget.spent() && cursor.next().value()) {
          budget.look_at(cursor.value().size());
          seen.emplace_back(cursor.value());
          range.start_after(cursor.key(), Direction::forward);
          // Rows that change keep their positions.
          if (random() % 10 == 0)
            write(store, *table, make_key(seen.back().substr(0, seen.back().find('/')), seen.back()),
                  seen.back());
        }
        if (!budget.spent()) break;
      }
    }
    CHECK(seen.size() == expected.size());
    CHECK(std::set<std::string>(seen.begin(), seen.end()) == expected);
  }
}

TEST_CASE_METHOD(StoreFixture, "scan: a cursor moves to a key, within its range") {
  const TablePointer table = make_table("t");
  for (const char* sort : {"b", "d", "f", "h"}) write(store, *table, make_key("p", sort), sort);
  const View view = store.view().value();
  KeyRange range = KeyRange::of_prefix(make_partition("p"));
  range.end = make_key("p", "g");
  const auto at = [](RowCursor& cursor, std::string_view sort) {
    return cursor.seek(make_key("p", sort)).value() ? std::string(cursor.value()) : "end";
  };
  SECTION("forward") {
    RowCursor cursor = std::move(view.scan(*table, Area::rows(), range, Direction::forward)).value();
    CHECK(at(cursor, "d") == "d");
    CHECK(at(cursor, "e") == "f");
    CHECK_FALSE(cursor.next().value());
    CHECK(at(cursor, "a") == "b");  // back
    CHECK(cursor.next().value());
    CHECK(cursor.value() == "d");
    CHECK(at(cursor, "fa") == "end");  // "h" is outside
  }
  SECTION("backward") {
    RowCursor cursor = std::move(view.scan(*table, Area::rows(), range, Direction::backward)).value();
    CHECK(at(cursor, "e") == "d");
    CHECK(cursor.next().value());
    CHECK(cursor.value() == "b");
    CHECK(at(cursor, "z") == "f");
    CHECK(at(cursor, "a") == "end");
  }
  SECTION("a failure of the engine") {
    RowCursor cursor = std::move(view.scan(*table, Area::rows(), range, Direction::forward)).value();
    engine.plan().fail(test::EngineCall::cursor_move, 1, kv::ErrorKind::io);
    CHECK_FALSE(cursor.seek(make_key("p", "b")).ok());
  }
}

TEST_CASE_METHOD(StoreFixture, "scan: a view does not change, even when its table is dropped") {
  const TablePointer table = make_table("t");
  write(store, *table, make_key("p"), "1");
  const View view = store.view().value();
  write(store, *table, make_key("p"), "2");
  REQUIRE(store.catalog().drop(*table).value());
  CHECK(view.read(*table, make_key("p")).value()->view() == "1");
  CHECK(values(std::move(view.scan(*table, Area::rows(), {}, Direction::forward)).value()).size() == 1);
  CHECK(view.count(*table).value().rows == 1);
}

TEST_CASE_METHOD(StoreFixture, "scan: failures of the engine are passed on") {
  const TablePointer table = make_table("t");
  write(store, *table, make_key("p"), "1");
  const View view = store.view().value();
  RowCursor cursor = std::move(view.scan(*table, Area::rows(), {}, Direction::forward)).value();
  engine.plan().fail(test::EngineCall::cursor_move, 1, kv::ErrorKind::io);
  CHECK(!cursor.next().ok());
  engine.plan().fail(test::EngineCall::snapshot, 1, kv::ErrorKind::io);
  CHECK(!store.view().ok());
}

TEST_CASE("scan: a budget is spent by rows examined, by bytes, or by rows returned") {
  ScanBudget rows({.rows_looked_at = 2});
  rows.look_at(10);
  CHECK_FALSE(rows.spent());
  rows.look_at(10);
  CHECK(rows.spent());
  CHECK(rows.so_far().bytes_looked_at == 20);

  ScanBudget bytes({.bytes_looked_at = 25});
  bytes.look_at(24);
  CHECK_FALSE(bytes.spent());
  bytes.look_at(1);
  CHECK(bytes.spent());

  ScanBudget returned({.rows_returned = 1});
  returned.look_at(1000);
  CHECK_FALSE(returned.spent());
  returned.return_row();
  CHECK(returned.spent());

  ScanBudget before({.rows_looked_at = 3, .bytes_looked_at = 25});
  CHECK_FALSE(before.would_pass(1000));  // the first row always has room
  before.look_at(20);
  CHECK_FALSE(before.would_pass(5));
  CHECK(before.would_pass(6));
  before.look_at(0);
  before.look_at(0);
  CHECK(before.would_pass(0));

  ScanBudget none({});
  CHECK_FALSE(none.would_pass(1'000'000));
  none.look_at(1'000'000);
  CHECK_FALSE(none.spent());
}

}  // namespace dinette::store::scan_test

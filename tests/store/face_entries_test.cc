#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "store/store_fixture.h"

namespace dinette::store::face_entries_test {
namespace {

constexpr SpaceId tokens{1};
constexpr SpaceId jobs{2};

struct EntriesFixture : StoreFixture {
  TablePointer table = make_table("t");

  /// Writes a row and, in the same commit, an entry: null erases it.
  kv::Result<Written<bool>> write_with(SpaceId space, std::string key, kv::Value value) {
    return store.write(*table, make_key("p"), [&](const kv::Value*, RowChange& change) {
      change = put_row("row");
      change.entries.push_back({Area::of_face(space), key, value});
      return true;
    });
  }

  std::string entry(SpaceId space, std::string_view key) const {
    const auto value = store.view().value().read(space, key).value();
    return value ? std::string(value->view()) : "none";
  }

  std::vector<std::string> keys(SpaceId space, const KeyRange& range = {},
                                Direction direction = Direction::forward) const {
    RowCursor cursor = store.view().value().scan(space, range, direction).value();
    std::vector<std::string> result;
    while (cursor.next().value()) result.emplace_back(cursor.key());
    return result;
  }
};

using Keys = std::vector<std::string>;

}  // namespace

TEST_CASE_METHOD(EntriesFixture, "entries of the face: written with a row, or not at all") {
  CHECK(entry(tokens, "a") == "none");
  CHECK(write_with(tokens, "a", kv::Value("1")).value().outcome == WriteOutcome::applied);
  CHECK(entry(tokens, "a") == "1");
  CHECK(write_with(tokens, "a", {}).value().outcome == WriteOutcome::applied);
  CHECK(entry(tokens, "a") == "none");

  engine.plan().fail(test::EngineCall::commit, 1, kv::ErrorKind::io);
  CHECK_FALSE(write_with(tokens, "a", kv::Value("2")).ok());
  CHECK(entry(tokens, "a") == "none");
}

TEST_CASE_METHOD(EntriesFixture, "entries of the face: each space of each face has its own, sorted") {
  Store other(engine, clock, ids, other_face);
  for (const char* key : {"2", "1", "3"}) REQUIRE(write_with(jobs, key, kv::Value("job")).ok());
  REQUIRE(write_with(tokens, "2", kv::Value("token")).ok());
  CHECK(keys(jobs) == Keys{"1", "2", "3"});
  CHECK(keys(jobs, {"1\x01", ""}, Direction::backward) == Keys{"3", "2"});
  CHECK(keys(tokens) == Keys{"2"});
  CHECK(entry(jobs, "2") == "job");
  CHECK(entry(tokens, "2") == "token");
  CHECK_FALSE(other.view().value().read(jobs, "2").value());
}

TEST_CASE_METHOD(EntriesFixture, "entries of the face: they belong to no table, and are not counted") {
  REQUIRE(write_with(jobs, "1", kv::Value("job")).ok());
  CHECK(store.count(*table, static_cast<IndexId>(jobs)).value() == Count{});
  REQUIRE(store.catalog().drop(*table).value());
  CHECK(entry(jobs, "1") == "job");
}

TEST_CASE_METHOD(EntriesFixture, "entries of the face: a range of them is erased with a row") {
  for (const char* key : {"1", "2", "3"}) REQUIRE(write_with(jobs, key, kv::Value("job")).ok());
  REQUIRE(write_with(tokens, "1", kv::Value("token")).ok());
  const auto erase = [](const kv::Value*, RowChange& change) {
    change.erased_ranges.push_back({Area::of_face(jobs), {"", "3"}});
    return true;
  };
  REQUIRE(store.write(*table, make_key("p"), erase).value().outcome == WriteOutcome::applied);
  CHECK(keys(jobs) == Keys{"3"});
  CHECK(keys(tokens) == Keys{"1"});
}

TEST_CASE_METHOD(EntriesFixture, "entries of the face: they are written in the commit that changes a table") {
  const auto create = [&](std::string_view name, const char* value) {
    const EntryWrite entries[] = {{jobs, "created", kv::Value(value)}};
    return store.catalog().create(name, "schema", entries).value();
  };
  const TablePointer made = create("made", "first");
  CHECK(entry(jobs, "created") == "first");
  CHECK(create("made", "second") == nullptr);
  CHECK(entry(jobs, "created") == "first");

  const auto change = [](const Table&) {
    TableUpdate update("changed");
    update.entries = {{jobs, "created", {}}, {jobs, "updated", kv::Value("yes")}};
    return std::optional(std::move(update));
  };
  REQUIRE(store.catalog().update(*made, change).value()->version == 2);
  CHECK(entry(jobs, "created") == "none");
  CHECK(entry(jobs, "updated") == "yes");

  const auto drop = [](const Table&) { return TableDrop{.entries = {{jobs, "dropped", kv::Value("yes")}}}; };
  engine.plan().fail(test::EngineCall::commit, 1, kv::ErrorKind::io);
  CHECK_FALSE(store.catalog().drop(*made, drop).ok());
  CHECK(entry(jobs, "dropped") == "none");
  REQUIRE(store.catalog().drop(*made, drop).value());
  CHECK(entry(jobs, "dropped") == "yes");
}

TEST_CASE_METHOD(EntriesFixture, "entries of the face: expiry entries can be dropped with an update") {
  const auto add = [](const kv::Value*, RowChange& change) {
    change.row = RowChange::Row::put;
    change.value = kv::Value("row");
    change.entries.push_back({.area = Area::expiry(), .key = "1", .value = kv::Value("")});
    return true;
  };
  REQUIRE(store.write(*table, make_key("p"), add).value().outcome == WriteOutcome::applied);
  const auto has_expiry = [&](const Table& current) {
    return store.view().value().read(current, "1", Area::expiry()).value().has_value();
  };
  CHECK(has_expiry(*table));
  const auto drop = [](const Table&) {
    TableUpdate update("changed");
    update.drops_expiry = true;
    return std::optional(std::move(update));
  };
  const TablePointer changed = store.catalog().update(*table, drop).value();
  CHECK_FALSE(has_expiry(*changed));
  CHECK(store.read_row(*changed, make_key("p")).value());
}

TEST_CASE_METHOD(EntriesFixture, "entries of the face: a mark outlives its row, and decides about it") {
  const std::string key = make_key("p");
  const WriteTarget targets[] = {WriteTarget::row(*table, key), WriteTarget::mark(*table, key)};
  const auto write = [&](RowChange::Row what) {
    std::string found = "none";
    const auto decide = [&](const Rows& rows, RowChanges changes) {
      found = rows[1] ? std::string(rows[1]->view()) : "none";
      changes[0].row = what;
      if (what == RowChange::Row::put) changes[0].value = kv::Value("row");
      changes[0].entries.push_back(
          {.area = Area::marks(), .key = make_key("p"), .value = kv::Value(found + "+")});
      return true;
    };
    REQUIRE(store.write(targets, decide).value().outcome == WriteOutcome::applied);
    return found;
  };
  CHECK(write(RowChange::Row::put) == "none");
  CHECK(write(RowChange::Row::erase) == "none+");
  CHECK_FALSE(store.read_row(*table, make_key("p")).value());
  CHECK(write(RowChange::Row::keep) == "none++");
  const auto drop = [](const Table&) {
    TableUpdate update("changed");
    update.drops_marks = true;
    return std::optional(std::move(update));
  };
  const TablePointer changed = store.catalog().update(*table, drop).value();
  CHECK_FALSE(store.view().value().read(*changed, make_key("p"), Area::marks()).value());
}

}  // namespace dinette::store::face_entries_test

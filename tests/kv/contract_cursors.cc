#include <catch2/catch.hpp>

#include "kv/contract.h"
#include "kv/engine_calls.h"

namespace dinette::test::kv_contract {

using namespace kv;

void cursors(Subject subject) {
  const auto engine = subject.make();
  put(*engine, {{"b", "1"}, {"d", "2"}, {"d\xFF", "3"}, {"f", "4"}, {"\xFF", "5"}});
  const auto snapshot = engine->snapshot().value();
  const auto cursor_in = [&](Range range) { return std::move(snapshot->cursor(range)).value(); };

  SECTION("the order is that of unsigned bytes, both ways") {
    Entries entries = {{"b", "1"}, {"d", "2"}, {"d\xFF", "3"}, {"f", "4"}, {"\xFF", "5"}};
    CHECK(forward(*snapshot) == entries);
    std::reverse(entries.begin(), entries.end());
    CHECK(backward(*snapshot) == entries);
  }
  SECTION("bounds: begin belongs to the range, end does not") {
    CHECK(forward(*snapshot, {"d", "f"}) == Entries{{"d", "2"}, {"d\xFF", "3"}});
    CHECK(backward(*snapshot, {"c", "f"}) == Entries{{"d\xFF", "3"}, {"d", "2"}});
    CHECK(forward(*snapshot, {"", "d"}) == Entries{{"b", "1"}});
    CHECK(backward(*snapshot, {"e", ""}) == Entries{{"\xFF", "5"}, {"f", "4"}});
    CHECK(forward(*snapshot, {"g", "h"}).empty());
    CHECK(backward(*snapshot, {"g", "h"}).empty());
    CHECK(forward(*snapshot, {"f", "d"}).empty());
    CHECK(backward(*snapshot, {"f", "d"}).empty());
  }
  SECTION("a new cursor is on no entry, and moves from there stay there") {
    const auto cursor = cursor_in({});
    CHECK_FALSE(cursor->valid());
    CHECK_FALSE(cursor->next().value());
    CHECK_FALSE(cursor->previous().value());
    CHECK_FALSE(cursor->valid());
  }
  SECTION("past either end it is on no entry, and can be placed again") {
    const auto cursor = cursor_in({"b", "f"});
    CHECK(cursor->last().value());
    CHECK_FALSE(cursor->next().value());
    CHECK_FALSE(cursor->valid());
    CHECK_FALSE(cursor->previous().value());
    CHECK(cursor->first().value());
    CHECK_FALSE(cursor->previous().value());
    CHECK_FALSE(cursor->next().value());
    CHECK(cursor->seek("d").value());
    CHECK(cursor->key() == "d");
  }
  SECTION("seek finds the key or the next one within the bounds") {
    const auto cursor = cursor_in({"c", "f"});
    CHECK(cursor->seek("d").value());
    CHECK(entry_at(*cursor) == std::pair<std::string, std::string>("d", "2"));
    CHECK(cursor->seek("d0").value());
    CHECK(cursor->key() == "d\xFF");
    CHECK(cursor->seek("").value());
    CHECK(cursor->key() == "d");
    CHECK_FALSE(cursor->seek("e").value());
    CHECK_FALSE(cursor->seek("z").value());
    CHECK_FALSE(cursor->valid());
  }
  SECTION("seek_for_previous finds the key or the one before within the bounds") {
    const auto cursor = cursor_in({"c", "g"});
    CHECK(cursor->seek_for_previous("f").value());
    CHECK(cursor->key() == "f");
    CHECK(cursor->seek_for_previous("e").value());
    CHECK(cursor->key() == "d\xFF");
    CHECK(cursor->seek_for_previous("z").value());
    CHECK(cursor->key() == "f");
    CHECK_FALSE(cursor->seek_for_previous("c").value());
    CHECK_FALSE(cursor->seek_for_previous("").value());
    CHECK_FALSE(cursor->valid());
  }
  SECTION("directions may change") {
    const auto cursor = cursor_in({});
    CHECK(cursor->seek("d").value());
    CHECK(cursor->next().value());
    CHECK(cursor->previous().value());
    CHECK(cursor->previous().value());
    CHECK(cursor->key() == "b");
    CHECK(cursor->next().value());
    CHECK(cursor->key() == "d");
  }
  SECTION("a value can be kept beyond cursor, snapshot and engine") {
    Value kept;
    {
      const auto other = subject.make();
      put(*other, {{"a", "kept"}});
      const auto cursor = std::move(other->snapshot().value()->cursor({})).value();
      REQUIRE(cursor->first().value());
      kept = cursor->shared_value();
    }
    CHECK(kept.view() == "kept");
  }
  SECTION("a cursor keeps alive what it reads") {
    std::unique_ptr<Cursor> cursor;
    {
      const auto other = subject.make();
      put(*other, {{"a", "1"}, {"b", "2"}});
      cursor = std::move(other->snapshot().value()->cursor({})).value();
    }
    CHECK(cursor->first().value());
    CHECK(cursor->next().value());
    CHECK(entry_at(*cursor) == std::pair<std::string, std::string>("b", "2"));
  }
  SECTION("an empty engine has no entries") {
    const auto other = subject.make();
    CHECK(forward(*other->snapshot().value()).empty());
    CHECK(backward(*other->snapshot().value()).empty());
    const auto cursor = std::move(other->snapshot().value()->cursor({})).value();
    CHECK_FALSE(cursor->seek("a").value());
    CHECK_FALSE(cursor->seek_for_previous("a").value());
  }
}

void snapshots(Subject subject) {
  auto engine = subject.make();
  put(*engine, {{"a", "1"}, {"b", "1"}});
  const Entries before = all(*engine);
  const auto snapshot = engine->snapshot().value();
  put(*engine, {{"a", "2"}, {"c", "2"}});
  WriteBatch batch;
  batch.erase("b");
  write(*engine, batch);

  CHECK(forward(*snapshot) == before);
  CHECK(get(*snapshot, "c") == std::nullopt);
  CHECK(get_many(*snapshot, {"c", "a"}) == Texts{std::nullopt, "1"});
  CHECK(all(*engine) == Entries{{"a", "2"}, {"c", "2"}});
  engine.reset();
  CHECK(forward(*snapshot) == before);
}

void forks(Subject subject) {
  auto engine = subject.make();
  if (!engine->capabilities().forks) {
    CHECK(engine->fork().error().kind == ErrorKind::unsupported);
    return;
  }
  put(*engine, {{"a", "1"}, {"b", "1"}});
  auto fork = std::move(engine->fork()).value();
  put(*fork, {{"a", "fork"}});
  put(*engine, {{"b", "origin"}});
  CHECK(all(*fork) == Entries{{"a", "fork"}, {"b", "1"}});
  CHECK(all(*engine) == Entries{{"a", "1"}, {"b", "origin"}});
  engine.reset();
  put(*fork, {{"c", "fork"}});
  CHECK(all(*fork) == Entries{{"a", "fork"}, {"b", "1"}, {"c", "fork"}});
}

void resets(Subject subject) {
  const auto engine = subject.make();
  put(*engine, {{"a", "1"}, {"b", "1"}});
  const Entries before = all(*engine);
  const auto snapshot = engine->snapshot().value();
  if (!engine->capabilities().resets) {
    CHECK(engine->reset(*snapshot).error().kind == ErrorKind::unsupported);
    CHECK(all(*engine) == before);
    return;
  }
  SECTION("a reset can be repeated") {
    for (int i = 0; i < 2; ++i) {
      put(*engine, {{"a", "2"}, {"c", "2"}});
      REQUIRE(engine->reset(*snapshot).ok());
      CHECK(all(*engine) == before);
    }
    CHECK(forward(*snapshot) == before);
  }
  if (engine->capabilities().forks) {
    SECTION("a fork can be reset to a snapshot of its origin") {
      auto fork = std::move(engine->fork()).value();
      put(*fork, {{"a", "2"}});
      REQUIRE(fork->reset(*snapshot).ok());
      CHECK(all(*fork) == before);
    }
  }
}

}  // namespace dinette::test::kv_contract

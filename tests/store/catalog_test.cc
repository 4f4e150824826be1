#include "dinette/store/catalog.h"

#include <atomic>
#include <functional>
#include <future>
#include <optional>
#include <thread>
#include <utility>

#include <catch2/catch.hpp>

#include "store/store_fixture.h"
#include "support/random_seed.h"

namespace dinette::store::catalog_test {
namespace {

std::vector<std::string> names(const std::vector<TablePointer>& tables) {
  std::vector<std::string> result;
  for (const TablePointer& table : tables) result.push_back(table->name);
  return result;
}

/// Drops a table of that version only.
auto of_version(std::uint64_t version) {
  return [=](const Table& current) {
    return current.version == version ? std::optional(TableDrop()) : std::nullopt;
  };
}

}  // namespace

TEST_CASE_METHOD(StoreFixture, "catalog: a table exists from its creation until it is dropped") {
  Catalog& catalog = store.catalog();
  CHECK(catalog.open("t").value() == nullptr);
  const TablePointer created = catalog.create("t", "first").value();
  REQUIRE(created != nullptr);
  CHECK(created->version == 1);
  CHECK(created->description == "first");
  CHECK(created->schema_as<TestSchema>().text == "first");
  CHECK(catalog.open("t").value() == created);

  CHECK(catalog.create("t", "second").value() == nullptr);
  CHECK(catalog.open("t").value() == created);

  CHECK(catalog.drop(*created).value());
  CHECK(catalog.open("t").value() == nullptr);
  CHECK_FALSE(catalog.drop(*created).value());
}

TEST_CASE_METHOD(StoreFixture, "catalog: an id is never reused, by any face") {
  Store other(engine, clock, ids, other_face);
  const TablePointer first = make_table("t");
  REQUIRE(store.catalog().drop(*first).value());
  const TablePointer second = make_table("t");
  const TablePointer others = other.catalog().create("t", "").value();
  CHECK(first->id < second->id);
  CHECK(second->id < others->id);

  // An old version drops nothing but its own table.
  CHECK_FALSE(store.catalog().drop(*first).value());
  CHECK(store.catalog().open("t").value() == second);
}

TEST_CASE_METHOD(StoreFixture, "catalog: name spaces and faces do not see each other's tables") {
  Store other(engine, clock, ids, other_face);
  Store a(engine, clock, ids, test_face, {}, "a");
  Store b(engine, clock, ids, test_face, {}, "b");
  const TablePointer here = a.catalog().create("t", "").value();
  const TablePointer there = b.catalog().create("t", "").value();
  REQUIRE(here->id != there->id);
  CHECK(a.catalog().open("t").value() == here);
  CHECK(b.catalog().open("t").value() == there);
  CHECK(store.catalog().open("t").value() == nullptr);
  CHECK(other.catalog().open("t").value() == nullptr);
  CHECK(names(a.catalog().list("", 10).value()) == std::vector<std::string>{"t"});
  CHECK(a.catalog().drop(*here).value());
  CHECK(b.catalog().open("t").value() == there);
}

TEST_CASE_METHOD(StoreFixture, "catalog: updates make versions") {
  Catalog& catalog = store.catalog();
  const TablePointer first = make_table("t", "first");
  const TablePointer second =
      catalog
          .update(*first,
                  [](const Table& current) { return std::optional<std::string>(current.description + "+"); })
          .value();
  REQUIRE(second != nullptr);
  CHECK(second->id == first->id);
  CHECK(second->version == 2);
  CHECK(second->schema_as<TestSchema>().text == "first+");
  CHECK(first->description == "first");
  CHECK(catalog.open("t").value() == second);

  SECTION("a refusal leaves the table as it is") {
    const auto same =
        catalog.update(*first, [](const Table&) { return std::optional<std::string>(); }).value();
    REQUIRE(same != nullptr);
    CHECK(same->version == 2);
    CHECK(catalog.open("t").value()->version == 2);
  }
  SECTION("the table may be gone, and a younger one of its name is left alone") {
    REQUIRE(catalog.drop(*second).value());
    const auto change = [](const Table&) { return std::optional<std::string>("x"); };
    CHECK(catalog.update(*second, change).value() == nullptr);
    const TablePointer younger = make_table("t", "younger");
    CHECK(catalog.update(*second, change).value() == nullptr);
    CHECK(catalog.open("t").value() == younger);
    CHECK(store.catalog().open("t").value()->description == "younger");
  }
  SECTION("a table may stay when it is to be dropped") {
    CHECK_FALSE(catalog.drop(*first, of_version(1)).value());
    CHECK(catalog.open("t").value()->version == 2);
    CHECK(catalog.drop(*first, of_version(2)).value());
    CHECK(catalog.open("t").value() == nullptr);
  }
  SECTION("an old version will do for a drop") {
    CHECK(catalog.drop(*first).value());
    CHECK(catalog.open("t").value() == nullptr);
  }
}

TEST_CASE_METHOD(StoreFixture, "catalog: lists are sorted by the bytes of the names, in pages") {
  Catalog& catalog = store.catalog();
  for (const char* name : {"b", "a", "B", "a.1", "aa", "\xC3\xA9", "-"})
    REQUIRE(catalog.create(name, "").ok());
  const std::vector<std::string> all = {"-", "B", "a", "a.1", "aa", "b", "\xC3\xA9"};
  CHECK(names(catalog.list("", 100).value()) == all);
  CHECK(names(catalog.list("", 2).value()) == std::vector<std::string>{"-", "B"});
  CHECK(names(catalog.list("B", 2).value()) == std::vector<std::string>{"a", "a.1"});
  CHECK(names(catalog.list("a.0", 1).value()) == std::vector<std::string>{"a.1"});
  CHECK(names(catalog.list("\xC3\xA9", 1).value()).empty());
  CHECK(names(catalog.list("", 0).value()).empty());
}

TEST_CASE_METHOD(StoreFixture, "catalog: the next store over the engine finds the tables") {
  const TablePointer first = make_table("t", "kept");
  REQUIRE(store.catalog()
              .update(*first, [](const Table&) { return std::optional<std::string>("changed"); })
              .ok());
  Store next(engine, clock, ids, test_face);
  const TablePointer table = next.catalog().open("t").value();
  REQUIRE(table != nullptr);
  CHECK(table->schema_as<TestSchema>().text == "changed");
  CHECK(table->version == 2);
  CHECK(next.catalog().create("u", "").value()->id > table->id);
}

TEST_CASE_METHOD(StoreFixture, "catalog: a description that the face cannot decode is an error") {
  Catalog& catalog = store.catalog();
  const auto created = catalog.create("t", "!");
  REQUIRE(!created.ok());
  CHECK(created.error().kind == kv::ErrorKind::corrupt);
  CHECK(everything().empty());

  const TablePointer table = make_table("t");
  const auto updated = catalog.update(*table, [](const Table&) { return std::optional<std::string>("!"); });
  CHECK(!updated.ok());
  CHECK(catalog.open("t").value()->version == 1);
}

TEST_CASE_METHOD(StoreFixture, "catalog: a failed commit leaves nothing, in the engine and in the cache") {
  Catalog& catalog = store.catalog();
  engine.plan().fail(test::EngineCall::commit, 1, kv::ErrorKind::io);
  CHECK(!catalog.create("t", "").ok());
  CHECK(everything().empty());
  CHECK(catalog.open("t").value() == nullptr);

  const TablePointer table = make_table("t");
  engine.plan().fail(test::EngineCall::commit, 1, kv::ErrorKind::io);
  CHECK(!catalog.update(*table, [](const Table&) { return std::optional<std::string>("new"); }).ok());
  CHECK(catalog.open("t").value()->version == 1);
  engine.plan().fail(test::EngineCall::commit, 1, kv::ErrorKind::io);
  CHECK(!catalog.drop(*table).ok());
  CHECK(catalog.open("t").value() != nullptr);
}

TEST_CASE_METHOD(StoreFixture, "catalog: a reset restores the tables of the snapshot") {
  const TablePointer kept = make_table("kept");
  const auto snapshot = engine.snapshot().value();
  make_table("new");
  REQUIRE(store.catalog().drop(*kept).value());
  REQUIRE(store.reset(*snapshot).ok());
  CHECK(store.catalog().open("new").value() == nullptr);
  CHECK(store.catalog().open("kept").value()->id == kept->id);
}

TEST_CASE_METHOD(StoreFixture, "catalog: a reset restores the tables of all faces") {
  Store other(engine, clock, ids, other_face);
  Store* const both[] = {&other, &store};
  const TablePointer here = make_table("t", "then");
  const TablePointer there = other.catalog().create("t", "then").value();
  const auto snapshot = engine.snapshot().value();
  const auto change = [](const Table&) { return std::optional<TableUpdate>("now"); };
  REQUIRE(store.catalog().update(*here, change).ok());
  REQUIRE(other.catalog().update(*there, change).ok());
  REQUIRE(other.catalog().create("new", "").ok());
  REQUIRE(Store::reset(both, *snapshot).ok());
  CHECK(store.catalog().open("t").value()->description == "then");
  CHECK(other.catalog().open("t").value()->description == "then");
  CHECK(other.catalog().open("new").value() == nullptr);
}

TEST_CASE_METHOD(StoreFixture, "catalog: a missing table is reported while another one changes") {
  Catalog& catalog = store.catalog();
  const TablePointer table = make_table("t");
  bool told = false;
  const auto updated = catalog.update(*table, [&](const Table&) {
    // Would wait for ever if the look-up waited for this change.
    told = std::async(std::launch::async, [&] { return catalog.open("none"); }).get().value() == nullptr;
    return std::optional<std::string>("changed");
  });
  CHECK(told);
  CHECK(updated.value()->version == 2);
}

namespace {

/// Looks a table up from several threads while `changing` creates, changes and drops it repeatedly. Returns
/// how often a look-up found what had been replaced before it began.
int stale_look_ups(Catalog& catalog, Catalog& changing) {
  // How far the changes are, ascending through the versions of each table to its end.
  const auto stage = [](std::uint64_t id, std::uint64_t version) { return id * 4 + version; };
  constexpr std::uint64_t dropped = 3;
  std::atomic<std::uint64_t> reached{0};
  std::atomic<int> stale{0};
  std::atomic<bool> done{false};
  std::vector<std::thread> readers;
  for (int reader = 0; reader < 2; ++reader) {
    readers.emplace_back([&] {
      while (!done) {
        const std::uint64_t floor = reached;
        const auto table = catalog.open("t");
        if (!table.ok() || (*table != nullptr && stage((*table)->id, (*table)->version) < floor)) ++stale;
      }
    });
  }
  for (int round = 0; round < test::rounds_of(2'000); ++round) {
    const TablePointer table = changing.create("t", "schema").value();
    reached = stage(table->id, table->version);
    const auto changed =
        changing.update(*table, [](const Table&) { return std::optional<std::string>("changed"); });
    reached = stage(table->id, changed.value()->version);
    CHECK(changing.drop(*table).value());
    reached = stage(table->id, dropped);
  }
  done = true;
  for (std::thread& reader : readers) reader.join();
  return stale;
}

/// Called once, by the next decoding of a schema.
std::function<void()> when_decoding;

std::shared_ptr<const Schema> decode_and_call(std::string_view description) {
  if (const auto call = std::exchange(when_decoding, nullptr)) call();
  return decode_test_schema(description);
}

/// Two servers over one engine that declares itself shared.
struct SharedFixture : StoreFixture {
  SharedFixture() { engine.declare({.shared = true}); }
};

}  // namespace

TEST_CASE_METHOD(StoreFixture, "catalog: look-ups never cache what has been replaced") {
  CHECK(stale_look_ups(store.catalog(), store.catalog()) == 0);
}

TEST_CASE_METHOD(SharedFixture, "catalog: over a shared engine each server sees the changes of the others") {
  Store first(engine, clock, ids, test_face);
  Store second(engine, clock, ids, test_face);
  Catalog& here = first.catalog();
  Catalog& there = second.catalog();
  const TablePointer table = here.create("t", "new").value();
  const auto seen = there.open("t").value();
  REQUIRE(seen != nullptr);

  SECTION("nothing is read again as long as nothing changes") {
    const auto again = here.open("t").value();
    CHECK(there.open("t").value() == seen);
    CHECK(here.open("t").value() == again);
  }
  SECTION("a new description") {
    const auto change = [](const Table&) { return std::optional<TableUpdate>("changed"); };
    REQUIRE(here.update(*table, change).ok());
    CHECK(there.open("t").value()->description == "changed");
    REQUIRE(there.update(*table, [](const Table&) { return std::optional<TableUpdate>("back"); }).ok());
    CHECK(here.open("t").value()->description == "back");
  }
  SECTION("that a table is gone, or another one") {
    REQUIRE(here.drop(*table).value());
    CHECK(there.open("t").value() == nullptr);
    const TablePointer younger = here.create("t", "younger").value();
    CHECK(there.open("t").value()->id == younger->id);
  }
  SECTION("what look-ups put into the cache is never what another one has replaced") {
    REQUIRE(here.drop(*table).value());
    engine.run_transactions_twice(false);
    CHECK(stale_look_ups(there, here) == 0);
  }
  SECTION("that the engine fails is an error") {
    engine.plan().fail(test::EngineCall::get, 1, kv::ErrorKind::io);
    CHECK_FALSE(there.open("t").ok());
  }
}

TEST_CASE_METHOD(SharedFixture,
                 "catalog: a table replaced while it is read into the cache does not stay there") {
  Store first(engine, clock, ids, test_face);
  Store second(engine, clock, ids, {test_face.id, decode_and_call});
  const TablePointer table = first.catalog().create("t", "new").value();
  std::optional<kv::ErrorKind> refused;
  when_decoding = [&] {
    const auto change = [](const Table&) { return std::optional<TableUpdate>("changed"); };
    REQUIRE(first.catalog().update(*table, change).ok());
    // If it were let through, the change would count as seen before the old table is in the cache.
    std::thread([&] {
      const base::WaitingScope waiting(false);
      const auto opened = second.catalog().open("t");
      if (!opened.ok()) refused = opened.error().kind;
    }).join();
  };
  CHECK(second.catalog().open("t").value()->description == "new");
  CHECK(refused == kv::ErrorKind::timed_out);
  CHECK(second.catalog().open("t").value()->description == "changed");
}

TEST_CASE_METHOD(StoreFixture, "catalog: of many that create the same table one succeeds") {
  std::atomic<int> created{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        const auto table = store.catalog().create("t" + std::to_string(i), "");
        if (table.ok() && table.value() != nullptr) ++created;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(created == 50);
  CHECK(store.catalog().list("", 100).value().size() == 50);
}

TEST_CASE_METHOD(StoreFixture, "catalog: a thread that may not wait does not wait for changes of tables") {
  Catalog& catalog = store.catalog();
  const TablePointer table = make_table("t");
  Store other(engine, clock, ids, test_face);
  REQUIRE(other.catalog().create("uncached", "").ok());
  std::vector<bool> refused;
  const auto meanwhile = [&] {
    const base::WaitingScope waiting(false);
    const auto timed_out = [&](const auto& result) {
      refused.push_back(!result.ok() && result.error().kind == kv::ErrorKind::timed_out);
    };
    timed_out(catalog.create("new", ""));
    timed_out(catalog.update(*table, [](const Table&) { return std::optional<TableUpdate>(); }));
    timed_out(catalog.drop(*table));
    timed_out(catalog.open("uncached"));
    refused.push_back(!catalog.open("t").ok());
    refused.push_back(!catalog.open("nowhere").ok());
  };
  engine.run_transactions_twice(false);
  const auto updated = catalog.update(*table, [&](const Table&) {
    std::thread(meanwhile).join();
    return std::optional<TableUpdate>("changed");
  });
  CHECK(updated.value()->description == "changed");
  CHECK(refused == std::vector<bool>{true, true, true, true, false, false});
}

}  // namespace dinette::store::catalog_test

#include "dinette/store/write.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "store/store_fixture.h"

/// Writes of several targets. row_test.cc tests what a write does with one row, write_race_test.cc what
/// happens when writes meet.
namespace dinette::store::write_test {
namespace {

using test::EngineCall;

constexpr SpaceId tokens{1};

RowChange erase_row() {
  RowChange change;
  change.row = RowChange::Row::erase;
  change.count = {-1, 0};
  return change;
}

struct WriteFixture : StoreFixture {
  TablePointer first = make_table("first");
  TablePointer second = make_table("second");
  const std::string a = make_key("a");
  const std::string b = make_key("b");

  WriteFixture() { write(store, *first, a, "1"); }

  std::string token(std::string_view key) const {
    const auto value = store.view().value().read(tokens, key).value();
    return value ? std::string(value->view()) : "none";
  }
};

}  // namespace

TEST_CASE_METHOD(WriteFixture, "write: several rows of several tables, all or none") {
  const WriteTarget targets[] = {WriteTarget::row(*first, a), WriteTarget::row(*second, a),
                                 WriteTarget::row(*first, b)};
  const auto decide = [](const Rows& rows, RowChanges changes) {
    changes[0] = erase_row();
    changes[1] = put_row(rows[0]->view());
    changes[2] = put_row(!rows[1] && !rows[2] ? "new" : "old");
    return true;
  };
  SECTION("all") {
    CHECK(store.write(targets, decide).value().outcome == WriteOutcome::applied);
    CHECK(read(store, *first, a) == std::nullopt);
    CHECK(read(store, *second, a) == "1");
    CHECK(read(store, *first, b) == "new");
    CHECK(store.count(*first).value().rows == 1);
    CHECK(store.count(*second).value().rows == 1);
  }
  SECTION("none, as decided") {
    const auto before = everything();
    const auto refused = store.write(targets, [](const Rows&, RowChanges changes) {
      changes[2] = put_row("no");
      return false;
    });
    CHECK(refused.value().outcome == WriteOutcome::refused);
    CHECK(everything() == before);
  }
  SECTION("none, since the engine failed") {
    const auto before = everything();
    // All rows at once, then twice two stamps and all rows, because a transaction runs twice here.
    for (int nth = 1; nth <= 7; ++nth) {
      engine.plan().fail(EngineCall::get, nth, kv::ErrorKind::io);
      CHECK_FALSE(store.write(targets, decide).ok());
      CHECK(engine.plan().spent());
    }
    engine.plan().fail(EngineCall::commit, 1, kv::ErrorKind::io);
    CHECK_FALSE(store.write(targets, decide).ok());
    CHECK(everything() == before);

    engine.plan().fail(EngineCall::get, 8, kv::ErrorKind::io);
    CHECK(store.write(targets, decide).ok());
    CHECK_FALSE(engine.plan().spent());
  }
}

TEST_CASE_METHOD(WriteFixture, "write: what the decision returns comes back with the outcome") {
  using Answer = base::Result<int, std::string>;
  const WriteTarget targets[] = {WriteTarget::row(*first, a), WriteTarget::row(*first, b)};
  const auto decide = [](const Rows& rows, RowChanges changes) -> Answer {
    if (rows[1]) return base::Failure{std::string("there already: ").append(rows[1]->view())};
    changes[1] = put_row("2");
    return 7;
  };
  const auto applied = store.write(targets, decide).value();
  CHECK(applied.outcome == WriteOutcome::applied);
  CHECK(applied.decision.value() == 7);
  const auto refused = store.write(targets, decide).value();
  CHECK(refused.outcome == WriteOutcome::refused);
  CHECK(refused.decision.error() == "there already: 2");
}

TEST_CASE_METHOD(WriteFixture, "write: a row that is only checked stays as it is") {
  const WriteTarget targets[] = {WriteTarget::row(*first, a), WriteTarget::row(*second, b)};
  const auto put_second_if_first_is_1 = [](const Rows& rows, RowChanges changes) {
    changes[1] = put_row("2");
    return rows[0] && rows[0]->view() == "1";
  };
  CHECK(store.write(targets, put_second_if_first_is_1).value().outcome == WriteOutcome::applied);
  CHECK(read(store, *first, a) == "1");
  CHECK(read(store, *second, b) == "2");
  CHECK(store.count(*first).value() == Count{1, 1});

  write(store, *first, a, "3");
  CHECK(store.write(targets, put_second_if_first_is_1).value().outcome == WriteOutcome::refused);
}

TEST_CASE_METHOD(WriteFixture, "write: if all rows are only checked nothing is committed") {
  const WriteTarget targets[] = {WriteTarget::row(*first, a), WriteTarget::row(*second, b)};
  engine.plan().fail(EngineCall::commit, 1, kv::ErrorKind::io);
  const auto written = store.write(targets, [](const Rows& rows, RowChanges) { return rows[0] && !rows[1]; });
  CHECK(written.value().outcome == WriteOutcome::applied);
  CHECK_FALSE(engine.plan().spent());
}

TEST_CASE_METHOD(WriteFixture, "write: an entry of no table is read and written with the rows") {
  const WriteTarget targets[] = {WriteTarget::entry(tokens, "t"), WriteTarget::row(*first, b)};
  // Like an idempotency token, it keeps the second write from doing anything.
  const auto once = [](const Rows& rows, RowChanges changes) {
    changes[0] = put_row("done");
    changes[1] = put_row("row");
    return rows[0] == nullptr;
  };
  SECTION("once") {
    CHECK(store.write(targets, once).value().outcome == WriteOutcome::applied);
    CHECK(token("t") == "done");
    const auto before = everything();
    CHECK(store.write(targets, once).value().outcome == WriteOutcome::refused);
    CHECK(everything() == before);
  }
  SECTION("or not at all") {
    engine.plan().fail(EngineCall::commit, 1, kv::ErrorKind::io);
    CHECK_FALSE(store.write(targets, once).ok());
    CHECK(token("t") == "none");
  }
  SECTION("independent of the tables, and it is not counted") {
    CHECK(store.write(targets, once).value().outcome == WriteOutcome::applied);
    REQUIRE(store.catalog().drop(*first).value());
    CHECK(token("t") == "done");
    REQUIRE(store.catalog().drop(*second).value());
    CHECK(everything().size() == 2);  // with the last table id
  }
  SECTION("or alone, and is erased") {
    CHECK(store.write(targets, once).value().outcome == WriteOutcome::applied);
    const auto erase = [](const Rows&, RowChanges changes) {
      changes[0] = erase_row();
      return true;
    };
    CHECK(store.write(std::span(targets).first(1), erase).value().outcome == WriteOutcome::applied);
    CHECK(token("t") == "none");
  }
}

TEST_CASE_METHOD(WriteFixture, "write: the target whose table has changed is named, and nothing is written") {
  const WriteTarget targets[] = {WriteTarget::entry(tokens, "t"), WriteTarget::row(*first, a),
                                 WriteTarget::row(*second, a), WriteTarget::row(*first, b),
                                 WriteTarget::row(*second, b)};
  const auto put_all = [](const Rows&, RowChanges changes) {
    for (RowChange& change : changes) change = put_row("new");
    return true;
  };
  const auto changed = [&](std::size_t target) {
    const auto before = everything();
    const auto written = store.write(targets, put_all).value();
    CHECK(written.outcome == WriteOutcome::table_changed);
    CHECK(written.target == target);
    CHECK(everything() == before);
  };
  Store other(engine, clock, ids, test_face);
  const auto alter = [](const Table&) { return std::optional<TableUpdate>("new"); };
  SECTION("dropped") {
    REQUIRE(store.catalog().drop(*second).value());
    changed(2);
  }
  SECTION("altered by another server over the same data: the next open sees it") {
    REQUIRE(other.catalog().update(*second, alter).ok());
    CHECK(store.catalog().open("second").value()->version == 1);
    changed(2);
    CHECK(store.catalog().open("second").value()->version == 2);
  }
  SECTION("the first of several") {
    REQUIRE(store.catalog().drop(*second).value());
    REQUIRE(other.catalog().update(*first, alter).ok());
    changed(1);
  }
  SECTION("one version of a table is old, another one is not") {
    REQUIRE(store.catalog().update(*first, alter).ok());
    const TablePointer current = store.catalog().open("first").value();
    const WriteTarget mixed[] = {WriteTarget::row(*current, a), WriteTarget::row(*first, b)};
    const auto written = store.write(mixed, put_all).value();
    CHECK(written.outcome == WriteOutcome::table_changed);
    CHECK(written.target == 1);
  }
}

TEST_CASE_METHOD(WriteFixture, "write: a row of several keys is read whole") {
  const std::string row = make_partition("p");
  const WriteTarget targets[] = {WriteTarget::row_of_several_keys(*first, row), WriteTarget::row(*first, a)};
  for (const char* sort : {"2", "1"}) write(store, *first, make_key("p", sort), sort);
  write(store, *first, make_key("q"), "other");
  std::vector<std::vector<KeyAndValue>> seen;
  const auto decide = [&](const Rows& rows, RowChanges changes) {
    seen.emplace_back(rows.keys(0).begin(), rows.keys(0).end());
    CHECK(rows[0] == nullptr);
    CHECK(rows[1]->view() == "1");
    CHECK(rows.keys(1).empty());
    if (seen.size() == 1) write(store, *first, make_key("p", "3"), "3");
    changes[0].erased_ranges.push_back({Area::rows(), KeyRange::of_prefix(row)});
    return true;
  };
  CHECK(store.write(targets, decide).value().outcome == WriteOutcome::applied);
  const std::vector<KeyAndValue> before = {{make_key("p", "1"), kv::Value("1")},
                                           {make_key("p", "2"), kv::Value("2")}};
  CHECK(seen.front() == before);
  CHECK(seen.back().size() == 3);  // one more was added between the first decision and the locks
  CHECK(read(store, *first, make_key("p", "3")) == std::nullopt);
  CHECK(read(store, *first, make_key("q")) == "other");
}

TEST_CASE_METHOD(WriteFixture, "write: of a row of several keys only those are read that the write names") {
  const std::string row = make_partition("p");
  for (const char* sort : {"1", "21", "22", "23", "3"}) write(store, *first, make_key("p", sort), sort);
  write(store, *first, row, "itself");
  std::string twos = row;
  append_bytes_prefix(twos, "2");
  const KeysToRead wanted[] = {{KeyRange::of_prefix(make_key("p", "3"))}, {KeyRange::of_prefix(twos), 2}};
  const WriteTarget targets[] = {WriteTarget::row_with_keys(*first, row, wanted)};
  std::vector<std::vector<KeyAndValue>> seen;
  const auto decide = [&](const Rows& rows, RowChanges changes) {
    seen.emplace_back(rows.keys(0).begin(), rows.keys(0).end());
    CHECK(rows[0]->view() == "itself");
    if (seen.size() == 1) {
      write(store, *first, make_key("p", "1"), "not read");
      write(store, *first, make_key("p", "21"), "changed");
    }
    changes[0].entries.push_back({Area::rows(), make_key("p", "1"), {}});
    return true;
  };
  CHECK(store.write(targets, decide).value().outcome == WriteOutcome::applied);
  const std::vector<KeyAndValue> before = {{make_key("p", "3"), kv::Value("3")},
                                           {make_key("p", "21"), kv::Value("21")},
                                           {make_key("p", "22"), kv::Value("22")}};
  CHECK(seen.front() == before);
  CHECK(seen.back()[1].value.view() == "changed");  // between the first decision and the locks
  CHECK(read(store, *first, make_key("p", "1")) == std::nullopt);
  CHECK(read(store, *first, make_key("p", "21")) == "changed");
}

TEST_CASE_METHOD(WriteFixture, "write: if a cursor of the engine fails nothing is written") {
  const std::string row = make_partition("a");
  const WriteTarget targets[] = {WriteTarget::row_of_several_keys(*first, row)};
  const auto before = everything();
  const auto erase = [&](const Rows&, RowChanges changes) {
    changes[0].erased_ranges.push_back({Area::rows(), {}});
    return true;
  };
  engine.plan().fail(EngineCall::snapshot, 1, kv::ErrorKind::io);
  CHECK_FALSE(store.write(targets, erase).ok());
  // Two moves, once unlocked and twice locked.
  for (int nth = 1; nth <= 6; ++nth) {
    engine.plan().fail(EngineCall::cursor_move, nth, kv::ErrorKind::io);
    CHECK_FALSE(store.write(targets, erase).ok());
    CHECK(engine.plan().spent());
  }
  CHECK(everything() == before);
}

}  // namespace dinette::store::write_test

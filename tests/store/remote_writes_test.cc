#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "store/store_fixture.h"
#include "support/remote_engine.h"

/// What writes cost over an engine on another machine: one round trip reads, one commits.
namespace dinette::store::remote_writes_test {
namespace {

constexpr SpaceId tokens{1};

struct RemoteFixture {
  std::shared_ptr<kv::Engine> memory = kv::make_memory_engine();
  ::test::RemoteEngine engine{memory};
  base::ManualClock clock;
  base::SeededIds ids{1};
  Store store{engine, clock, ids, test_face};
  TablePointer table = store.catalog().create("t", "schema").value();
  TablePointer counted = store.catalog().create("counted", "counted").value();
  const std::string a = make_key("a");
  const std::string b = make_key("b");

  template <class Call>
  int trips_of(Call call) {
    const int before = engine.trips();
    call();
    return engine.trips() - before;
  }
};

/// Counts the partition's bytes.
RowChange put_counted(std::string_view bytes) {
  RowChange change = put_row(bytes);
  change.partition_bytes = static_cast<std::int64_t>(bytes.size());
  return change;
}

}  // namespace

TEST_CASE_METHOD(RemoteFixture, "remote writes: a write of a row takes two round trips") {
  CHECK(trips_of([&] { write(store, *table, a, "1"); }) == 2);
  CHECK(trips_of([&] { write(store, *table, a, "2"); }) == 2);
  CHECK(read(store, *table, a) == "2");
}

TEST_CASE_METHOD(RemoteFixture,
                 "remote writes: so does one of several tables, counted partitions and conditional entries") {
  const WriteTarget targets[] = {WriteTarget::row(*table, a), WriteTarget::row(*counted, a),
                                 WriteTarget::row(*counted, b), WriteTarget::entry(tokens, "token")};
  const auto decide = [&](const Rows&, RowChanges changes) {
    changes[0] = put_row("1");
    changes[0].entries.push_back(
        {Area::of_index(1), make_key("i"), kv::Value("entry"), {1, 5}, KeyWrite::When::absent});
    changes[1] = put_counted("12");
    changes[2] = put_counted("123");
    changes[3].row = RowChange::Row::put;
    changes[3].value = kv::Value("bound");
    return true;
  };
  CHECK(trips_of([&] { REQUIRE(store.write(targets, decide).value().outcome == WriteOutcome::applied); }) ==
        2);
  CHECK(read(store, *counted, b) == "123");
  CHECK(store.count(*table, 1).value() == Count{1, 5});
  CHECK(store.partition_bytes(*counted, make_partition("a")).value() == 2);
}

TEST_CASE_METHOD(RemoteFixture, "remote writes: a refused write takes one") {
  const auto refuse = [](const kv::Value*, RowChange&) { return false; };
  CHECK(trips_of([&] { REQUIRE(store.write(*table, a, refuse).value().outcome == WriteOutcome::refused); }) ==
        1);
}

TEST_CASE_METHOD(RemoteFixture, "remote writes: one that another server overtakes is decided again") {
  Store other(engine, clock, ids, test_face);
  const TablePointer there = other.catalog().open("t").value();
  bool overtaken = false;
  const auto append = [&](const kv::Value* row, RowChange& change) {
    change = put_row(std::string(row ? row->view() : "") + "2", row == nullptr);
    if (!std::exchange(overtaken, true)) write(other, *there, a, "1");
    return true;
  };
  REQUIRE(store.write(*table, a, append).value().outcome == WriteOutcome::applied);
  CHECK(read(store, *table, a) == "12");
  CHECK(store.count(*table).value().rows == 1);
}

TEST_CASE_METHOD(RemoteFixture, "remote writes: a partition that another server fills meanwhile is full") {
  Store other(engine, clock, ids, test_face);
  const TablePointer there = other.catalog().open("counted").value();
  const std::string full(99, 'x');
  bool overtaken = false;
  const auto put = [&](const kv::Value*, RowChange& change) {
    change = put_counted("12");
    if (std::exchange(overtaken, true)) return true;
    const auto fill = [&](const kv::Value*, RowChange& filling) {
      filling = put_counted(full);
      return true;
    };
    REQUIRE(other.write(*there, make_key("a", "other"), fill).value().outcome == WriteOutcome::applied);
    return true;
  };
  CHECK(store.write(*counted, make_key("a", "own"), put).value().outcome == WriteOutcome::partition_full);
}

TEST_CASE_METHOD(RemoteFixture, "remote writes: a table that another server has altered is opened again") {
  Store other(engine, clock, ids, test_face);
  const TablePointer there = other.catalog().open("t").value();
  const auto change = [](const Table&) { return std::optional<TableUpdate>("changed"); };
  REQUIRE(other.catalog().update(*there, change).ok());

  TablePointer opened;
  CHECK(trips_of([&] { opened = store.catalog().open_to_write("t").value(); }) == 0);
  CHECK(opened->description == "schema");
  CHECK(write(store, *opened, a, "1") == WriteOutcome::table_changed);
  CHECK(store.catalog().open_to_write("t").value()->description == "changed");
}

TEST_CASE_METHOD(RemoteFixture, "remote writes: refresh() says whether another server has altered a table") {
  Store other(engine, clock, ids, test_face);
  CHECK(store.catalog().refresh().value());  // its own changes count as well
  CHECK_FALSE(store.catalog().refresh().value());
  const TablePointer there = other.catalog().open("t").value();
  REQUIRE(other.catalog().drop(*there).value());
  CHECK(store.catalog().refresh().value());
  CHECK(store.catalog().open_to_write("t").value() == nullptr);
}

TEST_CASE_METHOD(StoreFixture, "refresh() costs nothing where no other server is") {
  const int before = engine.plan().calls();
  CHECK_FALSE(store.catalog().refresh().value());
  CHECK(engine.plan().calls() == before);
}

}  // namespace dinette::store::remote_writes_test

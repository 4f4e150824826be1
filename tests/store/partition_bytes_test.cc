#include <array>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "store/store_fixture.h"

namespace dinette::store::partition_bytes_test {

namespace {

struct CountedFixture : StoreFixture {
  TablePointer table = make_table("t", "counted");

  std::int64_t bytes(std::string_view partition) const {
    return store.partition_bytes(*table, table->schema->counted_partition(make_key(partition))).value();
  }

  WriteOutcome add(std::string_view partition, std::string_view sort, std::int64_t added) {
    return store
        .write(*table, make_key(partition, sort),
               [&](const kv::Value*, RowChange& change) {
                 change = growing(added);
                 return true;
               })
        .value()
        .outcome;
  }

  static RowChange growing(std::int64_t added) {
    RowChange change = put_row("row");
    change.partition_bytes = added;
    return change;
  }
};

}  // namespace

TEST_CASE_METHOD(CountedFixture, "partition bytes: each partition has its own, over all of its rows") {
  CHECK(bytes("p") == 0);
  CHECK(add("p", "1", 10) == WriteOutcome::applied);
  CHECK(add("p", "2", 20) == WriteOutcome::applied);
  CHECK(add("q", "1", 5) == WriteOutcome::applied);
  CHECK(bytes("p") == 30);
  CHECK(bytes("q") == 5);
  CHECK(add("p", "1", -10) == WriteOutcome::applied);
  CHECK(bytes("p") == 20);
}

TEST_CASE_METHOD(CountedFixture,
                 "partition bytes: nothing is stored for an empty partition, nor for a dropped table") {
  add("p", "1", 10);
  const auto entries = everything().size();
  add("p", "1", -10);
  CHECK(everything().size() == entries - 1);
  add("p", "1", 10);
  REQUIRE(store.catalog().drop(*table).value());
  CHECK(everything().size() == 1);  // the last table id
}

TEST_CASE_METHOD(CountedFixture, "partition bytes: a full partition accepts what does not make it grow") {
  CHECK(add("p", "1", 100) == WriteOutcome::applied);
  const auto full = everything();
  CHECK(add("p", "2", 1) == WriteOutcome::partition_full);
  CHECK(everything() == full);
  CHECK(add("p", "2", 0) == WriteOutcome::applied);
  CHECK(add("q", "1", 1) == WriteOutcome::applied);
  CHECK(add("p", "1", -1) == WriteOutcome::applied);
  CHECK(add("p", "3", 1) == WriteOutcome::applied);
  CHECK(bytes("p") == 100);
}

TEST_CASE_METHOD(CountedFixture,
                 "partition bytes: rows that are written together share their partition's room") {
  const TablePointer other = make_table("other");
  const std::string keys[] = {make_key("q", "1"), make_key("p", "1"), make_key("p", "2"), make_key("p", "3")};
  const WriteTarget targets[] = {WriteTarget::row(*table, keys[0]), WriteTarget::row(*table, keys[1]),
                                 WriteTarget::row(*other, keys[2]), WriteTarget::row(*table, keys[2]),
                                 WriteTarget::row(*table, keys[3])};
  const auto grow = [&](std::array<std::int64_t, 5> growth) {
    const auto decide = [&](const Rows&, RowChanges changes) {
      for (std::size_t i = 0; i < growth.size(); ++i) changes[i] = growing(growth[i]);
      return true;
    };
    return store.write(targets, decide).value();
  };
  REQUIRE(add("p", "0", 10) == WriteOutcome::applied);
  const auto before = everything();

  SECTION("the target that takes the partition beyond its limit is named") {
    const auto full = [&](std::array<std::int64_t, 5> growth, std::size_t at_fault) {
      const auto written = grow(growth);
      CHECK(written.outcome == WriteOutcome::partition_full);
      CHECK(written.target == at_fault);
      CHECK(everything() == before);
    };
    full({101, 0, 0, 0, 0}, 0);
    full({0, 91, 0, 0, 0}, 1);
    full({0, 50, 500, 41, 5}, 3);
    full({0, 50, 500, 40, 5}, 4);
    full({0, 95, 500, -10, 6}, 1);
  }
  SECTION("of a partition that is too large already, the first that makes it grow") {
    Store generous(engine, clock, ids, {test_face.id, test_face.decode, 1000});
    const auto add_200 = [](const kv::Value*, RowChange& change) {
      change = growing(200);
      return true;
    };
    REQUIRE(generous.write(*table, keys[1], add_200).value().outcome == WriteOutcome::applied);
    CHECK(grow({0, -5, 0, 10, 0}).target == 3);
    CHECK(grow({0, -5, 0, 5, 0}).outcome == WriteOutcome::applied);
  }
  SECTION("only their sum counts") {
    CHECK(grow({100, 120, 500, -50, 20}).outcome == WriteOutcome::applied);
    CHECK(bytes("p") == 100);
    CHECK(bytes("q") == 100);
  }
}

TEST_CASE_METHOD(StoreFixture, "partition bytes: other tables do not count them") {
  const TablePointer table = make_table("t");
  for (int i = 0; i < 2; ++i) {
    const auto written = store.write(*table, make_key("p"), [](const kv::Value*, RowChange& change) {
      change = put_row("row");
      change.partition_bytes = 1000;
      return true;
    });
    CHECK(written.value().outcome == WriteOutcome::applied);
  }
}

TEST_CASE_METHOD(StoreFixture, "partition bytes: writers of one partition cannot overfill it together") {
  engine.run_transactions_twice(false);
  const TablePointer table = make_table("t", "counted");
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 4; ++writer) {
    writers.emplace_back([&, writer] {
      for (int i = 0; i < 50; ++i) {
        (void)store.write(*table, make_key("p", std::to_string(writer * 100 + i)),
                          [](const kv::Value*, RowChange& change) {
                            change = put_row("row");
                            change.partition_bytes = 1;
                            return true;
                          });
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  CHECK(store.partition_bytes(*table, table->schema->counted_partition(make_key("p"))).value() == 100);
  CHECK(store.count(*table).value().rows == 100);
}

}  // namespace dinette::store::partition_bytes_test

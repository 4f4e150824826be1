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
        .write_row(*table, make_key(partition, sort),
                   [&](const kv::Value*) -> RowDecision { return growing(added); })
        .value();
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
                 "partition bytes: nothing is kept of an empty partition, nor of a dropped table") {
  add("p", "1", 10);
  const auto entries = everything().size();
  add("p", "1", -10);
  CHECK(everything().size() == entries - 1);
  add("p", "1", 10);
  REQUIRE(store.catalog().drop(*table).value());
  CHECK(everything().size() == 1);  // the last table id
}

TEST_CASE_METHOD(CountedFixture, "partition bytes: a full partition takes what does not let it grow") {
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
  const std::string keys[] = {make_key("p", "1"), make_key("p", "2"), make_key("q", "1")};
  const std::vector<RowTarget> targets = {
      {table.get(), keys[0]}, {table.get(), keys[1]}, {table.get(), keys[2]}};
  const auto grow = [&](std::int64_t each) {
    return store
        .write_rows(targets,
                    [&](RowReader&) {
                      std::vector<RowChange> changes;
                      for (std::size_t i = 0; i < targets.size(); ++i) changes.push_back(growing(each));
                      return std::optional(std::move(changes));
                    })
        .value();
  };
  const auto before = everything();
  CHECK(grow(51) == WriteOutcome::partition_full);
  CHECK(everything() == before);
  CHECK(grow(50) == WriteOutcome::applied);
  CHECK(bytes("p") == 100);
  CHECK(bytes("q") == 50);
}

TEST_CASE_METHOD(StoreFixture, "partition bytes: other tables do not count, whatever a change says") {
  const TablePointer table = make_table("t");
  for (int i = 0; i < 2; ++i) {
    const auto outcome = store.write_row(*table, make_key("p"), [](const kv::Value*) -> RowDecision {
      RowChange change = put_row("row");
      change.partition_bytes = 1000;
      return change;
    });
    CHECK(outcome.value() == WriteOutcome::applied);
  }
}

TEST_CASE_METHOD(StoreFixture, "partition bytes: writers of one partition cannot overfill it together") {
  engine.run_transactions_twice(false);
  const TablePointer table = make_table("t", "counted");
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 4; ++writer) {
    writers.emplace_back([&, writer] {
      for (int i = 0; i < 50; ++i) {
        (void)store.write_row(*table, make_key("p", std::to_string(writer * 100 + i)),
                              [](const kv::Value*) -> RowDecision {
                                RowChange change = put_row("row");
                                change.partition_bytes = 1;
                                return change;
                              });
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  CHECK(store.partition_bytes(*table, table->schema->counted_partition(make_key("p"))).value() == 100);
  CHECK(store.count(*table).value().rows == 100);
}

}  // namespace dinette::store::partition_bytes_test

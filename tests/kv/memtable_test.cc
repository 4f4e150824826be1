#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rocksdb/db.h>
#include <rocksdb/perf_context.h>
#include <rocksdb/perf_level.h>

#include "kv/durable/database.h"
#include "kv/durable/engine.h"
#include "kv/durable/reads.h"
#include "kv/engine_calls.h"
#include "kv/fixed_folder.h"
#include "support/temporary_folder.h"

// What a database has not written to files yet: in order while it is read, else only appended.
namespace dinette::test::memtable_test {

using namespace kv::durable;

namespace {

constexpr int keys = 100;

/// In an order that no skip list would get for nothing.
std::string key_of(int number) {
  return std::to_string(number * 7919 % 1009);
}

/// Returns how often RocksDB compares keys on this thread while `action` runs.
template <class Action>
std::uint64_t comparisons_of(Action action) {
  rocksdb::SetPerfLevel(rocksdb::kEnableCount);
  rocksdb::get_perf_context()->Reset();
  action();
  const std::uint64_t found = rocksdb::get_perf_context()->user_key_comparison_count;
  rocksdb::SetPerfLevel(rocksdb::kDisable);
  return found;
}

struct Fixture {
  ::test::TemporaryFolder folder;

  std::shared_ptr<const Database> open() const {
    DatabaseSettings settings = make_database_settings(1 << 20);
    settings.resident = true;
    return Database::open(std::make_shared<FixedFolder>(folder.path() / "engine"), settings).value();
  }
  std::unique_ptr<kv::Engine> open_engine(std::size_t resident_bytes) const {
    EngineSettings settings;
    settings.database = make_database_settings(1 << 20);
    settings.resident_bytes = resident_bytes;
    return kv::durable::open_engine(std::make_shared<FixedFolder>(folder.path() / "engine"), settings, {})
        .value();
  }
};

void put_into(const Database& database, int from, int to, const std::string& value) {
  for (int i = from; i < to; ++i)
    REQUIRE(database.db().Put({}, database.entries(), key_of(i), value + key_of(i)).ok());
}

void check_there(const Database& database, int from, int to, const std::string& value) {
  for (int i = from; i < to; ++i) {
    const auto found = read(database, key_of(i)).value();
    REQUIRE(found);
    CHECK(found->view() == value + key_of(i));
  }
}

std::vector<std::string> keys_in_order(const std::shared_ptr<const Database>& database) {
  std::vector<std::string> found;
  const auto cursor = make_cursor(*database, {}, database);
  for (bool more = cursor->first().value(); more; more = cursor->next().value())
    found.emplace_back(cursor->key());
  return found;
}

}  // namespace

TEST_CASE("while entries are not read, a write compares no keys") {
  const Fixture f;
  const auto database = f.open();
  database->end_reads();
  CHECK(comparisons_of([&] { put_into(*database, 0, keys, "a"); }) == 0);
  database->begin_reads();
  CHECK(comparisons_of([&] { put_into(*database, keys, 2 * keys, "a"); }) > 0);
}

TEST_CASE("once entries are read, a counter does not cost more to read with every addition to it") {
  const Fixture f;
  const auto database = f.open();
  database->end_reads();
  database->begin_reads();
  const std::string one("\0\0\0\0\0\0\0\1", 8);
  for (int i = 0; i < keys; ++i) REQUIRE(database->db().Merge({}, database->entries(), "counter", one).ok());
  CHECK(kv::read_counter(read(*database, "counter").value()->view(), 0) == keys);
  std::vector<rocksdb::PinnableSlice> unmerged(keys);
  rocksdb::GetMergeOperandsOptions options;
  options.expected_max_number_of_operands = keys;
  int count = 0;
  REQUIRE(database->db()
              .GetMergeOperands({}, database->entries(), "counter", unmerged.data(), &options, &count)
              .ok());
  CHECK(count <= 10);
}

TEST_CASE("all that was written is found, whether it is read before or after reads were announced") {
  const Fixture f;
  const auto database = f.open();
  CHECK(keys_in_order(database).empty());
  database->end_reads();
  CHECK_FALSE(read(*database, key_of(0)).value());
  put_into(*database, 0, keys, "a");
  check_there(*database, 0, keys, "a");
  const auto before = make_snapshot(database);
  put_into(*database, keys / 2, 2 * keys, "b");
  database->begin_reads();
  put_into(*database, 2 * keys, 3 * keys, "c");
  check_there(*database, 0, keys / 2, "a");
  check_there(*database, keys / 2, 2 * keys, "b");
  check_there(*database, 2 * keys, 3 * keys, "c");
  CHECK(before->get(key_of(keys - 1)).value()->view() == "a" + key_of(keys - 1));
  CHECK_FALSE(before->get(key_of(keys)).value());
  const auto found = keys_in_order(database);
  CHECK(found.size() == 3 * keys);
  CHECK(std::ranges::is_sorted(found));
}

TEST_CASE("what was written while entries were not read is there when the database is opened again") {
  const Fixture f;
  {
    const auto database = f.open();
    database->end_reads();
    put_into(*database, 0, keys, "a");
    put_into(*database, 0, keys / 2, "b");
    REQUIRE(database->db().Flush({}, database->entries()).ok());
    put_into(*database, keys, 2 * keys, "c");
  }
  const auto database = f.open();
  check_there(*database, 0, keys / 2, "b");
  check_there(*database, keys / 2, keys, "a");
  check_there(*database, keys, 2 * keys, "c");
}

TEST_CASE("commits compare no keys in the database while the copy in memory answers reads") {
  const Fixture f;
  const auto engine = f.open_engine(std::size_t{64} << 20);
  CHECK(comparisons_of([&] {
          for (int i = 0; i < keys; ++i) put(*engine, {{key_of(i), "a"}});
        }) == 0);
}

TEST_CASE("an engine whose copy outgrows memory goes on with what it had, also with its counters") {
  const Fixture f;
  const auto engine = f.open_engine(std::size_t{1} << 20);
  const std::string value(1 << 14, 'x');
  for (int i = 0; i < 2 * keys; ++i) {
    kv::WriteBatch batch;
    batch.put(key_of(i), kv::Value(value));
    batch.add("counter", {1, 2});
    REQUIRE(engine->write(batch).ok());
  }
  for (int i = 0; i < 2 * keys; ++i) REQUIRE(get(*engine, key_of(i)) == value);
  const std::string counters = get(*engine, "counter").value();
  CHECK(kv::read_counter(counters, 0) == 2 * keys);
  CHECK(kv::read_counter(counters, 1) == 4 * keys);
}

}  // namespace dinette::test::memtable_test

// What the memory engine costs: nanoseconds of CPU time a call and bytes a row. Usage: kv_bench [rows] [value
// bytes]

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <random>
#include <string>
#include <thread>

#include <malloc.h>
#include <unistd.h>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/kv/memory.h"
#include "dinette/store/key_codec.h"
#include "dinette/store/store.h"

namespace {

using namespace dinette;
using Steady = std::chrono::steady_clock;

std::size_t resident_bytes() {
  std::size_t pages = 0;
  std::size_t resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// Keys of a hashed table with one string as partition key, which is what a DynamoDB table usually has.
std::string row_key(std::size_t number) {
  const std::string customer = "customer#" + std::to_string(1'000'000'000 + number);
  std::string key;
  store::append_partition_hash(key, std::hash<std::string>{}(customer));
  store::append_bytes(key, customer);
  return key;
}

template <class Body>
void measure(const char* what, std::size_t calls, Body body) {
  const std::clock_t start = std::clock();
  for (std::size_t i = 0; i < calls; ++i) body(i);
  const double spent = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC * 1e9;
  std::printf("%-44s %8.0f ns\n", what, spent / static_cast<double>(calls));
}

void must(bool ok) {
  if (!ok) std::abort();
}

struct NoSchema final : store::Schema {};

}  // namespace

int main(int argc, char** argv) {
  const std::size_t rows = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  const std::size_t value_size = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1000;
  const auto engine = kv::make_memory_engine();
  const base::SystemClock clock;
  base::SystemIds ids;
  store::Store store(*engine, clock, ids, {1, [](std::string_view) -> std::shared_ptr<const store::Schema> {
                                             return std::make_shared<NoSchema>();
                                           }});
  const store::TablePointer table = store.catalog().create("bench", "").value();
  const std::string bytes(value_size, 'v');
  std::mt19937_64 random(1);

  const auto put_row = [&](std::size_t number) {
    const auto written =
        store.write(*table, row_key(number), [&](const kv::Value* current, store::RowChange& change) {
          change.row = store::RowChange::Row::put;
          change.value = kv::Value(bytes);
          change.count = {.rows = current == nullptr ? 1 : 0, .bytes = 1};
          return true;
        });
    must(written.ok());
  };

  const std::size_t before = resident_bytes();
  measure("insert a row (store)", rows, put_row);
  const double grown = static_cast<double>(resident_bytes() - before) / static_cast<double>(rows);
  std::printf("%-44s %8.0f bytes, of which value %zu\n", "resident a row", grown, value_size);

  constexpr std::size_t calls = 500'000;
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < calls; ++i) keys.push_back(row_key(random() % rows));
  measure("build a row key", calls, [&](std::size_t i) { must(!row_key(i).empty()); });
  measure("open a table", calls, [&](std::size_t) { must(store.catalog().open("bench").ok()); });
  measure("read a row at random (store)", calls,
          [&](std::size_t i) { must(store.read_row(*table, keys[i])->has_value()); });
  measure("read one row again and again (store)", calls,
          [&](std::size_t) { must(store.read_row(*table, keys[0])->has_value()); });
  measure("replace a row at random (store)", calls, [&](std::size_t) { put_row(random() % rows); });
  measure("replace one row again and again (store)", calls, [&](std::size_t) { put_row(7); });
  measure("take and drop a snapshot", calls, [&](std::size_t) { must(engine->snapshot().ok()); });
  measure("replace a row after a snapshot", calls / 5, [&](std::size_t) {
    const auto snapshot = engine->snapshot();
    put_row(random() % rows);
  });
  std::size_t seen = 0;
  const auto cursor = std::move(engine->snapshot().value()->cursor({})).value();
  must(cursor->first().ok());
  measure("step of a cursor over everything", rows, [&](std::size_t) {
    seen += cursor->value()[0] != 0;
    must(cursor->next().ok());
  });

  for (const int count : {1, 2}) {
    const auto start = Steady::now();
    std::vector<std::thread> threads;
    for (int thread = 0; thread < count; ++thread) {
      threads.emplace_back([&] {
        for (const std::string& key : keys) must(store.read_row(*table, key)->has_value());
      });
    }
    for (std::thread& thread : threads) thread.join();
    const std::chrono::duration<double> spent = Steady::now() - start;
    std::printf("reads of %d threads%*s %8.2f M/s\n", count, 26, "",
                static_cast<double>(calls) * count / spent.count() / 1e6);
  }

  measure("drop the table", 1, [&](std::size_t) { must(store.catalog().drop(*table).value()); });
}

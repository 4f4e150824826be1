#include "dinette/store/past_rows.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "store/store_fixture.h"
#include "support/random_seed.h"

/// The rows of a table as they were, by the former values that writes keep.
namespace dinette::store::past_rows_test {
namespace {

using namespace std::chrono_literals;
using Rows = std::map<std::string, std::string>;

struct PastFixture : StoreFixture {
  TablePointer table = make_table("t", "kept");
  const std::string a = make_key("a");
  const std::string b = make_key("b");

  PastFixture() { clock.set(base::TimePoint(100s)); }

  void put(const std::string& key, std::string_view bytes) {
    REQUIRE(write(store, *table, key, bytes) == WriteOutcome::applied);
  }
  void erase(const std::string& key) {
    const auto decide = [](const kv::Value*, RowChange& change) {
      change.row = RowChange::Row::erase;
      return true;
    };
    REQUIRE(store.write(*table, key, decide).value().outcome == WriteOutcome::applied);
  }
  void update(std::string description) {
    table = store.catalog().update(*table, [&](const Table&) { return TableUpdate(description); }).value();
  }

  Rows rows_at(PastMoment moment, std::string after = {}) const {
    const View view = store.view().value();
    PastRows past = view.scan_past(*table, moment, after).value();
    Rows rows;
    while (past.next().value()) rows.emplace(past.key(), past.value().view());
    return rows;
  }
  Rows rows_at(std::chrono::seconds moment) const { return rows_at({.moment = base::TimePoint(moment)}); }

  std::size_t versions() const {
    const View view = store.view().value();
    RowCursor cursor = view.scan(*table, Area::versions(), {}, Direction::forward).value();
    std::size_t count = 0;
    while (cursor.next().value()) ++count;
    return count;
  }
  void trim(std::chrono::seconds moment) {
    std::optional<std::string> place = "";
    while (place) place = store.trim_versions(*table, base::TimePoint(moment), *place).value();
  }
};

}  // namespace

TEST_CASE_METHOD(PastFixture, "past rows: a row is seen as it was, to the moment") {
  put(a, "1");
  clock.set(base::TimePoint(200s));
  put(a, "2");
  put(b, "new");
  clock.set(base::TimePoint(300s));
  erase(a);
  CHECK(rows_at(99s) == Rows{});
  CHECK(rows_at(100s) == Rows{{a, "1"}});
  CHECK(rows_at(199s) == Rows{{a, "1"}});
  CHECK(rows_at(200s) == Rows{{a, "2"}, {b, "new"}});
  CHECK(rows_at(300s) == Rows{{b, "new"}});
  CHECK(rows_at(PastMoment()) == Rows{{b, "new"}});
}

TEST_CASE_METHOD(PastFixture, "past rows: an empty row is not an absent one") {
  put(a, "");
  clock.set(base::TimePoint(200s));
  put(a, "2");
  CHECK(rows_at(99s) == Rows{});
  CHECK(rows_at(100s) == Rows{{a, ""}});
}

TEST_CASE_METHOD(PastFixture,
                 "past rows: of writes at one time a version of the table tells before and after") {
  put(a, "before");
  update("kept 2");
  const std::uint64_t version = table->version;
  put(a, "after");
  put(b, "after");
  CHECK(rows_at(PastMoment{.table_version = version}) == Rows{{a, "before"}});
  CHECK(rows_at(PastMoment{.table_version = version + 1}) == Rows{{a, "after"}, {b, "after"}});
  CHECK(rows_at(100s) == Rows{{a, "after"}, {b, "after"}});
}

TEST_CASE_METHOD(PastFixture, "past rows: a reader continues after the row that it has seen last") {
  put(a, "1");
  put(b, "1");
  clock.set(base::TimePoint(200s));
  erase(a);
  put(b, "2");
  const auto [first, second] = std::minmax(a, b);
  CHECK(rows_at({.moment = base::TimePoint(100s)}, first) == Rows{{second, "1"}});
  CHECK(rows_at({.moment = base::TimePoint(100s)}, second) == Rows{});
}

TEST_CASE_METHOD(PastFixture,
                 "past rows: after the clock was set back a row is what it was before it was later") {
  put(a, "1");
  clock.set(base::TimePoint(200s));
  put(a, "2");
  clock.set(base::TimePoint(150s));
  put(a, "3");
  CHECK(rows_at(120s) == Rows{{a, "1"}});
  CHECK(rows_at(160s) == Rows{{a, "1"}});
  CHECK(rows_at(200s) == Rows{{a, "3"}});
}

TEST_CASE_METHOD(PastFixture, "past rows: only tables that keep versions pay for them") {
  put(a, "1");
  CHECK(versions() == 1);
  update("schema");
  put(a, "2");
  erase(a);
  CHECK(versions() == 1);
}

TEST_CASE_METHOD(PastFixture, "past rows: what changes no row keeps no version") {
  put(a, "1");
  const auto entry_only = [](const kv::Value*, RowChange& change) {
    change.entries.push_back({.area = Area::of_index(1), .key = "x", .value = kv::Value("y")});
    return true;
  };
  CHECK(store.write(*table, a, entry_only).value().outcome == WriteOutcome::applied);
  CHECK(store.write(*table, a, [](const kv::Value*, RowChange&) { return false; }).value().outcome ==
        WriteOutcome::refused);
  CHECK(versions() == 1);
}

TEST_CASE_METHOD(PastFixture, "past rows: an update of the table can drop all versions") {
  put(a, "1");
  const auto decide = [](const Table&) {
    TableUpdate update("schema");
    update.drops_versions = true;
    return update;
  };
  table = store.catalog().update(*table, decide).value();
  CHECK(versions() == 0);
  CHECK(read(store, *table, a) == "1");
}

TEST_CASE_METHOD(PastFixture, "past rows: trimming takes only what no look back to the moment needs") {
  put(a, "1");
  put(b, "1");
  clock.set(base::TimePoint(200s));
  put(a, "2");
  erase(b);
  clock.set(base::TimePoint(300s));
  put(a, "3");
  CHECK(versions() == 5);
  const Rows at_200 = rows_at(200s);
  const Rows at_250 = rows_at(250s);
  trim(199s);
  CHECK(versions() == 3);
  CHECK(rows_at(199s) == Rows{{a, "1"}, {b, "1"}});
  trim(200s);
  CHECK(versions() == 1);
  CHECK(rows_at(200s) == at_200);
  CHECK(rows_at(250s) == at_250);
}

TEST_CASE_METHOD(PastFixture, "past rows: many versions are trimmed in several steps") {
  engine.run_transactions_twice(false);
  for (int i = 0; i < 5000; ++i) put(a, std::to_string(i));
  const auto place = store.trim_versions(*table, base::TimePoint(100s), "").value();
  REQUIRE(place);
  CHECK(versions() == 5000 - 4096);
  CHECK(!store.trim_versions(*table, base::TimePoint(100s), *place).value());
  CHECK(versions() == 0);
}

TEST_CASE_METHOD(PastFixture, "past rows: random writes, compared with a copy of the table per second") {
  engine.run_transactions_twice(false);
  std::mt19937 random(test::random_seed());
  const auto below = [&](int bound) { return std::uniform_int_distribution(0, bound - 1)(random); };
  std::vector<std::string> keys;
  for (int i = 0; i < 20; ++i) keys.push_back(make_key("p" + std::to_string(i % 5), std::to_string(i)));
  std::map<int, Rows> copies;  // by the second
  Rows rows;
  int second = 100;
  for (int i = 0; i < 2000; ++i) {
    const std::string& key = keys[static_cast<std::size_t>(below(static_cast<int>(keys.size())))];
    if (below(4) == 0) {
      erase(key);
      rows.erase(key);
    } else {
      const std::string bytes = std::to_string(i);
      put(key, bytes);
      rows[key] = bytes;
    }
    copies[second] = rows;
    if (below(3) == 0) {
      const int later = second + 1 + below(5);
      for (; second < later; ++second) copies[second] = rows;
      clock.set(base::TimePoint(std::chrono::seconds(second)));
      copies[second] = rows;
    }
    if (i % 500 == 499) {
      const int oldest = 100 + below(second - 100);
      trim(std::chrono::seconds(oldest));
      copies.erase(copies.begin(), copies.lower_bound(oldest));
    }
    if (i % 50 != 0) continue;
    const auto chosen = copies.lower_bound(100 + below(second - 99));
    if (chosen == copies.end()) continue;
    REQUIRE(rows_at(std::chrono::seconds(chosen->first)) == chosen->second);
  }
  for (const auto& [moment, copy] : copies) REQUIRE(rows_at(std::chrono::seconds(moment)) == copy);
}

}  // namespace dinette::store::past_rows_test

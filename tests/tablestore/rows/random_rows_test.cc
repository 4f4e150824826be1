#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <random>

#include <catch2/catch.hpp>

#include "support/random_seed.h"
#include "tablestore/rows/instance.h"

// Random writes, compared with a naive model of versions, times to live, deletions and increments.
namespace dinette::tablestore::random_rows_test {

using namespace test;

namespace {

/// The versions of a column, newest first.
using Versions = std::map<CellVersion, std::string, std::greater<>>;
using Columns = std::map<std::string, Versions>;
/// The rows that exist, by partition key and number.
using Model = std::map<std::pair<std::string, std::int64_t>, Columns>;

/// The service as the contract describes it, without regard to cost.
class NaiveTable {
 public:
  explicit NaiveTable(TableOptions options) : options_(options) {}

  void put(const std::string& k, std::int64_t n, const std::vector<CellChange>& cells, CellVersion now) {
    expire(now);
    rows_[{k, n}] = {};
    change(rows_[{k, n}], cells, now);
  }
  void update(const std::string& k, std::int64_t n, const std::vector<CellChange>& cells, CellVersion now) {
    expire(now);
    const bool creates = std::ranges::any_of(cells, [](const CellChange& cell) {
      return !cell.operation || cell.operation == CellOperation::increment;
    });
    if (!creates && !rows_.contains({k, n})) return;
    change(rows_[{k, n}], cells, now);
  }
  void remove(const std::string& k, std::int64_t n) { rows_.erase({k, n}); }

  /// The rows as shown(), with up to `versions` of each column.
  std::vector<std::string> rows(CellVersion now, std::int32_t versions) {
    expire(now);
    std::vector<std::string> lines;
    for (const auto& [key, columns] : rows_) lines.push_back(shown_row(key, columns, versions));
    return lines;
  }
  std::string row(const std::string& k, std::int64_t n, CellVersion now, std::int32_t versions) {
    expire(now);
    const auto found = rows_.find({k, n});
    return found == rows_.end() ? "none" : shown_row(found->first, found->second, versions);
  }

 private:
  static std::string shown_row(const std::pair<std::string, std::int64_t>& key, const Columns& columns,
                               std::int32_t versions) {
    std::string line = "k=" + key.first + " n=" + std::to_string(key.second) + " |";
    for (const auto& [name, cells] : columns) {
      std::int32_t count = 0;
      for (const auto& [version, value] : cells)
        if (count++ < versions) line += " " + name + "=" + value + "@" + std::to_string(version - start_time);
    }
    return line;
  }

  void change(Columns& columns, const std::vector<CellChange>& cells, CellVersion now) {
    for (const CellChange& cell : cells) {
      Versions& versions = columns[std::string(cell.name)];
      if (cell.operation == CellOperation::delete_all_versions) {
        versions.clear();
      } else if (cell.operation == CellOperation::delete_one_version) {
        versions.erase(*cell.version);
      } else if (cell.operation == CellOperation::increment) {
        const std::int64_t base = versions.empty() ? 0 : std::stoll(versions.begin()->second);
        versions[now] = std::to_string(base + cell.value->as_integer());
      } else {
        const Value& value = *cell.value;
        versions[cell.version.value_or(now)] = value.type() == ValueType::integer
                                                   ? std::to_string(value.as_integer())
                                                   : std::string(value.bytes());
      }
    }
    for (auto& [name, versions] : columns)
      while (versions.size() > static_cast<std::size_t>(options_.max_versions))
        versions.erase(std::prev(versions.end()));
    std::erase_if(columns, [](const auto& column) { return column.second.empty(); });
  }

  /// Removes what has expired, and rows of which that was all.
  void expire(CellVersion now) {
    if (options_.time_to_live < 0) return;
    const auto expired = [&](CellVersion version) {
      return version / 1000 + options_.time_to_live <= now / 1000;
    };
    for (auto row = rows_.begin(); row != rows_.end();) {
      std::size_t gone = 0;
      for (auto& [name, versions] : row->second)
        gone += std::erase_if(versions, [&](const auto& cell) { return expired(cell.first); });
      std::erase_if(row->second, [](const auto& column) { return column.second.empty(); });
      row = gone > 0 && row->second.empty() ? rows_.erase(row) : std::next(row);
    }
  }

  const TableOptions options_;
  Model rows_;
};

/// Makes random writes. Columns that begin with `i` are Integers, which are also incremented.
class RandomWrites {
 public:
  explicit RandomWrites(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t end) { return random_() % end; }

  std::vector<CellChange> cells(bool update, CellVersion now) {
    texts_.clear();
    std::vector<CellChange> cells;
    std::map<std::string_view, bool> incremented;
    for (std::size_t count = below(6) + (update ? 1 : 0); count > 0; --count) {
      const std::string_view name = names[below(names.size())];
      CellChange cell = one(name, update, now);
      const bool increments = cell.operation == CellOperation::increment;
      const auto [known, is_new] = incremented.try_emplace(name, increments);
      if (is_new || (known->second == increments)) cells.push_back(cell);
    }
    return cells;
  }

 private:
  static constexpr std::array<std::string_view, 7> names = {"a", "b", "ba", "c", "i1", "i2", "z"};

  CellChange one(std::string_view name, bool update, CellVersion now) {
    const std::size_t what = below(update ? 8 : 3);
    const CellVersion version = now - 2000 + static_cast<CellVersion>(below(4000));
    if (what == 7) return delete_all(name);
    if (what == 6) return delete_one(name, now - static_cast<CellVersion>(below(4)));
    const bool integer = name.front() == 'i';
    if (what > 3 && integer) return add(name, Value::integer(static_cast<std::int64_t>(below(100)) - 50));
    std::optional<CellVersion> given;
    if (below(2) == 0) given = version;
    if (integer) return number(name, static_cast<std::int64_t>(below(1000)), given);
    const std::size_t size = below(4) == 0 ? below(5000) : below(20);
    return text(name, texts_.emplace_back(size, static_cast<char>('a' + below(26))), given);
  }

  std::mt19937_64 random_;
  std::deque<std::string> texts_;
};

}  // namespace

TEST_CASE("random writes leave what a naive model has") {
  const std::uint64_t seed = ::dinette::test::random_seed();
  RandomWrites random(seed);
  TableOptions options;
  options.max_versions = static_cast<std::int32_t>(1 + random.below(4));
  options.time_to_live = random.below(2) == 0 ? -1 : 10;
  options.max_deviation = 5;
  CAPTURE(seed, options.max_versions, options.time_to_live);
  Instance in;
  in.create("t", options);
  NaiveTable naive(options);
  for (int round = ::dinette::test::rounds_of(1500); round > 0; --round) {
    const std::string k(1, static_cast<char>('p' + random.below(2)));
    const auto n = static_cast<std::int64_t>(random.below(3));
    switch (random.below(12)) {
      case 0:
        REQUIRE(in.remove("t", key(k, n)) == "ok");
        naive.remove(k, n);
        break;
      case 1: {
        const auto cells = random.cells(false, in.now());
        REQUIRE(in.put("t", key(k, n), cells) == "ok");
        naive.put(k, n, cells, in.now());
        break;
      }
      default: {
        const auto cells = random.cells(true, in.now());
        REQUIRE(in.update("t", key(k, n), cells) == "ok");
        naive.update(k, n, cells, in.now());
      }
    }
    if (random.below(3) == 0) in.advance(std::chrono::milliseconds(random.below(1500)));
    const auto versions = static_cast<std::int32_t>(1 + random.below(5));
    REQUIRE(in.get("t", key(k, n), {.max_versions = versions}) == naive.row(k, n, in.now(), versions));
    if (random.below(20) != 0) continue;
    std::vector<std::string> expected = naive.rows(in.now(), versions);
    const PrimaryKey least = bound(Value::inf_min(), Value::inf_min());
    const PrimaryKey greatest = bound(Value::inf_max(), Value::inf_max());
    REQUIRE(in.range("t", least, greatest, {.max_versions = versions}).rows == expected);
    std::ranges::reverse(expected);
    REQUIRE(in.range("t", greatest, least, {.max_versions = versions}, {}, api::Direction::backward).rows ==
            expected);
  }
}

TEST_CASE("rows of many columns are read by the columns that are named") {
  Instance in;
  in.create("t", {.max_versions = 3});
  std::vector<std::string> names;
  for (int i = 0; i < 500; ++i) names.push_back("c" + std::to_string(1000 + i));
  const std::string long_text(100, 'x');
  for (int version = 0; version < 5; ++version) {
    std::vector<CellChange> cells;
    for (const std::string& name : names) cells.push_back(text(name, long_text, start_time + version));
    CHECK(in.update("t", key("a", 1), cells) == "ok");
  }
  CHECK(in.update("t", key("a", 1), {number("c1003", 1), add("n1", Value::integer(1))}) == "ok");
  CHECK(in.get("t", key("a", 1), {.columns = {"c1003", "n1", "none"}, .max_versions = 1}) ==
        "k=a n=1 | c1003=" + long_text + "@4 n1=1@0");
  CHECK(in.get("t", key("a", 1), {.start_column = "c1499"}) == "k=a n=1 | c1499=" + long_text + "@4 n1=1@0");
  CHECK(in.update("t", key("a", 1), {delete_all("c1499"), delete_one("c1003", start_time + 4)},
                  {.condition = compares("n1", api::ComparatorType::equal, Value::integer(1), false)}) ==
        "ok");
  CHECK(in.get("t", key("a", 1), {.columns = {"c1499", "c1003"}, .max_versions = 1}) ==
        "k=a n=1 | c1003=" + long_text + "@3");
  CHECK(in.put("t", key("a", 1), {number("x", 1)}) == "ok");
  CHECK(in.get("t", key("a", 1)) == "k=a n=1 | x=1@0");
}

}  // namespace dinette::tablestore::random_rows_test

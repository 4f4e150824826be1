#include <map>
#include <random>

#include <catch2/catch.hpp>

#include "dinette/base/bytes.h"

#include "kv/contract.h"
#include "kv/engine_calls.h"
#include "support/random_seed.h"
#include "support/temporary_folder.h"

namespace dinette::test::kv_contract {

using namespace kv;

namespace {

using Map = std::map<std::string, std::string>;

/// An engine and its expected content.
struct Pair {
  std::shared_ptr<Engine> engine;
  Map expected;
};

class Run {
 public:
  Run(Subject subject, std::uint64_t seed) : subject_(subject), random_(seed) {
    pairs_.push_back({subject.open != nullptr ? subject.open(folder_.path()) : subject.make(), {}});
  }

  void step() {
    Pair& pair = pairs_[below(pairs_.size())];
    switch (below(12)) {
      case 0:
        return check_cursor(pair);
      case 1:
        return keep_snapshot(pair);
      case 2:
        if (subject_.open != nullptr && below(10) == 0) return reopen();
        if (pair.engine->capabilities().forks) fork(pair);
        return;
      default:
        return write_batch(pair);
    }
  }

  void check_all() {
    for (const Pair& pair : pairs_) check_same(*pair.engine->snapshot().value(), pair.expected);
    for (const auto& [snapshot, expected] : snapshots_) check_same(*snapshot, expected);
  }

 private:
  std::size_t below(std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_);
  }

  /// Returns keys that are near each other, with runs of the same bytes, of the extreme bytes, and sometimes
  /// long.
  std::string key() {
    static constexpr std::string_view letters(
        "\0\x01\x7F\x80\xFF"
        "ab",
        7);
    std::string bytes;
    if (below(8) == 0) bytes.assign(below(40) == 0 ? max_key_size - 32 : 20, letters[below(letters.size())]);
    for (std::size_t size = below(7); size > 0; --size) bytes += letters[below(letters.size())];
    return bytes;
  }
  std::string value() {
    return std::string(below(20) == 0 ? 3000 : below(30), static_cast<char>('a' + below(26)));
  }

  void write_batch(Pair& pair) {
    WriteBatch batch;
    for (std::size_t count = 1 + below(below(10) == 0 ? 200 : 4); count > 0; --count) {
      const std::string at = key();
      const std::size_t kind = below(20);
      if (kind < 12) {
        const std::string bytes = value();
        batch.put(at, Value(bytes));
        pair.expected[at] = bytes;
      } else if (kind < 18) {
        batch.erase(at);
        pair.expected.erase(at);
      } else if (kind == 18) {
        const std::int64_t by = static_cast<std::int64_t>(below(1000)) - 500;
        batch.add("counter" + at, {by, -by});
        std::string& counter = pair.expected["counter" + at];
        std::string increments;
        base::append_big_endian(increments, static_cast<std::uint64_t>(by));
        base::append_big_endian(increments, static_cast<std::uint64_t>(-by));
        counter = add_counters(Value(counter), increments).view();
      } else {
        erase_range(pair, batch);
      }
    }
    append(pair, batch);
  }

  /// Writes `batch`, sometimes with writes in commit order at its end.
  void append(Pair& pair, WriteBatch& batch) {
    std::vector<std::pair<std::string, std::string>> appended(below(4) == 0 ? 1 + below(3) : 0);
    for (auto& [prefix, bytes] : appended) {
      prefix = key();
      bytes = value();
      batch.put_in_commit_order(prefix, Value(bytes));
    }
    CommitPosition position{pair.engine->write(batch).value()};
    REQUIRE((position.number == 0) == appended.empty());
    for (auto& [prefix, bytes] : appended) {
      position.append_to(prefix);
      ++position.index;
      pair.expected[prefix] = bytes;
    }
  }

  void erase_range(Pair& pair, WriteBatch& batch) {
    std::string begin = key();
    std::string end = below(30) == 0 ? std::string() : key();
    // Mostly short ranges, or there would never be much data.
    if (!end.empty() && below(3) > 0) end = begin + '\x80';
    batch.erase_range({begin, end});
    std::erase_if(pair.expected, [&](const auto& entry) { return Range{begin, end}.contains(entry.first); });
  }

  void keep_snapshot(const Pair& pair) {
    if (snapshots_.size() == 4) snapshots_.erase(snapshots_.begin() + static_cast<std::ptrdiff_t>(below(4)));
    snapshots_.emplace_back(pair.engine->snapshot().value(), pair.expected);
  }

  /// Invalidates references to the pairs.
  void fork(const Pair& pair) {
    Pair copy{std::move(pair.engine->fork()).value(), pair.expected};
    if (pairs_.size() < 3) {
      pairs_.push_back(std::move(copy));
    } else {
      pairs_[1 + below(2)] = std::move(copy);  // the first one may have a folder to reopen
    }
  }

  /// Reopens the engine that has the folder. Its forks end with it, because one process at a time may have a
  /// folder open.
  void reopen() {
    snapshots_.clear();
    pairs_.resize(1);
    Pair& pair = pairs_.front();
    pair.engine.reset();
    pair.engine = subject_.open(folder_.path());
    check_same(*pair.engine->snapshot().value(), pair.expected);
  }

  void check_cursor(const Pair& pair) {
    const std::string begin = below(3) == 0 ? std::string() : key();
    const std::string end = below(3) == 0 ? std::string() : key();
    const auto snapshot = pair.engine->snapshot().value();
    const auto cursor = std::move(snapshot->cursor({begin, end})).value();
    Map inside;
    for (const auto& entry : pair.expected) {
      if (Range{begin, end}.contains(entry.first)) inside.insert(entry);
    }
    for (int i = 0; i < 8; ++i) {
      const std::string at = key();
      CHECK(get(*pair.engine, at) == find(pair.expected, at));
      auto position = inside.end();
      bool found;
      if (below(2) == 0) {
        position = inside.lower_bound(at);
        found = cursor->seek(at).value();
        REQUIRE(found == (position != inside.end()));
      } else {
        position = inside.upper_bound(at);
        found = cursor->seek_for_previous(at).value();
        REQUIRE(found == (position != inside.begin()));
        if (found) --position;
      }
      if (found) walk(*cursor, inside, position);
    }
  }

  /// A few steps back and forth.
  void walk(Cursor& cursor, const Map& inside, Map::const_iterator position) {
    for (int step = 0; step < 12; ++step) {
      REQUIRE(entry_at(cursor) == std::pair<std::string, std::string>(*position));
      if (below(2) == 0) {
        if (++position == inside.end()) {
          REQUIRE_FALSE(cursor.next().value());
          return;
        }
        REQUIRE(cursor.next().value());
      } else {
        if (position == inside.begin()) {
          REQUIRE_FALSE(cursor.previous().value());
          return;
        }
        --position;
        REQUIRE(cursor.previous().value());
      }
    }
  }

  static std::optional<std::string> find(const Map& map, const std::string& key) {
    const auto found = map.find(key);
    if (found == map.end()) return std::nullopt;
    return found->second;
  }

  static void check_same(const Reader& reader, const Map& expected) {
    Entries entries(expected.begin(), expected.end());
    REQUIRE(forward(reader) == entries);
    std::reverse(entries.begin(), entries.end());
    REQUIRE(backward(reader) == entries);
  }

  const Subject subject_;
  const ::test::TemporaryFolder folder_;  ///< of a durable engine
  std::mt19937_64 random_;
  std::vector<Pair> pairs_;
  std::vector<std::pair<std::shared_ptr<const Snapshot>, Map>> snapshots_;
};

}  // namespace

void random_operations(Subject subject) {
  Run run(subject, random_seed());
  for (int i = 0; i < 3000; ++i) {
    run.step();
    if (i % 100 == 0) run.check_all();
  }
  run.check_all();
}

}  // namespace dinette::test::kv_contract

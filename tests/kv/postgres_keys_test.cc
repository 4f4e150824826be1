#include <algorithm>
#include <set>

#include <catch2/catch.hpp>

#include "kv/engine_calls.h"
#include "kv/postgres/folded_batch.h"
#include "kv/postgres/keys.h"
#include "kv/postgres_cluster.h"

namespace dinette::test::postgres_keys_test {

using namespace kv;
using namespace kv::postgres;

namespace {

std::string long_key(std::size_t size, std::string_view end) {
  std::string key(size - end.size(), 'k');
  return key.append(end);
}

/// Keys around the places where they are cut, in ascending order.
std::set<std::string> keys_around_cuts() {
  std::set<std::string> keys = {"a", "k", "l"};
  for (const std::size_t cut : {part_size, 2 * part_size, 4 * part_size}) {
    for (const std::size_t size : {cut - 1, cut, cut + 1}) {
      for (const char* end : {"", "a", "k", "z"}) keys.insert(long_key(size, end));
    }
  }
  keys.insert(long_key(10'240, "m"));
  return keys;
}

Entries entries_of(const std::set<std::string>& keys) {
  Entries entries;
  for (const std::string& key : keys) entries.emplace_back(key, std::to_string(key.size()));
  return entries;
}

std::unique_ptr<Engine> engine_with(const std::set<std::string>& keys) {
  auto engine = make_postgres_engine();
  WriteBatch batch;
  for (const std::string& key : keys) batch.put(key, Value(std::to_string(key.size())));
  write(*engine, batch);
  return engine;
}

}  // namespace

TEST_CASE("PostgreSQL: a key is cut after each 2,400 bytes") {
  CHECK(place_of("short").parent.empty());
  CHECK(place_of(std::string(part_size - 1, 'k')).parent.empty());
  const std::string whole(part_size, 'k');
  const Place place = place_of(whole);
  CHECK(place.parent.size() == 32);
  CHECK(place.part.empty());
  CHECK(branches_of(whole).size() == 1);
  CHECK(branches_of(std::string(10'240, 'k')).size() == 4);
}

TEST_CASE("PostgreSQL: keys on both sides of a cut are read, in their order, both ways") {
  const auto keys = keys_around_cuts();
  const auto engine = engine_with(keys);
  Entries entries = entries_of(keys);
  for (const auto& [key, value] : entries) REQUIRE(get(*engine, key) == value);
  const auto snapshot = engine->snapshot().value();
  CHECK((forward(*snapshot) == entries));
  std::ranges::reverse(entries);
  CHECK((backward(*snapshot) == entries));
}

TEST_CASE("PostgreSQL: a range may begin and end anywhere around a cut, to be read or erased") {
  const auto keys = keys_around_cuts();
  const auto engine = engine_with(keys);
  const std::vector<std::string> bounds(keys.begin(), keys.end());
  for (std::size_t i = 0; i < bounds.size(); i += 3) {
    for (std::size_t j = i; j <= bounds.size(); j += 4) {
      const Range range{bounds[i], j < bounds.size() ? std::string_view(bounds[j]) : std::string_view()};
      std::set<std::string> inside;
      std::set<std::string> outside;
      for (const std::string& key : keys) (range.contains(key) ? inside : outside).insert(key);
      REQUIRE((forward(*engine->snapshot().value(), range) == entries_of(inside)));
      const auto fork = std::move(engine->fork()).value();
      WriteBatch batch;
      batch.erase_range(range);
      write(*fork, batch);
      REQUIRE((all(*fork) == entries_of(outside)));
    }
  }
}

TEST_CASE("PostgreSQL: nothing of a range is left, neither branches nor what is below them") {
  const auto engine = engine_with(keys_around_cuts());
  WriteBatch batch;
  batch.erase_range({});
  write(*engine, batch);
  put(*engine, {{"a", "1"}});
  CHECK(postgres_cluster().sql("select count(*) from dn_kv where world = (select max(world) from dn_left)") ==
        "1\n");
}

TEST_CASE("PostgreSQL: a page in the middle of keys that begin alike reads its own rows only") {
  const std::string prefix(2000, 'k');
  std::set<std::string> keys;
  for (int i = 1000; i < 1300; ++i) keys.insert(prefix + std::string(600, 'k') + std::to_string(i));
  const auto engine = engine_with(keys);
  const auto snapshot = engine->snapshot().value();
  const auto cursor = std::move(snapshot->cursor({})).value();
  const std::string middle = prefix + std::string(600, 'k') + "1150";
  REQUIRE(cursor->seek(middle).value());
  CHECK(cursor->key() == middle);
  REQUIRE(cursor->previous().value());
  CHECK(cursor->key().substr(2600) == "1149");
}

TEST_CASE("PostgreSQL: a number may be cut in the middle of a key in commit order") {
  const auto engine = make_postgres_engine();
  CommitNumber last = 0;
  for (std::size_t size = part_size - 14; size <= part_size + 1; ++size) {
    const std::string prefix(size, 'p');
    WriteBatch batch;
    batch.put_in_commit_order(prefix, Value("first"));
    batch.put_in_commit_order(prefix, Value("second"));
    const CommitNumber number = engine->write(batch).value();
    CHECK(number > last);
    last = number;
    std::string key = prefix;
    CommitPosition{number, 1}.append_to(key);
    CHECK(get(*engine, key) == "second");
  }
  CHECK(all(*engine).size() == 32);
}

TEST_CASE("PostgreSQL: a range over a part of the numbers of its own batch") {
  const auto engine = make_postgres_engine();
  WriteBatch first;
  first.put_in_commit_order("log", Value("1"));
  CommitPosition position{engine->write(first).value()};
  std::string after = "log";
  position.next().append_to(after);
  WriteBatch batch;
  batch.put_in_commit_order("log", Value("2"));
  batch.erase_range({"log", after});  // trims what was there, and not what comes later
  batch.put("a", Value("1"));
  write(*engine, batch);
  CHECK(all(*engine).size() == 2);
}

TEST_CASE("PostgreSQL: a batch is folded to one change per key") {
  WriteBatch batch;
  batch.put("a", Value("1"));
  batch.add("n", {1});
  batch.add("n", {2, 3});
  batch.erase("e");
  batch.erase_range({"x", "z"});
  batch.put("y", Value("2"));
  batch.erase("a");
  batch.add("a", {5});
  const FoldedBatch folded = fold(batch);
  using Kind = FoldedBatch::Point::Kind;
  REQUIRE(folded.points.size() == 4);
  CHECK(folded.points.at("a").kind == Kind::put);
  CHECK(read_counter(folded.points.at("a").value.view(), 0) == 5);
  CHECK(folded.points.at("n").increments == std::vector<std::uint64_t>{3, 3});
  CHECK(folded.points.at("e").kind == Kind::erase);
  CHECK(folded.ranges.size() == 1);
  CHECK_FALSE(folded.needs_number);
}

}  // namespace dinette::test::postgres_keys_test

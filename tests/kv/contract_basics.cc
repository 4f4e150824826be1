#include <limits>

#include <catch2/catch.hpp>

#include "kv/contract.h"
#include "kv/engine_calls.h"

namespace dinette::test::kv_contract {

using namespace kv;

void points_and_batches(Subject subject) {
  const auto engine = subject.make();

  SECTION("a key that was never written is absent") {
    CHECK(get(*engine, "a") == std::nullopt);
    CHECK(all(*engine).empty());
  }
  SECTION("keys and values are any bytes, the empty string included") {
    const std::string odd("\0\xFF\0", 3);
    put(*engine, {{"", "empty"}, {odd, ""}, {"a", odd}});
    CHECK(get(*engine, "") == "empty");
    CHECK(get(*engine, odd) == "");
    CHECK(get(*engine, "a") == odd);
    CHECK(get(*engine, std::string_view(odd).substr(0, 2)) == std::nullopt);
  }
  SECTION("several keys are read in one call, in any order, and twice") {
    put(*engine, {{"a", "1"}, {"b", ""}});
    CHECK(get_many(*engine, {"b", "c", "a", "b"}) == Texts{"", std::nullopt, "1", ""});
    CHECK(get_many(*engine, {}).empty());
  }
  SECTION("changes of a batch take effect in their order") {
    WriteBatch batch;
    batch.put("a", Value("1"));
    batch.put("a", Value("2"));
    batch.put("b", Value("1"));
    batch.erase("b");
    batch.put("c", Value("1"));
    batch.put("d", Value("1"));
    batch.erase_range({"c", "e"});
    batch.put("d", Value("2"));
    write(*engine, batch);
    CHECK(all(*engine) == Entries{{"a", "2"}, {"d", "2"}});
  }
  SECTION("an empty batch does nothing") {
    write(*engine, {});
    CHECK(all(*engine).empty());
  }
  SECTION("erasing an absent key is not an error") {
    put(*engine, {{"b", "1"}});
    WriteBatch batch;
    batch.erase("a");
    batch.erase_range({"c", ""});
    batch.erase_range({"b", "b"});
    batch.erase_range({"c", "a"});
    write(*engine, batch);
    CHECK(all(*engine) == Entries{{"b", "1"}});
  }
  SECTION("a range is erased including its begin and excluding its end") {
    put(*engine, {{"a", "1"}, {"b", "1"}, {"c", "1"}, {"d", "1"}});
    WriteBatch batch;
    SECTION("with both") {
      batch.erase_range({"b", "d"});
      write(*engine, batch);
      CHECK(all(*engine) == Entries{{"a", "1"}, {"d", "1"}});
    }
    SECTION("from the first key") {
      batch.erase_range({"", "c"});
      write(*engine, batch);
      CHECK(all(*engine) == Entries{{"c", "1"}, {"d", "1"}});
    }
    SECTION("to the last key") {
      batch.erase_range({"c", ""});
      write(*engine, batch);
      CHECK(all(*engine) == Entries{{"a", "1"}, {"b", "1"}});
    }
    SECTION("everything") {
      batch.erase_range({"", ""});
      write(*engine, batch);
      CHECK(all(*engine).empty());
    }
  }
}

void counters(Subject subject) {
  const auto engine = subject.make();
  const auto counter = [&](std::size_t index) { return read_counter(get(*engine, "n").value_or(""), index); };
  WriteBatch batch;
  batch.add("n", {1, -2});
  write(*engine, batch);
  CHECK(counter(0) == 1);
  CHECK(counter(1) == -2);
  CHECK(counter(2) == 0);

  SECTION("counters grow, and more can be added") {
    WriteBatch more;
    more.add("n", {10, -20, 30});
    more.add("n", {100});
    write(*engine, more);
    CHECK(counter(0) == 111);
    CHECK(counter(1) == -22);
    CHECK(counter(2) == 30);
  }
  SECTION("they wrap around") {
    WriteBatch more;
    more.add("n", {std::numeric_limits<std::int64_t>::max()});
    write(*engine, more);
    CHECK(counter(0) == std::numeric_limits<std::int64_t>::min());
  }
  SECTION("they are ordinary values") {
    WriteBatch more;
    more.erase("n");
    more.add("n", {5});
    write(*engine, more);
    CHECK(counter(0) == 5);
    CHECK(counter(1) == 0);
  }
  SECTION("a snapshot keeps the old ones") {
    const auto before = engine->snapshot().value();
    write(*engine, batch);
    CHECK(read_counter(get(*before, "n").value(), 0) == 1);
    CHECK(counter(0) == 2);
  }
}

void limits(Subject subject) {
  const auto engine = subject.make();
  const std::string key(max_key_size, 'k');
  const std::string value(max_value_size, 'v');
  put(*engine, {{key, value}});
  CHECK(get(*engine, key) == value);
  CHECK(get(*engine, key + "k") == std::nullopt);
  WriteBatch longest;
  longest.put_in_commit_order(key.substr(CommitPosition::encoded_size), Value("1"));
  CHECK(engine->write(longest).ok());

  WriteBatch batch;
  batch.put("small", Value("1"));
  SECTION("a longer key") {
    batch.put(key + "k", Value("1"));
  }
  SECTION("a longer value") {
    batch.put("a", Value(value + "v"));
  }
  SECTION("a longer prefix of a key in commit order") {
    batch.put_in_commit_order(key.substr(CommitPosition::encoded_size - 1), Value("1"));
  }
  SECTION("a longer key to count at") {
    batch.add(key + "k", {1});
  }
  const auto written = engine->write(batch);
  REQUIRE(!written.ok());
  CHECK(written.error().kind == ErrorKind::too_large);
  CHECK(get(*engine, "small") == std::nullopt);
}

}  // namespace dinette::test::kv_contract

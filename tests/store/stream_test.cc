#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "store/store_fixture.h"
#include "support/random_seed.h"

namespace dinette::store::stream_test {
namespace {

struct Record {
  StreamPosition position;
  std::string text;

  friend bool operator==(const Record&, const Record&) = default;
};

std::vector<Record> rest_of(StreamCursor records) {
  std::vector<Record> result;
  while (records.next().value()) result.push_back({records.position(), std::string(records.record())});
  return result;
}

std::vector<std::string> texts_of(const std::vector<Record>& records) {
  std::vector<std::string> texts;
  for (const Record& record : records) texts.push_back(record.text);
  return texts;
}

using Texts = std::vector<std::string>;

struct StreamFixture : StoreFixture {
  TablePointer table = make_table("t");
  StreamId stream = store.new_stream().value();

  std::vector<Record> records(StreamPosition from = {}, Direction direction = Direction::forward) const {
    return rest_of(store.view().value().read_stream(stream, from, direction).value());
  }

  /// Writes a row and its records.
  void append(const Texts& texts, std::string_view key = "p") {
    const auto decide = [&](const kv::Value*, RowChange& change) {
      change = put_row("row");
      for (const std::string& text : texts) change.records.push_back({stream, kv::Value(text)});
      return true;
    };
    if (store.write(*table, make_key(key), decide).value().outcome != WriteOutcome::applied) std::abort();
  }
};

}  // namespace

TEST_CASE_METHOD(StreamFixture, "stream: records are in the order of the writes, and of each write") {
  CHECK(records().empty());
  append({"1"});
  append({"2", "3"});
  append({});
  append({"4"});
  const auto all = records();
  CHECK(texts_of(all) == Texts{"1", "2", "3", "4"});
  CHECK(std::ranges::is_sorted(all, {}, &Record::position));

  SECTION("from a position on, or from the one after it") {
    CHECK(texts_of(records(all[1].position)) == Texts{"2", "3", "4"});
    CHECK(texts_of(records(all[1].position.next())) == Texts{"3", "4"});
    CHECK(texts_of(records(all[2].position.next())) == Texts{"4"});
    CHECK(records(all[3].position.next()).empty());
  }
  SECTION("backwards, down to a position") {
    CHECK(texts_of(records({}, Direction::backward)) == Texts{"4", "3", "2", "1"});
    CHECK(texts_of(records(all[2].position, Direction::backward)) == Texts{"4", "3"});
  }
  SECTION("a view sees the records of its moment, and records can be kept") {
    const View view = store.view().value();
    append({"5"});
    StreamCursor cursor = view.read_stream(stream, all[3].position).value();
    REQUIRE(cursor.next().value());
    const kv::Value kept = cursor.shared_record();
    CHECK_FALSE(cursor.next().value());
    CHECK(kept.view() == "4");
  }
}

TEST_CASE_METHOD(StreamFixture, "stream: a write says where its records are") {
  const StreamId other = store.new_stream().value();
  const std::string keys[] = {make_key("p"), make_key("q")};
  const WriteTarget targets[] = {WriteTarget::row(*table, keys[0]), WriteTarget::row(*table, keys[1])};
  const auto decide = [&](const Rows&, RowChanges changes) {
    changes[0].records = {{stream, kv::Value("1")}, {other, kv::Value("2")}};
    changes[1].records = {{stream, kv::Value("3")}};
    return true;
  };
  append({"0"});
  const auto written = store.write(targets, decide).value();
  const std::vector<Record> found = records(StreamPosition{written.commit, 0});
  CHECK(found == std::vector<Record>{{{written.commit, 0}, "1"}, {{written.commit, 2}, "3"}});
  const auto without = store.write(*table, keys[0], [](const kv::Value*, RowChange& change) {
    change = put_row("row");
    return true;
  });
  CHECK(without.value().commit == 0);
}

TEST_CASE_METHOD(StreamFixture, "stream: a refused write leaves no record") {
  const auto refused = store.write(*table, make_key("p"), [](const kv::Value*, RowChange&) { return false; });
  CHECK(refused.value().outcome == WriteOutcome::refused);
  engine.plan().fail(test::EngineCall::commit, 1, kv::ErrorKind::io);
  const auto failed = store.write(*table, make_key("p"), [&](const kv::Value*, RowChange& change) {
    change = put_row("row");
    change.records.push_back({stream, kv::Value("no")});
    return true;
  });
  CHECK_FALSE(failed.ok());
  CHECK(records().empty());
}

TEST_CASE_METHOD(StreamFixture, "stream: several streams are separate, also those of other faces") {
  Store other(engine, clock, ids, other_face);
  const StreamId second = store.new_stream().value();
  append({"1"});
  CHECK(texts_of(records()) == Texts{"1"});
  CHECK(rest_of(store.view().value().read_stream(second).value()).empty());
  CHECK(rest_of(other.view().value().read_stream(stream).value()).empty());
}

TEST_CASE_METHOD(StreamFixture, "stream: an id is never reused, nor is it the id of a table") {
  Store other(engine, clock, ids, other_face);
  const auto number = [](StreamId id) { return static_cast<std::uint64_t>(id); };
  CHECK(number(stream) > table->id);
  REQUIRE(store.trim_stream(stream, stream_end).ok());
  const StreamId second = other.new_stream().value();
  CHECK(number(second) > number(stream));
  CHECK(make_table("u")->id > number(second));
  engine.plan().fail(test::EngineCall::commit, 1, kv::ErrorKind::io);
  CHECK_FALSE(store.new_stream().ok());
}

TEST_CASE_METHOD(StreamFixture, "stream: it outlives its table until it is trimmed") {
  append({"1", "2"});
  append({"3"});
  REQUIRE(store.catalog().drop(*table).value());
  const auto all = records();
  CHECK(texts_of(all) == Texts{"1", "2", "3"});

  REQUIRE(store.trim_stream(stream, all[1].position).ok());
  CHECK(texts_of(records()) == Texts{"2", "3"});
  REQUIRE(store.trim_stream(stream, all[1].position).ok());
  CHECK(texts_of(records()) == Texts{"2", "3"});

  table = make_table("t");
  append({"4"});
  CHECK(texts_of(records(all[2].position.next())) == Texts{"4"});
  REQUIRE(store.trim_stream(stream, stream_end).ok());
  CHECK(records().empty());
}

TEST_CASE_METHOD(StreamFixture, "stream: its records are counted until they are trimmed") {
  const auto count = [&] { return store.view().value().count_stream(stream).value(); };
  CHECK(count() == Count{});
  append({"1", "22"});
  append({"333"});
  CHECK(count() == Count{3, 6});
  REQUIRE(store.trim_stream(stream, records()[2].position, {2, 3}).ok());
  CHECK(count() == Count{1, 3});
  // Of a folder from before records were counted, more go than were counted.
  REQUIRE(store.trim_stream(stream, records()[0].position.next(), {3, 7}).ok());
  CHECK(count() == Count{-2, -4});
  CHECK(store.kept_history().value().stream_records == Count{});
  append({"4444"});
  REQUIRE(store.trim_stream(stream, stream_end).ok());
  CHECK(count() == Count{});
}

TEST_CASE_METHOD(StreamFixture, "stream: a reader misses no record, while several threads append") {
  constexpr int writers = 4;
  const int rounds = test::rounds_of(2'000);
  engine.run_transactions_twice(false);
  std::atomic<int> writing{writers};
  std::vector<std::thread> threads;
  for (int writer = 0; writer < writers; ++writer) {
    threads.emplace_back([&, writer] {
      const std::string name = std::to_string(writer);
      for (int round = 0; round < rounds; ++round) append({name}, name);
      --writing;
    });
  }
  std::vector<Record> seen;
  for (bool done = false; !done;) {
    done = writing == 0;
    const auto more = records(seen.empty() ? StreamPosition{} : seen.back().position.next());
    seen.insert(seen.end(), more.begin(), more.end());
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(seen == records());
  CHECK(seen.size() == static_cast<std::size_t>(writers * rounds));
}

}  // namespace dinette::store::stream_test

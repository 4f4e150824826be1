#include <atomic>

#include <catch2/catch.hpp>

#include "kv/contract.h"
#include "kv/engine_calls.h"
#include "kv/in_threads.h"
#include "support/random_seed.h"

namespace dinette::test::kv_contract {

using namespace kv;

namespace {

CommitNumber append(Engine& engine, std::initializer_list<std::string_view> values) {
  WriteBatch batch;
  for (const std::string_view value : values) batch.put_in_commit_order("log", Value(value));
  return engine.write(batch).value();
}

CommitNumber append_in_transaction(Engine& engine, std::string_view value, std::string_view lock) {
  const Lock locks[] = {{lock}};
  return engine
      .transact({.locks = locks}, far_deadline(),
                [&](Transaction& transaction) -> Result<Decision> {
                  transaction.batch().put_in_commit_order("log", Value(value));
                  return Decision::commit;
                })
      .value();
}

using Log = std::vector<std::pair<CommitPosition, std::string>>;

Log log_of(const Reader& reader) {
  Log log;
  for (const auto& [key, value] : forward(reader, {"log", "loh"})) {
    if (key.size() != std::string_view("log").size() + CommitPosition::encoded_size)
      throw std::runtime_error("a key in commit order has another length");
    log.emplace_back(CommitPosition::at_end_of(key), value);
  }
  return log;
}
Log log_of(const Engine& engine) {
  return log_of(*engine.snapshot().value());
}

CommitNumber last_of(const Engine& engine) {
  return log_of(engine).back().first.number;
}

/// Appends to the log, and makes the same bytes the newest value.
void add_to(WriteBatch& batch, std::string_view bytes) {
  batch.put_in_commit_order("log", Value("first of " + std::string(bytes)));
  batch.put_in_commit_order("log", Value(bytes));
  batch.put("newest", Value(bytes));
}

CommitNumber append_newest(Engine& engine, std::string_view bytes, bool in_transaction) {
  WriteBatch batch;
  add_to(batch, bytes);
  if (!in_transaction) return engine.write(batch).value();
  const Lock locks[] = {{bytes}};
  const auto commit = [&](Transaction& transaction) {
    add_to(transaction.batch(), bytes);
    return Result<Decision>(Decision::commit);
  };
  return engine.transact({.locks = locks}, far_deadline(), commit).value();
}

/// Follows the log: reads what is after the last entry seen.
class Follower {
 public:
  /// Returns the newest entry seen.
  std::string read_on(const Reader& reader) {
    std::string newest;
    for (const auto& [key, value] : forward(reader, {next_, "loh"})) {
      ++seen_;
      next_ = key + '\0';
      newest = value;
    }
    return newest;
  }
  std::size_t seen() const { return seen_; }

 private:
  std::string next_ = "log";
  std::size_t seen_ = 0;
};

/// Appends from several threads, by write() and by transact(). A reader that follows the log misses nothing,
/// and the last entry is always that of the newest commit.
void readers_miss_nothing(Engine& engine) {
  constexpr int writers = 4;
  const int rounds = rounds_of(5'000);
  std::atomic<int> writing{writers};
  Follower follower;
  const auto problems = in_threads(writers + 1, [&](int thread) {
    if (thread < writers) {
      CommitNumber last = 0;
      for (int round = 0; round < rounds; ++round) {
        const std::string bytes = std::to_string(thread) + "." + std::to_string(round);
        const CommitNumber number = append_newest(engine, bytes, thread % 2 == 0);
        expect(number > last, "a commit has a smaller number than one before it");
        last = number;
      }
      --writing;
      return;
    }
    for (bool done = false; !done;) {
      done = writing == 0;
      const auto snapshot = engine.snapshot().value();
      const std::string newest = follower.read_on(*snapshot);
      expect(newest.empty() || get(*snapshot, "newest") == newest, "the newest is not the last");
    }
  });
  CHECK(problems == std::vector<std::string>{});
  CHECK(follower.seen() == static_cast<std::size_t>(writers * rounds * 2));
}

/// How forks and resets continue the numbers, for engines that have them.
void forked_and_reset(Engine& engine) {
  const bool forks = engine.capabilities().forks;
  const bool resets = engine.capabilities().resets;
  if (resets) {
    SECTION("nor with a reset") {
      const auto empty = engine.snapshot().value();
      append(engine, {"1"});
      const CommitNumber before = append(engine, {"2"});
      REQUIRE(engine.reset(*empty).ok());
      CHECK(append(engine, {"3"}) > before);
      CHECK(log_of(engine).size() == 1);
    }
  }
  if (forks) {
    SECTION("a fork continues from the number of its origin") {
      const CommitNumber before = append(engine, {"1"});
      const auto fork = std::move(engine.fork()).value();
      CHECK(append(*fork, {"2"}) > before);
      CHECK(append(engine, {"3"}) > before);
    }
  }
  if (forks && resets) {
    SECTION("an engine that is reset to what another one wrote continues from there") {
      const auto fork = std::move(engine.fork()).value();
      for (int i = 0; i < 3; ++i) append(engine, {"1"});
      REQUIRE(fork->reset(*engine.snapshot().value()).ok());
      const CommitNumber before = last_of(*fork);
      CHECK(append(*fork, {"2"}) > before);
      CHECK(last_of(*fork) > before);
    }
  }
}

}  // namespace

void commit_order(Subject subject) {
  const auto engine = subject.make();

  SECTION("keys are the prefix and the commit's position") {
    const CommitNumber number = append(*engine, {"1"});
    CHECK(number > 0);
    std::string key = "log";
    CommitPosition{number, 0}.append_to(key);
    CHECK(all(*engine) == Entries{{key, "1"}});
  }
  SECTION("several in one batch follow each other in their order, whatever is between them") {
    WriteBatch batch;
    batch.put_in_commit_order("log", Value("1"));
    batch.put("a", Value("a"));
    batch.put_in_commit_order("other", Value("2"));
    batch.put_in_commit_order("log", Value("3"));
    const CommitNumber number = engine->write(batch).value();
    CHECK(log_of(*engine) == Log{{{number, 0}, "1"}, {{number, 2}, "3"}});
    batch.clear();
    batch.put_in_commit_order("log", Value("4"));
    const CommitNumber next = engine->write(batch).value();
    CHECK(next > number);
    CHECK(log_of(*engine) == Log{{{number, 0}, "1"}, {{number, 2}, "3"}, {{next, 0}, "4"}});
  }
  SECTION("they take effect in their place within the batch") {
    WriteBatch batch;
    batch.put_in_commit_order("log", Value("1"));
    batch.erase_range({"log", "loh"});
    batch.put_in_commit_order("log", Value("2"));
    const CommitNumber number = engine->write(batch).value();
    CHECK(log_of(*engine) == Log{{{number, 1}, "2"}});
  }
  SECTION("transactions have numbers, too, one each however often they ran") {
    const CommitNumber first = append(*engine, {"1"});
    const CommitNumber second = append_in_transaction(*engine, "2", "l");
    CHECK(first < second);
    CHECK(log_of(*engine) == Log{{{first, 0}, "1"}, {{second, 0}, "2"}});
  }
  SECTION("a commit without writes in commit order has no number") {
    WriteBatch batch;
    batch.put("a", Value("1"));
    CHECK(engine->write(batch).value() == 0);
    const auto abandoned = engine->transact({}, far_deadline(), [](Transaction& transaction) {
      transaction.batch().put_in_commit_order("log", Value("1"));
      return Result<Decision>(Decision::abandon);
    });
    CHECK(abandoned.value() == 0);
    CHECK(log_of(*engine).empty());
  }
  SECTION("numbers do not go back when everything is erased") {
    const CommitNumber before = append(*engine, {"1"});
    WriteBatch batch;
    batch.erase_range({});
    write(*engine, batch);
    CHECK(append(*engine, {"2"}) > before);
  }
  SECTION("readers miss nothing, while several threads append") {
    readers_miss_nothing(*engine);
  }
  forked_and_reset(*engine);
}

}  // namespace dinette::test::kv_contract

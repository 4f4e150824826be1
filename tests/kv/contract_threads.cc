#include <atomic>
#include <random>

#include <catch2/catch.hpp>

#include "kv/contract.h"
#include "kv/engine_calls.h"
#include "kv/in_threads.h"
#include "support/random_seed.h"

namespace dinette::test::kv_contract {

using namespace kv;

namespace {

constexpr int threads = 4;

std::string name(const char* prefix, std::size_t number) {
  return prefix + std::to_string(number);
}

/// Adds one to the number at each of `keys`, by reading and writing, with a lock on each.
void increment(Engine& engine, const std::vector<std::string>& keys) {
  std::vector<Lock> locks;
  for (const std::string& key : keys) locks.push_back({key});
  const auto done =
      engine.transact({.locks = locks}, far_deadline(), [&](Transaction& transaction) -> Result<Decision> {
        for (const std::string& key : keys) {
          DINETTE_TRY(const auto value, transaction.get(key));
          const int next = value ? std::stoi(std::string(value->view())) + 1 : 1;
          transaction.batch().put(key, Value(std::to_string(next)));
        }
        return Decision::commit;
      });
  expect(done.ok(), "a transaction failed");
}

void count_on(Engine& engine) {
  const Lock locks[] = {{"r"}};
  const auto done =
      engine.transact({.locks = locks}, far_deadline(), [&](Transaction& transaction) -> Result<Decision> {
        const std::size_t number = std::stoul(get(transaction, "r").value_or("0")) + 1;
        transaction.batch().put("r", Value(std::to_string(number)));
        transaction.batch().put(name("mark", number), Value("1"));
        return Decision::commit;
      });
  expect(done.ok(), "a transaction failed");
}

void increments_lose_nothing(Engine& engine) {
  constexpr int rounds = 300;
  constexpr std::size_t counters = 5;
  const std::uint64_t seed = random_seed();
  const auto problems = in_threads(threads, [&](int thread) {
    std::mt19937_64 random(seed + static_cast<std::uint64_t>(thread));
    for (int i = 0; i < rounds; ++i) {
      // Two at a time, in any order: an engine that does not order its locks deadlocks here.
      const std::size_t first = random() % counters;
      const std::size_t second = (first + 1 + random() % (counters - 1)) % counters;
      increment(engine, {name("n", first), name("n", second)});
      WriteBatch batch;
      batch.add("sum", {2});
      write(engine, batch);
    }
  });
  CHECK(problems == std::vector<std::string>{});
  int sum = 0;
  for (std::size_t i = 0; i < counters; ++i) sum += std::stoi(get(engine, name("n", i)).value_or("0"));
  CHECK(sum == 2 * rounds * threads);
  CHECK(read_counter(get(engine, "sum").value(), 0) == 2 * rounds * threads);
}

/// Writers put one value at many keys in one batch, or erase them all; no reader ever sees anything in
/// between.
void batches_are_never_torn(Engine& engine) {
  constexpr std::size_t keys = 150;
  std::atomic<int> writing{2};
  const auto problems = in_threads(2 + threads, [&](int thread) {
    if (thread < 2) {
      for (int round = 0; round < 150; ++round) {
        WriteBatch batch;
        if (round % 5 == 4) {
          batch.erase_range({"t", "u"});
        } else {
          const Value value(std::to_string(thread) + "." + std::to_string(round));
          for (std::size_t i = 0; i < keys; ++i) batch.put(name("t", i), value);
        }
        write(engine, batch);
      }
      --writing;
      return;
    }
    do {
      const auto snapshot = engine.snapshot().value();
      const Entries first = forward(*snapshot, {"t", "u"});
      expect(first.empty() || first.size() == keys, "some keys of a batch are missing");
      for (const auto& [key, value] : first) expect(value == first.front().second, "a batch is torn");
      expect(backward(*snapshot, {"t", "u"}).size() == first.size(), "a snapshot has changed");
      (void)get(engine, name("t", 7));
    } while (writing > 0);
  });
  CHECK(problems == std::vector<std::string>{});
}

/// Writers give several keys the same new value; a reader that reads them in one call finds them equal.
void several_keys_are_read_at_one_moment(Engine& engine) {
  static constexpr std::string_view keys[] = {"m1", "m2", "m3"};
  std::atomic<int> writing{2};
  const auto problems = in_threads(threads, [&](int thread) {
    if (thread < 2) {
      for (int round = 0; round < rounds_of(2'000); ++round) {
        WriteBatch batch;
        const Value value(std::to_string(thread) + "." + std::to_string(round));
        for (const std::string_view key : keys) batch.put(key, value);
        write(engine, batch);
      }
      --writing;
      return;
    }
    const auto read = [&]() -> Values {
      if (thread == 2) return engine.get_many(keys).value();
      Values values;
      const auto done = engine.transact({.reads = keys}, far_deadline(), [&](Transaction& transaction) {
        values = transaction.get_many(keys).value();
        return Result<Decision>(Decision::abandon);
      });
      expect(done.ok(), "a transaction failed");
      return values;
    };
    while (writing > 0) {
      for (const Values values = read(); const auto& value : values) {
        const bool same =
            value.has_value() == values[0].has_value() && (!value || value->view() == values[0]->view());
        expect(same, "the keys were read at different moments");
      }
    }
  });
  CHECK(problems == std::vector<std::string>{});
}

void forks_while_writers_run(Engine& engine) {
  const auto problems = in_threads(threads, [&](int thread) {
    const std::string mine = name("f", static_cast<std::size_t>(thread));
    for (int round = 0; round < 100; ++round) {
      put(engine, {{mine, std::to_string(round)}});
      const auto fork = std::move(engine.fork()).value();
      put(*fork, {{mine, "fork"}});
      expect(get(engine, mine) == std::to_string(round), "a fork writes into its origin");
      expect(get(*fork, mine) == "fork", "a fork lost a write");
    }
  });
  CHECK(problems == std::vector<std::string>{});
}

/// Each transaction increments a counter and leaves a mark with its value. A transaction that committed a
/// decision made before a reset would leave a gap before its mark.
void transactions_survive_resets(Engine& engine) {
  const auto start = engine.snapshot().value();
  std::atomic<int> writing{threads};
  const auto problems = in_threads(threads + 1, [&](int thread) {
    if (thread < threads) {
      for (int round = 0; round < 500; ++round) count_on(engine);
      --writing;
      return;
    }
    while (writing > 0) {
      const auto snapshot = engine.snapshot().value();
      const std::size_t count = std::stoul(get(*snapshot, "r").value_or("0"));
      expect(forward(*snapshot, {"mark", "mark~"}).size() == count, "a transaction outlived a reset");
      expect(engine.reset(*start).ok(), "a reset failed");
    }
  });
  CHECK(problems == std::vector<std::string>{});
}

}  // namespace

void many_threads(Subject subject) {
  const auto engine = subject.make();
  SECTION("no increment is lost") {
    increments_lose_nothing(*engine);
  }
  SECTION("batches are never torn") {
    batches_are_never_torn(*engine);
  }
  SECTION("several keys are read at one moment") {
    several_keys_are_read_at_one_moment(*engine);
  }
  if (engine->capabilities().forks) {
    SECTION("forks are independent while writers run") {
      forks_while_writers_run(*engine);
    }
  }
  if (engine->capabilities().resets) {
    SECTION("transactions survive resets") {
      transactions_survive_resets(*engine);
    }
  }
}

}  // namespace dinette::test::kv_contract

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/waiting.h"

#include "store/store_fixture.h"

namespace dinette::store::write_race_test {
namespace {

constexpr SpaceId tokens{1};

/// Puts `text` at every target.
auto put_all(std::string text) {
  return [text](const Rows& rows, RowChanges changes) {
    for (std::size_t i = 0; i < changes.size(); ++i) changes[i] = put_row(text, rows[i] == nullptr);
    return true;
  };
}

struct RaceFixture : StoreFixture {
  TablePointer table = make_table("t");
  TablePointer other_table = make_table("other");
  const std::string a = make_key("a");
  const std::string b = make_key("b");
  /// Tests use the first n of these: a row, rows of one table, of two, and rows with an entry.
  const std::vector<WriteTarget> targets = {WriteTarget::row(*table, a), WriteTarget::row(*table, b),
                                            WriteTarget::row(*other_table, a),
                                            WriteTarget::entry(tokens, "t")};

  RaceFixture() { engine.run_transactions_twice(false); }

  /// Writes the targets, and calls `meanwhile` on another thread while they are locked.
  template <class Meanwhile>
  WriteOutcome write_and_meanwhile(std::span<const WriteTarget> locked, Meanwhile meanwhile) {
    bool first = true;
    engine.inside_transactions([&] {
      if (std::exchange(first, false)) std::thread(meanwhile).join();
    });
    const auto written = store.write(locked, put_all("held"));
    engine.inside_transactions(nullptr);
    return written.value().outcome;
  }

  /// Returns what is at a target; "none" for nothing.
  std::string text_at(const WriteTarget& target) const {
    const View view = store.view().value();
    const auto value =
        (target.table ? view.read(*target.table, target.key) : view.read(tokens, target.key)).value();
    return value ? std::string(value->view()) : "none";
  }
};

/// How a decision ends that other writes overtake as long as its targets are not locked.
struct Overtaken {
  kv::Result<Written<bool>> written{Written<bool>{}};
  int decisions = 0;
  int overtaken = 0;
};

/// The other writes change the last target.
Overtaken write_overtaken(Store& store, std::span<const WriteTarget> targets) {
  Overtaken result;
  // Not a decision to imitate: it overtakes itself.
  result.written = store.write(targets, [&](const Rows& rows, RowChanges changes) {
    ++result.decisions;
    const auto other =
        store.write(targets.last(1), put_all("other " + std::to_string(result.decisions)), kv::Deadline{});
    if (other.ok()) ++result.overtaken;
    return put_all("last")(rows, changes);
  });
  return result;
}

}  // namespace

TEST_CASE_METHOD(RaceFixture, "write: a decision is made with nothing locked") {
  const auto written = std::span(targets).first(GENERATE(1U, 2U, 4U));
  bool overtake = true;
  // If a target or a table were locked, this write would wait for ever.
  const auto decide = [&](const Rows& rows, RowChanges changes) {
    if (std::exchange(overtake, false)) {
      CHECK(rows[0] == nullptr);
      CHECK(store.write(written, put_all("1")).value().outcome == WriteOutcome::applied);
    }
    return put_all(rows[0] ? std::string(rows[0]->view()) + "2" : "first")(rows, changes);
  };
  CHECK(store.write(written, decide).value().outcome == WriteOutcome::applied);
  for (const WriteTarget& target : written) CHECK(text_at(target) == "12");
}

TEST_CASE_METHOD(RaceFixture, "write: a decision that is overtaken is made again with nothing locked") {
  const auto written = std::span(targets).first(GENERATE(1U, 3U, 4U));
  const auto store_with = [&](std::chrono::microseconds quick) {
    return std::make_unique<Store>(engine, clock, ids, test_face, StoreOptions{.quick_decision = quick});
  };
  SECTION("a quick one twice, then with the targets locked") {
    const base::WaitingScope waiting(GENERATE(true, false));
    const Overtaken done = write_overtaken(*store_with(std::chrono::hours(1)), written);
    CHECK(done.written.value().outcome == WriteOutcome::applied);
    CHECK(done.overtaken == 2);
    CHECK(done.decisions == 3);
    for (const WriteTarget& target : written) CHECK(text_at(target) == "last");
  }
  SECTION("a slow one a few times more") {
    const Overtaken done = write_overtaken(*store_with(std::chrono::microseconds(0)), written);
    CHECK(done.written.value().outcome == WriteOutcome::applied);
    CHECK(done.overtaken == most_unlocked_decisions);
    CHECK(done.decisions == most_unlocked_decisions + 1);
    for (const WriteTarget& target : written) CHECK(text_at(target) == "last");
  }
  SECTION("a slow one on a thread that may not wait twice, and then not at all") {
    const base::WaitingScope waiting(false);
    const Overtaken done = write_overtaken(*store_with(std::chrono::microseconds(0)), written);
    REQUIRE_FALSE(done.written.ok());
    CHECK(done.written.error().kind == kv::ErrorKind::timed_out);
    CHECK(done.overtaken == 2);
    CHECK(done.decisions == 2);
    CHECK(text_at(written.back()) == "other 2");
    if (written.size() > 1) CHECK(text_at(written.front()) == "none");
  }
}

TEST_CASE_METHOD(RaceFixture, "write: a decision is made again when a row changes that it only checks") {
  const auto written = std::span(targets).first(2);
  write(store, *table, b, "1");
  int decisions = 0;
  const auto decide = [&](const Rows& rows, RowChanges changes) {
    if (++decisions == 1) write(store, *table, b, "2");
    changes[0] = put_row("seen " + std::string(rows[1]->view()));
    return true;
  };
  CHECK(store.write(written, decide).value().outcome == WriteOutcome::applied);
  CHECK(decisions == 2);
  CHECK(read(store, *table, a) == "seen 2");
}

TEST_CASE_METHOD(RaceFixture, "write: a row that was written with the same bytes is the same") {
  write(store, *table, a, "1");
  int decisions = 0;
  const auto decide = [&](const kv::Value*, RowChange& change) {
    if (++decisions == 1) write(store, *table, a, "1");
    change = put_row("2", false);
    return true;
  };
  CHECK(store.write(*table, a, decide).value().outcome == WriteOutcome::applied);
  CHECK(decisions == 1);
}

TEST_CASE_METHOD(RaceFixture, "write: writers of different rows of a table do not wait for each other") {
  const auto outcome = write_and_meanwhile(std::span(targets).first(2), [&] {
    const base::WaitingScope waiting(false);
    if (write(store, *table, make_key("c"), "beside") != WriteOutcome::applied) std::abort();
  });
  CHECK(outcome == WriteOutcome::applied);
  CHECK(read(store, *table, make_key("c")) == "beside");
}

TEST_CASE_METHOD(RaceFixture, "write: the deadline for targets that others have locked") {
  const auto one_of_them = std::span(targets).subspan(GENERATE(0U, 2U, 3U), 1);
  std::optional<kv::ErrorKind> failure;
  const auto fail_to_write = [&](Store& impatient, std::optional<kv::Deadline> deadline) {
    const auto written = impatient.write(one_of_them, put_all("new"), deadline);
    if (!written.ok()) failure = written.error().kind;
  };
  const auto expect_timeout = [&](auto attempt) {
    CHECK(write_and_meanwhile(targets, attempt) == WriteOutcome::applied);
    CHECK(failure == kv::ErrorKind::timed_out);
    CHECK(text_at(one_of_them.front()) == "held");
  };
  SECTION("is the store's") {
    Store impatient(engine, clock, ids, test_face, {.lock_deadline = std::chrono::milliseconds(0)});
    expect_timeout([&] { fail_to_write(impatient, std::nullopt); });
  }
  SECTION("or the caller's") {
    const auto deadline = std::chrono::steady_clock::now();
    std::vector<kv::Deadline> deadlines;
    expect_timeout([&] {
      engine.before_transactions([&](kv::Deadline each) { deadlines.push_back(each); });
      fail_to_write(store, deadline);
    });
    CHECK(deadlines == std::vector{deadline});
  }
  SECTION("and a short one on a thread that may not wait") {
    expect_timeout([&] {
      const base::WaitingScope waiting(false);
      fail_to_write(store, std::nullopt);
    });
  }
}

TEST_CASE_METHOD(RaceFixture, "write: transfers in any order neither deadlock nor lose anything") {
  constexpr int rounds = 300;
  constexpr int total = 500;
  const std::vector<std::string> keys = {make_key("1"), make_key("2"), make_key("3")};
  std::vector<WriteTarget> accounts;
  for (const TablePointer& bank : {table, other_table}) {
    for (const std::string& key : keys) accounts.push_back(WriteTarget::row(*bank, key));
  }
  write(store, *table, keys[0], std::to_string(total));
  const auto balance = [](const kv::Value* row) { return row ? std::stoi(std::string(row->view())) : 0; };
  std::atomic<int> failures{0};

  const auto transfer = [&](unsigned seed) {
    std::mt19937 random(seed);
    for (int i = 0; i < rounds; ++i) {
      const std::size_t from = random() % accounts.size();
      const std::size_t to = (from + 1 + random() % (accounts.size() - 1)) % accounts.size();
      const int amount = static_cast<int>(random() % 100);
      const WriteTarget pair[] = {accounts[from], accounts[to]};
      const auto decide = [&](const Rows& rows, RowChanges changes) {
        changes[0] = put_row(std::to_string(balance(rows[0]) - amount), !rows[0]);
        changes[1] = put_row(std::to_string(balance(rows[1]) + amount), !rows[1]);
        return balance(rows[0]) >= amount;
      };
      if (!store.write(pair, decide).ok()) ++failures;
    }
  };
  // Every decision, also an unlocked one, is made on one moment, at which the total is right.
  const auto audit = [&] {
    for (int i = 0; i < rounds; ++i) {
      const auto decide = [&](const Rows& rows, RowChanges) {
        int sum = 0;
        for (std::size_t account = 0; account < accounts.size(); ++account) sum += balance(rows[account]);
        if (sum != total) ++failures;
        return true;
      };
      if (!store.write(accounts, decide).ok()) ++failures;
    }
  };
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= 3; ++seed) threads.emplace_back(transfer, seed);
  threads.emplace_back(audit);
  for (std::thread& thread : threads) thread.join();
  CHECK(failures == 0);
  int sum = 0;
  for (const WriteTarget& account : accounts) {
    sum += std::stoi(read(store, *account.table, account.key).value_or("0"));
  }
  CHECK(sum == total);
}

TEST_CASE_METHOD(StoreFixture, "write: tables that come and go under writers leave no orphans") {
  std::atomic<bool> stop{false};
  std::vector<std::thread> writers;
  for (int thread = 0; thread < 3; ++thread) {
    writers.emplace_back([&, thread] {
      for (int i = 0; !stop; ++i) {
        const auto table = store.catalog().open("t");
        if (!table.ok() || table.value() == nullptr) continue;
        (void)write(store, **table, make_key(std::to_string(thread), std::to_string(i)), "row");
      }
    });
  }
  for (int round = 0; round < 100; ++round) {
    const TablePointer table = make_table("t");
    while (store.count(*table).value().rows < 5) std::this_thread::yield();
    (void)store.catalog().drop(*table);
  }
  stop = true;
  for (std::thread& writer : writers) writer.join();
  CHECK(everything().size() == 1);  // the last table id
}

TEST_CASE_METHOD(StoreFixture, "write: no increment is lost, and the counters are right, with many writers") {
  const TablePointer table = make_table("t");
  constexpr int rounds = 200;
  std::vector<std::thread> writers;
  for (int thread = 0; thread < 4; ++thread) {
    writers.emplace_back([&] {
      for (int i = 0; i < rounds; ++i) {
        (void)store.write(
            *table, make_key(std::to_string(i % 3)), [](const kv::Value* current, RowChange& change) {
              const int before = current == nullptr ? 0 : std::stoi(std::string(current->view()));
              change = put_row(std::to_string(before + 1), current == nullptr);
              change.count.bytes = 1;
              return true;
            });
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  int sum = 0;
  for (int i = 0; i < 3; ++i) sum += std::stoi(read(store, *table, make_key(std::to_string(i))).value());
  CHECK(sum == 4 * rounds);
  CHECK(store.count(*table).value() == Count{3, 4 * rounds});
}

}  // namespace dinette::store::write_race_test

#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/waiting.h"

#include "kv/durable/commits.h"
#include "kv/durable/engine.h"
#include "kv/engine_calls.h"
#include "kv/faulty_disk.h"
#include "kv/fixed_folder.h"
#include "kv/in_threads.h"
#include "support/temporary_folder.h"

namespace dinette::test::durable_faults_test {

using namespace kv;

namespace {

/// An engine on a disk that can fail.
struct Fixture {
  ::test::TemporaryFolder folder;
  std::shared_ptr<FaultyDisk> disk = std::make_shared<FaultyDisk>();
  durable::EngineSettings settings;

  explicit Fixture(bool sync, std::size_t resident_bytes = 0) {
    settings.database = durable::make_database_settings(std::size_t{8} << 20);
    settings.database.files = disk;
    settings.sync = sync;
    settings.resident_bytes = resident_bytes;
  }

  std::unique_ptr<Engine> open() {
    auto opened = durable::open_engine(std::make_shared<FixedFolder>(folder.path() / "engine"), settings, {});
    return std::move(opened).value();
  }
};

std::string half(const char* name, int round) {
  return name + std::to_string(round);
}

/// One commit of two entries and one in commit order.
Result<CommitNumber> commit(Engine& engine, int round) {
  WriteBatch batch;
  batch.put(half("first", round), Value(std::string(100, 'x')));
  batch.put_in_commit_order("log", Value(std::to_string(round)));
  batch.put(half("second", round), Value("1"));
  return engine.write(batch);
}

bool is_there(const Engine& engine, int round) {
  return get(engine, half("first", round)).has_value();
}

/// Requires that each of the commits is there as a whole or not at all.
void require_whole(Engine& engine, int rounds) {
  const auto snapshot = engine.snapshot().value();
  std::size_t there = 0;
  for (int round = 0; round < rounds; ++round) {
    REQUIRE(is_there(engine, round) == get(engine, half("second", round)).has_value());
    there += is_there(engine, round) ? 1 : 0;
  }
  REQUIRE(forward(*snapshot, {"log", "loh"}).size() == there);
}

}  // namespace

TEST_CASE("with sync, what was acknowledged survives a loss of power") {
  constexpr int writers = 4;
  constexpr int rounds = 50;
  Fixture f(true);
  {
    const auto engine = f.open();
    in_threads(writers, [&](int writer) {
      for (int round = 0; round < rounds; ++round) (void)commit(*engine, writer * rounds + round).value();
    });
    f.disk->fail_writes_from(1);  // closing must not help
  }
  f.disk->fail_writes_from(0);
  f.disk->lose_power();
  const auto engine = f.open();
  for (int round = 0; round < writers * rounds; ++round) REQUIRE(is_there(*engine, round));
  require_whole(*engine, writers * rounds);
}

TEST_CASE("with sync, commits that come while the disk is busy share one sync") {
  constexpr int writers = 8;
  Fixture f(true);
  std::unique_ptr<durable::Commits> commits;
  std::atomic<int> syncs = 0;
  f.disk->when_logs_sync([&] {
    if (++syncs > 1) return;
    while (commits->unfinished() < writers) std::this_thread::yield();
  });
  const auto folder = std::make_shared<FixedFolder>(f.folder.path() / "engine");
  const auto database = durable::Database::open(folder, f.settings.database).value();
  durable::ResidentCopy none(*database, 0);
  commits = durable::Commits::open(database, none, true).value();
  const auto problems = in_threads(writers, [&](int writer) {
    WriteBatch batch;
    batch.put(half("first", writer), Value("1"));
    expect(commits->commit(batch).ok(), "a commit failed");
  });
  CHECK(problems.empty());
  CHECK(syncs == 2);  // of the first one, and of all others
}

TEST_CASE("without sync, a loss of power loses the last commits, each as a whole") {
  constexpr int rounds = 200;
  Fixture f(false);
  {
    const auto engine = f.open();
    for (int round = 0; round < rounds; ++round) REQUIRE(commit(*engine, round).ok());
    f.disk->fail_writes_from(1);
  }
  f.disk->fail_writes_from(0);
  f.disk->lose_power();
  const auto engine = f.open();
  int there = 0;
  while (there < rounds && is_there(*engine, there)) ++there;
  for (int round = there; round < rounds; ++round) REQUIRE_FALSE(is_there(*engine, round));
  CHECK(there < rounds);  // or the disk of this test forgets nothing
  require_whole(*engine, rounds);
}

TEST_CASE("a disk that is full fails the commit and those after it, and keeps the others") {
  constexpr int rounds = 12;
  for (const std::size_t resident_bytes : {std::size_t{0}, std::size_t{64} << 20}) {
    for (std::uint64_t nth = 1; nth <= rounds; ++nth) {
      Fixture f(false, resident_bytes);
      std::vector<bool> acknowledged;
      {
        const auto engine = f.open();
        f.disk->fail_writes_from(nth);
        for (int round = 0; round < rounds; ++round) acknowledged.push_back(commit(*engine, round).ok());
        REQUIRE(f.disk->has_failed());
        REQUIRE_FALSE(acknowledged.back());
        // It goes on reading, and shows nothing of what failed.
        for (int round = 0; round < rounds; ++round)
          REQUIRE(is_there(*engine, round) == acknowledged[static_cast<std::size_t>(round)]);
        require_whole(*engine, rounds);
      }
      f.disk->fail_writes_from(0);
      const auto engine = f.open();
      for (int round = 0; round < rounds; ++round) {
        if (acknowledged[static_cast<std::size_t>(round)]) REQUIRE(is_there(*engine, round));
      }
      require_whole(*engine, rounds);
    }
  }
}

TEST_CASE("an engine that was opened again when the disk has room takes writes again") {
  Fixture f(false);
  {
    const auto engine = f.open();
    REQUIRE(commit(*engine, 0).ok());
    f.disk->fail_writes_from(1);
    CHECK(commit(*engine, 1).error().kind == ErrorKind::io);
    f.disk->fail_writes_from(0);
    // What was written after a record that is half there would be lost at the next start.
    CHECK(commit(*engine, 2).error().kind == ErrorKind::io);
  }
  const auto engine = f.open();
  REQUIRE(commit(*engine, 3).ok());
  require_whole(*engine, 4);
}

TEST_CASE("an engine that can no longer be written is in trouble as long as it is open") {
  Fixture f(false);
  const auto& failures = f.settings.database.failures;
  auto engine = f.open();
  REQUIRE(commit(*engine, 0).ok());
  CHECK_FALSE(failures->trouble());
  f.disk->fail_writes_from(1);
  const auto failed = commit(*engine, 1);
  REQUIRE_FALSE(failed.ok());
  f.disk->fail_writes_from(0);
  CHECK_FALSE(commit(*engine, 2).ok());
  REQUIRE(failures->trouble());
  CHECK(failures->trouble()->starts_with("data can no longer be written; reads continue. "));
  CHECK(failures->trouble()->find(f.folder.path().string()) == std::string::npos);
  engine = nullptr;
  CHECK_FALSE(failures->trouble());
  engine = f.open();
  CHECK(commit(*engine, 3).ok());
  CHECK_FALSE(failures->trouble());
}

TEST_CASE("a damaged block is an error of its reads, not of others") {
  Fixture f(false);
  {
    const auto engine = f.open();
    for (int round = 0; round < 400; ++round) REQUIRE(commit(*engine, round).ok());
  }
  f.open().reset();  // brings the log into a table
  for (const auto& entry : std::filesystem::directory_iterator(f.folder.path() / "engine")) {
    if (entry.path().extension() != ".sst" || entry.file_size() < 8192) continue;
    std::fstream file(entry.path(), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(100).write("damage", 6);
  }
  const auto engine = f.open();
  const auto cursor = std::move(engine->snapshot().value()->cursor({})).value();
  auto moved = cursor->first();
  while (moved && *moved) moved = cursor->next();
  REQUIRE_FALSE(moved.ok());
  CHECK(moved.error().kind == ErrorKind::corrupt);
  CHECK(commit(*engine, 1000).ok());
  CHECK(is_there(*engine, 1000));
}

TEST_CASE("where waiting is not allowed, reads from the disk and commits that wait for it fail") {
  Fixture f(true);
  {
    const auto engine = f.open();
    REQUIRE(commit(*engine, 0).ok());
    const base::WaitingScope on_a_loop(false);
    CHECK(is_there(*engine, 0));  // it has not left memory
    CHECK(commit(*engine, 1).error().kind == ErrorKind::would_block);
  }
  f.open().reset();
  const auto engine = f.open();
  {
    const base::WaitingScope on_a_loop(false);
    CHECK(engine->get(half("first", 0)).error().kind == ErrorKind::would_block);
  }
  CHECK(is_there(*engine, 0));
  const base::WaitingScope on_a_loop(false);
  CHECK(is_there(*engine, 0));  // it has been brought into memory
}

}  // namespace dinette::test::durable_faults_test

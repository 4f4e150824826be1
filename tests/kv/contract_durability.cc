#include <algorithm>
#include <fstream>

#include <catch2/catch.hpp>

#include "kv/contract.h"
#include "kv/engine_calls.h"
#include "kv/in_threads.h"
#include "kv/killed_process.h"
#include "support/temporary_folder.h"

namespace dinette::test::kv_contract {

using namespace kv;

namespace {

/// One batch of each kind of change.
std::vector<WriteBatch> some_batches() {
  std::vector<WriteBatch> batches(8);
  batches[0].put("a", Value("1"));
  batches[0].put("b", Value("1"));
  batches[1].put_in_commit_order("log", Value("1"));
  batches[1].put_in_commit_order("log", Value("2"));
  batches[2].add("counters", {1, -2});
  batches[3].erase("a");
  batches[3].put("c", Value(""));
  batches[4].put_in_commit_order("log", Value("3"));
  batches[4].add("counters", {10, 10, 10});
  batches[5].erase_range({"b", "c"});
  batches[5].put("d", Value("x"));
  batches[6].erase_range({"log", ""});
  batches[7].put_in_commit_order("log", Value("4"));
  batches[7].put("e", Value("1"));
  return batches;
}

CommitNumber append_one(Engine& engine) {
  WriteBatch batch;
  batch.put_in_commit_order("numbers", Value("1"));
  return engine.write(batch).value();
}

void reopening(Subject subject) {
  const ::test::TemporaryFolder folder;
  auto engine = subject.open(folder.path());
  CHECK(all(*engine).empty());
  const auto reopen = [&] {
    engine.reset();
    engine = subject.open(folder.path());
  };
  SECTION("what was committed is found") {
    for (const WriteBatch& batch : some_batches()) {
      write(*engine, batch);
      const Entries before = all(*engine);
      reopen();
      CHECK(all(*engine) == before);
    }
  }
  SECTION("also what a transaction committed, and nothing of an abandoned one") {
    for (const Decision decision : {Decision::commit, Decision::abandon}) {
      const auto done = engine->transact({}, far_deadline(), [&](Transaction& transaction) {
        transaction.batch().put(decision == Decision::commit ? "yes" : "no", Value("1"));
        return Result<Decision>(decision);
      });
      REQUIRE(done.ok());
    }
    reopen();
    CHECK(all(*engine) == Entries{{"yes", "1"}});
  }
  SECTION("commit numbers continue, even if what they numbered is erased") {
    const CommitNumber before = append_one(*engine);
    WriteBatch batch;
    batch.erase_range({});
    write(*engine, batch);
    reopen();
    CHECK(all(*engine).empty());
    CHECK(append_one(*engine) > before);
  }
}

std::string half(const char* name, Report report) {
  return name + std::to_string(report.writer) + "." + std::to_string(report.round);
}

/// Commits two keys and an entry of a log repeatedly, and reports each commit.
void write_for_ever(Engine& engine, int writer, const std::function<void(Report)>& report) {
  for (int round = 0;; ++round) {
    const Report commit{writer, round};
    WriteBatch batch;
    batch.put(half("first", commit), Value("1"));
    batch.put_in_commit_order("log", Value(half("first", commit)));
    batch.put(half("second", commit), Value("1"));
    if (!engine.write(batch).ok()) return;
    report(commit);
  }
}

/// A process that is killed while it writes.
void crash(Subject subject) {
  constexpr std::size_t enough = 300;
  const ::test::TemporaryFolder folder;
  const auto reports = run_and_kill(enough, [&](const auto& report) {
    const auto engine = subject.open(folder.path());
    in_threads(3, [&](int writer) { write_for_ever(*engine, writer, report); });
  });
  REQUIRE(reports.size() >= enough);

  const auto engine = subject.open(folder.path());
  std::size_t lost = 0;
  for (const Report& commit : reports) lost += get(*engine, half("first", commit)) ? 0 : 1;
  CHECK(lost == 0);
  const auto snapshot = engine->snapshot().value();
  const Entries log = forward(*snapshot, {"log", "loh"});
  CHECK(forward(*snapshot, {"first", "first~"}).size() == log.size());
  CHECK(forward(*snapshot, {"second", "second~"}).size() == log.size());
  const auto is_whole = [&](const auto& entry) {
    return get(*snapshot, entry.second) && get(*snapshot, "second" + entry.second.substr(5));
  };
  CHECK(std::ranges::all_of(log, is_whole));
  CHECK(append_one(*engine) > CommitPosition::at_end_of(log.back().first).number);
}

/// A folder as a crash leaves it that tears the log.
class Torn {
 public:
  Torn(Subject subject, const std::filesystem::path& origin) : subject_(subject) {
    std::filesystem::copy(origin, folder_.path(), std::filesystem::copy_options::recursive);
  }
  void cut(std::size_t size) { std::filesystem::resize_file(subject_.log(folder_.path()), size); }
  void flip(std::size_t offset) {
    std::fstream log(subject_.log(folder_.path()), std::ios::binary | std::ios::in | std::ios::out);
    log.seekg(static_cast<std::streamoff>(offset));
    const char flipped = static_cast<char>(~log.get());
    log.seekp(static_cast<std::streamoff>(offset)).put(flipped);
  }
  std::unique_ptr<Engine> open() const { return subject_.open(folder_.path()); }

 private:
  const Subject subject_;
  const ::test::TemporaryFolder folder_;
};

/// Requires that `torn` can be written to, and that the data are there when it is opened again.
void require_goes_on(const Torn& torn, Entries expected) {
  put(*torn.open(), {{"~", "goes on"}});
  expected.emplace_back("~", "goes on");
  REQUIRE(all(*torn.open()) == expected);
}

/// Returns true for sizes next to the end of a commit, and for some of the others: opening an engine takes
/// time.
bool is_telling(std::size_t size, const std::vector<std::size_t>& ends) {
#ifdef DINETTE_SANITIZED
  constexpr std::size_t step = 512;
#else
  constexpr std::size_t step = 64;
#endif
  const auto is_near = [size](std::size_t end) { return size + 1 >= end && size <= end + 1; };
  return size % step == 0 || std::ranges::any_of(ends, is_near);
}

void torn_writes(Subject subject) {
  const ::test::TemporaryFolder running;
  const ::test::TemporaryFolder folder;
  std::vector<Entries> states(1);  // after each commit
  std::vector<std::size_t> sizes;  // of the log
  {
    const auto engine = subject.open(running.path());
    sizes.push_back(std::filesystem::file_size(subject.log(running.path())));
    for (const WriteBatch& batch : some_batches()) {
      write(*engine, batch);
      states.push_back(all(*engine));
      sizes.push_back(std::filesystem::file_size(subject.log(running.path())));
    }
    // An engine that was closed may know where its log ends.
    std::filesystem::copy(running.path(), folder.path(), std::filesystem::copy_options::recursive);
  }
  SECTION("of a log that is cut anywhere the whole commits are found") {
    for (std::size_t size = 0; size <= sizes.back(); ++size) {
      if (!is_telling(size, sizes)) continue;
      const auto whole = static_cast<std::size_t>(std::ranges::upper_bound(sizes, size) - sizes.begin());
      const Entries& expected = states[whole == 0 ? 0 : whole - 1];
      Torn torn(subject, folder.path());
      torn.cut(size);
      REQUIRE(all(*torn.open()) == expected);
      require_goes_on(torn, expected);
    }
  }
  SECTION("of a log whose last commit is damaged anywhere, all others") {
    const Entries& expected = states[states.size() - 2];
    for (std::size_t offset = sizes[sizes.size() - 2]; offset < sizes.back(); offset += 8) {
      Torn torn(subject, folder.path());
      torn.flip(offset);
      REQUIRE(all(*torn.open()) == expected);
      require_goes_on(torn, expected);
    }
  }
}

}  // namespace

void durability(Subject subject) {
  const bool durable = subject.make()->capabilities().durable;
  CHECK(durable == (subject.open != nullptr));
  if (!durable) return;  // nothing is promised
  SECTION("reopening") {
    reopening(subject);
  }
  SECTION("everything acknowledged survives a crash, and no commit is half there") {
    crash(subject);
  }
  if (subject.log == nullptr) return;  // another program answers for its files
  SECTION("torn writes") {
    torn_writes(subject);
  }
}

}  // namespace dinette::test::kv_contract

#include "dinette/kv/data_folder.h"

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <sys/resource.h>
#include <unistd.h>

#include "kv/engine_calls.h"
#include "support/temporary_folder.h"

namespace dinette::test::data_folder_test {

using namespace kv;

namespace {

namespace fs = std::filesystem;
using Catch::Contains;

std::string failure_of(const fs::path& folder) {
  const auto opened = open_data_folder(folder, {});
  return opened ? "it was opened" : opened.error().message;
}

void write_file(const fs::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string read_file(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

/// While it lives, files of this process end at so many bytes, as on a disk that is full.
class SmallFiles {
 public:
  explicit SmallFiles(rlim_t bytes) : signalled_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallFiles() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signalled_);
  }
  SmallFiles(const SmallFiles&) = delete;
  SmallFiles& operator=(const SmallFiles&) = delete;

 private:
  void (*const signalled_)(int);
  rlimit before_{};
};

std::ptrdiff_t engines_in(const fs::path& folder) {
  return std::ranges::count_if(fs::directory_iterator(folder / "engines"),
                               [](const auto& entry) { return entry.is_directory(); });
}

}  // namespace

TEST_CASE("a data folder is made where there is none, also below one that does not exist") {
  const ::test::TemporaryFolder parent;
  const fs::path folder = parent.path() / "a" / "b";
  REQUIRE(open_data_folder(folder, {}).ok());
  CHECK(fs::exists(folder / "dinette.json"));
}

TEST_CASE("engines of a data folder") {
  const ::test::TemporaryFolder folder;
  auto engines = open_data_folder(folder.path(), {}).value();
  const auto reopen = [&] {
    engines.reset();
    engines = open_data_folder(folder.path(), {}).value();
  };
  CHECK(engines->kept().empty());
  auto engine = engines->make().value();
  put(*engine, {{"key", "value"}});

  SECTION("one that is kept is found again, with its note") {
    REQUIRE(engines->keep("name", "a note", *engine).ok());
    engine.reset();
    reopen();
    REQUIRE(engines->kept().size() == 1);
    CHECK(engines->kept()[0].name == "name");
    CHECK(engines->kept()[0].note == "a note");
    CHECK(get(*engines->open("name").value(), "key") == "value");
  }
  SECTION("one that is not kept goes with its last user") {
    CHECK(engines_in(folder.path()) == 1);
    engine.reset();
    CHECK(engines_in(folder.path()) == 0);
  }
  SECTION("one that is not kept goes at the next start, if the process was killed") {
    const ::test::TemporaryFolder killed;
    fs::copy(folder.path(), killed.path(), fs::copy_options::recursive);
    REQUIRE(engines_in(killed.path()) == 1);
    REQUIRE(open_data_folder(killed.path(), {}).ok());
    CHECK(names_in(killed.path() / "engines").empty());
  }
  SECTION("one that was kept until the process was killed, too") {
    REQUIRE(engines->keep("name", "", *engine).ok());
    REQUIRE(engines->forget("name").ok());
    const ::test::TemporaryFolder killed;
    fs::copy(folder.path(), killed.path(), fs::copy_options::recursive);
    REQUIRE(open_data_folder(killed.path(), {}).ok());
    CHECK(names_in(killed.path() / "engines").empty());
  }
  SECTION("what no process has noted to be temporary stays, under another name") {
    engine.reset();
    fs::create_directories(folder.path() / "engines" / "77");
    write_file(folder.path() / "engines" / "77" / "data", "mine");
    reopen();
    CHECK(read_file(folder.path() / "engines" / "lost-77" / "data") == "mine");
    fs::create_directories(folder.path() / "engines" / "77");
    reopen();
    CHECK(read_file(folder.path() / "engines" / "lost-77" / "data") == "mine");
    CHECK(fs::exists(folder.path() / "engines" / "lost-77-2"));
    CHECK(engines->make().ok());
  }
  SECTION("one that takes the name of another takes its place") {
    REQUIRE(engines->keep("name", "", *engine).ok());
    auto other = engines->make().value();
    put(*other, {{"key", "other"}});
    REQUIRE(engines->keep("name", "", *other).ok());
    engine.reset();
    CHECK(engines_in(folder.path()) == 1);
    other.reset();
    reopen();
    CHECK(get(*engines->open("name").value(), "key") == "other");
  }
  SECTION("one that is forgotten goes with its last user") {
    REQUIRE(engines->keep("name", "", *engine).ok());
    REQUIRE(engines->forget("name").ok());
    CHECK(get(*engine, "key") == "value");
    engine.reset();
    CHECK(engines_in(folder.path()) == 0);
    reopen();
    CHECK(engines->kept().empty());
  }
  SECTION("a fork is kept like any other") {
    REQUIRE(engines->keep("name", "", *engine).ok());
    std::shared_ptr<Engine> fork = engine->fork().value();
    put(*engine, {{"key", "changed"}});
    REQUIRE(engines->keep("fork", "", *fork).ok());
    engine.reset();
    fork.reset();
    reopen();
    CHECK(get(*engines->open("name").value(), "key") == "changed");
    CHECK(get(*engines->open("fork").value(), "key") == "value");
  }
  SECTION("engines of another kind are not kept") {
    CHECK(engines->keep("name", "", *make_memory_engines()->make().value()).error().kind ==
          ErrorKind::unsupported);
  }
}

TEST_CASE("a data folder that is in use is refused, and says who uses it") {
  const ::test::TemporaryFolder folder;
  const auto first = open_data_folder(folder.path(), {});
  REQUIRE(first.ok());
  CHECK_THAT(failure_of(folder.path()),
             Contains("is in use by another server (process " + std::to_string(::getpid()) + ")"));
}

TEST_CASE("what is not a data folder is refused, and left as it is") {
  const ::test::TemporaryFolder folder;
  SECTION("files of something else") {
    write_file(folder.path() / "notes.txt", "mine");
    CHECK_THAT(failure_of(folder.path()), Contains("holds something else (notes.txt)"));
    CHECK_THAT(failure_of(folder.path()), Contains("Name an empty folder"));
    CHECK(read_file(folder.path() / "notes.txt") == "mine");
  }
  SECTION("a file") {
    const fs::path file = folder.path() / "file";
    write_file(file, "");
    const std::string refusal = file.string() + " is a file, not a folder";
    CHECK_THAT(failure_of(file), Contains(refusal));
    CHECK_THAT(failure_of(file / "folder"), Contains(refusal));
  }
  SECTION("but what file systems put into a new one does not matter") {
    fs::create_directory(folder.path() / "lost+found");
    write_file(folder.path() / ".gitkeep", "");
    CHECK(open_data_folder(folder.path(), {}).ok());
  }
}

TEST_CASE("a data folder of another format is refused, with what to do") {
  const ::test::TemporaryFolder folder;
  const fs::path manifest = folder.path() / "dinette.json";
  REQUIRE(open_data_folder(folder.path(), {}).ok());
  SECTION("a newer one") {
    write_file(manifest, R"({"format": 2, "engines": []})");
    CHECK_THAT(failure_of(folder.path()), Contains("by a newer version of this program, in format 2"));
  }
  SECTION("an older one") {
    write_file(manifest, R"({"format": 0, "engines": []})");
    CHECK_THAT(failure_of(folder.path()), Contains("by an older version of this program, in format 0"));
  }
  SECTION("a damaged one") {
    for (const char* text : {"", "[]", "{", R"({"format": "1"})", R"({"format": 1})",
                             R"({"format": 1, "engines": [{"name": 3}]})"}) {
      write_file(manifest, text);
      CHECK_THAT(failure_of(folder.path()), Contains("dinette.json is damaged"));
    }
  }
}

TEST_CASE("a data folder that cannot be written is refused") {
  // /proc refuses new files to everyone, root included.
  CHECK_THAT(failure_of("/proc/dinette"), Contains("/proc/dinette cannot be made"));
}

TEST_CASE("an open fork has three files open") {
  const auto open_files = [] {
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
  };
  const ::test::TemporaryFolder folder;
  const auto engines = open_data_folder(folder.path(), {}).value();
  const auto engine = engines->make().value();
  put(*engine, {{"key", "value"}});
  std::vector<std::shared_ptr<Engine>> forks;
  forks.push_back(engine->fork().value());
  const auto before = open_files();
  for (int i = 0; i < 10; ++i) forks.push_back(engine->fork().value());
  CHECK(open_files() - before == 3 * 10);  // a log, a MANIFEST, and a table with the data
}

TEST_CASE("a data folder is in trouble while one of its engines can no longer be written") {
  const ::test::TemporaryFolder folder;
  const auto engines = open_data_folder(folder.path(), {}).value();
  auto engine = engines->make().value();
  REQUIRE(engines->keep("", "", *engine).ok());
  put(*engine, {{"key", "value"}});
  CHECK_FALSE(engines->trouble());
  {
    const SmallFiles full(64 * 1024);
    WriteBatch batch;
    batch.put("large", Value(std::string(1024 * 1024, 'x')));
    CHECK(engine->write(batch).error().kind == ErrorKind::io);
  }
  CHECK(get(*engine, "key") == "value");
  REQUIRE(engines->trouble());
  CHECK_THAT(*engines->trouble(), Contains("data can no longer be written; reads continue") &&
                                      Contains("restart the server (File too large)"));
  // The next one in its place can be written.
  auto other = engines->make().value();
  REQUIRE(engines->keep("", "", *other).ok());
  engine.reset();
  CHECK_FALSE(engines->trouble());
}

TEST_CASE("damage to a database is reported when it is opened") {
  const ::test::TemporaryFolder folder;
  {
    const auto engines = open_data_folder(folder.path(), {}).value();
    REQUIRE(engines->keep("", "", *engines->make().value()).ok());
  }
  for (const auto& entry : fs::recursive_directory_iterator(folder.path() / "engines")) {
    if (entry.path().filename().string().starts_with("MANIFEST")) write_file(entry.path(), "damaged");
  }
  const auto engines = open_data_folder(folder.path(), {}).value();
  CHECK(engines->open("").error().kind == ErrorKind::corrupt);
}

}  // namespace dinette::test::data_folder_test

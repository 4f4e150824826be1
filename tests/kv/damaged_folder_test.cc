// What a data folder holds is never lost without a word: each damage is refused, and repaired only on demand.

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/kv/data_folder.h"

#include "kv/engine_calls.h"
#include "support/temporary_folder.h"

namespace dinette::test::damaged_folder_test {

using namespace kv;

namespace {

namespace fs = std::filesystem;
using Catch::Contains;

std::vector<std::string> notices;

void collect(std::string_view sentence) {
  notices.emplace_back(sentence);
}

std::string read_file(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void write_file(const fs::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

void flip(const fs::path& path, std::size_t offset, int bit = 0) {
  std::string bytes = read_file(path);
  bytes.at(offset) = static_cast<char>(bytes.at(offset) ^ (1 << bit));
  write_file(path, bytes);
}

void zero_from(const fs::path& path, std::size_t offset) {
  std::string bytes = read_file(path);
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(offset), bytes.end(), '\0');
  write_file(path, bytes);
}

/// All files below `folder`, with what is in them and when they changed.
std::map<std::string, std::pair<std::string, fs::file_time_type>> files_of(const fs::path& folder) {
  std::map<std::string, std::pair<std::string, fs::file_time_type>> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    files[entry.path().lexically_relative(folder).string()] = {
        entry.is_directory() ? "" : read_file(entry.path()), entry.last_write_time()};
  }
  return files;
}

std::string key_of(int number) {
  return "key " + std::to_string(1000 + number);
}

constexpr int commits = 60;

/// A data folder with two worlds: the default one, of `commits` commits, and the fork `fork`.
class Folder {
 public:
  enum class End { closed, killed };

  explicit Folder(End end) {
    const ::test::TemporaryFolder running;
    const auto engines = open_data_folder(running.path(), {}).value();
    auto engine = engines->make().value();
    REQUIRE(engines->keep("", "", *engine).ok());
    for (int i = 0; i < commits; ++i) put(*engine, {{key_of(i), std::string(2000, 'x')}});
    std::shared_ptr<Engine> fork = engine->fork().value();
    REQUIRE(engines->keep("fork", "fork 60", *fork).ok());
    if (end == End::closed) {
      engine.reset();
      fork.reset();
    }
    fs::copy(running.path(), path(), fs::copy_options::recursive);
  }

  const fs::path& path() const { return folder_.path(); }
  fs::path manifest() const { return path() / "dinette.json"; }
  fs::path engine() const { return path() / "engines" / "1"; }
  fs::path log() const { return only(".log"); }
  fs::path rocksdb_manifest() const {
    std::string name = read_file(engine() / "CURRENT");
    name.pop_back();
    return engine() / name;
  }

  /// Opens the folder, and the engine of the default world.
  Result<std::size_t> open(DataFolderOptions options = {}) const {
    notices.clear();
    options.notice = collect;
    DINETTE_TRY(const auto engines, open_data_folder(path(), options));
    DINETTE_TRY(const auto engine, engines->open(""));
    return all(*engine).size();
  }
  Result<std::size_t> read() const { return open({.read_only = true}); }
  Result<std::size_t> repair() const {
    auto repaired = open({.read_only = true, .repair = true});
    if (!repaired) UNSCOPED_INFO(repaired.error().message);
    return repaired;
  }

  /// Becomes what it is while a server has it open.
  void be_as_while_open() const {
    const ::test::TemporaryFolder running;
    fs::copy(path(), running.path(), fs::copy_options::recursive);
    const auto engines = open_data_folder(running.path(), {}).value();
    const auto engine = engines->open("").value();
    fs::remove_all(path());
    fs::copy(running.path(), path(), fs::copy_options::recursive);
  }

  /// Requires that neither a server nor a check opens it, that both say why, and that nothing changes.
  void require_refused(const std::string& why) const {
    const auto before = files_of(engine());
    const std::string manifest_before = read_file(manifest());
    for (const bool read_only : {true, false}) {
      const auto opened = open({.read_only = read_only});
      REQUIRE_FALSE(opened.ok());
      CHECK(opened.error().kind == ErrorKind::corrupt);
      CHECK_THAT(opened.error().message, Contains(why));
      CHECK_THAT(
          opened.error().message,
          Contains("Restore the folder from a copy, or run 'dinette check --repair " + path().string()));
    }
    CHECK(files_of(engine()) == before);
    CHECK(read_file(manifest()) == manifest_before);
  }

 private:
  fs::path only(const char* extension) const {
    for (const fs::directory_entry& entry : fs::directory_iterator(engine()))
      if (entry.path().extension() == extension) return entry.path();
    return {};
  }

  ::test::TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("a data folder whose dinette.json is missing is refused, and nothing of it is deleted") {
  const Folder folder(Folder::End::closed);
  fs::remove(folder.manifest());
  folder.require_refused("dinette.json is missing, but there are data in");
  SECTION("a repair writes it again, with the names of the worlds") {
    CHECK(folder.repair().value() == commits);
    const auto kept = open_data_folder(folder.path(), {}).value()->kept();
    REQUIRE(kept.size() == 2);
    CHECK(kept[0].name.empty());
    CHECK(kept[1].name == "fork");
    CHECK(kept[1].note == "fork 60");
  }
  SECTION("also where the folders of engines have no labels") {
    for (const char* label : {"1.json", "2.json"}) fs::remove(folder.path() / "engines" / label);
    SECTION("a single one is the default world") {
      fs::remove_all(folder.path() / "engines" / "2");
      CHECK(folder.repair().value() == commits);
    }
    SECTION("of several it is not known which one was the default world, so that all become forks") {
      CHECK_FALSE(folder.repair().ok());
      CHECK(notices.size() == 3);
      const auto kept = open_data_folder(folder.path(), {}).value()->kept();
      REQUIRE(kept.size() == 2);
      CHECK(kept[0].name == "recovered-1");
      CHECK(kept[1].name == "recovered-2");
    }
  }
}

TEST_CASE("a bit of dinette.json that flips is found, or changes nothing") {
  const Folder folder(Folder::End::closed);
  const std::string whole = read_file(folder.manifest());
  const auto names = [&]() -> std::optional<std::vector<std::string>> {
    const auto opened = open_data_folder(folder.path(), {.read_only = true});
    if (!opened) return std::nullopt;
    std::vector<std::string> found;
    for (const auto& kept : (*opened)->kept()) found.push_back(kept.name + "/" + kept.note);
    return found;
  };
  const auto expected = names();
  REQUIRE(expected->size() == 2);
  std::size_t refused = 0;
  for (std::size_t offset = 0; offset < whole.size(); ++offset) {
    for (int bit = 0; bit < 8; ++bit) {
      flip(folder.manifest(), offset, bit);
      const auto found = names();
      if (found) REQUIRE(found == expected);
      refused += found ? 0 : 1;
      write_file(folder.manifest(), whole);
    }
  }
  CHECK(refused > whole.size() * 4);
}

TEST_CASE("a dinette.json without a checksum, as earlier versions wrote it, is read") {
  const Folder folder(Folder::End::closed);
  for (const char* label : {"1.json", "2.json"}) fs::remove(folder.path() / "engines" / label);
  for (const char* engine : {"1", "2"}) fs::remove(folder.path() / "engines" / engine / "INVENTORY");
  write_file(folder.manifest(), R"({"program": "dinette", "format": 1, "engines":
    [{"name": "", "folder": 1, "note": ""}, {"name": "fork", "folder": 2, "note": "fork"}]})");
  CHECK(folder.read().value() == commits);
  CHECK(folder.open().value() == commits);
  CHECK(notices.empty());
}

TEST_CASE("a dinette.json that names a folder that is missing is refused") {
  const Folder folder(Folder::End::closed);
  fs::remove_all(folder.path() / "engines" / "2");
  folder.require_refused("engines/2 is missing, which has the data of the world 'fork'");
  CHECK(folder.repair().value() == commits);
  CHECK(open_data_folder(folder.path(), {}).value()->kept().size() == 1);
}

TEST_CASE("a data folder that is only read does not change") {
  const auto end = GENERATE(Folder::End::closed, Folder::End::killed);
  const Folder folder(end);
  fs::create_directories(folder.path() / "engines" / "77");
  const auto before = files_of(folder.path());
  {
    const auto engines = open_data_folder(folder.path(), {.read_only = true}).value();
    const auto engine = engines->open("").value();
    CHECK(all(*engine).size() == commits);
    WriteBatch batch;
    batch.put("key", Value("value"));
    CHECK(engine->write(batch).error().kind == ErrorKind::unsupported);
    CHECK(engine->fork().error().kind == ErrorKind::unsupported);
    CHECK(engines->open("fork").ok());
    CHECK(engines->make().ok());
    CHECK(open_data_folder(folder.path(), {.read_only = true}).ok());
    CHECK_FALSE(open_data_folder(folder.path(), {}).ok());
  }
  CHECK(files_of(folder.path()) == before);
}

TEST_CASE("a damaged log with commits after the damage is refused") {
  const auto end = GENERATE(Folder::End::closed, Folder::End::killed);
  const Folder folder(end);
  const std::size_t size = fs::file_size(folder.log());
  std::string why = "is damaged at byte";
  SECTION("a flipped bit") {
    flip(folder.log(), size / 4);
    why = "and there are commits in the";
  }
  SECTION("a hole") {
    std::string bytes = read_file(folder.log());
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(size / 4), 4096, '\0');
    write_file(folder.log(), bytes);
  }
  SECTION("bytes that are missing in the middle") {
    std::string bytes = read_file(folder.log());
    write_file(folder.log(), bytes.erase(size / 4, 1000));
  }
  folder.require_refused(why);
  const std::string damaged = read_file(folder.log());
  const fs::path log = folder.log().lexically_relative(folder.path());
  const std::size_t kept = folder.repair().value();
  CHECK(kept >= 13);
  CHECK(kept <= 15);
  REQUIRE(notices.size() == 1);
  CHECK_THAT(notices[0], Contains(" bytes of the log are left out, and kept in " +
                                  (folder.path() / "dropped-1").string()));
  CHECK(read_file(folder.path() / "dropped-1" / log) == damaged);
  CHECK(folder.open().value() == kept);
  CHECK(notices.empty());
}

TEST_CASE("a folder whose log is missing is refused") {
  const auto end = GENERATE(Folder::End::closed, Folder::End::killed);
  const Folder folder(end);
  SECTION("the one that the inventory names") {}
  SECTION("the only one, without an inventory") {
    fs::remove(folder.engine() / "INVENTORY");
  }
  fs::remove(folder.log());
  folder.require_refused(".log is missing, which has the newest commits");
  CHECK(folder.repair().value() == 0);  // nothing has left the log yet
  CHECK(folder.open().value() == 0);
}

TEST_CASE("the end of a log may be half there after a crash, and is missed after a clean stop") {
  const auto end = GENERATE(Folder::End::closed, Folder::End::killed);
  const Folder folder(end);
  const std::size_t size = fs::file_size(folder.log());
  std::size_t kept = commits - 1;
  SECTION("cut") {
    fs::resize_file(folder.log(), size - 100);
  }
  SECTION("cut after a whole commit") {
    fs::resize_file(folder.log(), 0);
    kept = 0;
  }
  SECTION("zeros") {
    zero_from(folder.log(), size - 100);
  }
  SECTION("a flipped bit in the last commit") {
    flip(folder.log(), size - 100);
  }
  if (end == Folder::End::closed) {
    folder.require_refused(": it once had ");
    CHECK(folder.repair().value() == kept);
    return;
  }
  CHECK(folder.read().value() == kept);
  CHECK(notices.size() == (kept == 0 ? 0 : 1));
  CHECK(folder.open().value() == kept);
  if (kept > 0) CHECK_THAT(notices.at(0), Contains("ends in a commit that is half there"));
}

TEST_CASE("a MANIFEST of RocksDB whose last records are missing is refused") {
  const auto end = GENERATE(Folder::End::closed, Folder::End::killed);
  const Folder folder(end);
  // Brings the log into a table, which the MANIFEST names.
  if (end == Folder::End::closed) CHECK(folder.open().value() == commits);
  if (end == Folder::End::killed) folder.be_as_while_open();
  const fs::path path = folder.rocksdb_manifest();
  const std::size_t size = fs::file_size(path);
  SECTION("zeroed") {
    zero_from(path, size - 40);
  }
  SECTION("cut") {
    fs::resize_file(path, size - 40);
  }
  SECTION("damaged before others") {
    flip(path, size / 2);
  }
  folder.require_refused("MANIFEST-");
  CHECK(folder.repair().value() == commits);
  CHECK(folder.open().value() == commits);
}

TEST_CASE("an inventory that cannot be read is said, and the rest is examined") {
  const Folder folder(Folder::End::killed);
  write_file(folder.engine() / "INVENTORY", "");
  CHECK(folder.open().value() == commits);
  REQUIRE(notices.size() == 1);
  CHECK_THAT(notices[0], Contains("INVENTORY cannot be read"));
  CHECK(folder.open().value() == commits);
  CHECK(notices.empty());
}

}  // namespace dinette::test::damaged_folder_test

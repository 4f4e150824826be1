#include "dinette/objects/folder_store.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/clock.h"

#include "support/temporary_folder.h"

/// What only a store in a folder promises.
namespace test::folder_store_test {
namespace {

using namespace dinette;
namespace fs = std::filesystem;
using objects::ErrorKind;

struct Folder {
  const base::ManualClock clock{std::chrono::sys_days(std::chrono::year(2026) / 1 / 31)};
  const TemporaryFolder temporary;
  const fs::path path = temporary.path() / "s3";

  std::unique_ptr<objects::BucketStore> open() const {
    return std::move(objects::open_folder_store(path, clock)).value();
  }
};

void write_file(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string keys_of(objects::ObjectStore& store) {
  std::string keys;
  const auto listing = store.list("bucket", {});
  for (const auto& object : listing->objects) keys += object.key + " ";
  return keys;
}

/// Notes the paths of what is synced, below the folder.
struct Syncs {
  explicit Syncs(const Folder& folder) : folder_(fs::absolute(folder.path)) {}

  objects::SyncFile note() {
    return [this](int descriptor) -> objects::Result<void> {
      const fs::path path = fs::read_symlink("/proc/self/fd/" + std::to_string(descriptor));
      paths.push_back(path.lexically_relative(fs::canonical(folder_)).string());
      if (fail) return base::Failure{objects::Error{ErrorKind::failed, "the disk is gone"}};
      return {};
    };
  }
  bool has(const std::string& path) const { return std::ranges::find(paths, path) != paths.end(); }

  std::vector<std::string> paths;
  bool fail = false;

 private:
  const fs::path folder_;
};

TEST_CASE("what was changed is synced before a call returns, folders after what is in them") {
  const Folder folder;
  Syncs syncs(folder);
  const auto store = std::move(objects::open_folder_store(folder.path, folder.clock, syncs.note())).value();
  CHECK(syncs.has("."));
  CHECK(syncs.has(".."));
  syncs.paths.clear();
  REQUIRE(store->create_bucket("bucket").ok());
  CHECK(syncs.has("."));
  syncs.paths.clear();
  REQUIRE(objects::put(*store, "bucket", "a/b/c", "v").ok());
  REQUIRE(syncs.paths.size() == 7);
  CHECK(syncs.paths[0].starts_with(".dinette/temporary/"));  // the object
  CHECK(syncs.paths[1].starts_with(".dinette/temporary/"));  // what is known of it
  CHECK(syncs.paths[2] == ".dinette/about/bucket");
  CHECK(syncs.paths[3] == ".dinette/about");
  CHECK(syncs.paths[4] == "bucket");
  CHECK(syncs.paths[5] == "bucket/a");
  CHECK(syncs.paths[6] == "bucket/a/b");
  syncs.paths.clear();
  REQUIRE(store->remove("bucket", "a/b/c").ok());
  CHECK(syncs.paths == std::vector<std::string>{"bucket"});
  syncs.paths.clear();
  REQUIRE(store->remove_bucket("bucket").ok());
  CHECK(syncs.paths == std::vector<std::string>{"."});
}

TEST_CASE("an object that may not be on the disk is an error, and so is what cannot be synced") {
  const Folder folder;
  Syncs syncs(folder);
  const auto store = std::move(objects::open_folder_store(folder.path, folder.clock, syncs.note())).value();
  REQUIRE(store->create_bucket("bucket").ok());
  syncs.fail = true;
  const auto put = objects::put(*store, "bucket", "k", "v");
  REQUIRE_FALSE(put.ok());
  CHECK(put.error().message == "the disk is gone");
  syncs.fail = false;
  CHECK(store->list("bucket", {})->objects.empty());
  CHECK_FALSE(objects::sync_to_disk(-1).ok());
}

TEST_CASE("objects are files that a person finds again") {
  const Folder folder;
  const auto store = folder.open();
  REQUIRE(store->create_bucket("bucket").ok());
  REQUIRE(objects::put(*store, "bucket", "AWSDynamoDB/1/data/x.json.gz", "v").ok());
  CHECK(read_file(folder.path / "bucket/AWSDynamoDB/1/data/x.json.gz") == "v");
  REQUIRE(objects::put(*store, "bucket", "a", "object").ok());
  CHECK(read_file(folder.path / "bucket/a") == "object");
  REQUIRE(objects::put(*store, "bucket", "a/b", "below it").ok());
  CHECK(read_file(folder.path / "bucket/a/b") == "below it");
  CHECK(read_file(folder.path / "bucket/a%=") == "object");
  REQUIRE(store->remove("bucket", "a/b").ok());
  CHECK_FALSE(fs::exists(folder.path / "bucket/a"));
  REQUIRE(objects::put(*store, "bucket", "a", "again").ok());
  CHECK(read_file(folder.path / "bucket/a") == "again");
  CHECK_FALSE(fs::exists(folder.path / "bucket/a%="));
}

TEST_CASE("files that were put there by hand are objects") {
  const Folder folder;
  const auto store = folder.open();
  write_file(folder.path / "bucket/import/data 1%.json", "hello");
  CHECK(store->buckets()->size() == 1);
  CHECK(keys_of(*store) == "import/data 1%.json ");
  const auto object = store->open("bucket", "import/data 1%.json");
  REQUIRE(object.ok());
  CHECK((*object)->info().etag == "5d41402abc4b2a76b9719d911017c592");
  CHECK((*object)->info().size == 5);

  SECTION("and are looked at again when they change") {
    write_file(folder.path / "bucket/import/data 1%.json", "other text");
    const auto listing = store->list("bucket", {});
    CHECK(listing->objects.front().etag == "a6c6905fd3fb5f3020cbf2bf7a2f5f85");
    CHECK(listing->objects.front().size == 10);
  }
  SECTION("unless their names encode other keys") {
    write_file(folder.path / "bucket/a%2Eb", "");
    write_file(folder.path / "bucket/\xFF", "");
    CHECK(keys_of(*store) == "import/data 1%.json ");
    REQUIRE(store->remove("bucket", "import/data 1%.json").ok());
    CHECK(store->remove_bucket("bucket").error().kind == ErrorKind::bucket_not_empty);
  }
  SECTION("once, even if two encode the same key") {
    write_file(folder.path / "bucket/x", "plain");
    write_file(folder.path / "bucket/x%=", "marked");
    CHECK(keys_of(*store) == "import/data 1%.json x ");
    REQUIRE(store->remove("bucket", "x").ok());
    CHECK(keys_of(*store) == "import/data 1%.json ");
  }
}

TEST_CASE("symbolic links lead nowhere") {
  const Folder folder;
  const auto store = folder.open();
  REQUIRE(store->create_bucket("bucket").ok());
  write_file(folder.temporary.path() / "outside/secret", "s");
  fs::create_directory_symlink(folder.temporary.path() / "outside", folder.path / "bucket/link");
  fs::create_symlink(folder.temporary.path() / "outside/secret", folder.path / "bucket/file");
  fs::create_directory_symlink(folder.temporary.path() / "outside", folder.path / "linked-bucket");
  CHECK(keys_of(*store).empty());
  CHECK(store->open("bucket", "link/secret").error().kind == ErrorKind::no_such_object);
  CHECK(store->open("bucket", "file").error().kind == ErrorKind::no_such_object);
  CHECK(store->open("linked-bucket", "secret").error().kind == ErrorKind::no_such_bucket);
  for (const char* const key : {"link/new", "link/new/below", "file/new"})
    CHECK(objects::put(*store, "bucket", key, "v").error().kind == ErrorKind::access_denied);
  CHECK_FALSE(fs::exists(folder.temporary.path() / "outside/new"));
  REQUIRE(objects::put(*store, "bucket", "file", "v").ok());
  CHECK(read_file(folder.temporary.path() / "outside/secret") == "s");
}

TEST_CASE("what is known of objects survives the process") {
  const Folder folder;
  {
    const auto store = folder.open();
    REQUIRE(store->create_bucket("bucket").ok());
    const auto writer =
        store->write("bucket", "k", {{"content-type", "text/csv"}, {"x-amz-meta-a", "\xE4 b"}});
    REQUIRE((*writer)->write("v").ok());
    REQUIRE((*writer)->finish("abc-2").ok());
    CHECK(objects::open_folder_store(folder.path, folder.clock).error().message ==
          "another process uses the folder");
  }
  const auto store = folder.open();
  CHECK(store->bucket("bucket")->created == folder.clock.now());
  const auto object = store->open("bucket", "k");
  REQUIRE(object.ok());
  const objects::ObjectInfo& info = (*object)->info();
  CHECK(info.etag == "abc-2");
  CHECK(info.modified == folder.clock.now());
  CHECK(info.headers == std::vector<std::pair<std::string, std::string>>{{"content-type", "text/csv"},
                                                                         {"x-amz-meta-a", "\xE4 b"}});
}

TEST_CASE("what a killed process was writing is gone") {
  const Folder folder;
  const fs::path own = folder.path / ".dinette";
  {
    const auto store = folder.open();
    REQUIRE(store->create_bucket("bucket").ok());
    REQUIRE((*store->scratch())->create_bucket("parts").ok());
  }
  write_file(own / "temporary/17", "half");
  const auto store = folder.open();
  CHECK(fs::is_empty(own / "temporary"));
  CHECK_FALSE(fs::exists(own / "scratch"));
  {
    const auto writer = store->write("bucket", "k");
    REQUIRE((*writer)->write("half").ok());
    CHECK_FALSE(fs::is_empty(own / "temporary"));
  }
  CHECK(fs::is_empty(own / "temporary"));
}

}  // namespace
}  // namespace test::folder_store_test

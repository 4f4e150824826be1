#include "objects/key_walk.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fcntl.h>

#include "support/temporary_folder.h"

// What a listing of a folder costs.
namespace test::key_walk_test {
namespace {

using namespace dinette::objects;

/// A bucket's folder, with files that were put there by hand.
struct Bucket {
  void put(const std::string& path) const {
    const std::filesystem::path file = folder.path() / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << "x";
  }
  Descriptor open() const { return Descriptor(::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY)); }

  const TemporaryFolder folder;
};

std::vector<std::string> keys_of(KeyWalk& walk, std::size_t limit) {
  std::vector<std::string> keys;
  while (keys.size() < limit) {
    const auto next = walk.next();
    REQUIRE(next.ok());
    if (!*next) break;
    keys.push_back((*next)->key);
  }
  return keys;
}

/// "a/a/..." of that many levels.
std::string levels(int count) {
  std::string path;
  for (int i = 0; i < count; ++i) path += "a/";
  return path;
}

}  // namespace

TEST_CASE("a listing reads no folder before its turn, and each once") {
  const Bucket bucket;
  for (int i = 10; i < 40; ++i) bucket.put(std::to_string(i) + "/" + levels(100) + "file");
  const Descriptor top = bucket.open();
  const ListRequest request;
  KeyWalk first(top, request, nullptr);
  CHECK(keys_of(first, 1) == std::vector<std::string>{"10/" + levels(100) + "file"});
  CHECK(first.folders_read() == 102);
  CHECK(first.tree().opened() == 101);
  KeyWalk all(top, request, nullptr);
  CHECK(keys_of(all, 1000).size() == 30);
  CHECK(all.folders_read() == 1 + 30 * 101);
  CHECK(all.tree().opened() == 30 * 101);
}

TEST_CASE("a listing goes on without the folders before its place") {
  const Bucket bucket;
  for (int i = 10; i < 40; ++i) bucket.put(std::to_string(i) + "/file");
  const Descriptor top = bucket.open();
  const ListRequest request{.after = "38/file"};
  KeyWalk walk(top, request, nullptr);
  CHECK(keys_of(walk, 1000) == std::vector<std::string>{"39/file"});
  CHECK(walk.folders_read() == 3);
}

TEST_CASE("of the folders below a common prefix no more is read than until a key is found") {
  const Bucket bucket;
  for (int i = 10; i < 40; ++i) {
    for (int j = 0; j < 100; ++j) bucket.put(std::to_string(i) + "/file" + std::to_string(j));
  }
  std::filesystem::create_directories(bucket.folder.path() / "none" / "at all");
  const Descriptor top = bucket.open();
  const ListRequest request{.delimiter = "/"};
  KeyWalk walk(top, request, nullptr);
  CHECK(keys_of(walk, 1000).size() == 30);
  CHECK(walk.folders_read() == 1 + 30 + 2);
  CHECK(walk.entries_read() == 31 + 30 + 1);
  const ListRequest rest{.after = after_all_of("39/"), .delimiter = "/"};
  KeyWalk end(top, rest, nullptr);
  CHECK(keys_of(end, 1000).empty());
  CHECK(end.folders_read() == 3);
}

TEST_CASE("folders that are many levels below others are opened in few steps, and few stay open") {
  const Bucket bucket;
  std::string path = levels(200);
  std::filesystem::create_directories(bucket.folder.path() / path);
  const Descriptor top = bucket.open();
  FolderTree tree(top);
  const std::vector<std::string> names(200, "a");
  TreeFolderPointer folder = tree.at(names);
  int opened = 0;
  for (; folder->parent(); folder = folder->parent()) {
    const auto open = tree.open(folder);
    REQUIRE(open.ok());
    REQUIRE(*open != nullptr);
    ++opened;
  }
  CHECK(opened == 200);
  CHECK(tree.opened() <= 200 + 200 * 16);
  const TreeFolderPointer missing = tree.below(tree.first(), "b");
  CHECK(*tree.open(missing) == nullptr);
}

}  // namespace test::key_walk_test

#include "dinette/objects/plain_folders.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <sys/stat.h>

#include "support/temporary_folder.h"

namespace test::plain_folders_test {
namespace {

using namespace dinette;
namespace fs = std::filesystem;
using objects::ErrorKind;
using Texts = std::vector<std::string>;

struct Place {
  const TemporaryFolder temporary;
  const fs::path folder = temporary.path() / "f";
  const std::string bucket = folder.string();
  objects::PlainFolders store;

  void write(const fs::path& path, const std::string& text) const {
    fs::create_directories((folder / path).parent_path());
    std::ofstream(folder / path) << text;
  }
  std::string file(const fs::path& path) const {
    std::ifstream file(folder / path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// Returns what an object has; if it cannot be read, why not.
  std::string object(const std::string& key) {
    const auto reader = store.open(bucket, key);
    if (!reader) return reader.error().message;
    std::string text((*reader)->info().size + 1, '\0');
    text.resize((*reader)->read(text).value());
    return text;
  }
  /// Returns keys and common prefixes, one after the other.
  Texts listed(const objects::ListRequest& request) {
    const auto listing = store.list(bucket, request);
    REQUIRE(listing.ok());
    Texts texts;
    for (const objects::ObjectInfo& object : listing->objects) texts.push_back(object.key);
    texts.insert(texts.end(), listing->prefixes.begin(), listing->prefixes.end());
    if (listing->more) texts.emplace_back("...");
    return texts;
  }
};

TEST_CASE("objects written to a plain folder are files, and files there are objects") {
  Place place;
  REQUIRE(objects::put(place.store, place.bucket, "a/b/_started", "").ok());
  const auto put = objects::put(place.store, place.bucket, "a/x.json", "v", "an etag");
  REQUIRE(put.ok());
  CHECK(put->size == 1);
  CHECK(place.file("a/x.json") == "v");
  CHECK(fs::exists(place.folder / "a/b/_started"));
  REQUIRE(objects::put(place.store, place.bucket, "a/x.json", "").ok());
  CHECK(place.file("a/x.json").empty());
  place.write("by hand", "0123456789");
  const auto reader = place.store.open(place.bucket, "by hand");
  REQUIRE(reader.ok());
  CHECK((*reader)->info().size == 10);
  CHECK((*reader)->info().etag.empty());
  REQUIRE((*reader)->seek(7).ok());
  std::string part(2, '\0');
  REQUIRE((*reader)->read(part).ok());
  CHECK(part == "78");
  CHECK((*reader)->position() == 9);
}

TEST_CASE("without finish() nothing is written to a plain folder") {
  Place place;
  {
    const auto writer = place.store.write(place.bucket, "a/b");
    REQUIRE((*writer)->write("v").ok());
  }
  CHECK_FALSE(fs::exists(place.folder));
}

TEST_CASE("errors of plain folders say why, and those of writing name the file") {
  Place place;
  const auto kind = [&](const std::string& key) { return place.store.open(place.bucket, key).error().kind; };
  CHECK(place.store.list(place.bucket, {}).error().kind == ErrorKind::no_such_bucket);
  CHECK(kind("x") == ErrorKind::no_such_object);
  place.write("file", "");
  fs::create_directory(place.folder / "folder");
  CHECK(place.object("x") == "No such file or directory");
  CHECK(place.object("file/x") == "Not a directory");
  CHECK(kind("file/x") == ErrorKind::no_such_object);
  CHECK(place.object("folder") == "it is not a regular file");
  const auto below_file = objects::put(place.store, place.bucket, "file/x", "v");
  CHECK(below_file.error().message == place.bucket + "/file cannot be made: Not a directory");
  const auto over_folder = objects::put(place.store, place.bucket, "folder", "v");
  CHECK(over_folder.error().kind == ErrorKind::failed);
  CHECK(over_folder.error().message == place.bucket + "/folder cannot be written: Is a directory");
}

TEST_CASE("a file of a plain folder that becomes shorter while it is read is an error") {
  Place place;
  place.write("x", "0123456789");
  const auto reader = place.store.open(place.bucket, "x");
  REQUIRE(reader.ok());
  fs::resize_file(place.folder / "x", 4);
  std::string part(8, '\0');
  CHECK((*reader)->read(part).value() == 4);
  const auto rest = (*reader)->read(part);
  REQUIRE_FALSE(rest.ok());
  CHECK(rest.error().kind == ErrorKind::failed);
  CHECK(rest.error().message == "the file has become shorter");
}

TEST_CASE("a pipe in a plain folder is not an object, and opening it does not block") {
  Place place;
  fs::create_directory(place.folder);
  REQUIRE(mkfifo((place.folder / "pipe").c_str(), 0600) == 0);
  CHECK(place.store.open(place.bucket, "pipe").error().kind == ErrorKind::no_such_object);
}

TEST_CASE("keys do not lead out of a plain folder") {
  Place place;
  place.write("x", "v");
  for (const char* const key : {"../f/x", "a/../../f/x", "/etc/passwd", ".."}) {
    CHECK(place.store.open(place.bucket, key).error().kind == ErrorKind::invalid_key);
    CHECK(place.store.write(place.bucket, key).error().kind == ErrorKind::invalid_key);
  }
}

TEST_CASE("symbolic links in plain folders are followed; one that leads nowhere is listed, too") {
  Place place;
  fs::create_directories(place.temporary.path() / "outside");
  std::ofstream(place.temporary.path() / "outside/x") << "v";
  fs::create_directory(place.folder);
  fs::create_directory_symlink("../outside", place.folder / "link");
  fs::create_symlink("nowhere", place.folder / "broken");
  CHECK(place.listed({.delimiter = "/"}) == Texts{"broken", "link/"});
  CHECK(place.listed({}) == Texts{"broken", "link/x"});
  CHECK(place.object("link/x") == "v");
  CHECK(place.object("broken") == "No such file or directory");
}

TEST_CASE("plain folders are listed as buckets are, and empty folders, too") {
  Place place;
  for (const char* const path : {"a/1", "a/b/2", "a0", "b/c/3", "d"}) place.write(path, "v");
  fs::create_directory(place.folder / "empty");
  CHECK(place.listed({}) == Texts{"a/1", "a/b/2", "a0", "b/c/3", "d"});
  CHECK(place.listed({.delimiter = "/"}) == Texts{"a0", "d", "a/", "b/", "empty/"});
  CHECK(place.listed({.prefix = "a/", .delimiter = "/"}) == Texts{"a/1", "a/b/"});
  CHECK(place.listed({.prefix = "a"}) == Texts{"a/1", "a/b/2", "a0"});
  CHECK(place.listed({.prefix = "b/c/"}) == Texts{"b/c/3"});
  CHECK(place.listed({.prefix = "none/"}).empty());
  CHECK(place.listed({.after = "a/b/2", .limit = 2}) == Texts{"a0", "b/c/3", "..."});
  Texts texts;
  for (objects::ListRequest request{.limit = 1, .delimiter = "/"};;) {
    const auto page = place.store.list(place.bucket, request);
    texts.push_back(objects::last_of(*page));
    if (!page->more) break;
    request.after = objects::continuation_of(*page);
  }
  CHECK(texts == Texts{"a/", "a0", "b/", "d", "empty/"});
  CHECK(place.listed({.after = "a/1", .delimiter = "/"}) == Texts{"a0", "d", "a/", "b/", "empty/"});
  CHECK(place.store.list(place.bucket + "/", {.prefix = "d"})->objects.front().size == 1);
}

}  // namespace
}  // namespace test::plain_folders_test

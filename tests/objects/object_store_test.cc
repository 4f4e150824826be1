#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/clock.h"
#include "dinette/objects/folder_store.h"
#include "dinette/objects/memory_store.h"

#include "support/temporary_folder.h"

/// What every object store promises.
namespace test::object_store_test {
namespace {

using namespace dinette;
using objects::ErrorKind;

std::string text_of(objects::ObjectReader& reader) {
  std::string text;
  std::string part(3, '\0');
  for (;;) {
    const auto size = reader.read(part);
    REQUIRE(size.ok());
    if (*size == 0) return text;
    text.append(part, 0, *size);
  }
}

std::vector<std::string> keys_of(const objects::Listing& listing) {
  std::vector<std::string> keys;
  for (const objects::ObjectInfo& object : listing.objects) keys.push_back(object.key);
  return keys;
}

/// Keys that file systems would refuse, or take for each other, or for other files.
std::vector<std::string> awkward_keys() {
  using namespace std::string_literals;
  std::vector<std::string> keys{"a/b/c",
                                "a",
                                "a/b",
                                "a//b",
                                "a/",
                                "/",
                                "//",
                                "/a",
                                "///",
                                "a//",
                                "a/b/",
                                ".",
                                "..",
                                "../..",
                                "a/../b",
                                "a/./b",
                                "./a",
                                "a/..",
                                "%",
                                "%2F",
                                "a%2Fb",
                                "a%2F%2Fb",
                                "%25",
                                "%252F",
                                "%=",
                                "a%=",
                                "a%",
                                "a%/b",
                                "a%~/b",
                                "a%~",
                                "%00",
                                "%2E",
                                "%2e",
                                "%20",
                                " ",
                                "\\",
                                ".dinette/lock",
                                "a\nb",
                                "\x7F",
                                "a\0b"s,
                                "ä/ö",
                                "\xF0\x9F\x8D\xB0"};
  for (const std::size_t size : {250, 252, 253, 254, 255, 256, 506, 507, 1024}) {
    keys.push_back(std::string(size, 'k'));
    keys.push_back(std::string(size - 1, 'k') + ".");
    keys.push_back(std::string(size - 2, 'k') + "/x");
    keys.push_back(std::string(size - 2, 'k') + "ä");
    keys.push_back(std::string(size - 3, 'k') + "%2F");
  }
  return keys;
}

struct InMemory {
  base::SystemClock clock;
  const std::unique_ptr<objects::BucketStore> store = objects::make_memory_store(clock);
};

struct InFolder {
  base::SystemClock clock;
  const TemporaryFolder folder;
  const std::unique_ptr<objects::BucketStore> store =
      std::move(objects::open_folder_store(folder.path() / "s3", clock)).value();
};

TEMPLATE_TEST_CASE("objects are written, read, listed and removed", "", InMemory, InFolder) {
  const TestType place;
  objects::BucketStore* const store = place.store.get();

  SECTION("in buckets that exist") {
    CHECK(store->write("bucket", "k").error().kind == ErrorKind::no_such_bucket);
    CHECK(store->open("bucket", "k").error().kind == ErrorKind::no_such_bucket);
    CHECK(store->list("bucket", {}).error().kind == ErrorKind::no_such_bucket);
    CHECK(store->bucket("bucket").error().kind == ErrorKind::no_such_bucket);
    CHECK(store->create_bucket("..").error().kind == ErrorKind::invalid_bucket);
    CHECK(store->create_bucket("Capitals").error().kind == ErrorKind::invalid_bucket);
    REQUIRE(store->create_bucket("bucket").ok());
    CHECK(store->create_bucket("bucket").error().kind == ErrorKind::bucket_exists);
    REQUIRE(objects::put(*store, "bucket", "k", "v").ok());
    CHECK(store->remove_bucket("bucket").error().kind == ErrorKind::bucket_not_empty);
    CHECK(store->buckets()->size() == 1);
    REQUIRE(store->remove("bucket", "k").ok());
    CHECK(store->remove_bucket("bucket").ok());
    CHECK(store->buckets()->empty());
  }

  SECTION("as they were when they were opened") {
    REQUIRE(store->create_bucket("bucket").ok());
    CHECK(store->open("bucket", "k").error().kind == ErrorKind::no_such_object);
    REQUIRE(objects::put(*store, "bucket", "k", "first").ok());
    const auto reader = store->open("bucket", "k");
    REQUIRE(reader.ok());
    REQUIRE(objects::put(*store, "bucket", "k", "second").ok());
    CHECK(text_of(**reader) == "first");
    CHECK((*reader)->position() == 5);
    REQUIRE((*reader)->seek(2).ok());
    CHECK((*reader)->position() == 2);
    REQUIRE((*reader)->seek(6).ok());
    CHECK(text_of(**reader).empty());
    REQUIRE((*reader)->seek(2).ok());
    CHECK(text_of(**reader) == "rst");
    CHECK((*reader)->info().etag == "8b04d5e3775d298e78455efc5ca404d5");
  }

  SECTION("whole or not at all") {
    REQUIRE(store->create_bucket("bucket").ok());
    {
      const auto writer = store->write("bucket", "k", {{"content-type", "text/plain"}});
      REQUIRE(writer.ok());
      REQUIRE((*writer)->write("va").ok());
      REQUIRE((*writer)->write("lue").ok());
      CHECK(store->list("bucket", {})->objects.empty());
      const auto info = (*writer)->finish("an etag");
      REQUIRE(info.ok());
      CHECK(info->size == 5);
      CHECK(info->etag == "an etag");
    }
    REQUIRE(store->write("bucket", "never finished").ok());
    CHECK(keys_of(*store->list("bucket", {})) == std::vector<std::string>{"k"});
    CHECK((*store->open("bucket", "k"))->info().headers.front().second == "text/plain");
    CHECK(store->list("bucket", {})->objects.front().headers.empty());
  }

  SECTION("under keys of bytes") {
    REQUIRE(store->create_bucket("bucket").ok());
    CHECK(store->write("bucket", "").error().kind == ErrorKind::invalid_key);
    CHECK(store->write("bucket", std::string(1025, 'k')).error().kind == ErrorKind::invalid_key);
    CHECK(store->write("bucket", "\xC3").error().kind == ErrorKind::invalid_key);
    for (const char* const key : {"a", "a/", "a/b", "a/b/c", "a//b", "ab", "b", "ä"})
      REQUIRE(objects::put(*store, "bucket", key, key).ok());
    CHECK(keys_of(*store->list("bucket", {})) ==
          std::vector<std::string>{"a", "a/", "a//b", "a/b", "a/b/c", "ab", "b", "ä"});
    CHECK(keys_of(*store->list("bucket", {.prefix = "a/"})) ==
          std::vector<std::string>{"a/", "a//b", "a/b", "a/b/c"});
    const auto page = store->list("bucket", {.prefix = "a", .after = "a//b", .limit = 2});
    CHECK(keys_of(*page) == std::vector<std::string>{"a/b", "a/b/c"});
    CHECK(page->more);
    CHECK_FALSE(store->list("bucket", {.prefix = "a", .after = "a/b", .limit = 2})->more);
  }

  SECTION("under common prefixes") {
    REQUIRE(store->create_bucket("bucket").ok());
    for (const char* const key : {"a", "a/b", "a/b/c", "a//b", "ab", "b/1", "b/2/3", "c//d", "é/f"})
      REQUIRE(objects::put(*store, "bucket", key, key).ok());
    using Texts = std::vector<std::string>;
    const auto whole = store->list("bucket", {.delimiter = "/"});
    CHECK(keys_of(*whole) == Texts{"a", "ab"});
    CHECK(whole->prefixes == Texts{"a/", "b/", "c/", "é/"});
    CHECK_FALSE(whole->more);
    CHECK(store->list("bucket", {.prefix = "a/", .delimiter = "/"})->prefixes == Texts{"a//", "a/b/"});
    CHECK(keys_of(*store->list("bucket", {.prefix = "a/", .delimiter = "/"})) == Texts{"a/b"});
    CHECK(store->list("bucket", {.delimiter = "//"})->prefixes == Texts{"a//", "c//"});
    CHECK(store->list("bucket", {.after = "b/1", .delimiter = "/"})->prefixes == Texts{"b/", "c/", "é/"});
    CHECK(store->list("bucket", {.after = "b/2/3", .delimiter = "/"})->prefixes == Texts{"c/", "é/"});
    // Page by page it is the same.
    Texts texts;
    for (objects::ListRequest request{.limit = 1, .delimiter = "/"};;) {
      const auto page = store->list("bucket", request);
      REQUIRE(page->objects.size() + page->prefixes.size() == 1);
      texts.push_back(objects::last_of(*page));
      if (!page->more) break;
      request.after = objects::continuation_of(*page);
    }
    CHECK(texts == Texts{"a", "a/", "ab", "b/", "c/", "é/"});
  }

  SECTION("under every key, each by itself") {
    REQUIRE(store->create_bucket("bucket").ok());
    std::vector<std::string> keys = awkward_keys();
    for (const std::string& key : keys) REQUIRE(objects::put(*store, "bucket", key, key).ok());
    for (const std::string& key : keys) {
      const auto reader = store->open("bucket", key);
      REQUIRE(reader.ok());
      CHECK(text_of(**reader) == key);
    }
    std::ranges::sort(keys);
    CHECK(keys_of(*store->list("bucket", {})) == keys);
    for (const std::string delimiter : {"/", "a", "//", "%"}) {
      objects::Listing expected;
      for (const std::string& key : keys) {
        const auto prefix = objects::common_prefix({.delimiter = delimiter}, key);
        if (!prefix)
          expected.objects.emplace_back().key = key;
        else if (expected.prefixes.empty() || expected.prefixes.back() != *prefix)
          expected.prefixes.push_back(*prefix);
      }
      const auto listed = store->list("bucket", {.delimiter = delimiter});
      CHECK(keys_of(*listed) == keys_of(expected));
      CHECK(listed->prefixes == expected.prefixes);
    }
    std::string after;
    for (const std::string& key : keys) {
      const auto page = store->list("bucket", {.after = after, .limit = 1});
      REQUIRE(page->objects.size() == 1);
      CHECK(page->objects.front().key == key);
      after = key;
    }
    for (const std::string& key : keys) REQUIRE(store->remove("bucket", key).ok());
    CHECK(store->remove_bucket("bucket").ok());
  }

  SECTION("in scratch buckets of its own") {
    const auto scratch = store->scratch();
    REQUIRE(scratch.ok());
    REQUIRE((*scratch)->create_bucket("parts").ok());
    REQUIRE(objects::put(**scratch, "parts", "1", "v").ok());
    CHECK(store->buckets()->empty());
    CHECK(*store->scratch() == *scratch);
  }
}

TEST_CASE("where there is no store, there are no buckets") {
  objects::ObjectStore& none = objects::or_no_buckets(nullptr);
  CHECK(none.list("bucket", {}).error().kind == ErrorKind::no_such_bucket);
  CHECK(none.write("bucket", "k").error().kind == ErrorKind::no_such_bucket);
  const InMemory place;
  CHECK(&objects::or_no_buckets(place.store.get()) == place.store.get());
}

}  // namespace
}  // namespace test::object_store_test

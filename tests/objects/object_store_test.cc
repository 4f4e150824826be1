#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/clock.h"
#include "dinette/objects/memory_store.h"

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

TEST_CASE("Objects are written, read, listed and removed") {
  const base::SystemClock clock;
  const auto store = objects::make_memory_store(clock);

  SECTION("in buckets that exist") {
    CHECK(store->write("b", "k").error().kind == ErrorKind::no_such_bucket);
    CHECK(store->open("b", "k").error().kind == ErrorKind::no_such_bucket);
    CHECK(store->list("b", {}).error().kind == ErrorKind::no_such_bucket);
    CHECK(store->bucket("b").error().kind == ErrorKind::no_such_bucket);
    REQUIRE(store->create_bucket("b").ok());
    CHECK(store->create_bucket("b").error().kind == ErrorKind::bucket_exists);
    REQUIRE(objects::put(*store, "b", "k", "v").ok());
    CHECK(store->remove_bucket("b").error().kind == ErrorKind::bucket_not_empty);
    CHECK(store->buckets()->size() == 1);
    REQUIRE(store->remove("b", "k").ok());
    CHECK(store->remove_bucket("b").ok());
    CHECK(store->buckets()->empty());
  }

  SECTION("as they were when they were opened") {
    REQUIRE(store->create_bucket("b").ok());
    CHECK(store->open("b", "k").error().kind == ErrorKind::no_such_object);
    REQUIRE(objects::put(*store, "b", "k", "first").ok());
    const auto reader = store->open("b", "k");
    REQUIRE(reader.ok());
    REQUIRE(objects::put(*store, "b", "k", "second").ok());
    CHECK(text_of(**reader) == "first");
    REQUIRE((*reader)->seek(2).ok());
    CHECK(text_of(**reader) == "rst");
    CHECK((*reader)->info().etag == "8b04d5e3775d298e78455efc5ca404d5");
  }

  SECTION("whole or not at all") {
    REQUIRE(store->create_bucket("b").ok());
    {
      const auto writer = store->write("b", "k", {{"content-type", "text/plain"}});
      REQUIRE(writer.ok());
      REQUIRE((*writer)->write("va").ok());
      REQUIRE((*writer)->write("lue").ok());
      CHECK(store->list("b", {})->objects.empty());
      const auto info = (*writer)->finish("an etag");
      REQUIRE(info.ok());
      CHECK(info->size == 5);
      CHECK(info->etag == "an etag");
    }
    REQUIRE(store->write("b", "never finished").ok());
    CHECK(keys_of(*store->list("b", {})) == std::vector<std::string>{"k"});
    CHECK((*store->open("b", "k"))->info().headers.front().second == "text/plain");
  }

  SECTION("under keys of bytes") {
    REQUIRE(store->create_bucket("b").ok());
    CHECK(store->write("b", "").error().kind == ErrorKind::invalid_key);
    CHECK(store->write("b", std::string(1025, 'k')).error().kind == ErrorKind::invalid_key);
    for (const char* const key : {"a", "a/", "a/b", "a/b/c", "a//b", "ab", "b", "ä"})
      REQUIRE(objects::put(*store, "b", key, key).ok());
    CHECK(keys_of(*store->list("b", {})) ==
          std::vector<std::string>{"a", "a/", "a//b", "a/b", "a/b/c", "ab", "b", "ä"});
    CHECK(keys_of(*store->list("b", {.prefix = "a/"})) ==
          std::vector<std::string>{"a/", "a//b", "a/b", "a/b/c"});
    const auto page = store->list("b", {.prefix = "a", .after = "a//b", .limit = 2});
    CHECK(keys_of(*page) == std::vector<std::string>{"a/b", "a/b/c"});
    CHECK(page->more);
    CHECK_FALSE(store->list("b", {.prefix = "a", .after = "a/b", .limit = 2})->more);
  }
}

}  // namespace
}  // namespace test::object_store_test

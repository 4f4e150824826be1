#include "dinette/store/placement.h"

#include <catch2/catch.hpp>

#include "store/store_fixture.h"

namespace dinette::store::placement_test {
namespace {

bool inside(const KeyRange& range, std::string_view bytes) {
  return bytes >= range.begin && (range.end.empty() || bytes < range.end);
}

}  // namespace

TEST_CASE("placement: keys of a partition are neighbours, and partitions are ordered by their hashes") {
  const auto key = [](PartitionHash hash, std::string_view partition, std::string_view sort) {
    std::string bytes;
    append_partition_hash(bytes, hash);
    append_bytes(bytes, partition);
    append_bytes(bytes, sort);
    return bytes;
  };
  const KeyRange range = KeyRange::of_prefix(make_partition("p"));
  CHECK(inside(range, make_key("p", "")));
  CHECK(inside(range, make_key("p", "\xFF\xFF")));
  CHECK_FALSE(inside(range, make_key("p1", "")));
  CHECK_FALSE(inside(range, make_key("o", "\xFF")));
  CHECK(make_key("p", "a") < make_key("p", "b"));
  CHECK(key(1, "b", "b") < key(0x100, "a", "a"));
  CHECK(key(1, "a", "b") < key(1, "b", "a"));
}

TEST_CASE("placement: segments are disjoint, cover everything, and have the same size") {
  for (const std::uint32_t segments : {1u, 2u, 3u, 7u, 1000u, 1'000'000u}) {
    CHECK(KeyRange::of_segment(0, segments).begin <= std::string(8, '\0'));
    CHECK(KeyRange::of_segment(segments - 1, segments).end.empty());
    for (std::uint32_t segment = 0; segment + 1 < std::min(segments, 1000u); ++segment) {
      const KeyRange range = KeyRange::of_segment(segment, segments);
      CHECK(range.end == KeyRange::of_segment(segment + 1, segments).begin);
      CHECK(range.begin < range.end);
    }
  }
  constexpr std::uint32_t segments = 4;
  int counts[segments] = {};
  for (int i = 0; i < 4000; ++i) {
    int found = 0;
    for (std::uint32_t segment = 0; segment < segments; ++segment) {
      if (!inside(KeyRange::of_segment(segment, segments), make_key(std::to_string(i)))) continue;
      ++counts[segment];
      ++found;
    }
    CHECK(found == 1);
  }
  // The hash is fixed, so this cannot fail by chance: about a quarter each.
  for (const int count : counts) CHECK((count > 900 && count < 1100));
}

TEST_CASE("placement: a key, or what keys after it begin with, tells its hash") {
  std::string key;
  append_partition_hash(key, 0x0102030405060708);
  CHECK(hash_at(key) == 0x0102030405060708);
  CHECK(hash_at(key + "more") == 0x0102030405060708);
  CHECK(hash_at(key.substr(0, 2)) == 0x0102000000000000);
  CHECK(hash_at("") == 0);
}

TEST_CASE("placement: a page continues after the last key of the previous one") {
  KeyRange range{"b", "f"};
  SECTION("forward") {
    range.start_after("c", Direction::forward);
    CHECK_FALSE(inside(range, "c"));
    CHECK(inside(range, std::string_view("c\0", 2)));
    range.start_after("a", Direction::forward);
    CHECK(inside(range, "d"));
    CHECK(inside(range, "cc"));
    range.start_after("f", Direction::forward);
    CHECK(range.empty());
  }
  SECTION("backward") {
    range.start_after("d", Direction::backward);
    CHECK_FALSE(inside(range, "d"));
    CHECK(inside(range, "cz"));
    range.start_after("e", Direction::backward);
    CHECK_FALSE(inside(range, "d"));
    range.start_after("a", Direction::backward);
    CHECK(range.empty());
  }
  SECTION("backward, in a range without an end") {
    KeyRange open{"b", ""};
    open.start_after("d", Direction::backward);
    CHECK_FALSE(inside(open, "d"));
    CHECK(inside(open, "c"));
  }
}

}  // namespace dinette::store::placement_test

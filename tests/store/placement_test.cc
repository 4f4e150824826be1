#include "dinette/store/placement.h"

#include <catch2/catch.hpp>

#include "dinette/store/key_codec.h"

#include "store/stable_hash.h"

namespace dinette::store::placement_test {
namespace {

std::string key(Placement placement, std::string_view partition, std::string_view sort) {
  std::string bytes;
  start_key(bytes, placement);
  append_bytes(bytes, partition);
  finish_partition(bytes, placement);
  append_bytes(bytes, sort);
  return bytes;
}

bool inside(const KeyRange& range, std::string_view bytes) {
  return bytes >= range.begin && (range.end.empty() || bytes < range.end);
}

}  // namespace

TEST_CASE("placement: the hash is SipHash-2-4, to the bit") {
  // The vectors of the reference implementation: key 00 01 .. 0f, input 00 01 .. of each length.
  const std::uint64_t low = 0x0706050403020100;
  const std::uint64_t high = 0x0f0e0d0c0b0a0908;
  std::string input;
  CHECK(sip_hash(input, low, high) == 0x726fdb47dd0e0e31);
  for (char byte = 0; byte < 15; ++byte) input += byte;
  CHECK(sip_hash(std::string_view(input).substr(0, 1), low, high) == 0x74f839c593dc67fd);
  CHECK(sip_hash(std::string_view(input).substr(0, 8), low, high) == 0x93f5f5799a932462);
  CHECK(sip_hash(input, low, high) == 0xa129ca6149be45e5);
}

TEST_CASE("placement: keys of a partition are neighbours, whether hashed or not") {
  for (const Placement placement : {Placement::ordered, Placement::hashed}) {
    std::string partition;
    start_key(partition, placement);
    append_bytes(partition, "p");
    finish_partition(partition, placement);
    const KeyRange range = KeyRange::of_prefix(partition);
    CHECK(inside(range, key(placement, "p", "")));
    CHECK(inside(range, key(placement, "p", "\xFF\xFF")));
    CHECK_FALSE(inside(range, key(placement, "p1", "")));
    CHECK_FALSE(inside(range, key(placement, "o", "\xFF")));
    CHECK(key(placement, "p", "a") < key(placement, "p", "b"));
    CHECK(key(placement, "p", "a").substr(placement_size(placement)) == key(Placement::ordered, "p", "a"));
  }
  CHECK(key(Placement::ordered, "a", "z") < key(Placement::ordered, "b", "a"));
}

TEST_CASE("placement: segments are disjoint, cover everything, and are of a size") {
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
      if (!inside(KeyRange::of_segment(segment, segments), key(Placement::hashed, std::to_string(i), "")))
        continue;
      ++counts[segment];
      ++found;
    }
    CHECK(found == 1);
  }
  // The hash is what it is, so this cannot fail by chance: a quarter each, give or take.
  for (const int count : counts) CHECK((count > 900 && count < 1100));
}

TEST_CASE("placement: a page goes on behind the last key of the one before") {
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

#include "kv/memory/tree.h"

#include <algorithm>
#include <list>
#include <map>
#include <optional>
#include <random>
#include <string>

#include <catch2/catch.hpp>

#include "kv/live_memory.h"
#include "kv/memory/cursor.h"
#include "support/random_seed.h"

namespace dinette::kv::memory::tree_test {
namespace {

/// So small that a few keys make a tree of several levels.
constexpr Shape tiny{.max_keys = 4, .max_heap = 64};

std::string number_key(int number) {
  std::string digits = std::to_string(number);
  return "key" + std::string(8 - digits.size(), '0') + digits;
}

void put(Tree& tree, const std::string& key, const std::string& value) {
  Garbage garbage;
  tree.put(key, Value(value), garbage);
}
void erase(Tree& tree, const std::string& key) {
  Garbage garbage;
  tree.erase(key, garbage);
}
void erase_range(Tree& tree, const std::string& begin, const std::string& end) {
  Garbage garbage;
  tree.erase_range({begin, end}, garbage);
}

struct Summary {
  std::size_t nodes = 0;
  std::size_t keys = 0;
  std::size_t capacity = 0;  ///< keys for which the nodes have room
};

/// Walks the nodes and checks the invariants of each: levels fall by one, bounds hold, keys ascend, nothing
/// is empty.
void check_node(const Node& node, std::optional<std::string> lower, std::optional<std::string> upper,
                Summary& summary) {
  ++summary.nodes;
  summary.capacity += node.capacity();
  REQUIRE(node.slots() > 0);
  REQUIRE(node.keys() <= node.capacity());
  std::optional<std::string> bound = lower;
  for (std::size_t i = 0; i < node.keys(); ++i) {
    std::string key = std::string(node.prefix()).append(node.suffix(i));
    if (i > 0 || (node.is_leaf() && lower)) REQUIRE((i > 0 ? key > *bound : key >= *lower));
    if (upper) REQUIRE(key < *upper);
    if (!node.is_leaf()) {
      REQUIRE(node.slot(i).child->level() + 1 == node.level());
      check_node(*node.slot(i).child, bound, key, summary);
    }
    bound = key;
  }
  if (node.is_leaf()) {
    summary.keys += node.keys();
  } else {
    check_node(*node.slot(node.keys()).child, bound, upper, summary);
  }
}

Summary check(const Tree& tree) {
  Summary summary;
  if (!tree.empty()) check_node(*tree.root(), std::nullopt, std::nullopt, summary);
  return summary;
}

struct Live {
  std::int64_t nodes = live_memory.nodes;
  std::int64_t buffers = live_memory.buffers;
  std::int64_t bytes = live_memory.bytes;
  bool operator==(const Live&) const = default;
};

}  // namespace

TEST_CASE("tree: nodes split and merge as keys come and go, in any order") {
  const Live before;
  std::mt19937_64 random(test::random_seed());
  constexpr int count = 500;
  {
    Tree tree(tiny);
    std::vector<int> order(count);
    for (int i = 0; i < count; ++i) order[static_cast<std::size_t>(i)] = i;
    SECTION("ascending") {}
    SECTION("descending") {
      std::reverse(order.begin(), order.end());
    }
    SECTION("random") {
      std::shuffle(order.begin(), order.end(), random);
    }
    for (const int i : order) {
      put(tree, number_key(i), std::to_string(i));
      check(tree);
    }
    CHECK(check(tree).keys == count);
    CHECK(tree.root()->level() >= 3);
    for (const int i : order) {
      const auto* buffer = tree.find(number_key(i));
      REQUIRE(buffer != nullptr);
      erase(tree, number_key(i));
      REQUIRE(tree.find(number_key(i)) == nullptr);
      check(tree);
    }
    CHECK(tree.empty());
  }
  CHECK(Live() == before);
}

TEST_CASE(
    "tree: long keys make small nodes, and a different key among keys with a long prefix does no harm") {
  const Live before;
  {
    Tree tree;
    const std::string prefix(10'000, 'p');
    for (int i = 0; i < 200; ++i) put(tree, prefix + number_key(i), "1");
    put(tree, std::string(9'000, 'p') + "q" + prefix.substr(0, 1'000), "2");
    put(tree, "a", "3");
    put(tree, std::string(10'200, 'z'), "4");
    for (int i = 0; i < 50; ++i)
      put(tree, std::string(1, static_cast<char>('A' + i)) + std::string(10'200, 'x'), "5");
    CHECK(check(tree).keys == 253);
    for (int i = 0; i < 200; ++i) REQUIRE(tree.find(prefix + number_key(i)) != nullptr);
    for (int i = 0; i < 200; ++i) erase(tree, prefix + number_key(i));
    CHECK(check(tree).keys == 53);
  }
  CHECK(Live() == before);
}

TEST_CASE("tree: random changes of trees that share nodes, compared with maps") {
  const Live before;
  std::mt19937_64 random(test::random_seed());
  const auto below = [&](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
  {
    std::list<std::pair<Tree, std::map<std::string, std::string>>> trees;
    // With similar keys, nodes are full of keys; with keys of very different sizes, also of bytes.
    const bool uneven = GENERATE(false, true);
    const Shape shape = uneven ? Shape{.max_keys = 40, .max_heap = 300} : tiny;
    trees.emplace_back(Tree(shape), std::map<std::string, std::string>());
    for (int step = 0; step < 6000; ++step) {
      auto& [tree, map] = *std::next(trees.begin(), below(static_cast<int>(trees.size())));
      std::string key = number_key(below(400));
      if (uneven) key = key.substr(8) + std::string(key.back() == '7' ? 90 : 1, key[9]);
      const int kind = below(100);
      if (kind < 55) {
        put(tree, key, std::to_string(step));
        map[key] = std::to_string(step);
      } else if (kind < 90) {
        erase(tree, key);
        map.erase(key);
      } else if (kind < 97) {
        const std::string end = below(8) == 0 ? std::string() : number_key(below(400));
        erase_range(tree, key, end);
        std::erase_if(map, [&](const auto& entry) { return Range{key, end}.contains(entry.first); });
      } else if (trees.size() < 4) {
        trees.emplace_back(tree, map);
      } else {
        trees.erase(std::next(trees.begin(), below(4)));
      }
      if (step % 20 != 0) continue;
      for (const auto& [some, expected] : trees) {
        REQUIRE(check(some).keys == expected.size());
        for (const auto& [at, value] : expected) {
          const auto* buffer = some.find(at);
          REQUIRE(buffer != nullptr);
        }
      }
    }
  }
  CHECK(Live() == before);
}

TEST_CASE("tree: a leaf whose long keys outlast its short ones keeps them all") {
  for (int short_keys = 4; short_keys < 30; ++short_keys) {
    Tree tree(Shape{.max_keys = 40, .max_heap = 300});
    std::vector<std::string> kept;
    for (const char* letter : {"x", "y", "z"}) kept.push_back(letter + std::string(92, '-'));
    for (const std::string& key : kept) put(tree, key, "1");
    for (int i = 0; i < short_keys; ++i) put(tree, std::string(1, static_cast<char>('A' + i)), "2");
    for (const char* letter : {"u", "v"}) kept.push_back(letter + std::string(14, '-'));
    for (const std::string& key : kept) put(tree, key, "1");
    for (int i = 0; i < short_keys; ++i) erase(tree, std::string(1, static_cast<char>('A' + i)));
    for (const std::string& key : kept) REQUIRE(tree.find(key) != nullptr);
    REQUIRE(check(tree).keys == kept.size());
  }
}

TEST_CASE("tree: a change copies the path to it, and nothing else") {
  Tree tree(tiny);
  for (int i = 0; i < 1000; ++i) put(tree, number_key(i), "1");
  const Live alone;
  {
    const Tree copy(tree);
    CHECK(Live() == alone);
    put(tree, number_key(500), "2");
    CHECK(Live().nodes == alone.nodes + static_cast<std::int64_t>(tree.root()->level()) + 1);
    CHECK(Live().buffers == alone.buffers + 1);
    const Live once;
    put(tree, number_key(500), "3");
    CHECK(Live() == once);
    const Value::Buffer* old = copy.find(number_key(500));
    CHECK(Value::bytes_of(const_cast<Value::Buffer*>(old))[0] == '1');
  }
  CHECK(Live() == alone);
}

TEST_CASE("tree: several keys may share one value") {
  const Live before;
  {
    Tree tree;
    Garbage garbage;
    const Value value("shared");
    for (int i = 0; i < 100; ++i) tree.put(number_key(i), value, garbage);
    CHECK(Live().buffers == before.buffers + 1);
  }
  CHECK(Live() == before);
}

TEST_CASE("tree: erasing a range drops whole subtrees without visiting them") {
  Tree tree;
  for (int i = 0; i < 20'000; ++i) put(tree, number_key(i), "1");
  const Live before;
  Garbage garbage;
  tree.erase_range({number_key(100), number_key(19'900)}, garbage);
  CHECK(check(tree).keys == 200);
  // Hardly anything is freed yet; then everything is, in portions.
  CHECK(Live().buffers == before.buffers);
  CHECK_FALSE(garbage.free_some(10));
  CHECK(Live().buffers < before.buffers);
  CHECK(Live().buffers > 10'000);
  while (!garbage.free_some(10)) {
  }
  CHECK(Live().buffers == before.buffers - 19'800);
}

TEST_CASE("tree: deletes free memory, in any order") {
  std::mt19937_64 random(test::random_seed());
  Tree tree;
  for (int i = 0; i < 20'000; ++i) put(tree, number_key(i), "1");
  const Summary full = check(tree);
  std::vector<int> order(20'000);
  for (int i = 0; i < 20'000; ++i) order[static_cast<std::size_t>(i)] = i;
  SECTION("in order") {}
  SECTION("at random") {
    std::shuffle(order.begin(), order.end(), random);
  }
  for (std::size_t i = 0; i < 18'000; ++i) erase(tree, number_key(order[i]));
  const Summary tenth = check(tree);
  CHECK(tenth.keys == 2'000);
  CHECK(tenth.capacity < full.capacity / 5);
  CHECK(tenth.nodes < full.nodes / 2);
}

}  // namespace dinette::kv::memory::tree_test

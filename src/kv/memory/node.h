#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "dinette/kv/value.h"

namespace dinette::kv::memory {

/// Prefetches the first `bytes` at `begin`. Prefetching past the end is harmless.
inline void prefetch(const void* begin, std::size_t bytes) {
  constexpr std::size_t cache_line = 64;
  for (std::size_t offset = 0; offset < bytes; offset += cache_line)
    __builtin_prefetch(static_cast<const char*>(begin) + offset);
}

/// Prefetches the beginning of a value; all of a short one.
inline void prefetch_value(const Value::Buffer* buffer) {
  constexpr std::size_t bytes = 256;
  prefetch(buffer, bytes);
}

/// When a node is full. The defaults are for production; tests of the shape of the tree use smaller ones.
struct Shape {
  std::uint32_t max_keys = 32;         ///< at least 3
  std::uint32_t max_heap = 16 * 1024;  ///< bytes of keys, unless there are fewer than four of them
};

/// One node of the tree, in one allocation: this header, an array of slots, the first four bytes of each key
/// as a number (most searches end there), where each key is, and a heap of key bytes. What all keys of the
/// node begin with is stored once, at the front of the heap; a key without it is a `suffix`.
///
/// A leaf has one slot per key: its value. An inner node has one more slot than keys: its children. Key i is
/// the lower bound of child i + 1 and greater than everything in child i.
///
/// Nodes are counted. A node with more than one owner is never changed. Its count says nothing about the
/// counts of what it points to: a change starts at the root and clones what is shared on the path
/// (Tree::own).
class Node {
 public:
  union Slot {
    Value::Buffer* buffer;
    Node* child;
  };
  struct Place {
    std::size_t index;  ///< of the first key that is not less
    bool found;         ///< that key equals the one searched for
  };

  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  /// Returns a node without keys, with room for `capacity` keys and `heap_capacity` bytes of them, `prefix`
  /// included.
  static Node* make(unsigned level, std::size_t capacity, std::size_t heap_capacity, std::string_view prefix);
  /// Returns a copy that shares what the slots point to.
  static Node* clone(const Node& node);
  /// Frees the node, but not what its slots point to.
  static void free(Node* node);

  void retain() { count_.fetch_add(1, std::memory_order_relaxed); }
  /// Releases one count. Returns true if it was the last: the caller then frees the node.
  bool give_back() { return count_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
  bool shared() const { return count_.load(std::memory_order_acquire) != 1; }

  unsigned level() const { return level_; }  ///< 0 for a leaf; all leaves are equally deep
  bool is_leaf() const { return level_ == 0; }
  std::size_t keys() const { return keys_; }
  std::size_t slots() const { return keys_ + (is_leaf() ? 0u : 1u); }
  std::size_t capacity() const { return capacity_; }

  std::string_view prefix() const { return {heap(), prefix_size_}; }
  std::string_view suffix(std::size_t key) const { return {heap() + spots()[key].offset, spots()[key].size}; }
  Slot slot(std::size_t index) const { return slot_array()[index]; }
  Slot& slot(std::size_t index) { return slot_array()[index]; }
  /// Returns the slot of key `key`: its value, or the child of which it is the lower bound.
  std::size_t slot_of_key(std::size_t key) const { return key + (is_leaf() ? 0u : 1u); }

  /// Prefetches all the memory in which a search of this node begins. It is rarely in a cache, and one miss
  /// after the other would take several times as long.
  void prefetch_search() const {
    constexpr std::size_t bytes = 640;  // what precedes the heap in a full node, and the prefix
    prefetch(this, bytes);
  }
  /// Prefetches the counts of everything that the slots point to, which are about to change.
  void prefetch_counts() const {
    for (std::size_t i = 0; i < slots(); ++i) __builtin_prefetch(slot(i).child, 1);
  }

  Place find(std::string_view key) const;
  /// Returns the index of the child that `key` belongs to. For inner nodes.
  std::size_t child_for(std::string_view key) const {
    const Place place = find(key);
    return place.index + (place.found ? 1 : 0);
  }

  /// Returns true if there is room to insert() `key`.
  bool has_room_for(std::string_view key) const;
  /// Inserts `key`, which must start with prefix(), at `index` with its slot.
  void insert(std::size_t index, std::string_view key, Slot slot);
  /// Removes `count` keys from `first` on, with their slots.
  void remove(std::size_t first, std::size_t count);
  /// Removes `count` children from `first` on, but not all of them. For inner nodes.
  void remove_children(std::size_t first, std::size_t count);

 private:
  struct Spot {
    std::uint16_t offset;
    std::uint16_t size;
  };

  Node() = default;

  // The arrays follow the header in this order, which keeps each of them aligned. A search starts with the
  // heads, so they are where no header is needed to find them.
  std::uint32_t* heads() { return reinterpret_cast<std::uint32_t*>(this + 1); }
  const std::uint32_t* heads() const { return reinterpret_cast<const std::uint32_t*>(this + 1); }
  Spot* spots() { return reinterpret_cast<Spot*>(heads() + capacity_); }
  const Spot* spots() const { return reinterpret_cast<const Spot*>(heads() + capacity_); }
  Slot* slot_array() { return reinterpret_cast<Slot*>(spots() + capacity_); }
  const Slot* slot_array() const { return reinterpret_cast<const Slot*>(spots() + capacity_); }
  std::size_t slot_capacity() const { return capacity_ + (is_leaf() ? 0u : 1u); }
  char* heap() { return reinterpret_cast<char*>(slot_array() + slot_capacity()); }
  const char* heap() const { return reinterpret_cast<const char*>(slot_array() + slot_capacity()); }

  std::atomic<std::uint32_t> count_{1};
  std::uint16_t level_ = 0;
  std::uint16_t keys_ = 0;
  std::uint16_t capacity_ = 0;
  std::uint16_t prefix_size_ = 0;
  std::uint16_t heap_used_ = 0;  ///< including the holes that removed keys left
  std::uint16_t heap_capacity_ = 0;
};

}  // namespace dinette::kv::memory

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "kv/memory/node.h"

namespace dinette::kv::memory {

/// What one node has become: itself, and the nodes to its right with their lower bounds.
struct Built {
  Node* node = nullptr;
  std::vector<std::pair<std::string, Node*>> siblings;
};

/// The keys and slots of one or more nodes of one level, laid out to be rebuilt: with room to grow, without
/// holes, with the longest prefix, and in as many nodes as necessary. Holds views of the keys of these nodes,
/// which must live until build() has returned.
class Content {
 public:
  explicit Content(unsigned level) : level_(level) {}

  /// For an inner node: makes `child` the first child.
  void lead_with(Node* child);
  /// Appends all of `node`. For an inner node, `lower_bound` is the lower bound of its first child; it is
  /// ignored for the first node.
  void append(const Node& node, std::string_view lower_bound = {});
  void insert(std::size_t key_index, std::string_view key, Node::Slot slot);

  std::size_t keys() const { return entries_.size(); }
  /// Returns the bytes of heap that one node with everything would need.
  std::size_t heap_size() const { return heap_size(0, entries_.size()); }

  /// Returns nodes with everything. They take over the slots.
  Built build(const Shape& shape) const;

 private:
  /// A key in two parts, as its node stores it.
  struct Entry {
    std::string_view prefix;
    std::string_view suffix;
    Node::Slot slot;

    std::size_t size() const { return prefix.size() + suffix.size(); }
    char operator[](std::size_t i) const { return i < prefix.size() ? prefix[i] : suffix[i - prefix.size()]; }
  };

  static std::size_t common_size(const Entry& a, const Entry& b);
  static std::string first_bytes(const Entry& entry, std::size_t size);
  std::size_t prefix_size(std::size_t begin, std::size_t end) const;
  std::size_t heap_size(std::size_t begin, std::size_t end) const;
  Node* build_one(Node::Slot leading, std::size_t begin, std::size_t end, const Shape& shape) const;
  void build_range(Node::Slot leading, std::string lower_bound, std::size_t begin, std::size_t end,
                   const Shape& shape, Built& out) const;

  unsigned level_;
  Node::Slot leading_{};  ///< the first child of an inner node
  bool empty_ = true;
  boost::container::small_vector<Entry, 72> entries_;
};

}  // namespace dinette::kv::memory

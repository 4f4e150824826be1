#pragma once

#include <cstddef>
#include <string_view>

#include "dinette/kv/value.h"
#include "dinette/kv/write_batch.h"

#include "kv/memory/content.h"
#include "kv/memory/garbage.h"
#include "kv/memory/node.h"

namespace dinette::kv::memory {

/// A copy-on-write B+tree. Copies share their nodes and cost one increment; a change then clones what it
/// touches and others see, and happens in place where nobody else looks.
///
/// One thread at a time may change a Tree or copy it while it is being changed elsewhere; different Trees,
/// though they share nodes, are independent. Nodes may be less than half full, never empty, and neighbours
/// that fit together well are merged, so that deletes give memory back.
class Tree {
 public:
  explicit Tree(Shape shape = {}) : shape_(shape) {}
  Tree(const Tree& other) : shape_(other.shape_), root_(other.root_) {
    if (root_ != nullptr) root_->retain();
  }
  Tree& operator=(const Tree&) = delete;
  ~Tree();

  /// The value at `key`, not counted for the caller; null when there is none.
  Value::Buffer* find(std::string_view key) const;
  const Node* root() const { return root_; }
  bool empty() const { return root_ == nullptr; }

  // What these replace or remove ends in `garbage`.
  void put(std::string_view key, const Value& value, Garbage& garbage);
  void erase(std::string_view key, Garbage& garbage);
  void erase_range(Range range, Garbage& garbage);
  /// WriteBatch::add.
  void add(std::string_view key, std::string_view increments, Garbage& garbage);

  /// Makes this tree a copy of `other`.
  void become(const Tree& other, Garbage& garbage);
  /// Hands over all its nodes; it is empty afterwards.
  void clear(Garbage& garbage);

 private:
  static void own(Node*& node, Garbage& garbage);
  Built put(Node* node, std::string_view key, Value::Buffer* buffer, Garbage& garbage);
  Built put_in_leaf(Node* leaf, std::string_view key, Value::Buffer* buffer, Garbage& garbage);
  Built insert_siblings(Node* node, std::size_t child, const Built& below);
  // These return what is left of the node: null for nothing.
  Node* erase(Node* node, std::string_view key, Garbage& garbage);
  Node* erase_range(Node* node, Range range, Garbage& garbage);
  bool erase_in_child(Node* node, std::size_t child, Range range, Garbage& garbage);
  Node* erase_range_in_leaf(Node* leaf, Range range, Garbage& garbage);
  Node* without_children(Node* node, std::size_t first, std::size_t count);
  Node* shrunk(Node* leaf);
  void mend(Node* node, std::size_t child, Garbage& garbage);
  bool merge(Node* node, std::size_t left, Garbage& garbage);
  void grow_root(Built built);
  void lower_root();
  Value::Buffer** find_to_change(std::string_view key, Garbage& garbage);

  Shape shape_;
  Node* root_ = nullptr;
};

}  // namespace dinette::kv::memory

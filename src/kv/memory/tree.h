#pragma once

#include <cstddef>
#include <string_view>

#include "dinette/kv/value.h"
#include "dinette/kv/write_batch.h"

#include "kv/memory/content.h"
#include "kv/memory/garbage.h"
#include "kv/memory/node.h"

namespace dinette::kv::memory {

/// A copy-on-write B+tree. Copies share their nodes and cost one increment. A change clones the nodes that it
/// touches and that others share, and changes all other nodes in place.
///
/// Not thread safe: a Tree must not be changed while another thread changes or copies it. Different Trees are
/// independent, although they share nodes. Nodes may be less than half full but never empty; neighbours that
/// fit together well are merged, so that deletes free memory.
class Tree {
 public:
  explicit Tree(Shape shape = {}) : shape_(shape) {}
  Tree(const Tree& other) : shape_(other.shape_), root_(other.root_) {
    if (root_ != nullptr) root_->retain();
  }
  Tree& operator=(const Tree&) = delete;
  ~Tree();

  /// Returns the value at `key`, whose count the caller does not own; null if the key is absent.
  Value::Buffer* find(std::string_view key) const;
  const Node* root() const { return root_; }
  bool empty() const { return root_ == nullptr; }

  // What these replace or remove goes to `garbage`.
  void put(std::string_view key, const Value& value, Garbage& garbage);
  void erase(std::string_view key, Garbage& garbage);
  void erase_range(Range range, Garbage& garbage);
  /// Applies WriteBatch::add.
  void add(std::string_view key, std::string_view increments, Garbage& garbage);

  /// Makes this tree a copy of `other`.
  void become(const Tree& other, Garbage& garbage);
  /// Moves all nodes to `garbage`; the tree is empty afterwards.
  void clear(Garbage& garbage);

 private:
  static void own(Node*& node, Garbage& garbage);
  Built put(Node* node, std::string_view key, Value::Buffer* buffer, Garbage& garbage);
  Built put_in_leaf(Node* leaf, std::string_view key, Value::Buffer* buffer, Garbage& garbage);
  Built insert_siblings(Node* node, std::size_t child, const Built& below);
  // These return what is left of the node, or null for nothing.
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

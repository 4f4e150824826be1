#pragma once

#include <cstddef>

#include <boost/container/small_vector.hpp>

#include "kv/memory/node.h"

namespace dinette::kv::memory {

/// Counts of values and nodes that somebody no longer needs, put aside while a lock is held, given back after
/// it.
class Garbage {
 public:
  Garbage() = default;
  Garbage(const Garbage&) = delete;
  Garbage& operator=(const Garbage&) = delete;
  /// Frees everything that is left.
  ~Garbage() { (void)free_some(static_cast<std::size_t>(-1)); }

  void add(Value::Buffer* buffer) { buffers_.push_back(buffer); }
  void add(Node* node) { nodes_.push_back(node); }
  /// Takes over all of `other`, which needs no memory when this is empty. When there is none, each count is
  /// still in one of them.
  void add(Garbage& other);
  bool empty() const { return buffers_.empty() && nodes_.empty(); }

  /// Gives back counts, and what then has none goes with what it points to, but frees no more than about
  /// `max_nodes` nodes; more only when there is no memory to note down what is left. True when nothing is
  /// left to do.
  [[nodiscard]] bool free_some(std::size_t max_nodes) noexcept;

 private:
  void free_node(Node* node) noexcept;
  void add_or_free(Node* node) noexcept;

  boost::container::small_vector<Value::Buffer*, 8> buffers_;
  boost::container::small_vector<Node*, 4> nodes_;
};

}  // namespace dinette::kv::memory

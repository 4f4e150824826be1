#pragma once

#include <cstddef>

#include <boost/container/small_vector.hpp>

#include "kv/memory/node.h"

namespace dinette::kv::memory {

/// Counts of values and nodes to be released: collected while a lock is held, released after it.
class Garbage {
 public:
  Garbage() = default;
  Garbage(const Garbage&) = delete;
  Garbage& operator=(const Garbage&) = delete;
  /// Frees everything that is left.
  ~Garbage() { (void)free_some(static_cast<std::size_t>(-1)); }

  void add(Value::Buffer* buffer) { buffers_.push_back(buffer); }
  void add(Node* node) { nodes_.push_back(node); }
  /// Takes over all of `other`, which needs no memory if this is empty. If there is no memory, every count is
  /// still in one of the two.
  void add(Garbage& other);
  bool empty() const { return buffers_.empty() && nodes_.empty(); }

  /// Releases counts, and frees what then has none, with what it points to; stops after about `max_nodes`
  /// nodes, or later if there is no memory to record what is left. Returns true if nothing is left.
  [[nodiscard]] bool free_some(std::size_t max_nodes) noexcept;

 private:
  void free_node(Node* node) noexcept;
  void add_or_free(Node* node) noexcept;

  boost::container::small_vector<Value::Buffer*, 8> buffers_;
  boost::container::small_vector<Node*, 4> nodes_;
};

}  // namespace dinette::kv::memory

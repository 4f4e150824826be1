#include "kv/memory/garbage.h"

namespace dinette::kv::memory {

void Garbage::add(Garbage& other) {
  buffers_.insert(buffers_.end(), other.buffers_.begin(), other.buffers_.end());
  nodes_.insert(nodes_.end(), other.nodes_.begin(), other.nodes_.end());
  other.buffers_.clear();
  other.nodes_.clear();
}

bool Garbage::free_some(std::size_t max_nodes) {
  for (Value::Buffer* buffer : buffers_) Value::release(buffer);
  buffers_.clear();
  for (std::size_t freed = 0; !nodes_.empty() && freed < max_nodes; ++freed) {
    Node* node = nodes_.back();
    nodes_.pop_back();
    if (node->give_back()) free_node(node);
  }
  return nodes_.empty();
}

void Garbage::free_node(Node* node) {
  node->prefetch_counts();
  for (std::size_t i = 0; i < node->slots(); ++i) {
    if (node->is_leaf()) {
      Value::release(node->slot(i).buffer);
    } else {
      nodes_.push_back(node->slot(i).child);
    }
  }
  Node::free(node);
}

}  // namespace dinette::kv::memory

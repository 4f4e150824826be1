#include "kv/memory/garbage.h"

#include <new>
#include <utility>

namespace dinette::kv::memory {
namespace {

template <class List>
void take_over(List& list, List& other) {
  if (list.empty()) {
    list = std::move(other);
  } else {
    list.insert(list.end(), other.begin(), other.end());
  }
  other.clear();
}

}  // namespace

void Garbage::add(Garbage& other) {
  take_over(buffers_, other.buffers_);
  take_over(nodes_, other.nodes_);
}

bool Garbage::free_some(std::size_t max_nodes) noexcept {
  for (Value::Buffer* buffer : buffers_) Value::release(buffer);
  buffers_.clear();
  for (std::size_t freed = 0; !nodes_.empty() && freed < max_nodes; ++freed) {
    Node* node = nodes_.back();
    nodes_.pop_back();
    if (node->give_back()) free_node(node);
  }
  return nodes_.empty();
}

void Garbage::free_node(Node* node) noexcept {
  node->prefetch_counts();
  for (std::size_t i = 0; i < node->slots(); ++i) {
    if (node->is_leaf()) {
      Value::release(node->slot(i).buffer);
    } else {
      add_or_free(node->slot(i).child);
    }
  }
  Node::free(node);
}

/// Without memory for the list, frees the node immediately, and recursively its children.
void Garbage::add_or_free(Node* node) noexcept {
  try {
    nodes_.push_back(node);
  } catch (const std::bad_alloc&) {
    if (node->give_back()) free_node(node);
  }
}

}  // namespace dinette::kv::memory

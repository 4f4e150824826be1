#include "kv/memory/tree.h"

#include <utility>

namespace dinette::kv::memory {

Tree::~Tree() {
  Garbage garbage;
  clear(garbage);
}

void Tree::clear(Garbage& garbage) {
  if (root_ != nullptr) garbage.add(std::exchange(root_, nullptr));
}

void Tree::become(const Tree& other, Garbage& garbage) {
  if (other.root_ != nullptr) other.root_->retain();
  clear(garbage);
  root_ = other.root_;
}

Value::Buffer* Tree::find(std::string_view key) const {
  const Node* node = root_;
  if (node == nullptr) return nullptr;
  while (!node->is_leaf()) {
    node = node->slot(node->child_for(key)).child;
    node->prefetch_search();
  }
  const Node::Place place = node->find(key);
  return place.found ? node->slot(place.index).buffer : nullptr;
}

/// Makes `node` exclusive to this tree. The path down to it must be so already.
void Tree::own(Node*& node, Garbage& garbage) {
  if (!node->shared()) return;
  Node* copy = Node::clone(*node);
  garbage.add(node);
  node = copy;
}

void Tree::put(std::string_view key, const Value& value, Garbage& garbage) {
  Value::retain(value.buffer());
  if (root_ == nullptr) root_ = Node::make(0, 0, 0, {});
  own(root_, garbage);
  grow_root(put(root_, key, value.buffer(), garbage));
}

void Tree::grow_root(Built built) {
  root_ = built.node;
  while (!built.siblings.empty()) {
    Content above(root_->level() + 1);
    above.lead_with(root_);
    for (std::size_t i = 0; i < built.siblings.size(); ++i) {
      above.insert(i, built.siblings[i].first, {.child = built.siblings[i].second});
    }
    built = above.build(shape_);
    root_ = built.node;
  }
}

Built Tree::put(Node* node, std::string_view key, Value::Buffer* buffer, Garbage& garbage) {
  if (node->is_leaf()) return put_in_leaf(node, key, buffer, garbage);
  const std::size_t index = node->child_for(key);
  Node::Slot& slot = node->slot(index);
  own(slot.child, garbage);
  const Built below = put(slot.child, key, buffer, garbage);
  slot.child = below.node;
  if (below.siblings.empty()) return {node, {}};
  return insert_siblings(node, index, below);
}

Built Tree::put_in_leaf(Node* leaf, std::string_view key, Value::Buffer* buffer, Garbage& garbage) {
  const Node::Place place = leaf->find(key);
  if (place.found) {
    garbage.add(std::exchange(leaf->slot(place.index).buffer, buffer));
    return {leaf, {}};
  }
  if (leaf->has_room_for(key)) {
    leaf->insert(place.index, key, {.buffer = buffer});
    return {leaf, {}};
  }
  Content content(0);
  content.append(*leaf);
  content.insert(place.index, key, {.buffer = buffer});
  Built built = content.build(shape_);
  Node::free(leaf);
  return built;
}

Built Tree::insert_siblings(Node* node, std::size_t child, const Built& below) {
  // Key `child` is the lower bound of the next child: the new children go there.
  if (const auto& [bound, sibling] = below.siblings.front();
      below.siblings.size() == 1 && node->has_room_for(bound)) {
    node->insert(child, bound, {.child = sibling});
    return {node, {}};
  }
  Content content(node->level());
  content.append(*node);
  for (std::size_t i = 0; i < below.siblings.size(); ++i) {
    content.insert(child + i, below.siblings[i].first, {.child = below.siblings[i].second});
  }
  Built built = content.build(shape_);
  Node::free(node);
  return built;
}

void Tree::erase(std::string_view key, Garbage& garbage) {
  if (find(key) == nullptr) return;  // nothing to clone for
  own(root_, garbage);
  root_ = erase(root_, key, garbage);
  lower_root();
}

Node* Tree::erase(Node* node, std::string_view key, Garbage& garbage) {
  if (node->is_leaf()) {
    const std::size_t index = node->find(key).index;
    garbage.add(node->slot(index).buffer);
    node->remove(index, 1);
    return shrunk(node);
  }
  const std::size_t index = node->child_for(key);
  Node::Slot& slot = node->slot(index);
  own(slot.child, garbage);
  slot.child = erase(slot.child, key, garbage);
  if (slot.child == nullptr) return without_children(node, index, 1);
  mend(node, index, garbage);
  return node;
}

void Tree::erase_range(Range range, Garbage& garbage) {
  if (root_ == nullptr || (!range.end.empty() && range.begin >= range.end)) return;
  if (range.begin.empty() && range.end.empty()) return clear(garbage);
  own(root_, garbage);
  root_ = erase_range(root_, range, garbage);
  lower_root();
}

/// Drops whole children between the two ends, so the cost is that of the two paths down.
Node* Tree::erase_range(Node* node, Range range, Garbage& garbage) {
  if (node->is_leaf()) return erase_range_in_leaf(node, range, garbage);
  const std::size_t first = range.begin.empty() ? 0 : node->child_for(range.begin);
  const std::size_t last = range.end.empty() ? node->keys() : node->find(range.end).index;

  const bool one = first == last;
  const bool first_stays =
      erase_in_child(node, first, {range.begin, one ? range.end : std::string_view{}}, garbage);
  const bool last_stays = !one && erase_in_child(node, last, {{}, range.end}, garbage);
  for (std::size_t i = first + 1; i < last; ++i) garbage.add(node->slot(i).child);

  const std::size_t gone_begin = first_stays ? first + 1 : first;
  const std::size_t gone_end = last_stays ? last : last + 1;
  if (gone_begin < gone_end && without_children(node, gone_begin, gone_end - gone_begin) == nullptr)
    return nullptr;
  if (gone_begin < node->slots()) mend(node, gone_begin, garbage);
  if (first_stays) mend(node, first, garbage);
  return node;
}

/// Returns false if nothing is left of the child, whose slot is then invalid.
bool Tree::erase_in_child(Node* node, std::size_t child, Range range, Garbage& garbage) {
  Node::Slot& slot = node->slot(child);
  if (range.begin.empty() && range.end.empty()) {
    garbage.add(slot.child);
    return false;
  }
  own(slot.child, garbage);
  slot.child = erase_range(slot.child, range, garbage);
  return slot.child != nullptr;
}

Node* Tree::erase_range_in_leaf(Node* leaf, Range range, Garbage& garbage) {
  const std::size_t first = leaf->find(range.begin).index;
  const std::size_t last = range.end.empty() ? leaf->keys() : leaf->find(range.end).index;
  for (std::size_t i = first; i < last; ++i) garbage.add(leaf->slot(i).buffer);
  leaf->remove(first, last - first);
  return shrunk(leaf);
}

Node* Tree::without_children(Node* node, std::size_t first, std::size_t count) {
  if (count == node->slots()) {
    Node::free(node);
    return nullptr;
  }
  node->remove_children(first, count);
  return node;
}

/// Returns a leaf that has lost keys: null if it has none, rebuilt smaller if it is half empty.
Node* Tree::shrunk(Node* leaf) {
  constexpr std::size_t worth_it = 8;
  if (leaf->keys() > 0 && (leaf->capacity() <= worth_it || leaf->keys() * 2 > leaf->capacity())) return leaf;
  Node* left = nullptr;
  if (leaf->keys() > 0) {
    Content content(0);
    content.append(*leaf);
    left = content.build(shape_).node;
  }
  Node::free(leaf);
  return left;
}

/// Merges a child that has become small with a neighbour, if they fit into one node with room to spare.
void Tree::mend(Node* node, std::size_t child, Garbage& garbage) {
  if (node->slot(child).child->keys() > shape_.max_keys / 4) return;
  if (child + 1 < node->slots() && merge(node, child, garbage)) return;
  if (child > 0) merge(node, child - 1, garbage);
}

bool Tree::merge(Node* node, std::size_t left, Garbage& garbage) {
  const std::size_t keys = node->slot(left).child->keys() + node->slot(left + 1).child->keys();
  if (keys > shape_.max_keys * 3 / 4) return false;
  own(node->slot(left).child, garbage);
  own(node->slot(left + 1).child, garbage);
  Node* halves[] = {node->slot(left).child, node->slot(left + 1).child};
  const std::string bound = std::string(node->prefix()).append(node->suffix(left));
  Content content(halves[0]->level());
  content.append(*halves[0]);
  content.append(*halves[1], bound);
  if (content.keys() > shape_.max_keys || content.heap_size() > shape_.max_heap * 3 / 4) return false;
  node->slot(left).child = content.build(shape_).node;
  node->remove_children(left + 1, 1);
  for (Node* half : halves) Node::free(half);
  return true;
}

void Tree::lower_root() {
  while (root_ != nullptr && !root_->is_leaf() && root_->slots() == 1) {
    Node::free(std::exchange(root_, root_->slot(0).child));
  }
}

void Tree::add(std::string_view key, std::string_view increments, Garbage& garbage) {
  Value::Buffer** found = find_to_change(key, garbage);
  if (found == nullptr) {
    put(key, add_counters({}, increments), garbage);
    return;
  }
  Value current = Value::adopt(std::exchange(*found, nullptr));
  *found = add_counters(current, increments).detach();
  garbage.add(current.detach());
}

/// Returns the slot of `key`, on a path exclusive to this tree; null if the key is absent.
Value::Buffer** Tree::find_to_change(std::string_view key, Garbage& garbage) {
  if (find(key) == nullptr) return nullptr;
  own(root_, garbage);
  Node* node = root_;
  while (!node->is_leaf()) {
    Node::Slot& slot = node->slot(node->child_for(key));
    own(slot.child, garbage);
    node = slot.child;
  }
  return &node->slot(node->find(key).index).buffer;
}

}  // namespace dinette::kv::memory

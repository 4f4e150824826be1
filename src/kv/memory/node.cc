#include "kv/memory/node.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "dinette/base/bytes.h"

#include "kv/live_memory.h"

namespace dinette::kv::memory {
namespace {

/// Returns the first four bytes as a number; a shorter suffix is padded with zeros. If two of these differ,
/// the suffixes differ in the same direction.
std::uint32_t head_of(std::string_view suffix) {
  if (suffix.size() >= sizeof(std::uint32_t)) return base::load_big_endian<std::uint32_t>(suffix.data());
  char bytes[sizeof(std::uint32_t)] = {};
  if (!suffix.empty()) std::memcpy(bytes, suffix.data(), std::min(suffix.size(), sizeof bytes));
  return base::load_big_endian<std::uint32_t>(bytes);
}

/// Returns how many of the ascending `numbers` are less than `limit`. It has no branches that depend on the
/// numbers, because they could not be predicted.
std::size_t count_less(const std::uint32_t* numbers, std::size_t count, std::uint32_t limit) {
  const std::uint32_t* begin = numbers;
  while (count > 1) {
    const std::size_t half = count / 2;
    const std::uint32_t* middle = begin + half;
    begin = middle[-1] < limit ? middle : begin;
    count -= half;
  }
  const std::size_t last = count != 0 && *begin < limit ? 1 : 0;
  return static_cast<std::size_t>(begin - numbers) + last;
}

template <class Element>
void shift(Element* array, std::size_t from, std::size_t to, std::size_t end) {
  std::memmove(array + to, array + from, (end - from) * sizeof(Element));
}

std::size_t allocation_size(std::size_t slots, std::size_t keys, std::size_t heap) {
  return sizeof(Node) + slots * sizeof(Node::Slot) + keys * 2 * sizeof(std::uint32_t) + heap;
}

}  // namespace

Node* Node::make(unsigned level, std::size_t capacity, std::size_t heap_capacity, std::string_view prefix) {
  static_assert(sizeof(Node) % alignof(Slot) == 0 && sizeof(Spot) == sizeof(std::uint32_t));
  const std::size_t slots = capacity + (level == 0 ? 0 : 1);
  Node* node = ::new (::operator new(allocation_size(slots, capacity, heap_capacity))) Node;
  live_memory.nodes.fetch_add(1, std::memory_order_relaxed);
  node->level_ = static_cast<std::uint16_t>(level);
  node->capacity_ = static_cast<std::uint16_t>(capacity);
  node->heap_capacity_ = static_cast<std::uint16_t>(heap_capacity);
  node->prefix_size_ = node->heap_used_ = static_cast<std::uint16_t>(prefix.size());
  if (!prefix.empty()) std::memcpy(node->heap(), prefix.data(), prefix.size());
  return node;
}

Node* Node::clone(const Node& node) {
  Node* copy = make(node.level_, node.capacity_, node.heap_capacity_, node.prefix());
  copy->keys_ = node.keys_;
  copy->heap_used_ = node.heap_used_;
  std::memcpy(copy->heads(), node.heads(), node.keys_ * sizeof(std::uint32_t));
  std::memcpy(copy->spots(), node.spots(), node.keys_ * sizeof(Spot));
  std::memcpy(copy->heap(), node.heap(), node.heap_used_);
  node.prefetch_counts();
  for (std::size_t i = 0; i < node.slots(); ++i) {
    copy->slot(i) = node.slot(i);
    if (node.is_leaf()) {
      Value::retain(node.slot(i).buffer);
    } else {
      node.slot(i).child->retain();
    }
  }
  return copy;
}

void Node::free(Node* node) {
  live_memory.nodes.fetch_sub(1, std::memory_order_relaxed);
  node->~Node();
  ::operator delete(node);
}

Node::Place Node::find(std::string_view key) const {
  if (const int order = key.substr(0, prefix_size_).compare(prefix()); order != 0) {
    return {order < 0 ? 0 : keys(), false};
  }
  const std::string_view wanted = key.substr(prefix_size_);
  const std::uint32_t head = head_of(wanted);
  std::size_t begin = count_less(heads(), keys_, head);
  std::size_t end = begin;
  while (end < keys_ && heads()[end] == head) ++end;
  // Most keys with this head are the key itself.
  if (is_leaf() && begin < end) prefetch_value(slot(begin).buffer);
  while (begin < end) {
    const std::size_t middle = begin + (end - begin) / 2;
    const int order = suffix(middle).compare(wanted);
    if (order == 0) return {middle, true};
    (order < 0 ? begin : end) = order < 0 ? middle + 1 : middle;
  }
  return {begin, false};
}

bool Node::has_room_for(std::string_view key) const {
  return keys_ < capacity_ && key.starts_with(prefix()) &&
         heap_used_ + (key.size() - prefix_size_) <= heap_capacity_;
}

void Node::insert(std::size_t index, std::string_view key, Slot slot) {
  const std::string_view suffix = key.substr(prefix_size_);
  const std::size_t slot_index = slot_of_key(index);
  shift(slot_array(), slot_index, slot_index + 1, slots());
  shift(heads(), index, index + 1, keys_);
  shift(spots(), index, index + 1, keys_);
  slot_array()[slot_index] = slot;
  heads()[index] = head_of(suffix);
  spots()[index] = {heap_used_, static_cast<std::uint16_t>(suffix.size())};
  if (!suffix.empty()) std::memcpy(heap() + heap_used_, suffix.data(), suffix.size());
  heap_used_ = static_cast<std::uint16_t>(heap_used_ + suffix.size());
  ++keys_;
}

void Node::remove(std::size_t first, std::size_t count) {
  shift(slot_array(), slot_of_key(first + count), slot_of_key(first), slots());
  shift(heads(), first + count, first, keys_);
  shift(spots(), first + count, first, keys_);
  keys_ = static_cast<std::uint16_t>(keys_ - count);
}

void Node::remove_children(std::size_t first, std::size_t count) {
  if (first == 0) {
    // The first child that remains needs no lower bound: it becomes child 0.
    slot_array()[0] = slot_array()[count];
    remove(0, count);
  } else {
    remove(first - 1, count);
  }
}

}  // namespace dinette::kv::memory

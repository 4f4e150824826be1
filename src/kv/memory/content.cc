#include "kv/memory/content.h"

#include <algorithm>

namespace dinette::kv::memory {
namespace {

/// A node with fewer keys than this is not split, however long they are: both halves must keep at least one
/// key, and an inner node gives one up.
constexpr std::size_t min_keys_to_split = 4;

/// Returns a size with room to grow: an eighth, so that rebuilding is rare and little memory is wasted.
std::size_t with_reserve(std::size_t size, std::size_t least) {
  return size + std::max(size / 8, least);
}

}  // namespace

void Content::lead_with(Node* child) {
  leading_.child = child;
  empty_ = false;
}

void Content::append(const Node& node, std::string_view lower_bound) {
  if (!node.is_leaf()) {
    if (empty_) {
      leading_ = node.slot(0);
    } else {
      entries_.push_back({{}, lower_bound, node.slot(0)});
    }
  }
  empty_ = false;
  for (std::size_t i = 0; i < node.keys(); ++i) {
    entries_.push_back({node.prefix(), node.suffix(i), node.slot(node.slot_of_key(i))});
  }
}

void Content::insert(std::size_t key_index, std::string_view key, Node::Slot slot) {
  entries_.insert(entries_.begin() + static_cast<std::ptrdiff_t>(key_index), {{}, key, slot});
}

Built Content::build(const Shape& shape) const {
  Built built;
  build_range(leading_, {}, 0, entries_.size(), shape, built);
  return built;
}

void Content::build_range(Node::Slot leading, std::string lower_bound, std::size_t begin, std::size_t end,
                          const Shape& shape, Built& out) const {
  const std::size_t count = end - begin;
  const bool fits =
      count <= shape.max_keys && (count < min_keys_to_split || heap_size(begin, end) <= shape.max_heap);
  if (fits) {
    Node* node = build_one(leading, begin, end, shape);
    if (out.node == nullptr) {
      out.node = node;
    } else {
      out.siblings.emplace_back(std::move(lower_bound), node);
    }
    return;
  }
  // Halving, so the depth of this recursion is the logarithm of the number of keys.
  const std::size_t middle = begin + count / 2;
  build_range(leading, std::move(lower_bound), begin, middle, shape, out);
  const Entry& right = entries_[middle];
  if (level_ == 0) {
    // The shortest string that separates the two sides.
    build_range({}, first_bytes(right, common_size(entries_[middle - 1], right) + 1), middle, end, shape,
                out);
  } else {
    build_range(right.slot, first_bytes(right, right.size()), middle + 1, end, shape, out);
  }
}

Node* Content::build_one(Node::Slot leading, std::size_t begin, std::size_t end, const Shape& shape) const {
  const std::size_t count = end - begin;
  const std::size_t shared = prefix_size(begin, end);
  const std::size_t capacity = std::min<std::size_t>(with_reserve(count, 2), shape.max_keys);
  const std::string prefix = count == 0 ? std::string() : first_bytes(entries_[begin], shared);
  const std::size_t needed = heap_size(begin, end);
  // The room ends at the limit: a node that was within the limit stays so, and can always be rebuilt as one
  // node.
  const std::size_t heap = std::min(with_reserve(needed, 32), std::max<std::size_t>(needed, shape.max_heap));
  Node* node = Node::make(level_, capacity, heap, prefix);
  if (level_ != 0) node->slot(0) = leading;
  std::string key;
  for (std::size_t i = begin; i < end; ++i) {
    key.assign(entries_[i].prefix).append(entries_[i].suffix);
    node->insert(i - begin, key, entries_[i].slot);
  }
  return node;
}

std::size_t Content::common_size(const Entry& a, const Entry& b) {
  const std::size_t limit = std::min(a.size(), b.size());
  std::size_t size = 0;
  if (a.prefix.data() == b.prefix.data()) size = std::min({limit, a.prefix.size(), b.prefix.size()});
  while (size < limit && a[size] == b[size]) ++size;
  return size;
}

std::string Content::first_bytes(const Entry& entry, std::size_t size) {
  std::string bytes(entry.prefix.substr(0, size));
  bytes.append(entry.suffix.substr(0, size - bytes.size()));
  return bytes;
}

std::size_t Content::prefix_size(std::size_t begin, std::size_t end) const {
  // A single key gets no prefix: the next key would only undo it.
  return end - begin < 2 ? 0 : common_size(entries_[begin], entries_[end - 1]);
}

std::size_t Content::heap_size(std::size_t begin, std::size_t end) const {
  const std::size_t shared = prefix_size(begin, end);
  std::size_t size = shared;
  for (std::size_t i = begin; i < end; ++i) size += entries_[i].size() - shared;
  return size;
}

}  // namespace dinette::kv::memory

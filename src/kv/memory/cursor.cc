#include "kv/memory/cursor.h"

#include <algorithm>

namespace dinette::kv::memory {
namespace {

/// Values are scattered in memory, so each is prefetched this many keys ahead.
constexpr std::size_t rows_ahead = 2;

}  // namespace

Result<bool> TreeCursor::first() {
  go_to_first_from(begin_);
  return settle();
}

Result<bool> TreeCursor::last() {
  if (end_.empty()) {
    go_to_last();
  } else {
    go_to_last_before(end_);
  }
  return settle();
}

Result<bool> TreeCursor::seek(std::string_view key) {
  go_to_first_from(std::max<std::string_view>(key, begin_));
  return settle();
}

Result<bool> TreeCursor::seek_for_previous(std::string_view key) {
  if (!end_.empty() && key >= end_) return last();
  go_to_first_from(key);
  const bool found = !path_.empty() && path_.back().node->find(key).found;
  if (!found) go_to_last_before(key);
  return settle();
}

Result<bool> TreeCursor::next() {
  step_forward();
  return settle();
}

Result<bool> TreeCursor::previous() {
  step_backward();
  return settle();
}

void TreeCursor::go_to_first_from(std::string_view key) {
  path_.clear();
  if (root_ == nullptr) return;
  const Node* node = root_;
  while (!node->is_leaf()) {
    path_.push_back({node, node->child_for(key)});
    node = node->slot(path_.back().index).child;
  }
  path_.push_back({node, node->find(key).index});
  if (path_.back().index < node->keys()) return;
  // Everything in this leaf is less: continue with the first key of the next one.
  --path_.back().index;
  step_forward();
}

void TreeCursor::go_to_last_before(std::string_view key) {
  path_.clear();
  if (root_ == nullptr) return;
  go_to_first_from(key);
  if (path_.empty()) {
    go_to_last();
  } else {
    step_backward();
  }
}

void TreeCursor::go_to_last() {
  path_.clear();
  if (root_ != nullptr) descend(root_, true);
}

void TreeCursor::descend(const Node* node, bool to_last) {
  for (; !node->is_leaf(); node = node->slot(path_.back().index).child) {
    path_.push_back({node, to_last ? node->slots() - 1 : 0});
  }
  path_.push_back({node, to_last ? node->keys() - 1 : 0});
}

void TreeCursor::step_forward() {
  while (!path_.empty() && path_.back().index + 1 == path_.back().node->slots()) path_.pop_back();
  if (path_.empty()) return;
  Step& step = path_.back();
  ++step.index;
  if (!step.node->is_leaf()) descend(step.node->slot(step.index).child, false);
}

void TreeCursor::step_backward() {
  while (!path_.empty() && path_.back().index == 0) path_.pop_back();
  if (path_.empty()) return;
  Step& step = path_.back();
  --step.index;
  if (!step.node->is_leaf()) descend(step.node->slot(step.index).child, true);
}

/// Keeps the position, or leaves the cursor on no entry if that is out of bounds.
bool TreeCursor::settle() {
  key_known_ = false;
  if (path_.empty()) return false;
  const auto& [leaf, index] = path_.back();
  if (leaf != leaf_) find_bounds();
  if (index < leaf_begin_ || index >= leaf_end_) {
    path_.clear();
    return false;
  }
  if (index + rows_ahead < leaf_end_) prefetch_value(leaf->slot(index + rows_ahead).buffer);
  return true;
}

/// A leaf is searched only if a bound may be in it. Its parent knows, which costs two searches for all its
/// leaves.
void TreeCursor::find_bounds() {
  const Step& step = path_.back();
  leaf_ = step.node;
  leaf_begin_ = 0;
  leaf_end_ = leaf_->keys();
  bool begin_here = !begin_.empty();
  bool end_here = !end_.empty();
  if (path_.size() > 1) {
    const auto& [parent, child] = path_[path_.size() - 2];
    if (parent != parent_) find_children_within(*parent);
    begin_here = child < children_begin_;
    end_here = child >= children_end_;
  }
  if (begin_here) leaf_begin_ = leaf_->find(begin_).index;
  if (end_here) leaf_end_ = leaf_->find(end_).index;
}

/// Key i is greater than everything in child i and not greater than anything in child i + 1.
void TreeCursor::find_children_within(const Node& parent) {
  parent_ = &parent;
  children_begin_ = begin_.empty() ? 0 : parent.find(begin_).index + 1;
  children_end_ = end_.empty() ? parent.slots() : parent.child_for(end_);
}

std::string_view TreeCursor::key() const {
  if (!key_known_) {
    const auto& [leaf, index] = path_.back();
    key_.assign(leaf->prefix()).append(leaf->suffix(index));
    key_known_ = true;
  }
  return key_;
}

std::string_view TreeCursor::value() const {
  return {Value::bytes_of(buffer()), buffer()->size};
}

Value TreeCursor::shared_value() const {
  Value::retain(buffer());
  return Value::adopt(buffer());
}

}  // namespace dinette::kv::memory

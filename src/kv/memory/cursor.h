#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <boost/container/small_vector.hpp>

#include "dinette/kv/engine.h"

#include "kv/memory/node.h"

namespace dinette::kv::memory {

/// Walks a tree that does not change.
class TreeCursor final : public Cursor {
 public:
  /// `root` may be null; `owner` keeps it alive.
  TreeCursor(std::shared_ptr<const void> owner, const Node* root, Range range)
      : owner_(std::move(owner)), root_(root), begin_(range.begin), end_(range.end) {}

  Result<bool> first() override;
  Result<bool> last() override;
  Result<bool> seek(std::string_view key) override;
  Result<bool> seek_for_previous(std::string_view key) override;
  Result<bool> next() override;
  Result<bool> previous() override;

  bool valid() const override { return !path_.empty(); }
  std::string_view key() const override;
  std::string_view value() const override;
  Value shared_value() const override;

 private:
  /// A node on the path from the root to a leaf, and the index of the child taken there, or of the current
  /// key.
  struct Step {
    const Node* node;
    std::size_t index;
  };

  // These move over the whole tree, whatever the bounds.
  void go_to_first_from(std::string_view key);
  void go_to_last_before(std::string_view key);
  void go_to_last();
  void descend(const Node* node, bool to_last);
  void step_forward();
  void step_backward();

  bool settle();
  void find_bounds();
  void find_children_within(const Node& parent);
  Value::Buffer* buffer() const { return path_.back().node->slot(path_.back().index).buffer; }

  std::shared_ptr<const void> owner_;
  const Node* root_;
  std::string begin_;
  std::string end_;
  boost::container::small_vector<Step, 8> path_;  ///< empty when on no entry
  const Node* leaf_ = nullptr;                    ///< in which
  std::size_t leaf_begin_ = 0;                    ///< keys from here
  std::size_t leaf_end_ = 0;                      ///< to here are within the range
  const Node* parent_ = nullptr;                  ///< of which
  std::size_t children_begin_ = 0;                ///< children from here have nothing before the range
  std::size_t children_end_ = 0;                  ///< children before here have nothing beyond it
  mutable std::string key_;                       ///< built on demand
  mutable bool key_known_ = false;
};

}  // namespace dinette::kv::memory

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "objects/descriptor.h"

namespace dinette::objects {

class TreeFolder;
using TreeFolderPointer = std::shared_ptr<const TreeFolder>;

/// A folder below another one.
class TreeFolder {
 public:
  /// The folder that everything else is below.
  TreeFolder() = default;
  TreeFolder(TreeFolderPointer parent, std::string name)
      : parent_(std::move(parent)), name_(std::move(name)), depth_(parent_->depth_ + 1) {}

  const TreeFolderPointer& parent() const { return parent_; }  ///< null for the first
  const std::string& name() const { return name_; }
  std::size_t depth() const { return depth_; }
  /// Returns the names of the folders that it is in, and its own.
  std::vector<std::string> path() const;

 private:
  friend class FolderTree;

  const TreeFolderPointer parent_ = nullptr;
  const std::string name_;
  const std::size_t depth_ = 0;
  mutable Descriptor kept_;  ///< of some
};

/// Opens folders of any depth, of which few stay open: those at every sixteenth depth while the caller keeps
/// them or what is below them, and the last one. So opening a folder takes one step if it is in the last one,
/// else at most sixteen. For one thread.
class FolderTree {
 public:
  /// `top` must outlive it.
  explicit FolderTree(const Descriptor& top) : top_(top), first_(std::make_shared<TreeFolder>()) {}

  const TreeFolderPointer& first() const { return first_; }
  TreeFolderPointer below(const TreeFolderPointer& folder, std::string name) const {
    return std::make_shared<TreeFolder>(folder, std::move(name));
  }
  /// Returns the folder at the end of a path.
  TreeFolderPointer at(std::span<const std::string> path) const;

  /// Returns the open folder, valid until the next call; null if it is not there any more.
  Result<const Descriptor*> open(const TreeFolderPointer& folder);

  /// Returns how many folders were opened.
  std::size_t opened() const { return opened_; }

 private:
  const Descriptor* find_open(const TreeFolder& folder) const;

  const Descriptor& top_;
  const TreeFolderPointer first_;
  TreeFolderPointer last_;
  Descriptor last_open_;  ///< of last_, if that does not keep its own
  std::size_t opened_ = 0;
};

}  // namespace dinette::objects

#include "objects/folder_tree.h"

#include <algorithm>
#include <utility>

namespace dinette::objects {
namespace {

constexpr std::size_t kept_depths = 16;

}  // namespace

std::vector<std::string> TreeFolder::path() const {
  std::vector<std::string> path;
  for (const TreeFolder* folder = this; folder->parent_; folder = folder->parent_.get())
    path.push_back(folder->name_);
  std::ranges::reverse(path);
  return path;
}

TreeFolderPointer FolderTree::at(std::span<const std::string> path) const {
  TreeFolderPointer folder = first_;
  for (const std::string& name : path) folder = below(folder, name);
  return folder;
}

const Descriptor* FolderTree::find_open(const TreeFolder& folder) const {
  if (!folder.parent_) return &top_;
  if (folder.kept_) return &folder.kept_;
  return &folder == last_.get() && last_open_ ? &last_open_ : nullptr;
}

Result<const Descriptor*> FolderTree::open(const TreeFolderPointer& folder) {
  std::vector<TreeFolderPointer> closed;
  TreeFolderPointer above = folder;
  while (!find_open(*above)) {
    closed.push_back(above);
    above = above->parent_;
  }
  const Descriptor* now = find_open(*above);
  Descriptor passing;
  for (; !closed.empty(); closed.pop_back()) {
    Descriptor next = open_folder(*now, closed.back()->name_);
    if (!next && is_missing()) return nullptr;
    if (!next) return base::Failure{last_error("open a folder")};
    ++opened_;
    const bool keeps = closed.back()->depth_ % kept_depths == 0;
    Descriptor& place = keeps ? closed.back()->kept_ : passing;
    place = std::move(next);
    now = &place;
  }
  if (now == &passing) {
    last_open_ = std::move(passing);
    last_ = folder;
    now = &last_open_;
  }
  return now;
}

}  // namespace dinette::objects

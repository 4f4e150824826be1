#pragma once

#include <cstddef>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

#include "dinette/objects/object_store.h"

#include "objects/descriptor.h"
#include "objects/folder_tree.h"

namespace dinette::objects {

/// A key whose file the walk has come to, or a common prefix.
struct WalkedKey {
  std::string key;
  TreeFolderPointer folder = nullptr;  ///< that the file is in; null for a common prefix
  std::string name = {};               ///< of the file

  bool is_prefix() const { return !folder; }
};

/// Goes through the keys of a bucket in order, and reads no folder before its turn. Folders below a common
/// prefix are read only until one key is found. What is put or removed meanwhile may be missed or found; all
/// else is found once. For one thread.
class KeyWalk {
 public:
  /// `bucket`, `request` and `mutex` must outlive it. Of `request`, the limit is ignored. `mutex` is held
  /// shared while one folder is read; null: the caller holds it.
  KeyWalk(const Descriptor& bucket, const ListRequest& request, std::shared_mutex* mutex);

  /// Returns the next key or common prefix; nothing at the end.
  Result<std::optional<WalkedKey>> next();

  FolderTree& tree() { return tree_; }
  /// Returns how many folders were read, and how many of their entries.
  std::size_t folders_read() const { return folders_read_; }
  std::size_t entries_read() const { return entries_read_; }

  /// Returns true if there is a key in the folder or below it that the request asks for. Adds the folders
  /// that were read until it was found, each after the one that it is in.
  Result<bool> has_key(const TreeFolderPointer& folder, std::vector<TreeFolderPointer>* read = nullptr);

 private:
  /// A file or a folder whose turn is to come. The order of their texts is that of the keys: a file's is its
  /// key, and all keys below a folder begin with the folder's.
  struct Entry {
    std::string text;
    TreeFolderPointer folder;  ///< itself, or that the file is in
    std::optional<std::string> file_name;
  };

  Result<void> read(const TreeFolderPointer& folder);
  Result<void> visit(const TreeFolderPointer& folder, base::FunctionRef<bool(FolderEntry&&)> visit_entry);
  bool asks_for_key(std::string_view key) const;
  bool asks_below(std::string_view text) const;
  void add(Entry entry);
  Entry take_first();

  FolderTree tree_;
  const ListRequest& request_;
  std::shared_mutex* const mutex_;
  std::vector<Entry> entries_;  ///< a heap, the least first
  std::optional<std::string> last_;
  bool begun_ = false;
  std::size_t folders_read_ = 0;
  std::size_t entries_read_ = 0;
};

}  // namespace dinette::objects

#include "objects/key_walk.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "objects/key_path.h"

namespace dinette::objects {

KeyWalk::KeyWalk(const Descriptor& bucket, const ListRequest& request, std::shared_mutex* mutex)
    : tree_(bucket), request_(request), mutex_(mutex) {}

bool KeyWalk::asks_for_key(std::string_view key) const {
  return key.starts_with(request_.prefix) && key > request_.after;
}

/// Returns true if the request asks for keys that begin with `text`.
bool KeyWalk::asks_below(std::string_view text) const {
  const std::string_view prefix = request_.prefix;
  const std::string_view after = request_.after;
  const bool fits = text.starts_with(prefix) || prefix.starts_with(text);
  const bool passed =
      text < after && (!after.starts_with(text) || after.starts_with(after_all_of(std::string(text))));
  return fits && !passed && text.size() <= longest_key;
}

Result<void> KeyWalk::visit(const TreeFolderPointer& folder,
                            base::FunctionRef<bool(FolderEntry&&)> visit_entry) {
  const std::shared_lock guard = mutex_ ? std::shared_lock(*mutex_) : std::shared_lock<std::shared_mutex>();
  DINETTE_TRY(const Descriptor* const open, tree_.open(folder));
  if (!open) return {};
  ++folders_read_;
  return visit_entries(*open, [&](FolderEntry&& entry) {
    ++entries_read_;
    return visit_entry(std::move(entry));
  });
}

Result<void> KeyWalk::read(const TreeFolderPointer& folder) {
  const std::vector<std::string> path = folder->path();
  const std::string text = text_of_folders(path);
  return visit(folder, [&](FolderEntry&& entry) {
    if (entry.kind == FileKind::folder) {
      std::string below = text + text_of_folders(std::span(&entry.name, 1));
      if (asks_below(below))
        add({std::move(below), tree_.below(folder, std::move(entry.name)), std::nullopt});
    } else if (entry.kind == FileKind::file) {
      auto key = key_of(path, entry.name);
      if (key && asks_for_key(*key)) add({*std::move(key), folder, std::move(entry.name)});
    }
    return true;
  });
}

void KeyWalk::add(Entry entry) {
  entries_.push_back(std::move(entry));
  std::ranges::push_heap(entries_, std::ranges::greater(), &Entry::text);
}

KeyWalk::Entry KeyWalk::take_first() {
  std::ranges::pop_heap(entries_, std::ranges::greater(), &Entry::text);
  Entry first = std::move(entries_.back());
  entries_.pop_back();
  return first;
}

Result<bool> KeyWalk::has_key(const TreeFolderPointer& folder, std::vector<TreeFolderPointer>* read) {
  std::vector<TreeFolderPointer> open{folder};
  bool found = false;
  while (!found && !open.empty()) {
    const TreeFolderPointer now = std::move(open.back());
    open.pop_back();
    if (read) read->push_back(now);
    const std::vector<std::string> path = now->path();
    const std::string text = text_of_folders(path);
    DINETTE_CHECK(visit(now, [&](FolderEntry&& entry) {
      if (entry.kind == FileKind::folder) {
        if (asks_below(text + text_of_folders(std::span(&entry.name, 1))))
          open.push_back(tree_.below(now, std::move(entry.name)));
      } else if (entry.kind == FileKind::file) {
        const auto key = key_of(path, entry.name);
        found = key && asks_for_key(*key);
      }
      return !found;
    }));
  }
  return found;
}

Result<std::optional<WalkedKey>> KeyWalk::next() {
  if (!std::exchange(begun_, true)) DINETTE_CHECK(read(tree_.first()));
  while (!entries_.empty()) {
    Entry entry = take_first();
    auto prefix = common_prefix(request_, entry.text);
    const bool done = last_ && last_ == (prefix ? *prefix : entry.text);  // or files put there by hand
    if (done && (prefix || entry.file_name)) continue;
    if (!entry.file_name && !prefix) {
      DINETTE_CHECK(read(entry.folder));
      continue;
    }
    if (!entry.file_name) {
      DINETTE_TRY(const bool found, has_key(entry.folder));
      if (!found) continue;
    }
    last_ = prefix ? *prefix : entry.text;
    if (prefix) return std::optional(WalkedKey{*std::move(prefix)});
    return std::optional(
        WalkedKey{std::move(entry.text), std::move(entry.folder), *std::move(entry.file_name)});
  }
  return std::optional<WalkedKey>();
}

}  // namespace dinette::objects

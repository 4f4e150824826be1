#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/function_ref.h"
#include "dinette/dynamodb/item_files/outcome.h"
#include "dinette/objects/object_store.h"

namespace dinette::dynamodb::item_files {

/// Names of files and folders, these with a slash at the end.
using FolderNames = std::vector<std::string>;

/// A folder, and what it has. Errors name the file.
class Folder {
 public:
  /// `store`: one whose buckets are folders, which must outlive the object.
  Folder(objects::ObjectStore& store, std::filesystem::path path) : store_(store), path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }
  std::string text() const { return path_.string(); }
  Folder below(const std::filesystem::path& name) const { return {store_, path_ / name}; }
  /// Returns another folder of the same store.
  Folder elsewhere(std::filesystem::path path) const { return {store_, std::move(path)}; }

  /// Returns what is wrong with a file, or with the folder if `key` is empty.
  base::Failure<std::string> wrong(std::string_view key, std::string_view what) const;

  Outcome<FolderNames> names() const;
  bool has(const std::string& key) const;
  Outcome<std::unique_ptr<objects::ObjectReader>> open(const std::string& key) const;

  /// Calls `take` for each part of a file.
  Outcome<void> read(const std::string& key, base::FunctionRef<void(std::string_view)> take,
                     std::uint64_t most_bytes = std::numeric_limits<std::uint64_t>::max()) const;

  /// Reads a manifest or a definition: far smaller than what this takes.
  Outcome<std::string> read_small(std::string_view key) const;

 private:
  objects::ObjectStore& store_;
  std::filesystem::path path_;
};

}  // namespace dinette::dynamodb::item_files

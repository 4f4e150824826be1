#pragma once

#include <filesystem>

namespace dinette::kv::durable {

/// The folder for the database of one engine.
class DatabaseFolder {
 public:
  virtual ~DatabaseFolder() = default;
  virtual const std::filesystem::path& path() const = 0;
  /// Returns true if the folder stays when nothing refers to it any more. May change.
  virtual bool is_kept() const = 0;
};

}  // namespace dinette::kv::durable

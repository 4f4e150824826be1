#pragma once

#include <filesystem>
#include <string_view>
#include <utility>

#include "dinette/kv/error.h"

namespace dinette::kv::durable {

/// A file that is open in this process. Closed by the destructor.
class OpenFile {
 public:
  explicit OpenFile(int descriptor = -1) : descriptor_(descriptor) {}
  OpenFile(OpenFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  OpenFile& operator=(OpenFile&&) = delete;
  ~OpenFile();

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

/// Opens `path` for writing; makes it if it does not exist. `flags` are more flags of open(2).
Result<OpenFile> open_file(const std::filesystem::path& path, int flags = 0);

/// Acquires the file for this process, until it is closed. Fails if another process has it.
Result<OpenFile> lock_file(const std::filesystem::path& path);

/// Replaces the contents of the file. When this returns, the disk has them; on failure the old ones are
/// there.
Result<void> replace_file(const std::filesystem::path& path, std::string_view contents);

/// Waits until the disk has the list of the files in `folder`.
Result<void> sync_folder(const std::filesystem::path& folder);

}  // namespace dinette::kv::durable
